"""Tests of differences between methods: over several data sets by ranks, on one by corrected t."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import inside, number, switch, whole
from ..data.arrays import floats
from ..words import shown
from .aggregation import ranks

MOST = 10**9  # methods, data sets, folds


@dataclass(frozen=True)
class Friedman:
    """ranks (k,): means over the data sets, 1 is best.  chi2, p_value: of Friedman, corrected for ties.  f, f_p_value:
    of Iman and Davenport, less cautious.  n: data sets."""

    ranks: np.ndarray
    chi2: float
    p_value: float
    f: float
    f_p_value: float
    n: int


def average_ranks(scores: object, higher_is_better: bool = True) -> np.ndarray:
    """(k,) mean rank of every method, 1 for the best, equal ones share theirs.

    scores (n, k): of k methods on n data sets.  Raises ValueError for another shape or unknown values.
    """
    return cast("np.ndarray", ranks(_signed(scores, higher_is_better)).mean(axis=0))


def friedman(scores: object, higher_is_better: bool = True) -> Friedman:
    """Friedman's test whether k >= 3 methods differ on n >= 2 independent data sets, scores (n, k).

    Where all methods are equal on all data sets, the p-values are 1.  Two methods are better compared by
    `scipy.stats.wilcoxon` or `hierarchical_t`.  Raises ValueError for fewer of either and unknown values.

    Demsar (2006), Statistical comparisons of classifiers over multiple data sets, section 3.2.2.
    """
    from scipy.special import fdtrc
    from scipy.stats import friedmanchisquare

    signed = _signed(scores, higher_is_better)
    n, k = signed.shape
    if n < 2 or k < 3:
        raise ValueError(f"Friedman's test needs at least 2 data sets and 3 methods, not {n} and {k}")
    means = ranks(signed).mean(axis=0)
    if (signed == signed[:, :1]).all():
        return Friedman(means, 0.0, 1.0, 0.0, 1.0, n)
    chi2, p_value = (float(found) for found in friedmanchisquare(*signed.T))
    rest = n * (k - 1) - chi2
    if rest <= 1e-9 * n:  # the same order on all data sets
        return Friedman(means, chi2, p_value, float("inf"), 0.0, n)
    f = (n - 1) * chi2 / rest
    return Friedman(means, chi2, p_value, f, float(fdtrc(k - 1, (k - 1) * (n - 1), f)), n)


def critical_difference(k: int, n: int, level: float = 0.05) -> float:
    """Critical difference of the mean ranks of k methods on n data sets: above it two of them differ at this level, by
    Nemenyi's test.

    Raises ValueError for k below 2, n below 1, and levels outside (0, 1).  Demsar (2006), section 3.2.2.
    """
    from scipy.stats import studentized_range

    k, n, level = whole("k", k, 2, MOST), whole("n", n, 1, MOST), inside("level", level)
    return float(studentized_range.ppf(1 - level, k, np.inf) * _error(k, n))


def nemenyi(mean_ranks: object, n: int) -> np.ndarray:
    """(k, k) p-values of the differences of mean ranks (k,) on n data sets: symmetric, 1 on the diagonal."""
    from scipy.stats import studentized_range

    mean_ranks = _mean_ranks(mean_ranks, n)
    gaps = np.abs(mean_ranks[:, None] - mean_ranks)
    out = np.ones(gaps.shape)
    above = np.triu(gaps > 0)
    out[above] = studentized_range.sf(gaps[above] / _error(len(mean_ranks), n), len(mean_ranks), np.inf)
    return cast("np.ndarray", np.clip(np.minimum(out, out.T), 0, 1))


def cliques(mean_ranks: object, difference: float) -> list[tuple[int, ...]]:
    """The bars of a diagram of mean ranks (k,): largest groups of at least two methods, best first, whose ranks are all
    less than the critical difference apart."""
    mean_ranks, difference = _mean_ranks(mean_ranks, 1), number("difference", difference)
    order = np.argsort(mean_ranks, kind="stable")
    ends = np.searchsorted(mean_ranks[order], mean_ranks[order] + difference, side="left")
    found, last = [], 0
    for start, end in enumerate(ends):
        if end > last and end - start > 1:
            found.append(tuple(order[start:end].tolist()))
        last = max(last, end)
    return found


@dataclass(frozen=True)
class Difference:
    """mean: of first - second; low, high: its interval of the level asked for; p_value: of no difference, two-sided.
    first, rope, second: probabilities that the first method is better, that they are practically equal, that the
    second one is better."""

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
    """Two rankings on one data set: t-test whose variance is corrected for training sets that overlap.

    first, second (m,): results on the same m >= 2 test folds, of one or more cross-validations with n_folds parts.
    rope: differences up to it are none in practice; not negative.
    Raises ValueError for lengths that differ and numbers outside these ranges.

    Nadeau and Bengio (2003), Inference for the generalization error, section 3; Corani and Benavoli (2015), A Bayesian
    approach for comparing cross-validated algorithms, equation 8, for the probabilities.
    """
    from scipy.special import stdtr, stdtrit

    x = _differences(first, second, higher_is_better)
    m = len(x)
    n_folds, level = whole("n_folds", n_folds, 2, MOST), inside("level", level)
    rope = number("rope", rope)
    if not 0 <= rope < np.inf:
        raise ValueError(f"rope must be at least 0 and finite, not {rope}")
    mean = float(x.mean())
    sign = 1 if higher_is_better else -1
    error = float(resampled_error(x, n_folds))
    if error == 0:
        sides = float(mean > rope), float(abs(mean) <= rope), float(mean < -rope)
        return Difference(sign * mean, sign * mean, sign * mean, float(mean == 0), *sides)
    second_wins, first_wins = stdtr(m - 1, (-rope - mean) / error), stdtr(m - 1, (mean - rope) / error)
    ends = sorted(sign * (mean + side * stdtrit(m - 1, (1 + level) / 2) * error) for side in (-1, 1))
    p_value = 2 * stdtr(m - 1, -abs(mean) / error)
    middle = max(1 - first_wins - second_wins, 0.0)
    return Difference(sign * mean, *map(float, (*ends, p_value, first_wins, middle, second_wins)))


def resampled_error(values: object, n_folds: int) -> np.ndarray:
    """Standard errors of the means of values (m, ...) over m >= 2 test folds, corrected as in `corrected_t`; 0 where
    all are equal.  Nadeau and Bengio (2003), section 3."""
    values = np.asarray(values, float)
    errors = np.sqrt((1 / len(values) + 1 / (n_folds - 1)) * values.var(axis=0, ddof=1))
    return np.where(np.ptp(values, axis=0) > 0, errors, 0.0)


def resampled_interval(values: object, n_folds: int, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper ends of the intervals of the means of values (m, ...) over m >= 2 test folds of one or more
    cross-validations with n_folds >= 2 parts; NaN where a value is.

    Raises ValueError for numbers outside these ranges.  Nadeau and Bengio (2003), section 3.
    """
    from scipy.special import stdtrit

    values, n_folds, level = floats(values, "values"), whole("n_folds", n_folds, 2, MOST), inside("level", level)
    if values.ndim < 1 or len(values) < 2:
        raise ValueError(f"values must be (m, ...) of at least 2 folds, not {values.shape}")
    reach = stdtrit(len(values) - 1, (1 + level) / 2) * resampled_error(values, n_folds)
    means = values.mean(axis=0)
    return means - reach, means + reach


