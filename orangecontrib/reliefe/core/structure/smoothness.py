"""Smoothness of features on a graph of rows: how little they differ between rows with an edge of large weight.

For weights S, degrees D and a feature f, both scores are f'(D - S)f over a variance of f.  The former is the sum of
S_ij (f_i - f_j)^2 / 2.  `methods/graph_filters.py` calls these functions with the points of a table, whose columns are
the features f, and with a sparse graph or the weights of all pairs of rows.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import sparse

from ..points.points import Points, spans
from ..work.threads import PARTS, Work
from .distances import TINY, Distances
from .graph import Graph

ROWS_PER_TILE = 256  # rows and columns of the weights of all pairs that are computed at once; chosen by eye


@dataclass(frozen=True, eq=False)
class Forms:
    """Quadratic and linear forms of each of q columns f of the points, over n rows.

    joined (q,): f'Sf.
    squares (q,): f'Df.
    firsts (q,): f'D1.
    degrees (n,): diagonal of D.
    """

    joined: np.ndarray
    squares: np.ndarray
    firsts: np.ndarray
    degrees: np.ndarray

    @property
    def roughness(self) -> np.ndarray:
        """f'(D - S)f (q,), at least 0."""
        return np.asarray(np.maximum(self.squares - self.joined, 0.0))

    @property
    def laplacian(self) -> np.ndarray:
        """Laplacian scores (q,), from 0 (smooth) to 2: roughness over the weighted variance; 1 where that is 0."""
        total = self.degrees.sum()
        variance = self.squares - self.firsts**2 / (total if total > 0 else 1.0)
        varies = variance > TINY * self.squares
        return np.where(varies, self.roughness / np.where(varies, variance, 1.0), 1.0)


def forms_on_graph(points: Points, graph: Graph, work: Work) -> Forms:
    """Compute the forms for the weights of a sparse graph."""
    n, q = points.shape
    bounds = np.linspace(0, n, PARTS + 1).astype(int)

    def joined_of_part(number: int) -> np.ndarray:
        """Add up f'Sf (q,) over a part of the rows."""
        sums = np.zeros(q)
        for block in spans(bounds[number + 1] - bounds[number], q):
            work.tick(block.stop - block.start)
            rows = slice(bounds[number] + block.start, bounds[number] + block.stop)
            sums += _column_products(points.values[rows], graph.weights[rows] @ points.values)
        return sums

    work.plan(n)
    return _forms_of_centred(points, work.total(joined_of_part), graph.degrees)


def forms_of_all_pairs(points: Points, distances: Distances, gamma: float, work: Work) -> Forms:
    """Compute the forms for the weights exp(-gamma d^2) of all pairs of rows, none of which is stored."""
    n, q = points.shape
    row_starts = list(range(0, n, ROWS_PER_TILE))
    column_blocks = spans(q, ROWS_PER_TILE)
    tiles = [(left, right) for left in row_starts for right in row_starts if right >= left]
    work.plan(len(tiles))
    tiles_per_part = max(len(tiles) / PARTS, 1.0)

    def sums_of_part(number: int) -> np.ndarray:
        """Add up f'Sf (q,) and the degrees (n,), one behind the other, over a part of the tiles."""
        joined_sums = np.zeros(q + n)
        joined = joined_sums[:q]
        degrees = joined_sums[q:]
        first_tile = int(np.ceil(number * tiles_per_part))
        last_tile = int(np.ceil((number + 1) * tiles_per_part))
        for left, right in tiles[first_tile:last_tile]:
            work.tick(1)
            rows = slice(left, min(left + ROWS_PER_TILE, n))
            cols = slice(right, min(right + ROWS_PER_TILE, n))
            is_diagonal = left == right
            weights = _weights(distances.tile(rows, cols), gamma)
            degrees[rows] += weights.sum(axis=1)
            if not is_diagonal:
                degrees[cols] += weights.sum(axis=0)
            for block in column_blocks:
                left_values = points.values[rows, block]
                right_values = points.values[cols, block]
                is_sparse = sparse.issparse(right_values)
                weighted = (right_values.T @ weights.T).T if is_sparse else weights @ right_values
                joined[block] += (1 if is_diagonal else 2) * _column_products(left_values, weighted)
        return joined_sums

    sums = work.total(sums_of_part)
    return _forms_of_centred(points, sums[:q], sums[q:])


def _weights(squares: np.ndarray, gamma: float) -> np.ndarray:
    """Replace squared distances d^2 in place by exp(-gamma d^2), which is 0 where the product is beyond all numbers."""
    with np.errstate(over="ignore"):
        squares *= -gamma
    np.exp(squares, out=squares)
    return squares


def _column_products(left: np.ndarray | sparse.csr_array, right: np.ndarray | sparse.csr_array) -> np.ndarray:
    """Multiply each column of a matrix (b, q) with that of another: (q,)."""
    if sparse.issparse(left):
        return np.asarray(cast("sparse.csr_array", left).multiply(right).sum(axis=0)).ravel()
    return np.asarray(np.einsum("ij,ij->j", left, cast("np.ndarray", right)))


def _forms_of_centred(points: Points, joined: np.ndarray, degrees: np.ndarray) -> Forms:
    """Convert forms of the values to those of the points F = values - shift.

    joined (q,): f'Sf of the values; degrees (n,): sums of the rows of S.
    """
    values = points.values
    shift = points.shift
    total = degrees.sum()
    firsts = values.T @ degrees
    if sparse.issparse(values):
        squares = cast("sparse.csr_array", values).power(2).T @ degrees
    else:
        squares = np.zeros(len(shift))
        for rows in spans(*values.shape):
            squares += degrees[rows] @ np.square(values[rows])
    # (f - m)'S(f - m) = f'Sf - 2 m f'D1 + m^2 1'D1, since S1 = D1, and the same for D.
    change = shift * shift * total - 2 * shift * firsts
    return Forms(joined + change, squares + change, firsts - shift * total, degrees)
