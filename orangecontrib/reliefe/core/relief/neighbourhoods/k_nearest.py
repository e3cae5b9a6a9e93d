"""Neighbourhoods of the k nearest rows of every group, as ReliefF has them.

`methods/relief_family.py` makes a `KNearest`, and `scoring.py` asks it for lists of neighbours. `search.py` finds them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from ...kernels.jit import kernel
from ...work.threads import PARTS
from ..formats.lists import Neighbours, chosen
from .base import EQUAL_WEIGHTS, GROUPS, GROUPS_BEFORE_SEARCH, LISTS, ListBlock, ListBlocks, Neighbourhood, Produces
from .by_weight import NearestByWeight
from .relations import HitsAndMisses, Relation
from .row_pairs import STRIP, RowPairs
from .search import NOBODY, nearest_lists
from .settling import Wanted

SPARE_TIES = 6  # places of a list behind the k-th, for rows that are as near
# Ties of rows at the k-th distance
INDEX = "index"
AVERAGE = "average"


@dataclass(frozen=True)
class KNearest(Neighbourhood):
    """The k nearest rows of every group.

    Attributes
    ----------
    n_neighbors : int
        k, at least 1.
    sigma : float, optional
        Width, above 0, of the weights exp(-(rank / sigma)^2); None: equal weights.
    ties : str
        Rows at the k-th distance: INDEX takes the first ones, AVERAGE all, with equal shares of the places left.
    """

    n_neighbors: int = 10
    sigma: float | None = None
    ties: str = INDEX

    @property
    def produces(self) -> Produces:
        """Lists of all target rows, but for tied rows, whose number is not known before."""
        return Produces.LISTS if self.ties == INDEX else Produces.LIST_BLOCKS

    @property
    def requires(self) -> frozenset[str]:
        """Groups, which the search for all lists must know before."""
        return frozenset({GROUPS, GROUPS_BEFORE_SEARCH} if self.ties == INDEX else {GROUPS})

    @property
    def offers(self) -> frozenset[str]:
        """Lists, and equal weights unless ranks or ties make them differ."""
        return frozenset({LISTS} if self.sigma is not None or self.ties == AVERAGE else {LISTS, EQUAL_WEIGHTS})

    def weighted(self) -> NearestByWeight:
        return NearestByWeight(self.n_neighbors, self.sigma)

    def plan(self, pairs: RowPairs, row_wise: bool) -> float:
        return pairs.m * pairs.n

    def weigh(self, neighbours: Neighbours) -> Neighbours:
        return neighbours.weigh(self.sigma)

    def list_blocks(self, pairs: RowPairs, relation: Relation) -> ListBlocks:
        """Lists with all tied rows, some rows after another.

        Where groups are searched, rows whose ties end within a few places behind the k-th need no look at all
        distances.
        """
        if isinstance(relation, HitsAndMisses):
            return partial(self._tied, pairs, relation)
        list_length = self.n_neighbors + SPARE_TIES
        found_lists = replace(self, n_neighbors=list_length, ties=INDEX).find(pairs, ordered=True)
        shared = share_places(found_lists, self.n_neighbors, list_length)
        is_complete = shared.is_complete

        def lists(part: int) -> Iterator[ListBlock]:
            for i0 in range(part * STRIP, pairs.m, PARTS * STRIP):
                rows = np.arange(i0, min(i0 + STRIP, pairs.m))
                if is_complete[rows].any():
                    yield ListBlock(1.0, shared.neighbours[rows[is_complete[rows]]])
            # Of the other rows all distances are looked at
            for block in self._tied(pairs, relation, part, ~is_complete):
                yield ListBlock(block.factor, block.neighbours[~is_complete[block.neighbours.rows]])

        return lists

    def find(self, pairs: RowPairs, ordered: bool = False, first: int = 0) -> Neighbours:
        """Search for the lists of the target rows from `first` on; ordered: with exact distances, in their order."""
        purpose = Wanted.MEMBERS
        if ordered:
            purpose = Wanted.DISTANCES
        elif self.sigma is not None:
            purpose = Wanted.RANKS
        neighbours = nearest_lists(pairs, self.n_neighbors, purpose, first)
        return sort_by_id(neighbours, pairs.ids) if purpose == Wanted.MEMBERS else neighbours

    def _tied(
        self, pairs: RowPairs, relation: Relation, part: int, wanted: np.ndarray | None = None
    ) -> Iterator[ListBlock]:
        """Yield all rows within the k-th smallest distance; those at that distance share the places that are left.

        wanted (m,) bool: strips without any such row are left out.
        """
        k = min(self.n_neighbors, pairs.n - 1)
        for distances, rows in pairs.exact_strips(part, wanted):
            groups = relation.groups(rows[:, None], np.arange(pairs.n))
            weights = np.zeros((len(rows), relation.n_groups, pairs.n))
            for g in range(relation.n_groups):
                d = np.where(groups == g, distances, np.inf)
                limit = np.partition(d, k - 1, axis=1)[:, k - 1 : k]
                is_inside = (d < limit) & np.isfinite(d)
                is_tied = (d == limit) & np.isfinite(d)
                n_left = k - is_inside.sum(axis=1, keepdims=True)
                weights[:, g] = is_inside + is_tied * n_left / np.maximum(is_tied.sum(axis=1, keepdims=True), 1)
            yield ListBlock(1.0, chosen(rows, weights, distances))


class SharedPlaces(NamedTuple):
    """Lists in which rows at the k-th distance share the places that are left.

    Attributes
    ----------
    neighbours : Neighbours
        Lists with weights.
    is_complete : (m,) bool array
        False where there may be more rows at that distance than a list has places for.
    """

    neighbours: Neighbours
    is_complete: np.ndarray


def share_places(neighbours: Neighbours, k: int, list_length: int) -> SharedPlaces:
    """Share the places that are left of sorted lists (m, G, <= list_length) among rows at the k-th distance."""
    is_there = neighbours.cols >= 0
    d = neighbours.distances
    all_complete = np.ones(len(neighbours.rows), bool)
    if d.shape[2] <= k:  # no group has more rows
        return SharedPlaces(neighbours.weigh(), all_complete)
    limit = np.where(is_there[:, :, k - 1], d[:, :, k - 1], np.inf)[:, :, None]
    is_inside = is_there & (d < limit)
    is_tied = is_there & (d == limit)
    n_left = k - is_inside.sum(axis=2, keepdims=True)
    weights = is_inside + is_tied * n_left / np.maximum(is_tied.sum(axis=2, keepdims=True), 1)
    is_complete = ~is_tied[:, :, -1].any(axis=1) if d.shape[2] == list_length else all_complete
    total = weights.sum(axis=2, keepdims=True)
    cols = np.where(weights > 0, neighbours.cols, -1)
    return SharedPlaces(Neighbours(neighbours.rows, cols, d, weights / np.where(total > 0, total, 1)), is_complete)


def sort_by_id(neighbours: Neighbours, ids: np.ndarray) -> Neighbours:
    """Sort each list, in place, by the ids (n,) of its rows in the caller's order.

    An order by distances that single precision cannot tell apart would depend on the order of features.
    """
    _sort_by_id(neighbours.distances, neighbours.cols, np.append(ids, NOBODY))
    return neighbours


@kernel
def _sort_by_id(distances, cols, ids):
    """Sort lists (m, G, k), in place, by the ids of their rows, by insertion.

    ids : (n + 1,), rows in the caller's order; the last one, of nobody, is the largest
    """
    for b in range(len(cols)):
        for g in range(cols.shape[1]):
            x = distances[b, g]
            c = cols[b, g]
            for q in range(1, len(c)):
                d = x[q]
                row = c[q]
                s = q
                while s > 0 and ids[row] < ids[c[s - 1]]:
                    x[s] = x[s - 1]
                    c[s] = c[s - 1]
                    s -= 1
                x[s] = d
                c[s] = row
