"""Sparsification of tables: their numeric columns as a matrix, the table of new values, and the preprocessor.

`sparsify_job` calls it for the data of *Sparsify*. The widget sends a `Sparsify`, which other widgets call.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, cast

import numpy as np
import scipy.sparse as sp
from Orange.data import Table
from Orange.preprocess.preprocess import Preprocess

from ..core.data.facts import infinite_values
from ..core.words import sentence

Matrix: TypeAlias = np.ndarray | sp.csr_array


@dataclass(frozen=True, eq=False)
class Numeric:
    """Values of the numeric columns of a table, divided by their ranges.

    Attributes
    ----------
    values : (n, q) array or CSR array
        Values, 0 where unknown.
    unknown : (array, array) of int
        Rows and columns of the unknown values.
    columns : (q,) int array
        Indices of the columns among the attributes.
    ranges : (q,) float64 array
        Divisors of the columns.
    """

    values: Matrix
    unknown: tuple[np.ndarray, np.ndarray]
    columns: np.ndarray
    ranges: np.ndarray

    @classmethod
    def of(cls, table: Table, ranges: dict[str, float] | None = None, scaled: bool = True) -> "Numeric":
        """Read the numeric columns of a table.

        Parameters
        ----------
        table : Table
            The data.
        ranges : dict of str to float, optional
            Divisors by name; only these columns are read. None: the ranges of the columns if `scaled`, else 1.
        scaled : bool
            Whether columns are divided by their ranges.

        Raises
        ------
        ValueError
            If there are infinite values.
        """
        attributes = table.domain.attributes
        is_read = [v.is_continuous and (ranges is None or v.name in ranges) for v in attributes]
        columns = np.flatnonzero(is_read)
        values, unknown = _without_unknown(table.X[:, columns])
        if ranges is not None:
            units = np.array([ranges[attributes[j].name] for j in columns], float)
        else:
            units = _ranges(table.X[:, columns], values) if scaled else np.ones(len(columns))
        if sp.issparse(values):
            stored = cast("sp.csr_array", values)
            stored.data /= units[stored.indices]
        else:
            values /= units
        return cls(values, unknown, columns, units)

    @property
    def size(self) -> int:
        """Number of rows plus number of columns; epsilon / sqrt(size) is the threshold."""
        return sum(self.values.shape)

    @property
    def cells(self) -> int:
        """Number of values."""
        n, q = self.values.shape
        return int(n * q)


class _WithoutUnknown(NamedTuple):
    """Values without NaN, and the rows and columns of NaN."""

    values: Matrix
    unknown: tuple[np.ndarray, np.ndarray]


def _without_unknown(X: Matrix) -> _WithoutUnknown:
    """Copy with 0 instead of NaN (CSR: not stored); raises ValueError for infinite values."""
    if np.isinf(X.data if sp.issparse(X) else X).any():
        raise ValueError(sentence(infinite_values("the data")))
    if not sp.issparse(X):
        is_unknown = np.isnan(X)
        rows, columns = np.nonzero(is_unknown)
        return _WithoutUnknown(np.where(is_unknown, 0.0, X), (rows, columns))
    X = sp.csr_array(X, dtype=float, copy=True)
    X.sum_duplicates()
    is_unknown = np.isnan(X.data)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))[is_unknown]
    columns = X.indices[is_unknown]
    X.data[is_unknown] = 0
    X.eliminate_zeros()
    return _WithoutUnknown(X, (rows, columns))


def _ranges(X: Matrix, values: Matrix) -> np.ndarray:
    """Largest minus smallest known value of each column; 1 for constant ones. `values` is X without NaN."""
    if not X.shape[0] or not X.shape[1]:
        return np.ones(X.shape[1])
    if sp.issparse(X):
        ranges = (values.max(axis=0) - values.min(axis=0)).toarray().ravel()
    else:
        ranges = np.fmax.reduce(X, axis=0) - np.fmin.reduce(X, axis=0)
    return np.where(ranges > 0, ranges, 1.0)  # 1 for NaN, too, the range of columns without known values


def rebuilt(table: Table, numeric: Numeric, sparse_values: sp.csr_array) -> Table:
    """Make a table with new values in its numeric columns, as CSR.

    Other columns, targets, metas, weights, name and ids stay, and unknown values stay unknown.

    Parameters
    ----------
    table : Table
        The data.
    numeric : Numeric
        Its numeric columns.
    sparse_values : (n, q) CSR array
        New values of these, divided by their ranges.

    Returns
    -------
    Table
        The table.
    """
    other_columns = np.setdiff1d(np.arange(table.X.shape[1]), numeric.columns)
    new = sparse_values.tocoo()
    other = sp.coo_array(table.X[:, other_columns])
    unknown_rows, unknown_columns = numeric.unknown
    rows = np.concatenate([new.row, unknown_rows, other.row])
    columns = np.concatenate([numeric.columns[new.col], numeric.columns[unknown_columns], other_columns[other.col]])
    values = np.concatenate([new.data * numeric.ranges[new.col], np.full(len(unknown_rows), np.nan), other.data])
    X = sp.coo_matrix((values, (rows, columns)), shape=table.X.shape).tocsr()
    X.sort_indices()
    domain = table.domain.copy()
    for variable in domain.attributes:
        variable.sparse = True  # otherwise the next transformation makes the table dense
    weights = table.W if table.has_weights() else None
    rebuilt_table = Table.from_numpy(
        domain, X, table.Y, table.metas, W=weights, attributes=dict(table.attributes), ids=table.ids
    )
    rebuilt_table.name = table.name
    return rebuilt_table


class Sparsify(Preprocess):  # type: ignore[misc]  # Orange has no types
    """Preprocessor that sets values below a threshold to 0 or to the threshold, at random, with the same mean.

    The threshold is epsilon / sqrt(size) times the range of the column, for data with any number of rows.

    Parameters
    ----------
    epsilon : float
        Bound of the error for the data that it was chosen for.
    size : int
        Number of rows plus number of columns of these data.
    ranges : dict of str to float
        Ranges of the columns by name; other columns stay.
    random_state : int
        Seed of the random choices.
    """

    def __init__(self, epsilon: float, size: int, ranges: dict[str, float], random_state: int = 0):
        self.epsilon = epsilon
        self.size = size
        self.ranges = dict(ranges)
        self.random_state = random_state

    def __call__(self, data: Table) -> Table:
        """Sparsify a table."""
        from ..core.embedding import sparsify

        numeric = Numeric.of(data, self.ranges)
        if not numeric.cells or not self.epsilon:
            return data
        epsilon = self.epsilon * np.sqrt(numeric.size / self.size)
        return rebuilt(data, numeric, sparsify(numeric.values, epsilon=epsilon, random_state=self.random_state).X)
