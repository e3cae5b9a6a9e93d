"""Distances in double precision, from the data as they came, for the few pairs that single precision cannot decide.

A rounding in the seventh digit matters only where it changes who is a neighbour: at the end of a list of k, and at a
threshold.  Those pairs are computed again, so that scores agree with a computation in double precision throughout.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..data.diff import Diff
from ..data.table import DataTable
from ..jit import kernel

EXACT_BITS, SINGLE_BITS = 12, 32  # of the 52 of a distance that are dropped: 2^-40 and 2^-20 are left
DOUBT = 4e-6  # relative error of a distance in single precision that is never reached
SPARE = 2  # places of a list behind the k-th
ROOM = 4096  # pairs of a tile that are computed again; data with more of them have ties that no precision resolves


@dataclass(frozen=True)
class Exact:
    """ids (n,): row of `table` for every row of the run; scale (p,): what numeric differences are multiplied with."""

    table: DataTable
    ids: np.ndarray
    scale: np.ndarray
    diff: Diff

    def distances(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """rows (b,), cols (b, k) -> (b, k), infinite where cols is negative."""
        out = np.empty(cols.shape)
        _distances(self._data, rows, cols, out)
        round_distances(out, exact=True)
        return out

    def settle_lists(self, dist: np.ndarray, cols: np.ndarray, k: int, every: bool = False) -> None:
        """Order anew the lists (m, G, k + SPARE) in which the k-th and the next are too close to call, or all."""
        if every:
            rows, groups = np.nonzero(cols[:, :, 0] >= 0)
        elif dist.shape[2] > k:
            last, following = dist[:, :, k - 1], dist[:, :, k]
            rows, groups = np.nonzero(np.isfinite(following) & (following <= last * (1 + DOUBT)))
        else:
            rows = ()
        if len(rows):
            near = cols[rows, groups]
            exact = self.distances(rows, near)
            order = np.lexsort((self.ids[near], exact), axis=1)
            cols[rows, groups] = np.take_along_axis(near, order, axis=1)
            dist[rows, groups] = np.take_along_axis(exact, order, axis=1)

    def settle_tiles(self, tiles: np.ndarray, wheres: np.ndarray, sign: float, limit: np.ndarray) -> None:
        """Put the distances of tiles (b, h, w) that are too close to a limit of their rows on the right side of it.

        wheres (b, 4): i0, i1, j0, j1 of each; limit (n,): of sign * distance; below it is inside.
        """
        _settle(tiles, wheres, sign, limit, limit.astype(tiles.dtype), tiles.dtype.type(DOUBT), self._data)

    @cached_property
    def _data(self) -> tuple:
        """What distances are computed from, as the kernels want it."""
        return self.table.values, self.table.nominal, self.scale, self.diff.shape, self.ids


def round_distances(D: np.ndarray, exact: bool) -> None:
    """Make distances (h, w) float64 equal that are equal but for the rounding of sums: in 12 digits, or in 6.

    Then ties go to the lower row whatever the order in which features were added.  Where that joins what differs in
    single precision, `Exact.settle_lists` tells them apart.
    """
    _round(D.view(np.int64), EXACT_BITS if exact else SINGLE_BITS)


@kernel
def _round(bits, drop):
    half, mask = np.int64(1) << (drop - 1), ~((np.int64(1) << drop) - 1)
    for i in range(len(bits)):
        row = bits[i]
        for q in range(len(row)):
            row[q] = (row[q] + half) & mask


@kernel
def _distances(data, rows, cols, out):
    for b in range(len(rows)):
        for q in range(cols.shape[1]):
            out[b, q] = _distance(data, rows[b], cols[b, q]) if cols[b, q] >= 0 else np.inf


@kernel
def _distance(data, i, j):
    X, nominal, scale, (low, slope, squared), ids = data
    x, y, total = X[ids[i]], X[ids[j]], 0.0
    for f in range(len(x)):
        if nominal[f]:
            total += 1.0 if x[f] != y[f] else 0.0
        else:
            diff = abs(x[f] - y[f]) * scale[f]
            if slope != 0:
                diff = min(max((diff - low) * slope, 0.0), 1.0)
                diff = diff * diff if squared else diff
            total += diff
    return total


@kernel
def _settle(tiles, wheres, sign, limit, edge, doubt, data):
    for b in range(len(tiles)):
        _settle_tile(tiles[b], wheres[b], sign, limit, edge, doubt, data)


@kernel
def _settle_tile(D, where, sign, limit, edge, doubt, data):
    i0, i1, j0, j1 = where
    down, up, mark = D.dtype.type(-np.inf), D.dtype.type(np.inf), D.dtype.type(sign)
    exact, left = np.empty((1, 1)), ROOM
    for i in range(i0, i1):
        j = max(j0, i + 1)
        if j >= j1 or left == 0:
            continue
        d, edges, mine, hits = D[i - i0, j - j0 : j1 - j0], edge[j:j1], edge[i], 0
        for q in range(len(d)):
            hits += (abs(mark * d[q] - mine) <= doubt * d[q]) | (abs(mark * d[q] - edges[q]) <= doubt * d[q])
        if not hits:
            continue
        for q in range(len(d)):
            close = (abs(mark * d[q] - mine) <= doubt * d[q]) | (abs(mark * d[q] - edges[q]) <= doubt * d[q])
            if close and left > 0:
                left -= 1
                exact[0, 0] = _distance(data, i, j + q)
                _round(exact.view(np.int64), EXACT_BITS)
                there = sign * exact[0, 0]
                near = D.dtype.type(there)
                if near > there:
                    near = np.nextafter(near, down)
                # between both limits only the number above may be on the right side of the one that is reached
                if (near < limit[i] and there >= limit[i]) or (near < limit[j + q] and there >= limit[j + q]):
                    near = np.nextafter(near, up)
                d[q] = mark * near