def _differences(first: object, second: object, higher_is_better: bool) -> np.ndarray:
    first, second = floats(first, "results"), floats(second, "results")
    if first.ndim != 1 or first.shape != second.shape or len(first) < 2:
        raise ValueError(f"results must be both (m,), m >= 2, not {first.shape} and {second.shape}")
    x = first - second
    if not np.isfinite(x).all():
        raise ValueError("results must be finite numbers")
    return cast("np.ndarray", x if switch("higher_is_better", higher_is_better) else -x)


def _signed(scores: object, higher_is_better: bool) -> np.ndarray:
    scores = floats(scores, "scores")
    if scores.ndim != 2 or not scores.size or np.isnan(scores).any():
        raise ValueError(f"scores must be (data sets, methods) without unknown ones, not of shape {scores.shape}")
    return scores if switch("higher_is_better", higher_is_better) else -scores


def _mean_ranks(mean_ranks: object, n: int) -> np.ndarray:
    mean_ranks = floats(mean_ranks, "ranks")
    whole("n", n, 1, MOST)
    if mean_ranks.ndim != 1 or len(mean_ranks) < 2 or not (np.abs(mean_ranks) <= MOST).all():
        raise ValueError(f"ranks must be (k,), k >= 2, known and at most {MOST:,}, not {shown(mean_ranks)}")
    return mean_ranks


def _error(k: int, n: int) -> float:
    """Unit of a studentized range of mean ranks."""
    return float(np.sqrt(k * (k + 1) / (12 * n)))
