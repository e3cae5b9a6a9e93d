"""Sums of the weights of pairs that the spread of a score depends on, taken while scores are summed."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..data.features import Features
from ..jit import kernel


@dataclass(frozen=True)
class WeightSums:
    """Sums of the folded weights ``u_ij = V_ij + V_ji``, i < j, of one scoring.

    References
    ----------
    Mantel (1967), Cancer Research 27:209: S, E and Q of the variance of a sum over pairs.
    """

    total: float  # sum of u
    squares: float  # sum of u^2
    rows: float  # sum over rows of the square of the sum of their u


class Folding:
    """Places of pairs that are in two lists; those of the last lists are remembered, as targets share them."""

    def __init__(self) -> None:
        self._cols: np.ndarray | None = None
        self._found: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]

    def of(self, n: int, rows: np.ndarray, cols: np.ndarray) -> tuple[np.ndarray, ...]:
        """Mask of the neighbours there are, order in which both places of a pair follow each other, where each pair
        begins, and its two rows, of n.

        Shapes: `rows` (b,); `cols` (b, ...).
        """
        if cols is not self._cols:
            flat = cols.reshape(len(rows), -1)
            there = flat >= 0
            i, j = np.broadcast_to(rows[:, None], flat.shape)[there], flat[there]
            key = np.minimum(i, j).astype(np.int64) * n + np.maximum(i, j)
            order = np.argsort(key, kind="stable")
            key = key[order]
            first = np.flatnonzero(np.diff(key, prepend=-1))
            self._cols, self._found = cols, (there, order, first, *np.divmod(key[first], n))
        return self._found

    def fold(
        self, n: int, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows i < j of all pairs, and their weights V_ij + V_ji; weights (b, q) of the neighbours, others as in
        `of`."""
        there, order, first, i, j = self.of(n, rows, cols)
        return i, j, np.add.reduceat(weights[there][order], first) if len(first) else np.zeros(0)


@dataclass
class PairWeights:
    """Watch over the weights of pairs: it notes their sums for each scoring, the first one for all targets together."""

    folding: Folding = field(default_factory=Folding)  # that of the watch of another target
    # Of the last scoring that was noted; None: none was, as scores are not linear in pairs
    features: Features | None = None
    sums: list[WeightSums] = field(default_factory=list)  # of the scorings
    _tiles: dict[tuple[int, int], tuple[float, np.ndarray, np.ndarray, int, int]] = field(default_factory=dict)

    def lists(
        self, features: Features, ids: np.ndarray, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray
    ) -> None:
        """Note pairs in lists.

        Shapes: `ids` (n,); `rows` (b,); `cols` (b, ...); `weights` (b, q).
        """
        n = features.shape[0]
        i, j, u = self.folding.fold(n, rows, cols, weights)
        of_rows = np.bincount(i, u, n) + np.bincount(j, u, n)
        self._add(features, float(u.sum()), float((u * u).sum()), of_rows)

    def tile(self, V: np.ndarray, where: tuple[int, int, int, int]) -> None:
        """Note a tile of folded weights; `finish` adds the tiles up.

        Shapes: `V` (height, width).
        """
        i0, i1, j0, j1 = where
        right, down = np.zeros(i1 - i0), np.zeros(j1 - j0)
        self._tiles[i0, j0] = _tile_sums(V, right, down), right, down, i0, j0

    def absorb(self, other: Any) -> None:
        """Take the tiles that another watch of this kind has noted."""
        self._tiles |= other._tiles

    def finish(self, features: Features, ids: np.ndarray) -> None:
        """Note the scoring whose tiles were noted; parameters as in `lists`."""
        of_rows, squares = np.zeros(features.shape[0]), 0.0
        for corner in sorted(self._tiles):  # in this order, whichever thread was the first
            tile, right, down, i0, j0 = self._tiles[corner]
            squares += tile
            of_rows[i0 : i0 + len(right)] += right
            of_rows[j0 : j0 + len(down)] += down
        self._tiles.clear()
        self._add(features, float(of_rows.sum() / 2), squares, of_rows)

    def _add(self, features: Features, total: float, squares: float, of_rows: np.ndarray) -> None:
        self.features = features
        self.sums.append(WeightSums(total, squares, float((of_rows * of_rows).sum())))


@kernel
def _tile_sums(V, right, down):
    """Sum of the squares of a tile; sums of its rows and columns are added to right (h,) and down (w,)."""
    squares = 0.0
    for i in range(len(right)):
        row, total = V[i, : len(down)], 0.0
        for j in range(len(row)):
            v = np.float64(row[j])
            total += v
            squares += v * v
            down[j] += v
        right[i] += total
    return squares
