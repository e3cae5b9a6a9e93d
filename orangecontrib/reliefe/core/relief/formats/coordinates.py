"""Distances of rows that have coordinates in a space of their own, such as an embedding."""

from functools import cached_property

import numpy as np

from ...kernels.jit import kernel
from .distance import Distance
from .rounding import round_distances
from .steps import Steps

EUCLIDEAN, COSINE = "euclidean", "cosine"
COSINE_STEPS = 2.0**43  # in a unit: 1 - cos has no more digits than that


class Coordinates(Distance):
    """Distances of points.

    Shapes: `E` (n, d).
    """

    def __init__(self, E: np.ndarray, metric: str = EUCLIDEAN):
        E = np.asarray(E, dtype=np.float64)
        if metric == COSINE:
            norm = np.linalg.norm(E, axis=1, keepdims=True)
            E = E / np.where(norm > 0, norm, 1)
        else:
            size = np.abs(E).max(initial=0.0)
            E = E / size if size > 0 else E  # squares of any coordinates are then finite
        self.E, self.turned, self.cosine = np.ascontiguousarray(E), np.ascontiguousarray(E.T), metric == COSINE
        self.n = len(E)
        edge = 64 * min(max(len(E) // 512, 1), 4)
        self.shape = edge, edge

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        _distances(self.E, self.turned, self.cosine, (i0, i1, j0, j1), out)
        return out

    @cached_property
    def steps(self) -> Steps:
        """Those of the largest distance that can occur: 2 of cosines, else twice the distance from the centre."""
        radius = 1.0 if self.cosine else np.linalg.norm(self.E - self.E.mean(axis=0), axis=1).max(initial=0.0)
        return Steps.for_bound(self.n, 2 * float(radius))

    def exact(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        out = np.empty(cols.shape)
        _pair_distances(self.E, self.cosine, rows, cols, out)
        round_distances(out)
        return out


@kernel
def _pair_distances(E, cosine, rows, cols, out):
    """Distances out[b, q] of points rows[b] and cols[b, q], |x - y| or 1 - x.y; infinite to nobody, -1."""
    for b in range(len(rows)):
        x = E[rows[b]]
        for q in range(cols.shape[1]):
            if cols[b, q] < 0:
                out[b, q] = np.inf
                continue
            y, total = E[cols[b, q]], 0.0
            if cosine:
                for f in range(len(x)):
                    total += x[f] * y[f]
                out[b, q] = max(np.rint((1 - total) * COSINE_STEPS) / COSINE_STEPS, 0.0)
            else:
                for f in range(len(x)):
                    total += (x[f] - y[f]) * (x[f] - y[f])
                out[b, q] = np.sqrt(total)


@kernel
def _distances(E, turned, cosine, where, out):
    """A tile of distances, eight coordinates a sweep over the rows that `turned` (d, n) has side by side."""
    i0, i1, j0, j1 = where
    eights, width = E.shape[1] // 8 * 8, j1 - j0
    Y = turned[:, j0:j1].copy()
    flat = Y.reshape(-1)  # with strides that are constants LLVM needs one pointer
    for i in range(i0, i1):
        row, x = out[i - i0, :width], E[i]
        row[:] = 0
        for f in range(0, eights, 8):
            _add_eight(x[f : f + 8], flat[f * width : (f + 8) * width], cosine, row)
        for f in range(eights, len(x)):
            y = Y[f]
            if cosine:
                for q in range(len(row)):
                    row[q] += x[f] * y[q]
            else:
                for q in range(len(row)):
                    row[q] += (x[f] - y[q]) * (x[f] - y[q])
        if cosine:
            for q in range(len(row)):
                row[q] = max(np.rint((1 - row[q]) * COSINE_STEPS) / COSINE_STEPS, 0.0)
        else:
            for q in range(len(row)):
                row[q] = np.sqrt(row[q])


@kernel
def _add_eight(x, Y, cosine, row):
    """Products, or squared differences, of eight coordinates, added to `row`, which is loaded and stored once for
    eight."""
    x0, x1, x2, x3, x4, x5, x6, x7 = x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
    n = len(row)
    a, b, c, d = Y[:n], Y[n : 2 * n], Y[2 * n : 3 * n], Y[3 * n : 4 * n]
    e, g, h, k = Y[4 * n : 5 * n], Y[5 * n : 6 * n], Y[6 * n : 7 * n], Y[7 * n :]
    if cosine:
        for q in range(len(row)):
            row[q] += ((x0 * a[q] + x1 * b[q]) + (x2 * c[q] + x3 * d[q])) + (
                (x4 * e[q] + x5 * g[q]) + (x6 * h[q] + x7 * k[q])
            )
    else:
        for q in range(len(row)):
            y0, y1, y2, y3, y4, y5, y6, y7 = (
                x0 - a[q],
                x1 - b[q],
                x2 - c[q],
                x3 - d[q],
                x4 - e[q],
                x5 - g[q],
                x6 - h[q],
                x7 - k[q],
            )
            row[q] += ((y0 * y0 + y1 * y1) + (y2 * y2 + y3 * y3)) + ((y4 * y4 + y5 * y5) + (y6 * y6 + y7 * y7))
