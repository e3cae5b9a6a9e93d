"""Manhattan distances of sparse rows, of which only shared entries are looked at.

`comparison.manhattan` makes `SparseManhattan` for tables in CSR. With ``|x|`` for the sum of the diffs of a row to zero

    d(i, j) = |x_i| + |x_j| + sum over shared entries of  diff(x_i, x_j) - diff(x_i, 0) - diff(x_j, 0)

Most of ``|x_i| + |x_j|`` may cancel. So distances are added up in whole numbers of a tiny unit, and nothing is lost:
equal rows are at distance 0, and distances that are equal in dense data are equal here.
"""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...kernels.diff import diff
from ...kernels.jit import kernel
from ...kernels.rounding import round_distances
from .distance import Distance, TileBounds, TileBuffer
from .features import Features
from .sparse_index import InvertedIndex
from .steps import PANEL, ROUNDING_ERROR, Steps, no_totals

SUM_BITS = 61  # bits of the whole numbers that distances are added up in; two more are for the sign and for rounding
MAX_UNIT_EXPONENT = 1000  # 2^1000 units of 1 are still a float, for tables that are almost 0
STEP_BITS = 32  # bits that are dropped from half of a distance in units to have it in steps
CLOSE_UNITS = 1 << 46  # units of a distance below which it has fewer digits than the values that it is made of
COLUMNS = 64  # the width of tiles is a multiple of it
MAX_PANELS = 4  # height of a tile in panels; chosen by eye
TILE_PAIRS = 2**14  # pairs of a panel and all rows that a tile has at most, in panels
TILE_ENTRIES = 2**25  # shared entries of a tile, which take some 0.1 s


class UnitEntries(NamedTuple):
    """Entries as whole numbers of units, in which distances are added up.

    Attributes
    ----------
    units : (e,) int64 array
        Entries row by row: weighted values times `per_unit`; where diffs are not plain, diffs to zero.
    units_by_column : (e,) int64 array
        The same in the order of `ColumnEntries`.
    norms : (n,) int64 array
        Sum of ``|units|`` of each row, its distance to a row of zeros.
    per_unit : float
        Units of the distance 1, a power of two.
    """

    units: np.ndarray
    units_by_column: np.ndarray
    norms: np.ndarray
    per_unit: float

    @classmethod
    def of(cls, index: InvertedIndex, features: Features, feature_weights: np.ndarray) -> "UnitEntries":
        """Round the weighted entries to units so small that the largest distance has SUM_BITS bits."""
        rows = index.rows
        weights = feature_weights[rows.features]
        largest_norms = row_sums(rows.to_zero * weights, rows.indptr)
        if not features.diff.plain:  # diffs of shared values may be larger than the diffs to zero that they replace
            largest_norms += row_sums(weights, rows.indptr)
        exponent = int(np.frexp(2 * largest_norms.max(initial=0.0))[1])
        per_unit = float(np.ldexp(1.0, min(SUM_BITS - exponent, MAX_UNIT_EXPONENT)))
        # Plain diffs are differences of values, which have signs
        signed = np.copysign(rows.to_zero, rows.values) if features.diff.plain else rows.to_zero
        units = np.rint(signed * weights * per_unit).astype(np.int64)
        units_by_column = np.empty_like(units)
        units_by_column[rows.column_position] = units
        return cls(units, units_by_column, row_sums(np.abs(units), rows.indptr, np.int64), per_unit)


class DiffRule(NamedTuple):
    """Weights and shape of the diffs of two values.

    Attributes
    ----------
    weights : (p,) float array
        Weights of the features.
    n_numeric : int
        Number of numeric features, which are the first ones.
    shape : tuple or None
        `Diff.shape` of numeric features.
    """

    weights: np.ndarray
    n_numeric: int
    shape: tuple[float, float, bool] | None


