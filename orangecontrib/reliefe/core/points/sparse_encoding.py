"""Encoding of sparse rows as points, so that zeros are not stored.

`points.Points` and the space of evaluation call `sparse_points`, `encoding.matrix` calls `simplex_matrix`.
"""

from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

from ..data.table import DataTable
from ..work.threads import Work
from .column_scales import factors, mean, mode


class SparsePoints(NamedTuple):
    """Points of a sparse table.

    points (n, q) CSR: coordinates.
    owners (q,): feature of each column.
    shares (q,): share of the weight of its feature that a column counts in squared distances.
    """

    points: sparse.csr_array
    owners: np.ndarray
    shares: np.ndarray


class StoredMoments(NamedTuple):
    """Scales and stand-ins of the features of a sparse table.

    start (p,): number that is subtracted, 0 unless no row has a zero.
    scales (p,): factor.
    stand_ins (p,): value for unknown ones, of features that have any.
    """

    start: np.ndarray
    scales: np.ndarray
    stand_ins: np.ndarray


class SimplexEntries(NamedTuple):
    """Entries of the columns of a nominal feature.

    rows, columns, data (e,): where values are stored, and the values.
    width: number of columns.
    """

    rows: np.ndarray
    columns: np.ndarray
    data: np.ndarray
    width: int


def sparse_points(table: DataTable, rows: np.ndarray, ranges: np.ndarray | None = None) -> SparsePoints:
    """Make points of a sparse table without storing zeros.

    Code 0 is the origin, another one is 1 in a column of its own and in one that all other codes share, so that any two
    are at the same distance.

    Parameters
    ----------
    table : DataTable
        Sparse features.
    rows : int array
        Rows whose ranges scale numbers, and whose means and most frequent values stand for missing ones.
    ranges : (p,) array, optional
        Ranges in the place of those of the rows.
    """
    X = cast("sparse.csr_array", table.values)
    n, p = table.shape
    row = np.repeat(np.arange(n), np.diff(X.indptr))
    values = _scaled(table, stored_moments(table, rows, ranges))
    is_code = table.nominal[X.indices] & (values != 0)
    feature_and_code = np.column_stack([X.indices[is_code], values[is_code]])
    pairs, pair = np.unique(feature_and_code, axis=0, return_inverse=True)
    values[is_code] = 1.0
    entry_rows = np.concatenate([row, row[is_code]])
    entry_columns = np.concatenate([X.indices, p + pair.ravel()])
    data = np.concatenate([values, np.ones(len(feature_and_code))])
    points = sparse.csr_array(sparse.coo_array((data, (entry_rows, entry_columns)), shape=(n, p + len(pairs))))
    points.eliminate_zeros()
    owners = np.concatenate([np.arange(p), pairs[:, 0].astype(np.intp)])
    return SparsePoints(points, owners, np.where(table.nominal[owners], 0.5, 1.0))


def simplex_matrix(table: DataTable, rows: np.ndarray, work: Work) -> sparse.csr_array:
    """Encode rows (b,) of a sparse table as CSR (b, q), as `encoding.matrix` describes it."""
    X = cast("sparse.csr_array", table.values)
    n, p = table.shape
    work.tick()
    values = _scaled(table, stored_moments(table, np.arange(n), None, embedded=True))
    work.tick()
    # Columns of nominal features
    positions = sparse.csr_array((np.arange(len(values)), X.indices, X.indptr), shape=X.shape)
    by_column = positions.tocsc()
    widths = np.ones(p, np.int64)
    blocks = []
    nominal = np.flatnonzero(table.nominal)
    for a in nominal:
        work.tick()
        span = slice(by_column.indptr[a], by_column.indptr[a + 1])
        codes = X.data[by_column.data[span]]
        blocks.append(_simplex(values[by_column.data[span]], by_column.indices[span], codes[~np.isnan(codes)], n))
        widths[a] = blocks[-1].width
    # All columns side by side
    firsts = np.concatenate([[0], np.cumsum(widths)])
    is_numeric = ~table.nominal[X.indices]
    entry_rows = [np.repeat(np.arange(n), np.diff(X.indptr))[is_numeric], *(block.rows for block in blocks)]
    entry_columns = [firsts[X.indices[is_numeric]]]
    entry_columns += [block.columns + firsts[a] for a, block in zip(nominal, blocks, strict=True)]
    data = [values[is_numeric], *(block.data for block in blocks)]
    cells = np.concatenate(data), (np.concatenate(entry_rows), np.concatenate(entry_columns))
    out = sparse.csr_array(sparse.coo_array(cells, shape=(n, max(firsts[-1], 1))))
    out.eliminate_zeros()
    out = sparse.csr_array(out[rows])
    out.sort_indices()
    return out


