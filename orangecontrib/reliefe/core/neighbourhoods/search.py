"""Search for the nearest rows of every group: lists that tiles of distances fill.

A list is the k smallest (distance, row): the same whoever builds it and in whatever order tiles come.  So all threads
fill the same lists, a block of rows at a time; and lists that were filled apart, by workers of a cluster, are merged.
"""

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from itertools import pairwise
from math import ceil
from typing import cast

import numpy as np

from ..forms.codes import MAX_DISTANCE, PANEL, Codes
from ..forms.double_precision import SINGLE_DIGITS, DoublePrecision, round_distances
from ..forms.features import aligned
from ..forms.tile_order import pieces
from ..kernels.insert import insert
from ..kernels.jit import kernel
from ..work.threads import PARTS
from .pairs import Locks, Pairs

NOBODY = np.iinfo(np.int32).max  # no row
SKIPPED_AT_ONCE = 64  # distances that are passed over together when none of them can enter a list
TASKS_PER_SLOT = 4  # parts of a search for each that runs at a time, so that all end together
LEAST_ROWS = 512  # of a block
EDGES = (256, 512)  # rows on each side of a tile of codes: of fewer and of more rows than LARGE
LARGE = 4096
PLACES_AT_ONCE = 8  # of a list of keys that are moved together
BYTES_PER_SECOND, STEPS_PER_SECOND = 1e8, 1.6e10  # of a network, and of one thread, to choose the form of a search by

Lists = tuple[np.ndarray, np.ndarray]  # distances and rows, (G, b, k)
Found = tuple[int, np.ndarray, np.ndarray]  # first row, and lists from there on
Block = tuple[int, int, int, int]  # rows [i0, i1) against columns [j0, j1)


