"""Neighbourhoods of the k nearest rows of every group, as ReliefF has them.

`methods/relief_family.py` makes a `KNearest`, and `scoring.py` asks it for lists of neighbours. `search.py` fills the
lists.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from ...kernels.jit import kernel
from ...work.threads import PARTS
from ..formats.lists import Neighbours, chosen
from ..formats.steps import KEYS
from .base import EQUAL_WEIGHTS, GROUPS, GROUPS_BEFORE_SEARCH, LISTS, ListBlock, ListBlocks, Neighbourhood, Produces
from .by_weight import NearestByWeight
from .relations import HitsAndMisses, Relation
from .row_pairs import STRIP, RowPairs
from .search import HALF, NOBODY, ROW_BITS, KeyLists, offer_pairs, strips_of_steps
from .settling import ListPurpose, fill_lists, settle_lists

# Share of rows with lists to be searched again below which this is done here, not by the workers of a cluster
FEW_TIED = 0.02
SPARE_PLACES = 4  # places of a list behind the k-th, for rows that steps cannot tell from it
SPARE_PLACES_OF_MANY_FEATURES = 8  # the same with more features than rows: then a further search would cost more
SPARE_TIES = 6  # places of a list behind the k-th, for rows that are as near
# Ties of rows at the k-th distance
INDEX = "index"
AVERAGE = "average"


@dataclass(frozen=True)
class KNearest(Neighbourhood):
    """The k nearest rows of every group.

    How ties at the k-th distance are broken decides the way to the lists:

        INDEX      `find`: all pairs are offered to lists of keys (`offer_pairs`), which `read_lists` turns into
                   neighbours.  A key is a distance in steps and the id of a row, in one number
        AVERAGE    `list_blocks`: lists that are a little longer than k, where all ties end within them; `_tied_blocks`,
                   which looks at all distances of a row, where they do not, or where groups differ from row to row

    Lists that are filled in several steps (`growing_lists.py`, `influence.py`) are read by `read_lists`, too.

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
        return pairs.m * pairs.n if self.ties == AVERAGE else pairs.n_pairs

    def weigh(self, neighbours: Neighbours) -> Neighbours:
        return neighbours.weigh(self.sigma)

    def list_blocks(self, pairs: RowPairs, relation: Relation) -> ListBlocks:
        """Lists with all tied rows, some rows after another.

        Where groups are searched, rows whose ties end within a few places behind the k-th need no look at all
        distances.
        """
        if isinstance(relation, HitsAndMisses):
            return partial(self._tied_blocks, pairs, relation)
        list_length = self.n_neighbors + SPARE_TIES
        found_lists = replace(self, n_neighbors=list_length, ties=INDEX).find(pairs, ordered=True)
        shared = share_places(found_lists, self.n_neighbors, list_length)
        is_complete = shared.is_complete

        def blocks_of_part(part: int) -> Iterator[ListBlock]:
            for i0 in range(part * STRIP, pairs.m, PARTS * STRIP):
                rows = np.arange(i0, min(i0 + STRIP, pairs.m))
                if is_complete[rows].any():
                    yield ListBlock(1.0, shared.neighbours[rows[is_complete[rows]]])
            # Of the other rows all distances are looked at
            for block in self._tied_blocks(pairs, relation, part, ~is_complete):
                yield ListBlock(block.factor, block.neighbours[~is_complete[block.neighbours.rows]])

        return blocks_of_part

    def find(self, pairs: RowPairs, ordered: bool = False) -> Neighbours:
        """Search for the lists of all target rows; ordered: with exact distances, in their order."""
        key_lists = KeyLists.empty(pairs.n_groups, pairs.m, self.list_length(pairs))
        offer_pairs(pairs, 0, key_lists, self.n_neighbors)
        return self.trimmed(self.read_lists(pairs, key_lists.of_rows(0, pairs.m), ordered))

    def list_length(self, pairs: RowPairs) -> int:
        """Length of the lists that pairs are offered to: insertion moves KEYS places at once."""
        if pairs.distance.steps.without_error:
            return min(self.n_neighbors, pairs.n - 1)
        spare = SPARE_PLACES_OF_MANY_FEATURES if pairs.p > pairs.n else SPARE_PLACES
        return min(-(-(self.n_neighbors + spare) // KEYS) * KEYS, pairs.n - 1)

    def read_lists(self, pairs: RowPairs, keys: np.ndarray, ordered: bool, first: int = 0) -> Neighbours:
        """Read the neighbours of the rows from `first` on, by keys (G, b, list_length) that all pairs were offered to.

        ordered : as of `find`
        """
        rows = first + np.arange(keys.shape[1])
        purpose = self._purpose(ordered)
        distances, cols = _decode(pairs, keys)
        self._settle(pairs, distances, cols, first, purpose)
        cols = np.ascontiguousarray(cols[:, :, : self.n_neighbors])
        distances = np.ascontiguousarray(distances[:, :, : self.n_neighbors])
        neighbours = Neighbours(rows, cols, distances)
        return sort_by_id(neighbours, pairs.ids) if purpose == ListPurpose.MEMBERS else neighbours

    def _purpose(self, ordered: bool) -> ListPurpose:
        """Return what lists are settled for: distances if `ordered`, ranks if these make weights differ, or members."""
        if ordered:
            return ListPurpose.DISTANCES
        return ListPurpose.MEMBERS if self.sigma is None else ListPurpose.RANKS

    def _settle(
        self, pairs: RowPairs, distances: np.ndarray, cols: np.ndarray, first: int, purpose: ListPurpose
    ) -> None:
        """Put lists (b, G, list_length) of the rows from `first` on in order, in place, where steps leave it open."""
        steps = pairs.distance.steps
        if steps.without_error:
            return
        has_room_for_all = cols.shape[2] >= pairs.n - 1
        if not has_room_for_all:
            self._search_again(pairs, distances, cols, first)
        rows = first + np.arange(len(cols))
        settle_lists(pairs.exact, steps, (distances, cols), self.n_neighbors, purpose, rows, pairs.ids)

    @staticmethod
    def trimmed(neighbours: Neighbours) -> Neighbours:
        """Cut lists behind the last place that any row fills."""
        longest = max(int((neighbours.cols >= 0).any(axis=(0, 1)).sum()), 1)
        if longest == neighbours.cols.shape[2]:
            return neighbours
        cols = np.ascontiguousarray(neighbours.cols[:, :, :longest])
        return Neighbours(neighbours.rows, cols, np.ascontiguousarray(neighbours.distances[:, :, :longest]))

    def _search_again(self, pairs: RowPairs, distances: np.ndarray, cols: np.ndarray, first: int) -> None:
        """Search again where more rows than a list has places for are as near as the k-th.

        Parameters
        ----------
        pairs : RowPairs
            Rows of the run.
        distances, cols : (b, G, list_length) arrays
            Lists of the rows from `first` on, by steps; changed in place.
        first : int
            A multiple of PANEL.
        """
        limits = pairs.distance.steps.beyond(distances[:, :, self.n_neighbors - 1])
        last_distances = distances[:, :, -1]
        is_tied = np.isfinite(last_distances) & (last_distances <= limits)
        if not is_tied.any():
            return
        limits = np.where(is_tied, limits, -1.0)
        has_tie = np.zeros(pairs.m, bool)
        has_tie[first : first + len(distances)] = np.any(is_tied, axis=1)
        pairs.work.plan(has_tie.sum() * pairs.n)

        def search(part: int) -> list[RefilledLists]:
            refilled = []
            for strip, rows in strips_of_steps(pairs, part, has_tie):
                indices = rows - first
                shape = (len(rows), *distances.shape[1:])
                lists = fill_lists(pairs.exact, (strip, rows), limits[indices], pairs.groups, pairs.ids, shape)
                refilled.append(RefilledLists(indices, *lists))
            return refilled

        def replace_tied(_: int, refilled: list[RefilledLists]) -> None:
            for lists in refilled:
                tied = is_tied[lists.indices, :, None]
                distances[lists.indices] = np.where(tied, lists.distances, distances[lists.indices])
                cols[lists.indices] = np.where(tied, lists.cols, cols[lists.indices])

        is_rare = has_tie.mean() < FEW_TIED  # not worth sending the data in double precision
        (pairs.work.here if is_rare else pairs.work).deliver(search, range(PARTS), replace_tied)

    def _tied_blocks(
        self, pairs: RowPairs, relation: Relation, part: int, is_needed: np.ndarray | None = None
    ) -> Iterator[ListBlock]:
        """Yield all rows within the k-th smallest distance; those at that distance share the places that are left.

        is_needed (m,) bool: strips without any such row are left out.
        """
        k = min(self.n_neighbors, pairs.n - 1)
        for distances, rows in pairs.exact_strips(part, is_needed):
            groups = relation.groups(rows[:, None], np.arange(pairs.n))
            weights = np.zeros((len(rows), relation.n_groups, pairs.n))
            for g in range(relation.n_groups):
                d = np.where(groups == g, distances, np.inf)
                limit = np.partition(d, k - 1, axis=1)[:, k - 1 : k]
                weights[:, g] = tie_weights((d < limit) & np.isfinite(d), (d == limit) & np.isfinite(d), k)
            yield ListBlock(1.0, chosen(rows, weights, distances))


class RefilledLists(NamedTuple):
    """Lists of some rows after a further search.

    Attributes
    ----------
    indices : (b,) int array
        Which rows they are, of those whose lists are made.
    distances, cols : (b, G, list_length) arrays
        The lists.
    """

    indices: np.ndarray
    distances: np.ndarray
    cols: np.ndarray


def _decode(pairs: RowPairs, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distances by steps, and the columns, (b, G, list_length) each, of keys (G, b, list_length).

    The upper half of a key is a distance in steps, the lower one the id of a row in the caller's order.
    """
    row_of_id = np.append(np.argsort(pairs.ids), -1).astype(np.int32)  # the last one is that of NOBODY
    keys_by_row = np.ascontiguousarray(keys.transpose(1, 0, 2))
    key_ids = (keys_by_row & ROW_BITS).astype(np.int64)
    cols = row_of_id[np.minimum(key_ids, pairs.n)]
    distances = (keys_by_row >> HALF) / pairs.distance.steps.per_unit
    distances[key_ids == NOBODY] = np.inf
    return distances, cols


def tie_weights(is_closer: np.ndarray, is_tied: np.ndarray, k: int) -> np.ndarray:
    """Return weights by which rows at the k-th distance share the places that closer rows leave of k.

    A closer row weighs 1, a tied one (k - number of closer rows) / number of tied rows, any other 0.

    Parameters
    ----------
    is_closer, is_tied : (..., n) bool arrays
        Rows nearer than the k-th distance, and those at it.
    k : int
        Places.
    """
    n_left = k - is_closer.sum(axis=-1, keepdims=True)
    n_tied = is_tied.sum(axis=-1, keepdims=True)
    return np.asarray(is_closer + is_tied * n_left / np.maximum(n_tied, 1))


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
    is_tied = is_there & (d == limit)
    weights = tie_weights(is_there & (d < limit), is_tied, k)
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
