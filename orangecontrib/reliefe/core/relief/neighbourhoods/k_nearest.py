"""The k nearest rows of every group."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

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
from .settling import Wanted, fill_lists, settle_lists

# Share of rows with lists to be searched again below which this is done here, not by the workers of a cluster
FEW_TIED = 0.02
# Places behind the k-th, for rows that steps cannot tell from it; with more features than rows they cost less than a
# further search
SPARE_PLACES, SPARE_PLACES_OF_MANY_FEATURES = 4, 8
SPARE_TIES = 6  # places of a list behind the k-th, for rows that are as near
INDEX, AVERAGE = "index", "average"


@dataclass(frozen=True)
class KNearest(Neighbourhood):
    """The k nearest rows of every group."""

    n_neighbors: int = 10  # k, at least 1
    sigma: float | None = None  # weights exp(-(rank / sigma)^2), above 0; None: equal ones
    # Of rows at the k-th distance the first, or all of them, with equal shares of the places that are left
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
            return partial(self._tied, pairs, relation)
        k = self.n_neighbors + SPARE_TIES
        neighbours = replace(self, n_neighbors=k, ties=INDEX).find(pairs, ordered=True)
        neighbours, settled = share_places(neighbours, self.n_neighbors, k)

        def lists(part: int) -> Iterator[ListBlock]:  # those that are not settled from whole rows
            for i0 in range(part * STRIP, pairs.m, PARTS * STRIP):
                rows = np.arange(i0, min(i0 + STRIP, pairs.m))
                if settled[rows].any():
                    yield ListBlock(1.0, neighbours[rows[settled[rows]]])
            for block in self._tied(pairs, relation, part, ~settled):
                yield ListBlock(block.factor, block.neighbours[~settled[block.neighbours.rows]])

        return lists

    def find(self, pairs: RowPairs, ordered: bool = False) -> Neighbours:
        lists = KeyLists.empty(pairs.n_groups, pairs.m, self.list_length(pairs))
        offer_pairs(pairs, 0, lists, self.n_neighbors)
        return self.trimmed(self.listed(pairs, lists.of_rows(0, pairs.m), ordered))

    def list_length(self, pairs: RowPairs) -> int:
        """Length of the lists that pairs are offered to: insertion moves KEYS places at once."""
        if pairs.distance.steps.without_error:
            return min(self.n_neighbors, pairs.n - 1)
        spare = SPARE_PLACES_OF_MANY_FEATURES if pairs.p > pairs.n else SPARE_PLACES
        return min(-(-(self.n_neighbors + spare) // KEYS) * KEYS, pairs.n - 1)

    def listed(self, pairs: RowPairs, keys: np.ndarray, ordered: bool, first: int = 0) -> Neighbours:
        """Neighbours of the rows from `first` on, by keys (G, b, list_length) that all pairs were offered to."""
        steps, rows = pairs.distance.steps, first + np.arange(keys.shape[1])
        place = np.append(np.argsort(pairs.ids), -1).astype(np.int32)  # of an id in the run; of NOBODY: none
        by_rows = np.ascontiguousarray(keys.transpose(1, 0, 2))
        ids = (by_rows & ROW_BITS).astype(np.int64)
        cols, dist = place[np.minimum(ids, pairs.n)], (by_rows >> HALF) / steps.per_unit
        dist[ids == NOBODY] = np.inf
        wanted = Wanted.DISTANCES if ordered else Wanted.RANKS if self.sigma is not None else Wanted.MEMBERS
        if not steps.without_error:
            if keys.shape[2] < pairs.n - 1:
                self._search_again(pairs, dist, cols, first)
            settle_lists(pairs.exact, steps, (dist, cols), self.n_neighbors, wanted, rows, pairs.ids)
        dist, cols = (np.ascontiguousarray(a[:, :, : self.n_neighbors]) for a in (dist, cols))
        neighbours = Neighbours(rows, cols, dist)
        return by_row(neighbours, pairs.ids) if wanted == Wanted.MEMBERS else neighbours

    @staticmethod
    def trimmed(neighbours: Neighbours) -> Neighbours:
        """Lists without the last places, where no row has anybody there."""
        k = max(int((neighbours.cols >= 0).any(axis=(0, 1)).sum()), 1)
        if k == neighbours.cols.shape[2]:
            return neighbours
        return Neighbours(
            neighbours.rows, *(np.ascontiguousarray(a[:, :, :k]) for a in (neighbours.cols, neighbours.distances))
        )

    def _search_again(self, pairs: RowPairs, dist: np.ndarray, cols: np.ndarray, first: int) -> None:
        """Search again where more rows than a list has places for are as near as the k-th: lists (b, G, list_length) of
        the rows from `first` on, a multiple of PANEL, are changed in place."""
        k = self.n_neighbors
        end = dist[:, :, -1]
        steps = pairs.distance.steps
        limits = steps.beyond(dist[:, :, k - 1])
        tied = np.isfinite(end) & (end <= limits)
        if not tied.any():
            return
        limits = np.where(tied, limits, -1.0)
        wanted = np.zeros(pairs.m, bool)
        wanted[first : first + len(dist)] = np.any(tied, axis=1)
        pairs.work.plan(wanted.sum() * pairs.n)

        def part(number: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
            out = []
            for found, rows in strips_of_steps(pairs, number, wanted):
                places, shape = rows - first, (len(rows), *dist.shape[1:])
                lists = fill_lists(pairs.exact, (found, rows), limits[places], pairs.groups, pairs.ids, shape)
                out.append((places, *lists))
            return out

        def take(_: int, found: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> None:
            for places, distances, columns in found:
                dist[places] = np.where(tied[places, :, None], distances, dist[places])
                cols[places] = np.where(tied[places, :, None], columns, cols[places])

        few = wanted.mean() < FEW_TIED  # not worth sending the data in double precision
        (pairs.work.here if few else pairs.work).deliver(part, range(PARTS), take)

    def _tied(
        self, pairs: RowPairs, relation: Relation, part: int, wanted: np.ndarray | None = None
    ) -> Iterator[ListBlock]:
        """All rows within the k-th smallest distance; those at that distance share the places that are left.

        wanted (m,) bool: strips without any such row are left out.
        """
        for distances, rows in pairs.exact_strips(part, wanted):
            groups = relation.groups(rows[:, None], np.arange(pairs.n))
            weights = np.zeros((len(rows), relation.n_groups, pairs.n))
            for g in range(relation.n_groups):
                d = np.where(groups == g, distances, np.inf)
                k = min(self.n_neighbors, pairs.n - 1)
                last = np.partition(d, k - 1, axis=1)[:, k - 1 : k]
                inside, tied = (d < last) & np.isfinite(d), (d == last) & np.isfinite(d)
                left = k - inside.sum(axis=1, keepdims=True)
                weights[:, g] = inside + tied * left / np.maximum(tied.sum(axis=1, keepdims=True), 1)
            yield ListBlock(1.0, chosen(rows, weights, distances))


def share_places(neighbours: Neighbours, k: int, list_length: int) -> tuple[Neighbours, np.ndarray]:
    """Share the places that are left of sorted lists (m, G, <= list_length) among rows at the k-th distance.

    Returns the lists with weights, and (m,) bool: rows in whose lists there may not be more rows at that distance.
    """
    there, d = neighbours.cols >= 0, neighbours.distances
    if d.shape[2] <= k:  # no group has more rows
        return neighbours.weigh(), np.ones(len(neighbours.rows), bool)
    last = np.where(there[:, :, k - 1], d[:, :, k - 1], np.inf)[:, :, None]
    inside, tied = there & (d < last), there & (d == last)
    left = k - inside.sum(axis=2, keepdims=True)
    weights = inside + tied * left / np.maximum(tied.sum(axis=2, keepdims=True), 1)
    settled = ~tied[:, :, -1].any(axis=1) if d.shape[2] == list_length else np.ones(len(neighbours.rows), bool)
    total = weights.sum(axis=2, keepdims=True)
    cols = np.where(weights > 0, neighbours.cols, -1)
    return Neighbours(neighbours.rows, cols, d, weights / np.where(total > 0, total, 1)), settled


def by_row(neighbours: Neighbours, ids: np.ndarray) -> Neighbours:
    """Each list in the order of the original rows, `ids` (n,), changed in place: an order by distances that single
    precision cannot tell apart would depend on the order of features."""
    _by_row(neighbours.distances, neighbours.cols, np.append(ids, NOBODY))
    return neighbours


@kernel
def _by_row(dist, cols, ids):
    """Lists (m, G, k) in the order of `ids`, whose last one, of nobody, is the largest."""
    for b in range(len(cols)):
        for g in range(cols.shape[1]):
            x, c = dist[b, g], cols[b, g]
            for q in range(1, len(c)):
                d, row, s = x[q], c[q], q
                while s > 0 and ids[row] < ids[c[s - 1]]:
                    x[s], c[s] = x[s - 1], c[s - 1]
                    s -= 1
                x[s], c[s] = d, row
