"""Distances of rows that have coordinates in a space of their own, such as an embedding.

`methods/reliefe.py` passes `Coordinates` as the distance of a run. They are Euclidean, or 1 - cos.
"""

from functools import cached_property

import numpy as np

from ...kernels.jit import kernel
from ...kernels.rounding import round_distances
from .distance import Distance
from .steps import Steps

EUCLIDEAN = "euclidean"
COSINE = "cosine"
COSINE_STEPS = 2.0**43  # cosine distances are multiples of 1 over it: 1 - cos has no more digits than that
EIGHT = 8  # coordinates that a sweep over rows takes at once


class Coordinates(Distance):
    """Distances of points.

    Parameters
    ----------
    E : (n, d) array
        Coordinates of the rows.
    metric : str
        EUCLIDEAN or COSINE.

    Attributes
    ----------
    E : (n, d) array
        Coordinates of length 1 for cosines, else divided by the largest one, which changes no order of distances.
    transposed : (d, n) array
        The same, one coordinate of all rows after another.
    cosine : bool
        True for cosine distances.
    """

    def __init__(self, E: np.ndarray, metric: str = EUCLIDEAN):
        E = np.asarray(E, dtype=np.float64)
        if metric == COSINE:
            norm = np.linalg.norm(E, axis=1, keepdims=True)
            E = E / np.where(norm > 0, norm, 1)
        else:
            size = np.abs(E).max(initial=0.0)
            E = E / size if size > 0 else E  # squares of any coordinates are then finite
        self.E = np.ascontiguousarray(E)
        self.transposed = np.ascontiguousarray(E.T)
        self.cosine = metric == COSINE
        self.n = len(E)
        edge = 64 * min(max(len(E) // 512, 1), 4)
        self.tile_shape = edge, edge

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        _fill_distances(self.E, self.transposed, self.cosine, (i0, i1, j0, j1), out)
        return out

    @cached_property
    def steps(self) -> Steps:
        """Those of the largest distance that can occur: 2 of cosines, else twice the distance from the centre."""
        radius = 1.0 if self.cosine else np.linalg.norm(self.E - self.E.mean(axis=0), axis=1).max(initial=0.0)
        return Steps.for_bound(self.n, 2 * float(radius))

    def exact(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        distances = np.empty(cols.shape)
        _fill_pairs(self.E, self.cosine, rows, cols, distances)
        round_distances(distances)
        return distances


@kernel
def _fill_pairs(E, cosine, rows, cols, out):
    """Set out[b, q] to the distance of the points x of rows[b] and y of cols[b, q], |x - y| or 1 - x.y.

    It is infinite where cols[b, q] is negative.
    """
    for b in range(len(rows)):
        x = E[rows[b]]
        for q in range(cols.shape[1]):
            if cols[b, q] < 0:
                out[b, q] = np.inf
                continue
            y = E[cols[b, q]]
            total = 0.0
            if cosine:
                for f in range(len(x)):
                    total += x[f] * y[f]
                out[b, q] = max(np.rint((1 - total) * COSINE_STEPS) / COSINE_STEPS, 0.0)
            else:
                for f in range(len(x)):
                    total += (x[f] - y[f]) * (x[f] - y[f])
                out[b, q] = np.sqrt(total)


@kernel
def _fill_distances(E, transposed, cosine, bounds, out):
    """Set out[i - i0, j - j0] to the distance of rows i and j, as in `_fill_pairs`.

    Sums of all rows j grow by eight coordinates at a time.

    E, transposed : (n, d) and (d, n)
    bounds : i0, i1, j0, j1
    """
    i0, i1, j0, j1 = bounds
    width = j1 - j0
    first_of_rest = E.shape[1] // EIGHT * EIGHT
    Y = transposed[:, j0:j1].copy()
    flat = Y.reshape(-1)  # with strides that are constants LLVM needs one pointer
    for i in range(i0, i1):
        x = E[i]
        row = out[i - i0, :width]
        row[:] = 0
        for f in range(0, first_of_rest, EIGHT):
            _add_eight(x[f : f + EIGHT], flat[f * width : (f + EIGHT) * width], cosine, row)
        for f in range(first_of_rest, len(x)):
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
    """Add to row[q] the sum over eight coordinates of x_f Y_f[q], or of (x_f - Y_f[q])^2.

    The sums in `row` are loaded and stored once for eight.

    x : (8,), a point
    Y : (8 * n,), flat, a coordinate of n rows after another
    row : (n,)
    """
    x0 = x[0]
    x1 = x[1]
    x2 = x[2]
    x3 = x[3]
    x4 = x[4]
    x5 = x[5]
    x6 = x[6]
    x7 = x[7]
    n = len(row)
    y0 = Y[:n]
    y1 = Y[n : 2 * n]
    y2 = Y[2 * n : 3 * n]
    y3 = Y[3 * n : 4 * n]
    y4 = Y[4 * n : 5 * n]
    y5 = Y[5 * n : 6 * n]
    y6 = Y[6 * n : 7 * n]
    y7 = Y[7 * n :]
    if cosine:
        for q in range(len(row)):
            row[q] += ((x0 * y0[q] + x1 * y1[q]) + (x2 * y2[q] + x3 * y3[q])) + (
                (x4 * y4[q] + x5 * y5[q]) + (x6 * y6[q] + x7 * y7[q])
            )
    else:
        for q in range(len(row)):
            d0 = x0 - y0[q]
            d1 = x1 - y1[q]
            d2 = x2 - y2[q]
            d3 = x3 - y3[q]
            d4 = x4 - y4[q]
            d5 = x5 - y5[q]
            d6 = x6 - y6[q]
            d7 = x7 - y7[q]
            row[q] += ((d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)) + ((d4 * d4 + d5 * d5) + (d6 * d6 + d7 * d7))
