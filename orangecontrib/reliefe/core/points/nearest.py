"""Searches for nearest rows among rows that have coordinates.

    nearest      all rows, exactly, in memory O(rows): explicit differences, so that equal rows have distance 0
    nearest_of   some rows to others, by distances that the caller computes, a block at a time: products of matrices

Relief's own search goes over tiles of distances of features, which are no coordinates, for groups and weights at once:
it stays with Relief.
"""

from collections.abc import Callable
from typing import cast

import numpy as np
from scipy import sparse

from ..kernels.insert import insert
from ..kernels.jit import kernel
from ..work.threads import Work

DIFFERENCES_PER_LOOK = 1 << 26  # differences between two looks at whether to stop
SAFE = 200  # squares of numbers between 2^-SAFE and 2^SAFE can be added up
HELD_DISTANCES = 1 << 22  # distances of pairs that are held at once
LANES = 8  # sparse rows that are compared with one row at once
CLOSE_SHARE = 1e-3  # squared distances below this share of the squared lengths are computed again, without cancellation


def nearest(X: np.ndarray | sparse.csr_array, k: int, work: Work) -> tuple[np.ndarray, np.ndarray]:
    """The k nearest other rows of every row, but for those at distance 0: distances, up to a common factor, and rows.

    X (n, p): float64 in C order, or canonical CSR without stored zeros.  Both results are (n, k), ascending; where
    there are fewer than k, the distance is infinite and the row -1.
    """
    n, p = X.shape
    values: np.ndarray = cast("sparse.csr_array", X).data if sparse.issparse(X) else X
    exponent = np.frexp(max(values.max(initial=0.0), -values.min(initial=0.0)))[1]
    if abs(exponent) > SAFE:
        values = np.ldexp(values, -exponent)
    near, who = np.full((n, k), np.inf), np.full((n, k), -1)
    if sparse.issparse(X):
        step, whole, dots = LANES, np.zeros((p, LANES)), np.zeros(LANES)
        lengths = np.bincount(np.repeat(np.arange(n), np.diff(cast("sparse.csr_array", X).indptr)), values * values, n)
    else:
        step = int(np.clip(DIFFERENCES_PER_LOOK / max(n * p, 1), 1, 64))
    work.plan(n * (n - 1) / 2)
    for first in range(0, n, step):
        stop = min(first + step, n)
        if sparse.issparse(X):
            stored = cast("sparse.csr_array", X)
            _sparse(values, stored.indices, stored.indptr, first, stop, whole, dots, lengths, near, who)
        else:
            _dense(values, first, stop, near, who)
        work.tick((stop - first) * (n - (first + stop) / 2 - 0.5))
    return np.sqrt(near), who


def nearest_of(
    distances: Callable[[slice], np.ndarray],
    shape: tuple[int, int],
    k: int = 1,
    last: bool = False,
    held: int = HELD_DISTANCES,
) -> np.ndarray:
    """The k nearest columns of each row, by any distances."""
    m, n = shape
    out, step = np.empty((m, k), np.intp), max(held // n, 1)
    for start in range(0, m, step):
        block = slice(start, min(start + step, m))
        d = distances(block)
        if last:
            out[block, 0] = n - 1 - d[:, ::-1].argmin(axis=1)
        else:
            out[block] = smallest(d, k)
    return out


def smallest(d: np.ndarray, k: int) -> np.ndarray:
    """(m, k) columns of the least values of every row of d (m, n), ascending; ties go to the lower column."""
    if k == 1:
        return cast("np.ndarray", d.argmin(axis=1)[:, None])
    near = np.argpartition(d, k - 1, axis=1)[:, :k]
    last = np.take_along_axis(d, near, 1).max(axis=1)
    tied = np.flatnonzero(np.count_nonzero(d <= last[:, None], axis=1) > k)
    near[tied] = np.argsort(d[tied], axis=1, kind="stable")[:, :k]
    near.sort(axis=1)
    order = np.argsort(np.take_along_axis(d, near, 1), axis=1, kind="stable")
    return np.take_along_axis(near, order, 1)


@kernel
def _dense(X, first, stop, near, who):
    """Rows first...stop with all rows after them: squared distances."""
    n, p = X.shape
    for j in range(first + 1, n):
        y = X[j]
        for i in range(first, min(stop, j)):
            x, total = X[i], 0.0
            for f in range(p):
                d = x[f] - y[f]
                total += d * d
            if total > 0:
                insert(total, j, near[i], who[i], None)
                insert(total, i, near[j], who[j], None)


@kernel
def _sparse(data, indices, indptr, first, stop, whole, dots, lengths, near, who):
    """The same for CSR: |x - y|^2 = |x|^2 + |y|^2 - 2 xy, unless that is small.

    `whole` (p, LANES), zeros, holds the rows first...stop as columns in the meantime.
    """
    for i in range(first, stop):
        for t in range(indptr[i], indptr[i + 1]):
            whole[indices[t], i - first] = data[t]
    for j in range(first + 1, len(indptr) - 1):
        dots[:] = 0
        for t in range(indptr[j], indptr[j + 1]):
            x, y = whole[indices[t]], data[t]
            for lane in range(LANES):
                dots[lane] += x[lane] * y
        for i in range(first, min(stop, j)):
            lengths_of_both = lengths[i] + lengths[j]
            total = lengths_of_both - 2 * dots[i - first]
            if total <= CLOSE_SHARE * lengths_of_both:
                total = _merged(data, indices, indptr[i], indptr[i + 1], indptr[j], indptr[j + 1])
            if total > 0:
                insert(total, j, near[i], who[i], None)
                insert(total, i, near[j], who[j], None)
    for i in range(first, stop):
        for t in range(indptr[i], indptr[i + 1]):
            whole[indices[t], i - first] = 0


@kernel
def _merged(data, indices, s, s_end, t, t_end):
    """Squared distance of two rows of sorted entries, by explicit differences."""
    total = 0.0
    while s < s_end or t < t_end:
        if t == t_end or (s < s_end and indices[s] < indices[t]):
            d = data[s]
            s += 1
        elif s == s_end or indices[t] < indices[s]:
            d = data[t]
            t += 1
        else:
            d = data[s] - data[t]
            s += 1
            t += 1
        total += d * d
    return total
