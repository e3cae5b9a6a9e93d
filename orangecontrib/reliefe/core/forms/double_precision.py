"""Zones: which distances of a row are below, or above, a limit of its own."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..data.expected import IGNORE, MISSING, STRATEGIES
from ..data.table import DataTable
from ..kernels.diff import shaped
from ..kernels.insert import insert
from ..kernels.jit import kernel
from .features import Features
from .missing import MIN_SINGLE_MEAN_DIFF, gaps


class Zone:
    """The pairs (i, j) with ``side * d_ij < limit_i``, seen from row i.

    Shapes: `limit` (n,); `mean` (n,); `scale` (n,).
    """

    def __init__(self, side: float, limit: np.ndarray, mean: np.ndarray, dtype: type, noise: float = 0.0):
        self.side, self.limit, self.side_in_tile_dtype = side, limit, dtype(side)
        self.noise = noise  # error of a limit by codes, beyond which they are as good as single precision
        self.scale: np.ndarray = np.where(np.isfinite(limit), np.maximum(np.abs(limit), mean), 0).astype(dtype)
        nearest: np.ndarray = limit.astype(dtype)  # then the least number of the type that is not below the limit
        self.limit_in_tile_dtype = np.where(nearest < limit, np.nextafter(nearest, dtype(np.inf)), nearest)


DOUBLE_DIGITS, SINGLE_DIGITS = 12, 6  # decimal digits of a distance that are not rounding
DROPPED = {12: 12, 6: 32}  # bits, of the 52 of a distance, that rounding to so many digits drops: 2^-40, 2^-20 are left
DROPPED_OF_DOUBLE = DROPPED[DOUBLE_DIGITS]
DISTANCE_ERROR = 4e-6  # relative error of a distance in single precision that is never reached
MISSING_FACTOR = 10  # times as much with missing values, whose share is first added and then taken away
SPARE_PLACES = 2  # places of a list behind the k-th
SETS, RANKS, DISTANCES = range(3)  # what lists are settled for: who is in them, their order, their distances
MEAN_ERROR = 3e-7  # relative error of a mean of distances in single precision
IN_NOISE = 3.0  # as many distances as one in the noise of a limit counts for: by itself it is no accident


@dataclass(frozen=True)
class DoublePrecision:
    """Distances of pairs that single precision cannot decide."""

    table: DataTable  # the data as they came
    ids: np.ndarray  # (n,): rows of the table that are the rows of the run, in its order
    features: Features  # of the run
    strategy: str = IGNORE  # for missing values
    error: float = 0.0  # of distances by codes, that is never reached

    def without_data(self) -> "DoublePrecision":
        """The same where nothing will be computed again; it knows only what that would mean."""
        return replace(self, table=self.table.take(np.zeros(0, np.int64)))

    @property
    def doubt(self) -> float:
        """Relative error of a distance in single precision that is never reached."""
        return DISTANCE_ERROR * (MISSING_FACTOR if self.features.missing else 1)

    def beyond(self, distances: np.ndarray) -> np.ndarray:
        """Distances in single precision, or by codes, above which a row is farther than one with `distances` for
        sure."""
        factor, floor = self._band
        return distances * factor + floor

    @property
    def _band(self) -> tuple[float, float]:
        """Factor and term of `beyond`: of missing values, what is less counts as nothing."""
        floor = 2 * MIN_SINGLE_MEAN_DIFF * self.features.shape[1] if self.features.missing else 0.0
        return 1 + 2 * self.doubt, floor + 2 * self.error

    def distances(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Distances (b, k) of rows (b,) to cols (b, k), infinite where cols is negative."""
        out = np.empty(cols.shape)
        _distances(self._data, rows, cols, out)
        round_distances(out, DOUBLE_DIGITS)
        return out

    def whole_rows(self, rows: np.ndarray) -> np.ndarray:
        """Distances (b, n) of rows (b,) to all rows, infinite for a row itself."""
        cols = np.broadcast_to(np.arange(len(self.ids)), (len(rows), len(self.ids)))
        return self.distances(rows, np.where(cols == rows[:, None], -1, cols))

    def settle_band(self, distances: np.ndarray, rows: np.ndarray, last: np.ndarray) -> None:
        """Compute anew which of distances (b, n) of the rows (b,) are too close to `last` (b, 1) to call."""
        band = np.isfinite(distances) & (distances <= self.beyond(last)) & (last <= self.beyond(distances))
        b, cols = np.nonzero(band)
        distances[b, cols] = self.distances(rows[b], cols[:, None])[:, 0]

    def settle_lists(self, dist: np.ndarray, cols: np.ndarray, k: int, wanted: int = SETS, first: int = 0) -> None:
        """Put lists (b, G, at least k) of the rows from `first` on in order by distances that are computed again: those
        too close to the k-th to call, where the next is, or to their neighbours in the list, or all."""
        wanted = DISTANCES if wanted == RANKS and not self.error else wanted  # single precision is rounded before
        _settle_lists(self._data, dist, cols, k, wanted, self._band, first)

    def search(
        self,
        D: np.ndarray,
        rows: np.ndarray,
        limits: np.ndarray,
        groups: np.ndarray,
        lists: tuple[np.ndarray, np.ndarray],
    ) -> None:
        """Fill lists of distances and columns (b, G, k), sorted by distance and id, with rows of each group no farther
        than `limits` (b, G) in single precision, D (b, n); negative limits leave a list as it is."""
        _search(self._data, D, rows, limits, groups, *lists)

    def settle_tiles(self, tiles: np.ndarray, wheres: np.ndarray, zone: Zone, found: np.ndarray) -> None:
        """Put the distances of tiles that are too close to a limit of their rows on the right side of it.

        Shapes: `tiles` (b, h, w); `wheres` (b, 4); `found` (n,).
        """
        limits = zone.side, zone.limit, zone.limit_in_tile_dtype, zone.scale, tiles.dtype.type(self.doubt)
        _settle(tiles, wheres, limits, self._data, found)

    def settle_bits(
        self, close: np.ndarray, zone: Zone, origin: tuple[int, int], bits: np.ndarray, found: np.ndarray
    ) -> None:
        """Set the bits of pairs that are too close to a limit of their rows.

        Shapes: `close` (q, 2); `bits` (2, h, words), from a row and a word on; `found` (n,).
        """
        _settle_bits(close, (zone.side, zone.limit, zone.scale, zone.noise), self._data, origin, bits, found)

    @cached_property
    def _data(self) -> tuple[Any, ...]:
        """The data as the kernels want them."""
        table, f, low = self.table, self.features, np.zeros(0)
        found = *gaps(f.missing, f.values.dtype), f.values if f.missing else np.zeros((0, 0), f.values.dtype)
        if f.missing:
            low = np.full(table.shape[1], np.nan)
            for row in self.ids:  # of which there may be fewer than in the table
                np.fmin(low, table.values[row], out=low)
        plain = f.diff.plain and not f.missing and not table.nominal.any()
        how = STRATEGIES.index(self.strategy), f.columns, low
        return table.values, table.nominal, f.scale, f.diff.shape, self.ids, plain, found, how


