"""Weighted sums of diffs of each row to each group of its neighbours, as columns of a matrix (features, sums).

`standard_errors.py` reads how much each row adds to the scores, and `core/learned/margins.py` by how much the misses of
a row differ from its hits.  With weights w of the neighbours j in group g of row i, a column is

    sum over j in g of w_j * diff_f(i, j)  -  the same sum over the group of hits

Sparse neighbours are summed eight at a time, so that the sums of the features are loaded and stored once for eight.
"""

from typing import cast

import numpy as np
from scipy import sparse

from ...kernels.diff import add_diffs
from ...kernels.jit import kernel
from .features import Features
from .missing import MissingEntries
from .pair_sums import PairList, sums_of_parts

ROWS_AT_ONCE = 16  # whose sums are written side by side: whole cache lines of each feature
SUMS_AT_ONCE = 2**17  # numbers, 1 MiB, that are summed before they are written
EIGHT = 8  # neighbours that are summed at a time


def sums_by_row(features: Features, lists: tuple[np.ndarray, ...], hit_groups: np.ndarray, out: np.ndarray) -> None:
    """Fill `out` with one column for each row and each of its groups but the hits, in this order.

    Parameters
    ----------
    features : Features
    lists : rows (b,), cols and weights (b, G, k)
        Lists of neighbours, with -1 where there is nobody.
    hit_groups : (b,) int array
        Group of the hits of each row, whose sum is taken from those of the other groups; negative: none is.
    out : (p or more, R) array
        Sums; zeros if rows are sparse.  0 where hits are to be taken away but the row has none.
    """
    n_numeric = features.n_numeric
    shape = features.diff.shape
    if not features.shape[1]:
        return
    if features.is_sparse:
        X = cast("sparse.csr_array", features.values)
        sparse_sums_by_row((X.indptr, X.indices, X.data), n_numeric, shape, lists, hit_groups, out)
    else:
        _dense_sums_by_row(features, lists, hit_groups, out)


def _dense_sums_by_row(
    features: Features, lists: tuple[np.ndarray, ...], hit_groups: np.ndarray, out: np.ndarray
) -> None:
    """Form of `sums_by_row` for dense rows: each group of a row is a part of a list of pairs."""
    rows, cols, weights = lists
    n_groups = cols.shape[1]
    out = out[: features.shape[1]]
    entries = MissingEntries.of(features.missing, features.values.dtype)
    step = max(SUMS_AT_ONCE // max(n_groups * features.n_padded_columns, 1), 1)
    column = 0
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        rows_of_groups = np.repeat(rows[block], n_groups)
        shape = len(rows_of_groups), -1
        weights_of_groups = [weights[block].reshape(shape)]
        pairs = PairList.of_lists(rows_of_groups, cols[block].reshape(shape), weights_of_groups, features.values.dtype)
        sums = sums_of_parts(features, pairs, np.arange(len(rows_of_groups) + 1))
        if features.missing:
            _add_corrections(entries, pairs.rows, pairs.starts, pairs.cols, pairs.weights[:, 0], sums)
        has_pairs = (np.diff(pairs.starts) > 0).reshape(-1, n_groups)
        by_group = sums.reshape(-1, n_groups, features.n_padded_columns)
        column = _put_differences(by_group, has_pairs, hit_groups[block], column, out)


@kernel
def sparse_sums_by_row(entries, n_numeric, shape, lists, hit_groups, out):
    """Form of `sums_by_row` for CSR rows without missing values, entries (indptr, indices, data); out is zeros before.

    Only the features that a row or any of its neighbours has are looked at: they are unpacked to dense rows, the
    neighbours eight at a time, and summed as those are.
    """
    indptr, indices, data = entries
    rows, cols, weights = lists
    n_groups, k = cols.shape[1:]
    p = len(out)
    width = (p + EIGHT - 1) // EIGHT * EIGHT
    position = np.full(p, -1)  # of each feature among those of the row and its neighbours
    present = np.empty(p, np.int64)  # these features
    sums = np.empty((n_groups, width), data.dtype)
    column = np.empty(width, data.dtype)
    unpacked = np.zeros((EIGHT + 1, width), data.dtype)  # eight neighbours, and the row itself as the last
    weights_of_eight = np.zeros(EIGHT, data.dtype)
    neighbours = np.empty(k + EIGHT, np.int64)
    w = np.empty(k + EIGHT, data.dtype)
    r = 0
    for b in range(len(rows)):
        i = rows[b]
        n_present = _union(indptr, indices, i, cols[b], position, present)
        if n_present == 0:
            r += n_groups - (hit_groups[b] >= 0)
            continue
        n_numbers = np.searchsorted(present[:n_present], n_numeric)
        padded = (n_present + EIGHT - 1) // EIGHT * EIGHT

        # Sums of all groups, over these features
        sums[:, :padded] = 0
        n_hits = 0
        _unpack(indptr, indices, data, i, position, unpacked[EIGHT, :padded])
        for g in range(n_groups):
            count = 0
            for q in range(k):
                neighbours[count] = cols[b, g, q]
                w[count] = weights[b, g, q]
                count += (cols[b, g, q] >= 0) & (weights[b, g, q] != 0)
            neighbours[count : count + EIGHT] = i
            w[count : count + EIGHT] = 0
            n_hits += count if g == hit_groups[b] else 0
            for q in range(0, count, EIGHT):
                stored = indptr[i + 1] - indptr[i]
                for s in range(q, q + EIGHT):
                    stored += indptr[neighbours[s] + 1] - indptr[neighbours[s]]
                if stored > 0:
                    for s in range(EIGHT):
                        _unpack(indptr, indices, data, neighbours[q + s], position, unpacked[s, :padded])
                        weights_of_eight[s] = w[q + s]
                    _add_eight(unpacked[:, :padded], weights_of_eight, n_numbers, shape, sums[g, :padded])

        # Less those of the hits
        has_none = hit_groups[b] < 0
        sums_of_hits = sums[max(hit_groups[b], 0), :n_present]
        for g in range(n_groups):
            if g != hit_groups[b]:
                _subtract_hits(sums[g, :n_present], sums_of_hits, has_none, n_hits > 0, column[:n_present])
                for f in range(n_present):
                    out[present[f], r] = column[f]
                r += 1
        position[present[:n_present]] = -1


@kernel
def _add_eight(rows, w, n_numbers, shape, total):
    """Add sum over q < 8 of w_q diff(rows_8, rows_q) to total (c,), for plain diffs in one sweep over the features.

    rows (9, c): eight neighbours and the row itself, the first `n_numbers` features numeric.
    """
    x = rows[EIGHT]
    if shape is not None:
        for q in range(EIGHT):
            add_diffs(x, rows[q], w[q], n_numbers, shape, total)
        return
    y0, y1, y2, y3, y4, y5, y6, y7 = rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7]
    w0, w1, w2, w3, w4, w5, w6, w7 = w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
    for f in range(n_numbers):
        total[f] += (
            (w0 * abs(x[f] - y0[f]) + w1 * abs(x[f] - y1[f])) + (w2 * abs(x[f] - y2[f]) + w3 * abs(x[f] - y3[f]))
        ) + ((w4 * abs(x[f] - y4[f]) + w5 * abs(x[f] - y5[f])) + (w6 * abs(x[f] - y6[f]) + w7 * abs(x[f] - y7[f])))
    for f in range(n_numbers, len(total)):
        total[f] += ((w0 * (x[f] != y0[f]) + w1 * (x[f] != y1[f])) + (w2 * (x[f] != y2[f]) + w3 * (x[f] != y3[f]))) + (
            (w4 * (x[f] != y4[f]) + w5 * (x[f] != y5[f])) + (w6 * (x[f] != y6[f]) + w7 * (x[f] != y7[f]))
        )


