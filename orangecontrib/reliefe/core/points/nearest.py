"""Searches for nearest rows among rows that have coordinates.

    nearest_of      some rows to others, by distances that the caller computes, a block at a time
    nearest         all rows, each pair once, by explicit differences, and not those at distance 0.  Blocks of products
                    take 3.0 times as long for 3 columns, 1.3 for 200, and .6 for 1,000 (3,000 rows)
    nearest_by_tree all rows in few dimensions: for 20,000 rows 60 times as fast as all pairs in 2, as fast in 10

Relief's own search goes over tiles of distances of features, which are no coordinates, for groups and weights at once:
it stays with Relief.
"""

from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

from ..kernels.insert import insert
from ..kernels.jit import kernel
from ..kernels.selection import BITS_OF
from ..work.threads import Work
from .nearest_lists import list_nearest
from .squared_distances import CLOSE_SHARE, exponent_of, merged_square

DIFFERENCES_PER_LOOK = 1 << 26  # differences between two checks for a stop
HELD_DISTANCES = 1 << 22  # distances of pairs that are held at once
LANES = 8  # sparse rows that are compared with one row at once


class NearestRows(NamedTuple):
    """Nearest rows of each row, ascending by their distance.

    distances (n, k): up to a common factor; infinite where there are fewer than k.
    rows (n, k): their indices; -1 where there are fewer than k.
    """

    distances: np.ndarray
    rows: np.ndarray


def nearest(X: np.ndarray | sparse.csr_array, k: int, work: Work) -> NearestRows:
    """Find the k nearest other rows of each row, leaving out those at distance 0.

    Parameters
    ----------
    X : (n, p) array or CSR
        float64 in C order, or canonical CSR without stored zeros.
    k : int
        Number of nearest rows.
    work : Work
        Progress and stops.
    """
    n, p = X.shape
    values: np.ndarray = cast("sparse.csr_array", X).data if sparse.issparse(X) else X
    exponent = exponent_of(X)
    if exponent:
        values = np.ldexp(values, -exponent)
    squares = np.full((n, k), np.inf)
    ids = np.full((n, k), -1)
    if sparse.issparse(X):
        step = LANES
        lanes = np.zeros((p, LANES))
        dots = np.zeros(LANES)
        row_of_value = np.repeat(np.arange(n), np.diff(cast("sparse.csr_array", X).indptr))
        lengths = np.bincount(row_of_value, values * values, n)
    else:
        step = int(np.clip(DIFFERENCES_PER_LOOK / max(n * p, 1), 1, 64))
    work.plan(n * (n - 1) / 2)
    for first in range(0, n, step):
        stop = min(first + step, n)
        if sparse.issparse(X):
            stored = cast("sparse.csr_array", X)
            _sparse(values, stored.indices, stored.indptr, first, stop, lanes, dots, lengths, squares, ids)
        else:
            _dense(values, first, stop, squares, ids)
        work.tick((stop - first) * (n - (first + stop) / 2 - 0.5))
    return NearestRows(np.sqrt(squares), ids)


