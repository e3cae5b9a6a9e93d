"""Distances of pairs of rows in double precision, from the data as they came, where a run has single precision."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...data.expected import IGNORE, MISSING, STRATEGIES
from ...data.table import DataTable
from ...kernels.diff import shaped
from ...kernels.jit import kernel
from .features import Features
from .missing import MIN_SINGLE_MEAN_DIFF, MissingEntries
from .rounding import round_distances


@dataclass(frozen=True)
class DoublePrecision:
    """Distances of pairs that single precision cannot decide."""

    table: DataTable  # the data as they came
    ids: np.ndarray  # (n,): rows of the table that are the rows of the run, in its order
    features: Features  # of the run
    strategy: str = IGNORE  # for missing values

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
    def _data(self) -> tuple[Any, ...]:
        """The data as the kernels want them."""
        table = self.table
        f = self.features
        low = np.zeros(0)
        found = (
            *MissingEntries.of(f.missing, f.values.dtype),
            f.values if f.missing else np.zeros((0, 0), f.values.dtype),
        )
        if f.missing:
            low = np.full(table.shape[1], np.nan)
            for row in self.ids:  # of which there may be fewer than in the table
                np.fmin(low, table.values[row], out=low)
        plain = f.diff.plain and not f.missing and not table.nominal.any()
        how = STRATEGIES.index(self.strategy), f.columns, low
        return table.values, table.nominal, f.scale, f.diff.shape, self.ids, plain, found, how


@kernel
def _put_columns(X, rows, columns, scale, out):
    """Set out[c, i] to the scaled value of rows[i] in columns[c]."""
    for i in range(len(rows)):
        x = X[rows[i]]
        for c in range(len(columns)):
            out[c, i] = float(x[columns[c]]) * scale[columns[c]]


@kernel
def _distances(data, rows, cols, out):
    """Distances (b, k) of rows (b,) to cols (b, k)."""
    # each time, counting who holds them takes longest
    X = data[0]
    scale = data[2]
    ids = data[4]
    plain = data[5]
    for b in range(len(rows)):
        for q in range(cols.shape[1]):
            j = cols[b, q]
            if j < 0:
                out[b, q] = np.inf
            elif plain:
                out[b, q] = _plain_distance(X[ids[rows[b]]], X[ids[j]], scale)
            else:
                out[b, q] = _distance(data, rows[b], j)


@kernel
def _distance(data, i, j):
    """Distance of two rows, with what missing values add by the strategy."""
    X, nominal, scale, shape, ids, plain, _, (strategy, _, _) = data
    x = X[ids[i]]
    y = X[ids[j]]
    total = 0.0
    seen = 0
    if plain:
        return _plain_distance(x, y, scale)
    for f in range(len(x)):
        if x[f] == x[f] and y[f] == y[f]:
            seen += 1
            total += 1.0 if nominal[f] and x[f] != y[f] else 0.0
            if not nominal[f]:
                total += shaped(abs(float(x[f]) - float(y[f])) * scale[f], shape)
    if strategy == 1 and seen < len(x):
        return total / seen * len(x) if seen > 0 else float(len(x))
    if seen < len(x):
        total += _unknown(data, i, j) + _unknown(data, j, i)
        return total if strategy != 0 or total > MIN_SINGLE_MEAN_DIFF * len(x) else 0.0
    return total


@kernel
def _plain_distance(x, y, scale):
    """Distance of two complete rows of numbers, without a branch, so that several features are added at once."""
    total = 0.0
    for f in range(len(x)):
        total += abs(float(x[f]) - float(y[f])) * scale[f]  # unsigned integers would wrap
    return total


@kernel
def _unknown(data, i, j):
    """Difference of row j from the values that row i lacks; where both lack one, half of it."""
    X, nominal, scale, shape, ids, _, gaps, (strategy, columns, least) = data
    indptr, features, slots, table, values = gaps
    total = 0.0
    for t in range(indptr[i], indptr[i + 1]):
        f = features[t]
        a = columns[features[t]]
        share = 0.5
        expected = 2 * float(table[slots[t], j])
        if values[j, f] != MISSING:  # the table tells what it takes beyond the diff to MISSING as a value
            beyond = 1.0 if nominal[a] else shaped(float(values[j, f]) - MISSING, shape)
            expected = expected / 2 + beyond
            share = 1.0
        total += share * _digits(expected, float(X[ids[j], a]), nominal[a], scale[a], least[a], strategy, shape)
    return total


@kernel
def _digits(expected, x, nominal, scale, least, strategy, shape):
    """The expected diff to x, NaN: to another unknown value, in double precision, where a formula gives it."""
    if strategy == 3:
        return np.rint(expected)
    if nominal and strategy != 0:
        return 1 - 1 / np.rint(1 / (1 - expected))
    if strategy == 4 and x == x:
        q = (x - least) * scale
        return shaped(max(q, 1 - q), shape)
    if strategy == 2 and shape is None and scale > 0:
        q = (x - least) * scale
        return (q * q + (1 - q) * (1 - q)) / 2 if x == x else 1 / 3
    return expected
