"""The contract of updates, which give pairs of neighbours their weights in the scores.

A run asks its update for weights of pairs (`scoring.py`), for sums of channels (`channel_sums.py`), and for its
relation, which neighbourhoods read (`neighbourhoods/relations.py`).
"""

from collections.abc import Sequence
from typing import Any, Protocol, cast

import numpy as np

from ...targets.targets import Target
from ..formats.lists import Neighbours
from ..neighbourhoods.base import GROUPS, GROUPS_BEFORE_SEARCH
from ..neighbourhoods.relations import OneGroup, Relation


class Means(Protocol):
    """Means over the neighbours of a row, feature by feature."""

    def diffs(self, neighbours: Neighbours) -> np.ndarray:
        """Weighted mean diffs (b, G, p) to the neighbours; NaN where no pair is observed."""

    def with_target(self, neighbours: Neighbours, t: np.ndarray) -> np.ndarray:
        """Weighted means (3, b, G, p) of diff, t * diff and t over the observed pairs; t (b, G, k): target diffs."""


class Update:
    """Meaning of the neighbours of a row for the scores; by default they are one group.

    The score of a feature is a sum over a few channels c,

        score_f = sum_c factor_c * sum over pairs (i, j) of w_c(i, j) * diff_f(i, j),

    with weights w_c of the pairs (`channels`) and factors that depend on sums over all rows (`totals`, `factors`), but
    on no feature, unless missing values are ignored.  So a new update states its formula once: how much a pair weighs,
    and what the sums mean.
    """

    requires: frozenset[str] = frozenset()  # what it needs of a neighbourhood; see `check_fit`
    n_channels: int
    # True: the totals are numbers of rows, so that scores are means over rows; False: scores are quotients of sums.
    # Errors of means follow from single rows, and their totals do not depend on the number of neighbours
    is_mean_over_rows = False
    # True: each weight of a channel is proportional to the share of its neighbour, so that lists can be cut anywhere
    is_linear_in_shares = False
    # True: scores are sums over pairs of weights, which no feature changes, times diffs
    is_linear_in_diffs = True
    # True: a diff counts by what it is above the mean diff of its pair, which only sums of their own can tell
    # (`formats.excess`): the run chooses these before there are pairs
    above_mean = False
    # True: targets become residuals before the run begins, since the update compares these only
    only_residuals = False

    def offers(self, task: str) -> frozenset[str]:
        """Properties that neighbourhoods may rely on for a kind of target; see `check_fit`."""
        return frozenset({GROUPS, GROUPS_BEFORE_SEARCH})

    def weighted(self, row_weights: np.ndarray) -> "Update":
        """Return the update for rows with weights (n,) in run order, to which those of their lists sum."""
        return self

    def by_class(self, target: Target) -> bool:
        """True if the groups are the classes."""
        return False

    def relation(self, target: Target) -> Relation:
        """The part of the update and a target that neighbourhoods see."""
        return OneGroup()

    def search_groups(self, target: Target) -> np.ndarray | None:
        """The classes (n,), if k neighbours are searched in each, or None: in all rows."""
        return None

    def regroup(self, neighbours: Neighbours, target: Target, ids: np.ndarray, k: int) -> Neighbours:
        """Lists by class -> lists of up to k by the groups of this update; ties go to the lower of `ids` (n,)."""
        return neighbours

    def channels(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        """Weights (C, b, G, k) of the pairs of some target rows, whose lists have shares, in each channel."""
        raise NotImplementedError

    def totals(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        """Numbers (s,) of some target rows, which are summed over all of them."""
        raise NotImplementedError

    def factors(self, totals: np.ndarray, m: int) -> np.ndarray:
        """Factors (C, ...) of the channels' sums in the scores, from the totals (s, ...) of all m target rows.

        Where missing values are ignored, totals are of each feature: (s, p).
        """
        raise NotImplementedError

    def from_means(self, neighbours: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        """Sums (C, p) of the channels and totals (s, p) of some target rows, from means row by row and feature by
        feature, over the pairs in which the feature is known."""
        raise NotImplementedError

    def scores(self, sums: np.ndarray, totals: np.ndarray, m: int) -> np.ndarray:
        """Scores (p,) from the channels' sums (C, p) and the totals (s,) or (s, p) of all m target rows."""
        factors = self.factors(totals, m)
        return cast("np.ndarray", (factors.reshape(len(sums), -1) * sums).sum(axis=0))

    def pair_weights(self, neighbours: Neighbours, target: Target, m: int) -> np.ndarray:
        """Weights (m, G, k) of the pairs in the scores, all channels together, by lists of all m target rows."""
        factors = self.factors(self.totals(neighbours, target), m)
        return cast("np.ndarray", np.tensordot(factors, self.channels(neighbours, target), axes=1))

    @staticmethod
    def differences(neighbours: Neighbours, target: Target) -> np.ndarray:
        """Target diffs (b, 1, k) of the pairs of one group; finite where there is no neighbour, which may be infinitely
        far."""
        distances = (
            np.where(neighbours.cols >= 0, neighbours.distances, 0) if target.by_distance else neighbours.distances
        )
        return target.difference(neighbours.rows[:, None, None], neighbours.cols, distances)

    def parts(self) -> tuple["Update", "Update"] | None:
        """Both parts alone, where these have to be balanced before scores are made; None: there is one part."""
        return None

    def balanced(self, moments: Any, sums: Sequence[Any]) -> "Update":
        """Update of both parts by the moments of diffs and sums of weights of each; only where there are two."""
        raise NotImplementedError

    def skipped(self, neighbours: Neighbours, target: Target) -> np.ndarray | None:
        """Rows (b,) bool that add nothing to the scores; None: every row that has neighbours adds something."""
        return None
