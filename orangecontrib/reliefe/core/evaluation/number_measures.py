"""Measures of predicted numbers: the relative root mean squared error.

It is sqrt(1 - R2) of one number.  scikit-learn's `r2_score` refuses gaps, and 1 - R2 loses half the digits of small
errors.
"""

import numpy as np
from scipy import sparse

from ..data.arrays import floats
from ..data.indices import csr
from ..targets.scaling import scaled


def rrmse(truth: object, predicted: object) -> float:
    """Average over the targets the root of (mean squared error / variance of the truth): 1 for predicting the mean.

    truth, predicted: (n,) or (n, t) numbers; where truth is NaN it does not count.
    Targets without variance are left out; NaN if none is left.
    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.
    """
    truth, predicted = checked_numbers(truth, predicted)
    roots = []
    for y, y_predicted in zip(_columns(truth), _columns(predicted), strict=True):
        is_known = ~np.isnan(y)
        power = -max(scaled(y)[1], 0)  # squares of large numbers would overflow
        y = np.ldexp(y, power)
        variance = y[is_known].var() if is_known.any() and np.ptp(y[is_known]) > 0 else 0.0
        if variance > 0:  # that of denormal numbers is 0
            with np.errstate(over="ignore"):  # infinite where predictions are too far off
                errors = (np.ldexp(y_predicted, power) - y)[is_known]
                roots.append(np.sqrt((errors**2).mean() / variance))
    return float(np.mean(roots)) if roots else float("nan")


def checked_numbers(truth: object, predicted: object) -> tuple[np.ndarray, np.ndarray]:
    """Read truth and finite predictions of one shape, (n,) or (n, t); raises ValueError for others."""
    truth = _dense(truth, "truth")
    predicted = _dense(predicted, "predicted")
    if truth.ndim not in (1, 2) or truth.shape != predicted.shape:
        raise ValueError(f"truth and predicted must be both (n,) or (n, t), not {truth.shape} and {predicted.shape}")
    if not np.isfinite(predicted).all():
        raise ValueError("predicted has values that are no finite numbers")
    return truth, predicted


def _dense(values: object, name: str) -> np.ndarray:
    """Read numbers, sparse ones as dense."""
    return csr(values, name).toarray() if sparse.issparse(values) else floats(values, name)


def _columns(values: np.ndarray) -> np.ndarray:
    """Transpose values (n, t) to (t, n); (n,) become (1, n)."""
    return values.T if values.ndim == 2 else values[None]
