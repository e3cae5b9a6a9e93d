"""Rows in the zones of each row, as two bits of each pair.

Bits are made from distances in steps, and remembered where there is room.  Pairs that steps cannot decide, as they are
nearer to a limit than the error of a step or of the limit, are decided by exact distances.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np

from ...kernels.bits import popcount
from ...kernels.jit import kernel
from ..formats.step_kernels import step_kernels
from ..formats.steps import MAX_DISTANCE
from .moments import deviations, sums_of_rows
from .relations import HitsAndMisses, Relation
from .row_pairs import STRIP, RowPairs

WORD = 64  # pairs of a word
MAX_BYTES = 2**28  # of bits that are remembered

# From means and deviations (b,) of the distances of rows to the side, 1 or -1, and the limits (b,) of each zone
LimitsOfMoments = Callable[[np.ndarray, np.ndarray], list[tuple[float, np.ndarray]]]


class Zone(NamedTuple):
    """The pairs (i, j) with ``side * d_ij < limit_i``, seen from row i."""

    side: float  # 1: near rows; -1: far ones
    limit: np.ndarray  # (n,): of each row, times the side; -inf of rows that have no zone
    error: float = 0.0  # of a limit: distances within it tell that the limit must be known better


Bits = tuple[np.ndarray, tuple[int, int], np.ndarray]  # as `Zones.bits`, its first row and word, and tiles (b, 4)


@dataclass(frozen=True, eq=False)
class Zones:
    """Pairs of rows, and zones of each row."""

    pairs: RowPairs
    each: Sequence[Zone]
    # (zones, 2, m, words) of m targets: bit j of row i, j > i: whether j is in the zone of i, and whether i is in that
    # of j; None: they are made whenever they are asked for
    bits: np.ndarray | None

    @classmethod
    def of(cls, pairs: RowPairs, each: Sequence[Zone], here: bool = False) -> "Zones":
        """Zones whose bits, that `made` will fill in, are remembered if there is room; here: by this process only."""
        shape = len(each), 2, pairs.m, -(-pairs.n // WORD)
        remembers = (here or not pairs.work.remote) and 8 * np.prod(shape) <= MAX_BYTES
        return cls(pairs, each, np.zeros(shape, np.uint64) if remembers else None)

    def visit(self, part: int) -> Iterator[Bits]:
        """Visit the tiles of a part with bits that are remembered, or made again."""
        if self.bits is None:
            yield from self.made(part, np.zeros(self.pairs.n))
            return
        for where in self.pairs.places(part):
            yield self.bits, (0, 0), np.array([where])

    def made(self, part: int, doubts: np.ndarray) -> Iterator[Bits]:
        """Visit the tiles of a part with bits that are made now; doubts (n,): numbers of distances within the error of
        the limit of a row, which are added to."""
        pairs = self.pairs
        bits = self.bits
        kernels = step_kernels()
        height, width = pairs.distance.shape
        if bits is None:
            bits = np.zeros((len(self.each), 2, height, -(-width // WORD)), np.uint64)
        totals, close = pairs.distance.steps.totals, np.empty((height * width, 2), np.int32)
        for where, sums in pairs.tiles_of_steps(part):
            origin = (0, 0) if self.bits is not None else (where[0], where[2] // WORD)
            for zone, cuts, own in zip(self.each, self._cuts, bits, strict=True):
                count = kernels.zone_bits(sums, where, width, totals, cuts, zone.side < 0, origin, own, close)
                if count:
                    self._decide(zone, close[:count], origin, own, doubts)
                if pairs.subjects is not None:
                    _clear_subjects(pairs.subjects, where, origin, own)
            yield bits, origin, np.array([where])

    def _decide(
        self, zone: Zone, close: np.ndarray, origin: tuple[int, int], bits: np.ndarray, doubts: np.ndarray
    ) -> None:
        """Set the bits of pairs (q, 2) by exact distances."""
        rows, cols = close.astype(np.int64).T
        distances = zone.side * self.pairs.exact(rows, cols[:, None])[:, 0]
        _set_bits(close, distances, zone.limit, zone.error, origin, bits, doubts)

    @cached_property
    def _cuts(self) -> list[np.ndarray]:
        """Steps (2, rows in panels) of each zone, up to which a row is surely below its limit, and above which it
        surely is not; of a far zone: up to which it surely is not above it, and above which it surely is."""
        steps, found = self.pairs.distance.steps, []
        for zone in self.each:
            # where the limit is reached, a row is in neither zone
            down = np.floor if zone.side < 0 else lambda value: np.ceil(value) - 1
            limit = np.full(len(steps.totals), -1.0)
            limit[: self.pairs.n] = np.nan_to_num(zone.side * zone.limit, neginf=-1, posinf=2 * MAX_DISTANCE)
            error = steps.error + steps.relative_error * np.abs(limit) + zone.error
            edges = [down((limit - error) * steps.per_unit), down((limit + error) * steps.per_unit)]
            found.append(np.clip(edges, -1, MAX_DISTANCE).astype(np.int32))
        return found

    def count(self, relation: Relation) -> tuple[np.ndarray, np.ndarray]:
        """Numbers (zones, G, n) of the rows of each group in the zones of each row, and (n,) of distances within the
        error of the limit of a row; fills in the bits."""
        pairs = self.pairs

        def part(number: int) -> np.ndarray:
            out = np.zeros((len(self.each) + 1, relation.n_groups, pairs.n))
            for bits, origin, wheres in self.made(number, out[-1, 0]):
                if isinstance(relation, HitsAndMisses):
                    for where in wheres:
                        _count_hits(bits, origin, where, relation.groups_of_tile(where), out)
                else:
                    _count_classes(bits, origin, wheres, pairs.groups, pairs.ends, out)
            return out

        out = pairs.total(part)
        return out[:-1], out[-1, 0]

    def settle_rows(self, rows: np.ndarray, limits: LimitsOfMoments, relation: Relation, counts: np.ndarray) -> None:
        """Mend the remembered bits of some rows, and their numbers of neighbours, by distances in double precision and
        limits that are made of their means and deviations."""
        pairs, bits = self.pairs, cast("np.ndarray", self.bits)

        def inside(block: np.ndarray) -> list[np.ndarray]:
            pairs.work.tick()
            d = pairs.exact_rows(block)
            found = limits(*deviations(pairs, sums_of_rows(pairs, d), block, False))
            d[np.isinf(d)] = np.nan
            return [side * d < limit[:, None] for side, limit in found]

        blocks = [rows[s : s + STRIP] for s in range(0, len(rows), STRIP)]
        for block, found in zip(blocks, pairs.work.spread(inside, blocks), strict=True):
            for i, *own in zip(block, *found, strict=True):
                groups = relation.groups(np.full(pairs.n, i), np.arange(pairs.n))
                word = i // WORD
                bit = np.uint64(1) << np.uint64(i % WORD)
                before = min(i, pairs.m)
                for there, (mine, theirs), count in zip(own, bits, counts, strict=True):
                    count[:, i] = np.bincount(groups[there], minlength=relation.n_groups)
                    theirs[:before, word] &= ~bit
                    theirs[:before, word] |= np.where(there[:before], bit, np.uint64(0))
                    behind = np.zeros(mine.shape[1] * WORD, bool)
                    behind[i + 1 : pairs.n] = there[i + 1 :]
                    mine[i] = np.packbits(behind, bitorder="little").view(np.uint64)


@kernel
def _set_bits(close, distances, limit, error, origin, bits, doubts):
    """Set the bits of pairs (q, 2) by distances (q,), times the side of the zone, and count those at limits."""
    (top, left) = origin
    one = np.uint64(1)
    none = np.uint64(0)
    for t in range(len(close)):
        i, j = close[t]
        bit = one << np.uint64(j % WORD)
        for seen_from, row in ((0, i), (1, j)):
            bits[seen_from, i - top, j // WORD - left] &= ~bit
            bits[seen_from, i - top, j // WORD - left] |= bit if distances[t] < limit[row] else none
            doubts[row] += abs(distances[t] - limit[row]) <= error


@kernel
def _clear_subjects(subjects, where, origin, bits):
    """Clear the bits of pairs of rows of one subject."""
    (i0, i1, j0, j1) = where
    (top, left) = origin
    one = np.uint64(1)
    for i in range(i0, i1):
        for j in range(max(j0, i + 1), j1):
            if subjects[j] == subjects[i]:
                bits[0, i - top, j // WORD - left] &= ~(one << np.uint64(j % WORD))
                bits[1, i - top, j // WORD - left] &= ~(one << np.uint64(j % WORD))


@kernel
def _count_classes(bits, origin, wheres, groups, ends, count):
    """Rows of each class in the zones of each row, added to count (more than zones, G, n)."""
    (top, left), all_set = origin, np.uint64(0xFFFFFFFFFFFFFFFF)
    for b in range(len(wheres)):
        i0, i1, j0, j1 = wheres[b]
        for z in range(len(bits)):
            for i in range(i0, i1):
                for word in range(max(j0, i + 1) // WORD, (j1 + WORD - 1) // WORD):
                    mine, theirs = bits[z, 0, i - top, word - left], bits[z, 1, i - top, word - left]
                    j, last = max(word * WORD, j0), min(word * WORD + WORD, j1)
                    own = count[z, groups[i], word * WORD : last]
                    if theirs:
                        for q in range(len(own)):
                            own[q] += 1.0 if (theirs >> np.uint64(q)) & np.uint64(1) else 0.0
                    while mine and j < last:
                        g, stop = groups[j], min(ends[j], last)
                        here = all_set >> np.uint64(WORD - stop + j) << np.uint64(j % WORD)
                        count[z, g, i] += popcount(mine & here)
                        j = stop


@kernel
def _count_hits(bits, origin, where, kinds, count):
    """Hits (kind 0) and misses (1) in the zones of each row, added to count (more than zones, 2, n)."""
    (i0, i1, j0, j1) = where
    (top, left) = origin
    one = np.uint64(1)
    for z in range(len(bits)):
        for i in range(i0, i1):
            for word in range(max(j0, i + 1) // WORD, (j1 + WORD - 1) // WORD):
                mine, theirs = bits[z, 0, i - top, word - left], bits[z, 1, i - top, word - left]
                first = max(word * WORD, j0)
                last = min(word * WORD + WORD, j1)
                hits = 0
                misses = 0
                hit = count[z, 0, first:last]
                miss = count[z, 1, first:last]
                kind = kinds[i - i0, first - j0 : last - j0]
                mine, theirs = mine >> np.uint64(first % WORD), theirs >> np.uint64(first % WORD)
                for q in range(len(kind)):
                    inside = (mine >> np.uint64(q)) & one
                    misses += inside if kind[q] == 1 else np.uint64(0)
                    hits += inside if kind[q] == 0 else np.uint64(0)
                for q in range(len(kind)):
                    inside = (theirs >> np.uint64(q)) & one
                    miss[q] += 1.0 if inside and kind[q] == 1 else 0.0
                    hit[q] += 1.0 if inside and kind[q] == 0 else 0.0
                count[z, 0, i] += hits
                count[z, 1, i] += misses
