"""Scaling of a table's rows to the values of `Features`, in the order of a run.

`Features.build` calls `pack_dense`, `pack_sparse` or `pack_two_bits`, one for each way in which a table is stored.
Numeric columns come first, divided by their range over the rows of the run; nominal ones are codes.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

from ...data.expected import IGNORE, MISSING
from ...data.packed import COPIES, Packed
from ...data.scratch import chunks, in_file
from ...data.table import EXACT, DataTable
from ...kernels.jit import kernel
from ...points.column_scales import check_finite, scaling
from .aligned_arrays import LINE, allocate
from .missing import Corrections


class PackedRows(NamedTuple):
    """Values of the rows of a run, and facts about the columns.

    Attributes
    ----------
    values : (n, width) array, or (n, p) CSR array
        Scaled numbers, and codes, in the order of the run; MISSING where unknown.
    n_numeric : int
        Number of numeric columns, which are the first ones; with the padding if all are numeric.
    scale : (p,) array
        Factors of numeric differences, in the order of the table.
    is_constant : (p,) bool array
        True for features without two known values that differ, in the order of the table.
    has_unknown : bool
        True if a value is unknown.
    """

    values: np.ndarray | sparse.csr_array
    n_numeric: int
    scale: np.ndarray
    is_constant: np.ndarray
    has_unknown: bool


class PackedGenotypes(NamedTuple):
    """Genotypes of the rows of a run, and facts about the columns.

    Attributes
    ----------
    packed : Packed
        Genotypes in the order of the run.
    n_numeric, scale, is_constant
        As of `PackedRows`.
    missing : Corrections or None
        Corrections without entries, since kernels of genotypes know of unknown values; None if all are known.
    """

    packed: Packed
    n_numeric: int
    scale: np.ndarray
    is_constant: np.ndarray
    missing: Corrections | None


class ColumnRanges(NamedTuple):
    """Ranges of columns over the rows of a run.

    Attributes
    ----------
    low, high : (p,) arrays
        Least and largest known value; inf and -inf where none is known.
    has_unknown : bool
        True if a value is unknown.
    """

    low: np.ndarray
    high: np.ndarray
    has_unknown: bool

    @classmethod
    def of_dense(cls, X: np.ndarray, rows: np.ndarray, tick: Callable[[], object]) -> "ColumnRanges":
        """Read rows (n,) of a table; tick: called between blocks. Raises ValueError for infinite ranges."""
        low = np.full(X.shape[1], np.inf)
        high = np.full(X.shape[1], -np.inf)
        has_unknown = False
        for block in _blocks(X, rows, tick):
            has_unknown |= _update_ranges(block.values, np.sort(block.rows), low, high)
        check_finite(low, high)
        return cls(low, high, has_unknown)


class RowBlock(NamedTuple):
    """Rows of a table in double precision.

    Attributes
    ----------
    values : (m, p) array
        Rows that were read, of which not all may be asked for.
    rows : (b,) int array
        Indices in `values` of those that are asked for.
    positions : (b,) int array
        Positions of these rows in the run.
    """

    values: np.ndarray
    rows: np.ndarray
    positions: np.ndarray


def _blocks(X: np.ndarray, rows: np.ndarray, tick: Callable[[], object]) -> Iterator[RowBlock]:
    """Read rows (n,) of a table, as a whole or in blocks; those of a file in its order, so that it is read once."""
    if not in_file(X) and X.dtype == np.float64:
        yield RowBlock(X, rows, np.arange(len(rows)))
        return
    positions = np.argsort(rows, kind="stable")
    for step in chunks(len(rows), 8 * X.shape[1]):
        tick()
        rows_of_block = rows[positions[step]]
        first = rows_of_block[0]
        last = rows_of_block[-1]
        is_contiguous = last - first + 1 == len(rows_of_block)
        values = np.array(X[first : last + 1] if is_contiguous else X[rows_of_block], np.float64)
        yield RowBlock(values, np.arange(len(rows_of_block)), positions[step])


def pack_dense(
    table: DataTable,
    rows: np.ndarray,
    columns: np.ndarray,
    ranges: ColumnRanges,
    dtype: type,
    tick: Callable[[], object],
) -> PackedRows:
    """Scale dense rows.

    Parameters
    ----------
    table : DataTable
        Dense data.
    rows : (n,) int array
        Rows of the table, in the order of the run.
    columns : (p,) int array
        Columns of the table, in the order of the run: numeric ones first.
    ranges : ColumnRanges
        Ranges over these rows.
    dtype : float32 or float64
        Type of the values.
    tick : callable
        Called between blocks of rows; it may raise to stop.
    """
    X = cast("np.ndarray", table.values)
    n = len(rows)
    p = table.shape[1]
    is_mixed = bool(table.nominal.any())
    offset, scale = scaling(ranges.low, ranges.high, table.nominal, table.ranges)
    values_per_line = LINE // np.dtype(dtype).itemsize
    values = allocate((n, -(-p // values_per_line) * values_per_line), dtype, X)
    for block in _blocks(X, rows, tick):
        _scale(block.values, block.rows, block.positions, columns, is_mixed, offset, scale, dtype(MISSING), values)
    if is_mixed:
        _renumber_codes(table, rows, columns, ranges, values)
    n_numeric = int((~table.nominal).sum()) if is_mixed else values.shape[1]
    return PackedRows(values, n_numeric, scale, ~(ranges.low < ranges.high), ranges.has_unknown)


def _renumber_codes(
    table: DataTable, rows: np.ndarray, columns: np.ndarray, ranges: ColumnRanges, values: np.ndarray
) -> None:
    """Replace the codes of nominal columns by 0, 1, ... where single precision cannot tell the caller's codes apart.

    Those are negative, too large, or between whole numbers. Parameters as of `pack_dense`; values are changed in place.
    """
    X = cast("np.ndarray", table.values)
    has_fractions = np.zeros(len(columns), bool)
    if X.dtype.kind == "f":
        for block in _blocks(X, rows, bool):
            _find_fractions(block.values, block.rows, has_fractions)
    position = np.argsort(columns)
    for a in np.flatnonzero(table.nominal & ((ranges.low < 0) | (ranges.high >= EXACT) | has_fractions)):
        column = X[rows, a]
        is_known = ~np.isnan(column)
        values[is_known, position[a]] = np.unique(column[is_known], return_inverse=True)[1]


def pack_sparse(table: DataTable, rows: np.ndarray, columns: np.ndarray, dtype: type | None) -> PackedRows:
    """Scale sparse rows; parameters as of `pack_dense`.

    Columns that have zeros are divided by their range, those without are shifted as well, so that all values lie in
    [-1, 1]. They are in double precision by default: the index takes more room than the values, and more time.
    """
    nominal = table.nominal
    n = len(rows)
    p = table.shape[1]
    X = table.values[rows]
    low = np.full(p, np.inf)
    high = np.full(p, -np.inf)
    has_unknown = _update_ranges_sparse(X.indices, X.data, low, high)
    check_finite(low, high)
    has_zeros = np.bincount(X.indices, minlength=p) < n
    low[has_zeros] = np.minimum(low[has_zeros], 0)
    high[has_zeros] = np.maximum(high[has_zeros], 0)
    if nominal.any() and ((low[nominal] < 0) | (high[nominal] >= EXACT)).any():
        raise ValueError(f"nominal columns of sparse data must hold codes from 0 to {EXACT - 1:.0f}")
    is_constant = ~(low < high)
    offset, scale = scaling(low, high, nominal, table.ranges)
    offset[has_zeros] = 0
    position = np.empty(p, np.int32)
    position[columns] = np.arange(p)
    _scale_sparse(X.data, X.indices, position, offset, scale, MISSING)  # in place: these are copies
    values = sparse.csr_array((X.data.astype(dtype or np.float64, copy=False), X.indices, X.indptr), shape=(n, p))
    values.sort_indices()
    return PackedRows(values, int((~nominal).sum()), scale, is_constant, has_unknown)


def pack_two_bits(table: Packed, rows: np.ndarray, strategy: str) -> PackedGenotypes:
    """Put packed genotypes in the order of a run.

    Parameters
    ----------
    table : Packed
        Genotypes of all rows.
    rows : (n,) int array
        Rows of the table, in the order of the run.
    strategy : str
        Strategy for missing values that packed genotypes take.
    """
    counts = table.counts(np.sort(rows))
    is_constant = (counts[:3] > 0).sum(axis=0) < 2
    n = len(rows)
    p = table.n_features
    packed = table.take(rows)
    scale = np.where(is_constant, 0.0, 1 / COPIES) if table.additive else np.ones(p)
    missing = None
    if counts[3].any():
        no_entries = np.zeros(0, np.int64)
        no_table = np.zeros((0, n))
        unknown = no_table if strategy == IGNORE else None
        missing = Corrections(np.zeros(n + 1, np.int64), no_entries, no_entries, no_table, p, unknown)
    return PackedGenotypes(packed, p if table.additive else 0, scale, is_constant, missing)


@kernel
def _update_ranges(X, rows, low, high):
    """Widen low (p,) and high (p,) to the known values of rows of X; return True if one is unknown."""
    n_unknown = 0
    for i in range(len(rows)):
        x = X[rows[i]]
        for f in range(len(x)):
            low[f] = x[f] if x[f] < low[f] else low[f]
        for f in range(len(x)):
            high[f] = x[f] if x[f] > high[f] else high[f]
        for f in range(len(x)):
            n_unknown += x[f] != x[f]
    return n_unknown > 0


@kernel
def _scale(X, rows, positions, columns, is_mixed, low, scale, unknown, out):
    """Set out[positions[i], f] to (x - low) * scale of X[rows[i], columns[f]], in the precision of `out`.

    columns : (p,), not read unless there are nominal columns (is_mixed)
    low, scale : (p,), in the order of X
    unknown : value in the place of NaN
    """
    for i in range(len(rows)):
        x = X[rows[i]]
        y = out[positions[i], : len(columns)]
        out[positions[i], len(columns) :] = 0
        if is_mixed:
            for f in range(len(y)):
                v = x[columns[f]]
                y[f] = (v - low[columns[f]]) * scale[columns[f]] if v == v else unknown
        else:
            for f in range(len(y)):
                v = x[f]
                y[f] = (v - low[f]) * scale[f] if v == v else unknown


@kernel
def _find_fractions(X, rows, has_fractions):
    """Set has_fractions (p,) to True for columns with a value between whole numbers."""
    for i in range(len(rows)):
        x = X[rows[i]]
        for f in range(len(x)):
            has_fractions[f] |= (x[f] == x[f]) & (x[f] != np.floor(x[f]))


@kernel
def _update_ranges_sparse(indices, data, low, high):
    """Widen low (p,) and high (p,) to the known stored values; return True if one is unknown."""
    n_unknown = 0
    for t in range(len(data)):
        f = indices[t]
        x = data[t]
        low[f] = x if x < low[f] else low[f]
        high[f] = x if x > high[f] else high[f]
        n_unknown += x != x
    return n_unknown > 0


@kernel
def _scale_sparse(data, indices, position, low, scale, unknown):
    """Scale stored values, and number their columns by their position (p,) in the run, both in place."""
    for t in range(len(data)):
        f = indices[t]
        x = data[t]
        data[t] = (x - low[f]) * scale[f] if x == x else unknown
        indices[t] = position[f]
