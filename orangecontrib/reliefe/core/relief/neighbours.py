"""The k nearest rows of every group."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..jit import kernel
from ..parallel import PARTS
from .composition import EQUAL_WEIGHTS, GROUPS, GROUPS_BEFORE_SEARCH, LISTS
from .double_precision import SPARE_PLACES, DoublePrecision, round_distances
from .lists import Neighbours, chosen
from .neighbourhood import ALL_LISTS, BLOCKS, Blocks, Neighbourhood
from .pairs import Pairs
from .relation import Relation
from .sweep import STRIP, Locks

NOBODY = np.iinfo(np.int32).max  # no row
SPARE_TIES = 6  # places of a list behind the k-th, for rows that are as near
SKIPPED_AT_ONCE = 64  # distances that are passed over together when none of them can enter a list
INDEX, AVERAGE = TIES = ("index", "average")


@dataclass(frozen=True)
class KNearest(Neighbourhood):
    """The k nearest rows of every group.

    Parameters
    ----------
    n_neighbors : int
        k, at least 1.
    sigma : float, optional
        Weights exp(-(rank / sigma)^2), above 0; None: equal ones.
    ties : {"index", "average"}
        Of rows at the k-th distance the first, or all of them, with equal shares of the places that are left.
    """

    n_neighbors: int = 10
    sigma: float | None = None
    ties: str = INDEX

    @property
    def form(self) -> str:
        """Lists of all targets, but for tied rows, whose number is not known before."""
        return ALL_LISTS if self.ties == INDEX else BLOCKS

    @property
    def has_grid(self) -> bool:
        """Lists can be cut where they have as many places as are asked for."""
        return self.ties == INDEX

    @property
    def requires(self) -> frozenset[str]:
        """Groups, which the search for all lists must know before."""
        return frozenset({GROUPS, GROUPS_BEFORE_SEARCH} if self.ties == INDEX else {GROUPS})

    @property
    def offers(self) -> frozenset[str]:
        """Lists, and equal weights unless ranks or ties make them differ."""
        return frozenset({LISTS} if self.sigma is not None or self.ties == AVERAGE else {LISTS, EQUAL_WEIGHTS})

    def plan(self, pairs: Pairs, row_wise: bool) -> float:
        """Number of pairs that will be looked at."""
        return pairs.m * pairs.n if self.ties == AVERAGE else pairs.sweep.pairs

    def weigh(self, near: Neighbours) -> Neighbours:
        """Lists with weights by rank, or equal ones."""
        return near.weigh(self.sigma)

    def blocks(self, pairs: Pairs, relation: Relation) -> Blocks:
        """Lists with all tied rows, some rows after another.

        Where groups are searched, rows whose ties end within a few places behind the k-th need no look at all
        distances.
        """
        if not relation.by_class:
            return partial(self._tied, pairs, relation)
        k = self.n_neighbors + SPARE_TIES
        near = replace(self, n_neighbors=k, ties=INDEX).find(pairs, ordered=True)
        near, settled = share_places(near, self.n_neighbors, k)
        return partial(self._settled_or_tied, pairs, relation, near, settled)

    def find(self, pairs: Pairs, ordered: bool = False) -> Neighbours:
        """Neighbours of all m targets in every group, not weighed.

        A list is the k smallest (distance, row): the same whoever builds it and in whatever order tiles come, so all
        workers fill the same lists, a block of rows at a time.

        Parameters
        ----------
        pairs : Pairs
            The rows.
        ordered : bool
            Whether the order within a list matters, or its distances do, as where lists are cut.
        """
        lists, step = self.empty(pairs, pairs.m), pairs.distance.shape[0]
        locks, strips = Locks(pairs.n, step), iter(list(pairs.sweep.pieces(pairs.distance)))
        pairs.work.map(lambda _: self._fill(pairs, strips, locks, lists), range(pairs.work.workers))
        return self.trimmed(self.listed(pairs, lists, ordered))

    def empty(self, pairs: Pairs, m: int) -> tuple[np.ndarray, np.ndarray]:
        """Distances and ids (G, m, room) of lists of nobody."""
        room = min(self.n_neighbors + (SPARE_PLACES if pairs.double else 0), pairs.n - 1)
        shape = pairs.n_groups, m, room
        return np.full(shape, np.inf), np.full(shape, NOBODY, np.int32)

    def listed(self, pairs: Pairs, lists: tuple[np.ndarray, np.ndarray], ordered: bool, first: int = 0) -> Neighbours:
        """Neighbours of the rows from `first` on, by lists (G, b, room) of them that all pairs were offered to."""
        double, room = pairs.double, lists[0].shape[2]
        place = np.append(np.argsort(pairs.ids), -1).astype(np.int32)  # of an id in the run; of NOBODY: none
        dist, cols = lists[0], place[np.minimum(lists[1], pairs.n)]
        ordered = ordered or self.sigma is not None
        if double:
            lists = dist.transpose(1, 0, 2), cols.transpose(1, 0, 2)
            if room < pairs.n - 1:
                self._search_again(pairs, double, *lists, first)
            double.settle_lists(*lists, self.n_neighbors, ordered, first)
        dist, cols = (np.ascontiguousarray(a[:, :, : self.n_neighbors].transpose(1, 0, 2)) for a in (dist, cols))
        near = Neighbours(first + np.arange(len(cols)), cols, dist)
        return by_row(near, pairs.ids) if double and not ordered else near

    @staticmethod
    def trimmed(near: Neighbours) -> Neighbours:
        """Lists without the last places, where no row has anybody there."""
        k = max(int((near.cols >= 0).any(axis=(0, 1)).sum()), 1)
        if k == near.cols.shape[2]:
            return near
        return Neighbours(near.rows, *(np.ascontiguousarray(a[:, :, :k]) for a in (near.cols, near.distances)))

    def _search_again(
        self, pairs: Pairs, double: DoublePrecision, dist: np.ndarray, cols: np.ndarray, first: int
    ) -> None:
        """Lists (b, G, k + SPARE_PLACES) of the rows from `first` on, a multiple of STRIP, anew where more rows than
        they have room for are as near as the k-th."""
        k, tied = self.n_neighbors, double.full_of_ties(dist, self.n_neighbors)
        if not tied.any():
            return
        limits = np.where(tied, double.beyond(dist[:, :, k - 1]), -1.0)
        wanted = np.zeros(pairs.m, bool)
        wanted[first : first + len(dist)] = np.any(tied, axis=1)
        pairs.work.plan(wanted.sum() * pairs.n)

        def part(number: int) -> None:
            for D, rows in pairs.strips(number, wanted):
                own = rows - first
                found = np.ascontiguousarray(dist[own]), np.ascontiguousarray(cols[own])
                double.search(D, rows, limits[own], pairs.groups, found)
                dist[own], cols[own] = found

        pairs.work.map(part, range(PARTS))

    def _fill(
        self, pairs: Pairs, strips: Iterator[tuple[int, int, int]], locks: Locks, lists: tuple[np.ndarray, np.ndarray]
    ) -> None:
        turned = np.empty(pairs.distance.shape[::-1], pairs.distance.dtype)
        for tile, where in pairs.sweep.strip_tiles(pairs.distance, strips):
            offer(pairs, tile, where, turned, locks, lists, pairs.m)

    def _settled_or_tied(
        self, pairs: Pairs, relation: Relation, near: Neighbours, settled: np.ndarray, part: int
    ) -> Iterator[tuple[float, Neighbours]]:
        """Lists of a part: those that are settled as they are, the others from whole rows of distances."""
        for i0 in range(part * STRIP, pairs.m, PARTS * STRIP):
            rows = np.arange(i0, min(i0 + STRIP, pairs.m))
            if settled[rows].any():
                yield 1.0, near[rows[settled[rows]]]
        for factor, block in self._tied(pairs, relation, part, ~settled):
            left = ~settled[block.rows]
            yield factor, block[left]

    def _tied(
        self, pairs: Pairs, relation: Relation, part: int, wanted: np.ndarray | None = None
    ) -> Iterator[tuple[float, Neighbours]]:
        """All rows within the k-th smallest distance; those at that distance share the places that are left.

        wanted (m,) bool: strips without any such row are left out.
        """
        for distances, rows in pairs.candidates(part, wanted):
            groups = relation.of(rows[:, None], np.arange(pairs.n))
            weights = np.zeros((len(rows), relation.n_groups, pairs.n))
            for g in range(relation.n_groups):
                d = np.where(groups == g, distances, np.inf)
                k = min(self.n_neighbors, pairs.n - 1)
                last = np.partition(d, k - 1, axis=1)[:, k - 1 : k]
                if pairs.double:
                    pairs.double.settle_band(d, rows, last)
                    last = np.partition(d, k - 1, axis=1)[:, k - 1 : k]
                inside, tied = (d < last) & np.isfinite(d), (d == last) & np.isfinite(d)
                left = k - inside.sum(axis=1, keepdims=True)
                weights[:, g] = inside + tied * left / np.maximum(tied.sum(axis=1, keepdims=True), 1)
            yield 1.0, chosen(rows, weights, distances)


def offer(
    pairs: Pairs,
    tile: np.ndarray,
    where: tuple[int, int, int, int],
    turned: np.ndarray,
    locks: Locks,
    lists: tuple[np.ndarray, np.ndarray],
    m: int,
) -> None:
    """Offer the pairs of a tile to the lists (G, >= m, room) of its rows, and of its columns among the first m rows.

    turned: room for the tile with rows and columns exchanged.
    """
    (i0, i1, j0, j1), rows = where, (pairs.groups, pairs.ends, pairs.ids)
    round_distances(tile[: i1 - i0], pairs.digits)
    for a0, a1 in locks.blocks(i0, i1):
        with locks.of(a0):
            _keep_nearest(tile, (a0, a1, j0, j1), i0, True, rows, lists)
    if j0 < m:
        _transpose(tile, turned, i1 - i0, j1 - j0)
        for a0, a1 in locks.blocks(max(j0, i0), min(j1, m)):
            with locks.of(a0):
                _keep_nearest(turned, (a0, a1, i0, i1), j0, False, rows, lists)


def share_places(near: Neighbours, k: int, room: int) -> tuple[Neighbours, np.ndarray]:
    """Lists (m, G, <= room), sorted by distance, in which rows at the k-th distance share the places that are left.

    Returns the lists with weights, and (m,) bool: rows in whose lists there may not be more rows at that distance.
    """
    there, d = near.cols >= 0, near.distances
    if d.shape[2] <= k:  # no group has more rows
        return near.weigh(), np.ones(len(near.rows), bool)
    last = np.where(there[:, :, k - 1], d[:, :, k - 1], np.inf)[:, :, None]
    inside, tied = there & (d < last), there & (d == last)
    left = k - inside.sum(axis=2, keepdims=True)
    weights = inside + tied * left / np.maximum(tied.sum(axis=2, keepdims=True), 1)
    settled = ~tied[:, :, -1].any(axis=1) if d.shape[2] == room else np.ones(len(near.rows), bool)
    total = weights.sum(axis=2, keepdims=True)
    cols = np.where(weights > 0, near.cols, -1)
    return Neighbours(near.rows, cols, d, weights / np.where(total > 0, total, 1)), settled


@kernel
def _keep_nearest(D, where, top, upper, rows, nearest):
    """Offer the columns of a tile to the sorted lists of rows [i0, i1): j > i of an upper tile, else j < i.

    rows: groups, ends and ids (n,); nearest: distances and ids (G, m, k) of the lists; `top` is the first row of the
    tile.
    """
    (i0, i1, j0, j1), (groups, ends, ids), (dist, lists) = where, rows, nearest
    for i in range(i0, min(i1, dist.shape[1])):
        j, last = (max(j0, i + 1), j1) if upper else (j0, min(j1, i))
        while j < last:  # a run of columns of one group
            stop = min(ends[j], last)
            x, c = dist[groups[j], i], lists[groups[j], i]
            limit = x[-1]
            for s in range(j, stop, SKIPPED_AT_ONCE):
                d = D[i - top, s - j0 : min(s + SKIPPED_AT_ONCE, stop) - j0]
                hits = 0
                for q in range(len(d)):
                    hits += d[q] <= limit
                if hits:
                    for q in range(len(d)):
                        if d[q] <= limit:
                            _insert(d[q], ids[s + q], x, c)
                            limit = x[-1]
            j = stop


def by_row(near: Neighbours, ids: np.ndarray) -> Neighbours:
    """Each list in the order of the original rows, `ids` (n,), changed in place: an order by distances that single
    precision cannot tell apart would depend on the order of features."""
    _by_row(near.distances, near.cols, np.append(ids, NOBODY))
    return near


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


@kernel
def _transpose(D, out, height, width):
    """Valid corner of D (h, w), transposed into out (w, h) in whole blocks of 16: both sides are multiples of 16."""
    for i0 in range(0, height, 16):
        for j0 in range(0, width, 16):
            for j in range(16):
                for i in range(16):
                    out[j0 + j, i0 + i] = D[i0 + i, j0 + j]


@kernel(forceinline=True)
def _insert(d, row, x, c):
    """Put (d, row) into the list x, c, sorted by both, unless it comes behind its last."""
    s = len(x)
    while s > 0 and (d < x[s - 1] or (d == x[s - 1] and row < c[s - 1])):
        s -= 1
        if s + 1 < len(x):
            x[s + 1], c[s + 1] = x[s], c[s]
    if s < len(x):
        x[s], c[s] = d, row