def round_distances(D: np.ndarray, digits: int) -> None:
    """Make distances equal that are equal but for the rounding of sums.

    Then ties go to the lower row whatever the order in which features were added.  Where that joins what differs in
    single precision, `DoublePrecision.settle_lists` tells them apart.

    Shapes: `D` (h, w).
    """
    _round(D.view(np.int64), DROPPED[digits])


@kernel
def _round(bits, drop):
    """Floats (h, w), seen as integers, without their last `drop` bits."""
    half, mask = np.int64(1) << (drop - 1), ~((np.int64(1) << drop) - 1)
    for i in range(len(bits)):
        row = bits[i]
        for q in range(len(row)):
            row[q] = (row[q] + half) & mask


@kernel
def _distances(data, rows, cols, out):
    """Distances (b, k) of rows (b,) to cols (b, k)."""
    X, scale, ids, plain = data[0], data[2], data[4], data[5]  # each time, counting who holds them takes longest
    for b in range(len(rows)):
        for q in range(cols.shape[1]):
            j = cols[b, q]
            if j < 0:
                out[b, q] = np.inf
            elif plain:
                out[b, q] = _plain_distance(X[ids[rows[b]]], X[ids[j]], scale)
            else:
                out[b, q] = _distance(data, rows[b], j)


@kernel
def _settle_lists(data, dist, cols, k, wanted, band, first):
    """Lists in order: see `DoublePrecision.settle_lists`."""
    ids, cell, close, (factor, floor) = data[4], np.empty((1, 1)), np.empty(dist.shape[2], np.bool_), band
    for b in range(dist.shape[0]):
        for g in range(dist.shape[1]):
            x, c = dist[b, g], cols[b, g]
            if wanted == SETS:
                if len(x) == k or c[k] < 0 or x[k] > x[k - 1] * factor + floor:
                    continue
                last = x[k - 1]
                for q in range(len(x)):
                    close[q] = x[q] <= last * factor + floor and last <= x[q] * factor + floor
            else:
                close[:] = wanted == DISTANCES
                for q in range(1, len(x)):
                    if x[q] <= x[q - 1] * factor + floor:
                        close[q - 1] = close[q] = True
            for q in range(len(x)):
                if close[q] and c[q] >= 0:
                    cell[0, 0] = _distance(data, first + b, c[q])
                    _round(cell.view(np.int64), DROPPED_OF_DOUBLE)
                    x[q] = cell[0, 0]
            for q in range(1, len(x)):
                d, row = x[q], c[q]
                if row >= 0:
                    x[q] = np.inf
                    insert(d, row, x[: q + 1], c[: q + 1], ids)


