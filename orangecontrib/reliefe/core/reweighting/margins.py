"""Margins of single rows under a weighted distance: mean diffs to misses less those to hits.

`irelief_online` and `logo` ask `Rows` for the margin of one row after another.
"""

from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

from ..kernels.diff import diff, shaped
from ..kernels.jit import kernel
from ..relief.comparison import sums_for
from ..relief.formats.lists import Neighbours
from ..relief.formats.missing import Corrections
from ..relief.formats.pair_sums import PairList
from ..relief.formats.sparse import row_sums
from ..relief.formats.weighted import MIN_SHARED
from ..relief.run import Run

FEATURES_PER_BLOCK = 512  # features whose diffs are summed in the precision of the data, before double precision


class RowMargin(NamedTuple):
    """Margin of a row.

    margin (p,): weighted mean diff to the misses less that to the hits.
    gamma: probability that the row is no outlier.
    """

    margin: np.ndarray
    gamma: float


class Rows:
    """Margins of single rows; each costs one pass over all data for its distances, and one for the margin.

    run: data and target.
    features: its features; what missing values add to distances is in memory.
    """

    def __init__(self, run: Run):
        """Prepare the features and their sums."""
        self.run = run
        self.features = run.features
        if run.features.missing is not None and not run.features.missing.has_table:
            self.features = replace(run.features, missing=_with_tables(run.features.missing))
        self._sums = run.sums if self.features is run.features else sums_for(self.features, run.distance)
        self._cols = np.arange(run.n)

    def margin(self, i: int, weights: np.ndarray, width: float) -> RowMargin:
        """Compute the margin of row i, where a row at distance d counts exp(-d / width).

        weights (p,): weights of the features in the distance.
        """
        # Shares of hits and of misses, and logarithms of the sums of their influence
        run = self.run
        d = self.distances(i, weights)
        hits = run.groups == run.groups[i]
        misses = ~hits
        hits[i] = False
        shares = np.zeros((2, run.n))
        logs = np.full(2, -np.inf)
        for kind, mask in enumerate((hits, misses)):
            if mask.any():
                nearest = d[mask].min()
                influence = np.exp((nearest - d[mask]) / width)
                total = influence.sum()
                shares[kind, mask] = influence / total
                logs[kind] = np.log(total) - nearest / width
        with np.errstate(over="ignore"):
            gamma = float(1 / (1 + np.exp(logs[1] - logs[0]))) if np.isfinite(logs).all() else float(hits.any())
        # Mean diffs to the misses less those to the hits
        row = np.array([i])
        if run.means is None:
            pairs = PairList.of_lists(row, self._cols[None], [(shares[1] - shares[0])[None]], self._sums.dtype)
            return RowMargin(self._sums.of_pairs(pairs), gamma)
        cols = np.where(shares > 0, self._cols, -1)[None]
        hits_and_misses = Neighbours(row, cols, np.zeros(cols.shape), shares[None])
        diffs = np.concatenate([np.nan_to_num(means.diffs(hits_and_misses)[0]) for means in run.mean_spans()], axis=1)
        return RowMargin(diffs[1] - diffs[0], gamma)

    def distances(self, i: int, weights: np.ndarray) -> np.ndarray:
        """Compute the distances (n,) of row i to all rows, with weights (p,) of the features."""
        f = self.features
        out = np.zeros(self.run.n)
        if f.is_sparse:
            X = cast("sparse.csr_array", f.values)
            _sparse_row((X.indptr, X.indices, X.data), i, weights, f.n_numeric, f.diff.shape, out)
        else:
            padded = np.zeros(f.values.shape[1], f.values.dtype)
            padded[: len(weights)] = weights
            _dense_row(f.values, i, padded, f.n_numeric, f.diff.shape, out)
        missing = f.missing
        if missing is None:
            return out
        entries = missing.indptr, missing.features, missing.slots
        _add_unknown(entries, missing.table, i, weights, True, out)
        np.maximum(out, 0, out=out)
        if missing.ignore:
            both = np.zeros(len(out))
            _add_unknown(entries, cast("np.ndarray", missing.unknown), i, weights, False, both)
            lacks = row_sums(weights[missing.features], missing.indptr)
            total_weight = weights.sum()
            shared_weight = total_weight - lacks[i] - lacks + both
            shares_features = shared_weight > MIN_SHARED * total_weight
            scaled = out / np.where(shares_features, shared_weight, 1) * total_weight
            out[:] = np.where(shares_features, scaled, total_weight)
        return out


def _with_tables(missing: Corrections) -> Corrections:
    """Return corrections with their whole tables in memory, since rows are asked for one by one."""
    slots = missing.source
    indices = np.arange(int(missing.slots.max()) + 1)
    unknown = slots.unknown(indices) if missing.ignore else None  # type: ignore[union-attr]  # there, as none is kept
    return replace(missing, table=slots.table(indices), unknown=unknown, pair_sums=None, pair_lacks=None)  # type: ignore[union-attr]


@kernel
def _dense_row(X, i, weights, n_numeric, shape, out):
    """Compute weighted distances (n,) of row i of dense data to all rows j, without what missing values add.

    out[j] = sum over f of w_f diff(x_if, x_jf)
    """
    width = len(weights)
    for j in range(len(X)):
        total = 0.0
        for first in range(0, width, FEATURES_PER_BLOCK):
            last = min(first + FEATURES_PER_BLOCK, width)
            x = X[i, first:last]
            y = X[j, first:last]
            w = weights[first:last]
            end_numeric = min(max(n_numeric, first), last) - first
            block_sum = w[0] * 0
            for f in range(end_numeric):
                block_sum += w[f] * shaped(abs(x[f] - y[f]), shape)
            for f in range(end_numeric, len(x)):
                block_sum += w[f] if x[f] != y[f] else w[f] * 0
            total += block_sum
        out[j] = total


@kernel
def _sparse_row(entries, i, weights, n_numeric, shape, out):
    """Compute weighted distances (n,) of row i of CSR data to all rows j, without what missing values add.

    out[j] = sum over f in i of w_f diff(x_if, 0) + sum over f in j of w_f (diff(x_if, x_jf) - diff(x_if, 0))
    """
    indptr, indices, data = entries
    x = np.zeros(len(weights))
    from_zero = np.zeros(len(weights))
    sum_from_zero = 0.0
    for t in range(indptr[i], indptr[i + 1]):
        f = indices[t]
        x[f] = data[t]
        from_zero[f] = weights[f] * diff(x[f], 0.0, f < n_numeric, shape)
        sum_from_zero += from_zero[f]
    for j in range(len(out)):
        total = sum_from_zero
        for t in range(indptr[j], indptr[j + 1]):
            f = indices[t]
            total += weights[f] * diff(x[f], float(data[t]), f < n_numeric, shape) - from_zero[f]
        out[j] = max(total, 0.0)
    out[i] = 0


@kernel
def _add_unknown(entries, table, i, weights, both, out):
    """Add to distances (n,) what the unknown values of row i add, and, if `both`, those of all other rows.

    entries : indptr (n + 1,) of rows, and the feature and the slot of each unknown value
    table (slots, n) : what the unknown value of a slot adds to the distance to each row
    """
    indptr, features, slots = entries
    for t in range(indptr[i], indptr[i + 1]):
        w = weights[features[t]]
        row = table[slots[t]]
        for j in range(len(out)):
            out[j] += w * row[j]
    if both:
        for j in range(len(out)):
            for t in range(indptr[j], indptr[j + 1]):
                out[j] += weights[features[t]] * table[slots[t], i]
