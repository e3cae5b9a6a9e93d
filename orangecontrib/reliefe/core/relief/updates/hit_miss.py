"""Updates that compare the mean diff to misses with that to hits.

Recipes in `core/methods/relief_family.py` choose them.  `HitMiss` is Relief-F and Relief-E.  The others differ from it
in one respect: `SignedPairs` in the normaliser, `AboveMean` in the diff, `SharedFeatures` in the weights of neighbours.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

import numpy as np

from ...targets.targets import Target
from ...targets.tasks import CLASSIFICATION, REGRESSION
from ..formats.lists import Neighbours
from ..formats.row_means import RowMeans
from ..neighbourhoods.base import (
    EMPTY_AS_ZERO,
    GROUPS,
    GROUPS_BEFORE_SEARCH,
    LISTS,
    ONE_SUM,
    SIGNED_WEIGHTS,
    SIGNS,
    TWO_GROUPS,
)
from ..neighbourhoods.relations import ClassGroups, HitsAndMisses, Relation
from .base import Means, Update


@dataclass(frozen=True)
class HitMiss(Update):
    """Mean diff to misses minus mean diff to hits.

    For numbers a hit is a row whose target differs by less than one standard deviation.

    Kononenko (1994), Relief-E and Relief-F.  Urbanowicz et al. (2018) for numbers.

    Attributes
    ----------
    scheme : str
        "F": class c counts P(c) / sum of P over the other classes present (Relief-F); "E": misses are rows of any other
        class, all alike (Relief-E).
    drop_empty : bool
        True if a row without hits (misses) does not count in the mean over rows; else it counts as 0.
    row_weights : (n,) array, optional
        Weights of the rows in run order; None: all 1.
    """

    scheme: str = "F"
    drop_empty: bool = True
    row_weights: np.ndarray | None = field(default=None, compare=False)

    n_channels = 2
    is_mean_over_rows = True
    is_linear_in_shares = True

    def offers(self, task: str) -> frozenset[str]:
        if task != CLASSIFICATION and (task != REGRESSION or self.drop_empty):
            return frozenset()
        offered = {GROUPS, SIGNS, GROUPS_BEFORE_SEARCH if task == CLASSIFICATION else TWO_GROUPS}
        if self.scheme == "E":
            offered.add(TWO_GROUPS)
        if not self.drop_empty:
            offered.add(EMPTY_AS_ZERO)
        return frozenset(offered)

    def weighted(self, row_weights: np.ndarray) -> "HitMiss":
        return replace(self, row_weights=row_weights)

    def _size(self, rows: np.ndarray) -> float:
        """Number of some rows, by their weights."""
        return len(rows) if self.row_weights is None else float(self.row_weights[rows].sum())

    def by_class(self, target: Target) -> bool:
        return self.scheme == "F" and target.groups is not None

    def relation(self, target: Target) -> Relation:
        signs = partial(self.signs, target=target)
        if self.by_class(target):
            return ClassGroups(signs, target.classes)
        return HitsAndMisses(signs, target.miss_rule)

    def search_groups(self, target: Target) -> np.ndarray | None:
        return target.groups

    def regroup(self, neighbours: Neighbours, target: Target, ids: np.ndarray, k: int) -> Neighbours:
        if self.by_class(target):
            return neighbours
        classes_of_rows = target.classes[neighbours.rows]
        if neighbours.cols.shape[1] == 2:  # no lists are merged, whose distances may be rough
            hits_and_misses = np.stack([classes_of_rows, 1 - classes_of_rows], axis=1)[:, :, None]
            cols = np.take_along_axis(neighbours.cols, hits_and_misses, axis=1)[:, :, :k]
            distances = np.take_along_axis(neighbours.distances, hits_and_misses, axis=1)[:, :, :k]
            return Neighbours(neighbours.rows, cols, distances)

        # The k nearest rows of the own class, and of all other classes together
        is_hit = np.arange(neighbours.cols.shape[1]) == classes_of_rows[:, None]
        hits = _nearest_of_classes(neighbours, is_hit, ids, k)
        misses = _nearest_of_classes(neighbours, ~is_hit, ids, k)
        cols, distances = (np.stack(pair, axis=1) for pair in zip(hits, misses, strict=True))
        return Neighbours(neighbours.rows, cols, distances)

    def signs(self, present: np.ndarray, rows: np.ndarray, target: Target) -> np.ndarray:
        """Factors of the groups' mean diffs: -1 for hits, shares that sum to 1 for misses; present (b, G) or
        (b, G, p) bool: which groups have neighbours."""
        n_groups = present.shape[1]
        if self.by_class(target):
            prior = np.bincount(target.classes, self.row_weights, n_groups) / self._size(np.arange(target.n))
            is_hit = target.classes[rows, None] == np.arange(n_groups)
        else:
            prior = np.ones(n_groups)
            is_hit = np.broadcast_to(np.arange(n_groups) == 0, (len(rows), n_groups))
        prior = np.where(is_hit, 0, prior)

        # The same for each feature, where groups that have neighbours differ by the feature
        shape = is_hit.shape + (1,) * (present.ndim - 2)
        prior = prior.reshape(shape)
        is_hit = is_hit.reshape(shape)
        share = np.where(present, prior, 0)
        total = share.sum(axis=1, keepdims=True)
        return np.where(is_hit, np.where(present, -1.0, 0.0), share / np.where(total > 0, total, 1))

    def channels(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        """Weights (2, b, G, k): shares of the misses, and less those of the hits."""
        signs = self.signs(neighbours.present, neighbours.rows, target)
        of_groups = np.array([np.maximum(signs, 0), np.minimum(signs, 0)])
        return cast("np.ndarray", of_groups[:, :, :, None] * neighbours.shares)

    def totals(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        """Numbers (2,) of rows that have misses, and hits; none (0,) if rows without any count as 0."""
        if not self.drop_empty:
            return np.empty(0)
        of_rows = np.ones(len(neighbours.rows)) if self.row_weights is None else self.row_weights[neighbours.rows]
        signs = self.signs(neighbours.present, neighbours.rows, target)
        has_misses = (signs > 0).any(axis=1)
        has_hits = (signs < 0).any(axis=1)
        return np.array([of_rows[has_misses].sum(), of_rows[has_hits].sum()])

    def factors(self, totals: np.ndarray, m: int) -> np.ndarray:
        """Shares (2, ...) of a row in the means over the rows that count."""
        if not self.drop_empty:
            return np.full(2, 1 / self._size(np.arange(m)))
        return cast("np.ndarray", 1 / np.where(totals > 0, totals, 1))

    def from_means(self, neighbours: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        """Sums (2, p) of mean diffs to misses and, with a minus, to hits; numbers (2, p) of rows that have them.

        Means are NaN where nothing is observed.  Rows with weights are summed, and counted, by these.
        """
        diffs = means.diffs(neighbours)
        signs = self.signs(~np.isnan(diffs), neighbours.rows, target)
        diffs = np.nan_to_num(diffs)
        of_rows = np.ones(len(neighbours.rows)) if self.row_weights is None else self.row_weights[neighbours.rows]
        diffs *= of_rows[:, None, None]
        sums = []
        counts = []
        for of_groups in (np.maximum(signs, 0), np.minimum(signs, 0)):
            sums.append((of_groups * diffs).sum(axis=(0, 1)))
            if self.drop_empty:
                has_any = (of_groups != 0).any(axis=1)
                counts.append((has_any * of_rows[:, None]).sum(axis=0))
        return np.array(sums), np.array(counts).reshape(-1, diffs.shape[2])


def _nearest_of_classes(
    neighbours: Neighbours, is_chosen: np.ndarray, ids: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return columns and distances (m, k) of the nearest rows of some classes, of each row's choice (m, G) bool."""
    m = len(neighbours.rows)
    distances = np.where(is_chosen[:, :, None], neighbours.distances, np.inf).reshape(m, -1)
    cols = np.where(is_chosen[:, :, None], neighbours.cols, -1).reshape(m, -1)
    order = np.lexsort((ids[cols], distances), axis=1)[:, :k]
    return np.take_along_axis(cols, order, axis=1), np.take_along_axis(distances, order, axis=1)


