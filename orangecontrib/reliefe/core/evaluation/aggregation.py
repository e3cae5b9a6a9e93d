"""One ranking from several, and features that many halves of the data select."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import function, inside, number, one_of, whole
from ..data.arrays import chosen_from, floats, is_frame, matrix, take
from ..parallel import Work
from ..words import shown
from .bootstrap import TopChances
from .folds import folds

RECIPROCAL = 60  # places that are added before dividing: how little the very first ones stand out
MOST = 10**6  # times that rows are halved
Ranker = Callable[[object, object], object]  # (X, y) of some rows -> scores (p,), higher is better


@dataclass(frozen=True)
class Aggregate:
    """scores (p,): of the features, higher is better, never NaN.  ranking (p,): indices, best first; of equal scores
    the one with the larger mean of scaled scores, then the lower index."""

    scores: np.ndarray
    ranking: np.ndarray


@dataclass(frozen=True)
class Aggregation:
    """function (ranks (m, p), scaled scores (m, p), weights (m,)) -> scores (p,); whether it knows weights."""

    function: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    weighted: bool


def ranks(scores: object) -> np.ndarray:
    """Ranks of scores (..., p) along the last axis: 1 for the best, equal ones share theirs, unknown ones (NaN) are
    last and share theirs, too."""
    from scipy.stats import rankdata

    scores = floats(scores, "scores")
    if not scores.ndim:
        raise ValueError(f"scores must be (p,) or (..., p), not {scores}")
    return cast("np.ndarray", rankdata(np.where(np.isnan(scores), np.inf, -scores), axis=-1))


def rank_intervals(scores: object, level: float = 0.95) -> np.ndarray:
    """(2, p) ranks between which the central share `level` of m rankings, scores (m, p), sees each feature.

    Raises ValueError for another shape or a level outside (0, 1).
    """
    scores = _matrix(scores)
    level = inside("level", level)
    return cast("np.ndarray", np.quantile(ranks(scores), [(1 - level) / 2, (1 + level) / 2], axis=0))


def aggregate(scores: object, method: str = "mean-rank", weights: object = None) -> Aggregate:
    """One ranking from m of them.

    scores (m, p): NaN where a ranking does not have the feature, which is then the last one.  method: of AGGREGATIONS.
    weights (m,): of the rankings, not negative, None: equal.
    Raises ValueError for another shape, infinite scores, an unknown method, bad weights, or weights where the method
    has none.

    Ranks become p + 1 - rank; "reciprocal-rank" is the mean of 1 / (60 + rank), Cormack et al. (2009); "scaled-scores"
    the mean of scores from 0, the worst of a ranking, to 1, its best; "robust" is -log10 of the p-value of Kolde et al.
    (2012), Robust rank aggregation, equations 1 and 2.
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


@dataclass(frozen=True)
class StableSelection:
    """frequencies (p,): share of the halves of the data whose best features have this one.  selected: indices of those
    that reach the threshold, most frequent first.  bound: on the expected number of features selected though they are
    no better than random ones.  scores (halves, p): of the ranker."""

    frequencies: np.ndarray
    selected: np.ndarray
    bound: float
    scores: np.ndarray


