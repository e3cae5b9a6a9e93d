"""Ranks before and after an adjustment for covariates: which of the best features fell.

The command and the rankers of Orange call `describe_fallen` with the ranks that a method gives with and without
covariates.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..words import shown, some

# Features that count as the best ones; chosen by eye
MAX_BEST_FEATURES = 10
MIN_BEST_FEATURES = 2
MAX_SHARE_OF_BEST = 0.25  # of all features


class Fallen(NamedTuple):
    """A feature that is among the best without adjustment, and not with it.

    feature : index of the feature
    before : rank without adjustment, from 1
    after : rank with adjustment, from 1
    """

    feature: int
    before: int
    after: int


def ranks_of(order: np.ndarray) -> np.ndarray:
    """Ranks (p,) from 1, by the order (p,) of the features, the best first: `Ranking.score_order`."""
    ranks = np.empty(len(order), int)
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks


def count_best(n_features: int) -> int:
    """Count the features that are the best ones: 10, or a quarter of few features; at least 2, and never all."""
    n_best = max(min(MAX_BEST_FEATURES, int(MAX_SHARE_OF_BEST * n_features)), MIN_BEST_FEATURES)
    return min(n_best, n_features - 1)


def find_fallen(before: np.ndarray, after: np.ndarray) -> list[Fallen]:
    """Find the features that leave the best ones by an adjustment.

    Parameters
    ----------
    before : (p,) int array
        Ranks without adjustment, from 1.
    after : (p,) int array
        Ranks with adjustment, from 1.

    Returns
    -------
    list of Fallen
        The deepest fall first; equal ones in the order without adjustment.
    """
    n_best = count_best(len(before))
    features = np.flatnonzero((before <= n_best) & (after > n_best))
    fallen = [Fallen(int(feature), int(before[feature]), int(after[feature])) for feature in features]
    return sorted(fallen, key=lambda fall: (fall.before - fall.after, fall.before))


def describe_fallen(before: np.ndarray, after: np.ndarray, names: Sequence[str]) -> str:
    """Name the features that fell most by an adjustment.

    Parameters
    ----------
    before, after : (p,) int array
        As of `find_fallen`.
    names : sequence of str
        Names of the p features.

    Returns
    -------
    str
        A sentence without a full stop; empty for a single feature, whose rank cannot change.
    """
    n_best = count_best(len(before))
    if not n_best:
        return ""
    best = "the first rank" if n_best == 1 else f"the best {n_best}"
    if MIN_BEST_FEATURES < n_best < MAX_BEST_FEATURES:
        best += " (a quarter of all)"
    texts = [
        f"{shown(names[fall.feature])} (rank {fall.before:,}, now {fall.after:,})"
        for fall in find_fallen(before, after)
    ]
    if not texts:
        return f"The adjustment for covariates moves no feature out of {best}"
    return f"The adjustment for covariates moves out of {best}: {some(texts)}. Ranks are compared, and not tested"
