"""Influence of all rows on each other by smooth functions of their distance, and the scores that it gives.

Every pair of rows counts for both of them.  Passes over the tiles: what the functions need (nearest rows, radii), sums
of the influence on each row, then the weights of the pairs themselves.
"""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..kernels.jit import kernel
from ..relief.formats.lists import Neighbours
from ..relief.run import Run
from ..work.threads import PARTS

HIT, MISS = range(2)
EXPONENTIAL, PARABOLA = range(2)
LEAST = 1e-17  # share of a row's influence that is none
ON_SPHERE = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-5}  # influence of a row on the sphere: none
LOG2_E = float(np.log2(math.e))
# 2^x in [-1/2, 1/2] to the last bit but one: coefficients ln(2)^k / k!
POWERS = tuple(float(np.log(2.0) ** k / np.prod(np.arange(1.0, k + 1))) for k in range(14))


@dataclass(frozen=True)
class Influence:
    """Influence of a row at distance d on a row, of each kind (hits, misses) by itself."""

    form: int  # EXPONENTIAL: exp((a - d) / width); PARABOLA: 1 - a d^2 where that is positive
    a: np.ndarray  # (2, n): number of each row for its hits, and for its misses
    width: float = 1.0  # width of the kernel

    def of(self, distances: np.ndarray, rows: np.ndarray, least: float) -> np.ndarray:
        """Influence (2, b, n) of all rows on some, as if they were hits and as if they were misses."""
        a = self.a[:, rows, None]
        if self.form == EXPONENTIAL:
            return np.asarray(np.exp(np.minimum((a - distances) / self.width, 0)))
        out: np.ndarray = 1 - a * distances * distances
        return np.where(out > least, out, 0)


@dataclass(frozen=True)
class Step:
    """One look at all pairs under a weighted distance."""

    run: Run  # its distance is the weighted one; all rows are targets, and its groups are the classes

    @property
    def least(self) -> float:
        """Influence that is rounding."""
        return ON_SPHERE[np.dtype(self.run.features.values.dtype)]

    def nearest(self, count: int) -> np.ndarray:
        """Distances (2, n, count) of the nearest hits and misses of each row, ascending, infinite where there are
        fewer."""
        run = self.run

        def part(number: int) -> np.ndarray:
            out = np.full((2, run.n, count), np.inf)
            for tiles, wheres in run.blocks(number):
                _nearest(tiles, wheres, run.groups, run.ends, out)
            return out

        out = np.full((2, run.n, count), np.inf)

        def take(_: int, found: np.ndarray) -> None:  # each at once, as it takes room for all rows
            nonlocal out
            out = np.sort(np.concatenate([out, found], axis=2), axis=2)[:, :, :count]

        run.work.deliver(part, range(PARTS), take)
        return out

    def totals(self, influence: Influence) -> np.ndarray:
        """Sums (2, n) of the influence of all hits, and of all misses, on each row."""
        run, rule = self.run, (influence.form, LOG2_E / influence.width, self.least)

        def part(number: int) -> np.ndarray:
            out = np.zeros((2, run.n))
            for tiles, wheres in run.blocks(number):
                _add_totals(tiles, wheres, run.groups, run.ends, influence.a, rule, POWERS, out)
            return out

        return run.total(part)

    def scores(self, influence: Influence, factors: np.ndarray) -> np.ndarray:
        """Sums (p,) over the rows of factors (2, n) times the diffs to their hits and misses by influence.

        Where pairs that lack a feature are ignored, factors times the sums of influence count, for means over the
        others.
        """
        run, rule = self.run, (influence.form, LOG2_E / influence.width, self.least)

        def weigh(d: np.ndarray, where: tuple[int, int, int, int], V: np.ndarray) -> None:
            V[:] = 0
            _weigh(d, where, run.groups, run.ends, influence.a, factors, rule, POWERS, V)

        if run.means is None:
            return run.by_folded_pairs(partial(run.weighed, weigh)).scores

        def part(number: int) -> np.ndarray:
            out = np.zeros(run.p)
            for distances, rows in run.strips(number):
                near, whole = self._lists(influence, distances, rows)
                scale = (factors[:, rows] * whole).T[:, :, None]
                diffs = [np.nan_to_num(means.diffs(near)) for means in run.mean_spans()]
                out += (np.concatenate(diffs, axis=2) * scale).sum(axis=(0, 1))
            return out

        return run.total(part)

    def _lists(self, influence: Influence, distances: np.ndarray, rows: np.ndarray) -> tuple[Neighbours, np.ndarray]:
        """Hits and misses (groups 0 and 1) of some rows as lists with weights, and sums (2, b) of their influence."""
        run = self.run
        same = run.groups[rows, None] == run.groups
        own = np.arange(run.n) == rows[:, None]
        f = influence.of(distances, rows, self.least) * np.stack([same & ~own, ~same])
        whole = f.sum(axis=2)
        weights = (f / np.where(whole > 0, whole, 1)[:, :, None]).transpose(1, 0, 2)
        cols = np.where(weights > LEAST, np.arange(run.n), -1)
        return Neighbours(rows, cols, np.broadcast_to(distances[:, None], cols.shape), weights), whole


