"""Scale of columns, and what stands for missing values: for every encoder the same."""

from typing import cast

import numpy as np
from scipy import sparse

from ..data.table import DataTable
from ..work.threads import Work
from .column_scales import factors, mean, mode


def sparse_points(
    table: DataTable, rows: np.ndarray, ranges: np.ndarray | None = None
) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
    """Points of a sparse table, without filling up zeros.

    Code 0 is the origin, another one is 1 in a column of its own and in one that all others share; so any two are at
    the same distance.
    """
    X, (n, p) = cast("sparse.csr_array", table.values), table.shape
    row = np.repeat(np.arange(n), np.diff(X.indptr))
    values = _scaled(table, *stored_moments(table, rows, ranges))
    coded = table.nominal[X.indices] & (values != 0)
    feature, code = X.indices[coded], values[coded]
    pairs, place = np.unique(np.column_stack([feature, code]), axis=0, return_inverse=True)
    values[coded] = 1.0
    at = np.concatenate([row, row[coded]]), np.concatenate([X.indices, p + place.ravel()])
    data = np.concatenate([values, np.ones(len(code))])
    points = sparse.csr_array(sparse.coo_array((data, at), shape=(n, p + len(pairs))))
    points.eliminate_zeros()
    owners = np.concatenate([np.arange(p), pairs[:, 0].astype(np.intp)])
    return points, owners, np.where(table.nominal[owners], 0.5, 1.0)


def simplex_matrix(table: DataTable, rows: np.ndarray, work: Work) -> sparse.csr_array:
    """CSR (len(rows), q) as `encoding.matrix` describes it."""
    X, (n, p) = cast("sparse.csr_array", table.values), table.shape
    work.tick()
    values = _scaled(table, *stored_moments(table, np.arange(n), None, embedded=True))
    work.tick()
    places = sparse.csr_array((np.arange(len(values)), X.indices, X.indptr), shape=X.shape)
    columns, widths, blocks = places.tocsc(), np.ones(p, np.int64), []
    for a in np.flatnonzero(table.nominal):
        work.tick()
        span = slice(columns.indptr[a], columns.indptr[a + 1])
        given = X.data[columns.data[span]]
        blocks.append(_simplex(values[columns.data[span]], columns.indices[span], given[~np.isnan(given)], n))
        widths[a] = blocks[-1][3]
    firsts = np.concatenate([[0], np.cumsum(widths)])
    numeric = ~table.nominal[X.indices]
    row = [np.repeat(np.arange(n), np.diff(X.indptr))[numeric], *(block[0] for block in blocks)]
    column = [firsts[X.indices[numeric]]]
    column += [block[1] + firsts[a] for a, block in zip(np.flatnonzero(table.nominal), blocks, strict=True)]
    data = [values[numeric], *(block[2] for block in blocks)]
    cells = np.concatenate(data), (np.concatenate(row), np.concatenate(column))
    out = sparse.csr_array(sparse.coo_array(cells, shape=(n, max(firsts[-1], 1))))
    out.eliminate_zeros()
    out = sparse.csr_array(out[rows])
    out.sort_indices()
    return out


def _simplex(
    stored: np.ndarray, where: np.ndarray, known: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """(rows, columns, data, width): value v as the unit vector e_v plus c in all columns, and 0 as the origin.

    All pairs of values, 0 as well, are at the distance sqrt 2, as those of plain unit vectors are: c = 0 without zeros.
    stored (s,): values of the rows `where` (s,); known: those that are not imputed; n: number of rows.
    """
    values = np.unique(known[known != 0])
    m, zeros = len(values), len(stored) < n or (stored == 0).any()
    c = (np.sqrt(1 + m) - 1) / m if zeros and m else 0.0
    kept = stored != 0
    place = np.searchsorted(values, stored[kept])
    data = np.full((len(place), m), c)
    data[np.arange(len(place)), place] += 1
    return np.repeat(where[kept], m), np.tile(np.arange(m), len(place)), data.ravel(), m


def _scaled(table: DataTable, start: np.ndarray, scales: np.ndarray, stand_ins: np.ndarray) -> np.ndarray:
    """(nnz,) what is stored: numbers scaled, codes as they are, gaps filled."""
    X = cast("sparse.csr_array", table.values)
    values: np.ndarray = X.data.copy()
    unknown = np.isnan(values)
    values[unknown] = stand_ins[X.indices[unknown]]
    numeric = ~table.nominal[X.indices]
    values[numeric] = ((values - start[X.indices]) * scales[X.indices])[numeric]
    return values


@np.errstate(over="ignore", invalid="ignore")
def stored_moments(
    table: DataTable, rows: np.ndarray, ranges: np.ndarray | None, embedded: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(p,) each: where the scale of a number begins (0, unless no row has a zero), its factor, and what stands for
    unknown values, of features that have any."""
    n, p = table.shape
    every = cast("sparse.csr_array", table.values)
    X = every[rows]
    zeros = len(rows) - np.bincount(X.indices, minlength=p)
    known = ~np.isnan(X.data)
    column, values = X.indices[known], X.data[known]
    low, high = np.where(zeros > 0, 0.0, np.inf), np.where(zeros > 0, 0.0, -np.inf)
    np.minimum.at(low, column, values)
    np.maximum.at(high, column, values)
    counts = np.bincount(column, minlength=p) + zeros
    stand_ins = np.bincount(column, values, p) / np.maximum(counts, 1)
    if not np.isfinite(stand_ins).all():  # a sum beyond all numbers
        stand_ins = np.where(np.isfinite(stand_ins), stand_ins, np.bincount(column, values / counts[column], p))
    columns = sparse.csc_array(X)
    for a in np.unique(every.indices[np.isnan(every.data)]):
        stored = columns.data[columns.indptr[a] : columns.indptr[a + 1]]
        if table.nominal[a]:
            stand_ins[a] = mode(stored, zeros[a])
        elif embedded:
            stand_ins[a] = mean(stored[~np.isnan(stored)], counts[a])
    full = (np.bincount(every.indices, minlength=p) == n) & (counts > 0)
    if embedded:
        full &= (low > 0) | (high < 0)
    return np.where(full, low, 0.0), factors(low, high, ranges), stand_ins
