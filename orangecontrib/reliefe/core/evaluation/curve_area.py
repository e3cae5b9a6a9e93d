"""The area under a curve of quality against the number of best features."""

from typing import Any

import numpy as np

from ..data.arrays import floats

SAME_STEP = 1e-9  # difference of steps that is only rounding


def curve_area(sizes: Any, values: Any) -> float:
    """Integrate a curve of values (s,) at ascending sizes (s,) from 1; divided by its width, so a constant is its area.

    Evenly spaced sizes, or else logarithms of sizes, are integrated by Simpson's rule; unevenly spaced logarithms by
    trapezoids.  The area of one point is its value.
    Skrlj et al. (2022), ReliefE, section 5, where it is divided by the number of points: 1 would not be reached.
    """
    from scipy.integrate import simpson, trapezoid

    sizes = floats(sizes, "sizes")
    values = floats(values, "values")
    if sizes.ndim != 1 or sizes.shape != values.shape or not len(sizes):
        raise ValueError(f"sizes and values must be both (s,), s > 0, not {sizes.shape} and {values.shape}")
    if sizes[0] < 1 or (np.diff(sizes) <= 0).any():
        raise ValueError("sizes must be at least 1 and ascend")
    if len(sizes) == 1:
        return float(values[0])
    x = sizes if _is_even(sizes) else np.log2(sizes)
    if _is_even(x):
        area = simpson(values, x=x)
    elif _is_even(x[:-1]):  # as doublings, whose last one is p
        area = simpson(values[:-1], x=x[:-1]) + trapezoid(values[-2:], x[-2:])
    else:
        area = trapezoid(values, x)
    return float(area / (x[-1] - x[0]))


def _is_even(x: np.ndarray) -> bool:
    """Return True if the numbers are evenly spaced."""
    return bool(np.ptp(np.diff(x)) < SAME_STEP) if len(x) > 1 else True
