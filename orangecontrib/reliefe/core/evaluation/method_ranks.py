"""Tests of differences between methods over several data sets, by their ranks: Friedman's, and Nemenyi's of pairs.

SciPy has Friedman's test and the distribution of Nemenyi's.  scikit-posthocs has both, and takes 105 MB with what it
requires; tests compare with it.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import inside, number, switch, whole
from ..data.arrays import floats
from ..words import shown
from .score_ranks import ranks

MAX_COUNT = 10**9  # methods or data sets: their products are still exact floats
ROUNDING = 1e-9  # distance of chi2 to its largest value, for each data set, that is only rounding


@dataclass(frozen=True)
class Friedman:
    """Result of Friedman's test on n data sets.

    Attributes
    ----------
    ranks : (k,) array
        Mean ranks over the data sets, 1 is best.
    chi2, p_value : float
        Statistic and p-value of Friedman, corrected for ties.
    f, f_p_value : float
        Statistic and p-value of Iman and Davenport, which are less cautious.
    n : int
        Number of data sets.
    """

    ranks: np.ndarray
    chi2: float
    p_value: float
    f: float
    f_p_value: float
    n: int


def average_ranks(scores: object, higher_is_better: bool = True) -> np.ndarray:
    """Compute the mean rank (k,) of every method, 1 for the best.  Parameters: those of `friedman`."""
    return cast("np.ndarray", ranks(_signed(scores, higher_is_better)).mean(axis=0))


def friedman(scores: object, higher_is_better: bool = True) -> Friedman:
    """Test by Friedman whether methods differ on independent data sets.

    p-values are 1 where all methods are equal on all data sets.  Two methods are better compared by
    `scipy.stats.wilcoxon` or `hierarchical_t`.
    Demsar (2006), Statistical comparisons of classifiers over multiple data sets, section 3.2.2.

    Parameters
    ----------
    scores : (n, k) array
        Of k >= 3 methods on n >= 2 data sets.
    higher_is_better : bool
        False for errors.
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
    test = friedmanchisquare(*signed.T)
    chi2 = float(test.statistic)
    p_value = float(test.pvalue)
    distance_to_largest = n * (k - 1) - chi2
    if distance_to_largest <= ROUNDING * n:  # the same order on all data sets
        return Friedman(means, chi2, p_value, float("inf"), 0.0, n)
    f = (n - 1) * chi2 / distance_to_largest
    return Friedman(means, chi2, p_value, f, float(fdtrc(k - 1, (k - 1) * (n - 1), f)), n)


def critical_difference(k: int, n: int, level: float = 0.05) -> float:
    """Compute the least difference of mean ranks that is significant by Nemenyi's test, for k methods on n data sets.

    level: of the test, in (0, 1).  Demsar (2006), section 3.2.2.
    """
    from scipy.stats import studentized_range

    k = whole("k", k, 2, MAX_COUNT)
    n = whole("n", n, 1, MAX_COUNT)
    level = inside("level", level)
    return float(studentized_range.ppf(1 - level, k, np.inf) * _standard_error(k, n))


def nemenyi(mean_ranks: object, n: int) -> np.ndarray:
    """Compute p-values (k, k) of differences of mean ranks (k,) of methods on n data sets, by Nemenyi's test."""
    from scipy.stats import studentized_range

    mean_ranks = _mean_ranks(mean_ranks, n)
    gaps = np.abs(mean_ranks[:, None] - mean_ranks)
    k = len(mean_ranks)
    p_values = np.ones(gaps.shape)
    above = np.triu(gaps > 0)  # pairs above the diagonal
    p_values[above] = studentized_range.sf(gaps[above] / _standard_error(k, n), k, np.inf)
    return cast("np.ndarray", np.clip(np.minimum(p_values, p_values.T), 0, 1))


def cliques(mean_ranks: object, difference: float) -> list[tuple[int, ...]]:
    """Group methods whose mean ranks (k,) are all less than the difference apart: bars of a diagram.

    They are the largest groups of at least two methods, indices in the order of the ranks, the best group first.
    """
    mean_ranks = _mean_ranks(mean_ranks, 1)
    difference = number("difference", difference)
    order = np.argsort(mean_ranks, kind="stable")
    ends = np.searchsorted(mean_ranks[order], mean_ranks[order] + difference, side="left")
    groups = []
    last_end = 0
    for start, end in enumerate(ends):
        if end > last_end and end - start > 1:
            groups.append(tuple(order[start:end].tolist()))
        last_end = max(last_end, end)
    return groups


def _signed(scores: object, higher_is_better: bool) -> np.ndarray:
    """Read scores (n, k) and turn errors around, so that higher is better; raises ValueError for unknown ones."""
    scores = floats(scores, "scores")
    if scores.ndim != 2 or not scores.size or np.isnan(scores).any():
        raise ValueError(f"scores must be (data sets, methods) without unknown ones, not of shape {scores.shape}")
    return scores if switch("higher_is_better", higher_is_better) else -scores


def _mean_ranks(mean_ranks: object, n: int) -> np.ndarray:
    """Read mean ranks (k,), k >= 2, of n data sets; raises ValueError for others."""
    mean_ranks = floats(mean_ranks, "ranks")
    whole("n", n, 1, MAX_COUNT)
    if mean_ranks.ndim != 1 or len(mean_ranks) < 2 or not (np.abs(mean_ranks) <= MAX_COUNT).all():
        raise ValueError(f"ranks must be (k,), k >= 2, known and at most {MAX_COUNT:,}, not {shown(mean_ranks)}")
    return mean_ranks


def _standard_error(k: int, n: int) -> float:
    """Compute the unit sqrt(k (k + 1) / (12 n)) of a studentized range of mean ranks (Demsar 2006, section 3.2.2)."""
    return float(np.sqrt(k * (k + 1) / (12 * n)))
