"""Ranks of the scores of features, or of methods."""

from typing import cast

import numpy as np

from ..checks import inside
from ..data.arrays import floats


def ranks(scores: object) -> np.ndarray:
    """Compute the ranks of scores (..., p) along the last axis: 1 for the best, the mean rank for ties.

    Higher scores are better; unknown ones (NaN) are last and share their rank, too.
    """
    from scipy.stats import rankdata

    scores = floats(scores, "scores")
    if not scores.ndim:
        raise ValueError(f"scores must be (p,) or (..., p), not {scores}")
    return cast("np.ndarray", rankdata(np.where(np.isnan(scores), np.inf, -scores), axis=-1))


def rank_intervals(scores: object, level: float = 0.95) -> np.ndarray:
    """Compute lower and upper ranks (2, p) of each feature in m rankings, scores (m, p).

    level: the central share of the rankings that lies between them, in (0, 1).
    """
    scores = score_matrix(scores)
    level = inside("level", level)
    return cast("np.ndarray", np.quantile(ranks(scores), [(1 - level) / 2, (1 + level) / 2], axis=0))


def score_matrix(scores: object) -> np.ndarray:
    """Read scores (m, p) of m rankings; raises ValueError for any other shape, and for infinite scores."""
    scores = floats(scores, "scores")
    if scores.ndim != 2 or not scores.size or np.isinf(scores).any():
        raise ValueError(f"scores must be (rankings, features) without infinite ones, not of shape {scores.shape}")
    return scores
