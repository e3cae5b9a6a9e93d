"""Entries of sparse rows, row by row and column by column (an inverted index).

`SparseManhattan` (`sparse.py`) and `SparseSums` (`sparse_sums.py`) find the entries that two rows share in it, and use
one index together.

The rows (0, 5, 0) and (7, 6, 0) have these entries:

    by rows:     indptr [0, 1, 3],     features [1, 0, 1],  values [5, 7, 6],  column_position [1, 0, 2]
    by columns:  indptr [0, 1, 3, 3],  rows [1, 0, 1],      values [7, 5, 6]
"""

from typing import Any, NamedTuple, cast

import numpy as np
from scipy import sparse

from .features import Features


class RowEntries(NamedTuple):
    """The e entries of n rows, row by row, as in CSR.

    Attributes
    ----------
    indptr : (n + 1,) int array
        The entries of row i are ``slice(indptr[i], indptr[i + 1])``.
    features : (e,) int array
        Feature of each entry, ascending in a row.
    values : (e,) float array
        Scaled values, and codes of nominal features.
    to_zero : (e,) float array
        Diff of each value to zero.
    column_position : (e,) int64 array
        Position of the entry in `ColumnEntries`: the entries behind it in its column are those of later rows.
    """

    indptr: np.ndarray
    features: np.ndarray
    values: np.ndarray
    to_zero: np.ndarray
    column_position: np.ndarray


class ColumnEntries(NamedTuple):
    """The same entries column by column, as in CSC.

    Attributes
    ----------
    indptr : (p + 1,) int array
        The entries of feature f are ``slice(indptr[f], indptr[f + 1])``.
    rows : (e,) int array
        Row of each entry, ascending in a column.
    values, to_zero : (e,) float arrays
        As in `RowEntries`.
    """

    indptr: np.ndarray
    rows: np.ndarray
    values: np.ndarray
    to_zero: np.ndarray


class InvertedIndex:
    """Entries of the values of `Features`, by rows and by columns."""

    kept_by_workers = True  # of a cluster

    def __init__(self, features: Features):
        X = cast("sparse.csr_array", features.values)
        is_nominal = X.indices >= features.n_numeric
        to_zero = np.abs(X.data)
        if not features.diff.plain:
            to_zero = features.diff(to_zero).astype(X.dtype)
        to_zero[is_nominal] = X.data[is_nominal] != 0
        by_columns = sparse.csr_array((np.arange(X.nnz), X.indices, X.indptr), X.shape).tocsc()
        order = by_columns.data  # entries in the order of columns
        column_position = np.empty(X.nnz, np.int64)
        column_position[order] = np.arange(X.nnz)
        self._features = features
        self.rows = RowEntries(X.indptr, X.indices, X.data, to_zero, column_position)
        self.columns = ColumnEntries(by_columns.indptr, by_columns.indices, X.data[order], to_zero[order])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._features,)  # making an index again is faster than sending it