def stability_selection(
    ranker: Ranker,
    X: object,
    y: object = None,
    n_best: int = 16,
    threshold: float = 0.75,
    n_pairs: int = 50,
    strata: object = None,
    random_state: int = 0,
    n_jobs: int | None = 1,
    progress: Callable[[float], object] | None = None,
) -> StableSelection:
    """Features that are often among the best when halves of the data are ranked.

    X (n, p), y (n, ...) or None: arrays, sparse matrices or of pandas.  ranker: gets those of a half.  n_best:
    features that a half selects; of equally good ones at the end each counts its chance.  threshold in (0.5, 1].
    n_pairs: times that the rows are halved.  strata (n,): values that both halves have equally often, such as classes,
    or whether the target is known.  n_jobs: threads; progress: gets the share that is done.
    Raises ValueError outside these ranges, for fewer than 4 rows, and for scores of another length or unknown ones.

    Meinshausen and Buehlmann (2010), Stability selection, theorem 1; Shah and Samworth (2013), Variable selection with
    error control, section 2: pairs of halves.  Bound: n_best^2 / ((2 threshold - 1) p).
    """
    ranker, work = function("ranker", ranker), Work(n_jobs, progress)
    X, y = X if is_frame(X) else matrix(X, "X"), None if y is None else chosen_from(y, "y")
    n, p = X.shape
    if n < 4:
        raise ValueError(f"rows must be at least 4, not {n}")
    if y is not None and y.shape[:1] != (n,):
        raise ValueError(f"X has {n} rows but y has shape {y.shape}")
    n_best, n_pairs = whole("n_best", n_best, 1, p), whole("n_pairs", n_pairs, 1, MOST)
    if not 0.5 < number("threshold", threshold) <= 1:
        raise ValueError(f"threshold must be above 0.5 and at most 1, not {threshold}")
    seeds = np.random.SeedSequence(whole("random_state", random_state, 0)).generate_state(n_pairs)
    halves = [half for seed in seeds for half, _ in folds(n, 2, int(seed), cast("np.ndarray | None", strata))]
    work.plan(len(halves))

    def scores_of(rows: np.ndarray) -> np.ndarray:
        found = checked(ranker(take(X, rows), None if y is None else take(y, rows)), p)
        work.tick(1)
        return found

    scores = np.array(work.map(scores_of, halves))
    work.finish()
    frequencies = np.round(TopChances.of(scores)(n_best), 12)
    order = np.argsort(-frequencies, kind="stable")
    bound = n_best**2 / ((2 * threshold - 1) * p)
    return StableSelection(frequencies, order[frequencies[order] >= threshold], bound, scores)


def checked(scores: object, p: int) -> np.ndarray:
    """Scores (p,) that a ranker gave; raises ValueError for another shape or unknown ones."""
    scores = floats(getattr(scores, "scores", scores), "scores")
    if scores.shape != (p,) or np.isnan(scores).any():
        raise ValueError(f"the ranker must give one known score for each of {p} features, not shape {scores.shape}")
    return scores


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


def _mean_rank(places: np.ndarray, scaled: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return cast("np.ndarray", places.shape[1] + 1 - weights @ places)


def _median_rank(places: np.ndarray, scaled: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Half of the weight is on either side; where a ranking ends the first half, midway to the next one."""
    order = np.argsort(places, axis=0, kind="stable")
    places, ends = np.take_along_axis(places, order, 0), np.cumsum(weights[order], axis=0)
    low = np.take_along_axis(places, (ends < 0.5 - 1e-12).sum(axis=0)[None], 0)[0]
    high = np.take_along_axis(places, np.minimum((ends < 0.5 + 1e-12).sum(axis=0), len(places) - 1)[None], 0)[0]
    return cast("np.ndarray", places.shape[1] + 1 - (low + high) / 2)


def _best_rank(places: np.ndarray, scaled: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return cast("np.ndarray", places.shape[1] + 1 - places.min(axis=0))


def _reciprocal_rank(places: np.ndarray, scaled: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return weights @ (1 / (RECIPROCAL + places))


def _scaled_scores(places: np.ndarray, scaled: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return cast("np.ndarray", weights @ scaled)


def _robust(places: np.ndarray, scaled: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The k-th best of m ranks, as shares of p, is at most what it is, by chance: the least of these probabilities."""
    from scipy.special import betainc

    m, p = places.shape
    k = np.arange(1, m + 1)[:, None]
    chance = betainc(k, m - k + 1, np.sort(places, axis=0) / p).min(axis=0)
    return cast("np.ndarray", -np.log10(np.clip(chance * m, 1e-300, 1)) + 0.0)


AGGREGATIONS = {
    "mean-rank": Aggregation(_mean_rank, True),
    "median-rank": Aggregation(_median_rank, True),
    "best-rank": Aggregation(_best_rank, False),
    "reciprocal-rank": Aggregation(_reciprocal_rank, True),
    "scaled-scores": Aggregation(_scaled_scores, True),
    "robust": Aggregation(_robust, False),
}
