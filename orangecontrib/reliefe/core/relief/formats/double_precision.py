"""Distances of pairs of rows in double precision, from the data as they came, where a run has single precision.

`Comparison.prepared` makes `DoublePrecision`; searches and thresholds ask it for pairs that are too close to call.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...data.expected import (
    CLUS_NUMBER,
    CONDITIONAL_NUMBER,
    IGNORE,
    IGNORE_NUMBER,
    MISSING,
    SEPARATE_NUMBER,
    STRATEGIES,
    UNIFORM_NUMBER,
)
from ...data.table import DataTable
from ...kernels.diff import shaped
from ...kernels.jit import kernel
from ...kernels.rounding import round_distances
from .features import Features
from .missing import MIN_SINGLE_MEAN_DIFF, MissingEntries


@dataclass(frozen=True)
class DoublePrecision:
    """Distances of pairs that single precision cannot decide.

    Attributes
    ----------
    table : DataTable
        The data as they came.
    ids : (n,) int array
        Rows of the table that are the rows of the run, in its order.
    features : Features
        Features of the run.
    strategy : str
        Strategy for missing values.
    """

    table: DataTable
    ids: np.ndarray
    features: Features
    strategy: str = IGNORE

    def without_data(self) -> "DoublePrecision":
        """Return a copy without rows, which can compute no distance: it tells errors and rounding only."""
        return replace(self, table=self.table.take(np.zeros(0, np.int64)))

    def distances(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Distances (b, k) of rows (b,) to cols (b, k), infinite where cols is negative."""
        out = np.empty(cols.shape)
        _distances(self._data, rows, cols, out)
        round_distances(out)
        return out

    def whole_rows(self, rows: np.ndarray) -> np.ndarray:
        """Distances (b, n) of rows (b,) to all rows, infinite for a row itself."""
        cols = np.broadcast_to(np.arange(len(self.ids)), (len(rows), len(self.ids)))
        return self.distances(rows, np.where(cols == rows[:, None], -1, cols))

    def columns(self, first: int, last: int) -> np.ndarray:
        """Scaled values (c, n), and codes of nominal features, of columns of the run; complete data only."""
        out = np.empty((last - first, len(self.ids)))
        _put_columns(self.table.values, self.ids, self.features.columns[first:last], self.features.scale, out)
        return out

    @cached_property
    def _data(self) -> "GivenData":
        """The data as the kernels read them."""
        table = self.table
        f = self.features
        low = np.zeros(0)
        if f.missing:
            low = np.full(table.shape[1], np.nan)
            for row in self.ids:  # of which there may be fewer than in the table
                np.fmin(low, table.values[row], out=low)
        return GivenData(
            X=table.values,
            nominal=table.nominal,
            scale=f.scale,
            shape=f.diff.shape,
            ids=self.ids,
            is_plain=f.diff.plain and not f.missing and not table.nominal.any(),
            strategy=STRATEGIES.index(self.strategy),
            columns=f.columns,
            low=low,
            missing=MissingEntries.of(f.missing, f.values.dtype),
            scaled_values=f.values if f.missing else np.zeros((0, 0), f.values.dtype),
        )


class GivenData(NamedTuple):
    """Data of a caller, and what missing values need, as kernels read them.

    Attributes
    ----------
    X : (rows, p) array
        The table as it came; NaN is unknown.
    nominal : (p,) bool array
        True for nominal features.
    scale : (p,) array
        Factors of numeric differences.
    shape : tuple or None
        `Diff.shape` of numeric features.
    ids : (n,) int array
        Rows of the table that are the rows of the run.
    is_plain : bool
        True if all features are complete numbers with plain diffs.
    strategy : int
        Number of the strategy for missing values.
    columns : (p,) int array
        Feature of each column of the run.
    low : (p,) array
        Least value of each feature; (0,) if nothing is missing.
    missing : MissingEntries
        Missing entries of the run.
    scaled_values : (n, at least p) array
        Values of the run; (0, 0) if nothing is missing.
    """

    X: np.ndarray
    nominal: np.ndarray
    scale: np.ndarray
    shape: tuple[float, float, bool] | None
    ids: np.ndarray
    is_plain: bool
    strategy: int
    columns: np.ndarray
    low: np.ndarray
    missing: MissingEntries
    scaled_values: np.ndarray


