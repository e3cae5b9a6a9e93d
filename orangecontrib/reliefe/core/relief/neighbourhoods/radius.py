"""Neighbourhoods with a threshold instead of k: rows nearer, or farther, than a limit.

Passes over the tiles: moments of the distances, numbers of neighbours of each row, then the weights themselves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

import numpy as np

from .base import EMPTY_AS_ZERO, GROUPS, SIGNS, FoldedPairs, ListBlock, ListBlocks, Neighbourhood, Produces
from .moments import exact_moments, exact_moments_of_rows, moments_of_steps
from .relations import ProductRelation, Relation, SignedGroups
from .row_pairs import RowPairs
from .zone_pairs import WeighedZones, group_weights, product_weights
from .zones import Zone, Zones

ON_LIMIT = 1e-12  # share of the mean distance within which a distance is on a limit: neither near nor far
# Rows in which the error of limits by steps is measured, and how many times as large it is hardly anywhere
SAMPLED_ROWS, NOISE_DEVIATIONS = 16, 4.0
# Rows times targets times features up to which moments of rows are exact from the start: it takes a millisecond, less
# than to find the rows whose limits are in doubt
FEW_VALUES = 2**22
SUM_ERROR = 1e-9  # share of the mean of all distances that the sums of their steps may be off by

ZoneLimits = list[tuple[float, np.ndarray]]


@dataclass(frozen=True)
class Radius(Neighbourhood):
    """Rows nearer than T - width * S; with `far` also those farther than T + width * S, with the opposite sign.

    Of rows with weights w, T_i = sum_j w_j d_ij / sum_j w_j and S_i^2 = sum_j w_j d_ij^2 / sum_j w_j - T_i^2, j != i;
    with `whole` these sums are over all pairs, weighted by w_i w_j.

    A distance within ON_LIMIT * T of a limit is on it and counts for neither side: roundings do not decide.

    Greene et al. (2009; 2010), SURF and SURF*.  Granizo-Mackenzie and Moore (2013), MultiSURF*.  Urbanowicz et al.
    (2018), MultiSURF.
    """

    width: float = 0.5  # half of the dead band, in deviations S; at least 0
    far: bool = False  # whether far rows count, too (the methods with a star)
    # T and S, mean and standard deviation of distances, are those of all pairs (SURF) instead of the row (MultiSURF)
    whole: bool = False
    unit: bool = True  # whether scores of near and far rows are halved, so that they lie in [-1, 1]
    known: tuple[Zones, np.ndarray] | None = field(default=None, compare=False)  # zones that were settled

    requires = frozenset({GROUPS, SIGNS, EMPTY_AS_ZERO})
    produces = Produces.ZONES

    def plan(self, pairs: RowPairs, row_wise: bool) -> float:
        return pairs.planned(2 if self._known_mean(pairs) is not None else 3, row_wise)

    def weighted(self) -> "Radius":
        return self

    def folded_pairs(self, pairs: RowPairs, relation: Relation) -> FoldedPairs:
        """Weighed pairs, after two passes for limits and numbers of neighbours."""
        return self.weigh_zones(relation, *self.settled_zones(pairs, relation))

    def weigh_zones(self, relation: Relation, zones: Zones, counts: np.ndarray) -> FoldedPairs:
        """Weighed pairs of zones with numbers of rows."""
        if isinstance(relation, ProductRelation):
            return WeighedZones(zones, product_weights(zones, relation)).visitor
        tables = self.tables(zones.pairs, relation, [zone.side for zone in zones.each], counts)
        return WeighedZones(zones, group_weights(relation, tables)).visitor

    def settled(self, pairs: RowPairs, relation: Relation) -> "Radius":
        return replace(self, known=self.settled_zones(pairs, relation))

    def settled_zones(self, pairs: RowPairs, relation: Relation) -> tuple[Zones, np.ndarray]:
        """Zones whose limits are as good as double precision makes them where that matters, and the numbers of rows
        (zones, G, n) of each group in each of them."""
        if self.known is not None:
            return self.known
        limits = self._limits(*self._moments(pairs))
        zones = Zones.of(pairs, self._zones(pairs, limits, self._error(pairs, limits)))
        counts, doubts = zones.count(relation)
        doubtful = np.flatnonzero(doubts[: pairs.m])  # rows whose limits must be known better
        if not len(doubtful) or not pairs.has_few_pairs:
            return zones, counts
        if self.whole:
            limits = self._limits(*exact_moments(pairs, True))
        elif zones.bits is not None:
            zones.settle_rows(doubtful, self._limits, relation, counts)
            return zones, counts
        else:
            for (_, limit), (_, exact) in zip(
                limits, self._limits(*exact_moments_of_rows(pairs, doubtful)), strict=True
            ):
                limit[doubtful] = exact
        zones = replace(zones, each=self._zones(pairs, limits, 0.0))
        return zones, zones.count(relation)[0]

    def tables(
        self, pairs: RowPairs, relation: Relation, sides: Sequence[float], counts: np.ndarray | Sequence[np.ndarray]
    ) -> list[np.ndarray]:
        """Weights (G, n) of a row of a group in each zone of a row.

        Shapes: `counts` (zones, G, n).
        """
        tables, halves = [], len(sides) if self.unit else 1
        for side, count in zip(sides, counts, strict=True):
            signs = cast("SignedGroups", relation).signs(count.T > 0, np.arange(pairs.n)).T
            tables.append(side * signs / np.maximum(count, 1) / (pairs.m * halves))
            tables[-1][:, pairs.m :] = 0
        return [table.astype(pairs.features.values.dtype) for table in tables]

    def list_blocks(self, pairs: RowPairs, relation: Relation) -> ListBlocks:
        """The plain form: lists of near rows, then of far ones, some rows after another."""
        mean = self._known_mean(pairs)
        found = self._at_mean(pairs, mean) if mean is not None else exact_moments(pairs, self.whole)
        return partial(self._blocks, pairs, relation, self._zones(pairs, self._limits(*found), 0.0))

    @staticmethod
    def _at_mean(pairs: RowPairs, mean: float) -> tuple[np.ndarray, np.ndarray]:
        """One mean (n,) for all rows, and deviations (n,) that do not count."""
        return np.full(pairs.n, mean), np.zeros(pairs.n)

    def _moments(self, pairs: RowPairs) -> tuple[np.ndarray, np.ndarray]:
        """Mean (n,) T and deviation (n,) S, from steps where nothing tells them better."""
        mean = self._known_mean(pairs)
        if mean is not None:
            return self._at_mean(pairs, mean)
        return exact_moments(pairs, False) if self._is_small(pairs) else moments_of_steps(pairs, self.whole)

    def _is_small(self, pairs: RowPairs) -> bool:
        """True if moments of each row are exact from the start."""
        return not self.whole and pairs.n * pairs.m * pairs.p <= FEW_VALUES

    def _error(self, pairs: RowPairs, limits: ZoneLimits) -> float:
        """Error of limits by moments of steps: measured in some rows, or that of the mean of all pairs."""
        if self._known_mean(pairs) is not None or self._is_small(pairs):
            return 0.0
        if self.whole:
            steps, size = pairs.distance.steps, float(np.abs(limits[0][1]).max())
            return float((steps.error + steps.relative_error * size) / np.sqrt(pairs.n) + SUM_ERROR * size)
        rows = np.unique(np.linspace(0, pairs.m - 1, SAMPLED_ROWS).astype(int))
        exact = self._limits(*exact_moments_of_rows(pairs, rows))
        errors = np.array([limit[rows] - other for (_, limit), (_, other) in zip(limits, exact, strict=True)])
        return NOISE_DEVIATIONS * float(np.sqrt(np.mean(errors**2)))

    def _limits(self, mean: np.ndarray, deviation: np.ndarray) -> ZoneLimits:
        """Side of each zone, and the limits of the rows times the side."""
        band, on_limit = self.width * deviation, ON_LIMIT * mean
        return [(1.0, mean - band - on_limit), (-1.0, -(mean + band) - on_limit)][: 1 + self.far]

    def _zones(self, pairs: RowPairs, limits: ZoneLimits, error: float) -> list[Zone]:
        """The near zone and, if they count, the far one; rows that are no targets have none."""
        for _, limit in limits:
            limit[pairs.m :] = -np.inf
        return [Zone(side, limit, error) for side, limit in limits]

    def _known_mean(self, pairs: RowPairs) -> float | None:
        return pairs.mean_distance if self.whole and self.width == 0 else None

    def _blocks(self, pairs: RowPairs, relation: Relation, zones: list[Zone], part: int) -> Iterator[ListBlock]:
        halves = len(zones) if self.unit else 1
        for distances, rows in pairs.exact_strips(part):
            groups = relation.groups(rows[:, None], np.arange(pairs.n))
            every = np.arange(relation.n_groups)[:, None]
            for zone in zones:
                inside = (zone.side * distances < zone.limit[rows, None]) & np.isfinite(distances)
                counts = (inside[:, None] & (groups[:, None] == every)).astype(float)
                if pairs.row_weights is not None:
                    counts *= pairs.row_weights
                near = pairs.chosen(rows, counts, distances)
                yield ListBlock(zone.side / halves, near)
