"""Neighbourhoods with a threshold instead of k: rows nearer, or farther, than a limit.

The neighbourhood of SURF, MultiSURF and their variants in `core/methods/relief_family.py`.  Three passes over the tiles
give the weights of all pairs (`folded_pairs`):

1. means and deviations of the distances of each row, which its thresholds are made of (`moments.py`);
2. numbers of rows of each group within the thresholds, and the bits of the pairs (`Zones.count`);
3. weights of the pairs, from these numbers (`zone_pairs.py`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, cast

import numpy as np

from .base import EMPTY_AS_ZERO, GROUPS, SIGNS, FoldedPairs, ListBlock, ListBlocks, Neighbourhood, Produces
from .moments import exact_moments, exact_moments_of_rows, moments_of_steps
from .relations import ProductRelation, Relation, SignedGroups
from .row_pairs import RowPairs
from .zone_pairs import WeighedZones, group_weights, product_weights
from .zones import Zone, ZoneLimit, Zones

ON_LIMIT = 1e-12  # share of the mean distance within which a distance is on a limit: neither near nor far
SAMPLED_ROWS = 16  # in which the error of limits by steps is measured
NOISE_DEVIATIONS = 4.0  # times the root mean square of these errors that the error of hardly any row exceeds
# Rows times target rows times features up to which moments of rows are exact from the start: that takes a millisecond,
# less than to find the rows whose limits are in doubt
FEW_VALUES = 2**22
SUM_ERROR = 1e-9  # share of the mean of all distances that the sums of their steps may be off by


class SettledZones(NamedTuple):
    """Zones whose limits are as good as double precision makes them where that matters."""

    zones: Zones
    counts: np.ndarray  # (zones, G, n): rows of each group in the zones of each row


class Moments(NamedTuple):
    """Means and deviations of the distances of rows, T and S.

    Attributes
    ----------
    mean : (b,) array
        Mean distance of each row, T.
    deviation : (b,) array
        Standard deviation of its distances, S.
    """

    mean: np.ndarray
    deviation: np.ndarray


@dataclass(frozen=True)
class Radius(Neighbourhood):
    """Rows nearer than T - width * S; with `far` also those farther than T + width * S, with the opposite sign.

    Of rows with weights w, T_i = sum_j w_j d_ij / sum_j w_j and S_i^2 = sum_j w_j d_ij^2 / sum_j w_j - T_i^2, j != i;
    with `over_all_pairs` these sums are over all pairs, weighted by w_i w_j.

    A distance within ON_LIMIT * T of a limit is on it and counts for neither side: roundings do not decide.

    Greene et al. (2009; 2010), SURF and SURF*.  Granizo-Mackenzie and Moore (2013), MultiSURF*.  Urbanowicz et al.
    (2018), MultiSURF.

    Attributes
    ----------
    width : float
        Half of the dead band, in deviations S; at least 0.
    far : bool
        True if far rows count, too (the methods with a star).
    over_all_pairs : bool
        True if mean and standard deviation of distances, T and S, are those of all pairs (SURF), not of the
        row (MultiSURF).
    shared : SettledZones, optional
        Zones that several scorings need (`settled`); None: they are made for each scoring.
    """

    width: float = 0.5
    far: bool = False
    over_all_pairs: bool = False
    shared: SettledZones | None = field(default=None, compare=False)

    requires = frozenset({GROUPS, SIGNS, EMPTY_AS_ZERO})
    produces = Produces.ZONES

    def plan(self, pairs: RowPairs, row_wise: bool) -> float:
        return pairs.planned(2 if self._one_mean(pairs) is not None else 3, row_wise)

    def weighted(self) -> "Radius":
        return self

    def folded_pairs(self, pairs: RowPairs, relation: Relation) -> FoldedPairs:
        """Return the weighed pairs, after two passes for limits and numbers of neighbours."""
        return self.weigh_zones(relation, *self.settled_zones(pairs, relation))

    def weigh_zones(self, relation: Relation, zones: Zones, counts: np.ndarray) -> FoldedPairs:
        """Return the weighed pairs of settled zones."""
        if isinstance(relation, ProductRelation):
            return WeighedZones(zones, product_weights(zones, relation)).visitor
        tables = self.tables(zones.pairs, relation, [zone.sign for zone in zones.near_and_far], counts)
        return WeighedZones(zones, group_weights(relation, tables)).visitor

    def settled(self, pairs: RowPairs, relation: Relation) -> "Radius":
        return replace(self, shared=self.settled_zones(pairs, relation))

    def settled_zones(self, pairs: RowPairs, relation: Relation) -> SettledZones:
        """Return zones, with exact limits for the rows in which the errors of steps matter."""
        if self.shared is not None:
            return self.shared

        # Limits by steps, and the rows for which these are not good enough
        limits = self._limits(*self._moments(pairs))
        zones = Zones.of(pairs, self._zones(pairs, limits, self._error(pairs, limits)))
        counts, doubts = zones.count(relation)
        doubtful = np.flatnonzero(doubts[: pairs.m])
        if not len(doubtful) or not pairs.has_few_pairs:
            return SettledZones(zones, counts)

        # Exact limits of these rows, or of all rows where one limit depends on all pairs
        if self.over_all_pairs:
            limits = self._limits(*exact_moments(pairs, True))
        elif zones.bits is not None:
            zones.settle_rows(doubtful, self._limits, relation, counts)
            return SettledZones(zones, counts)
        else:
            exact_limits = self._limits(*exact_moments_of_rows(pairs, doubtful))
            for by_steps, exact in zip(limits, exact_limits, strict=True):
                by_steps.limit[doubtful] = exact.limit
        zones = replace(zones, near_and_far=self._zones(pairs, limits, 0.0))
        return SettledZones(zones, zones.count(relation)[0])

    def tables(
        self,
        pairs: RowPairs,
        relation: Relation,
        signs_of_zones: Sequence[float],
        counts: np.ndarray | Sequence[np.ndarray],
    ) -> list[np.ndarray]:
        """Return the weights (G, n) of a row of each group in each zone of each row.

        Parameters
        ----------
        pairs : RowPairs
        relation : Relation
            One with signs.
        signs_of_zones : sequence of float
            Sign of each zone.
        counts : (zones, G, n) array
            Rows of each group in the zones of each row.
        """
        n_halves = len(signs_of_zones)  # divisor by which scores lie in [-1, 1]
        tables = []
        for sign_of_zone, count in zip(signs_of_zones, counts, strict=True):
            signs = cast("SignedGroups", relation).signs(count.T > 0, np.arange(pairs.n)).T
            table = sign_of_zone * signs / np.maximum(count, 1) / (pairs.m * n_halves)
            table[:, pairs.m :] = 0  # of rows that are no target rows
            tables.append(table.astype(pairs.features.values.dtype))
        return tables

    def list_blocks(self, pairs: RowPairs, relation: Relation) -> ListBlocks:
        """Return lists of near rows, then of far ones, for one block of rows after another: the plain form."""
        mean = self._one_mean(pairs)
        moments = self._at_mean(pairs, mean) if mean is not None else exact_moments(pairs, self.over_all_pairs)
        return partial(self._blocks, pairs, relation, self._zones(pairs, self._limits(*moments), 0.0))

    @staticmethod
    def _at_mean(pairs: RowPairs, mean: float) -> Moments:
        """Return one mean for all rows, and deviations that do not count."""
        return Moments(np.full(pairs.n, mean), np.zeros(pairs.n))

    def _moments(self, pairs: RowPairs) -> Moments:
        """Return means and deviations, from steps unless they are exact from the start."""
        mean = self._one_mean(pairs)
        if mean is not None:
            return self._at_mean(pairs, mean)
        moments = exact_moments if self._is_small(pairs) else moments_of_steps
        return Moments(*moments(pairs, self.over_all_pairs))

    def _is_small(self, pairs: RowPairs) -> bool:
        """True if moments are exact from the start."""
        return pairs.n * pairs.m * pairs.p <= FEW_VALUES

    def _error(self, pairs: RowPairs, limits: list[ZoneLimit]) -> float:
        """Return the error of limits by moments of steps, measured in sampled rows or that of the mean of all pairs."""
        if self._one_mean(pairs) is not None or self._is_small(pairs):
            return 0.0
        if self.over_all_pairs:
            steps = pairs.distance.steps
            size = float(np.abs(limits[0].limit).max())
            return float((steps.error + steps.relative_error * size) / np.sqrt(pairs.n) + SUM_ERROR * size)
        rows = np.unique(np.linspace(0, pairs.m - 1, SAMPLED_ROWS).astype(int))
        exact_limits = self._limits(*exact_moments_of_rows(pairs, rows))
        errors = np.array(
            [by_steps.limit[rows] - exact.limit for by_steps, exact in zip(limits, exact_limits, strict=True)]
        )
        return NOISE_DEVIATIONS * float(np.sqrt(np.mean(errors**2)))

    def _limits(self, mean: np.ndarray, deviation: np.ndarray) -> list[ZoneLimit]:
        """Return the limits of the near zone and, if far rows count, of the far one."""
        band = self.width * deviation
        on_limit = ON_LIMIT * mean
        near_zone = ZoneLimit(1.0, mean - band - on_limit)
        if not self.far:
            return [near_zone]
        return [near_zone, ZoneLimit(-1.0, -(mean + band) - on_limit)]

    def _zones(self, pairs: RowPairs, limits: list[ZoneLimit], error: float) -> list[Zone]:
        """Return the zones of all rows, from their limits, which are changed in place: only target rows have zones."""
        for _, limit in limits:
            limit[pairs.m :] = -np.inf
        return [Zone(sign, limit, error) for sign, limit in limits]

    def _one_mean(self, pairs: RowPairs) -> float | None:
        """Return the mean distance of all pairs if it is the only limit, and known without a pass over the tiles."""
        return pairs.mean_distance if self.over_all_pairs and self.width == 0 else None

    def _blocks(self, pairs: RowPairs, relation: Relation, zones: list[Zone], part: int) -> Iterator[ListBlock]:
        """Yield the weighed lists of a part of the target rows."""
        n_halves = len(zones)
        numbers = np.arange(relation.n_groups)[:, None]
        for distances, rows in pairs.exact_strips(part):
            groups = relation.groups(rows[:, None], np.arange(pairs.n))
            for zone in zones:
                inside = (zone.sign * distances < zone.limit[rows, None]) & np.isfinite(distances)
                counts = (inside[:, None] & (groups[:, None] == numbers)).astype(float)
                if pairs.row_weights is not None:
                    counts *= pairs.row_weights
                neighbours = pairs.chosen(rows, counts, distances)
                yield ListBlock(zone.sign / n_halves, neighbours)
