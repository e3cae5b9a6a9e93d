"""Search for the nearest rows of every group: lists that blocks of distances in steps fill.

A list is the k smallest keys (distance, row): the same whoever builds it and in whatever order blocks come.  So all
threads fill the same lists, a block of rows at a time; and lists that were filled apart, by workers of a cluster, are
merged.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

import numpy as np

from ...kernels.jit import kernel
from ...work.threads import PARTS
from ..formats.list_offers import ListEnd, NearestRows, SearchedRows, Stretches
from ..formats.step_kernels import step_kernels
from ..formats.steps import HEAD, KEYS, MAX_DISTANCE, PANEL
from ..formats.tile_order import pieces
from .locks import Locks
from .row_pairs import RowPairs

NOBODY = np.iinfo(np.int32).max  # no row
HALF = np.uint64(32)  # bits of a key that are the row's; those above are the distance
ROW_BITS = np.uint64(2**32 - 1)
TASKS_PER_SLOT = 4  # parts of a search for each that runs at a time, so that all end together
LEAST_ROWS = 512  # of a block that a worker of a cluster searches
BYTES_PER_KEY = 8
# Of a network, and of one thread, to choose the form of a search on a cluster by
BYTES_PER_SECOND, STEPS_PER_SECOND = 1e8, 1.6e10

Block = tuple[int, int, int, int]  # rows [i0, i1) against columns [j0, j1)
# First row, and keys (G, b, places) of the rows from there on
Part = tuple[int, np.ndarray]


@dataclass(frozen=True)
class KeyLists:
    """Sorted lists of the nearest rows of every group, for some rows: keys are the distance in steps, times 2^32, and
    the id of a row."""

    keys: np.ndarray  # (G, m, HEAD + places, rounded up to KEYS) uint64: before each list are zeros
    places: int  # of a list

    @classmethod
    def empty(cls, n_groups: int, n_rows: int, places: int) -> "KeyLists":
        """Lists of nobody."""
        width = HEAD + -(-places // KEYS) * KEYS
        keys = np.full((n_groups, n_rows, width), np.uint64(MAX_DISTANCE << 32 | NOBODY))
        keys[:, :, :HEAD] = 0
        return cls(keys, places)

    def of_rows(self, first: int, last: int) -> np.ndarray:
        """Keys (G, last - first, places) of some rows."""
        return self.keys[:, first:last, HEAD : HEAD + self.places]

    def limits(self, first: int, last: int) -> np.ndarray:
        """Distances (G, last - first) int32, in steps, above which no row enters the list of some rows."""
        return np.asarray(self.keys[:, first:last, HEAD + self.places - 1] >> HALF, dtype=np.int32)


def offer_pairs(pairs: RowPairs, first: int, lists: KeyLists, k: int) -> None:
    """Offer the pairs i < j with first <= i < m to the lists of their rows, of all targets or of more rows.

    k: number of neighbours that are wanted; places behind are for rows that may be as near as the k-th.
    """
    if pairs.work.remote:
        _by_workers(pairs, first, lists, k)
        return
    height, width = pairs.distance.search_shape
    begin = first // height * height
    diagonal = [(i, i // width * width) for i in range(begin, pairs.m, height)]  # whose lists keep most other rows out
    others = [
        (i, j)
        for i, start, stop in pieces(pairs.n, begin, pairs.m, height, pairs.distance.super_block)
        for j in range(max(i // width * width + width, start), min(stop, pairs.n), width)
    ]
    top = first // PANEL * PANEL
    blocks = [(max(i, top), min(i + height, pairs.m), j, min(j + width, pairs.n)) for i, j in diagonal + others]
    limits = lists.limits(0, lists.keys.shape[1])
    _offer_blocks(pairs, blocks, (first, pairs.m), lists, limits, k)


def _offer_blocks(
    pairs: RowPairs, blocks: Iterable[Block], ends: tuple[int, int], lists: KeyLists, limits: np.ndarray, k: int
) -> None:
    """Offer the pairs i < j, ends[0] <= i < ends[1], of blocks to the lists of both of their rows.

    limits (G, rows with lists) int32: distances at the ends of these lists, or -1 for rows whose lists stay.
    """
    distance, kernels = pairs.distance, step_kernels()
    steps, (height, width) = distance.steps, distance.search_shape
    totals = steps.totals
    ends_of_lists = np.full((len(lists.keys), len(totals)), -1, np.int32)
    ends_of_lists[:, : limits.shape[1]] = limits
    rows = SearchedRows(pairs.groups, pairs.ids, totals)
    stretches = stretches_of_groups(pairs.groups, len(totals))
    end = ListEnd(
        last=lists.places - 1,
        kth=min(k, lists.places) - 1,
        factor=1 + 2 * steps.relative_error,
        term=2 * steps.error * steps.per_unit + 1,  # 1 step more than the error makes up for the rounding of limits
    )
    nearest = NearestRows(ends_of_lists, lists.keys, end)
    locks = Locks(pairs.n, height)
    waiting = iter(list(blocks))  # that threads share

    def fill(_: int) -> None:
        buffer = distance.buffer(height, width)
        for i0, i1, j0, j1 in waiting:
            pairs.work.tick()
            sums = pairs.block_sums((i0, i1, j0, j1), buffer)
            for start, stop in locks.blocks(j0, j1):
                panels = i0 // PANEL, -(-i1 // PANEL), start // PANEL, -(-stop // PANEL)
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


def strips_of_steps(pairs: RowPairs, part: int, wanted: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Visit the rows wanted, (m,) bool, of every PARTS-th panel: (distances (b, n) by steps, rows (b,))."""
    steps = pairs.distance.steps
    buffer = pairs.distance.buffer(PANEL, len(steps.totals))
    for top in range(part * PANEL, pairs.m, PARTS * PANEL):
        chosen = np.flatnonzero(wanted[top : top + PANEL])
        if len(chosen):
            sums = pairs.block_sums((top, min(top + PANEL, pairs.n), 0, pairs.n), buffer, upper=False)
            rows = top + chosen
            pairs.work.tick(len(rows) * pairs.n)
            yield steps.distances(sums.reshape(PANEL, -1)[chosen], rows, pairs.n), rows


