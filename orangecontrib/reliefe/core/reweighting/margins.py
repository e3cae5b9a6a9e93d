"""Margins of single rows under a weighted distance: mean diffs to misses less those to hits."""

from dataclasses import replace
from typing import cast

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

FEATURES_AT_ONCE = 512  # summed in the precision of the data before the sum is added to the others


class Rows:
    """Margins of single rows; each costs one pass over all data for its distances, and one for the margin."""

    def __init__(self, run: Run):
        self.run, self.features = run, run.features
        if run.features.missing is not None and not run.features.missing.kept:
            self.features = replace(run.features, missing=_whole(run.features.missing))
        self._sums = run.sums if self.features is run.features else sums_for(self.features, run.distance)
        self._cols = np.arange(run.n)

    def margin(self, i: int, weights: np.ndarray, width: float) -> tuple[np.ndarray, float]:
        """Margin (p,) of row i by exp(-d / width), and the probability that it is no outlier."""
        run, d = self.run, self.distances(i, weights)
        hits = run.groups == run.groups[i]
        misses = ~hits
        hits[i] = False
        shares, logs = np.zeros((2, run.n)), np.full(2, -np.inf)
        for kind, mask in enumerate((hits, misses)):
            if mask.any():
                nearest = d[mask].min()
                f = np.exp((nearest - d[mask]) / width)
                total = f.sum()
                shares[kind, mask], logs[kind] = f / total, np.log(total) - nearest / width
        with np.errstate(over="ignore"):
            gamma = float(1 / (1 + np.exp(logs[1] - logs[0]))) if np.isfinite(logs).all() else float(hits.any())
        row = np.array([i])  # mean diffs (p,) to the misses less those to the hits
        if run.means is None:
            pairs = PairList.of_lists(row, self._cols[None], [(shares[1] - shares[0])[None]], self._sums.dtype)
            return self._sums.of_pairs(pairs), gamma
        cols = np.where(shares > 0, self._cols, -1)[None]
        near = Neighbours(row, cols, np.zeros(cols.shape), shares[None])
        found = np.concatenate([np.nan_to_num(means.diffs(near)[0]) for means in run.mean_spans()], axis=1)
        return found[1] - found[0], gamma

    def distances(self, i: int, weights: np.ndarray) -> np.ndarray:
        """Distances (n,) of row i to all rows."""
        f, out = self.features, np.zeros(self.run.n)
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
            whole = weights.sum()
            seen = whole - lacks[i] - lacks + both
            some = seen > MIN_SHARED * whole
            out[:] = np.where(some, out / np.where(some, seen, 1) * whole, whole)
        return out


def _whole(missing: Corrections) -> Corrections:
    """The same with tables that are kept: rows are asked for one by one."""
    made, every = missing.made, np.arange(int(missing.slots.max()) + 1)
    unknown = made.unknown(every) if missing.ignore else None  # type: ignore[union-attr]  # there, as none is kept
    return replace(missing, table=made.table(every), unknown=unknown, far=None, both=None)  # type: ignore[union-attr]


@kernel
def _dense_row(X, i, weights, n_numeric, shape, out):
    """Weighted distances (n,) of row i of dense data, without what missing values add."""
    width = len(weights)
    for j in range(len(X)):
        total = 0.0
        for first in range(0, width, FEATURES_AT_ONCE):
            last = min(first + FEATURES_AT_ONCE, width)
            x, y, w = X[i, first:last], X[j, first:last], weights[first:last]
            cut, part = min(max(n_numeric, first), last) - first, w[0] * 0
            for f in range(cut):
                part += w[f] * shaped(abs(x[f] - y[f]), shape)
            for f in range(cut, len(x)):
                part += w[f] if x[f] != y[f] else w[f] * 0
            total += part
        out[j] = total


@kernel
def _sparse_row(entries, i, weights, n_numeric, shape, out):
    """The same for CSR rows: what row i has alone, and for every entry of another row what that changes."""
    indptr, indices, data = entries
    x, alone, own = np.zeros(len(weights)), np.zeros(len(weights)), 0.0
    for t in range(indptr[i], indptr[i + 1]):
        f = indices[t]
        x[f] = data[t]
        alone[f] = weights[f] * diff(x[f], 0.0, f < n_numeric, shape)
        own += alone[f]
    for j in range(len(out)):
        total = own
        for t in range(indptr[j], indptr[j + 1]):
            f = indices[t]
            total += weights[f] * diff(x[f], float(data[t]), f < n_numeric, shape) - alone[f]
        out[j] = max(total, 0.0)
    out[i] = 0


@kernel
def _add_unknown(entries, table, i, weights, both, out):
    """Additions to distances (n,) by the unknown values of row i, and (both) by those of every other row."""
    indptr, features, slots = entries
    for t in range(indptr[i], indptr[i + 1]):
        w, row = weights[features[t]], table[slots[t]]
        for j in range(len(out)):
            out[j] += w * row[j]
    if both:
        for j in range(len(out)):
            for t in range(indptr[j], indptr[j + 1]):
                out[j] += weights[features[t]] * table[slots[t], i]
