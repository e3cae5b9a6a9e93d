"""Squared distances between rows that are points, a tile at a time: Euclidean ones, or by the angle.

`neighbours`, `mixed_graph` and `smoothness` compute graphs and similarities from them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from scipy import sparse

from ..points.points import Points, spans

EUCLIDEAN = "euclidean"
COSINE = "cosine"
DISTANCES = (EUCLIDEAN, COSINE)
ROUNDING_BITS = 40  # binary digits of the largest square to which squares are rounded, so that equal ones tie
TINY = 1e-14  # difference of two squares, as a share of their sum, below which it is only rounding


@dataclass(frozen=True, eq=False)
class Distances:
    """Squared distances of the rows of points.

    points: rows with the coordinates `points.values`, which may be shifted against those of the table.
    cosine: True for the distances 2 - 2 cos of the rows as the table has them.

    A row of zeros has no direction: its cosine to all rows is 0, and its distance to other rows of zeros is 0, too.
    """

    points: Points
    cosine: bool = False

    def tile(self, rows: slice | np.ndarray, cols: slice | np.ndarray) -> np.ndarray:
        """Compute the squared distances (b, c) of rows (b,) to cols (c,), at least 0 and rounded."""
        rows_values = self.points.values[rows]
        cols_values = self.points.values[cols]
        products = rows_values @ cols_values.T
        if sparse.issparse(products):
            products = cast("sparse.csr_array", products).toarray()
        if not self.cosine:
            # |x - y|^2 = |x|^2 + |y|^2 - 2 x y
            products *= -2
            products += self._squared_lengths[rows][:, None]
            products += self._squared_lengths[cols]
            return self._rounded(products)
        # (x + o)(y + o) = x y + x o + y o + o o
        lengths = self._table_lengths
        products += self._offset_products[rows][:, None] + self._offset_products[cols] + self._squared_offset
        norms = np.outer(lengths[rows], lengths[cols])
        np.divide(products, norms, out=products, where=norms > 0)
        products[norms == 0] = 0
        squares = 2 - 2 * products
        squares[np.outer(lengths[rows] == 0, lengths[cols] == 0)] = 0
        return self._rounded(squares)

    def pairs(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Compute the squared distances (e,) of the pairs of rows i (e,) and j (e,), not rounded."""
        squares = np.empty(len(i))
        for block in spans(len(i), self.points.shape[1]):
            squares[block] = self._cosine_pairs(i[block], j[block]) if self.cosine else self._pairs(i[block], j[block])
        return squares

    def _pairs(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Compute |x_i - x_j|^2 (e,) from the differences."""
        differences = self.points.values[i] - self.points.values[j]
        squares = differences.multiply(differences) if sparse.issparse(differences) else differences * differences
        return np.asarray(squares.sum(axis=1)).ravel()

    def _cosine_pairs(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Compute 2 - 2 cos (e,) of pairs of rows."""
        left = self.points.values[i]
        right = self.points.values[j]
        lengths = self._table_lengths
        products = left.multiply(right) if sparse.issparse(left) else left * right
        dots = np.asarray(products.sum(axis=1)).ravel() + self._offset_products[i] + self._offset_products[j]
        norms = lengths[i] * lengths[j]
        are_both_empty = (lengths[i] == 0) & (lengths[j] == 0)
        cosines = np.divide(dots + self._squared_offset, norms, out=np.zeros(len(norms)), where=norms > 0)
        return np.where(are_both_empty, 0.0, np.maximum(2 - 2 * cosines, 0.0))

    def _rounded(self, squares: np.ndarray) -> np.ndarray:
        """Round squares in place to multiples of `_step`, and set negative ones to 0."""
        squares /= self._step
        np.rint(squares, out=squares)
        squares *= self._step
        return np.asarray(np.maximum(squares, 0, out=squares))

    @cached_property
    def _step(self) -> float:
        """Power of two that squares are rounded to: `ROUNDING_BITS` below the largest squared length."""
        largest = 2.0 if self.cosine else float(self._squared_lengths.max(initial=0.0))
        return float(np.ldexp(1.0, int(np.frexp(largest)[1]) - ROUNDING_BITS)) if largest > 0 else 1.0

    @cached_property
    def _squared_lengths(self) -> np.ndarray:
        """Squared lengths (n,) of the values."""
        values = self.points.values
        if sparse.issparse(values):
            return np.asarray(cast("sparse.csr_array", values).power(2).sum(axis=1)).ravel()
        return np.asarray(np.einsum("ij,ij->i", values, values))

    @cached_property
    def _offset(self) -> np.ndarray:
        """Offset o (q,): a row of the table is values + o."""
        return np.asarray(self.points.origin - self.points.shift)

    @cached_property
    def _offset_products(self) -> np.ndarray:
        """Products (n,) of the values with the offset."""
        return cast("np.ndarray", self.points.values @ self._offset)

    @property
    def _squared_offset(self) -> float:
        """Squared length of the offset."""
        return float(self._offset @ self._offset)

    @cached_property
    def _table_lengths(self) -> np.ndarray:
        """Lengths (n,) of the rows as the table has them."""
        squares = self._squared_lengths + 2 * self._offset_products + self._squared_offset
        is_positive = squares > TINY * (self._squared_lengths + self._squared_offset)
        return np.asarray(np.sqrt(np.where(is_positive, squares, 0.0)))
