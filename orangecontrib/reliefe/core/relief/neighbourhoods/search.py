"""Search for the nearest rows of every group: lists that tiles of distances in steps fill.

`KNearest` makes `KeyLists` and calls `offer_pairs`.  A list is the smallest keys (distance, row): the same in whatever
order tiles come, and on whatever thread.  So all threads fill the same lists, a block of rows at a time.  Workers of a
cluster (Dask) fill lists of their own, which are merged.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from typing import NamedTuple

import numpy as np

from ...kernels.jit import kernel
from ...work.threads import PARTS
from ..formats.distance import TileBounds
from ..formats.list_offers import ListEnd, OfferedLists, SearchedRows, Stretches
from ..formats.step_kernels import step_kernels
from ..formats.steps import HEAD, KEYS, MAX_DISTANCE, PANEL
from ..formats.tile_order import pieces
from .locks import Locks
from .row_pairs import RowPairs

NOBODY = np.iinfo(np.int32).max  # no row
HALF = np.uint64(32)  # bits of a key that are the row's; those above are the distance
ROW_BITS = np.uint64(2**32 - 1)
TASKS_PER_SLOT = 4  # tasks of a search for each that runs at a time, so that all end together
MIN_TASK_ROWS = 512  # rows of a task, at least
BYTES_PER_KEY = 8
BYTES_PER_SECOND = 1e8  # of a network, to choose the form of a search on a cluster by
STEPS_PER_SECOND = 1.6e10  # differences that a thread takes, for the same


class SearchTask(NamedTuple):
    """Pairs of rows that a worker of a cluster searches.

    Attributes
    ----------
    bounds : TileBounds
        Rows [i0, i1) against columns [j0, j1).
    stretches : list of StretchLimits
        Rows whose lists the worker fills.
    """

    bounds: TileBounds
    stretches: list["StretchLimits"]


class StretchLimits(NamedTuple):
    """Distances at the ends of the lists of some consecutive rows, beyond which no row enters them.

    Attributes
    ----------
    first : int
        First of these rows.
    limits : (G, b) int32 array
        Distances in steps.
    """

    first: int
    limits: np.ndarray


class StretchKeys(NamedTuple):
    """Lists of some consecutive rows, by a worker.

    Attributes
    ----------
    first : int
        First of these rows.
    keys : (G, b, length) array
        The lists.
    """

    first: int
    keys: np.ndarray


@dataclass(frozen=True)
class KeyLists:
    """Sorted lists of the nearest rows of every group, for some rows.

    A key is the distance in steps, times 2^32, plus the id of the row: distance 5 and row 3 are 5 * 2^32 + 3.

    Attributes
    ----------
    keys : (G, m, HEAD + length rounded up to KEYS) uint64 array
        The lists, with HEAD zeros before each.
    length : int
        Length of a list.
    """

    keys: np.ndarray
    length: int

    @classmethod
    def empty(cls, n_groups: int, n_rows: int, length: int) -> "KeyLists":
        """Return lists of nobody."""
        width = HEAD + ceil(length / KEYS) * KEYS
        keys = np.full((n_groups, n_rows, width), np.uint64(MAX_DISTANCE << 32 | NOBODY))
        keys[:, :, :HEAD] = 0
        return cls(keys, length)

    def of_rows(self, first: int, last: int) -> np.ndarray:
        """Return the keys (G, last - first, length) of some rows."""
        return self.keys[:, first:last, HEAD : HEAD + self.length]

    def limits(self, first: int, last: int) -> np.ndarray:
        """Return the distances (G, last - first) int32, in steps, above which no row enters the lists of some rows."""
        return np.asarray(self.keys[:, first:last, HEAD + self.length - 1] >> HALF, dtype=np.int32)


def offer_pairs(pairs: RowPairs, first: int, lists: KeyLists, k: int) -> None:
    """Offer the pairs i < j with first <= i < m to the lists of their rows.

    Parameters
    ----------
    pairs : RowPairs
    first : int
        First of the rows i; those before were offered already.
    lists : KeyLists
        Lists of all target rows, or of more rows; written.
    k : int
        Number of neighbours that are needed; further places are for rows that may be as near as the k-th.
    """
    if pairs.work.remote:
        _by_workers(pairs, first, lists, k)
        return
    height, width = pairs.distance.search_shape
    begin = first // height * height

    # Tiles on the diagonal first: the lists that they fill keep most other rows out
    diagonal = [(i, i // width * width) for i in range(begin, pairs.m, height)]
    off_diagonal = [
        (i, j)
        for i, start, stop in pieces(pairs.n, begin, pairs.m, height, pairs.distance.super_block)
        for j in range(max(i // width * width + width, start), min(stop, pairs.n), width)
    ]
    top = first // PANEL * PANEL
    tiles = [(max(i, top), min(i + height, pairs.m), j, min(j + width, pairs.n)) for i, j in diagonal + off_diagonal]
    limits = lists.limits(0, lists.keys.shape[1])
    _offer_tiles(pairs, tiles, (first, pairs.m), lists, limits, k)


def _offer_tiles(
    pairs: RowPairs, tiles: Iterable[TileBounds], ends: tuple[int, int], lists: KeyLists, limits: np.ndarray, k: int
) -> None:
    """Offer the pairs i < j, ends[0] <= i < ends[1], of tiles to the lists of both of their rows.

    limits (G, rows with lists) int32: distances at the ends of these lists, or -1 for rows whose lists stay.
    """
    distance = pairs.distance
    kernels = step_kernels()
    steps = distance.steps
    height, width = distance.search_shape
    totals = steps.totals

    # Arguments of the kernel
    ends_of_lists = np.full((len(lists.keys), len(totals)), -1, np.int32)
    ends_of_lists[:, : limits.shape[1]] = limits
    rows = SearchedRows(pairs.groups, pairs.ids, totals)
    stretches = stretches_of_groups(pairs.groups, len(totals))
    end = ListEnd(
        last=lists.length - 1,
        kth=min(k, lists.length) - 1,
        factor=1 + 2 * steps.relative_error,
        term=2 * steps.error * steps.per_unit + 1,  # 1 step more than the error makes up for the rounding of limits
    )
    nearest = OfferedLists(ends_of_lists, lists.keys, end)

    # One tile after another, by all threads; each locks the rows whose lists it writes to
    locks = Locks(pairs.n, height)
    waiting = iter(list(tiles))  # that threads share

    def fill(_: int) -> None:
        buffer = distance.buffer(height, width)
        for i0, i1, j0, j1 in waiting:
            pairs.work.tick()
            sums = pairs.tile_of_steps((i0, i1, j0, j1), buffer)
            for start, stop in locks.row_blocks(j0, j1):
                panels = i0 // PANEL, ceil(i1 / PANEL), start // PANEL, ceil(stop / PANEL)
                with locks.of(i0, start):
                    kernels.offer(sums[start - j0 :], panels, buffer.width, ends, rows, stretches, nearest)
            pairs.work.tick((i1 - i0) * (j1 - j0))

    pairs.work.map(fill, range(pairs.work.workers))


def stretches_of_groups(groups: np.ndarray, n_padded: int) -> Stretches:
    """Return the stretches of rows of one group within a panel, for groups (n,) of rows that panels pad to n_padded."""
    n = len(groups)
    cuts = np.union1d(np.arange(0, n, PANEL), np.flatnonzero(np.diff(groups)) + 1)
    sizes = np.diff(np.append(cuts, n))
    bits = ((1 << sizes) - 1 << cuts % PANEL).astype(np.uint64)
    return Stretches(np.searchsorted(cuts, np.arange(0, n_padded + 1, PANEL)), groups[cuts], bits)


def strips_of_steps(pairs: RowPairs, part: int, is_needed: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Visit the rows wanted, (m,) bool, of every PARTS-th panel: (distances (b, n) by steps, rows (b,))."""
    steps = pairs.distance.steps
    buffer = pairs.distance.buffer(PANEL, len(steps.totals))
    for top in range(part * PANEL, pairs.m, PARTS * PANEL):
        chosen = np.flatnonzero(is_needed[top : top + PANEL])
        if len(chosen):
            sums = pairs.tile_of_steps((top, min(top + PANEL, pairs.n), 0, pairs.n), buffer, upper=False)
            rows = top + chosen
            pairs.work.tick(len(rows) * pairs.n)
            yield steps.distances(sums.reshape(PANEL, -1)[chosen], rows, pairs.n), rows


