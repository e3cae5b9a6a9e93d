"""Sums of the weights of pairs that the spread of a score depends on, taken while scores are summed."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..kernels.jit import kernel
from .formats.features import Features
from .formats.pair_sums import PairList
from .formats.sums import WeightTile
from .neighbourhoods.row_pairs import RowPairs
from .outputs import Output


@dataclass(frozen=True)
class WeightSums:
    """Sums of the folded weights ``u_ij = V_ij + V_ji``, i < j, of one scoring.

    Mantel (1967), Cancer Research 27:209: S, E and Q of the variance of a sum over pairs.

    Attributes
    ----------
    total : float
        S, the sum of u.
    squares : float
        E, the sum of u^2.
    rows : float
        Q, the sum over rows of the square of the sum of their u.
    """

    total: float
    squares: float
    rows: float


def folded(n: int, pairs: PairList) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows i < j, of n, of the pairs of lists, in which a pair may be twice, and their weights u_ij, for one target."""
    i = pairs.first_rows
    j = pairs.cols
    keys = np.minimum(i, j).astype(np.int64) * n + np.maximum(i, j)
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    first = np.flatnonzero(np.diff(sorted_keys, prepend=-1))
    weights = pairs.weights[order, 0].astype(float)
    u = np.add.reduceat(weights, first) if len(first) else np.zeros(0)
    return *np.divmod(sorted_keys[first], n), u


def sums_of_lists(n: int, pairs: PairList) -> list[WeightSums]:
    """Sums for each of T targets of the folded weights of lists, one for each row, in which a pair may be twice."""
    first_rows = pairs.first_rows
    cols = pairs.cols
    weights = pairs.weights
    if (np.diff(first_rows) < 0).any():
        order = np.argsort(first_rows, kind="stable")
        first_rows = first_rows[order]
        cols = cols[order]
        weights = weights[order]
    starts = np.searchsorted(first_rows, np.arange(n + 1))
    n_targets = weights.shape[1]
    squares = np.zeros(n_targets)
    of_rows = np.zeros((n, n_targets))
    _add_list_sums(starts, cols, weights, squares, of_rows)
    return from_row_sums(squares, of_rows)


def from_row_sums(squares: np.ndarray, of_rows: np.ndarray) -> list[WeightSums]:
    """Sums for T targets from those of the squares (T,) and of each row (n, T)."""
    totals = of_rows.sum(axis=0) / 2, squares, np.einsum("nt,nt->t", of_rows, of_rows)
    return [WeightSums(*map(float, sums)) for sums in zip(*totals, strict=True)]


@kernel
def _add_list_sums(starts, cols, W, squares, of_rows):
    """Add the squares of folded weights to squares (T,), and their sums of each row to of_rows (n, T).

    A pair may be in the lists of both rows, with the weights v and v': (v + v')^2 = v (v + v') + v' (v' + v).

    starts : (n + 1,), start of the list of each row
    cols, W : (q,) and (q, T), second rows and weights
    """
    for i in range(len(starts) - 1):
        for q in range(starts[i], starts[i + 1]):
            j = cols[q]
            w = W[q]
            twin = -1
            for r in range(starts[j], starts[j + 1]):
                if cols[r] == i:
                    twin = r
            weights_of_twin = W[max(twin, 0)]
            for t in range(len(w)):
                v = np.float64(w[t])
                squares[t] += v * (v + (weights_of_twin[t] if twin >= 0 else 0.0))
                of_rows[i, t] += v
                of_rows[j, t] += v


class PairQuantity(NamedTuple):
    """Quantity of the pairs of a run, and what a caller needs to read it.

    Attributes
    ----------
    features : Features
        Features of the run.
    ids : (n,) array
        Rows of the run in the caller's order.
    value : Any
        `WeightSums`, or what a subclass of `PairWeights` makes of the pairs.
    """

    features: Features
    ids: np.ndarray
    value: Any


class PairWeights(Output):
    """Sums of the weights of all pairs, `WeightSums`, as a `PairQuantity`."""

    def zeros(self) -> Any:
        return []

    def add(self, state: Any, block: Any) -> Any:
        state.append(self.of_tile(block) if isinstance(block, WeightTile) else self.of_list(block))
        return state

    def finish(self, state: Any, rows: RowPairs) -> PairQuantity:
        return PairQuantity(rows.features, rows.ids, self.of_notes(rows, sorted(state, key=_corner)))

    def of_lists(self, pairs: PairList, rows: RowPairs) -> PairQuantity:
        return PairQuantity(rows.features, rows.ids, self.of_unfolded(rows, pairs))

    @staticmethod
    def of_unfolded(rows: RowPairs, pairs: PairList) -> Any:
        """Value of lists of neighbours, in which a pair may be twice."""
        return sums_of_lists(rows.n, pairs)[0]

    @staticmethod
    def of_tile(tile: WeightTile) -> Any:
        """Note of a tile of folded weights, which begins with its place."""
        V, (i0, i1, j0, j1) = tile
        right = np.zeros(i1 - i0)
        down = np.zeros(j1 - j0)
        return (i0, j0), _tile_sums(V, right, down), right, down

    @staticmethod
    def of_list(pairs: PairList) -> Any:
        """Note of a list of folded weights for one target, at least one, as of a tile around its pairs."""
        i0 = int(pairs.rows.min())
        j0 = int(pairs.cols.min())
        squares = np.zeros(1)
        right = np.zeros((int(pairs.rows.max()) - i0 + 1, 1))
        down = np.zeros((int(pairs.cols.max()) - j0 + 1, 1))
        add_weight_sums(*pairs, (i0, j0), squares, right, down)
        return (i0, j0), float(squares[0]), right[:, 0], down[:, 0]

    @staticmethod
    def of_notes(rows: RowPairs, notes: list[Any]) -> Any:
        """Value of the notes of all tiles or lists, in their order."""
        of_rows = np.zeros(rows.n)
        squares = 0.0
        for (i0, j0), of_note, right, down in notes:
            squares += of_note
            of_rows[i0 : i0 + len(right)] += right
            of_rows[j0 : j0 + len(down)] += down
        return WeightSums(float(of_rows.sum() / 2), squares, float((of_rows * of_rows).sum()))


def _corner(note: tuple[Any, ...]) -> tuple[int, int]:
    """First row and column of a note."""
    i0, j0 = note[0]
    return i0, j0


@kernel
def add_weight_sums(rows, starts, cols, weights, corner, squares, of_rows, of_cols):
    """Add sums of the folded weights of the pairs of a `PairList`, (q, T).

    Their squares are added to squares (T,), those of row i to of_rows[i - place[0]], and those of column j to
    of_cols[j - place[1]], (h, T) and (w, T).
    """
    i0, j0 = corner
    for b in range(len(rows)):
        of_row = of_rows[rows[b] - i0]
        for q in range(starts[b], starts[b + 1]):
            of_col = of_cols[cols[q] - j0]
            w = weights[q]
            for t in range(len(w)):
                v = np.float64(w[t])
                squares[t] += v * v
                of_row[t] += v
                of_col[t] += v


@kernel
def _tile_sums(V, right, down):
    """Sum of the squares of a tile; sums of its rows and columns are added to right (h,) and down (w,)."""
    squares = 0.0
    for i in range(len(right)):
        row = V[i, : len(down)]
        total = 0.0
        for j in range(len(row)):
            v = np.float64(row[j])
            total += v
            squares += v * v
            down[j] += v
        right[i] += total
    return squares
