"""Tests of differences on one data set: t with a variance that is corrected for training sets that overlap.

baycomp 1.0.3 has the same probabilities, without p-value and interval; it requires matplotlib (35 MB).
"""

from dataclasses import dataclass

import numpy as np

from ..checks import inside, whole
from ..data.arrays import floats
from .result_differences import checked_rope, differences_of

MAX_COUNT = 10**9  # folds: more are a mistake


@dataclass(frozen=True)
class Difference:
    """Difference of two methods on one data set.

    Attributes
    ----------
    mean : float
        Mean of first - second.
    low, high : float
        Interval of the mean, at the level asked for.
    p_value : float
        Two-sided p-value of no difference.
    first, rope, second : float
        Probabilities that the first method is better, that they are practically equal, that the second is better.
    """

    mean: float
    low: float
    high: float
    p_value: float
    first: float
    rope: float
    second: float


def corrected_t(
    first: object, second: object, n_folds: int, rope: float = 0.0, higher_is_better: bool = True, level: float = 0.95
) -> Difference:
    """Compare two rankings on one data set, by a t-test whose variance is corrected for training sets that overlap.

    Nadeau and Bengio (2003), Inference for the generalization error, section 3.  Corani and Benavoli (2015), A Bayesian
    approach for comparing cross-validated algorithms, equation 8, for the probabilities.

    Parameters
    ----------
    first, second : (m,) arrays
        Results on the same m >= 2 test folds, of one or more cross-validations.
    n_folds : int
        Parts of each cross-validation, 2 or more.
    rope : float
        Differences up to it are none in practice; not negative.
    higher_is_better : bool
        False for errors.  The sign of the difference is that of first - second.
    level : float
        Level of the interval, in (0, 1).

    Returns
    -------
    Difference
        Mean, interval, p-value and probabilities.
    """
    from scipy.special import stdtr, stdtrit

    x = differences_of(first, second, higher_is_better, "(m,), m >= 2", (2,))
    m = len(x)
    n_folds = whole("n_folds", n_folds, 2, MAX_COUNT)
    level = inside("level", level)
    rope = checked_rope(rope)
    mean = float(x.mean())
    sign = 1 if higher_is_better else -1
    error = float(resampled_error(x, n_folds))
    if error == 0:
        return Difference(
            mean=sign * mean,
            low=sign * mean,
            high=sign * mean,
            p_value=float(mean == 0),
            first=float(mean > rope),
            rope=float(abs(mean) <= rope),
            second=float(mean < -rope),
        )
    second_wins = stdtr(m - 1, (-rope - mean) / error)
    first_wins = stdtr(m - 1, (mean - rope) / error)
    low, high = sorted(sign * (mean + side * stdtrit(m - 1, (1 + level) / 2) * error) for side in (-1, 1))
    return Difference(
        mean=sign * mean,
        low=float(low),
        high=float(high),
        p_value=float(2 * stdtr(m - 1, -abs(mean) / error)),
        first=float(first_wins),
        rope=float(max(1 - first_wins - second_wins, 0.0)),
        second=float(second_wins),
    )


def resampled_error(values: object, n_folds: int) -> np.ndarray:
    """Compute standard errors of means over test folds, corrected as in `corrected_t`.

    sqrt((1 / m + 1 / (n_folds - 1)) * variance) for values (m, ...): test sets are 1 / (n_folds - 1) of training sets.
    """
    values = np.asarray(values, float)
    errors = np.sqrt((1 / len(values) + 1 / (n_folds - 1)) * values.var(axis=0, ddof=1))
    return np.where(np.ptp(values, axis=0) > 0, errors, 0.0)


def resampled_interval(values: object, n_folds: int, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Compute intervals of means over test folds: low (...) and high (...), NaN where a value is, or is far too large.

    Nadeau and Bengio (2003), section 3, as in `corrected_t`.

    Parameters
    ----------
    values : (m, ...) array
        On m >= 2 test folds of one or more cross-validations.
    n_folds : int
        Parts of each of them, 2 or more.
    level : float
        In (0, 1).
    """
    from scipy.special import stdtrit

    values = floats(values, "values")
    n_folds = whole("n_folds", n_folds, 2, MAX_COUNT)
    level = inside("level", level)
    if values.ndim < 1 or len(values) < 2:
        raise ValueError(f"values must be (m, ...) of at least 2 folds, not {values.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        half_width = stdtrit(len(values) - 1, (1 + level) / 2) * resampled_error(values, n_folds)
        means = values.mean(axis=0)
        means = np.where(np.isfinite(means), means, np.nan)
        return means - half_width, means + half_width