def _by_workers(pairs: RowPairs, first: int, lists: KeyLists, k: int) -> None:
    """Offer the pairs by tasks, which workers of a cluster search apart, and merge their lists."""
    n_rows = lists.keys.shape[1]
    length = lists.length
    slots = pairs.work.slots
    shape = pairs.distance.search_shape

    # Tasks in which each pair is once, or twice if that saves more time than it costs
    task_bounds = triangle(pairs.n, (first, pairs.m), shape, slots * TASKS_PER_SLOT)
    twice = first == 0 and pairs.m == n_rows and pays_twice(pairs, length, task_bounds, slots)
    if twice:
        task_bounds = strips(pairs.n, pairs.m, shape[0], slots * TASKS_PER_SLOT)

    # Rows as workers need them: without values of features, which the distance has
    no_values = replace(pairs.features, values=np.empty((pairs.n, 0), pairs.features.values.dtype), missing=None)
    sent = RowPairs(
        features=no_values,
        groups=pairs.groups,
        ids=pairs.ids,
        m=pairs.m,
        distance=pairs.distance,
        work=pairs.work,
        double=pairs.double.without_data() if pairs.double else None,
        subjects=pairs.subjects,
        row_weights=pairs.row_weights,
    )

    def search(task: SearchTask) -> list[StretchKeys]:
        return _search(sent, task, (n_rows, length, k), twice)

    def merge(_: int, results: list[StretchKeys]) -> None:
        for start, keys in results:
            _merge(keys, start, lists.of_rows(0, n_rows))

    # First those on the diagonal: rows beyond the ends of their lists need not be offered in the others
    has_whole_rows = twice or shape[1] >= pairs.n
    on_diagonal = [] if has_whole_rows else [bounds for bounds in task_bounds if bounds[2] < bounds[1]]
    for chosen in on_diagonal, [bounds for bounds in task_bounds if bounds not in on_diagonal]:
        tasks = []
        for bounds in chosen:
            stretches = [bounds[:2]] if twice else _stretches(bounds, n_rows)
            tasks.append(SearchTask(bounds, [StretchLimits(a, lists.limits(a, b)) for a, b in stretches]))
        pairs.work.deliver(search, tasks, merge)


