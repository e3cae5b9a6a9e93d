"""Sums and means of the excess of diffs over the mean diff of the other features of a pair (ReliefMSS).

`run.py` and `methods/relief_family.py` use them for ReliefMSS. With p features and the distance d of a pair,

    max(0, diff - (d - diff) / (p - 1)) = p / (p - 1) * max(0, diff - d / p)

So the limit d / p is one number for a pair, and features are looked at once. Where missing values are ignored, p is the
number of features that both rows have.
"""

from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

from ...kernels.diff import diff, put_diffs
from ...kernels.jit import kernel
from .features import Features
from .lists import Neighbours
from .missing import MissingEntries
from .pair_sums import LimitedPairs
from .row_means import DIFF, RowMeans
from .sums import CorrectedSpan, Sums, WeighedPairs


def limits(neighbours: Neighbours, p: int) -> np.ndarray:
    """Mean diffs (b, G, k) of the pairs of lists over all p features; 0 where there is a single one."""
    return np.where(neighbours.cols >= 0, neighbours.distances, 0) / p if p > 1 else np.zeros(neighbours.cols.shape)


class ExcessSums(Sums):
    """Sums over pairs of weight times the excess of a diff over a limit of the pair."""

    def __init__(self, features: Features):
        self.features = features

    def zeros(self) -> np.ndarray:
        return np.zeros(self.features.shape[1] if self.features.is_sparse else self.features.n_padded_columns)

    def add(self, pairs: WeighedPairs, out: np.ndarray, part: CorrectedSpan | None = None) -> None:
        """Add the weighted excess of `LimitedPairs` to `out`; part: features that are summed now, None: all."""
        f = self.features
        span, missing = part or ((0, len(out)), f.missing)
        listed, limits = cast("LimitedPairs", pairs)
        p = f.shape[1]
        scaled_weights = listed.weights[:, 0] * (p / (p - 1) if p > 1 else 1.0)
        limited = WeightedLimits(listed.rows, listed.starts, listed.cols, scaled_weights, limits)
        entries = MissingEntries.of(missing, f.values.dtype)
        if f.is_sparse:
            X = cast("sparse.csr_array", f.values)
            _add_sparse_pairs(X.indptr, X.indices, X.data, f.n_numeric, f.diff.shape, entries, limited, out)
        else:
            _add_dense_pairs(f.values, span, f.n_numeric, f.diff.shape, entries, limited, out)


class WeightedLimits(NamedTuple):
    """Pairs of one target, as kernels read them.

    Attributes
    ----------
    rows, starts, cols : int arrays
        As of `PairList`.
    weights, limits : (q,) arrays
        Weight of each pair, with the factor p / (p - 1), and the limit of its diffs.
    """

    rows: np.ndarray
    starts: np.ndarray
    cols: np.ndarray
    weights: np.ndarray
    limits: np.ndarray


class ExcessMeans(RowMeans):
    """Weighted means, row by row, of the excess of diffs over the limit of a pair, for pairs that have a feature."""

    def diffs(self, neighbours: Neighbours) -> np.ndarray:
        f = self.features
        p = np.full(neighbours.cols.shape, float(f.shape[1]))
        if f.missing and f.missing.ignore:
            p = f.missing.count_shared(neighbours.rows, neighbours.cols)
        scaled_weights = neighbours.shares * np.where(p > 1, p / np.maximum(p - 1, 1), 1)
        limits_of_pairs = np.where(p > 1, limits(neighbours, f.shape[1]), 0)
        sums: np.ndarray = self._run(neighbours, scaled_weights, True, limits_of_pairs)
        means: np.ndarray = sums[DIFF]
        return means


@kernel
def _add_dense_pairs(X, span, n_numeric, shape, entries, pairs, out):
    """Add to out[f] the sum over pairs of weight * max(0, diff_f - limit), for the features of a span.

    X : (n, at least n_padded_columns), of which the first n_numeric columns are numbers
    span : first and last feature
    shape : `Diff.shape`
    entries : MissingEntries
    pairs : WeightedLimits
    out : (n_padded_columns,)
    """
    first, last = span
    diffs = np.empty(last - first, X.dtype)
    total = out[first:last]
    n_numbers = min(max(n_numeric, first), last) - first
    for b in range(len(pairs.rows)):
        i = pairs.rows[b]
        x = X[i, first:last]
        for q in range(pairs.starts[b], pairs.starts[b + 1]):
            j = pairs.cols[q]
            w = pairs.weights[q]
            limit = diffs.dtype.type(pairs.limits[q])
            put_diffs(x, X[j, first:last], n_numbers, shape, diffs)
            if len(entries.slots):
                _correct_diffs(entries, i, j, first, diffs)
            for f in range(len(diffs)):
                excess = diffs[f] - limit
                total[f] += w * (excess if excess > 0 else 0.0)


@kernel
def _add_sparse_pairs(indptr, indices, data, n_numeric, shape, entries, pairs, out):
    """Add the same sums of CSR rows to out (p,).

    Features that neither row of a pair has do not differ, so that only the others are looked at.
    """
    x = np.zeros(len(out))
    diffs = np.zeros(len(out))
    zero = 0.0
    for b in range(len(pairs.rows)):
        i = pairs.rows[b]
        begin = indptr[i]
        end = indptr[i + 1]
        for t in range(begin, end):
            x[indices[t]] = data[t]
        for q in range(pairs.starts[b], pairs.starts[b + 1]):
            j = pairs.cols[q]
            w = pairs.weights[q]
            limit = pairs.limits[q]
            for t in range(begin, end):
                diffs[indices[t]] = diff(float(data[t]), zero, indices[t] < n_numeric, shape)
            for t in range(indptr[j], indptr[j + 1]):
                diffs[indices[t]] = diff(x[indices[t]], float(data[t]), indices[t] < n_numeric, shape)
            if len(entries.slots):
                _correct_diffs(entries, i, j, 0, diffs)
            _move_excess(indices[begin:end], diffs, w, limit, out)
            _move_excess(indices[indptr[j] : indptr[j + 1]], diffs, w, limit, out)
        for t in range(begin, end):
            x[indices[t]] = 0


@kernel
def _correct_diffs(entries, i, j, first, diffs):
    """Add the corrections of what rows i and j lack to their diffs, of the features from `first` on."""
    for t in range(entries.indptr[i], entries.indptr[i + 1]):
        diffs[entries.features[t] - first] += entries.table[entries.slots[t], j]
    for t in range(entries.indptr[j], entries.indptr[j + 1]):
        diffs[entries.features[t] - first] += entries.table[entries.slots[t], i]


@kernel
def _move_excess(features, diffs, w, limit, out):
    """Add w * max(0, diff - limit) of some features to `out`; their diffs are 0 then, so that they count once."""
    for t in range(len(features)):
        excess = diffs[features[t]] - limit
        out[features[t]] += w * (excess if excess > 0 else 0.0)
        diffs[features[t]] = 0