@kernel
def _union(indptr, indices, i, cols, position, present):
    """List the features that CSR row i or any of the rows cols (G, k) has, ascending in `present`.

    position (p,) : -1 everywhere before; the place of each of these features in `present` after.
    Returns how many there are.
    """
    k = cols.shape[1]
    n_present = 0
    for q in range(-1, cols.size):
        j = i if q < 0 else cols[q // k, q % k]
        if j >= 0:
            for t in range(indptr[j], indptr[j + 1]):
                if position[indices[t]] < 0:
                    position[indices[t]] = 0
                    present[n_present] = indices[t]
                    n_present += 1
    present[:n_present] = np.sort(present[:n_present])
    position[present[:n_present]] = np.arange(n_present)
    return n_present


@kernel
def _unpack(indptr, indices, data, i, position, out):
    """Unpack a CSR row: its features at their positions, zeros elsewhere."""
    out[:] = 0
    for t in range(indptr[i], indptr[i + 1]):
        out[position[indices[t]]] = data[t]


@kernel
def _subtract_hits(total, hits, has_none, has_hits, out):
    """Set `out` to the sums of a group less those of the hits.

    has_none : True if there is no group of hits, so that nothing is taken away.
    has_hits : False if that group has no neighbours: then the result is 0.
    """
    if has_none:
        out[:] = total
    elif has_hits:
        for f in range(len(out)):
            out[f] = total[f] - hits[f]
    else:
        out[:] = 0


@kernel
def _put_differences(sums, has_pairs, hit_groups, column, out):
    """Write the sums of each group of each row but its hits, less those of the hits, to columns of out (p, R).

    Some rows and features at a time, whole cache lines of both arrays: single numbers in as many lines would drive each
    other out of the cache.

    sums (b, G, >= p), has_pairs (b, G): sums of groups, and whether these have neighbours.
    hit_groups (b,): groups of the hits, whose sums are taken away; negative: nothing is.  A row without hits gets 0.
    column: first column to write; returns the next one.
    """
    p = len(out)
    n_rows, n_groups = has_pairs.shape
    next_column = column
    for b0 in range(0, n_rows, ROWS_AT_ONCE):
        b1 = min(b0 + ROWS_AT_ONCE, n_rows)
        for f0 in range(0, p, EIGHT):
            for f in range(f0, min(f0 + EIGHT, p)):
                next_column = column
                for b in range(b0, b1):
                    hits = hit_groups[b]
                    for g in range(n_groups):
                        if hits < 0:
                            out[f, next_column] = sums[b, g, f]
                            next_column += 1
                        elif g != hits:
                            out[f, next_column] = sums[b, g, f] - sums[b, hits, f] if has_pairs[b, hits] else 0.0
                            next_column += 1
        column = next_column
    return column


@kernel
def _add_corrections(entries, rows, starts, cols, weights, sums):
    """Add the weighted corrections of the missing values of both rows of listed pairs to sums (b, >= p).

    entries : `MissingEntries`
    rows, starts, cols, weights : as in `PairList`, weights (q,); the pairs of each entry of rows have their own sums.
    """
    indptr, features, slots, table = entries
    for b in range(len(rows)):
        i = rows[b]
        total = sums[b]
        for q in range(starts[b], starts[b + 1]):
            j = cols[q]
            for t in range(indptr[i], indptr[i + 1]):
                total[features[t]] += weights[q] * table[slots[t], j]
            for t in range(indptr[j], indptr[j + 1]):
                total[features[t]] += weights[q] * table[slots[t], i]
