"""Ranks: one ranking from several, and tests of differences between methods over several data sets."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import inside, number, one_of, switch, whole
from ..data.arrays import floats
from ..words import shown

RECIPROCAL = 60  # places that are added before dividing: how little the very first ones stand out


@dataclass(frozen=True)
class Aggregate:
    """One ranking from several.

    scores (p,): of the features, higher is better, never NaN.
    ranking (p,): indices, best first; equal scores by the larger mean of scaled scores, then by the lower index.
    """

    scores: np.ndarray
    ranking: np.ndarray


@dataclass(frozen=True)
class Aggregation:
    """Way to make one ranking from several."""

    # ``function(ranks, scaled scores, weights)``, (m, p), (m, p) and (m,) -> scores (p,)
    function: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    weighted: bool  # whether it knows weights


def ranks(scores: object) -> np.ndarray:
    """Ranks of scores (..., p) along the last axis: 1 for the best, equal ones share theirs.

    Higher scores are better; unknown ones (NaN) are last and share their rank, too.
    """
    from scipy.stats import rankdata

    scores = floats(scores, "scores")
    if not scores.ndim:
        raise ValueError(f"scores must be (p,) or (..., p), not {scores}")
    return cast("np.ndarray", rankdata(np.where(np.isnan(scores), np.inf, -scores), axis=-1))


def rank_intervals(scores: object, level: float = 0.95) -> np.ndarray:
    """Lower and upper ranks (2, p) of each feature in m rankings, scores (m, p).

    level: the central share of the rankings that lies between them, in (0, 1).
    """
    scores = _matrix(scores)
    level = inside("level", level)
    return cast("np.ndarray", np.quantile(ranks(scores), [(1 - level) / 2, (1 + level) / 2], axis=0))


def aggregate(scores: object, method: str = "mean-rank", weights: object = None) -> Aggregate:
    """One ranking from m of them.

    Ranks become p + 1 - rank. "reciprocal-rank" is the mean of 1 / (60 + rank), "robust" is -log10 of a p-value.
    "scaled-scores" is the mean of scores scaled to 0 (worst) to 1 (best).
    Cormack et al. (2009), Reciprocal rank fusion; Kolde et al. (2012), Robust rank aggregation, equations 1 and 2.

    Parameters
    ----------
    scores : (m, p) array
        NaN where a ranking does not have the feature, which is then the last one.
    method : str
        One of `AGGREGATIONS`.
    weights : (m,) array, optional
        Of the rankings, not negative; None: equal.  Some methods have none.
    """
    scores = _matrix(scores)
    method = one_of("method", method, AGGREGATIONS)
    known = AGGREGATIONS[method]
    if weights is not None and not known.weighted:
        allowed = ", ".join(name for name, other in AGGREGATIONS.items() if other.weighted)
        raise ValueError(f"{method} takes no weights; those that do are {allowed}")
    scaled, weights = _scaled(scores), _weights(weights, len(scores))
    found = np.round(known.function(ranks(scores), scaled, weights), 12)
    return Aggregate(found, np.lexsort((np.arange(len(found)), -np.round(weights @ scaled, 12), -found)))


def _matrix(scores: object) -> np.ndarray:
    scores = floats(scores, "scores")
    if scores.ndim != 2 or not scores.size or np.isinf(scores).any():
        raise ValueError(f"scores must be (rankings, features) without infinite ones, not of shape {scores.shape}")
    return scores


def _weights(weights: object, m: int) -> np.ndarray:
    """(m,) with sum 1."""
    weights = np.ones(m) if weights is None else floats(weights, "weights")
    if weights.shape != (m,) or not np.isfinite(weights).all() or weights.min() < 0 or weights.sum() <= 0:
        raise ValueError(f"weights must be one number from 0 for each of {m} rankings, not all 0, not {shown(weights)}")
    return cast("np.ndarray", weights / weights.sum())


def _scaled(scores: np.ndarray) -> np.ndarray:
    """(m, p) in [0, 1]; unknown ones and those of rankings with only equal scores are 0."""
    low, high = np.fmin.reduce(scores, axis=1)[:, None], np.fmax.reduce(scores, axis=1)[:, None]
    with np.errstate(over="ignore"):
        span = high / 2 - low / 2
    known = ~np.isnan(scores) & (span > 0)
    return np.where(known, (scores / 2 - low / 2) / np.where(span > 0, span, 1), 0.0)


def _median_rank(places: np.ndarray, scaled: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Half of the weight is on either side; where a ranking ends the first half, midway to the next one."""
    order = np.argsort(places, axis=0, kind="stable")
    places, ends = np.take_along_axis(places, order, 0), np.cumsum(weights[order], axis=0)
    low = np.take_along_axis(places, (ends < 0.5 - 1e-12).sum(axis=0)[None], 0)[0]
    high = np.take_along_axis(places, np.minimum((ends < 0.5 + 1e-12).sum(axis=0), len(places) - 1)[None], 0)[0]
    return cast("np.ndarray", places.shape[1] + 1 - (low + high) / 2)


