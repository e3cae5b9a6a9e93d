"""Sums of weighted diffs over pairs of sparse rows, of which only shared entries are looked at.

`comparison.sums_for` makes `SparseSums` for tables in CSR. The diffs of a pair (i, j) in a feature f are split in two:

    diff_f(i, j) = [diff(x_i, x_j) - diff(x_i, 0) - diff(x_j, 0)] + diff(x_i, 0) + diff(x_j, 0)

The bracket is 0 unless both rows have an entry of f. The other two depend on one row each, and count as often as the
weights of all its pairs say.
"""

from typing import cast

import numpy as np

from ...kernels.diff import diff
from ...kernels.jit import kernel
from .features import Features
from .pair_sums import PairList, add_corrections
from .sparse_index import InvertedIndex
from .sums import CorrectedSpan, Sums, WeighedPairs, WeightTile


class SparseSums(Sums):
    """Sums over pairs of sparse rows.

    The array that is added to has p sums of features, and after them n totals: the weight of all pairs of each row.
    `finish` adds from these what each row contributes by itself.
    """

    def __init__(self, features: Features, index: InvertedIndex | None = None):
        self.features = features
        self.index = index or InvertedIndex(features)

    def zeros(self) -> np.ndarray:
        """Zeros (p + n,) to add to."""
        return np.zeros(sum(self.features.shape))

    def add(self, pairs: WeighedPairs, out: np.ndarray, part: CorrectedSpan | None = None) -> None:
        """Add sums over pairs to `out` (p + n,): of lists whole diffs, of tiles shared entries and totals of rows.

        part : not used, since these sums are not divided
        """
        f = self.features
        p = f.shape[1]
        if isinstance(pairs, PairList):
            _add_listed_pairs(self.index.rows, f.n_numeric, f.diff.shape, *pairs, out[:p])
            add_corrections(f.missing, pairs, out[None])
            return
        V, (i0, i1, j0, j1) = cast("WeightTile", pairs)
        _add_shared_entries(self.index.rows, self.index.columns, f.n_numeric, f.diff.shape, V, i0, i1, j0, out)
        out[p + i0 : p + i1] += V[: i1 - i0, : j1 - j0].sum(axis=1)
        out[p + j0 : p + j1] += V[: i1 - i0, : j1 - j0].sum(axis=0)
        if f.missing:
            f.missing.tile_sums(V, i0, i1, j0, j1, out)

    def finish(self, out: np.ndarray) -> np.ndarray:
        """Return the scores (p,) from the sums (p + n,) over all tiles."""
        p = self.features.shape[1]
        rows = self.index.rows
        total_of_entry = np.repeat(out[p:], np.diff(rows.indptr))
        return out[:p] + np.bincount(rows.features, weights=total_of_entry * rows.to_zero, minlength=p)


@kernel
def _add_listed_pairs(entries, n_numeric, shape, rows, starts, cols, weights, out):
    """Add weight * diff_f of the pairs of a `PairList` to out[f].

    entries : RowEntries
    n_numeric, shape : number of numeric features, and the shape of their diff
    rows, starts, cols, weights : fields of the `PairList`, whose weights (q, 1) are of one target
    out : (p,)
    """
    indptr = entries.indptr
    features = entries.features
    values = entries.values
    to_zero = entries.to_zero
    # Row i with its zeros, and its diffs to zero
    x = np.zeros(len(out))
    x_to_zero = np.zeros(len(out))
    for b in range(len(rows)):
        i = rows[b]
        total = 0.0
        for t in range(indptr[i], indptr[i + 1]):
            x[features[t]] = values[t]
            x_to_zero[features[t]] = to_zero[t]
        for q in range(starts[b], starts[b + 1]):
            j = cols[q]
            w = weights[q, 0]
            total += w
            for t in range(indptr[j], indptr[j + 1]):
                f = features[t]
                out[f] += w * (diff(x[f], float(values[t]), f < n_numeric, shape) - x_to_zero[f])
        for t in range(indptr[i], indptr[i + 1]):
            f = features[t]
            out[f] += total * to_zero[t]
            x[f] = 0
            x_to_zero[f] = 0


@kernel
def _add_shared_entries(rows, columns, n_numeric, shape, V, i0, i1, j0, out):
    """Add the weighted diffs of the shared entries of a tile, less the diffs of both rows to zero, to out[f].

    out[f] += sum over i < j of V[i - i0, j - j0] * [diff(x_i, x_j) - diff(x_i, 0) - diff(x_j, 0)]

    rows, columns : RowEntries, ColumnEntries
    n_numeric, shape : number of numeric features, and the shape of their diff
    V : (>= i1 - i0, >= n - j0), weights of pairs
    i0, i1, j0 : rows i0 to i1 - 1, and first column of the tile, j0 <= i0 + 1; its last column is row n - 1
    out : (at least p,)
    """
    for i in range(i0, i1):
        for t in range(rows.indptr[i], rows.indptr[i + 1]):
            f = rows.features[t]
            x = rows.values[t]
            x_to_zero = rows.to_zero[t]
            total = 0.0
            for s in range(rows.column_position[t] + 1, columns.indptr[f + 1]):
                shared = diff(x, columns.values[s], f < n_numeric, shape) - x_to_zero - columns.to_zero[s]
                total += V[i - i0, columns.rows[s] - j0] * shared
            out[f] += total
