"""Rows as points between which Euclidean distances are those of weighted diffs."""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..data.table import DataTable
from ..jit import kernel

FAR = 1e75  # ranges: products of what is farther could not be added up
TINY = 1e-300  # a range below this cannot be divided by: the feature counts as constant
COLUMNS = 1024  # features whose moments are taken at once


class Dense(NamedTuple):
    """How dense rows become points, column by column: a number v becomes (v - low) * scale, within +-FAR; of a nominal
    feature, whose scale is 0, 1 where v is `low` and 0 elsewhere; `stand_ins` replace missing values."""

    values: np.ndarray
    owners: np.ndarray
    coded: np.ndarray
    low: np.ndarray
    scales: np.ndarray
    stand_ins: np.ndarray

    def points(self, rows: np.ndarray, used: np.ndarray, roots: np.ndarray) -> np.ndarray:
        """(len(rows), len(used)) points, times `roots` (len(used),)."""
        out = np.empty((len(rows), len(used)))
        _points(self, rows, used, roots, FAR, out)
        return out


def _scales(low: np.ndarray, high: np.ndarray, ranges: np.ndarray | None) -> np.ndarray:
    """What values are multiplied with: 0 for features that are constant or unknown (NaN)."""
    spans = np.where(high > low, high - low, 0.0) if ranges is None else ranges
    if not np.isfinite(spans).all():
        raise ValueError("X has infinite or far too large values")
    return np.where(spans > TINY, 1 / np.maximum(spans, TINY), 0.0)


def dense(table: DataTable, rows: np.ndarray, ranges: np.ndarray | None) -> tuple[Dense, np.ndarray]:
    """How points are made, and shares: numbers in units of their range; values of a nominal feature as one column
    each."""
    numeric = np.flatnonzero(~table.nominal)
    low, scales, means = np.zeros((3, len(numeric)))
    for block in np.array_split(np.arange(len(numeric)), -(-len(numeric) // COLUMNS)) if len(numeric) else ():
        known = np.ascontiguousarray(table.values[rows[:, None], numeric[block]])
        least, most = np.fmin.reduce(known), np.fmax.reduce(known)
        counts = np.count_nonzero(~np.isnan(known), axis=0)
        means[block] = np.where(counts > 0, np.nansum(known, axis=0) / np.maximum(counts, 1), 0.0)
        scales[block] = _scales(least, most, None if ranges is None else ranges[numeric[block]])
        low[block] = np.where(counts > 0, least, 0.0)
    parts = [(numeric, np.zeros(len(numeric), bool), low, scales, means)]
    for a in np.flatnonzero(table.nominal):
        column = table.values[:, a]
        mode = _mode(column[rows])
        codes = np.unique(np.where(np.isnan(column), mode, column))
        scale, stand_in = np.full((2, len(codes)), [[0.0], [mode]])
        parts.append((np.full(len(codes), a), np.ones(len(codes), bool), codes, scale, stand_in))
    made = Dense(table.values, *(np.concatenate(column) for column in zip(*parts, strict=True)))
    return made, np.where(made.coded, 0.5, 1.0)


@kernel
def _points(dense, rows, used, roots, far, out):
    values, owners, coded, low, scales, stand_ins = dense
    for r in range(len(rows)):
        x, y = values[rows[r]], out[r]
        for c in range(len(used)):
            q = used[c]
            v = x[owners[q]]
            v = v if v == v else stand_ins[q]
            if coded[q]:
                y[c] = roots[c] if v == low[q] else 0.0
            else:
                y[c] = min(max((v - low[q]) * scales[q], -far), far) * roots[c]


@kernel
def finite(dense):
    """Whether all points are."""
    values, owners, coded, low, scales, stand_ins = dense
    bad = 0
    for i in range(len(values)):
        x = values[i]
        for q in range(len(owners)):
            v = x[owners[q]]
            v = v if v == v else stand_ins[q]
            y = 0.0 if coded[q] else (v - low[q]) * scales[q]
            bad += y - y != 0.0  # infinite, or no number
    return bad == 0


def stored(
    table: DataTable, rows: np.ndarray, ranges: np.ndarray | None
) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
    """Points, owners and shares without filling up zeros: code 0 is the origin, another one is 1 in a column of its own
    and in one that all others share; so any two are at the same distance."""
    X, (n, p) = table.values, table.shape
    row, values = np.repeat(np.arange(n), np.diff(X.indptr)), X.data.copy()
    start, scales, stand_ins = _moments(table, rows, ranges)
    unknown = np.isnan(values)
    values[unknown] = stand_ins[X.indices[unknown]]
    coded = table.nominal[X.indices]
    values[~coded] = ((values - start[X.indices]) * scales[X.indices])[~coded]
    coded &= values != 0
    feature, code = X.indices[coded], values[coded]
    pairs, place = np.unique(np.column_stack([feature, code]), axis=0, return_inverse=True)
    values[coded] = 1.0
    at = np.concatenate([row, row[coded]]), np.concatenate([X.indices, p + place.ravel()])
    data = np.concatenate([values, np.ones(len(code))])
    points = sparse.csr_array(sparse.coo_array((data, at), shape=(n, p + len(pairs))))
    points.eliminate_zeros()
    owners = np.concatenate([np.arange(p), pairs[:, 0].astype(np.intp)])
    return points, owners, np.where(table.nominal[owners], 0.5, 1.0)


def _moments(
    table: DataTable, rows: np.ndarray, ranges: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(p,) each: where the scale of a number begins (0, unless no row has a zero), its factor, and what stands for
    unknown values."""
    n, p = table.shape
    X = table.values[rows]
    zeros = len(rows) - np.bincount(X.indices, minlength=p)
    known = ~np.isnan(X.data)
    column, values = X.indices[known], X.data[known]
    low, high = np.where(zeros > 0, 0.0, np.inf), np.where(zeros > 0, 0.0, -np.inf)
    np.minimum.at(low, column, values)
    np.maximum.at(high, column, values)
    counts = np.bincount(column, minlength=p) + zeros
    stand_ins = np.bincount(column, values, p) / np.maximum(counts, 1)
    holes = np.unique(table.values.indices[np.isnan(table.values.data)])
    columns = sparse.csc_array(X)
    for a in holes[table.nominal[holes]]:
        stored = columns.data[columns.indptr[a] : columns.indptr[a + 1]]
        stand_ins[a] = _mode(stored, zeros[a])
    full = (np.bincount(table.values.indices, minlength=p) == n) & (counts > 0)
    return np.where(full, low, 0.0), _scales(low, high, ranges), stand_ins


def _mode(column: np.ndarray, zeros: int = 0) -> float:
    """The most frequent known value, the lowest of those, 0 if there is none; `zeros` more of them are 0."""
    known = column[~np.isnan(column)]
    values, counts = np.unique(np.concatenate([np.zeros(int(zeros > 0)), known]), return_counts=True)
    counts[values == 0] += max(int(zeros) - 1, 0)
    return float(values[counts.argmax()]) if len(values) else 0.0