def _robust(places: np.ndarray, scaled: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The k-th best of m ranks, as shares of p, is at most what it is, by chance: the least of these probabilities."""
    from scipy.special import betainc

    m, p = places.shape
    k = np.arange(1, m + 1)[:, None]
    chance = betainc(k, m - k + 1, np.sort(places, axis=0) / p).min(axis=0)
    return cast("np.ndarray", -np.log10(np.clip(chance * m, 1e-300, 1)) + 0.0)


AGGREGATIONS = {
    "mean-rank": Aggregation(lambda places, scaled, weights: places.shape[1] + 1 - weights @ places, True),
    "median-rank": Aggregation(_median_rank, True),
    "best-rank": Aggregation(lambda places, scaled, weights: places.shape[1] + 1 - places.min(axis=0), False),
    "reciprocal-rank": Aggregation(lambda places, scaled, weights: weights @ (1 / (RECIPROCAL + places)), True),
    "scaled-scores": Aggregation(lambda places, scaled, weights: weights @ scaled, True),
    "robust": Aggregation(_robust, False),
}


MAX_COUNT = 10**9  # methods, data sets


@dataclass(frozen=True)
class Friedman:
    """Result of Friedman's test on n data sets.

    ranks (k,): means over the data sets, 1 is best.
    chi2, p_value: of Friedman, corrected for ties.
    f, f_p_value: of Iman and Davenport, less cautious.
    """

    ranks: np.ndarray
    chi2: float
    p_value: float
    f: float
    f_p_value: float
    n: int


def average_ranks(scores: object, higher_is_better: bool = True) -> np.ndarray:
    """Mean rank (k,) of every method, 1 for the best, equal ones share theirs.  Parameters: those of `friedman`."""
    return cast("np.ndarray", ranks(_signed(scores, higher_is_better)).mean(axis=0))


def friedman(scores: object, higher_is_better: bool = True) -> Friedman:
    """Friedman's test whether methods differ on independent data sets.

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
    chi2, p_value = (float(found) for found in friedmanchisquare(*signed.T))
    rest = n * (k - 1) - chi2
    if rest <= 1e-9 * n:  # the same order on all data sets
        return Friedman(means, chi2, p_value, float("inf"), 0.0, n)
    f = (n - 1) * chi2 / rest
    return Friedman(means, chi2, p_value, f, float(fdtrc(k - 1, (k - 1) * (n - 1), f)), n)


def critical_difference(k: int, n: int, level: float = 0.05) -> float:
    """Critical difference of mean ranks of k >= 2 methods on n data sets: above it two differ by Nemenyi's test.

    level: of the test, in (0, 1).  Demsar (2006), section 3.2.2.
    """
    from scipy.stats import studentized_range

    k, n, level = whole("k", k, 2, MAX_COUNT), whole("n", n, 1, MAX_COUNT), inside("level", level)
    return float(studentized_range.ppf(1 - level, k, np.inf) * _error(k, n))


def nemenyi(mean_ranks: object, n: int) -> np.ndarray:
    """p-values (k, k) of the differences of mean ranks (k,) of k >= 2 methods on n data sets, by Nemenyi's test."""
    from scipy.stats import studentized_range

    mean_ranks = _mean_ranks(mean_ranks, n)
    gaps = np.abs(mean_ranks[:, None] - mean_ranks)
    out = np.ones(gaps.shape)
    above = np.triu(gaps > 0)
    out[above] = studentized_range.sf(gaps[above] / _error(len(mean_ranks), n), len(mean_ranks), np.inf)
    return cast("np.ndarray", np.clip(np.minimum(out, out.T), 0, 1))


def cliques(mean_ranks: object, difference: float) -> list[tuple[int, ...]]:
    """Bars of a diagram of mean ranks (k,): groups of methods whose ranks are all less than the difference apart.

    They are the largest groups of at least two methods, indices in the order of the ranks, the best group first.
    """
    mean_ranks, difference = _mean_ranks(mean_ranks, 1), number("difference", difference)
    order = np.argsort(mean_ranks, kind="stable")
    ends = np.searchsorted(mean_ranks[order], mean_ranks[order] + difference, side="left")
    found, last = [], 0
    for start, end in enumerate(ends):
        if end > last and end - start > 1:
            found.append(tuple(order[start:end].tolist()))
        last = max(last, end)
    return found


def _signed(scores: object, higher_is_better: bool) -> np.ndarray:
    scores = floats(scores, "scores")
    if scores.ndim != 2 or not scores.size or np.isnan(scores).any():
        raise ValueError(f"scores must be (data sets, methods) without unknown ones, not of shape {scores.shape}")
    return scores if switch("higher_is_better", higher_is_better) else -scores


def _mean_ranks(mean_ranks: object, n: int) -> np.ndarray:
    mean_ranks = floats(mean_ranks, "ranks")
    whole("n", n, 1, MAX_COUNT)
    if mean_ranks.ndim != 1 or len(mean_ranks) < 2 or not (np.abs(mean_ranks) <= MAX_COUNT).all():
        raise ValueError(f"ranks must be (k,), k >= 2, known and at most {MAX_COUNT:,}, not {shown(mean_ranks)}")
    return mean_ranks


def _error(k: int, n: int) -> float:
    """Unit of a studentized range of mean ranks."""
    return float(np.sqrt(k * (k + 1) / (12 * n)))


HEIGHT = np.sqrt(3) / 2  # of a triangle whose sides are 1


@dataclass(frozen=True)
class RankDiagram:
    """k methods on an axis of mean ranks; their names are in lines below, at the left or at the right.

    ranks (k,): mean ranks.
    low, high: whole ranks that the axis shows.
    left (k,): whether the name stands at the left, as those of the better half do.
    lines (k,): lines of the names from 0, so that no way from the axis to a name crosses another one.
    bars: best rank, worst rank and line (from 0, own ones, above the names) of each group without a difference.
    difference: critical one.
    """

    ranks: np.ndarray
    low: int
    high: int
    left: np.ndarray
    lines: np.ndarray
    bars: tuple[tuple[float, float, int], ...]
    difference: float

    @property
    def n_bar_lines(self) -> int:
        """Lines that the bars need."""
        return max((line + 1 for _, _, line in self.bars), default=0)


def rank_diagram(mean_ranks: object, difference: float) -> RankDiagram:
    """Diagram of the mean ranks (k,) of k >= 2 methods with a critical difference.

    Demsar (2006), Statistical comparisons of classifiers over multiple data sets, figure 1.
    """
    mean_ranks, difference = floats(mean_ranks, "ranks"), number("difference", difference)
    groups = cliques(mean_ranks, difference)
    k = len(mean_ranks)
    order = np.argsort(mean_ranks, kind="stable")
    left, lines = np.zeros(k, bool), np.zeros(k, int)
    half = (k + 1) // 2
    left[order[:half]] = True
    lines[order[:half]] = np.arange(half)
    lines[order[half:]] = np.arange(k - half)[::-1]
    ends: list[float]
    bars, ends = [], []  # ends: worst rank of the last bar in each line
    for group in groups:
        first, last = mean_ranks[list(group)].min(), mean_ranks[list(group)].max()
        line = next((number for number, end in enumerate(ends) if end < first), len(ends))
        ends[line:] = [last, *ends[line + 1 :]]
        bars.append((float(first), float(last), line))
    low, high = int(np.floor(mean_ranks.min())), int(np.ceil(mean_ranks.max()))
    return RankDiagram(mean_ranks, min(low, high - 1), high, left, lines, tuple(bars), float(difference))


def in_triangle(probabilities: object) -> np.ndarray:
    """Points (n, 2) in a triangle of sides 1 for three probabilities (n, 3), which need not add up to 1 in a row.

    They are of the first (lower left corner), of neither (upper corner), of the second (lower right corner).
    """
    shares = floats(probabilities, "probabilities")
    if shares.ndim != 2 or shares.shape[1] != 3 or not (shares >= 0).all() or not shares.sum(axis=1).all():
        raise ValueError(f"probabilities must be (n, 3), not negative, not all 0, not of shape {shares.shape}")
    shares = shares / shares.sum(axis=1, keepdims=True)
    return np.column_stack([shares[:, 1] / 2 + shares[:, 2], shares[:, 1] * HEIGHT])
