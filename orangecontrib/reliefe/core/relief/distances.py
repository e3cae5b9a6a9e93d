"""Distances, one *tile* at a time: rows [i0, i1) against rows [j0, j1).

A distance has `shape` (rows, columns of its tiles, multiples of 16) and ``tile(i0, i1, j0, j1, out, upper=True)``; with
`upper` only the pairs i < j are sure to be filled in.  Everything above tiles is the same for data, embeddings, sparse
data and user callables.
"""

from itertools import count
from types import ModuleType
from typing import Protocol

import numpy as np

from ..data.features import LANES, Features
from ..jit import kernel

DEPTH = 128  # features summed in the precision of the data before the sum is added to the tile
BUDGET = 2**28  # bytes of tiles that are remembered


class Distance(Protocol):
    """What makes tiles."""

    shape: tuple[int, int]
    dtype: type = np.float64  # of the tiles

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        """Distances of rows [i0, i1) to rows [j0, j1) in the corner of `out`, which is returned."""


def vector_kernels() -> ModuleType | None:
    """Kernels in LLVM's terms; None where numba does not compile."""
    from numba import config

    if config.DISABLE_JIT:
        return None
    from . import vector

    return vector


class DenseManhattan(Distance):
    """Eight features a sweep over 64 rows side by side."""

    def __init__(self, features: Features):
        self.features = features
        single = features.diff.plain and features.values.dtype == np.float32
        self._vector = vector_kernels() if single else None
        edge = LANES * min(max(features.shape[0] // 250, 1), 4)
        self.shape = edge, edge

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        f, where = self.features, (i0, i1, j0, j1)
        numeric = min(f.n_numeric, f.padded)
        if self._vector:
            lanes = f.lanes.reshape(-1)
            for nominal, features in ((False, (0, numeric)), (True, (numeric, f.padded))):
                if features[0] < features[1]:  # a call for nothing would still cost the other threads the GIL
                    self._vector.tile_distances(lanes, f.padded, features, nominal, where, upper, out)
        else:
            _dense(f.values, f.lanes, f.n_numeric, f.diff.shape, where, upper, out)
        if f.missing:
            f.missing.correct(out, i0, i1, j0, j1)
        return out


class Stored(Distance):
    """Remembers the first tiles of a distance, up to a budget in bytes: threshold rules ask for each several times.

    The tiles lie in one block of memory (huge pages, touched when used), in the precision that the distances deserve.
    """

    def __init__(self, distance: Distance, n: int, m: int, dtype: type, budget: int = BUDGET):
        self.distance, self.shape, self.dtype, self._places, self._free = distance, distance.shape, dtype, {}, count()
        height, width = distance.shape
        tiles = sum(-(-(n - i0 // width * width) // width) for i0 in range(0, m, height))
        size = height * width * np.dtype(dtype).itemsize
        self._room = np.zeros((min(tiles, budget // size), height, width), dtype)

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        place = self._places.get((i0, j0))
        if place is None:
            place = next(self._free)
            if place >= len(self._room):
                return self.distance.tile(i0, i1, j0, j1, out, upper)
            self.distance.tile(i0, i1, j0, j1, self._room[place], upper)
            self._places[i0, j0] = place
        return self._room[place]

    def keeps(self, where: tuple[int, int, int, int]) -> bool:
        """Whether a tile, and what was done to it, is remembered."""
        return (where[0], where[2]) in self._places


@kernel
def _dense(X, lanes, n_numeric, shape, where, upper, out):
    (low, slope, squared), (i0, i1, j0, j1) = shape, where
    p, acc = lanes.shape[1] // LANES, np.empty(LANES, X.dtype)
    for f0 in range(0, p, DEPTH):
        f1 = min(f0 + DEPTH, p)
        cut = min(max(n_numeric, f0), f1) - f0
        for l0 in range(j0, j1, LANES):
            width = min(LANES, j1 - l0)
            B = lanes[l0 // LANES, f0 * LANES : f1 * LANES]
            for i in range(i0, i1):
                if upper and i + 1 >= l0 + width:
                    break
                x = X[i, f0:f1]
                acc[:] = 0
                if slope == 0:
                    _add_numeric(x[:cut], B, acc)
                else:
                    _add_shaped(x[:cut], B, low, slope, squared, acc)
                _add_nominal(x[cut:], B[cut * LANES :], acc)
                row = out[i - i0, l0 - j0 : l0 - j0 + width]
                if f0 == 0:
                    for q in range(width):
                        row[q] = acc[q]
                else:
                    for q in range(width):
                        row[q] += acc[q]


@kernel
def _add_numeric(x, B, total):
    """total (LANES,) += sum_f |x_f - B_f|, eight features a sweep, so that `total` is loaded and stored once for eight.

    B is flat: with strides that are constants LLVM needs one pointer, with two-dimensional indices it needs eight.
    """
    eights = len(x) // 8 * 8
    for f in range(0, eights, 8):
        x0, x1, x2, x3, x4, x5, x6, x7 = x[f], x[f + 1], x[f + 2], x[f + 3], x[f + 4], x[f + 5], x[f + 6], x[f + 7]
        b = B[f * LANES : (f + 8) * LANES]
        for q in range(LANES):
            total[q] += (
                (abs(x0 - b[q]) + abs(x1 - b[LANES + q])) + (abs(x2 - b[2 * LANES + q]) + abs(x3 - b[3 * LANES + q]))
            ) + (
                (abs(x4 - b[4 * LANES + q]) + abs(x5 - b[5 * LANES + q]))
                + (abs(x6 - b[6 * LANES + q]) + abs(x7 - b[7 * LANES + q]))
            )
    for f in range(eights, len(x)):
        for q in range(LANES):
            total[q] += abs(x[f] - B[f * LANES + q])


@kernel
def _add_shaped(x, B, low, slope, squared, total):
    for f in range(len(x)):
        for q in range(LANES):
            diff = min(max((abs(x[f] - B[f * LANES + q]) - low) * slope, 0.0), 1.0)
            total[q] += diff * diff if squared else diff


@kernel
def _add_nominal(x, B, total):
    one, none = x.dtype.type(1), x.dtype.type(0)
    eights = len(x) // 8 * 8
    for f in range(0, eights, 8):
        x0, x1, x2, x3, x4, x5, x6, x7 = x[f], x[f + 1], x[f + 2], x[f + 3], x[f + 4], x[f + 5], x[f + 6], x[f + 7]
        b = B[f * LANES : (f + 8) * LANES]
        for q in range(LANES):
            total[q] += (
                ((one if x0 != b[q] else none) + (one if x1 != b[LANES + q] else none))
                + ((one if x2 != b[2 * LANES + q] else none) + (one if x3 != b[3 * LANES + q] else none))
            ) + (
                ((one if x4 != b[4 * LANES + q] else none) + (one if x5 != b[5 * LANES + q] else none))
                + ((one if x6 != b[6 * LANES + q] else none) + (one if x7 != b[7 * LANES + q] else none))
            )
    for f in range(eights, len(x)):
        for q in range(LANES):
            total[q] += one if x[f] != B[f * LANES + q] else none