def nearest_of(
    distances: Callable[[slice], np.ndarray],
    shape: tuple[int, int],
    k: int = 1,
    last: bool = False,
    held: int = HELD_DISTANCES,
) -> NearestRows:
    """Find the k nearest columns of each row, by any distances.

    Parameters
    ----------
    distances : callable
        Returns the distances (b, n), at least 0, of a slice of rows to all columns.
    shape : (m, n)
        Numbers of rows and of columns.
    k : int
        Number of nearest columns.
    last : bool
        True to find the last of the nearest columns, for k = 1.
    held : int
        Number of distances that are in memory at once.

    Returns
    -------
    NearestRows
        Columns and their distances, ascending; ties go to the lower column.
    """
    m, n = shape
    nearest = NearestRows(np.empty((m, k)), np.empty((m, k), np.intp))
    step = max(held // n, 1)
    for start in range(0, m, step):
        block = slice(start, min(start + step, m))
        d = distances(block)
        columns = n - 1 - d[:, ::-1].argmin(axis=1)[:, None] if last else smallest(d, k)
        nearest.rows[block] = columns
        nearest.distances[block] = np.take_along_axis(d, columns, 1)
    return nearest


def nearest_by_tree(points: np.ndarray, k: int, power: float = 2.0) -> np.ndarray:
    """Find the k nearest other rows (n, k) of each row of points (n, d), which has few dimensions, by a tree.

    Which of equally near rows are found depends on the tree, and is the same for the same points.

    Parameters
    ----------
    points : (n, d) array
        Rows, more than k.
    k : int
        Number of nearest rows.
    power : float
        2 for Euclidean distances, 1 for Manhattan ones.
    """
    from scipy.spatial import cKDTree

    n = len(points)
    listed = cKDTree(points).query(points, k + 1, p=power)[1].reshape(n, k + 1)
    # Each row is in its own list, but not always first, or at all, among equal rows
    is_itself = listed == np.arange(n)[:, None]
    is_itself[~is_itself.any(axis=1), -1] = True
    return cast("np.ndarray", listed[~is_itself].reshape(n, k))


def smallest(d: np.ndarray, k: int) -> np.ndarray:
    """Find the columns (m, k) of the least values of each row, ascending; ties go to the lower column.

    d (m, n): numbers that are at least 0, some may be infinite.
    """
    if k == 1:
        return cast("np.ndarray", d.argmin(axis=1)[:, None])
    m, n = d.shape
    columns = np.full((m, 1, k), -1, np.int32)
    distances = np.full((m, 1, k), np.inf)
    one_group = np.arange(n).view(np.uint64), np.array([0, n])
    memory = np.array([[1.0, 0.0]])
    d = np.ascontiguousarray(d)
    list_nearest(d, BITS_OF[d.itemsize], *one_group, memory, columns, distances, np.zeros((m, 1, k)), np.zeros(3))
    order = np.argsort(distances[:, 0], axis=1, kind="stable")  # columns are ascending
    nearest = np.take_along_axis(columns[:, 0], order, 1)
    too_few = np.flatnonzero(nearest[:, -1] < 0)  # rows with fewer than k finite numbers
    nearest[too_few] = np.argsort(d[too_few], axis=1, kind="stable")[:, :k]
    return nearest


@kernel
def _dense(X, first, stop, squares, ids):
    """Compare rows first ... stop - 1 of X (n, p) with all rows after them, by sum over f of (x_f - y_f)^2.

    squares, ids (n, k) : squared distances and indices of the nearest rows so far, ascending
    """
    n, p = X.shape
    for j in range(first + 1, n):
        y = X[j]
        for i in range(first, min(stop, j)):
            x = X[i]
            total = 0.0
            for f in range(p):
                d = x[f] - y[f]
                total += d * d
            if total > 0:
                insert(total, j, squares[i], ids[i], None)
                insert(total, i, squares[j], ids[j], None)


@kernel
def _sparse(data, indices, indptr, first, stop, lanes, dots, lengths, squares, ids):
    """Compare rows first ... stop - 1 of CSR with all rows after them, by |x|^2 + |y|^2 - 2 xy.

    Where that is small, differences are added up instead.

    lanes (p, LANES) : zeros; holds the rows first ... stop - 1 as columns in the meantime
    dots (LANES,) : scratch
    lengths (n,) : |x|^2 of all rows
    squares, ids (n, k) : squared distances and indices of the nearest rows so far, ascending
    """
    for i in range(first, stop):
        for t in range(indptr[i], indptr[i + 1]):
            lanes[indices[t], i - first] = data[t]
    for j in range(first + 1, len(indptr) - 1):
        dots[:] = 0
        for t in range(indptr[j], indptr[j + 1]):
            x = lanes[indices[t]]
            y = data[t]
            for lane in range(LANES):
                dots[lane] += x[lane] * y
        for i in range(first, min(stop, j)):
            lengths_of_both = lengths[i] + lengths[j]
            total = lengths_of_both - 2 * dots[i - first]
            if total <= CLOSE_SHARE * lengths_of_both:
                x = slice(indptr[i], indptr[i + 1])
                y = slice(indptr[j], indptr[j + 1])
                total = merged_square(data[x], indices[x], data[y], indices[y])
            if total > 0:
                insert(total, j, squares[i], ids[i], None)
                insert(total, i, squares[j], ids[j], None)
    for i in range(first, stop):
        for t in range(indptr[i], indptr[i + 1]):
            lanes[indices[t], i - first] = 0
