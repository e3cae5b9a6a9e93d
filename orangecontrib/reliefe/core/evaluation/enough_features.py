"""The number of features from which on quality is as good as the best, within its standard error."""

from typing import Any

import numpy as np

from ..checks import switch, whole
from ..data.arrays import floats
from .corrected import resampled_error

TIE = 1e-12  # difference of means that is only rounding


def enough(sizes: Any, values: Any, n_folds: int, higher_is_better: bool = True) -> int | None:
    """Find the smallest size whose mean is within one standard error of the best mean: as many features as matter.

    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, section 3.4.3.

    Parameters
    ----------
    sizes : (s,) array
        Numbers of features, ascending.
    values : (m, s) array
        Quality on m test folds of one or more cross-validations; sizes that are unknown (NaN) in a fold do not count.
    n_folds : int
        Folds of each of them, 2 or more.  The error is that of the best size, corrected as in `corrected_t`.
    higher_is_better : bool
        False for errors.

    Returns
    -------
    int or None
        The size; None if no size is known in all folds, or for fewer than two folds.
    """
    sizes = floats(sizes, "sizes")
    values = floats(values, "values")
    values = values if switch("higher_is_better", higher_is_better) else -values
    n_folds = whole("n_folds", n_folds, 2)
    if sizes.ndim != 1 or values.shape[1:] != sizes.shape:
        raise ValueError(f"sizes and values must be (s,) and (m, s), not {sizes.shape} and {values.shape}")
    if not np.isfinite(sizes).all():
        raise ValueError("sizes must be known numbers")
    usable = ~np.isnan(values).any(axis=0)
    if len(values) < 2 or not usable.any():
        return None
    sizes = sizes[usable]
    values = values[:, usable]
    means = values.mean(axis=0)
    best = int(np.argmax(means))
    error = resampled_error(values[:, best], n_folds)
    is_as_good = means >= means[best] - error - TIE
    return int(sizes[np.argmax(is_as_good)])
