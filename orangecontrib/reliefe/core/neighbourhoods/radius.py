"""Neighbourhoods with a threshold instead of k: rows nearer, or farther, than a limit.

Passes over the tiles: moments of the distances, numbers of neighbours of each row, then the weights themselves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

import numpy as np

from ..forms.double_precision import Zone
from ..forms.lists import Neighbours, chosen
from ..kernels.jit import kernel
from .base import EMPTY_AS_ZERO, GROUPS, SIGNS, TILES, Blocks, Neighbourhood, Relation, Signs, Weigh
from .pairs import Pairs, moments, settled_moments
from .products import weights_of_products, zone_masks

ON_LIMIT = 1e-12  # share of the mean distance within which a distance is on a limit: neither near nor far
# Distances that near to the limit of one row, and share of the rows with any of them, that are no accident
NO_ACCIDENT, NO_ACCIDENT_SHARE = 3, 0.05


@dataclass(frozen=True)
class Radius(Neighbourhood):
    """Rows nearer than T - width * S; with `far` also those farther than T + width * S, with the opposite sign.

    A distance within ON_LIMIT * T of a limit is on it and counts for neither side: roundings do not decide.

    References
    ----------
    Greene et al. (2009; 2010), SURF and SURF*.  Granizo-Mackenzie and Moore (2013), MultiSURF*.  Urbanowicz et al.
    (2018), MultiSURF.
    """

    width: float = 0.5  # half of the dead band, in deviations S; at least 0
    far: bool = False  # whether far rows count, too (the methods with a star)
    # T and S, mean and standard deviation of distances, are those of all pairs (SURF) instead of the row (MultiSURF)
    whole: bool = False
    unit: bool = True  # whether scores of near and far rows are halved, so that they lie in [-1, 1]
    known: tuple[list[Zone], list[np.ndarray]] | None = field(default=None, compare=False)  # zones that were settled

    requires = frozenset({GROUPS, SIGNS, EMPTY_AS_ZERO})
    form = TILES
    has_zones = True
    revisits = True

    def plan(self, pairs: Pairs, row_wise: bool) -> float:
        """Number of pairs that will be looked at."""
        return pairs.planned(2 if self._known_mean(pairs) is not None else 3, row_wise)

    def tiles(self, pairs: Pairs, relation: Relation) -> Weigh:
        """Weights of tiles, after two passes for limits and numbers of neighbours."""
        return self.weigh_zones(pairs, relation, *self.settled_zones(pairs, relation))

    def weigh_zones(self, pairs: Pairs, relation: Relation, zones: list[Zone], counts: list[np.ndarray]) -> Weigh:
        """Weights of tiles, by zones with numbers of rows."""
        if relation.products:
            return weights_of_products(pairs, relation.products, partial(self._masks, pairs, zones[0]))
        tables = self.tables(pairs, relation, [zone.side for zone in zones], counts)
        return partial(self._weigh, pairs, relation, zones, tables)

    def settled(self, pairs: Pairs, relation: Relation) -> "Radius":
        return replace(self, known=self.settled_zones(pairs, relation))

    def settled_zones(self, pairs: Pairs, relation: Relation) -> tuple[list[Zone], list[np.ndarray]]:
        """Zones whose limits are as good as double precision makes them where that matters, and the numbers of rows of
        each group (G, n) in each of them."""
        if self.known is not None:
            return self.known
        mean, deviation = self._moments(pairs)
        zones = self._zones(pairs, mean, deviation)
        *counts, found = pairs.total(lambda part: self._counts(pairs, relation, zones, part))
        doubtful = self._doubtful(pairs, found.sum(axis=0))
        if len(doubtful):
            mean[doubtful], deviation[doubtful] = settled_moments(pairs, doubtful, self.whole)
            zones = self._zones(pairs, mean, deviation)
            *counts, _ = pairs.total(lambda part: self._counts(pairs, relation, zones, part))
        return zones, counts

    def tables(
        self, pairs: Pairs, relation: Relation, sides: Sequence[float], counts: Sequence[np.ndarray]
    ) -> list[np.ndarray]:
        """Weights (G, n) of a row of a group in each zone of a row.

        Shapes: `counts` (G, n).
        """
        tables, halves = [], len(sides) if self.unit else 1
        for side, count in zip(sides, counts, strict=True):
            signs = cast("Signs", relation.signs)(count.T > 0, np.arange(pairs.n)).T
            tables.append(side * signs / np.maximum(count, 1) / (pairs.m * halves))
            tables[-1][:, pairs.m :] = 0
        return [table.astype(pairs.features.values.dtype) for table in tables]

    def blocks(self, pairs: Pairs, relation: Relation) -> Blocks:
        """The plain form: lists of near rows, then of far ones, some rows after another."""
        return partial(self._blocks, pairs, relation, self._zones(pairs, *self._moments(pairs)))

    def _moments(self, pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
        """Mean (n,) T and deviation (n,) S."""
        mean = self._known_mean(pairs)
        return moments(pairs, self.whole) if mean is None else (np.full(pairs.n, mean), np.zeros(pairs.n))

    def _zones(self, pairs: Pairs, mean: np.ndarray, deviation: np.ndarray) -> list[Zone]:
        """The near zone and, if they count, the far one; rows that are no targets have none."""
        band, on_limit = self.width * deviation, ON_LIMIT * mean
        limits = [(1.0, mean - band - on_limit), (-1.0, -(mean + band) - on_limit)][: 1 + self.far]
        for _, limit in limits:
            limit[pairs.m :] = -np.inf
        return [Zone(side, limit, mean, pairs.distance.dtype) for side, limit in limits]

    def _doubtful(self, pairs: Pairs, found: np.ndarray) -> np.ndarray:
        """Rows whose limits need more digits than distances in single precision give; found (n,): distances so near to
        these limits."""
        some = np.flatnonzero(
            found[: pairs.m] >= (NO_ACCIDENT if np.count_nonzero(found) < NO_ACCIDENT_SHARE * pairs.m else 1)
        )
        return np.arange(pairs.n) if self.whole and len(some) else some

    def _known_mean(self, pairs: Pairs) -> float | None:
        return pairs.mean_distance if self.whole and self.width == 0 else None

    @staticmethod
    def _counts(pairs: Pairs, relation: Relation, zones: list[Zone], part: int) -> np.ndarray:
        """Numbers of rows in each zone, (zones + 1, G, n); the last are of those so near to a limit that more digits of
        it matter."""
        out = np.zeros((len(zones) + 1, relation.n_groups, pairs.n))
        for tiles, wheres in pairs.blocks(part):
            groups = [relation.tile(where) for where in wheres]
            for zone, count in zip(zones, out[:-1], strict=True):
                limits = zone.side_in_tile_dtype, zone.limit_in_tile_dtype
                if pairs.double and pairs.settles:
                    pairs.double.settle_tiles(tiles, wheres, zone, out[-1, 0])
                if groups[0] is None:
                    _count_classes(tiles, wheres, *limits, pairs.groups, pairs.ends, count)
                else:
                    for d, where, group in zip(tiles, wheres, groups, strict=True):
                        _count_hits(d, where, *limits, group, count)
        return out

    @staticmethod
    def _masks(pairs: Pairs, zone: Zone, d: np.ndarray, where: np.ndarray, masks: np.ndarray) -> None:
        if pairs.double and pairs.settles and not pairs.distance.keeps((*where.tolist(),)):
            pairs.double.settle_tiles(d[None], where[None], zone, np.zeros(pairs.n))
        zone_masks(d, where, zone.side_in_tile_dtype, zone.limit_in_tile_dtype, masks)

    @staticmethod
    def _weigh(
        pairs: Pairs,
        relation: Relation,
        zones: list[Zone],
        tables: list[np.ndarray],
        d: np.ndarray,
        where: tuple[int, int, int, int],
        V: np.ndarray,
    ) -> None:
        groups = relation.tile(where)
        for first, (zone, table) in enumerate(zip(zones, tables, strict=True)):
            # what was settled for one limit may be on the wrong side of another one that is as good as the same number
            again = pairs.settles and (len(zones) > 1 or not pairs.distance.keeps(where))
            if pairs.double and again:
                pairs.double.settle_tiles(d[None], np.array([where]), zone, np.zeros(pairs.n))
            limits = zone.side_in_tile_dtype, zone.limit_in_tile_dtype
            if groups is None:
                _weigh_classes(d, where, *limits, pairs.groups, pairs.ends, table, first == 0, V)
            else:
                _weigh_hits(d, where, *limits, groups, table, first == 0, V)

    def _blocks(
        self, pairs: Pairs, relation: Relation, zones: list[Zone], part: int
    ) -> Iterator[tuple[float, Neighbours]]:
        halves = len(zones) if self.unit else 1
        for distances, rows in pairs.strips(part):
            groups = relation.of(rows[:, None], np.arange(pairs.n))
            every = np.arange(relation.n_groups)[:, None]
            for zone in zones:
                if pairs.double:
                    pairs.double.settle_band(distances, rows, zone.side * zone.limit[rows, None])
                inside = zone.side * distances < zone.limit[rows, None]
                inside[np.arange(len(rows)), rows] = False
                near = chosen(rows, (inside[:, None] & (groups[:, None] == every)).astype(float), distances)
                yield zone.side / halves, near


@kernel
def _count_classes(tiles, wheres, sign, limit, groups, ends, count):
    """Rows of each class in the zone of each row, added to count (G, n)."""
    for b in range(len(tiles)):
        _count_tile(tiles[b], wheres[b], sign, limit, groups, ends, count)


@kernel
def _count_tile(D, where, sign, limit, groups, ends, count):
    """The same for one tile, a stretch of columns of one class after another."""
    i0, i1, j0, j1 = where
    for i in range(i0, i1):
        j = max(j0, i + 1)
        while j < j1:
            g, stop, mine, hits = groups[j], min(ends[j], j1), limit[i], 0
            d, limits, own = D[i - i0, j - j0 : stop - j0], limit[j:stop], count[groups[i], j:stop]
            for q in range(len(d)):
                hits += sign * d[q] < mine
            for q in range(len(d)):
                own[q] += 1.0 if sign * d[q] < limits[q] else 0.0
            count[g, i] += hits
            j = stop


@kernel
def _weigh_classes(D, where, sign, limit, groups, ends, table, anew, V):
    """Weights V[i - i0, j - j0], set (anew) or added: of j for i plus of i for j; table (G, n): weight of a class for a
    row."""
    (i0, i1, j0, j1), zero = where, table[0, 0] * 0
    if anew:
        V[:] = 0
    for i in range(i0, i1):
        j = max(j0, i + 1)
        while j < j1:
            w, stop, mine = table[groups[j], i], min(ends[j], j1), limit[i]
            d, limits, own, out = (
                D[i - i0, j - j0 : stop - j0],
                limit[j:stop],
                table[groups[i], j:stop],
                V[i - i0, j - j0 : stop - j0],
            )
            for q in range(len(d)):
                out[q] += (w if sign * d[q] < mine else zero) + (own[q] if sign * d[q] < limits[q] else zero)
            j = stop


@kernel
def _count_hits(D, where, sign, limit, kinds, count):
    """Hits (kind 0) and misses (1) in the zone of each row, added to count (2, n); both rows see them alike."""
    i0, i1, j0, j1 = where
    for i in range(i0, i1):
        j = max(j0, i + 1)
        if j >= j1:
            continue
        d, kind, limits, mine, hits, misses = (
            D[i - i0, j - j0 : j1 - j0],
            kinds[i - i0, j - j0 : j1 - j0],
            limit[j:j1],
            limit[i],
            0,
            0,
        )
        hit, miss = count[0, j:j1], count[1, j:j1]
        for q in range(len(d)):
            inside = sign * d[q] < mine
            misses += inside & (kind[q] == 1)
            hits += inside & (kind[q] == 0)
        for q in range(len(d)):
            inside = sign * d[q] < limits[q]
            miss[q] += 1.0 if inside & (kind[q] == 1) else 0.0
            hit[q] += 1.0 if inside & (kind[q] == 0) else 0.0
        count[0, i] += hits
        count[1, i] += misses


@kernel
def _weigh_hits(D, where, sign, limit, kinds, table, anew, V):
    """The same weights where pairs are hits (kind 0) or misses (1); table (2, n)."""
    (i0, i1, j0, j1), zero = where, table[0, 0] * 0
    if anew:
        V[:] = 0
    for i in range(i0, i1):
        j = max(j0, i + 1)
        for q in range(j - j0, j1 - j0):
            d, kind = D[i - i0, q], kinds[i - i0, q]
            V[i - i0, q] += (table[kind, i] if sign * d < limit[i] else zero) + (
                table[kind, j0 + q] if sign * d < limit[j0 + q] else zero
            )