@kernel
def _search(data, D, rows, limits, groups, dist, cols):
    """Sorted lists of the nearest rows that are within the limits, by distances in double precision."""
    ids, cell = data[4], np.empty((1, 1))
    for b in range(len(rows)):
        for g in range(limits.shape[1]):
            if limits[b, g] >= 0:
                dist[b, g], cols[b, g] = np.inf, -1
        for j in range(D.shape[1]):
            if D[b, j] <= limits[b, groups[j]] and j != rows[b]:
                cell[0, 0] = _distance(data, rows[b], j)
                _round(cell.view(np.int64), DROPPED_OF_DOUBLE)
                insert(cell[0, 0], j, dist[b, groups[j]], cols[b, groups[j]], ids)


@kernel
def _distance(data, i, j):
    """Distance of two rows, with what missing values add by the strategy."""
    X, nominal, scale, shape, ids, plain, _, (strategy, _, _) = data
    x, y, total, seen = X[ids[i]], X[ids[j]], 0.0, 0
    if plain:
        return _plain_distance(x, y, scale)
    for f in range(len(x)):
        if x[f] == x[f] and y[f] == y[f]:
            seen += 1
            total += 1.0 if nominal[f] and x[f] != y[f] else 0.0
            if not nominal[f]:
                total += shaped(abs(float(x[f]) - float(y[f])) * scale[f], shape)
    if strategy == 1 and seen < len(x):
        return total / seen * len(x) if seen > 0 else float(len(x))
    if seen < len(x):
        total += _unknown(data, i, j) + _unknown(data, j, i)
        return total if strategy != 0 or total > MIN_SINGLE_MEAN_DIFF * len(x) else 0.0
    return total


@kernel
def _plain_distance(x, y, scale):
    """The same of complete numbers, without a branch, so that several features are added at once."""
    total = 0.0
    for f in range(len(x)):
        total += abs(float(x[f]) - float(y[f])) * scale[f]  # unsigned integers would wrap
    return total


