"""Aggregation: one ranking from several, by any of the methods in `AGGREGATIONS`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import one_of
from ..data.arrays import floats
from ..words import shown
from .score_ranks import ranks, score_matrix

RECIPROCAL = 60  # added to a rank before dividing, so that the first ranks do not dominate (Cormack et al. 2009)
MIN_PROBABILITY = 1e-300  # whose logarithm is still finite
TIE = 1e-12  # weight that is only rounding


@dataclass(frozen=True)
class Aggregate:
    """One ranking from several.

    Attributes
    ----------
    scores : (p,) array
        Scores of the features, higher is better, never NaN.
    ranking : (p,) array
        Indices, best first; equal scores by the larger mean of scaled scores, then by the lower index.
    """

    scores: np.ndarray
    ranking: np.ndarray


@dataclass(frozen=True)
class Aggregation:
    """Method of aggregation.

    Attributes
    ----------
    function : callable
        ``function(ranks, scaled scores, weights)``, (m, p), (m, p) and (m,) -> scores (p,).
    weighted : bool
        True if it uses the weights.
    """

    function: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    weighted: bool


def aggregate(scores: object, method: str = "mean-rank", weights: object = None) -> Aggregate:
    """Aggregate m rankings to one.

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
        Weights of the rankings, not negative; None: equal. Some methods have none.

    Returns
    -------
    Aggregate
        The aggregated ranking.
    """
    scores = score_matrix(scores)
    method = one_of("method", method, AGGREGATIONS)
    aggregation = AGGREGATIONS[method]
    if weights is not None and not aggregation.weighted:
        allowed = ", ".join(name for name, other in AGGREGATIONS.items() if other.weighted)
        raise ValueError(f"{method} takes no weights; those that do are {allowed}")
    scaled = _scaled(scores)
    weights = _weights(weights, len(scores))
    aggregated = np.round(aggregation.function(ranks(scores), scaled, weights), 12)
    # Best first; ties by the mean of the scaled scores, then by index.
    order = np.lexsort((np.arange(len(aggregated)), -np.round(weights @ scaled, 12), -aggregated))
    return Aggregate(aggregated, order)


def _weights(weights: object, m: int) -> np.ndarray:
    """Read weights (m,) and divide them by their sum; raises ValueError for others."""
    weights = np.ones(m) if weights is None else floats(weights, "weights")
    if weights.shape != (m,) or not np.isfinite(weights).all() or weights.min() < 0 or weights.sum() <= 0:
        raise ValueError(f"weights must be one number from 0 for each of {m} rankings, not all 0, not {shown(weights)}")
    return cast("np.ndarray", weights / weights.sum())


def _scaled(scores: np.ndarray) -> np.ndarray:
    """Scale the scores (m, p) of each ranking to [0, 1]; unknown scores, and those of a constant ranking, become 0."""
    low = np.fmin.reduce(scores, axis=1)[:, None]
    high = np.fmax.reduce(scores, axis=1)[:, None]
    with np.errstate(over="ignore"):
        span = high / 2 - low / 2
    is_scaled = ~np.isnan(scores) & (span > 0)
    return np.where(is_scaled, (scores / 2 - low / 2) / np.where(span > 0, span, 1), 0.0)


def _median_rank(ranks_of: np.ndarray, scaled: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute p + 1 less the weighted median of the ranks (m, p) of each feature.

    Half of the weight is on either side; where a ranking ends the first half exactly, the median is midway to the next.
    """
    order = np.argsort(ranks_of, axis=0, kind="stable")
    ascending = np.take_along_axis(ranks_of, order, 0)
    cumulative = np.cumsum(weights[order], axis=0)
    index_low = (cumulative < 0.5 - TIE).sum(axis=0)
    index_high = np.minimum((cumulative < 0.5 + TIE).sum(axis=0), len(ascending) - 1)
    low = np.take_along_axis(ascending, index_low[None], 0)[0]
    high = np.take_along_axis(ascending, index_high[None], 0)[0]
    return cast("np.ndarray", ascending.shape[1] + 1 - (low + high) / 2)


def _robust(ranks_of: np.ndarray, scaled: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute -log10 of a p-value: m times the least probability, over k, of a k-th best rank this good by chance."""
    from scipy.special import betainc

    m, p = ranks_of.shape
    k = np.arange(1, m + 1)[:, None]
    probability = betainc(k, m - k + 1, np.sort(ranks_of, axis=0) / p).min(axis=0)
    return cast("np.ndarray", -np.log10(np.clip(probability * m, MIN_PROBABILITY, 1)) + 0.0)


AGGREGATIONS = {
    "mean-rank": Aggregation(lambda ranks_of, scaled, weights: ranks_of.shape[1] + 1 - weights @ ranks_of, True),
    "median-rank": Aggregation(_median_rank, True),
    "best-rank": Aggregation(lambda ranks_of, scaled, weights: ranks_of.shape[1] + 1 - ranks_of.min(axis=0), False),
    "reciprocal-rank": Aggregation(lambda ranks_of, scaled, weights: weights @ (1 / (RECIPROCAL + ranks_of)), True),
    "scaled-scores": Aggregation(lambda ranks_of, scaled, weights: weights @ scaled, True),
    "robust": Aggregation(_robust, False),
}