def offer_pairs(pairs: Pairs, first: int, lists: Lists, k: int) -> None:
    """Offer the pairs i < j with first <= i < m to the lists of their rows, of all targets or of more rows.

    k: number of neighbours that are wanted; places behind are for rows that may be as near as the k-th.
    """
    if pairs.work.remote:
        _by_workers(pairs, first, lists)
        return
    if pairs.codes:
        _by_codes(pairs, pairs.codes, first, lists, k)
        return
    step, width = pairs.distance.shape
    strips = iter(list(pieces(pairs.n, first, pairs.m, step, pairs.distance.super_block)))  # that threads share
    locks = Locks(pairs.n, step)

    def fill(_: int) -> None:
        stretches = ((i, range(max(i // width * width, start), min(stop, pairs.n), width)) for i, start, stop in strips)
        _fill(pairs, ((i, j) for i, columns in stretches for j in columns), locks, lists)

    pairs.work.map(fill, range(pairs.work.workers))


def _by_codes(pairs: Pairs, codes: Codes, first: int, lists: Lists, k: int) -> None:
    """The same by codes, in lists of keys: the distance in steps, times 2^32, and the id."""
    from ..forms import codes_simd as simd

    (n_groups, m, places), edge = lists[0].shape, EDGES[pairs.n > LARGE]
    end, lanes = simd.HEAD + places, codes.lanes.reshape(-1)
    nobody, half = np.uint64(MAX_DISTANCE << 32 | NOBODY), np.uint64(32)
    keys = np.full((n_groups, m, simd.HEAD + -(-places // PLACES_AT_ONCE) * PLACES_AT_ONCE), nobody)
    keys[:, :, : simd.HEAD] = 0
    if first:
        steps = np.rint(np.where(np.isinf(lists[0]), 0, lists[0]) * codes.steps).astype(np.uint64)
        keys[:, :, simd.HEAD : end] = np.where(lists[1] == NOBODY, nobody, steps << half | lists[1].astype(np.uint64))
    limits = np.full((n_groups, len(codes.totals)), -1, np.int32)
    limits[:, :m] = keys[:, :, end - 1] >> half
    cuts = np.union1d(np.arange(0, pairs.n, PANEL), np.flatnonzero(np.diff(pairs.groups)) + 1)
    sizes = np.diff(np.append(cuts, pairs.n))
    bits = ((1 << sizes) - 1 << cuts % PANEL).astype(np.uint64)
    starts = np.searchsorted(cuts, np.arange(0, len(codes.totals) + 1, PANEL))
    nearest = limits, keys, _ends_of_lists(pairs, codes, k, places)
    rows, stretches = (pairs.groups, pairs.ids, codes.totals), (starts, pairs.groups[cuts], bits)
    begin, locks = first // edge * edge, Locks(pairs.n, edge)
    diagonal = [(i, i) for i in range(begin, pairs.m, edge)]  # whose lists keep most other rows out
    strips = pieces(pairs.n, begin, pairs.m, edge, pairs.distance.super_block)
    others = [(i, j) for i, start, stop in strips for j in range(max(i + edge, start), min(stop, pairs.n), edge)]
    tiles = iter(diagonal + others)  # that threads share

    def fill(_: int) -> None:
        sums = aligned((edge * edge,), np.int32)
        for i, j in tiles:
            pairs.work.tick()
            i1, j1 = min(i + edge, pairs.m), min(j + edge, pairs.n)
            where = i // PANEL, -(-i1 // PANEL), j // PANEL, -(-j1 // PANEL)
            simd.measure(lanes, codes.words, where, True, edge, sums)
            with locks.of(i), nullcontext() if i == j else locks.of(j):
                simd.offer(sums, where, edge, (first, pairs.m), rows, stretches, nearest)
            pairs.work.tick((i1 - i) * (j1 - j))

    pairs.work.map(fill, range(pairs.work.workers))
    lists[1][:] = keys[:, :, simd.HEAD : end] & np.uint64(2**32 - 1)
    lists[0][:] = np.where(lists[1] == NOBODY, np.inf, (keys[:, :, simd.HEAD : end] >> half) / codes.steps)


def _ends_of_lists(pairs: Pairs, codes: Codes, k: int, places: int) -> tuple[int, int, float, float]:
    """Places of the last and the k-th row of a list, and factor and term, in steps, of the error of a distance.

    A step more than `DoublePrecision.beyond` says makes up for the rounding of these.
    """
    double = replace(cast("DoublePrecision", pairs.double), error=codes.error)
    term, of_one = double.beyond(np.array([0.0, 1.0])).tolist()
    return places - 1, min(k, places) - 1, of_one - term, term * codes.steps + 1


def strips_of_codes(pairs: Pairs, part: int, wanted: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Visit the targets wanted, (m,) bool, of every PARTS-th panel: (distances (b, n) by codes, rows (b,))."""
    from ..forms import codes_simd as simd

    codes = cast("Codes", pairs.codes)
    n_panels, sums = len(codes.lanes), np.empty((PANEL, len(codes.totals)), np.int32)
    for panel in range(part, -(-pairs.m // PANEL), PARTS):
        own = np.flatnonzero(wanted[panel * PANEL : (panel + 1) * PANEL])
        if len(own):
            where, rows = (panel, panel + 1, 0, n_panels), panel * PANEL + own
            simd.measure(codes.lanes.reshape(-1), codes.words, where, False, sums.shape[1], sums.reshape(-1))
            steps = 2.0 * sums[own] - codes.totals - codes.totals[rows, None]
            pairs.work.tick(len(rows) * pairs.n)
            yield steps[:, : pairs.n] / codes.steps, rows


def _by_workers(pairs: Pairs, first: int, lists: Lists) -> None:
    """The same by blocks that workers of a cluster search apart."""
    (_, M, room), slots = lists[0].shape, pairs.work.slots
    blocks, twice = triangle(pairs.n, (first, pairs.m), pairs.distance.shape, slots * TASKS_PER_SLOT), False
    if first == 0 and pairs.m == M and pays_twice(pairs, room, blocks, slots):
        blocks, twice = strips(pairs.n, pairs.m, pairs.distance.shape[0], slots * TASKS_PER_SLOT), True
    dtype = np.float32 if pairs.digits == SINGLE_DIGITS else np.float64  # which holds them as they are
    nothing = replace(pairs.features, values=np.empty((pairs.n, 0), pairs.features.values.dtype), missing=None)
    double = pairs.double and pairs.double.without_data()
    about = pairs.groups, pairs.ids, pairs.m, pairs.distance, pairs.work, double, pairs.apart, pairs.weights
    far = Pairs(nothing, *about)

    def search(asked: tuple[Block, list[tuple[int, np.ndarray]]]) -> list[Found]:
        found = _of_block(far, *asked, (M, room), twice)
        return [(start, dist.astype(dtype), rows) for start, (dist, rows) in found]

    def take(_: int, found: list[Found]) -> None:
        for start, dist, rows in found:
            _merge(dist, rows, start, *lists)

    # first those on the diagonal: what is farther than the last of their lists need not be looked at in the others
    whole_rows = twice or pairs.distance.shape[1] >= pairs.n
    diagonal = [] if whole_rows else [block for block in blocks if block[2] < block[1]]
    for some in diagonal, [block for block in blocks if block not in diagonal]:
        sides = [[block[:2]] if twice else _sides(block, M) for block in some]
        asked = [(b, [(a, lists[0][:, a:c, -1].astype(dtype)) for a, c in s]) for b, s in zip(some, sides, strict=True)]
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


def pays_twice(pairs: Pairs, room: int, blocks: list[Block], slots: int) -> bool:
    """True if lists of both sides of every block take longer to send than the second look at every pair takes.

    By the rule (bytes of the lists beyond one for each row) / 10^8 > m (n - m / 2) p / (1.6 10^10 slots), in seconds.
    """
    rows = sum(b - a for block in blocks for a, b in _sides(block, pairs.m)) - pairs.m
    size = 4 + (4 if pairs.digits == SINGLE_DIGITS else 8)
    seconds = pairs.n_pairs * pairs.p / STEPS_PER_SECOND / slots
    return rows * pairs.n_groups * room * size / BYTES_PER_SECOND > seconds


def _sides(block: Block, m: int) -> list[tuple[int, int]]:
    """Stretches of the targets that are rows or columns of a block."""
    i0, i1, j0, j1 = block
    if j0 < i1:  # the rows are among the columns
        return [(i0, max(i1, min(j1, m)))]
    return [(i0, i1), *([(j0, min(j1, m))] if j0 < m else [])]


def _of_block(
    pairs: Pairs, block: Block, limits: list[tuple[int, np.ndarray]], shape: tuple[int, int], twice: bool
) -> list[tuple[int, Lists]]:
    """(first row, lists) of the rows of a block, and unless pairs are in two blocks of its columns.

    limits: of each of these stretches its first row, and distances (G, b) beyond which rows are in no list; shape:
    numbers of lists and of their places.
    """
    (i0, i1, j0, j1), (height, width) = block, pairs.distance.shape
    pairs, whole = replace(pairs, m=i1), (pairs.n_groups, *shape)
    lists = np.empty(whole), np.empty(whole, np.int32)  # what is not filled is not touched, and takes no memory
    sides = [(a, a + limit.shape[1]) for a, limit in limits]
    for (a, b), (_, limit) in zip(sides, limits, strict=True):
        lists[0][:, a:b], lists[1][:, a:b] = limit[:, :, None], NOBODY
    starts = range(i0, i1, height)
    if twice:
        rows, corners = (pairs.groups, pairs.ends, pairs.ids), ((i, j) for i in starts for j in range(0, j1, width))
        for d, where in pairs.tiles_at(corners, upper=False):
            round_distances(d[: where[1] - where[0]], pairs.digits)
            for upper in (True, False):  # columns behind the row, and before it
                _keep_nearest(d, where, where[0], upper, rows, lists)
    else:
        corners = ((i, j) for i in starts for j in range(max(j0, i // width * width), j1, width))
        _fill(pairs, corners, Locks(pairs.n, height), lists)
    return [(a, (lists[0][:, a:b].copy(), lists[1][:, a:b].copy())) for a, b in sides]


def empty_lists(shape: tuple[int, ...]) -> Lists:
    """Distances and ids of lists of nobody, of the shape (G, b, room)."""
    return np.full(shape, np.inf), np.full(shape, NOBODY, np.int32)


def _fill(pairs: Pairs, corners: Iterable[tuple[int, int]], locks: Locks, lists: Lists) -> None:
    """Offer the pairs of tiles to the lists of both of their rows."""
    turned = np.empty(pairs.distance.shape[::-1], pairs.distance.dtype)
    rows, m = (pairs.groups, pairs.ends, pairs.ids), lists[0].shape[1]
    for d, (i0, i1, j0, j1) in pairs.tiles_at(corners):
        round_distances(d[: i1 - i0], pairs.digits)
        for a0, a1 in locks.blocks(i0, i1):
            with locks.of(a0):
                _keep_nearest(d, (a0, a1, j0, j1), i0, True, rows, lists)
        if j0 < m:
            _transpose(d, turned, i1 - i0, j1 - j0)
            for a0, a1 in locks.blocks(max(j0, i0), min(j1, m)):
                with locks.of(a0):
                    _keep_nearest(turned, (a0, a1, i0, i1), j0, False, rows, lists)


@kernel
def _merge(dist, rows, start, nearest, lists):
    """Merge sorted lists (G, b, k) of the rows from `start` on with the lists (G, m, k) of all rows."""
    k = nearest.shape[2]
    x, c = np.empty(k), np.empty(k, np.int32)
    for g in range(dist.shape[0]):
        for i in range(dist.shape[1]):
            own, ids, others, theirs = nearest[g, start + i], lists[g, start + i], dist[g, i], rows[g, i]
            if theirs[0] == NOBODY or others[0] > own[-1]:
                continue
            p, q = 0, 0
            for s in range(k):
                d = np.float64(others[q])
                if theirs[q] != NOBODY and (d < own[p] or (d == own[p] and theirs[q] < ids[p])):
                    x[s], c[s], q = d, theirs[q], q + 1
                else:
                    x[s], c[s], p = own[p], ids[p], p + 1
            own[:], ids[:] = x, c


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
                            insert(d[q], ids[s + q], x, c, None)
                            limit = x[-1]
            j = stop


@kernel
def _transpose(D, out, height, width):
    """Valid corner of D (h, w), transposed into out (w, h) in whole blocks of 16: both sides are multiples of 16."""
    for i0 in range(0, height, 16):
        for j0 in range(0, width, 16):
            for j in range(16):
                for i in range(16):
                    out[j0 + j, i0 + i] = D[i0 + i, j0 + j]