@kernel
def _nearest(tiles, wheres, groups, ends, out):
    """Offer the distances of several tiles to the ascending lists of both of their rows."""
    for b in range(len(tiles)):
        i0, i1, j0, j1 = wheres[b]
        for i in range(i0, i1):
            j = max(j0, i + 1)
            while j < j1:
                stop, kind = min(ends[j], j1), 1 if groups[j] != groups[i] else 0
                d, mine, theirs = tiles[b, i - i0, j - j0 : stop - j0], out[kind, i], out[kind, j:stop]
                for q in range(len(d)):
                    if d[q] < mine[-1]:
                        _insert(d[q], mine)
                    if d[q] < theirs[q, -1]:
                        _insert(d[q], theirs[q])
                j = stop


@kernel(forceinline=True)
def _insert(d, x):
    """Put d into the ascending list x, whose last one goes."""
    s = len(x) - 1
    while s > 0 and d < x[s - 1]:
        x[s] = x[s - 1]
        s -= 1
    x[s] = d


@kernel
def _add_totals(tiles, wheres, groups, ends, a, rule, powers, out):
    """Sums of the influence in several tiles, on both of their rows, added to out (2, n)."""
    width = tiles.shape[2]
    x, bits = np.empty(width), np.empty(width, np.int64)
    for b in range(len(tiles)):
        i0, i1, j0, j1 = wheres[b]
        for i in range(i0, i1):
            j = max(j0, i + 1)
            while j < j1:
                stop, kind = min(ends[j], j1), 1 if groups[j] != groups[i] else 0
                d, sums, n, total = tiles[b, i - i0, j - j0 : stop - j0], out[kind, j:stop], stop - j, 0.0
                _from_one(d, a[kind, i], rule, powers, x[:n], bits[:n])
                for q in range(n):
                    total += x[q]
                out[kind, i] += total
                _from_each(d, a[kind, j:stop], rule, powers, x[:n], bits[:n])
                for q in range(n):
                    sums[q] += x[q]
                j = stop


@kernel
def _weigh(D, where, groups, ends, a, factors, rule, powers, V):
    """Weights of the pairs of a tile, added to V: what j is for i and i is for j."""
    (i0, i1, j0, j1), width = where, D.shape[1]
    x, y, bits = np.empty(width), np.empty(width), np.empty(width, np.int64)
    for i in range(i0, i1):
        j = max(j0, i + 1)
        while j < j1:
            stop, kind = min(ends[j], j1), 1 if groups[j] != groups[i] else 0
            n, mine, theirs = stop - j, factors[kind, i], factors[kind, j:stop]
            d, out = D[i - i0, j - j0 : stop - j0], V[i - i0, j - j0 : stop - j0]
            _from_one(d, a[kind, i], rule, powers, x[:n], bits[:n])
            _from_each(d, a[kind, j:stop], rule, powers, y[:n], bits[:n])
            for q in range(n):
                out[q] += mine * x[q] + theirs[q] * y[q]
            j = stop


@kernel
def _from_one(d, a, rule, powers, out, bits):
    """Influence on one row of rows at distances d."""
    form, scale, least = rule
    if form == 0:
        for q in range(len(d)):
            out[q] = min((a - d[q]) * scale, 0.0)
        _two_to(out, powers, bits)
    else:
        for q in range(len(d)):
            u = 1 - a * d[q] * d[q]
            out[q] = u if u > least else 0.0


@kernel
def _from_each(d, a, rule, powers, out, bits):
    """Influence on rows of a row at distances d, with a number of each."""
    form, scale, least = rule
    if form == 0:
        for q in range(len(d)):
            out[q] = min((a[q] - d[q]) * scale, 0.0)
        _two_to(out, powers, bits)
    else:
        for q in range(len(d)):
            u = 1 - a[q] * d[q] * d[q]
            out[q] = u if u > least else 0.0


@kernel
def _two_to(x, powers, bits):
    """x <- 2^x for x <= 0, without a branch or a call, so that several are computed at once; 0 below 2^-1000."""
    factor = bits.view(np.float64)
    for q in range(len(x)):
        whole = np.floor(max(x[q], -1010.0) + 0.5)
        bits[q] = np.int64(np.int32(whole) + 1023) << 52
    for q in range(len(x)):
        t = max(x[q], -1010.0)
        t -= np.floor(t + 0.5)
        y = powers[13]
        y = y * t + powers[12]
        y = y * t + powers[11]
        y = y * t + powers[10]
        y = y * t + powers[9]
        y = y * t + powers[8]
        y = y * t + powers[7]
        y = y * t + powers[6]
        y = y * t + powers[5]
        y = y * t + powers[4]
        y = y * t + powers[3]
        y = y * t + powers[2]
        y = y * t + powers[1]
        y = y * t + powers[0]
        x[q] = y * factor[q] if x[q] > -1000.0 else 0.0