@kernel
def _unknown(data, i, j):
    """Difference of row j from the values that row i lacks; where both lack one, half of it."""
    X, nominal, scale, shape, ids, _, gaps, (strategy, columns, least) = data
    (indptr, features, slots, table, values), total = gaps, 0.0
    for t in range(indptr[i], indptr[i + 1]):
        f, a, share = features[t], columns[features[t]], 0.5
        expected = 2 * float(table[slots[t], j])
        if values[j, f] != MISSING:  # the table tells what it takes beyond the diff to MISSING as a value
            beyond = 1.0 if nominal[a] else shaped(float(values[j, f]) - MISSING, shape)
            expected, share = expected / 2 + beyond, 1.0
        total += share * _digits(expected, float(X[ids[j], a]), nominal[a], scale[a], least[a], strategy, shape)
    return total


@kernel
def _digits(expected, x, nominal, scale, least, strategy, shape):
    """The expected diff to x, NaN: to another unknown value, in double precision, where a formula gives it."""
    if strategy == 3:
        return np.rint(expected)
    if nominal and strategy != 0:
        return 1 - 1 / np.rint(1 / (1 - expected))
    if strategy == 4 and x == x:
        q = (x - least) * scale
        return shaped(max(q, 1 - q), shape)
    if strategy == 2 and shape is None and scale > 0:
        q = (x - least) * scale
        return (q * q + (1 - q) * (1 - q)) / 2 if x == x else 1 / 3
    return expected


@kernel
def _settle(tiles, wheres, limits, data, found):
    """Compute distances that are too close to a limit again, and round them to the side that they are on."""
    side, limit, rounded, size, doubt = limits
    down, up, sign = tiles.dtype.type(-np.inf), tiles.dtype.type(np.inf), tiles.dtype.type(side)
    for b in range(len(tiles)):
        D, (i0, i1, j0, j1) = tiles[b], wheres[b]
        for i in range(i0, i1):
            j = max(j0, i + 1)
            if j >= j1:
                continue
            d, theirs, mine, hits = D[i - i0, j - j0 : j1 - j0], rounded[j:j1], rounded[i], 0
            sizes, own = size[j:j1], doubt * size[i]
            for q in range(len(d)):
                hits += (abs(sign * d[q] - mine) <= own) | (abs(sign * d[q] - theirs[q]) <= doubt * sizes[q])
            if not hits:
                continue
            for q in range(len(d)):
                close = (abs(sign * d[q] - mine) <= own) | (abs(sign * d[q] - theirs[q]) <= doubt * sizes[q])
                if close:
                    there = side * _distance(data, i, j + q)
                    found[i] += abs(there - limit[i]) <= MEAN_ERROR * size[i]
                    found[j + q] += abs(there - limit[j + q]) <= MEAN_ERROR * sizes[q]
                    near = D.dtype.type(there)
                    if near > there:
                        near = np.nextafter(near, down)
                    # between both limits only the number above may be on the right side of the one that is reached
                    if (near < limit[i] and there >= limit[i]) or (near < limit[j + q] and there >= limit[j + q]):
                        near = np.nextafter(near, up)
                    d[q] = sign * near


@kernel
def _settle_bits(close, zone, data, origin, bits, found):
    """Bits of some pairs by distances in double precision: see `DoublePrecision.settle_bits`."""
    (side, limit, size, noise), (top, left), one = zone, origin, np.uint64(1)
    X, scale, ids, plain = data[0], data[2], data[4], data[5]
    for t in range(len(close)):
        i, j = close[t]
        there = _plain_distance(X[ids[i]], X[ids[j]], scale) if plain else _distance(data, i, j)
        there, bit = side * there, one << np.uint64(j % 64)
        for rows, row in ((0, i), (1, j)):
            bits[rows, i - top, j // 64 - left] &= ~bit
            bits[rows, i - top, j // 64 - left] |= bit if there < limit[row] else np.uint64(0)
            gap = abs(there - limit[row])
            found[row] += (gap <= MEAN_ERROR * size[row]) + (IN_NOISE if gap <= noise else 0.0)
