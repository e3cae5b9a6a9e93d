"""Distances of rows that have coordinates in a space of their own, such as an embedding."""

import numpy as np

from ..jit import kernel
from .distances import Distance

EUCLIDEAN, COSINE = METRICS = ("euclidean", "cosine")
DIGITS = 2.0**43  # cosine distances are rounded to its inverse: 1 - cos has no more digits than that


class Coordinates(Distance):
    """E (n, d), rows in run order; metric "euclidean", or "cosine": 1 - cos, zero vectors at distance 1 from all."""

    def __init__(self, E: np.ndarray, metric: str = EUCLIDEAN):
        E = np.asarray(E, dtype=np.float64)
        if metric == COSINE:
            norm = np.linalg.norm(E, axis=1, keepdims=True)
            E = E / np.where(norm > 0, norm, 1)
        else:
            size = np.abs(E).max(initial=0.0)
            E = E / size if size > 0 else E  # squares of any coordinates are then finite
        self.E, self.turned, self.cosine = np.ascontiguousarray(E), np.ascontiguousarray(E.T), metric == COSINE
        edge = 64 * min(max(len(E) // 512, 1), 4)
        self.shape = edge, edge

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        _distances(self.E, self.turned, self.cosine, i0, i1, j0, j1, out)
        return out


@kernel
def _distances(E, turned, cosine, i0, i1, j0, j1, out):
    for i in range(i0, i1):
        row = out[i - i0, : j1 - j0]
        row[:] = 0
        for f in range(E.shape[1]):
            x, y = E[i, f], turned[f, j0:j1]
            if cosine:
                for q in range(len(row)):
                    row[q] += x * y[q]
            else:
                for q in range(len(row)):
                    row[q] += (x - y[q]) * (x - y[q])
        if cosine:
            for q in range(len(row)):
                row[q] = max(np.rint((1 - row[q]) * DIGITS) / DIGITS, 0.0)
        else:
            for q in range(len(row)):
                row[q] = np.sqrt(row[q])