class SparseManhattan(Distance):
    """Sums of the diffs of sparse rows over the features.

    Parameters
    ----------
    features : Features
        Rows in CSR.
    feature_weights : (p,) array, optional
        Weights of the features; None: 1.
    index : InvertedIndex, optional
        Index of these features, if there is one already.
    """

    of_features = True

    def __init__(
        self, features: Features, feature_weights: np.ndarray | None = None, index: InvertedIndex | None = None
    ):
        n, p = features.shape
        self.n = n
        self.features = features
        self.index = index or InvertedIndex(features)
        self._is_weighted = feature_weights is not None
        self._feature_weights = np.ones(p) if feature_weights is None else feature_weights
        self._unit_entries = UnitEntries.of(self.index, features, self._feature_weights)
        self._rule = DiffRule(self._feature_weights, features.n_numeric, features.diff.shape)
        self.tile_shape = _tile_shape(self.index, n)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.features, self._feature_weights, self.index)

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        _fill_tile(self.index.rows, self.index.columns, self._unit_entries, self._rule, (i0, i1, j0, j1), upper, out)
        if self.features.missing:
            self.features.missing.correct(out, i0, i1, j0, j1)
        return out

    @cached_property
    def steps(self) -> Steps:
        """Those of the units without their last bits; with missing values those of the sum of the weights."""
        if self.features.missing:
            return Steps.for_bound(self.n, float(self._feature_weights.sum()))
        per_unit = self._unit_entries.per_unit / 2.0 ** (STEP_BITS - 1)
        return Steps(per_unit, no_totals(self.n), ROUNDING_ERROR / per_unit)

    @property
    def rounds_tiles(self) -> bool:
        return self.features.missing is not None

    def sums(self, bounds: TileBounds, buffer: TileBuffer, upper: bool = True) -> np.ndarray:
        if self.features.missing:
            return super().sums(bounds, buffer, upper)
        index = self.index
        _fill_steps(index.rows, index.columns, self._unit_entries, self._rule, bounds, upper, buffer.width, buffer.sums)
        return buffer.sums

    def exact(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        missing = self.features.missing
        if missing and self._is_weighted:
            return super().exact(rows, cols)
        distances = np.empty(cols.shape)
        _fill_pairs(self.index.rows, self._unit_entries, self._rule, rows, cols, distances)
        if missing:
            missing.correct_pairs(distances, rows, cols)
        round_distances(distances)
        return distances


def _tile_shape(index: InvertedIndex, n: int) -> tuple[int, int]:
    """Height and width of tiles: all n columns, and so few rows that a tile takes some tenths of a second at most.

    Between two tiles a caller looks for the wish to stop.
    """
    entries_of_columns = np.diff(index.columns.indptr).astype(float)
    # Entries that one row shares with all others, on average
    shared_entries = max(float((entries_of_columns**2).sum()) / n, 1.0)
    n_panels = min(TILE_PAIRS // n, TILE_ENTRIES // (PANEL * shared_entries))
    width = -(-n // COLUMNS) * COLUMNS
    return int(min(max(1, n_panels), MAX_PANELS)) * PANEL, width


def row_sums(values: np.ndarray, indptr: np.ndarray, dtype: type = np.float64) -> np.ndarray:
    """Sums (n,) of the entries (e,) of each row, in the order of the entries: equal rows have equal bits."""
    has_entries = np.diff(indptr) > 0
    with_end = np.append(values, values.dtype.type(0))  # so that empty rows at the end have an index
    return np.add.reduceat(with_end, indptr[:-1], dtype=dtype) * has_entries


@kernel
def _fill_tile(rows, columns, unit_entries, rule, bounds, upper, out):
    """Set out[i - i0, j - j0] to the distance of rows i and j; of close rows it is computed entry by entry.

    rows, columns : RowEntries, ColumnEntries
    unit_entries : UnitEntries
    rule : DiffRule
    bounds : i0, i1, j0, j1; j1 is n
    upper : True for the pairs i < j only, with j0 = 0
    out : (>= i1 - i0, >= j1 - j0)
    """
    i0, i1, j0, j1 = bounds
    total = np.empty(j1 - j0, np.int64)
    unit = 1 / unit_entries.per_unit
    for i in range(i0, i1):
        first = i + 1 if upper else j0
        sums = total[first - j0 :]
        row = out[i - i0, first - j0 : j1 - j0]
        _add_units(rows, columns, unit_entries, rule, i, first, j0, upper, total)
        n_close = 0
        for q in range(len(sums)):
            row[q] = sums[q] * unit
            n_close += sums[q] < CLOSE_UNITS
        if n_close:
            for q in range(len(sums)):
                if sums[q] < CLOSE_UNITS and unit_entries.norms[i] + unit_entries.norms[first + q] > 0:
                    row[q] = _distance_by_entries(rows, rule, i, first + q)


@kernel
def _fill_steps(rows, columns, unit_entries, rule, bounds, upper, width, out):
    """Set out[(i - i0) * width + j - j0] to half of the distance of rows i and j in steps.

    A step is 2^(STEP_BITS - 1) units. Arguments as of `_fill_tile`, but out (height * width,) int32.
    """
    i0, i1, j0, j1 = bounds
    total = np.empty(j1 - j0, np.int64)
    half_step = np.int64(1) << (STEP_BITS - 1)
    for i in range(i0, i1):
        first = i + 1 if upper else j0
        _add_units(rows, columns, unit_entries, rule, i, first, j0, upper, total)
        sums = total[first - j0 :]
        row = out[(i - i0) * width + first - j0 : (i - i0) * width + j1 - j0]
        for q in range(len(row)):
            row[q] = np.int32((sums[q] + half_step) >> STEP_BITS)


@kernel
def _add_units(rows, columns, unit_entries, rule, i, first, j0, upper, total):
    """Set total[j - j0], for j >= first, to the distance of rows i and j in units.

    total[j - j0] = |x_i| + |x_j| + sum over shared entries u, v of  |u - v| - |u| - |v|

    Arguments as of `_fill_tile`; total (j1 - j0,) int64.
    """
    indptr_of_columns = columns.indptr
    row_of_entry = columns.rows
    units_by_column = unit_entries.units_by_column
    norm = unit_entries.norms[i]
    other_norms = unit_entries.norms[first : j0 + len(total)]
    sums = total[first - j0 :]
    for q in range(len(sums)):
        sums[q] = norm + other_norms[q]
    for t in range(rows.indptr[i], rows.indptr[i + 1]):
        f = rows.features[t]
        x = rows.values[t]
        u = unit_entries.units[t]
        # Rows of a column ascend: those behind the entry of row i are the rows j > i
        start = rows.column_position[t] + 1 if upper else indptr_of_columns[f]
        if rule.shape is None and f < rule.n_numeric:
            for s in range(start, indptr_of_columns[f + 1]):
                v = units_by_column[s]
                total[row_of_entry[s] - j0] += abs(u - v) - abs(u) - abs(v)
        else:
            for s in range(start, indptr_of_columns[f + 1]):
                d = diff(x, columns.values[s], f < rule.n_numeric, rule.shape)
                shared = np.int64(np.rint(rule.weights[f] * unit_entries.per_unit * d))
                total[row_of_entry[s] - j0] += shared - abs(u) - abs(units_by_column[s])


@kernel
def _fill_pairs(rows, unit_entries, rule, first_rows, cols, out):
    """Set out[b, q] to the distance of rows first_rows[b] and cols[b, q], infinite where cols[b, q] is negative.

    Distances of close rows are computed entry by entry.

    rows, unit_entries, rule : RowEntries, UnitEntries, DiffRule
    first_rows : (b,)
    cols, out : (b, k)
    """
    indptr = rows.indptr
    features = rows.features
    # The first row of a pair with its zeros
    values = np.zeros(len(rule.weights))
    units = np.zeros(len(rule.weights), np.int64)
    last_row = -1
    for b in range(len(first_rows)):
        i = first_rows[b]
        if i != last_row:
            if last_row >= 0:
                for t in range(indptr[last_row], indptr[last_row + 1]):
                    values[features[t]] = 0
                    units[features[t]] = 0
            for t in range(indptr[i], indptr[i + 1]):
                values[features[t]] = rows.values[t]
                units[features[t]] = unit_entries.units[t]
            last_row = i
        for q in range(cols.shape[1]):
            j = cols[b, q]
            if j < 0:
                out[b, q] = np.inf
                continue
            total = unit_entries.norms[i] + unit_entries.norms[j]
            for t in range(indptr[j], indptr[j + 1]):
                f = features[t]
                u = units[f]
                v = unit_entries.units[t]
                if rule.shape is None and f < rule.n_numeric:
                    total += abs(u - v) - abs(u) - abs(v)
                elif values[f] != 0:  # with a ramp, u may be 0 although the row has an entry
                    d = diff(values[f], rows.values[t], f < rule.n_numeric, rule.shape)
                    total += np.int64(np.rint(rule.weights[f] * unit_entries.per_unit * d)) - abs(u) - abs(v)
            is_close = total < CLOSE_UNITS and unit_entries.norms[i] + unit_entries.norms[j] > 0
            out[b, q] = _distance_by_entries(rows, rule, i, j) if is_close else total / unit_entries.per_unit


@kernel
def _distance_by_entries(rows, rule, i, j):
    """Distance of rows i and j, whose entries are merged in the order of features: no digit is lost.

    sum over features of weight * diff(x_i, x_j)
    """
    indptr = rows.indptr
    features = rows.features
    s = indptr[i]
    t = indptr[j]
    total = 0.0
    while s < indptr[i + 1] or t < indptr[j + 1]:
        if t == indptr[j + 1] or (s < indptr[i + 1] and features[s] < features[t]):
            total += rule.weights[features[s]] * rows.to_zero[s]
            s += 1
        elif s == indptr[i + 1] or features[t] < features[s]:
            total += rule.weights[features[t]] * rows.to_zero[t]
            t += 1
        else:
            is_numeric = features[s] < rule.n_numeric
            total += rule.weights[features[s]] * diff(rows.values[s], rows.values[t], is_numeric, rule.shape)
            s += 1
            t += 1
    return total