def triangle(n: int, ends: tuple[int, int], shape: tuple[int, int], n_tasks: int) -> list[TileBounds]:
    """Return the rows and columns of tasks that have each pair i < j, ends[0] <= i < ends[1], once.

    They are at least `n_tasks` if there are rows enough, and consist of tiles of this shape.
    """
    height, width = shape
    first, last = ends
    if width >= n:  # tiles are whole rows: of the first ones there are more pairs
        before, until = (end / n - (end / n) ** 2 / 2 for end in ends)
        share = 1 - np.sqrt(1 - 2 * np.linspace(before, until, n_tasks + 1))
        cuts = np.round(share[1:-1] * n / height).astype(int) * height
        cuts = np.unique([first, last, *cuts[(cuts > first) & (cuts < last)]]).tolist()
        return [(a, b, 0, n) for a, b in pairwise(cuts)]
    unit = int(np.lcm(height, width))
    begin = first // unit * unit
    task_bounds: list[TileBounds] = []
    for count in range(1, max((n - begin) // MIN_TASK_ROWS, 1) + 1):
        size = ceil((n - begin) / count / unit) * unit
        task_bounds = [
            (max(i, first), min(i + size, last), j, min(j + size, n))
            for i in range(begin, last, size)
            for j in range(i, n, size)
        ]
        if len(task_bounds) >= n_tasks:
            break
    return task_bounds


def strips(n: int, m: int, height: int, n_tasks: int) -> list[TileBounds]:
    """Return the rows and columns of tasks of some target rows against all rows; pairs of target rows are in two."""
    size = ceil(m / min(n_tasks, max(m // MIN_TASK_ROWS, 1)) / height) * height
    return [(i, min(i + size, m), 0, n) for i in range(0, m, size)]


def pays_twice(pairs: RowPairs, length: int, task_bounds: list[TileBounds], slots: int) -> bool:
    """True if it takes less time to measure each pair twice than to send the lists of both sides of every task.

    By the rule (bytes of the lists beyond one for each row) / 10^8 > m (n - m / 2) p / (1.6 10^10 slots), in seconds.
    Pairs of whole rows are never measured twice.
    """
    height, width = pairs.distance.search_shape
    if height != width:
        return False
    rows = sum(b - a for bounds in task_bounds for a, b in _stretches(bounds, pairs.m)) - pairs.m
    seconds = pairs.n_pairs * pairs.p / STEPS_PER_SECOND / slots
    return rows * pairs.n_groups * length * BYTES_PER_KEY / BYTES_PER_SECOND > seconds


def _stretches(bounds: TileBounds, m: int) -> list[tuple[int, int]]:
    """Return the stretches of target rows that are rows or columns of a task."""
    i0, i1, j0, j1 = bounds
    if j0 < i1:  # the rows are among the columns
        return [(i0, max(i1, min(j1, m)))]
    return [(i0, i1), *([(j0, min(j1, m))] if j0 < m else [])]


def _search(pairs: RowPairs, task: SearchTask, shape: tuple[int, int, int], twice: bool) -> list[StretchKeys]:
    """Return the lists of the rows of a task and, unless pairs are in two tasks, of its columns.

    shape: numbers of lists, of places in a list, and of neighbours that are needed.
    """
    i0, i1, j0, j1 = task.bounds
    height, width = pairs.distance.search_shape
    n_rows, length, k = shape

    # Lists of these rows alone; what is not filled is not touched, and takes no memory
    keys = np.empty((pairs.n_groups, n_rows, HEAD + ceil(length / KEYS) * KEYS), np.uint64)
    ends_of_lists = np.full((pairs.n_groups, n_rows), -1, np.int32)
    for a, limits in task.stretches:
        b = a + limits.shape[1]
        keys[:, a:b, :HEAD] = 0
        keys[:, a:b, HEAD:] = (limits[:, :, None].astype(np.uint64) << HALF) | np.uint64(NOBODY)
        ends_of_lists[:, a:b] = limits
    lists = KeyLists(keys, length)

    # Tiles with any pair i < j of the task; if pairs are in two tasks, also those above its rows
    top = 0 if twice else i0 // PANEL * PANEL
    rows = range(0 if twice else i0 // height * height, i1, height)
    columns = range(0, j1, width)
    tiles = [
        (max(i, top), min(i + height, i1), j, min(j + width, j1))
        for i in rows
        for j in columns
        if j + width > max(i, j0) and (not twice or i + height > i0 or (j < i1 and j + width > i0))
    ]
    _offer_tiles(pairs, tiles, (0 if twice else i0, i1), lists, ends_of_lists, k)
    return [StretchKeys(a, lists.of_rows(a, a + limits.shape[1]).copy()) for a, limits in task.stretches]


@kernel
def _merge(keys, start, lists):
    """Merge sorted keys (G, b, k) of the rows from `start` on with the lists (G, m, k) of all rows: the k smallest."""
    k = lists.shape[2]
    merged = np.empty(k, np.uint64)
    for g in range(keys.shape[0]):
        for i in range(keys.shape[1]):
            kept_keys = lists[g, start + i]
            new_keys = keys[g, i]
            if new_keys[0] >= kept_keys[k - 1]:
                continue
            p = 0
            q = 0
            for s in range(k):
                if new_keys[q] < kept_keys[p]:
                    merged[s] = new_keys[q]
                    q += 1
                else:
                    merged[s] = kept_keys[p]
                    p += 1
            kept_keys[:] = merged