def _by_workers(pairs: RowPairs, first: int, lists: KeyLists, k: int) -> None:
    """Offer the pairs by blocks, which workers of a cluster search apart, and merge their lists."""
    n_rows, slots = lists.keys.shape[1], pairs.work.slots
    shape = pairs.distance.search_shape
    blocks, twice = triangle(pairs.n, (first, pairs.m), shape, slots * TASKS_PER_SLOT), False
    if first == 0 and pairs.m == n_rows and pays_twice(pairs, lists.places, blocks, slots):
        blocks, twice = strips(pairs.n, pairs.m, shape[0], slots * TASKS_PER_SLOT), True
    nothing = replace(pairs.features, values=np.empty((pairs.n, 0), pairs.features.values.dtype), missing=None)
    double = pairs.double and pairs.double.without_data()
    about = pairs.groups, pairs.ids, pairs.m, pairs.distance, pairs.work, double, pairs.subjects, pairs.weights
    far, places = RowPairs(nothing, *about), lists.places

    def search(asked: tuple[Block, list[tuple[int, np.ndarray]]]) -> list[Part]:
        return _of_block(far, *asked, (n_rows, places, k), twice)

    def take(_: int, parts: list[Part]) -> None:
        for start, keys in parts:
            _merge(keys, start, lists.of_rows(0, n_rows))

    # first those on the diagonal: what is farther than the last of their lists need not be looked at in the others
    whole_rows = twice or shape[1] >= pairs.n
    diagonal = [] if whole_rows else [block for block in blocks if block[2] < block[1]]
    for chosen in diagonal, [block for block in blocks if block not in diagonal]:
        sides = [[block[:2]] if twice else _sides(block, n_rows) for block in chosen]
        asked = [(b, [(a, lists.limits(a, c)) for a, c in s]) for b, s in zip(chosen, sides, strict=True)]
        pairs.work.deliver(search, asked, take)


