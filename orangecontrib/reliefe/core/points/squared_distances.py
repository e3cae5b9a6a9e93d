"""Squared Euclidean distances of rows to rows, dense or CSR, a block of rows at a time.

Neighbours for UMAP and for reconstruction, and graphs of rows, are searched by them (`nearest.py`: `nearest_of`).
"""

from typing import cast

import numpy as np
from scipy import sparse

from ..kernels.jit import kernel
from ..kernels.rounding import PRODUCT_DIGITS, round_distances

CLOSE_SHARE = 1e-3  # squares below this share of the squared lengths are computed again, without cancellation
MAX_EXPONENT = 200  # squares of numbers between 2^-200 and 2^200 can be added up


class SquaredDistances:
    """Squared distances of any rows to some rows, rounded so that ties are exact, and 0 for equal rows.

        |a - b|^2 = |a|^2 + |b|^2 - 2 a b,    or the sum over f of (a_f - b_f)^2 where the former cancels

    So the error is a small share of the distance itself, whatever the offsets and the units of the columns are.
    """

    def __init__(self, rows: np.ndarray | sparse.csr_array | sparse.csr_matrix):
        """Prepare the rows (n, q) to which distances are computed; their numbers have exponents up to MAX_EXPONENT."""
        self._rows = _ready(rows)
        self._squared_lengths = squared_lengths(self._rows)
        is_sparse = sparse.issparse(self._rows)
        self._transposed = sparse.csr_array(self._rows.T) if is_sparse else self._rows.T

    def of(self, rows: np.ndarray | sparse.csr_array | sparse.csr_matrix) -> np.ndarray:
        """Compute the squared distances (b, n) of rows (b, q), which are sparse if the others are."""
        ready_rows = _ready(rows)
        lengths = squared_lengths(ready_rows), self._squared_lengths
        products = ready_rows @ self._transposed
        if sparse.issparse(products):
            squares = cast("sparse.csr_array", products).toarray()
            _from_sparse_products(squares, _arrays(ready_rows), _arrays(self._rows), *lengths)
        else:
            squares = products
            _from_products(squares, ready_rows, self._rows, *lengths)
        round_distances(squares, PRODUCT_DIGITS)
        return cast("np.ndarray", squares)


def exponent_of(*matrices: np.ndarray | sparse.csr_array) -> int:
    """Return the exponent e for which squares of the numbers times 2^-e can be added up; 0 if their own squares can."""
    largest = 0.0
    for matrix in matrices:
        values = cast("sparse.csr_array", matrix).data if sparse.issparse(matrix) else matrix
        largest = max(largest, float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    exponent = int(np.frexp(largest)[1])
    return exponent if abs(exponent) > MAX_EXPONENT else 0


def squared_lengths(rows: np.ndarray | sparse.csr_array) -> np.ndarray:
    """Compute the squared lengths (n,) of rows."""
    if sparse.issparse(rows):
        stored = cast("sparse.csr_array", rows)
        n = stored.shape[0]
        return np.bincount(np.repeat(np.arange(n), np.diff(stored.indptr)), stored.data**2, n)
    return cast("np.ndarray", np.einsum("ij,ij->i", rows, rows))


def _ready(rows: np.ndarray | sparse.csr_array | sparse.csr_matrix) -> np.ndarray | sparse.csr_array:
    """Return rows as kernels take them: contiguous float64, or CSR of float64 with ascending columns."""
    if not sparse.issparse(rows):
        return np.ascontiguousarray(rows, np.float64)
    out = sparse.csr_array(rows, dtype=np.float64)
    if not out.has_sorted_indices:
        out = out.sorted_indices()
    return out


def _arrays(rows: sparse.csr_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the arrays data, indices and indptr of CSR."""
    return rows.data, rows.indices, rows.indptr


@kernel
def _from_products(products, A, B, lengths_a, lengths_b):
    """Replace products (m, n) of the rows of A (m, q) and B (n, q) by squared distances.

    lengths_a (m,), lengths_b (n,) : squared lengths of the rows
    """
    for i in range(len(A)):
        row = products[i]
        n_close = 0
        for j in range(len(B)):
            lengths = lengths_a[i] + lengths_b[j]
            row[j] = lengths - 2 * row[j]
            n_close += row[j] <= CLOSE_SHARE * lengths
        if n_close > 0:
            for j in range(len(B)):
                if row[j] <= CLOSE_SHARE * (lengths_a[i] + lengths_b[j]):
                    row[j] = 0.0
                    for f in range(A.shape[1]):
                        difference = A[i, f] - B[j, f]
                        row[j] += difference * difference


@kernel
def _from_sparse_products(products, A, B, lengths_a, lengths_b):
    """Replace products (m, n) of the rows of A and B by squared distances.

    A, B : arrays data, indices and indptr of CSR
    lengths_a (m,), lengths_b (n,) : squared lengths of the rows
    """
    data_a, indices_a, indptr_a = A
    data_b, indices_b, indptr_b = B
    for i in range(len(lengths_a)):
        row = products[i]
        for j in range(len(lengths_b)):
            lengths = lengths_a[i] + lengths_b[j]
            row[j] = lengths - 2 * row[j]
            if row[j] <= CLOSE_SHARE * lengths:
                x = slice(indptr_a[i], indptr_a[i + 1])
                y = slice(indptr_b[j], indptr_b[j + 1])
                row[j] = merged_square(data_a[x], indices_a[x], data_b[y], indices_b[y])


@kernel
def merged_square(x, columns_x, y, columns_y):
    """Add up the squared differences of two sparse rows; columns_x, columns_y: ascending columns of their values."""
    total = 0.0
    s = 0
    t = 0
    while s < len(x) or t < len(y):
        if t == len(y) or (s < len(x) and columns_x[s] < columns_y[t]):
            d = x[s]
            s += 1
        elif s == len(x) or columns_y[t] < columns_x[s]:
            d = y[t]
            t += 1
        else:
            d = x[s] - y[t]
            s += 1
            t += 1
        total += d * d
    return total
