"""Sums and means of what diffs are above the mean diff of the other features of a pair (ReliefMSS).

With p features, max(0, diff - (d - diff) / (p - 1)) = p / (p - 1) * max(0, diff - d / p): the limit d / p is one number
for a pair, and features are looked at once.  Where missing values are ignored, p is the number of features that a pair
shares.
"""

from typing import cast

import numpy as np
from scipy import sparse

from ...kernels.diff import diff, put_diffs
from ...kernels.jit import kernel
from .features import Features
from .lists import Neighbours
from .missing import gaps
from .pair_sums import LimitedPairs
from .row_means import DIFF, RowMeans
from .sums import CorrectedSpan, Sums, WeighedPairs


def limits(neighbours: Neighbours, p: int) -> np.ndarray:
    """Mean diffs (b, G, k) of the pairs of lists over all p features; 0 where there is a single one."""
    return np.where(neighbours.cols >= 0, neighbours.distances, 0) / p if p > 1 else np.zeros(neighbours.cols.shape)


class ExcessSums(Sums):
    """Sums over pairs of their weights times what diffs are above a limit of the pair."""

    def __init__(self, features: Features):
        self.features = features

    def zeros(self) -> np.ndarray:
        return np.zeros(self.features.shape[1] if self.features.is_sparse else self.features.padded)

    def add(self, pairs: WeighedPairs, out: np.ndarray, part: CorrectedSpan | None = None) -> None:
        f = self.features
        span, missing = part or ((0, len(out)), f.missing)
        (rows, starts, cols, weights), limits = cast("LimitedPairs", pairs)
        p = f.shape[1]  # the factor of the differences to the limits
        scaled_weights = weights[:, 0] * (p / (p - 1) if p > 1 else 1.0)
        limited = rows, starts, cols, scaled_weights, limits
        how = f.n_numeric, f.diff.shape, gaps(missing, f.values.dtype), limited, out
        if f.is_sparse:
            X = cast("sparse.csr_array", f.values)
            _sparse_pairs((X.indptr, X.indices, X.data), *how)
        else:
            _pairs(f.values, span, *how)


class ExcessMeans(RowMeans):
    """Weighted means row by row of what diffs are above the limit of a pair, over the pairs that have a feature."""

    def diffs(self, neighbours: Neighbours) -> np.ndarray:
        f = self.features
        p = np.full(neighbours.cols.shape, float(f.shape[1]))
        if f.missing and f.missing.ignore:
            p = f.missing.shared(neighbours.rows, neighbours.cols)
        scaled = neighbours.shares * np.where(p > 1, p / np.maximum(p - 1, 1), 1)
        found: np.ndarray = self._run(neighbours, scaled, True, np.where(p > 1, limits(neighbours, f.shape[1]), 0))[
            DIFF
        ]
        return found


@kernel
def _pairs(X, span, n_numeric, shape, gaps, pairs, out):
    """Dense rows; gaps: what corrects missing values, (indptr, features, slots, table)."""
    (first, last), (indptr, features, slots, table) = span, gaps
    rows, row_starts, cols, weights, limits = pairs
    diffs, total = np.empty(last - first, X.dtype), out[first:last]
    cut = min(max(n_numeric, first), last) - first
    for b in range(len(rows)):
        i = rows[b]
        x = X[i, first:last]
        for q in range(row_starts[b], row_starts[b + 1]):
            j, w, limit = cols[q], weights[q], diffs.dtype.type(limits[q])
            put_diffs(x, X[j, first:last], cut, shape, diffs)
            if len(slots):
                for t in range(indptr[i], indptr[i + 1]):
                    diffs[features[t] - first] += table[slots[t], j]
                for t in range(indptr[j], indptr[j + 1]):
                    diffs[features[t] - first] += table[slots[t], i]
            for f in range(len(diffs)):
                beyond = diffs[f] - limit
                total[f] += w * (beyond if beyond > 0 else 0.0)


@kernel
def _sparse_pairs(entries, n_numeric, shape, gaps, pairs, out):
    """CSR rows: features that neither row of a pair has do not differ, so that only the others are looked at."""
    (indptr, indices, data), (rows, row_starts, cols, weights, limits), (starts, features, slots, table) = (
        entries,
        pairs,
        gaps,
    )
    x, diffs, none = np.zeros(len(out)), np.zeros(len(out)), 0.0
    for b in range(len(rows)):
        i = rows[b]
        mine = slice(indptr[i], indptr[i + 1])
        for t in range(mine.start, mine.stop):
            x[indices[t]] = data[t]
        for q in range(row_starts[b], row_starts[b + 1]):
            j, w, limit = cols[q], weights[q], limits[q]
            for t in range(mine.start, mine.stop):
                diffs[indices[t]] = diff(float(data[t]), none, indices[t] < n_numeric, shape)
            for t in range(indptr[j], indptr[j + 1]):
                diffs[indices[t]] = diff(x[indices[t]], float(data[t]), indices[t] < n_numeric, shape)
            if len(slots):
                for t in range(starts[i], starts[i + 1]):
                    diffs[features[t]] += table[slots[t], j]
                for t in range(starts[j], starts[j + 1]):
                    diffs[features[t]] += table[slots[t], i]
            _add_beyond(indices[mine], diffs, w, limit, out)
            _add_beyond(indices[indptr[j] : indptr[j + 1]], diffs, w, limit, out)
        for t in range(mine.start, mine.stop):
            x[indices[t]] = 0


@kernel
def _add_beyond(there, diffs, w, limit, out):
    """Diffs of some features beyond the limit, added to `out`; they are 0 then, so that they count once."""
    for t in range(len(there)):
        beyond = diffs[there[t]] - limit
        out[there[t]] += w * (beyond if beyond > 0 else 0.0)
        diffs[there[t]] = 0