def _simplex(stored: np.ndarray, rows: np.ndarray, known_values: np.ndarray, n: int) -> SimplexEntries:
    """Encode value v as the unit vector e_v plus c in all m columns, and 0 as the origin.

    All pairs of values, 0 as well, are at the distance sqrt 2, as those of plain unit vectors are:
    c = (sqrt(1 + m) - 1) / m, and c = 0 without zeros.

    stored (s,): values of the rows (s,).
    known_values: those that are not imputed.
    n: number of rows of the table.
    """
    values = np.unique(known_values[known_values != 0])
    m = len(values)
    has_zeros = len(stored) < n or (stored == 0).any()
    c = (np.sqrt(1 + m) - 1) / m if has_zeros and m else 0.0
    is_not_zero = stored != 0
    column = np.searchsorted(values, stored[is_not_zero])
    data = np.full((len(column), m), c)
    data[np.arange(len(column)), column] += 1
    return SimplexEntries(np.repeat(rows[is_not_zero], m), np.tile(np.arange(m), len(column)), data.ravel(), m)


def _scaled(table: DataTable, moments: StoredMoments) -> np.ndarray:
    """Return the stored values (nnz,): numbers scaled, codes as they are, missing values imputed."""
    X = cast("sparse.csr_array", table.values)
    values: np.ndarray = X.data.copy()
    is_missing = np.isnan(values)
    values[is_missing] = moments.stand_ins[X.indices[is_missing]]
    is_numeric = ~table.nominal[X.indices]
    values[is_numeric] = ((values - moments.start[X.indices]) * moments.scales[X.indices])[is_numeric]
    return values


@np.errstate(over="ignore", invalid="ignore")
def stored_moments(
    table: DataTable, rows: np.ndarray, ranges: np.ndarray | None, embedded: bool = False
) -> StoredMoments:
    """Compute scales and stand-ins of features.

    Parameters
    ----------
    table : DataTable
        Sparse features.
    rows : int array
        Rows whose ranges, means and most frequent values count.
    ranges : (p,) array or None
        Ranges in the place of those of the rows.
    embedded : bool
        True for embeddings: 0 stays 0 where a column has values on both sides of it, and means have more digits.
    """
    # Ranges of the rows
    n, p = table.shape
    all_rows = cast("sparse.csr_array", table.values)
    X = all_rows[rows]
    n_zeros = len(rows) - np.bincount(X.indices, minlength=p)
    is_known = ~np.isnan(X.data)
    column = X.indices[is_known]
    values = X.data[is_known]
    low = np.where(n_zeros > 0, 0.0, np.inf)
    high = np.where(n_zeros > 0, 0.0, -np.inf)
    np.minimum.at(low, column, values)
    np.maximum.at(high, column, values)
    # Means, or most frequent values
    counts = np.bincount(column, minlength=p) + n_zeros
    stand_ins = np.bincount(column, values, p) / np.maximum(counts, 1)
    if not np.isfinite(stand_ins).all():  # sums have overflown
        stand_ins = np.where(np.isfinite(stand_ins), stand_ins, np.bincount(column, values / counts[column], p))
    columns = sparse.csc_array(X)
    for a in np.unique(all_rows.indices[np.isnan(all_rows.data)]):
        stored = columns.data[columns.indptr[a] : columns.indptr[a + 1]]
        if table.nominal[a]:
            stand_ins[a] = mode(stored, n_zeros[a])
        elif embedded:
            stand_ins[a] = mean(stored[~np.isnan(stored)], counts[a])
    # Columns without zeros begin at their least value
    is_full = (np.bincount(all_rows.indices, minlength=p) == n) & (counts > 0)
    if embedded:
        is_full &= (low > 0) | (high < 0)
    return StoredMoments(np.where(is_full, low, 0.0), factors(low, high, ranges), stand_ins)
