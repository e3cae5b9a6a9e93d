"""The table as one matrix of numbers between which Euclidean distances make sense: what is embedded."""

import numpy as np
from scipy import sparse

from ..parallel import Work
from ..words import shown
from .arrays import rows_of
from .table import DataTable

LARGE = 1 << 26  # entries from where on a dense matrix is made in single precision
TINY = 1e-300  # a range below this cannot be divided by: the column counts as constant


def matrix(table: DataTable, rows: np.ndarray | None = None, work: Work | None = None) -> np.ndarray | sparse.csr_array:
    """(n, q) numbers for the rows (None: all): dense float64 (float32 for very large data), or CSR for sparse tables.

    Numeric columns are divided by their range over all rows of the table; 0 stays 0, and a column that has 0 neither as
    a value nor between its values is shifted to begin at 0, since there the size of numbers, by which sparsification
    goes, says nothing; constant ones become 0.  A nominal column becomes one of 0 and 1 for each of its values; in
    sparse tables, columns at the same distances (0 or sqrt 2) from each other in which code 0 is all zeros.  Missing
    values become the mean of the column or its most frequent value.  `work` may end it.  Raises ValueError for infinite
    values and rows that do not exist.

    Skrlj et al. (2022), ReliefE, section 3.1: features are scaled to ranges of 1.
    """
    if not isinstance(table, DataTable):
        raise TypeError(f"table must be a DataTable, not {shown(table)}")
    rows = np.arange(table.shape[0]) if rows is None else rows_of(rows, table.shape[0], "rows")
    return (_sparse if table.is_sparse else _dense)(table, rows, work or Work())


def _dense(table: DataTable, rows: np.ndarray, work: Work) -> np.ndarray:
    nominal = table.nominal
    codes = {}
    for a in np.flatnonzero(nominal):
        work.tick()
        codes[a] = np.unique(_known(table.values[:, a]))
    widths = np.ones(table.shape[1], int)
    widths[list(codes)] = [max(len(values), 1) for values in codes.values()]
    ends = np.cumsum(widths)
    out = np.zeros((len(rows), ends[-1]), np.float32 if len(rows) * ends[-1] > LARGE else np.float64)
    for a, end in enumerate(ends):
        work.tick()
        column = table.values[:, a]
        known = _known(column)
        if nominal[a]:
            values = np.where(np.isnan(column), _mode(known), column)[rows]
            if len(known):
                out[np.arange(len(rows)), end - widths[a] + np.searchsorted(codes[a], values)] = 1
        else:
            low, scale, mean = _scaling(known, 0)
            out[:, end - 1] = (np.where(np.isnan(column), mean, column)[rows] - low) * scale
    return out


def _sparse(table: DataTable, rows: np.ndarray, work: Work) -> sparse.csr_array:
    columns, n = sparse.csc_array(table.values), table.shape[0]
    blocks = []
    for a in range(table.shape[1]):
        work.tick()
        span = slice(columns.indptr[a], columns.indptr[a + 1])
        where, stored = columns.indices[span], columns.data[span]
        known = _known(stored)
        zeros = n - len(stored)
        if table.nominal[a]:
            stored = np.where(np.isnan(stored), _mode(known, zeros), stored)
            block = _simplex(np.unique(known[known != 0]), stored, where, bool(zeros or (stored == 0).any()))
        else:
            low, scale, mean = _scaling(known, zeros)
            block = where, np.zeros(len(where), int), (np.where(np.isnan(stored), mean, stored) - low) * scale, 1
        blocks.append(block)
    offsets = np.cumsum([0, *(block[3] for block in blocks)])
    row = np.concatenate([block[0] for block in blocks])
    column = np.concatenate([block[1] + offset for block, offset in zip(blocks, offsets, strict=False)])
    data = np.concatenate([block[2] for block in blocks])
    out = sparse.csr_array(sparse.coo_array((data, (row, column)), shape=(n, max(offsets[-1], 1))))
    out.eliminate_zeros()
    out = sparse.csr_array(out[rows])
    out.sort_indices()
    return out


def _simplex(
    values: np.ndarray, stored: np.ndarray, where: np.ndarray, zeros: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """(rows, columns, data, width): value v as the unit vector e_v plus c in all columns, and 0 as the origin.

    All pairs of values, 0 as well, are at the distance sqrt 2, as those of plain unit vectors are: c = 0 without zeros.
    """
    m = len(values)
    c = (np.sqrt(1 + m) - 1) / m if zeros and m else 0.0
    kept = stored != 0
    place = np.searchsorted(values, stored[kept])
    data = np.full((len(place), m), c)
    data[np.arange(len(place)), place] += 1
    return np.repeat(where[kept], m), np.tile(np.arange(m), len(place)), data.ravel(), m


def _known(column: np.ndarray) -> np.ndarray:
    return column[~np.isnan(column)]


def _mode(known: np.ndarray, zeros: int = 0) -> float:
    """The most frequent value, the lowest of those; `zeros` more of them are 0."""
    values, counts = np.unique(np.concatenate([np.zeros(int(zeros > 0)), known]), return_counts=True)
    if not len(values):
        return 0.0
    counts[values == 0] += max(zeros - 1, 0)
    return float(values[counts.argmax()])


def _scaling(known: np.ndarray, zeros: int) -> tuple[float, float, float]:
    """(what to subtract, what to multiply with, mean) of a numeric column."""
    if not len(known):
        return 0.0, 0.0, 0.0
    low, high = float(known.min()), float(known.max())
    if zeros:
        low, high = min(low, 0.0), max(high, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        span = high - low
    if not np.isfinite(span):
        raise ValueError("X has infinite or far too large values")
    if span <= TINY:
        return low, 0.0, low
    return (0.0 if low <= 0 <= high else low), 1 / span, float(known.sum() / (len(known) + zeros))
