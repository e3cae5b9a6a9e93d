"""Pairs of rows within thresholds (`Zones`), with their weights for one target or many: what scores are summed over.

For one target the weights of a tile of pairs are made first, 64 pairs of a row at a time, and those of the pairs in the
zones are listed.  For many targets the pairs are listed, and then weighed.

Pairs are listed BLOCK rows by BLOCK columns at a time, so that the features that are summed next stay in the first
cache.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np

from ...kernels.bits import popcount
from ...kernels.jit import kernel
from ..formats.aligned_arrays import aligned
from ..formats.distance import TileBounds
from ..formats.pair_sums import PairList
from ..formats.sums import WeightTile
from .base import FoldedPairs
from .relations import ClassGroups, HitsAndMisses, ProductRelation, Relation
from .zones import WORD, Zones

BLOCK = WORD  # rows, and columns, whose pairs are listed together


class PairBuffer(NamedTuple):
    """Memory for the pairs of some rows and columns."""

    rows: np.ndarray  # as in `PairList`
    starts: np.ndarray
    cols: np.ndarray
    weights: np.ndarray
    # (q, zones) uint8: 1 if the second row of a pair is in the zone of the first one, plus 2 if the first one is in
    # that of the second one; no zones for one target, whose pairs are weighed before
    memberships: np.ndarray

    @classmethod
    def of(cls, height: int, width: int, n_targets: int, n_zones: int, dtype: "np.dtype[np.floating]") -> "PairBuffer":
        """Room for all pairs of `height` rows and `width` columns."""
        n_rows = height * -(-width // BLOCK)
        n_pairs = height * width
        return cls(
            np.empty(n_rows, np.int32),
            np.empty(n_rows + 1, np.int64),
            np.empty(n_pairs, np.int32),
            np.empty((n_pairs, n_targets), dtype),
            np.empty((n_pairs, n_zones), np.uint8),
        )

    def pairs(self, n_rows: int) -> PairList:
        """The pairs of the first rows, in the same memory."""
        n_pairs = self.starts[n_rows]
        return PairList(self.rows[:n_rows], self.starts[: n_rows + 1], self.cols[:n_pairs], self.weights[:n_pairs])


@dataclass(frozen=True, eq=False)
class GroupWeights:
    """Weights for one target by groups: classes, or hits (0) and misses (1).

    A pair (i, j) weighs, summed over the zones z that it is in, tables[z, group of j for i, i] if j is in the zone of
    i, plus tables[z, group of i for j, j] if i is in that of j.

    Attributes
    ----------
    values : (n,) array
        Classes, int64, or values by which hits and misses differ, float64.
    width : float, optional
        Difference of values from which on two rows are misses; None: groups are classes.
    tables : (zones, G, n) array
        Weight of a row of each group in the zone of a row.
    """

    values: np.ndarray
    width: float | None
    tables: np.ndarray

    @cached_property
    def _ends(self) -> np.ndarray:
        """End (n,) of the stretch of rows of one value that each row is in."""
        cuts = np.append(np.flatnonzero(np.diff(self.values)) + 1, len(self.values))
        return cuts[np.searchsorted(cuts, np.arange(len(self.values)), side="right")]

    def fill(self, bits: np.ndarray, origin: tuple[int, int], bounds: TileBounds, V: np.ndarray) -> None:
        """Set the weights of a tile, 0 for all other places."""
        V[:] = 0
        for of_zone, table in zip(bits, self.tables, strict=True):
            if self.width is None:
                _weigh_by_class(of_zone, origin, bounds, self.values, self._ends, table, V)
            else:
                _weigh_by_misses(of_zone, origin, bounds, self.values, self.width, table, V)


@dataclass(frozen=True, eq=False)
class ProductWeights:
    """Weights of near rows for one target: left_i . right_j if j is in the zone of i, plus left_j . right_i.

    Attributes
    ----------
    left : (q, n) array
        Numbers of the rows, as in `ProductRelation`.
    right : (q, n) array
        Numbers of their neighbours.
    """

    left: np.ndarray
    right: np.ndarray

    def fill(self, bits: np.ndarray, origin: tuple[int, int], bounds: TileBounds, V: np.ndarray) -> None:
        """Set the weights of a tile, 0 for all other places."""
        V[:] = 0
        _weigh_by_products(bits[0], origin, bounds, self.left, self.right, V)


def product_weights(zones: Zones, relation: ProductRelation) -> ProductWeights:
    """Weights that are products, after a pass over the bits for the sums over zones."""
    right = relation.right

    def sums_of_part(part: int) -> np.ndarray:
        sums = np.zeros_like(right)
        for bits, origin, bounds_of_tiles in zones.visit(part):
            for bounds in bounds_of_tiles:
                _add_sums(bits[0], origin, bounds, right, sums)
        return sums

    return ProductWeights(relation.left(zones.pairs.total(sums_of_part)), right)


def group_weights(relation: Relation, tables: Sequence[np.ndarray]) -> GroupWeights:
    """Weights by the groups of a relation, and for each zone those (G, n) of a row of each group."""
    if isinstance(relation, ClassGroups):
        return GroupWeights(relation.classes.astype(np.int64), None, np.array(tables))
    values, width = cast("HitsAndMisses", relation).rule
    return GroupWeights(values.astype(np.float64), float(width), np.array(tables))


@dataclass(frozen=True, eq=False)
class WeighedZones:
    """Pairs in zones, part by part, with their weights for one target."""

    zones: Zones
    weights: GroupWeights | ProductWeights

    @property
    def visitor(self) -> FoldedPairs:
        """Visitor of the weighed pairs of a part: as lists, or as tiles.

        Sparse and packed data are summed by tiles: their sums look at whole blocks of rows at once.
        """
        features = self.zones.pairs.features
        return self.tiles if features.is_sparse or features.packed else self.lists

    def lists(self, part: int) -> Iterator[PairList]:
        """Visit the pairs of a part; each list is valid until the next one."""
        buffer = PairBuffer.of(*self.zones.pairs.distance.tile_shape, 1, 0, self.zones.pairs.features.values.dtype)
        for bits, origin, (V, bounds) in self._weighed(part):
            pairs = buffer.pairs(_list_pairs(bits, origin, bounds, V, buffer))
            if len(pairs.cols):
                yield pairs

    def tiles(self, part: int) -> Iterator[WeightTile]:
        """Visit the pairs of a part as tiles of weights; each is valid until the next one."""
        for _, _, tile in self._weighed(part):
            yield tile

    def _weighed(self, part: int) -> Iterator[tuple[np.ndarray, tuple[int, int], WeightTile]]:
        """Visit the tiles of a part: bits with their origin, and weights."""
        V = aligned(self.zones.pairs.distance.tile_shape, self.zones.pairs.features.values.dtype)
        for bits, origin, bounds in visit_tiles(self.zones, part):
            self.weights.fill(bits, origin, bounds, V)
            yield bits, origin, WeightTile(V, bounds)


def visit_tiles(zones: Zones, part: int) -> Iterator[tuple[np.ndarray, tuple[int, int], TileBounds]]:
    """Visit the tiles of a part one by one: bits with their origin, and where each of them is."""
    for bits, origin, bounds_of_tiles in zones.visit(part):
        for i0, i1, j0, j1 in bounds_of_tiles.tolist():
            yield bits, origin, (i0, i1, j0, j1)
            if zones.bits is not None:  # else what makes them counts the pairs
                zones.pairs.work.tick((i1 - i0) * (j1 - j0))


@dataclass(frozen=True, eq=False)
class TargetWeights:
    """Weights for T targets by groups, as those of `GroupWeights` for each of them.

    Attributes
    ----------
    values : (n, T) array
        Classes, int32, or values by which hits and misses differ, float64.
    widths : (T,) float64 array, optional
        Differences of values from which on two rows are misses; None: groups are classes.
    tables : (zones, n, G * T) array
        Weight of a row of group g for target t, at g * T + t, in the zone of a row.
    """

    values: np.ndarray
    widths: np.ndarray | None
    tables: np.ndarray

    @classmethod
    def of(cls, relations: Sequence[Relation], tables: Sequence[Sequence[np.ndarray]]) -> "TargetWeights":
        """Weights for the targets of T relations, all of them by class or none, and of tables (G, n) for each target
        and zone."""
        by_zone = np.array(tables).transpose(1, 3, 2, 0)  # (T, zones, G, n) -> (zones, n, G, T)
        flat = np.ascontiguousarray(by_zone).reshape(*by_zone.shape[:2], -1)
        if isinstance(relations[0], ClassGroups):
            classes = [cast("ClassGroups", relation).classes for relation in relations]
            return cls(np.stack(classes, axis=1).astype(np.int32), None, flat)
        rules = [cast("HitsAndMisses", relation).rule for relation in relations]
        values = np.stack([rule.values for rule in rules], axis=1)
        widths = np.array([rule.width for rule in rules], np.float64)
        return cls(values.astype(np.float64), widths, flat)

    def lists(self, zones: Zones, part: int) -> Iterator[PairList]:
        """Visit the pairs of a part, up to BLOCK rows at a time; each list is valid until the next one."""
        width = zones.pairs.distance.tile_shape[1]
        dtype = zones.pairs.features.values.dtype
        buffer = PairBuffer.of(BLOCK, width, self.values.shape[1], len(zones.near_and_far), dtype)
        for bits, origin, (first, last, j0, j1) in visit_tiles(zones, part):
            for i0 in range(first, last, BLOCK):
                n_rows = _list_pairs(bits, origin, (i0, min(i0 + BLOCK, last), j0, j1), None, buffer)
                pairs = buffer.pairs(n_rows)
                if len(pairs.cols):
                    _weigh_targets(*pairs, buffer.memberships, self.values, self.widths, self.tables)
                    yield pairs


@kernel
def _weigh_by_class(bits, origin, bounds, classes, ends, table, V):
    """Add the formula of `GroupWeights` for one zone to V[i - i0, j - j0]: stretches of rows of one class at a time.

    bits : (2, h, words), of the zone; origin : their first row and word.
    classes : (n,); ends : (n,), end of the stretch of rows of one class that each row is in.
    table : (G, n), weight of a row of each group in the zone of a row.
    """
    i0, i1, j0, j1 = bounds
    top, left = origin
    zero = table[0, 0] * 0
    one = np.uint64(1)
    for i in range(i0, i1):
        j = max(j0, i + 1)
        while j < j1:
            word = j // WORD
            shift = np.uint64(j % WORD)
            in_zone_of_i = bits[0, i - top, word - left] >> shift
            in_zone_of_j = bits[1, i - top, word - left] >> shift
            stop = min(ends[j], word * WORD + WORD, j1)
            of_i = table[classes[j], i]
            of_j = table[classes[i], j:stop]
            weights = V[i - i0, j - j0 : stop - j0]
            for q in range(len(weights)):
                weights[q] += (of_i if (in_zone_of_i >> np.uint64(q)) & one else zero) + (
                    of_j[q] if (in_zone_of_j >> np.uint64(q)) & one else zero
                )
            j = stop


@kernel
def _weigh_by_misses(bits, origin, bounds, values, width, table, V):
    """Add the formula of `GroupWeights` for one zone, hits and misses to V[i - i0, j - j0].

    bits, origin, table : as those of `_weigh_by_class`.
    values : (n,); two rows are a miss if their values differ by at least `width`.
    """
    i0, i1, j0, j1 = bounds
    top, left = origin
    zero = table[0, 0] * 0
    one = np.uint64(1)
    for i in range(i0, i1):
        j = max(j0, i + 1)
        hit_of_i = table[0, i]
        miss_of_i = table[1, i]
        value = values[i]
        while j < j1:
            word = j // WORD
            shift = np.uint64(j % WORD)
            in_zone_of_i = bits[0, i - top, word - left] >> shift
            in_zone_of_j = bits[1, i - top, word - left] >> shift
            stop = min(word * WORD + WORD, j1)
            hit_of_j = table[0, j:stop]
            miss_of_j = table[1, j:stop]
            values_of_j = values[j:stop]
            weights = V[i - i0, j - j0 : stop - j0]
            for q in range(len(weights)):
                is_miss = abs(value - values_of_j[q]) >= width
                of_i, of_j = (miss_of_i, miss_of_j[q]) if is_miss else (hit_of_i, hit_of_j[q])
                weights[q] += (of_i if (in_zone_of_i >> np.uint64(q)) & one else zero) + (
                    of_j if (in_zone_of_j >> np.uint64(q)) & one else zero
                )
            j = stop


@kernel
def _weigh_by_products(bits, origin, bounds, left_of, right, V):
    """Set V[i - i0, j - j0] to the formula of `ProductWeights`; bits, origin: as those of `_weigh_by_class`."""
    i0, i1, j0, j1 = bounds
    top, left = origin
    one = np.uint64(1)
    of_i = np.empty(WORD)  # left_i . right_j for the rows j of a word
    of_j = np.empty(WORD)  # left_j . right_i
    for i in range(i0, i1):
        j = max(j0, i + 1)
        while j < j1:
            word = j // WORD
            shift = np.uint64(j % WORD)
            in_zone_of_i = bits[0, i - top, word - left] >> shift
            in_zone_of_j = bits[1, i - top, word - left] >> shift
            stop = min(word * WORD + WORD, j1)
            weights = V[i - i0, j - j0 : stop - j0]
            of_i[:] = 0
            of_j[:] = 0
            for k in range(len(right)):
                left_of_i = left_of[k, i]
                right_of_i = right[k, i]
                right_of_j = right[k, j:stop]
                left_of_j = left_of[k, j:stop]
                for q in range(len(weights)):
                    of_i[q] += left_of_i * right_of_j[q]
                    of_j[q] += right_of_i * left_of_j[q]
            for q in range(len(weights)):
                weights[q] = (of_i[q] if (in_zone_of_i >> np.uint64(q)) & one else 0.0) + (
                    of_j[q] if (in_zone_of_j >> np.uint64(q)) & one else 0.0
                )
            j = stop


@kernel
def _list_pairs(bits, origin, bounds, V, buffer):
    """List the pairs of a tile that are in any zone, BLOCK rows by BLOCK columns at a time.

    bits : (zones, 2, h, words); origin : their first row and word.
    V : weights V[i - i0, j - j0] of the pairs, for one target; None: the zones that the pairs are in are noted instead.
    buffer : PairBuffer, which is written.

    Returns the number of rows of the list.
    """
    i0, i1, j0, j1 = bounds
    top, left = origin
    rows, starts, cols, weights, memberships = buffer
    one = np.uint64(1)
    zero = np.uint64(0)
    n_rows = 0
    q = 0
    for first in range(i0, i1, BLOCK):
        last = min(first + BLOCK, i1)
        for word in range(max(j0, first + 1) // WORD, (j1 + WORD - 1) // WORD):
            for i in range(first, min(last, word * WORD + WORD - 1)):
                unlisted = zero
                for z in range(len(bits)):
                    unlisted |= bits[z, 0, i - top, word - left] | bits[z, 1, i - top, word - left]
                if not unlisted:
                    continue
                rows[n_rows] = i
                starts[n_rows] = q
                n_rows += 1
                while unlisted:
                    lowest = popcount((unlisted & (~unlisted + one)) - one)  # place of the lowest bit
                    unlisted &= unlisted - one
                    j = np.uint64(word * WORD) + lowest
                    cols[q] = j
                    if V is not None:  # decided when the kernel is compiled
                        weights[q, 0] = V[i - i0, j - np.uint64(j0)]
                    else:
                        for z in range(len(bits)):
                            in_zone_of_i = (bits[z, 0, i - top, word - left] >> lowest) & one
                            in_zone_of_j = (bits[z, 1, i - top, word - left] >> lowest) & one
                            memberships[q, z] = in_zone_of_i | in_zone_of_j << one
                    q += 1
    starts[n_rows] = q
    return n_rows


@kernel
def _weigh_targets(rows, starts, cols, weights, memberships, values, widths, tables):
    """Set the weights (pairs, T) by the formula of `TargetWeights`.

    Group by group, because a register of targets cannot look up a table.

    rows, starts, cols : as in `PairList`.
    memberships : as in `PairBuffer`.
    values, widths, tables : as in `TargetWeights`.
    """
    n_targets = values.shape[1]
    n_groups = tables.shape[2] // n_targets
    none = weights.dtype.type(0)
    for b in range(len(rows)):
        i = rows[b]
        value_of_i = values[i]
        for q in range(starts[b], starts[b + 1]):
            j = cols[q]
            w = weights[q]
            value_of_j = values[j]
            w[:] = 0
            for z in range(len(tables)):
                in_zone_of_i = weights.dtype.type(memberships[q, z] & 1)
                in_zone_of_j = weights.dtype.type(memberships[q, z] >> 1)
                for g in range(n_groups):
                    of_group = slice(g * n_targets, (g + 1) * n_targets)
                    of_i = tables[z, i, of_group]
                    of_j = tables[z, j, of_group]
                    if widths is None:
                        for t in range(n_targets):
                            w[t] += in_zone_of_i * (of_i[t] if value_of_j[t] == g else none)
                            w[t] += in_zone_of_j * (of_j[t] if value_of_i[t] == g else none)
                    else:
                        for t in range(n_targets):
                            group = 1 if abs(value_of_i[t] - value_of_j[t]) >= widths[t] else 0
                            w[t] += (in_zone_of_i * of_i[t] + in_zone_of_j * of_j[t]) if group == g else none


@kernel
def _add_sums(bits, origin, bounds, right, out):
    """Add the sums of `right` (q, n) over the rows in the zone of each row to out (q, n); bits, origin: as above."""
    i0, i1, j0, j1 = bounds
    top, left = origin
    one = np.uint64(1)
    for i in range(i0, i1):
        j = max(j0, i + 1)
        while j < j1:
            word = j // WORD
            shift = np.uint64(j % WORD)
            in_zone_of_i = bits[0, i - top, word - left] >> shift
            in_zone_of_j = bits[1, i - top, word - left] >> shift
            stop = min(word * WORD + WORD, j1)
            for k in range(len(right)):
                values = right[k, j:stop]
                sums = out[k, j:stop]
                value = right[k, i]
                total = 0.0
                for q in range(len(values)):
                    total += values[q] if (in_zone_of_i >> np.uint64(q)) & one else 0.0
                for q in range(len(values)):
                    sums[q] += value if (in_zone_of_j >> np.uint64(q)) & one else 0.0
                out[k, i] += total
            j = stop
