"""Rows within a radius, which weigh more the farther they are from its edge.

The neighbourhood of SWRF, MultiSWRF and their variants in `core/methods/relief_family.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, cast

import numpy as np

from ..formats.lists import chosen
from .base import EMPTY_AS_ZERO, GROUPS, SIGNS, FoldedPairs, ListBlock, ListBlocks, Neighbourhood, Produces
from .moments import moments
from .relations import Relation, SignedGroups
from .row_pairs import RowPairs
from .sigmoid import STEEPNESS

# Share of the mean distance within which a distance is on a limit.  Even in single precision distances are better than
# that, and a row that near to the limit would weigh next to nothing.
ON_LIMIT = 1e-6


class SmoothZone(NamedTuple):
    """Zone of each row: which distances are in it, and how fast the influence grows behind the limit.

    Attributes
    ----------
    sign : float
        1: distances below the limit are inside; -1: those above it.
    limit : (n,) array
        Limit of each row.
    steepness : (n,) array
        2 / S; 0 for a row whose distances do not differ.
    margin : (n,) array
        Difference from the limit that a distance has to have.
    """

    sign: float
    limit: np.ndarray
    steepness: np.ndarray
    margin: np.ndarray

    def influence(self, distances: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Influence f (...), 0 outside, by the limits of these rows, whose shape broadcasts with the distances."""
        depth = self.sign * (self.limit[rows] - distances)
        return np.where(depth > self.margin[rows], np.tanh(self.steepness[rows] * depth), 0.0)


@dataclass(frozen=True)
class SmoothRadius(Neighbourhood):
    """The rows of `Radius`, with an influence f = tanh(2 |d - limit| / S) that grows from 0 at the limit.

    Rows nearer than T - width * S count, with `far` also those farther than T + width * S, with the opposite sign.
    A group of neighbours is the mean over its rows, weighed with f: sum of f * diff / sum of f.

    Kazemi-Nia et al. (2026), SWRF, MultiSWRF and MultiSWRFDB, by the code of their software, scikit-rebate 0.8.4.  The
    influence is the sigmoid 2 / (1 + exp(-4 |d - limit| / S)) - 1 of Stokes and Visweswaran (2012).

    That software divides by the number of rows of a group instead of the sum of f.  But hits are nearer than misses
    wherever any feature matters, and so have more influence: then the score of a feature that does not matter is below
    0 there, by the difference of the mean influences times its mean diff.

    Attributes
    ----------
    width : float
        Half of the dead band, in deviations S; at least 0.
    far : bool
        True if far rows count, too (the methods with a star).
    over_all_pairs : bool
        True if mean and standard deviation of distances, T and S, are those of all pairs (SWRF), not of the
        row (MultiSWRF).
    """

    width: float = 0.0
    far: bool = False
    over_all_pairs: bool = False

    requires = frozenset({GROUPS, SIGNS, EMPTY_AS_ZERO})
    produces = Produces.TILES

    def plan(self, pairs: RowPairs, row_wise: bool) -> float:
        return pairs.planned(3, row_wise)

    def folded_pairs(self, pairs: RowPairs, relation: Relation) -> FoldedPairs:
        zones = self._zones(pairs)
        totals = pairs.total(partial(_sums_of_influence, pairs, relation, zones))
        halves = len(zones)  # divisor by which scores lie in [-1, 1]
        tables = []
        for zone, total in zip(zones, totals, strict=True):
            signs = cast("SignedGroups", relation).signs(total.T > 0, np.arange(pairs.n)).T
            table = zone.sign * signs / np.where(total > 0, total, 1) / (pairs.m * halves)
            table[:, pairs.m :] = 0  # of rows that are no target rows
            tables.append(table)

        def weigh(distances: np.ndarray, bounds: tuple[int, int, int, int], V: np.ndarray) -> None:
            i, j, d = _corner(distances, bounds)
            weights = np.zeros(d.shape)
            for zone, table in zip(zones, tables, strict=True):
                weights += zone.influence(d, i) * table[relation.groups(i, j), i]
                weights += zone.influence(d, j) * table[relation.groups(j, i), j]
            V[:] = 0
            V[: d.shape[0], : d.shape[1]] = np.where(i < j, weights, 0)

        return partial(pairs.weighed, weigh)

    def list_blocks(self, pairs: RowPairs, relation: Relation) -> ListBlocks:
        return partial(self._blocks, pairs, relation, self._zones(pairs))

    def _blocks(self, pairs: RowPairs, relation: Relation, zones: list[SmoothZone], part: int) -> Iterator[ListBlock]:
        halves = len(zones)  # divisor by which scores lie in [-1, 1]
        group_numbers = np.arange(relation.n_groups)[:, None]
        for distances, rows in pairs.strips(part):
            groups = np.broadcast_to(relation.groups(rows[:, None], np.arange(pairs.n)), distances.shape)
            for zone in zones:
                influence = zone.influence(distances, rows[:, None])
                influence[np.arange(len(rows)), rows] = 0
                weights = np.where(groups[:, None] == group_numbers, influence[:, None], 0)
                yield ListBlock(zone.sign / halves, chosen(rows, weights, distances))

    def _zones(self, pairs: RowPairs) -> list[SmoothZone]:
        """The near zone and, if it counts, the far one."""
        mean, deviation = moments(pairs, self.over_all_pairs)
        steepness = np.divide(STEEPNESS, deviation, out=np.zeros(pairs.n), where=deviation > 0)
        limits = (1.0, mean - self.width * deviation), (-1.0, mean + self.width * deviation)
        return [SmoothZone(sign, limit, steepness, ON_LIMIT * mean) for sign, limit in limits[: 1 + self.far]]


def _sums_of_influence(pairs: RowPairs, relation: Relation, zones: list[SmoothZone], part: int) -> np.ndarray:
    """Sums (zones, G, n) of the influence of the rows of each group in the zones of each row, over the tiles of a
    part."""
    sums_of_zones = np.zeros((len(zones), relation.n_groups, pairs.n))
    for tiles, bounds_of_tiles in pairs.tile_stacks(part):
        for tile, bounds in zip(tiles, bounds_of_tiles.tolist(), strict=True):
            i, j, d = _corner(tile, (*bounds,))
            above = i < j
            for zone, sums_of_zone in zip(zones, sums_of_zones, strict=True):
                for rows, cols in ((i, j), (j, i)):
                    influence = np.where(above, zone.influence(d, rows), 0)
                    cells = np.broadcast_to(relation.groups(rows, cols) * np.int64(pairs.n) + rows, d.shape)
                    sums_of_zone += np.bincount(cells.ravel(), influence.ravel(), sums_of_zone.size).reshape(
                        sums_of_zone.shape
                    )
    return sums_of_zones


def _corner(tile: np.ndarray, bounds: tuple[int, int, int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows (b, 1) and columns (1, q) of a tile, and its distances (b, q)."""
    i0, i1, j0, j1 = bounds
    return np.arange(i0, i1)[:, None], np.arange(j0, j1)[None], tile[: i1 - i0, : j1 - j0]
