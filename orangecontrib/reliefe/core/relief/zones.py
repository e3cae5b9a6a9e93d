"""Neighbourhoods without k: every pair has a weight that depends on how its distance compares with the others.

Passes over the tiles: moments of the distances, what each row weighs in all, then the weights themselves.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..jit import kernel
from ..parallel import PARTS
from .neighbours import Neighbours, chosen

if TYPE_CHECKING:
    from .run import Run
    from .updates import Update


class Zone:
    """A pair is in the zone of i when sign * d < limit_i.  `mark` and `edge` say the same for tiles of another type."""

    def __init__(self, sign: float, limit: np.ndarray, dtype: type):
        self.sign, self.limit, self.mark = sign, limit, dtype(sign)
        edge = limit.astype(dtype)  # the least number of the type that is not below the limit
        self.edge = np.where(edge < limit, np.nextafter(edge, dtype(np.inf)), edge)


@dataclass(frozen=True)
class Radius:
    """Rows nearer than T - width * S; with `far` also those farther than T + width * S, with the opposite sign.

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
        zones = self._zones(run)
        if run.row_wise:
            return run.by_means(lambda part: self._blocks(run, part, zones, update))
        counts = run.work.total(lambda part: self._counts(run, part, zones, update))
        tables, halves = [], len(zones) if self.unit else 1
        for zone, count in zip(zones, counts, strict=True):
            signs = update.signs(count.T > 0, np.arange(run.n), run.target).T
            tables.append(zone.sign * signs / np.maximum(count, 1) / (run.m * halves))
            tables[-1][:, run.m :] = 0
        tables = [table.astype(run.features.values.dtype) for table in tables]
        return run.by_tiles(lambda d, where, V: self._weigh(run, d, where, zones, tables, V))

    def _zones(self, run: "Run") -> list[Zone]:
        """Rows that are no targets have none."""
        mean = self._known_mean(run)
        if mean is not None:
            mean, band = np.full(run.n, mean), 0.0
        else:
            mean, deviation = moments(run, self.whole)
            band = self.width * deviation
        limits = [(1.0, mean - band), (-1.0, -(mean + band))][: 1 + self.far]
        for _, limit in limits:
            limit[run.m :] = -np.inf
        return [Zone(sign, limit, run.distance.dtype) for sign, limit in limits]

    def _known_mean(self, run: "Run") -> float | None:
        return run.mean_distance if self.whole and self.width == 0 else None

    def _counts(self, run: "Run", part: int, zones: list, update: "Update") -> np.ndarray:
        out = np.zeros((len(zones), update.n_groups(run.target), run.n))
        for tiles, wheres in run.blocks(part):
            kinds = [run.relation_tile(where) for where in wheres]
            for zone, count in zip(zones, out, strict=True):
                if run.settles:
                    run.exact.settle_tiles(tiles, wheres, zone.sign, zone.limit)
                if kinds[0] is None:
                    _count_groups(tiles, wheres, zone.mark, zone.edge, run.groups, run.ends, count)
                else:
                    for d, where, kind in zip(tiles, wheres, kinds, strict=True):
                        _count_kinds(d, *where, zone.mark, zone.edge, kind, count)
        return out

    def _weigh(self, run: "Run", d: np.ndarray, where: tuple, zones: list, tables: list, V: np.ndarray) -> None:
        kinds = run.relation_tile(where)
        for first, (zone, table) in enumerate(zip(zones, tables, strict=True)):
            if run.settles and not run.distance.keeps(where):
                run.exact.settle_tiles(d[None], np.array([where]), zone.sign, zone.limit)
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


def moments(run: "Run", whole: bool) -> tuple[np.ndarray, np.ndarray]:
    """Mean and population standard deviation (n,) of the distances of each target row, or of all of them together."""

    def part_of(part: int) -> np.ndarray:
        out = np.zeros((2, run.n))
        for tiles, wheres in run.blocks(part):
            _moments(tiles, wheres, out)
        return out

    first, second = run.work.total(part_of)
    if whole:
        first, second = (np.full(run.n, a[: run.m].mean()) for a in (first, second))
    mean = first / (run.n - 1)
    return mean, np.sqrt(np.maximum(second / (run.n - 1) - mean * mean, 0))


def planned(run: "Run", passes: int) -> float:
    """Pairs that `passes` over the tiles visit; in whole rows the last two are one."""
    return (passes - 2) * run.sweep.pairs + run.m * run.n if run.row_wise else passes * run.sweep.pairs


def _corner(d: np.ndarray, where: tuple) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    i0, i1, j0, j1 = where
    return np.arange(i0, i1), np.arange(j0, j1), d[: i1 - i0, : j1 - j0]


@kernel
def _moments(tiles, wheres, out):
    """out (2, n) += sum and sum of squares of each row's distances."""
    for b in range(len(tiles)):
        _add_moments(tiles[b], wheres[b], out)


@kernel
def _add_moments(D, where, out):
    i0, i1, j0, j1 = where
    for i in range(i0, i1):
        j = max(j0, i + 1)
        if j >= j1:
            continue
        d, sums, squares, total, square = D[i - i0, j - j0 : j1 - j0], out[0, j:j1], out[1, j:j1], 0.0, 0.0
        for q in range(len(d)):
            total += d[q]
            square += d[q] * d[q]
        for q in range(len(d)):
            sums[q] += d[q]
        for q in range(len(d)):
            squares[q] += d[q] * d[q]
        out[0, i] += total
        out[1, i] += square


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
