"""Squared distances between rows that are points, a tile at a time: Euclidean ones, or by the angle."""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from scipy import sparse

from ..points.points import Points, spans

EUCLIDEAN, COSINE = DISTANCES = "euclidean", "cosine"
BITS = 40  # of the largest squared length that distances are rounded to: equal ones tie, whatever the rounding errors
TINY = 1e-14  # squared length, as a share of what it is the difference of, that is rounding


@dataclass(frozen=True, eq=False)
class Distances:
    """Squared distances of points; `cosine`: between the points as the table has them, at length 1.

    Rows of zeros have no direction: their cosine to all rows is 0, and their distance to each other, too.
    """

    points: Points
    cosine: bool = False

    def tile(self, rows: slice | np.ndarray, cols: slice | np.ndarray) -> np.ndarray:
        """(b, c) squared distances, from 0."""
        left, right = self.points.values[rows], self.points.values[cols]
        products = left @ right.T
        if sparse.issparse(products):
            products = cast("sparse.csr_array", products).toarray()
        if not self.cosine:
            products *= -2
            products += self._squares[rows][:, None]
            products += self._squares[cols]
            return self._rounded(products)
        lengths = self._lengths
        products += self._side[rows][:, None] + self._side[cols] + self._corner
        norms = np.outer(lengths[rows], lengths[cols])
        np.divide(products, norms, out=products, where=norms > 0)
        products[norms == 0] = 0
        products = 2 - 2 * products
        products[np.outer(lengths[rows] == 0, lengths[cols] == 0)] = 0
        return self._rounded(products)

    def pairs(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """(e,) squared distances of pairs of rows."""
        out = np.empty(len(i))
        for block in spans(len(i), self.points.shape[1]):
            left, right = self.points.values[i[block]], self.points.values[j[block]]
            if not self.cosine:
                apart = left - right
                square = apart.multiply(apart) if sparse.issparse(apart) else apart * apart
                out[block] = np.asarray(square.sum(axis=1)).ravel()
                continue
            product = left.multiply(right) if sparse.issparse(left) else left * right
            lengths = self._lengths
            cosines = np.asarray(product.sum(axis=1)).ravel() + self._side[i[block]] + self._side[j[block]]
            norms = lengths[i[block]] * lengths[j[block]]
            empty = (lengths[i[block]] == 0) & (lengths[j[block]] == 0)
            near = 2 - 2 * np.divide(cosines + self._corner, norms, out=np.zeros(len(norms)), where=norms > 0)
            out[block] = np.where(empty, 0.0, np.maximum(near, 0.0))
        return out

    def _rounded(self, squares: np.ndarray) -> np.ndarray:
        step = self._step
        squares /= step
        np.rint(squares, out=squares)
        squares *= step
        return np.asarray(np.maximum(squares, 0, out=squares))

    @cached_property
    def _step(self) -> float:
        largest = 2.0 if self.cosine else float(self._squares.max(initial=0.0))
        return float(np.ldexp(1.0, int(np.frexp(largest)[1]) - BITS)) if largest > 0 else 1.0

    @cached_property
    def _squares(self) -> np.ndarray:
        """(n,) squared lengths of the values."""
        values = self.points.values
        if sparse.issparse(values):
            return np.asarray(cast("sparse.csr_array", values).power(2).sum(axis=1)).ravel()
        return np.asarray(np.einsum("ij,ij->i", values, values))

    @cached_property
    def _beyond(self) -> np.ndarray:
        """(q,) that the points as the table has them are beyond the values."""
        return np.asarray(self.points.origin - self.points.shift)

    @cached_property
    def _side(self) -> np.ndarray:
        return cast("np.ndarray", self.points.values @ self._beyond)

    @property
    def _corner(self) -> float:
        return float(self._beyond @ self._beyond)

    @cached_property
    def _lengths(self) -> np.ndarray:
        """(n,) lengths of the points as the table has them."""
        squares = self._squares + 2 * self._side + self._corner
        return np.asarray(np.sqrt(np.where(squares > TINY * (self._squares + self._corner), squares, 0.0)))
