"""Neighbourhoods that are lists: who is whose neighbour, and with what weight.

A neighbourhood has ``scores(run, update) -> (p,)``.  Those with a threshold instead of a list are in `zones`.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..jit import kernel
from ..parallel import PARTS
from .double_precision import SPARE, round_distances

if TYPE_CHECKING:
    from .run import Run
    from .updates import Update

NOBODY = np.iinfo(np.int32).max  # no row
CHUNK = 64  # distances that are skipped together when none of them can enter a list
BLOCK = 256  # rows whose lists one lock guards, at least


@dataclass(frozen=True)
class Neighbours:
    """Neighbours of rows (b,): cols (b, G, k), -1 where there is none, and distances, in G groups sorted by distance
    (or, in single precision, by row, where their order does not matter).

    weights (b, G, k) sum to 1 in each group that has a neighbour; a group's mean diff is the weighted mean.
    """

    rows: np.ndarray
    cols: np.ndarray
    distances: np.ndarray
    weights: np.ndarray | None = None

    def __getitem__(self, block: slice | np.ndarray) -> "Neighbours":
        return Neighbours(self.rows[block], self.cols[block], self.distances[block], self.weights[block])

    def cut(self, k: int, rows: np.ndarray | slice = slice(None)) -> "Neighbours":
        """The k nearest of each group, of some of the rows (b,), not weighed."""
        return Neighbours(self.rows[rows], self.cols[rows, :, :k], self.distances[rows, :, :k])

    @property
    def present(self) -> np.ndarray:
        """(b, G) whether a group has a neighbour."""
        return (self.cols >= 0).any(axis=2)

    def weigh(self, sigma: float | None = None) -> "Neighbours":
        """Equal weights, or exp(-(rank / sigma)^2) where equal distances share the lowest rank."""
        w = (self.cols >= 0).astype(float)
        if sigma is not None:
            ranks = np.arange(1, w.shape[2] + 1)
            fresh = np.diff(np.where(self.cols >= 0, self.distances, 0), axis=2, prepend=-1) != 0
            ranks = np.maximum.accumulate(np.where(fresh, ranks, 0), axis=2)
            # less the first exponent, which cancels: a small sigma must not make all weights 0
            w *= np.exp((1.0 - ranks**2) / sigma**2)
        total = w.sum(axis=2, keepdims=True)
        return Neighbours(self.rows, self.cols, self.distances, w / np.where(total > 0, total, 1))


@dataclass(frozen=True)
class KNearest:
    """The k nearest rows of every group; ties go to the lower row, or with ties = "average" share the last places.

    `sigma` weighs them by exp(-(rank / sigma)^2).
    """

    n_neighbors: int = 10
    sigma: float | None = None
    ties: str = "index"

    revisits = False  # asks for every tile once

    def plan(self, run: "Run") -> float:
        """Pairs that will be looked at."""
        return run.m * run.n if self.ties == "average" else run.sweep.pairs

    def scores(self, run: "Run", update: "Update") -> np.ndarray:
        if self.ties == "average":
            return run.by_blocks(lambda part: self._tied(run, part, update))
        run.lists = run.lists or self.find(run)
        near = update.regroup(run.lists, run.target, run.ids, self.n_neighbors).weigh(self.sigma)
        return run.by_lists(near)

    def find(self, run: "Run", every: bool = False) -> Neighbours:
        """Neighbours of all m targets in every group; every: also where lists are to be cut or looked into.

        A list is the k smallest (distance, row): the same whoever builds it and in whatever order tiles come, so all
        workers fill the same lists, a block of rows at a time.
        """
        room = min(self.n_neighbors + (SPARE if run.exact else 0), run.n - 1)
        shape = run.n_groups, run.m, room
        lists = np.full(shape, np.inf), np.full(shape, NOBODY, np.int32)
        starts = iter(range(0, run.m, run.distance.shape[0]))
        run.work.map(lambda _: self._fill(run, starts, *lists), range(run.work.workers))
        place = np.append(np.argsort(run.ids), -1).astype(np.int32)  # of an id in the run; of NOBODY: none
        dist, cols = lists[0], place[np.minimum(lists[1], run.n)]
        if run.exact:
            # then the order within a list matters, too, or the distances themselves do
            merged = run.n_groups > 2 and not run.update.by_class(run.target)
            every = every or self.sigma is not None or run.target.by_distance or merged
            lists = dist.transpose(1, 0, 2), cols.transpose(1, 0, 2)
            if room < run.n - 1:
                self._search_again(run, *lists)
            run.exact.settle_lists(*lists, self.n_neighbors, every)
        k = min(max(int((cols >= 0).any(axis=(0, 1)).sum()), 1), self.n_neighbors)
        dist, cols = (np.ascontiguousarray(a[:, :, :k].transpose(1, 0, 2)) for a in (dist, cols))
        if run.exact and not every:
            _by_row(dist, cols)
        return Neighbours(np.arange(run.m), cols, dist)

    def _search_again(self, run: "Run", dist: np.ndarray, cols: np.ndarray) -> None:
        """Lists (m, G, k + SPARE) anew where more rows than they have room for are as near as the k-th."""
        k, tied = self.n_neighbors, run.exact.full_of_ties(dist, self.n_neighbors)
        if not tied.any():
            return
        limits = np.where(tied, run.exact.beyond(dist[:, :, k - 1]), -1.0)
        run.work.plan(tied.any(axis=1).sum() * run.n)

        def part(number: int) -> None:
            for D, rows in run.sweep.strips(run.distance, number, PARTS, tied.any(axis=1)):
                found = np.ascontiguousarray(dist[rows]), np.ascontiguousarray(cols[rows])
                run.exact.search(D, rows, limits[rows], run.groups, found)
                dist[rows], cols[rows] = found

        run.work.map(part, range(PARTS))

    def _fill(self, run: "Run", starts: Iterator[int], dist: np.ndarray, ids: np.ndarray) -> None:
        turned = np.empty(run.distance.shape[::-1], run.distance.dtype)
        for d, (i0, i1, j0, j1) in run.sweep.strip_tiles(run.distance, starts):
            round_distances(d[: i1 - i0], run.exact is None)
            with run.locks.of(i0):
                _keep_nearest(d, i0, i1, j0, j1, i0, True, run.groups, run.ends, run.ids, dist, ids)
            if j0 < run.m:
                _transpose(d, turned, i1 - i0, j1 - j0)
                for a0, a1 in run.locks.blocks(max(j0, i0), min(j1, run.m)):
                    with run.locks.of(a0):
                        _keep_nearest(turned, a0, a1, i0, i1, j0, False, run.groups, run.ends, run.ids, dist, ids)

    def _tied(self, run: "Run", part: int, update: "Update") -> Iterator[tuple[float, Neighbours]]:
        """All rows within the k-th smallest distance; those at that distance share the places that are left."""
        for distances, rows in run.sweep.candidates(run.distance, part, PARTS, run.exact is None):
            kinds = update.relation(run.target, rows[:, None], np.arange(run.n))
            weights = np.zeros((len(rows), update.n_groups(run.target), run.n))
            for g in range(weights.shape[1]):
                d = np.where(kinds == g, distances, np.inf)
                k = min(self.n_neighbors, run.n - 1)
                last = np.partition(d, k - 1, axis=1)[:, k - 1 : k]
                if run.exact:
                    run.exact.settle_band(d, rows, last)
                    last = np.partition(d, k - 1, axis=1)[:, k - 1 : k]
                inside, tied = (d < last) & np.isfinite(d), (d == last) & np.isfinite(d)
                left = k - inside.sum(axis=1, keepdims=True)
                weights[:, g] = inside + tied * left / np.maximum(tied.sum(axis=1, keepdims=True), 1)
            yield 1.0, chosen(rows, weights, distances)


def chosen(rows: np.ndarray, weights: np.ndarray, distances: np.ndarray) -> Neighbours:
    """weights (b, G, n) of all rows -> the lists of those that weigh something; each group's sum to 1 in absolute
    value."""
    k = max(int((weights != 0).sum(axis=2).max()), 1)
    cols = np.argsort(weights == 0, axis=2, kind="stable")[:, :, :k]
    w = np.take_along_axis(weights, cols, axis=2)
    total = np.abs(w).sum(axis=2, keepdims=True)
    near = np.take_along_axis(np.broadcast_to(distances[:, None], weights.shape), cols, axis=2)
    return Neighbours(rows, np.where(w != 0, cols, -1), near, w / np.where(total > 0, total, 1))


class Locks:
    """One lock for every block of rows."""

    def __init__(self, n: int, step: int):
        self.step = -(-BLOCK // step) * step
        self._locks = [threading.Lock() for _ in range(-(-n // self.step))]

    def of(self, row: int) -> threading.Lock:
        return self._locks[row // self.step]

    def blocks(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """[start, stop) cut at the borders of blocks."""
        while start < stop:
            end = min((start // self.step + 1) * self.step, stop)
            yield start, end
            start = end


@kernel
def _keep_nearest(D, i0, i1, j0, j1, top, upper, groups, ends, ids, dist, lists):
    """Offer the columns of a tile to the sorted lists of rows [i0, i1): j > i of an upper tile, else j < i.

    dist and lists (G, m, k): distances and ids of those that are nearest; `top` is the first row of the tile.
    """
    for i in range(i0, min(i1, dist.shape[1])):
        j, last = (max(j0, i + 1), j1) if upper else (j0, min(j1, i))
        while j < last:  # a run of columns of one group
            stop = min(ends[j], last)
            x, c = dist[groups[j], i], lists[groups[j], i]
            limit = x[-1]
            for s in range(j, stop, CHUNK):
                d = D[i - top, s - j0 : min(s + CHUNK, stop) - j0]
                hits = 0
                for q in range(len(d)):
                    hits += d[q] <= limit
                if hits:
                    for q in range(len(d)):
                        if d[q] <= limit:
                            _insert(d[q], ids[s + q], x, c)
                            limit = x[-1]
            j = stop


@kernel
def _by_row(dist, cols):
    """Each list (m, G, k) in the order of its rows: an order by distances that single precision cannot tell apart would
    depend on the order of features."""
    for b in range(len(cols)):
        for g in range(cols.shape[1]):
            x, c = dist[b, g], cols[b, g]
            for q in range(1, len(c)):
                d, row, s = x[q], c[q], q
                while s > 0 and 0 <= row < c[s - 1]:
                    x[s], c[s] = x[s - 1], c[s - 1]
                    s -= 1
                x[s], c[s] = d, row


@kernel
def _transpose(D, out, height, width):
    """The valid corner of D (h, w) into out (w, h), in whole blocks of 16: both sides are multiples of 16."""
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
