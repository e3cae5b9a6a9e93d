"""Rows in the zones of each row, as two bits of each pair.

Bits are made from tiles of distances, or from codes, and remembered where there is room: no distance is.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from ..forms.codes import MAX_DISTANCE, Codes
from ..forms.double_precision import DoublePrecision, Zone
from ..kernels.bits import popcount
from ..kernels.jit import kernel
from .base import Relation
from .pairs import STRIP, Pairs, deviations, sums_of_rows

WORD = 64  # pairs of a word
MAX_BYTES = 2**28  # of bits that are remembered

# From means and deviations (b,) of the distances of rows to the side, 1 or -1, and the limits (b,) of each zone
Limits = Callable[[np.ndarray, np.ndarray], list[tuple[float, np.ndarray]]]

Bits = tuple[np.ndarray, tuple[int, int], np.ndarray]  # as `Zones.bits`, its first row and word, and tiles (b, 4)


@dataclass(frozen=True, eq=False)
class Zones:
    """Pairs of rows, and zones of each row."""

    pairs: Pairs
    each: Sequence[Zone]
    # (zones, 2, m, words) of m targets: bit j of row i, j > i: whether j is in the zone of i, and whether i is in that
    # of j; None: they are made whenever they are asked for
    bits: np.ndarray | None

    @classmethod
    def of(cls, pairs: Pairs, each: Sequence[Zone], here: bool = False) -> "Zones":
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

    def made(self, part: int, found: np.ndarray) -> Iterator[Bits]:
        """Visit the tiles of a part with bits that are made now; found (n,): numbers of distances so near to the limit
        of a row that more digits of it matter, which are added to."""
        pairs, bits = self.pairs, self.bits
        if bits is None:
            height, width = pairs.distance.shape
            bits = np.zeros((len(self.each), 2, height, -(-width // WORD)), np.uint64)
        if pairs.zone_codes:
            yield from self._by_codes(pairs.zone_codes, part, bits, found)
            return
        for tiles, wheres in pairs.blocks(part):
            one_by_one = zip(tiles[:, None], wheres[:, None], strict=True)
            for d, some in one_by_one if self.bits is None else [(tiles, wheres)]:
                origin = (0, 0) if self.bits is not None else (int(some[0, 0]), int(some[0, 2]) // WORD)
                for zone, own in zip(self.each, bits, strict=True):
                    if pairs.double and pairs.settles:
                        pairs.double.settle_tiles(d, some, zone, found)
                    _note(d, some, zone.side_in_tile_dtype, zone.limit_in_tile_dtype, origin, own)
                yield bits, origin, some

    def _by_codes(self, codes: Codes, part: int, bits: np.ndarray, found: np.ndarray) -> Iterator[Bits]:
        """The same by codes; pairs that these cannot decide are computed in double precision."""
        from ..forms import codes_simd as simd

        pairs, double = self.pairs, cast("DoublePrecision", self.pairs.double)
        for where, sums in pairs.tiles_of_codes(part):
            i0, _, j0, _ = where
            origin, step = (0, 0) if self.bits is not None else (i0, j0 // WORD), pairs.distance.shape[1]
            close = np.empty((len(sums), 2), np.int32)
            for zone, cuts, own in zip(self.each, self._cuts, bits, strict=True):
                count = simd.zone_bits(sums, where, step, codes.totals, cuts, zone.side < 0, origin, own, close)
                double.settle_bits(close[:count], zone, origin, own, found)
            yield bits, origin, np.array([where])

    @cached_property
    def _cuts(self) -> list[np.ndarray]:
        """Distances by codes (2, rows in panels) up to which a row is surely below the limit of each zone, and above
        which it surely is not."""
        codes, cuts = cast("Codes", self.pairs.zone_codes), []
        for zone in self.each:
            limit = np.full(len(codes.totals), -1.0)
            limit[: self.pairs.n] = np.nan_to_num(zone.side * zone.limit, neginf=-1, posinf=2 * MAX_DISTANCE)
            edges = [np.floor((limit - codes.error) * codes.steps), np.ceil((limit + codes.error) * codes.steps)]
            cuts.append(np.clip(edges, -1, MAX_DISTANCE).astype(np.int32))
        return cuts

    def count(self, relation: Relation) -> tuple[np.ndarray, np.ndarray]:
        """Numbers (zones, G, n) of the rows of each group in the zones of each row, and (n,) of distances so near to a
        limit that more digits of it matter; fills in the bits."""
        pairs = self.pairs

        def part(number: int) -> np.ndarray:
            out = np.zeros((len(self.each) + 1, relation.n_groups, pairs.n))
            for bits, origin, wheres in self.made(number, out[-1, 0]):
                if relation.by_class:
                    _count_classes(bits, origin, wheres, pairs.groups, pairs.ends, out)
                    continue
                for where in wheres:
                    _count_hits(bits, origin, where, relation.tile(where), out)
            return out

        out = pairs.total(part)
        return out[:-1], out[-1, 0]

    def settle_rows(self, rows: np.ndarray, limits: Limits, relation: Relation, counts: np.ndarray) -> None:
        """Mend the remembered bits of some rows, and their numbers of neighbours, by distances in double precision and
        limits that are made of their means and deviations."""
        pairs, bits = self.pairs, cast("np.ndarray", self.bits)

        def inside(block: np.ndarray) -> list[np.ndarray]:
            pairs.work.tick()
            d = cast("DoublePrecision", pairs.double).whole_rows(block)
            found = limits(*deviations(pairs, sums_of_rows(pairs, block, d), block, False))
            d[np.arange(len(block)), block] = np.nan
            return [side * d < limit[:, None] for side, limit in found]

        blocks = [rows[s : s + STRIP] for s in range(0, len(rows), STRIP)]
        for block, found in zip(blocks, pairs.work.spread(inside, blocks), strict=True):
            for i, *own in zip(block, *found, strict=True):
                groups = relation.of(np.full(pairs.n, i), np.arange(pairs.n))
                word, bit, before = i // WORD, np.uint64(1) << np.uint64(i % WORD), min(i, pairs.m)
                for there, (mine, theirs), count in zip(own, bits, counts, strict=True):
                    count[:, i] = np.bincount(groups[there], minlength=relation.n_groups)
                    theirs[:before, word] &= ~bit
                    theirs[:before, word] |= np.where(there[:before], bit, np.uint64(0))
                    behind = np.zeros(mine.shape[1] * WORD, bool)
                    behind[i + 1 : pairs.n] = there[i + 1 :]
                    mine[i] = np.packbits(behind, bitorder="little").view(np.uint64)


@kernel
def _note(tiles, wheres, sign, limit, origin, bits):
    """Set the words (2, h, words) of the pairs of several tiles that are in the zone of either row."""
    top, left = origin
    for b in range(len(tiles)):
        i0, i1, j0, j1 = wheres[b]
        for i in range(i0, i1):
            first = max(j0, i + 1)
            for word in range(first // WORD, (j1 + WORD - 1) // WORD):
                start, stop = max(first, word * WORD), min(j1, word * WORD + WORD)
                d, limits, mine, theirs = tiles[b, i - i0, start - j0 : stop - j0], limit[start:stop], 0, 0
                for q in range(len(d)):
                    mine |= np.int64(sign * d[q] < limit[i]) << q
                    theirs |= np.int64(sign * d[q] < limits[q]) << q
                bits[0, i - top, word - left] = np.uint64(mine) << np.uint64(start % WORD)
                bits[1, i - top, word - left] = np.uint64(theirs) << np.uint64(start % WORD)


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
    (i0, i1, j0, j1), (top, left), one = where, origin, np.uint64(1)
    for z in range(len(bits)):
        for i in range(i0, i1):
            for word in range(max(j0, i + 1) // WORD, (j1 + WORD - 1) // WORD):
                mine, theirs = bits[z, 0, i - top, word - left], bits[z, 1, i - top, word - left]
                first, last, hits, misses = max(word * WORD, j0), min(word * WORD + WORD, j1), 0, 0
                hit, miss, kind = (
                    count[z, 0, first:last],
                    count[z, 1, first:last],
                    kinds[i - i0, first - j0 : last - j0],
                )
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
