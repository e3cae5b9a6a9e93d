"""The area under a curve of quality against the number of features, and the number from which on quality is as good."""

from typing import Any

import numpy as np

from ..data.arrays import floats


def curve_area(sizes: Any, values: Any) -> float:
    """Area under a curve of values (s,) at ascending sizes (s,) from 1, over its width, so that a constant has itself.

    Integrated by Simpson's rule, on the sizes if they are evenly spaced, else on their logarithms. Unevenly spaced
    logarithms are integrated by trapezoids.  Of one point the area is its value.
    Skrlj et al. (2022), ReliefE, section 5, where it is divided by the number of points: 1 would not be reached.
    """
    from scipy.integrate import simpson, trapezoid

    sizes, values = floats(sizes, "sizes"), floats(values, "values")
    if sizes.ndim != 1 or sizes.shape != values.shape or not len(sizes):
        raise ValueError(f"sizes and values must be both (s,), s > 0, not {sizes.shape} and {values.shape}")
    if sizes[0] < 1 or (np.diff(sizes) <= 0).any():
        raise ValueError("sizes must be at least 1 and ascend")
    if len(sizes) == 1:
        return float(values[0])
    x = sizes if _even(sizes) else np.log2(sizes)
    if _even(x):
        area = simpson(values, x=x)
    elif _even(x[:-1]):
        area = simpson(values[:-1], x=x[:-1]) + trapezoid(values[-2:], x[-2:])
    else:
        area = trapezoid(values, x)
    return float(area / (x[-1] - x[0]))


def _even(x: np.ndarray) -> bool:
    return bool(np.ptp(np.diff(x)) < 1e-9) if len(x) > 1 else True
