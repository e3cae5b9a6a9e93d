"""Weighted sums of diffs of each row to each group of its neighbours, as columns of a matrix (features, sums).

`standard_errors.py` reads how much each row adds to the scores, and `core/learned/margins.py` by how much the misses of
a row differ from its hits.  With weights w of the neighbours j in group g of row i, a column is

    sum over j in g of w_j * diff_f(i, j)  -  the same sum over the group of hits

Eight neighbours are summed at a time, so that the sums of the features are loaded and stored once for eight.
"""

from typing import cast

import numpy as np
from scipy import sparse

from ...kernels.diff import add_diffs
from ...kernels.jit import kernel
from .features import Features
from .missing import MissingEntries

ROWS_AT_ONCE = 16  # sums that are written side by side: whole cache lines of each feature
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
    out : (p, R) array
        Sums; zeros if rows are sparse.  0 where hits are to be taken away but the row has none.
    """
    n_numeric = features.n_numeric
    shape = features.diff.shape
    if features.is_sparse:
        X = cast("sparse.csr_array", features.values)
        sparse_sums_by_row((X.indptr, X.indices, X.data), n_numeric, shape, lists, hit_groups, out)
    else:
        entries = MissingEntries.of(features.missing, out.dtype)
        dense_sums_by_row(features.values, n_numeric, shape, entries, lists, hit_groups, out)


@kernel
def dense_sums_by_row(X, n_numeric, shape, gaps, lists, hit_groups, out):
    """Form of `sums_by_row` for dense rows; gaps: what corrects missing values, (indptr, features, slots, table)."""
    rows, cols, weights = lists
    n_groups, k = cols.shape[1:]
    p = len(out)
    cut = min(n_numeric, p)
    sums = np.empty((n_groups, p), X.dtype)
    neighbours = np.empty(k + EIGHT, np.int64)
    w = np.empty(k + EIGHT, X.dtype)
    columns = np.empty((ROWS_AT_ONCE, p), X.dtype)  # of `out` that are not written yet
    r = 0
    for b in range(len(rows)):
        # Sums of all groups
        sums[:] = 0
        n_hits = 0
        for g in range(n_groups):
            m = np.int64(0)
            for q in range(k):
                neighbours[m] = cols[b, g, q]
                w[m] = weights[b, g, q]
                m += (cols[b, g, q] >= 0) & (weights[b, g, q] != 0)
            _add_neighbours(X, rows[b], neighbours, w, m, (0, p), cut, shape, sums[g])
            if len(gaps[1]):
                _add_corrections(gaps, rows[b], neighbours, w, m, sums[g])
            n_hits += m if g == hit_groups[b] else 0

        # Less those of the hits
        has_none = hit_groups[b] < 0
        sums_of_hits = sums[max(hit_groups[b], 0)]
        for g in range(n_groups):
            if g != hit_groups[b]:
                _subtract_hits(sums[g], sums_of_hits, has_none, n_hits > 0, columns[r % ROWS_AT_ONCE])
                r += 1
                if r % ROWS_AT_ONCE == 0:
                    _put_columns(columns, out[:, r - ROWS_AT_ONCE : r])
    _put_columns(columns[: r % ROWS_AT_ONCE], out[:, r - r % ROWS_AT_ONCE : r])


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
    numbers = np.arange(2 * EIGHT)  # of the unpacked neighbours
    weights_of_eight = np.zeros(2 * EIGHT, data.dtype)
    neighbours = np.empty(k + EIGHT, np.int64)
    w = np.empty(k + EIGHT, data.dtype)
    r = 0
    for b in range(len(rows)):
        i = rows[b]
        n_present = _union(indptr, indices, i, cols[b], position, present)
        if n_present == 0:
            r += n_groups - (hit_groups[b] >= 0)
            continue
        cut = np.searchsorted(present[:n_present], n_numeric)
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
                        numbers[s] = s
                        weights_of_eight[s] = w[q + s]
                    _add_neighbours(
                        unpacked, EIGHT, numbers, weights_of_eight, EIGHT, (0, padded), cut, shape, sums[g, :padded]
                    )

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
def _add_neighbours(X, i, neighbours, w, m, span, cut, shape, total):
    """Add sum over q < m of w_q diff(i, neighbours_q) to total, for the features of a span (first, last).

    Plain diffs are added for eight neighbours at a time, those with a ramp or squares for one.  The first `cut`
    features are numeric.  neighbours and w have room for 8 more than m, which is filled with row i and weights of 0.
    """
    first, last = span
    x = X[i, first:last]
    if shape is not None:
        for q in range(m):
            add_diffs(x, X[neighbours[q], first:last], w[q], cut, shape, total)
        return
    neighbours[m : m + EIGHT] = i
    w[m : m + EIGHT] = 0
    for q in range(0, m, EIGHT):
        y0 = X[neighbours[q], first:last]
        y1 = X[neighbours[q + 1], first:last]
        y2 = X[neighbours[q + 2], first:last]
        y3 = X[neighbours[q + 3], first:last]
        y4 = X[neighbours[q + 4], first:last]
        y5 = X[neighbours[q + 5], first:last]
        y6 = X[neighbours[q + 6], first:last]
        y7 = X[neighbours[q + 7], first:last]
        w0 = w[q]
        w1 = w[q + 1]
        w2 = w[q + 2]
        w3 = w[q + 3]
        w4 = w[q + 4]
        w5 = w[q + 5]
        w6 = w[q + 6]
        w7 = w[q + 7]
        for f in range(cut):
            total[f] += (
                (w0 * abs(x[f] - y0[f]) + w1 * abs(x[f] - y1[f])) + (w2 * abs(x[f] - y2[f]) + w3 * abs(x[f] - y3[f]))
            ) + ((w4 * abs(x[f] - y4[f]) + w5 * abs(x[f] - y5[f])) + (w6 * abs(x[f] - y6[f]) + w7 * abs(x[f] - y7[f])))
        if X.itemsize == 4:
            eight = slice(q, q + EIGHT)
            _add_nominal(X, i, neighbours[eight], w[eight], (first + cut, last), total[cut:])
            continue
        for f in range(cut, len(total)):
            total[f] += (
                (w0 * (x[f] != y0[f]) + w1 * (x[f] != y1[f])) + (w2 * (x[f] != y2[f]) + w3 * (x[f] != y3[f]))
            ) + ((w4 * (x[f] != y4[f]) + w5 * (x[f] != y5[f])) + (w6 * (x[f] != y6[f]) + w7 * (x[f] != y7[f])))


@kernel
def _add_nominal(X, i, neighbours, w, span, total):
    """Add the weights of eight neighbours in the nominal features in which row i differs from them.

    Values are in single precision, and sums of weights in double.
    """
    first, last = span
    zero = 0.0
    x = X[i, first:last]
    y0 = X[neighbours[0], first:last]
    y1 = X[neighbours[1], first:last]
    y2 = X[neighbours[2], first:last]
    y3 = X[neighbours[3], first:last]
    y4 = X[neighbours[4], first:last]
    y5 = X[neighbours[5], first:last]
    y6 = X[neighbours[6], first:last]
    y7 = X[neighbours[7], first:last]
    w0 = float(w[0])
    w1 = float(w[1])
    w2 = float(w[2])
    w3 = float(w[3])
    w4 = float(w[4])
    w5 = float(w[5])
    w6 = float(w[6])
    w7 = float(w[7])
    for f in range(len(total)):
        v = x[f]
        added = (w0 if v != y0[f] else zero) + (w1 if v != y1[f] else zero)
        added += (w2 if v != y2[f] else zero) + (w3 if v != y3[f] else zero)
        added += (w4 if v != y4[f] else zero) + (w5 if v != y5[f] else zero)
        total[f] += added + ((w6 if v != y6[f] else zero) + (w7 if v != y7[f] else zero))


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
    for f in range(len(out)):
        out[f] = total[f] if has_none else total[f] - hits[f] if has_hits else out.dtype.type(0)


@kernel
def _put_columns(columns, out):
    """Write rows of sums as columns, whole cache lines of each feature at a time.

    Single numbers in as many lines would drive each other out of the cache.
    """
    for f in range(len(out)):
        for s in range(len(columns)):
            out[f, s] = columns[s, f]


@kernel
def _add_corrections(gaps, i, neighbours, w, m, total):
    """Add weighted corrections for the missing values of both rows of m pairs to `total`."""
    indptr, features, slots, table = gaps
    for q in range(m):
        j = neighbours[q]
        for t in range(indptr[i], indptr[i + 1]):
            total[features[t]] += w[q] * table[slots[t], j]
        for t in range(indptr[j], indptr[j + 1]):
            total[features[t]] += w[q] * table[slots[t], i]
