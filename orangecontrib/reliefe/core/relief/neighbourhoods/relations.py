"""Relations of pairs of rows by the target: in which group of neighbours of a row another row is.

An update makes the relation of its target (`Update.relation`).  Neighbourhoods read it when they weigh pairs, because
they know neither updates nor targets.  Its type says which groups there are:

- `OneGroup`: all neighbours are alike, as those of `Probability`;
- `ProductRelation`: all neighbours are one group, and a pair weighs a product, as those of `ResidualProducts`;
- `ClassGroups`: the group of a neighbour is its class, as those of Relief-F;
- `HitsAndMisses`: two groups, which depend on both rows, as those of Relief-E and of numeric targets.

Rows i and j have classes 2 and 0.  Among the neighbours of row i, row j is in group 0 by `ClassGroups`, and in group 1
(misses) by `HitsAndMisses`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ...targets.targets import MissRule
from ..formats.distance import TileBounds

# From the groups in which rows (b,) have neighbours, (b, G) bool, and these rows to the factors (b, G) of the mean
# diffs to the groups: negative for hits, positive for misses
Signs: TypeAlias = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Relation:
    """Groups that the neighbours of a row fall into, numbered from 0."""

    @property
    def n_groups(self) -> int:
        """Number of groups, G."""
        raise NotImplementedError

    def groups(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Return the group of the row `cols` among the neighbours of the row `rows`: int arrays that broadcast."""
        raise NotImplementedError


@dataclass(frozen=True)
class OneGroup(Relation):
    """All neighbours of a row are one group."""

    n_groups = 1

    def groups(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        return np.zeros(np.broadcast_shapes(np.shape(rows), np.shape(cols)), np.uint8)


@dataclass(frozen=True)
class ProductRelation(OneGroup):
    """One group, in which row j within the threshold of row i weighs ``left[:, i] @ right[:, j]`` for row i.

    Attributes
    ----------
    right : (q, n) float64 array
        Numbers of the neighbours; the last line is 1.
    left : callable
        Sums (q, n) of `right` over the neighbours of each row -> numbers (q, n) of the rows.
    """

    right: np.ndarray
    left: Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class SignedGroups(Relation):
    """Groups whose mean diffs the update gives a sign."""

    signs: Signs


@dataclass(frozen=True)
class ClassGroups(SignedGroups):
    """The group of a neighbour is its class, in which neighbours are searched, too (`RowPairs.groups`)."""

    classes: np.ndarray  # (n,) int, from 0

    @property
    def n_groups(self) -> int:
        return int(self.classes.max()) + 1

    def groups(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        return np.broadcast_to(self.classes[cols], np.broadcast_shapes(np.shape(rows), np.shape(cols)))


@dataclass(frozen=True)
class HitsAndMisses(SignedGroups):
    """Group 0 are hits and group 1 misses: rows whose numbers differ by at least the width of the rule."""

    rule: MissRule  # numbers (n,) of the rows, and the width

    n_groups = 2

    def groups(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        return self.rule.differs(rows, cols).astype(np.uint8)

    def groups_of_tile(self, bounds: TileBounds) -> np.ndarray:
        """Return the groups (i1 - i0, j1 - j0) of the pairs of a tile (i0, i1, j0, j1)."""
        i0, i1, j0, j1 = bounds
        return self.groups(np.arange(i0, i1)[:, None], np.arange(j0, j1))
