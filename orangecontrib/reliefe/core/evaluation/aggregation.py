"""One ranking from several."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import one_of
from ..data.arrays import floats
from ..words import shown
from .score_ranks import ranks, score_matrix

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
    scores = score_matrix(scores)
    method = one_of("method", method, AGGREGATIONS)
    known = AGGREGATIONS[method]
    if weights is not None and not known.weighted:
        allowed = ", ".join(name for name, other in AGGREGATIONS.items() if other.weighted)
        raise ValueError(f"{method} takes no weights; those that do are {allowed}")
    scaled, weights = _scaled(scores), _weights(weights, len(scores))
    found = np.round(known.function(ranks(scores), scaled, weights), 12)
    return Aggregate(found, np.lexsort((np.arange(len(found)), -np.round(weights @ scaled, 12), -found)))


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
