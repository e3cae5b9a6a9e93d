"""The contract of updates, which give pairs of neighbours their weights in the scores."""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from ..forms.lists import Neighbours
from ..neighbourhoods.base import GROUPS, GROUPS_BEFORE_SEARCH, Relation
from ..targets.targets import Target

# Forms of scores as sums over the places of lists: means of lists, or two terms by change of the target; see `places`.
BY_LENGTH, BY_CHANGE = "length", "change"


def no_class(rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
    """Number 0 for each pair: all neighbours are one group."""
    return np.zeros(np.broadcast_shapes(np.shape(rows), np.shape(cols)), np.uint8)


class Means(Protocol):
    """Means over the neighbours of a row, feature by feature."""

    def diffs(self, near: Neighbours) -> np.ndarray:
        """Weighted mean diffs (b, G, p) to the neighbours; NaN where no pair is observed."""

    def with_target(self, near: Neighbours, t: np.ndarray) -> np.ndarray:
        """Weighted means (3, b, G, p) of diff, t * diff and t over the observed pairs; t (b, G, k): target diffs."""


class Update:
    """Meaning of the neighbours of a row for the scores; by default these are one group."""

    requires: frozenset[str] = frozenset()  # what it needs of a neighbourhood; see `composition`
    needs_totals = False
    skips_rows = False
    above_mean = False
    only_residuals = False  # whether targets that are no residuals have to become residuals
    balances = False  # whether it has two parts, to be balanced before scores are made
    # BY_LENGTH or BY_CHANGE, where scores are sums over places of lists; see `places`
    place_form: ClassVar[str | None] = None
    # Of the sums of `from_means`, which are over pairs with weights, the others being numbers of pairs or rows; none:
    # scores are not made of sums to which those over other rows may be added
    over_pairs: ClassVar[tuple[bool, ...]] = ()

    def offers(self, task: str) -> frozenset[str]:
        """Properties that neighbourhoods may rely on for a kind of target; see `composition`."""
        return frozenset({GROUPS, GROUPS_BEFORE_SEARCH})

    def weighted(self, row_weights: np.ndarray) -> "Update":
        """Return the update for rows with weights (n,) in run order, to which those of their lists sum."""
        return self

    def by_class(self, target: Target) -> bool:
        """True if the groups are the classes."""
        return False

    def relation(self, target: Target) -> Relation:
        """The part of the update and a target that neighbourhoods see."""
        return Relation(1, False, no_class)

    def search_groups(self, target: Target) -> np.ndarray | None:
        """The classes (n,), if k neighbours are searched in each, or None: in all rows."""
        return None

    def regroup(self, near: Neighbours, target: Target, ids: np.ndarray, k: int) -> Neighbours:
        """Lists by class -> lists of up to k by the groups of this update; ties go to the lower of `ids` (n,)."""
        return near

    def coefficients(self, near: Neighbours, target: Target, m: int, totals: np.ndarray | None = None) -> np.ndarray:
        """Weights (b, G, k) of the pairs of some of the m targets, ready to be added up; totals: of all m targets, if
        the update needs them."""
        raise NotImplementedError

    def totals(self, near: Neighbours, target: Target) -> np.ndarray:
        """Sums over the pairs of some targets, to be added over all of them; only where the update needs them."""
        raise NotImplementedError

    @staticmethod
    def differences(near: Neighbours, target: Target) -> np.ndarray:
        """Target diffs (b, 1, k) of the pairs of one group; finite where there is no neighbour, which may be infinitely
        far."""
        distances = np.where(near.cols >= 0, near.distances, 0) if target.by_distance else near.distances
        return target.difference(near.rows[:, None, None], near.cols, distances)

    def parts(self) -> tuple["Update", "Update"]:
        """Both parts alone; only where the update balances them."""
        raise NotImplementedError

    def balanced(self, moments: Any, sums: Sequence[Any]) -> "Update":
        """Update of both parts by the moments of diffs and sums of weights of each; only where it balances them."""
        raise NotImplementedError

    def skipped(self, near: Neighbours, target: Target) -> np.ndarray:
        """Rows (b,) bool that add nothing; only where the update skips rows."""
        raise NotImplementedError

    def from_means(self, near: Neighbours, means: Means, target: Target) -> np.ndarray:
        """Sums (s, p) over some targets for `scores`, from means row by row."""
        raise NotImplementedError

    def terms(self, near: Neighbours, target: Target) -> Sequence[np.ndarray | float]:
        """Weights (b, G, k), or numbers, by which pairs of some targets make the same sums as `from_means`."""
        raise NotImplementedError

    def scores(self, totals: np.ndarray, m: int) -> np.ndarray:
        """Scores (p,) from the sums (s, p) of `from_means` over all m targets."""
        raise NotImplementedError