@dataclass(frozen=True)
class SignedPairs(HitMiss):
    """Mean over the rows of the sum of diffs times weights that are above 0 for misses, and below 0 for hits.

    For neighbourhoods that share one normaliser among hits and misses.
    """

    scheme: str = "E"
    drop_empty: bool = False

    requires = frozenset({SIGNED_WEIGHTS})
    n_channels = 1
    is_linear_in_shares = False  # weights of cut lists would need another normaliser

    def offers(self, task: str) -> frozenset[str]:
        offered = super().offers(task)
        return offered | {ONE_SUM} if offered else offered

    def channels(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        return neighbours.shares[None]

    def factors(self, totals: np.ndarray, m: int) -> np.ndarray:
        return np.array([1 / self._size(np.arange(m))])

    def from_means(self, neighbours: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        diffs = np.nan_to_num(means.diffs(neighbours))
        return diffs.sum(axis=(0, 1))[None], np.empty((0, diffs.shape[2]))


@dataclass(frozen=True)
class AboveMean(HitMiss):
    """`HitMiss` on what a diff is above the mean diff of all other features of the pair (ReliefMSS).

    With d the distance of a pair and p features, max(0, diff - (d - diff) / (p - 1)) stands for the diff; of a single
    feature the diff itself.  Where missing values are ignored, p and d are of the features that a pair shares.  Scores
    stay within [-1, 1].

    Chikhi and Benhammada (2009), ReliefMSS.
    """

    requires = frozenset({LISTS})
    above_mean = True
    is_linear_in_shares = False  # a diff counts above a limit of its pair
    is_linear_in_diffs = False


@dataclass(frozen=True)
class SharedFeatures(HitMiss):
    """`HitMiss` whose neighbours count the more, the more features they share with the row (EReliefF).

    Where pairs that lack a feature are ignored; without missing values all neighbours count alike.  A reconstruction
    from the abstract: the paper could not be read.

    Park and Kwon (2007), extended ReliefF.
    """

    requires = frozenset({LISTS})
    is_linear_in_diffs = False  # weights depend on the features that a pair shares

    def from_means(self, neighbours: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        """Sums and numbers as those of `HitMiss`, of means weighted by the numbers of shared features."""
        missing = cast("RowMeans", means).features.missing
        if missing is not None and missing.ignore:
            neighbours = replace(
                neighbours, weights=neighbours.weights * missing.count_shared(neighbours.rows, neighbours.cols)
            )
        return super().from_means(neighbours, means, target)
