"""The area under a curve of quality against the number of features, and the number from which on quality is as good."""

from typing import Any

import numpy as np

from ..checks import switch, whole
from ..data.arrays import floats
from .corrected import resampled_error


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


def enough(sizes: Any, values: Any, n_folds: int, higher_is_better: bool = True) -> int | None:
    """Least size whose mean is within one standard error of the best mean: as many features as matter.

    None if no size is left, or of fewer than two folds.
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, section 3.4.3.

    Parameters
    ----------
    sizes : (s,) array
        Ascending.
    values : (m, s) array
        On m test folds of one or more cross-validations; sizes that are unknown (NaN) in a fold do not count.
    n_folds : int
        Parts of each of them, 2 or more.  The error is that of the best size, corrected as in `corrected_t`.
    higher_is_better : bool
        False for errors.
    """
    sizes, values = floats(sizes, "sizes"), floats(values, "values")
    values = values if switch("higher_is_better", higher_is_better) else -values
    n_folds = whole("n_folds", n_folds, 2)
    if sizes.ndim != 1 or values.shape[1:] != sizes.shape:
        raise ValueError(f"sizes and values must be (s,) and (m, s), not {sizes.shape} and {values.shape}")
    if not np.isfinite(sizes).all():
        raise ValueError("sizes must be known numbers")
    usable = ~np.isnan(values).any(axis=0)
    if len(values) < 2 or not usable.any():
        return None
    sizes, values = sizes[usable], values[:, usable]
    means = values.mean(axis=0)
    best = int(np.argmax(means))
    error = resampled_error(values[:, best], n_folds)
    return int(sizes[np.argmax(means >= means[best] - error - 1e-12)])


def _even(x: np.ndarray) -> bool:
    return bool(np.ptp(np.diff(x)) < 1e-9) if len(x) > 1 else True


def _fold_mean(values: np.ndarray, n_rows: np.ndarray) -> np.ndarray:
    weights = np.where(np.isnan(values), 0.0, n_rows[:, None])
    total = weights.sum(axis=0)
    return np.where(total > 0, (weights * np.nan_to_num(values)).sum(axis=0) / np.maximum(total, 1), np.nan)
