"""Clusters of rankings that agree, as a tree above their table."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

MOST_ORDERED = 60  # rankings whose tree is turned for the best order: it takes their number cubed


class RankingTree(NamedTuple):
    """Tree of t rankings."""

    order: np.ndarray  # (t,) numbers of the rankings, those that agree side by side
    links: Sequence["Link"]


class Link(NamedTuple):
    """Two branches that join: from the left foot over the bar to the right foot."""

    x: np.ndarray  # (4,) in places of the order
    y: np.ndarray  # (4,) from 0 (equal rankings) to 1


def tree_of(agreement: np.ndarray) -> RankingTree:
    """Cluster rankings by average linkage; agreement (t, t): 1 for equal rankings, NaN where it is not known."""
    t = len(agreement)
    if t < 3:
        return RankingTree(np.arange(t), ())
    from scipy.cluster.hierarchy import dendrogram, linkage
    from scipy.spatial.distance import squareform

    distance = np.clip(np.nan_to_num(1 - agreement, nan=1.0), 0, None)
    np.fill_diagonal(distance, 0)
    merges = linkage(squareform(distance, checks=False), "average", optimal_ordering=t <= MOST_ORDERED)
    drawn = dendrogram(merges, no_plot=True)
    top = max(map(max, drawn["dcoord"])) or 1.0
    # SciPy places leaves at 5, 15, 25, ...
    links = [
        Link((np.array(x) - 5) / 10, np.array(y) / top) for x, y in zip(drawn["icoord"], drawn["dcoord"], strict=True)
    ]
    return RankingTree(np.array(drawn["leaves"]), links)
