"""Influence of all rows on each other by smooth functions of their distance.

`iterative_relief` and `irelief` make a `Step` for each of their iterations.  Each pair counts for both of its rows.
There are three passes over the tiles of distances:

1. `Step.nearest`: distances of the nearest rows, from which the parameters of the functions are chosen.
2. `Step.totals`: sums of the influence on each row.
3. `Step.scores`: scores by the influence of each pair.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from ..kernels.insert import insert
from ..kernels.jit import kernel
from ..relief.formats.lists import Neighbours
from ..relief.run import Run
from ..relief.scoring import score_folded_pairs
from ..work.threads import PARTS

# Kinds of rows
HIT = 0
MISS = 1
# Forms of influence
EXPONENTIAL = 0
PARABOLA = 1
MIN_SHARE = 1e-17  # share of the influence on a row below which a row is left out: less than rounding
# Influence of a row at the edge of the parabola, where it should be 0, by rounding of the distances
ON_SPHERE = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-5}
LOG2_E = float(np.log2(math.e))
MIN_EXPONENT = -1000.0  # exponent of 2 below which the power is 0
CLIPPED_EXPONENT = -1010.0  # smaller exponents are computed as this one, whose power is a normal number
# Coefficients ln(2)^k / k! of 2^x, which give all bits but the last in [-1/2, 1/2]
POWERS = tuple(float(np.log(2.0) ** k / np.prod(np.arange(1.0, k + 1))) for k in range(14))


@dataclass(frozen=True)
class Influence:
    """Influence of a row at distance d on a row, as a hit or as a miss.

        EXPONENTIAL:  exp((a - d) / width) where d > a, else 1
        PARABOLA:     1 - a d^2 where that is positive, else 0

    form: EXPONENTIAL or PARABOLA.
    a (2, n): parameter of each row, for its hits and for its misses.
    width: width of the kernel.
    """

    form: int
    a: np.ndarray
    width: float = 1.0

    def of(self, distances: np.ndarray, rows: np.ndarray, least: float) -> np.ndarray:
        """Compute the influence (2, b, n) of all rows on rows (b,), as if they were hits and as if they were misses.

        distances (b, n): between them.
        least: influence up to which it is 0.
        """
        a = self.a[:, rows, None]
        if self.form == EXPONENTIAL:
            return np.asarray(np.exp(np.minimum((a - distances) / self.width, 0)))
        out: np.ndarray = 1 - a * distances * distances
        return np.where(out > least, out, 0)


class RowClasses(NamedTuple):
    """Classes of the n rows, which are ordered by class.

    groups (n,): class of each row.
    ends (n,): end of the run of rows with the class of each row.
    """

    groups: np.ndarray
    ends: np.ndarray


class InfluenceRule(NamedTuple):
    """Influence as kernels compute it.

    form: EXPONENTIAL or PARABOLA.
    a (2, n): parameter of each row, for its hits and for its misses.
    scale: 1 / width, times log2(e), since kernels compute powers of 2.
    least: influence up to which it is 0.
    powers: coefficients of 2^x.
    """

    form: int
    a: np.ndarray
    scale: float
    least: float
    powers: tuple[float, ...]


class InfluenceLists(NamedTuple):
    """Hits and misses of rows (b,) as lists.

    neighbours: hits (group 0) and misses (group 1), weighted by their shares of the influence.
    totals (2, b): sums of the influence.
    """

    neighbours: Neighbours
    totals: np.ndarray


@dataclass(frozen=True)
class Step:
    """Passes over all pairs under one weighted distance.

    run: rows under that distance; all of them are targets, and their groups are the classes.
    """

    run: Run

    @property
    def least(self) -> float:
        """Influence that is due to rounding."""
        return ON_SPHERE[np.dtype(self.run.features.values.dtype)]

    def nearest(self, count: int) -> np.ndarray:
        """Find the distances (2, n, count) of the nearest hits and misses of each row, ascending.

        They are infinite where there are fewer than `count`.  Only distances are needed, as they are: the engine's
        search for lists of rows, with exact ties, takes 5 to 7 times as long (1,000 to 3,000 rows, 10 features).
        """
        run = self.run
        classes = self._classes

        def nearest_in(number: int) -> np.ndarray:
            """Find them in a part of the tiles."""
            out = np.full((2, run.n, count), np.inf)
            for tiles, wheres in run.tile_stacks(number):
                _nearest(tiles, wheres, classes, out)
            return out

        out = np.full((2, run.n, count), np.inf)

        def merge(_: int, distances: np.ndarray) -> None:
            """Merge the distances of a part as soon as they come, since they take memory for all rows."""
            nonlocal out
            out = np.sort(np.concatenate([out, distances], axis=2), axis=2)[:, :, :count]

        run.work.deliver(nearest_in, range(PARTS), merge)
        return out

    def totals(self, influence: Influence) -> np.ndarray:
        """Add up the influence (2, n) of all hits, and of all misses, on each row."""
        run = self.run
        classes = self._classes
        rule = self._rule(influence)

        def totals_of(number: int) -> np.ndarray:
            """Add up over a part of the tiles."""
            out = np.zeros((2, run.n))
            for tiles, wheres in run.tile_stacks(number):
                _add_totals(tiles, wheres, classes, rule, out)
            return out

        return run.total(totals_of)

    def scores(self, influence: Influence, factors: np.ndarray) -> np.ndarray:
        """Add up (p,) the diffs of all pairs by their influence.

            sum over rows i and kinds k of factors[k, i] * sum over rows j of kind k of influence of j on i * diff(i, j)

        Where pairs that lack a feature are ignored, the mean diff of the others counts in the place of the inner sum,
        times the sum of the influence.

        factors (2, n): for the hits and the misses of each row.
        """
        run = self.run
        classes = self._classes
        rule = self._rule(influence)

        def weigh(distances: np.ndarray, where: tuple[int, int, int, int], weights: np.ndarray) -> None:
            """Fill the weights of the pairs of a tile; where: its first and last rows and columns."""
            weights[:] = 0
            _weigh(distances, where, classes, rule, factors, weights)

        if run.means is None:
            return score_folded_pairs(run, partial(run.weighed, weigh)).scores

        def mean_scores(number: int) -> np.ndarray:
            """Add up the scores of a part of the rows."""
            out = np.zeros(run.p)
            for distances, rows in run.strips(number):
                lists = self._lists(influence, distances, rows)
                scale = (factors[:, rows] * lists.totals).T[:, :, None]
                diffs = [np.nan_to_num(means.diffs(lists.neighbours)) for means in run.mean_spans()]
                out += (np.concatenate(diffs, axis=2) * scale).sum(axis=(0, 1))
            return out

        return run.total(mean_scores)

    @property
    def _classes(self) -> RowClasses:
        """Classes of the rows."""
        return RowClasses(self.run.groups, self.run.ends)

    def _rule(self, influence: Influence) -> InfluenceRule:
        """Convert an influence to that of kernels."""
        return InfluenceRule(influence.form, influence.a, LOG2_E / influence.width, self.least, POWERS)

    def _lists(self, influence: Influence, distances: np.ndarray, rows: np.ndarray) -> InfluenceLists:
        """List the hits and misses of rows (b,) with their shares of the influence; distances (b, n)."""
        run = self.run
        is_hit = run.groups[rows, None] == run.groups
        is_itself = np.arange(run.n) == rows[:, None]
        of_pairs = influence.of(distances, rows, self.least) * np.stack([is_hit & ~is_itself, ~is_hit])
        totals = of_pairs.sum(axis=2)
        weights = (of_pairs / np.where(totals > 0, totals, 1)[:, :, None]).transpose(1, 0, 2)
        cols = np.where(weights > MIN_SHARE, np.arange(run.n), -1)
        return InfluenceLists(Neighbours(rows, cols, np.broadcast_to(distances[:, None], cols.shape), weights), totals)


@kernel
def _nearest(tiles, wheres, classes, out):
    """Insert the distances of tiles into the lists of nearest hits and misses of both of their rows.

    tiles (b, rows, cols) : distances
    wheres (b, 4) : first and last rows, and first and last columns, of each tile
    classes : `RowClasses`
    out (2, n, count) : lists, ascending
    """
    groups = classes.groups
    for b in range(len(tiles)):
        i0, i1, j0, j1 = wheres[b]
        for i in range(i0, i1):
            j = max(j0, i + 1)
            while j < j1:
                # Columns of one class, j to stop - 1.
                stop = min(classes.ends[j], j1)
                kind = MISS if groups[j] != groups[i] else HIT
                d = tiles[b, i - i0, j - j0 : stop - j0]
                list_of_i = out[kind, i]
                lists_of_j = out[kind, j:stop]
                for q in range(len(d)):
                    insert(d[q], i, list_of_i, None, None)
                    insert(d[q], j + q, lists_of_j[q], None, None)
                j = stop


@kernel
def _add_totals(tiles, wheres, classes, rule, out):
    """Add the influence in tiles, on both of their rows, to out (2, n).

    tiles, wheres, classes : as in `_nearest`
    rule : `InfluenceRule`
    """
    groups = classes.groups
    width = tiles.shape[2]
    x = np.empty(width)
    bits = np.empty(width, np.int64)
    for b in range(len(tiles)):
        i0, i1, j0, j1 = wheres[b]
        for i in range(i0, i1):
            j = max(j0, i + 1)
            while j < j1:
                stop = min(classes.ends[j], j1)
                kind = MISS if groups[j] != groups[i] else HIT
                d = tiles[b, i - i0, j - j0 : stop - j0]
                sums = out[kind, j:stop]
                n = stop - j
                total = 0.0
                _from_columns(d, rule.a[kind, i], rule, x[:n], bits[:n])
                for q in range(n):
                    total += x[q]
                out[kind, i] += total
                _on_columns(d, rule.a[kind, j:stop], rule, x[:n], bits[:n])
                for q in range(n):
                    sums[q] += x[q]
                j = stop


@kernel
def _weigh(distances, where, classes, rule, factors, weights):
    """Add the weights of the pairs of a tile of distances (rows, cols) to weights (rows, cols).

    weight_ij = factor of i * influence of j on i + factor of j * influence of i on j

    where : first and last rows, and first and last columns, of the tile
    factors (2, n) : for the hits and the misses of each row
    """
    groups = classes.groups
    i0, i1, j0, j1 = where
    width = distances.shape[1]
    x = np.empty(width)
    y = np.empty(width)
    bits = np.empty(width, np.int64)
    for i in range(i0, i1):
        j = max(j0, i + 1)
        while j < j1:
            stop = min(classes.ends[j], j1)
            kind = MISS if groups[j] != groups[i] else HIT
            n = stop - j
            factor_of_i = factors[kind, i]
            factors_of_j = factors[kind, j:stop]
            d = distances[i - i0, j - j0 : stop - j0]
            weights_of_i = weights[i - i0, j - j0 : stop - j0]
            _from_columns(d, rule.a[kind, i], rule, x[:n], bits[:n])
            _on_columns(d, rule.a[kind, j:stop], rule, y[:n], bits[:n])
            for q in range(n):
                weights_of_i[q] += factor_of_i * x[q] + factors_of_j[q] * y[q]
            j = stop


@kernel
def _from_columns(d, a, rule, out, bits):
    """Fill out (n,) with the influence of rows at distances d (n,) on one row, which has the parameter a.

    bits (n,) : scratch
    """
    if rule.form == EXPONENTIAL:
        for q in range(len(d)):
            out[q] = min((a - d[q]) * rule.scale, 0.0)
        _two_to(out, rule.powers, bits)
    else:
        for q in range(len(d)):
            influence = 1 - a * d[q] * d[q]
            out[q] = influence if influence > rule.least else 0.0


@kernel
def _on_columns(d, a, rule, out, bits):
    """Fill out (n,) with the influence of one row on rows at distances d (n,), which have the parameters a (n,).

    bits (n,) : scratch
    """
    scale = rule.scale
    if rule.form == EXPONENTIAL:
        for q in range(len(d)):
            out[q] = min((a[q] - d[q]) * scale, 0.0)
        _two_to(out, rule.powers, bits)
    else:
        for q in range(len(d)):
            influence = 1 - a[q] * d[q] * d[q]
            out[q] = influence if influence > rule.least else 0.0


@kernel
def _two_to(x, powers, bits):
    """Replace x by 2^x, for x <= 0, in place; 0 below 2^`MIN_EXPONENT`.

    2^x = 2^whole * 2^t, where |t| <= 1/2, and 2^t is a polynomial.  There is no branch and no call, so that several
    powers are computed at once.

    powers : coefficients of the polynomial, from the constant one on
    bits (n,) : scratch for the numbers 2^whole, whose exponents are 1023 + whole
    """
    factor = bits.view(np.float64)
    for q in range(len(x)):
        whole = np.floor(max(x[q], CLIPPED_EXPONENT) + 0.5)
        bits[q] = np.int64(np.int32(whole) + 1023) << 52
    for q in range(len(x)):
        t = max(x[q], CLIPPED_EXPONENT)
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
        x[q] = y * factor[q] if x[q] > MIN_EXPONENT else 0.0
