"""Mean and standard deviation of distances, of which limits are made."""

from typing import cast

import numpy as np

from ..forms.double_precision import DoublePrecision
from ..kernels.jit import kernel
from .pairs import STRIP, Pairs

EQUAL_DISTANCES = 1e-6  # share of the mean below which a deviation is rounding: distances do not differ


def moments(pairs: Pairs, whole: bool) -> tuple[np.ndarray, np.ndarray]:
    """Mean and population standard deviation of distances.

    Returns shape mean, deviation (n,).
    """

    def part_of(part: int) -> np.ndarray:
        out = np.zeros((2, pairs.n))
        for tiles, wheres in pairs.blocks(part):
            tiles = tiles if pairs.apart is None else np.where(np.isinf(tiles), tiles.dtype.type(0), tiles)
            _moments(tiles, wheres, out)
        return out

    return _deviation(pairs, pairs.total(part_of), np.arange(pairs.n), whole)


def _deviation(pairs: Pairs, sums: np.ndarray, rows: np.ndarray, whole: bool) -> tuple[np.ndarray, np.ndarray]:
    """Mean (n,) and standard deviation (n,) of some rows from sums (2, >= m) of distances and of their squares."""
    others = np.maximum(np.broadcast_to(pairs.others, pairs.n)[rows], 1)
    if whole:
        sums = np.array([np.full(len(rows), a[: pairs.m].mean()) for a in sums])
        others = np.maximum(np.broadcast_to(pairs.others, pairs.n)[: pairs.m].mean(), 1)
    mean = sums[0] / others
    variance = sums[1] / others - mean * mean
    return mean, np.sqrt(np.where(variance > (EQUAL_DISTANCES * mean) ** 2, variance, 0))


def settled_moments(pairs: Pairs, rows: np.ndarray, whole: bool) -> tuple[np.ndarray, np.ndarray]:
    """The same for some rows of data in single precision, or for all, from distances in double precision."""
    double = cast("DoublePrecision", pairs.double)
    pieces = [rows[rows < pairs.m][s : s + STRIP] for s in range(0, len(rows), STRIP)]

    def sums(block: np.ndarray) -> np.ndarray:
        pairs.work.tick()
        d = double.whole_rows(block)
        if pairs.apart is not None:
            d[pairs.apart[block][:, None] == pairs.apart] = 0
        d[np.isinf(d)] = 0
        return np.array([d.sum(axis=1), (d * d).sum(axis=1)])

    return _deviation(pairs, np.concatenate(pairs.work.spread(sums, pieces), axis=1), rows, whole)


@kernel
def _moments(tiles, wheres, out):
    """Sum and sum of squares of each row's distances in several tiles, added to out (2, n)."""
    for b in range(len(tiles)):
        _add_moments(tiles[b], wheres[b], out)


@kernel
def _add_moments(D, where, out):
    """The same of one tile, loops without branches."""
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