@kernel
def _put_columns(X, rows, columns, scale, out):
    """Set out[c, i] to the scaled value of rows[i] in columns[c]."""
    for i in range(len(rows)):
        x = X[rows[i]]
        for c in range(len(columns)):
            out[c, i] = float(x[columns[c]]) * scale[columns[c]]


@kernel
def _distances(data, rows, cols, out):
    """Set out[b, q] to the distance of rows[b] and cols[b, q], infinite where cols[b, q] is negative.

    data : GivenData
    """
    # Fields are taken once: of each use the references are counted, which takes longest
    X = data.X
    scale = data.scale
    ids = data.ids
    is_plain = data.is_plain
    for b in range(len(rows)):
        for q in range(cols.shape[1]):
            j = cols[b, q]
            if j < 0:
                out[b, q] = np.inf
            elif is_plain:
                out[b, q] = _plain_distance(X[ids[rows[b]]], X[ids[j]], scale)
            else:
                out[b, q] = _distance(data, rows[b], j)


@kernel
def _distance(data, i, j):
    """Distance of rows i and j of the run, with what missing values add by the strategy.

    data : GivenData
    """
    x = data.X[data.ids[i]]
    y = data.X[data.ids[j]]
    nominal = data.nominal
    scale = data.scale
    total = 0.0
    n_shared = 0
    if data.is_plain:
        return _plain_distance(x, y, scale)
    for f in range(len(x)):
        if x[f] == x[f] and y[f] == y[f]:
            n_shared += 1
            total += 1.0 if nominal[f] and x[f] != y[f] else 0.0
            if not nominal[f]:
                total += shaped(abs(float(x[f]) - float(y[f])) * scale[f], data.shape)
    if data.strategy == IGNORE_NUMBER and n_shared < len(x):
        return total / n_shared * len(x) if n_shared > 0 else float(len(x))
    if n_shared < len(x):
        total += _sum_unknown(data, i, j) + _sum_unknown(data, j, i)
        is_rounding = data.strategy == CONDITIONAL_NUMBER and total <= MIN_SINGLE_MEAN_DIFF * len(x)
        return 0.0 if is_rounding else total
    return total


@kernel
def _plain_distance(x, y, scale):
    """Distance of two complete rows of numbers, without a branch, so that several features are added at once."""
    total = 0.0
    for f in range(len(x)):
        total += abs(float(x[f]) - float(y[f])) * scale[f]  # unsigned integers would wrap
    return total


@kernel
def _sum_unknown(data, i, j):
    """Sum of the expected diffs of row j to the values that row i lacks; where both lack one, half of it.

    data : GivenData
    """
    missing = data.missing
    total = 0.0
    for t in range(missing.indptr[i], missing.indptr[i + 1]):
        column = missing.features[t]
        f = data.columns[column]
        share = 0.5
        expected = 2 * float(missing.table[missing.slots[t], j])
        value = data.scaled_values[j, column]
        if value != MISSING:  # the table has corrections of the diff to MISSING as a value
            diff_to_missing = 1.0 if data.nominal[f] else shaped(float(value) - MISSING, data.shape)
            expected = expected / 2 + diff_to_missing
            share = 1.0
        x = float(data.X[data.ids[j], f])
        total += share * _exact_diff(
            expected, x, data.nominal[f], data.scale[f], data.low[f], data.strategy, data.shape
        )
    return total


@kernel
def _exact_diff(expected, x, nominal, scale, low, strategy, shape):
    """Expected diff of an unknown value to x in double precision, by the formula of the strategy, if it has one.

    expected : the same in single precision
    x : NaN: the other value is unknown, too
    """
    if strategy == SEPARATE_NUMBER:
        return np.rint(expected)
    if nominal and strategy != CONDITIONAL_NUMBER:
        return 1 - 1 / np.rint(1 / (1 - expected))
    if strategy == CLUS_NUMBER and x == x:
        q = (x - low) * scale
        return shaped(max(q, 1 - q), shape)
    if strategy == UNIFORM_NUMBER and shape is None and scale > 0:
        q = (x - low) * scale
        return (q * q + (1 - q) * (1 - q)) / 2 if x == x else 1 / 3
    return expected