def triangle(n: int, ends: tuple[int, int], shape: tuple[int, int], wanted: int) -> list[Block]:
    """Blocks of the pairs i < j, each pair in one of them, at least as many as are wanted if rows do."""
    (height, width), (first, last) = shape, ends
    if width >= n:  # tiles are whole rows: of the first ones there are more pairs
        before, until = (end / n - (end / n) ** 2 / 2 for end in ends)
        share = 1 - np.sqrt(1 - 2 * np.linspace(before, until, wanted + 1))
        cuts = np.round(share[1:-1] * n / height).astype(int) * height
        cuts = np.unique([first, last, *cuts[(cuts > first) & (cuts < last)]]).tolist()
        return [(a, b, 0, n) for a, b in pairwise(cuts)]
    unit, blocks = int(np.lcm(height, width)), []
    begin = first // unit * unit
    for count in range(1, max((n - begin) // LEAST_ROWS, 1) + 1):
        size = ceil((n - begin) / count / unit) * unit
        blocks = [
            (max(i, first), min(i + size, last), j, min(j + size, n))
            for i in range(begin, last, size)
            for j in range(i, n, size)
        ]
        if len(blocks) >= wanted:
            break
    return blocks


def strips(n: int, m: int, height: int, wanted: int) -> list[Block]:
    """Blocks of some targets against all rows, in which every pair of targets is twice."""
    size = ceil(m / min(wanted, max(m // LEAST_ROWS, 1)) / height) * height
    return [(i, min(i + size, m), 0, n) for i in range(0, m, size)]


def pays_twice(pairs: RowPairs, places: int, blocks: list[Block], slots: int) -> bool:
    """True if lists of both sides of every block take longer to send than the second look at every pair takes.

    By the rule (bytes of the lists beyond one for each row) / 10^8 > m (n - m / 2) p / (1.6 10^10 slots), in seconds.
    Blocks of whole rows are never looked at twice.
    """
    height, width = pairs.distance.search_shape
    if height != width:
        return False
    rows = sum(b - a for block in blocks for a, b in _sides(block, pairs.m)) - pairs.m
    seconds = pairs.n_pairs * pairs.p / STEPS_PER_SECOND / slots
    return rows * pairs.n_groups * places * BYTES_PER_KEY / BYTES_PER_SECOND > seconds


def _sides(block: Block, m: int) -> list[tuple[int, int]]:
    """Stretches of the targets that are rows or columns of a block."""
    i0, i1, j0, j1 = block
    if j0 < i1:  # the rows are among the columns
        return [(i0, max(i1, min(j1, m)))]
    return [(i0, i1), *([(j0, min(j1, m))] if j0 < m else [])]


def _of_block(
    pairs: RowPairs, block: Block, limits: list[tuple[int, np.ndarray]], shape: tuple[int, int, int], twice: bool
) -> list[Part]:
    """(first row, keys) of the rows of a block, and unless pairs are in two blocks of its columns.

    limits: of each of these stretches its first row, and distances (G, b) beyond which rows are in no list; shape:
    numbers of lists, of their places, and of neighbours that are wanted.
    """
    (i0, i1, j0, j1), (height, width) = block, pairs.distance.search_shape
    n_rows, places, k = shape
    # What is not filled is not touched, and takes no memory
    lists = KeyLists(np.empty((pairs.n_groups, n_rows, HEAD + -(-places // KEYS) * KEYS), np.uint64), places)
    ends_of_lists = np.full((pairs.n_groups, n_rows), -1, np.int32)
    for a, limit in limits:
        b = a + limit.shape[1]
        lists.keys[:, a:b, :HEAD] = 0
        lists.keys[:, a:b, HEAD:] = (limit[:, :, None].astype(np.uint64) << HALF) | np.uint64(NOBODY)
        ends_of_lists[:, a:b] = limit
    top = 0 if twice else i0 // PANEL * PANEL
    rows, columns = (range(0 if twice else i0 // height * height, i1, height), range(0, j1, width))
    blocks = [
        (max(i, top), min(i + height, i1), j, min(j + width, j1))
        for i in rows
        for j in columns
        if j + width > max(i, j0) and (not twice or i + height > i0 or (j < i1 and j + width > i0))
    ]
    _offer_blocks(pairs, blocks, (0 if twice else i0, i1), lists, ends_of_lists, k)
    return [(a, lists.of_rows(a, a + limit.shape[1]).copy()) for a, limit in limits]


@kernel
def _merge(found, start, lists):
    """Merge sorted keys (G, b, k) of the rows from `start` on with the lists (G, m, k) of all rows."""
    k = lists.shape[2]
    merged = np.empty(k, np.uint64)
    for g in range(found.shape[0]):
        for i in range(found.shape[1]):
            kept_keys = lists[g, start + i]
            new_keys = found[g, i]
            if new_keys[0] >= kept_keys[k - 1]:
                continue
            p, q = 0, 0
            for s in range(k):
                if new_keys[q] < kept_keys[p]:
                    merged[s] = new_keys[q]
                    q += 1
                else:
                    merged[s] = kept_keys[p]
                    p += 1
            kept_keys[:] = merged
