"""Neighbourhoods without k: every pair has a weight that depends on how its distance compares with the others.

Passes over the tiles: moments of the distances, what each row weighs in all, then the weights themselves.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..jit import kernel
from ..parallel import PARTS
from .moments import exact_moments, moments
from .neighbours import Neighbours, chosen

if TYPE_CHECKING:
    from .run import Run
    from .updates import Update


EDGE = 1e-12  # share of the mean distance within which a distance is on a limit: neither near nor far
FEW, COMMON = 3, 0.05  # distances that near to the limit of one row, and share of rows with any, that are no accident


class Zone:
    """A pair is in the zone of i when sign * d < limit_i.  `mark` and `edge` say the same for tiles of another type;
    `size` is what limits are made of, and their errors relative to."""

    def __init__(self, sign: float, limit: np.ndarray, mean: np.ndarray, dtype: type):
        self.sign, self.limit, self.mark = sign, limit, dtype(sign)
        self.size = np.where(np.isfinite(limit), np.maximum(np.abs(limit), mean), 0).astype(dtype)
        edge = limit.astype(dtype)  # the least number of the type that is not below the limit
        self.edge = np.where(edge < limit, np.nextafter(edge, dtype(np.inf)), edge)


@dataclass(frozen=True)
class Radius:
    """Rows nearer than T - width * S; with `far` also those farther than T + width * S, with the opposite sign.

    A distance within EDGE * T of a limit is on it and counts for neither side: roundings do not decide.

    T and S are mean and standard deviation of the distances of the row (MultiSURF) or, with `whole`, of all pairs
    (SURF).  `unit` halves the scores of near and far rows, so that they lie in [-1, 1].
    """

    width: float = 0.5
    far: bool = False
    whole: bool = False
    unit: bool = True

    revisits = True  # asks for every tile more than once

    def plan(self, run: "Run") -> float:
        """Pairs that will be looked at."""
        return planned(run, 2 if self._known_mean(run) is not None else 3)

    def scores(self, run: "Run", update: "Update") -> np.ndarray:
        mean, deviation = self._moments(run)
        zones = self._zones(run, mean, deviation)
        if run.row_wise:
            return run.by_means(lambda part: self._blocks(run, part, zones, update))
        *counts, found = run.work.total(lambda part: self._counts(run, part, zones, update))
        doubtful = self._doubtful(run, found.sum(axis=0))
        if len(doubtful):
            mean[doubtful], deviation[doubtful] = exact_moments(run, doubtful, self.whole)
            zones = self._zones(run, mean, deviation)
            *counts, _ = run.work.total(lambda part: self._counts(run, part, zones, update))
        tables, halves = [], len(zones) if self.unit else 1
        for zone, count in zip(zones, counts, strict=True):
            signs = update.signs(count.T > 0, np.arange(run.n), run.target).T
            tables.append(zone.sign * signs / np.maximum(count, 1) / (run.m * halves))
            tables[-1][:, run.m :] = 0
        tables = [table.astype(run.features.values.dtype) for table in tables]
        return run.by_tiles(lambda d, where, V: self._weigh(run, d, where, zones, tables, V))

    def _moments(self, run: "Run") -> tuple[np.ndarray, np.ndarray]:
        """(n,) T and (n,) S."""
        mean = self._known_mean(run)
        return moments(run, self.whole) if mean is None else (np.full(run.n, mean), np.zeros(run.n))

    def _zones(self, run: "Run", mean: np.ndarray, deviation: np.ndarray) -> list[Zone]:
        """Rows that are no targets have none."""
        band, edge = self.width * deviation, EDGE * mean
        limits = [(1.0, mean - band - edge), (-1.0, -(mean + band) - edge)][: 1 + self.far]
        for _, limit in limits:
            limit[run.m :] = -np.inf
        return [Zone(sign, limit, mean, run.distance.dtype) for sign, limit in limits]

    def _doubtful(self, run: "Run", found: np.ndarray) -> np.ndarray:
        """Rows whose limits need more digits than distances in single precision give; found (n,): distances so near to
        these limits."""
        some = np.flatnonzero(found[: run.m] >= (FEW if np.count_nonzero(found) < COMMON * run.m else 1))
        return np.arange(run.n) if self.whole and len(some) else some

    def _known_mean(self, run: "Run") -> float | None:
        return run.mean_distance if self.whole and self.width == 0 else None

    def _counts(self, run: "Run", part: int, zones: list, update: "Update") -> np.ndarray:
        """(zones + 1, G, n): rows in each zone; the last of them how many are so near to a limit that it matters how
        exact that is."""
        out = np.zeros((len(zones) + 1, update.n_groups(run.target), run.n))
        for tiles, wheres in run.blocks(part):
            kinds = [run.relation_tile(where) for where in wheres]
            for zone, count in zip(zones, out[:-1], strict=True):
                if run.settles:
                    run.exact.settle_tiles(tiles, wheres, zone, out[-1, 0])
                if kinds[0] is None:
                    _count_groups(tiles, wheres, zone.mark, zone.edge, run.groups, run.ends, count)
                else:
                    for d, where, kind in zip(tiles, wheres, kinds, strict=True):
                        _count_kinds(d, *where, zone.mark, zone.edge, kind, count)
        return out

    def _weigh(self, run: "Run", d: np.ndarray, where: tuple, zones: list, tables: list, V: np.ndarray) -> None:
        kinds = run.relation_tile(where)
        for first, (zone, table) in enumerate(zip(zones, tables, strict=True)):
            # what was settled for one limit may be on the wrong side of another one that is as good as the same number
            if run.settles and (len(zones) > 1 or not run.distance.keeps(where)):
                run.exact.settle_tiles(d[None], np.array([where]), zone, np.zeros(run.n))
            if kinds is None:
                _weigh_groups(d, where, zone.mark, zone.edge, run.groups, run.ends, table, first == 0, V)
            else:
                _weigh_kinds(d, where, zone.mark, zone.edge, kinds, table, first == 0, V)

    def _blocks(self, run: "Run", part: int, zones: list, update: "Update") -> Iterator[tuple[float, Neighbours]]:
        """The plain form, in whole rows."""
        halves = len(zones) if self.unit else 1
        for distances, rows in run.sweep.strips(run.distance, part, PARTS):
            kinds = update.relation(run.target, rows[:, None], np.arange(run.n))
            groups = np.arange(update.n_groups(run.target))[:, None]
            for zone in zones:
                if run.exact:
                    run.exact.settle_band(distances, rows, zone.sign * zone.limit[rows, None])
                inside = zone.sign * distances < zone.limit[rows, None]
                inside[np.arange(len(rows)), rows] = False
                near = chosen(rows, (inside[:, None] & (kinds[:, None] == groups)).astype(float), distances)
                yield zone.sign / halves, near


@dataclass(frozen=True)
class Sigmoid:
    """Influence f = tanh(scale (T - d) / (2 S)), T and S of all pairs; hits count -f, misses +f, over the sum of |f|.

    SWRF*: Stokes and Visweswaran (2012); one normaliser for hits and misses.
    """

    scale: float = 4.0

    revisits = True

    def plan(self, run: "Run") -> float:
        """Pairs that will be looked at."""
        return planned(run, 3)

    def scores(self, run: "Run", update: "Update") -> np.ndarray:
        mean, deviation = (a[0] for a in moments(run, whole=True))
        if deviation == 0:
            return np.zeros(run.p)

        def influence(d: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
            f = np.tanh(self.scale / 2 / deviation * (mean - d))
            f[rows[:, None] == cols] = 0
            return f

        if run.row_wise:
            return run.mean_of_means(lambda part: self._blocks(run, part, influence))
        totals = run.work.total(lambda part: self._totals(run, part, influence))
        share = np.divide(1, totals * run.m, out=np.zeros(run.n), where=totals > 0)
        share[run.m :] = 0

        def weigh(d: np.ndarray, where: tuple, V: np.ndarray) -> None:
            i, j, d = _corner(d, where)
            sign = np.where(run.target.differs(i[:, None], j), 1.0, -1.0)
            V[:] = 0
            V[: len(i), : len(j)] = np.where(i[:, None] < j, sign * influence(d, i, j) * (share[i, None] + share[j]), 0)

        return run.by_tiles(weigh)

    @staticmethod
    def _totals(run: "Run", part: int, influence) -> np.ndarray:
        out = np.zeros(run.n)
        for tiles, wheres in run.blocks(part):
            for tile, where in zip(tiles, wheres, strict=True):
                i, j, d = _corner(tile, where)
                f = np.where(i[:, None] < j, np.abs(influence(d, i, j)), 0)
                out[i] += f.sum(axis=1)
                out[j] += f.sum(axis=0)
        return out

    @staticmethod
    def _blocks(run: "Run", part: int, influence) -> Iterator[Neighbours]:
        cols = np.arange(run.n)
        for distances, rows in run.sweep.strips(run.distance, part, PARTS):
            sign = np.where(run.target.differs(rows[:, None], cols), 1.0, -1.0)
            yield chosen(rows, (sign * influence(distances, rows, cols))[:, None], distances)


def planned(run: "Run", passes: int) -> float:
    """Pairs that `passes` over the tiles visit; in whole rows the last two are one."""
    return (passes - 2) * run.sweep.pairs + run.m * run.n if run.row_wise else passes * run.sweep.pairs


def _corner(d: np.ndarray, where: tuple) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    i0, i1, j0, j1 = where
    return np.arange(i0, i1), np.arange(j0, j1), d[: i1 - i0, : j1 - j0]


@kernel
def _count_groups(tiles, wheres, sign, limit, groups, ends, count):
    """count (G, n) += rows of each group in the zone of each row."""
    for b in range(len(tiles)):
        _count_tile(tiles[b], wheres[b], sign, limit, groups, ends, count)


@kernel
def _count_tile(D, where, sign, limit, groups, ends, count):
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
def _weigh_groups(D, where, sign, limit, groups, ends, table, anew, V):
    """V[i - i0, j - j0] = (anew) or += what j weighs for i plus what i weighs for j; table (G, n) is the weight of a
    group for a row."""
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
def _count_kinds(D, i0, i1, j0, j1, sign, limit, kinds, count):
    """The same where pairs are hits (kind 0) or misses (1) and both rows see it alike."""
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
def _weigh_kinds(D, where, sign, limit, kinds, table, anew, V):
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
