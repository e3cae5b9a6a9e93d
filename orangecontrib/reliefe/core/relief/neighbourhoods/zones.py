"""Row-specific distance thresholds (as in MultiSURF), and the pairs of rows within them, as two bits for each pair.

`Radius` makes `Zones` from its thresholds: `count` fills the bits in, `settle_rows` mends those of rows whose
thresholds are in doubt, and `zone_pairs.py` and `shared_zones.py` visit them to weigh pairs.

Bits are made from distances in steps, and remembered where there is room.  Pairs that steps cannot decide, because they
are closer to a threshold than the error of a step or of the threshold, are decided by exact distances.

Layout: ``bits[z, 0, i, w]`` is a word of 64 bits.  Its bit b is set if row j = 64 w + b is in zone z of row i, and that
of ``bits[z, 1, i, w]`` if row i is in zone z of row j.  Only bits with j > i are used.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
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


class ZoneLimit(NamedTuple):
    """Thresholds of some rows.

    Attributes
    ----------
    sign : float
        1: near rows, whose distances are below the threshold; -1: far ones.
    limit : (b,) array
        Threshold of each row, times the sign.
    """

    sign: float
    limit: np.ndarray


# From means and deviations (b,) of the distances of rows to the thresholds of each zone
LimitsOfMoments = Callable[[np.ndarray, np.ndarray], list[ZoneLimit]]


class Zone(NamedTuple):
    """The pairs (i, j) with ``sign * d_ij < limit_i``, seen from row i.

    Attributes
    ----------
    sign : float
        1: near rows; -1: far ones.
    limit : (n,) array
        Limit of each row, times the sign; -inf of rows that have no zone.
    error : float
        Error of a limit: if a distance is within it, the limit must be computed in double precision.
    """

    sign: float
    limit: np.ndarray
    error: float = 0.0


class TileBits(NamedTuple):
    """Bits of some tiles.

    Attributes
    ----------
    bits : (zones, 2, h, words) uint64 array
        Bits of pairs, as `Zones.bits`.
    origin : (int, int)
        Row and word of bits[:, :, 0, 0].
    bounds_of_tiles : (b, 4) array
        Rows and columns of the tiles.
    """

    bits: np.ndarray
    origin: tuple[int, int]
    bounds_of_tiles: np.ndarray


@dataclass(frozen=True, eq=False)
class Zones:
    """Pairs of rows, and the zones of each row."""

    pairs: RowPairs
    near_and_far: Sequence[Zone]  # one for near rows and, if they count, one for far rows
    # (zones, 2, m, words) of m target rows, laid out as above; None: they are made whenever they are asked for
    bits: np.ndarray | None

    @classmethod
    def of(cls, pairs: RowPairs, near_and_far: Sequence[Zone], in_one_process: bool = False) -> "Zones":
        """Return zones whose bits, which `compute_bits` will fill in, are remembered if there is room.

        in_one_process : True if only this process, and no worker of a cluster, will make the bits.
        """
        shape = len(near_and_far), 2, pairs.m, ceil(pairs.n / WORD)
        remembers = (in_one_process or not pairs.work.remote) and 8 * np.prod(shape) <= MAX_BYTES
        return cls(pairs, near_and_far, np.zeros(shape, np.uint64) if remembers else None)

    def visit(self, part: int) -> Iterator[TileBits]:
        """Visit the tiles of a part with bits that are remembered, or made again."""
        if self.bits is None:
            yield from self.compute_bits(part, np.zeros(self.pairs.n))
            return
        for bounds in self.pairs.bounds_of_tiles(part):
            yield TileBits(self.bits, (0, 0), np.array([bounds]))

    def compute_bits(self, part: int, doubts: np.ndarray) -> Iterator[TileBits]:
        """Visit the tiles of a part with bits that are computed from distances.

        doubts : (n,) array, to which the number of distances within the error of the limit of each row is added.
        """
        pairs = self.pairs
        kernels = step_kernels()
        height, width = pairs.distance.tile_shape
        totals = pairs.distance.steps.totals
        bits = self.bits
        if bits is None:
            bits = np.zeros((len(self.near_and_far), 2, height, ceil(width / WORD)), np.uint64)
        close = np.empty((height * width, 2), np.int32)
        for bounds, sums in pairs.tiles_of_steps(part):
            origin = (0, 0) if self.bits is not None else (bounds[0], bounds[2] // WORD)
            for zone, cuts, bits_of_zone in zip(self.near_and_far, self._deciding_steps, bits, strict=True):
                is_far = zone.sign < 0
                n_close = kernels.zone_bits(sums, bounds, width, totals, cuts, is_far, origin, bits_of_zone, close)
                if n_close:
                    self._decide(zone, close[:n_close], origin, bits_of_zone, doubts)
                if pairs.subjects is not None:
                    _clear_subjects(pairs.subjects, bounds, origin, bits_of_zone)
            yield TileBits(bits, origin, np.array([bounds]))

    def _decide(
        self, zone: Zone, close: np.ndarray, origin: tuple[int, int], bits: np.ndarray, doubts: np.ndarray
    ) -> None:
        """Set the bits of pairs (q, 2) by exact distances."""
        rows, cols = close.astype(np.int64).T
        distances = zone.sign * self.pairs.exact(rows, cols[:, None])[:, 0]
        _set_bits(close, distances, zone.limit, zone.error, origin, bits, doubts)

    @cached_property
    def _deciding_steps(self) -> list[np.ndarray]:
        """Steps (2, rows in panels) of each zone that decide a pair although steps and limits have errors.

        Up to the first one a row is surely below its limit, and above the second one it surely is not.  Between them
        exact distances decide.  Where the limit is reached, a row is in neither zone.
        """
        steps = self.pairs.distance.steps
        steps_of_zones = []
        for zone in self.near_and_far:
            limit = np.full(len(steps.totals), -1.0)
            limit[: self.pairs.n] = np.nan_to_num(zone.sign * zone.limit, neginf=-1, posinf=2 * MAX_DISTANCE)
            error = steps.error + steps.relative_error * np.abs(limit) + zone.error
            edges = [(limit - error) * steps.per_unit, (limit + error) * steps.per_unit]
            # Largest whole number up to the edge for far zones, and below it for near ones
            last_steps = [np.floor(edge) if zone.sign < 0 else np.ceil(edge) - 1 for edge in edges]
            steps_of_zones.append(np.clip(last_steps, -1, MAX_DISTANCE).astype(np.int32))
        return steps_of_zones

    def count(self, relation: Relation) -> tuple[np.ndarray, np.ndarray]:
        """Fill in the bits, and count the rows in zones.

        Returns
        -------
        counts : (zones, G, n) array
            Rows of each group in the zones of each row.
        doubts : (n,) array
            Distances within the error of the limit of a row.
        """
        pairs = self.pairs
        n_zones = len(self.near_and_far)

        def count_part(part: int) -> np.ndarray:
            counts = np.zeros((n_zones + 1, relation.n_groups, pairs.n))
            for bits, origin, bounds_of_tiles in self.compute_bits(part, doubts=counts[n_zones, 0]):
                if isinstance(relation, HitsAndMisses):
                    for bounds in bounds_of_tiles:
                        _count_hits(bits, origin, bounds, relation.groups_of_tile(bounds), counts)
                else:
                    _count_classes(bits, origin, bounds_of_tiles, pairs.groups, pairs.ends, counts)
            return counts

        counts = pairs.total(count_part)
        return counts[:n_zones], counts[n_zones, 0]

    def settle_rows(self, rows: np.ndarray, limits: LimitsOfMoments, relation: Relation, counts: np.ndarray) -> None:
        """Mend the remembered bits of rows, and their numbers of neighbours, by limits in double precision.

        Parameters
        ----------
        rows : (b,) int array
        limits : function
            Makes the limits of rows from the means and deviations of their exact distances.
        relation : Relation
        counts : (zones, G, n) array
            Rows of each group in the zones of each row; changed in place.
        """
        pairs = self.pairs
        remembered = cast("np.ndarray", self.bits)

        def in_zones(strip: np.ndarray) -> list[np.ndarray]:
            """Return a mask (b, n) of the rows in each zone of the rows of a strip."""
            pairs.work.tick()
            distances = pairs.exact_rows(strip)
            exact_limits = limits(*deviations(pairs, sums_of_rows(pairs, distances), strip, False))
            distances[np.isinf(distances)] = np.nan
            return [sign * distances < limit[:, None] for sign, limit in exact_limits]

        strips = [rows[s : s + STRIP] for s in range(0, len(rows), STRIP)]
        for strip, masks in zip(strips, pairs.work.spread(in_zones, strips), strict=True):
            for i, *masks_of_row in zip(strip, *masks, strict=True):
                groups = relation.groups(np.full(pairs.n, i), np.arange(pairs.n))
                for is_inside, bits_of_zone, counts_of_zone in zip(masks_of_row, remembered, counts, strict=True):
                    counts_of_zone[:, i] = np.bincount(groups[is_inside], minlength=relation.n_groups)
                    _put_row(bits_of_zone, i, is_inside)


def _put_row(bits: np.ndarray, i: int, is_inside: np.ndarray) -> None:
    """Set the bits (2, m, words) of one zone that belong to row i, by a mask (n,) of the rows in it."""
    of_row, of_column = bits
    m, n_words = of_row.shape
    n = len(is_inside)

    # Rows before i, in the bit of i of their lines
    word = i // WORD
    bit = np.uint64(1) << np.uint64(i % WORD)
    before = min(i, m)
    of_column[:before, word] &= ~bit
    of_column[:before, word] |= np.where(is_inside[:before], bit, np.uint64(0))

    # Rows behind i, in the line of i
    behind = np.zeros(n_words * WORD, bool)
    behind[i + 1 : n] = is_inside[i + 1 :]
    of_row[i] = np.packbits(behind, bitorder="little").view(np.uint64)


@kernel
def _set_bits(close, distances, limit, error, origin, bits, doubts):
    """Set the bits (2, h, words) of pairs by exact distances, and count those within the error of a limit.

    close : (q, 2), rows i < j of the pairs.
    distances : (q,), times the sign of the zone.
    doubts : (n,), to which the pairs within the error of the limit of each row are added.
    """
    top, left = origin
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
def _clear_subjects(subjects, bounds, origin, bits):
    """Clear the bits (2, h, words) of pairs of rows of one subject."""
    i0, i1, j0, j1 = bounds
    top, left = origin
    one = np.uint64(1)
    for i in range(i0, i1):
        for j in range(max(j0, i + 1), j1):
            if subjects[j] == subjects[i]:
                bits[0, i - top, j // WORD - left] &= ~(one << np.uint64(j % WORD))
                bits[1, i - top, j // WORD - left] &= ~(one << np.uint64(j % WORD))


@kernel
def _count_classes(bits, origin, bounds_of_tiles, groups, ends, count):
    """Add the rows of each class in the zones of each row to count (>= zones, G, n).

    groups : (n,), class of each row.
    ends : (n,), end of the stretch of rows of one class that each row is in.
    """
    top, left = origin
    all_set = np.uint64(0xFFFFFFFFFFFFFFFF)
    for b in range(len(bounds_of_tiles)):
        i0, i1, j0, j1 = bounds_of_tiles[b]
        for z in range(len(bits)):
            for i in range(i0, i1):
                for word in range(max(j0, i + 1) // WORD, (j1 + WORD - 1) // WORD):
                    in_zone_of_i = bits[z, 0, i - top, word - left]
                    in_zone_of_j = bits[z, 1, i - top, word - left]
                    j = max(word * WORD, j0)
                    last = min(word * WORD + WORD, j1)

                    # Row i in the zones of rows j
                    count_of_cols = count[z, groups[i], word * WORD : last]
                    if in_zone_of_j:
                        for q in range(len(count_of_cols)):
                            count_of_cols[q] += 1.0 if (in_zone_of_j >> np.uint64(q)) & np.uint64(1) else 0.0

                    # Rows j in the zone of row i: those of one class at a time
                    while in_zone_of_i and j < last:
                        g = groups[j]
                        stop = min(ends[j], last)
                        of_class = all_set >> np.uint64(WORD - stop + j) << np.uint64(j % WORD)
                        count[z, g, i] += popcount(in_zone_of_i & of_class)
                        j = stop


@kernel
def _count_hits(bits, origin, bounds, kinds, count):
    """Add the hits (group 0) and misses (group 1) in the zones of each row to count (>= zones, 2, n).

    kinds : (i1 - i0, j1 - j0), group of each pair of the tile.
    """
    i0, i1, j0, j1 = bounds
    top, left = origin
    one = np.uint64(1)
    for z in range(len(bits)):
        for i in range(i0, i1):
            for word in range(max(j0, i + 1) // WORD, (j1 + WORD - 1) // WORD):
                first = max(word * WORD, j0)
                last = min(word * WORD + WORD, j1)
                in_zone_of_i = bits[z, 0, i - top, word - left] >> np.uint64(first % WORD)
                in_zone_of_j = bits[z, 1, i - top, word - left] >> np.uint64(first % WORD)
                hits = 0
                misses = 0
                hits_of_cols = count[z, 0, first:last]
                misses_of_cols = count[z, 1, first:last]
                kind = kinds[i - i0, first - j0 : last - j0]
                for q in range(len(kind)):
                    inside = (in_zone_of_i >> np.uint64(q)) & one
                    misses += inside if kind[q] == 1 else np.uint64(0)
                    hits += inside if kind[q] == 0 else np.uint64(0)
                for q in range(len(kind)):
                    inside = (in_zone_of_j >> np.uint64(q)) & one
                    misses_of_cols[q] += 1.0 if inside and kind[q] == 1 else 0.0
                    hits_of_cols[q] += 1.0 if inside and kind[q] == 0 else 0.0
                count[z, 0, i] += hits
                count[z, 1, i] += misses
