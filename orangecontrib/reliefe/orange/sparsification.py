"""Sparsification of tables: their numeric columns as a matrix, and the preprocessor."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from Orange.data import Table
from Orange.preprocess.preprocess import Preprocess


@dataclass(frozen=True, eq=False)
class Numeric:
    """The known values of a table's numeric columns, in units of `ranges`.

    values (n, q): dense or CSR, 0 where unknown.  unknown: (rows, columns) of those.  columns (q,): their places among
    the attributes.  ranges (q,): what the values were divided by.
    """

    values: np.ndarray | sp.csr_array
    unknown: tuple[np.ndarray, np.ndarray]
    columns: np.ndarray
    ranges: np.ndarray

    @classmethod
    def of(cls, table: Table, ranges: dict[str, float] | None = None, scaled: bool = True) -> "Numeric":
        """ranges: by name, and only those columns are taken; None: those of the table if `scaled`, else 1."""
        attributes = table.domain.attributes
        wanted = [v.is_continuous and (ranges is None or v.name in ranges) for v in attributes]
        columns = np.flatnonzero(wanted)
        values, unknown = _known(table.X[:, columns])
        if ranges is not None:
            units = np.array([ranges[attributes[j].name] for j in columns], float)
        else:
            units = _ranges(table.X[:, columns], values) if scaled else np.ones(len(columns))
        if sp.issparse(values):
            values.data /= units[values.indices]
        else:
            values /= units
        return cls(values, unknown, columns, units)

    @property
    def size(self) -> int:
        """Rows and columns together: epsilon / sqrt(size) is the threshold."""
        return sum(self.values.shape)

    @property
    def cells(self) -> int:
        return self.values.shape[0] * self.values.shape[1]


def _known(X) -> tuple[np.ndarray | sp.csr_array, tuple[np.ndarray, np.ndarray]]:
    """A copy with 0 in place of NaN (in CSR: not stored), and where NaN was; ValueError for infinite values."""
    if np.isinf(X.data if sp.issparse(X) else X).any():
        raise ValueError("The data have infinite values")
    if not sp.issparse(X):
        gaps = np.isnan(X)
        return np.where(gaps, 0.0, X), np.nonzero(gaps)
    X = sp.csr_array(X, dtype=float, copy=True)
    X.sum_duplicates()
    gaps = np.isnan(X.data)
    unknown = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))[gaps], X.indices[gaps]
    X.data[gaps] = 0
    X.eliminate_zeros()
    return X, unknown


def _ranges(X, known) -> np.ndarray:
    """Largest minus smallest known value of each column; 1 for constant ones."""
    if not X.shape[0] or not X.shape[1]:
        return np.ones(X.shape[1])
    if sp.issparse(X):
        ranges = (known.max(axis=0) - known.min(axis=0)).toarray().ravel()
    else:
        ranges = np.fmax.reduce(X, axis=0) - np.fmin.reduce(X, axis=0)
    return np.where(ranges > 0, ranges, 1.0)  # false for NaN, too: columns without any known value


def rebuilt(table: Table, numeric: Numeric, sparse_values: sp.csr_array) -> Table:
    """`table` with these values (in units of the ranges) in its numeric columns, as CSR.

    Everything else stays: other columns, targets, metas, weights, name, ids; unknown values stay unknown.
    """
    kept = np.setdiff1d(np.arange(table.X.shape[1]), numeric.columns)
    new, other = sparse_values.tocoo(), sp.coo_array(table.X[:, kept])
    parts = [
        (new.row, numeric.columns[new.col], new.data * numeric.ranges[new.col]),
        (numeric.unknown[0], numeric.columns[numeric.unknown[1]], np.full(len(numeric.unknown[0]), np.nan)),
        (other.row, kept[other.col], other.data),
    ]
    rows, columns, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    X = sp.coo_matrix((values, (rows, columns)), shape=table.X.shape).tocsr()
    X.sort_indices()
    domain = table.domain.copy()
    for variable in domain.attributes:
        variable.sparse = True  # else the next transformation would make the table dense again
    weights = table.W if table.has_weights() else None
    out = Table.from_numpy(domain, X, table.Y, table.metas, W=weights, attributes=dict(table.attributes), ids=table.ids)
    out.name = table.name
    return out


class Sparsify(Preprocess):
    """Sets values below a threshold to 0 or to the threshold, at random, so that their expected values stay.

    epsilon, size: the threshold is epsilon / sqrt(size), in units of each column's range, whatever the data's number
    of rows.  ranges: {name of column: range}; other columns are left as they are.
    """

    def __init__(self, epsilon: float, size: int, ranges: dict[str, float], random_state: int = 0):
        self.epsilon = epsilon
        self.size = size
        self.ranges = dict(ranges)
        self.random_state = random_state

    def __call__(self, data: Table) -> Table:
        from ..core.embedding import sparsify

        numeric = Numeric.of(data, self.ranges)
        if not numeric.cells or not self.epsilon:
            return data
        epsilon = self.epsilon * np.sqrt(numeric.size / self.size)
        return rebuilt(data, numeric, sparsify(numeric.values, epsilon=epsilon, random_state=self.random_state).X)
