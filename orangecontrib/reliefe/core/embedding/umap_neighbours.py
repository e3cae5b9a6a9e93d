"""Nearest rows for UMAP: exact, and by a search that can be stopped.

`umap` calls `neighbours`.  UMAP's own search is compiled for a minute where there are many rows, cannot be stopped, and
is inexact.
"""

from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

from ..points.nearest import smallest

CLOSE_SHARE = 1e-3  # squared distances below this share of the squared lengths are computed again, without cancellation
CELLS_PER_BLOCK = 1 << 22  # numbers in memory at once: 32 MiB
ROWS_PER_TICK = 512  # rows, at most, whose distances are computed between two checks for a stop; chosen by eye
MAX_EXACT = 1 << 16  # size below which sums of products of integers are exact in double precision


class UmapNeighbours(NamedTuple):
    """The k nearest rows of each of n rows, ascending.

    rows (n, k): the nearest rows.
    distances (n, k): their distances, float32.
    """

    rows: np.ndarray
    distances: np.ndarray


def neighbours(
    A: np.ndarray | sparse.csr_matrix,
    B: np.ndarray | sparse.csr_matrix,
    k: int,
    tick: Callable[[], object],
    cells: int = CELLS_PER_BLOCK,
) -> UmapNeighbours:
    """Find the nearest rows of B to each row of A, the first ones of those at equal distances.

    Parameters
    ----------
    A, B : (n, q) and (m, q) array or CSR
        Rows.
    k : int
        Number of nearest rows.
    tick : callable
        Called for each block of rows; it raises an exception to stop.
    cells : int
        Distances in memory at once.

    Returns
    -------
    UmapNeighbours
    """
    nearest = np.empty((A.shape[0], k), np.int32)
    nearest_distances = np.empty((A.shape[0], k), np.float32)
    step = int(np.clip(cells // B.shape[0], 1, ROWS_PER_TICK))
    for start in range(0, len(nearest), step):
        rows = slice(start, start + step)
        all_distances = distances(A[rows], B, tick)
        nearest[rows] = smallest(all_distances, k)
        nearest_distances[rows] = np.take_along_axis(all_distances, nearest[rows], axis=1)
    return UmapNeighbours(nearest, nearest_distances)


def distances(
    A: np.ndarray | sparse.csr_matrix, B: np.ndarray | sparse.csr_matrix, tick: Callable[[], object]
) -> np.ndarray:
    """Compute the Euclidean distances (n, m), float32, of the rows of A and B; equal rows are at 0 exactly.

    |a - b|^2 = |a|^2 + |b|^2 - 2 a b, and from the differences where that cancels.  tick: as in `neighbours`.
    """
    out = np.empty((A.shape[0], B.shape[0]), np.float32)
    A = A.astype(np.float64, copy=False)
    B = B.astype(np.float64, copy=False)
    squares_of_b = _squared_lengths(B)
    is_exact = _has_exact_products(A) and _has_exact_products(B)
    transposed = sparse.csr_array(B.T) if sparse.issparse(B) else B.T
    for start in range(0, len(out), ROWS_PER_TICK):
        tick()
        block = A[start : start + ROWS_PER_TICK]
        sums_of_squares = _squared_lengths(block)[:, None] + squares_of_b
        products = block @ transposed
        dense_products = products.toarray() if sparse.issparse(products) else products
        squares = sums_of_squares - 2 * dense_products
        if not is_exact:
            _recompute_close(block, B, sums_of_squares, squares)
        out[start : start + ROWS_PER_TICK] = np.sqrt(squares)
    return out


def _recompute_close(
    A: np.ndarray | sparse.csr_matrix,
    B: np.ndarray | sparse.csr_matrix,
    sums_of_squares: np.ndarray,
    squares: np.ndarray,
) -> None:
    """Compute the squared distances `squares` (n, m) of close rows again, in place, from their differences.

    sums_of_squares (n, m): |a|^2 + |b|^2.
    """
    i, j = np.nonzero(squares <= CLOSE_SHARE * sums_of_squares)
    step = max(CELLS_PER_BLOCK // A.shape[1], 1)
    for first in range(0, len(i), step):
        rows = i[first : first + step]
        cols = j[first : first + step]
        squares[rows, cols] = _squared_lengths(A[rows] - B[cols])


def _has_exact_products(X: np.ndarray | sparse.csr_matrix) -> bool:
    """Return True if products of rows are sums of small integers, and so without rounding."""
    values: np.ndarray = cast("sparse.csr_matrix", X).data[None] if sparse.issparse(X) else X
    is_small = values.max(initial=0) < MAX_EXACT and -values.min(initial=0) < MAX_EXACT
    return bool(is_small and all((row == np.rint(row)).all() for row in values))


def _squared_lengths(X: np.ndarray | sparse.csr_matrix) -> np.ndarray:
    """Compute the squared lengths (n,) of the rows."""
    if sparse.issparse(X):
        stored = cast("sparse.csr_matrix", X)
        n = stored.shape[0]
        return np.bincount(np.repeat(np.arange(n), np.diff(stored.indptr)), stored.data.astype(float) ** 2, n)
    return cast("np.ndarray", np.einsum("ij,ij->i", X, X, dtype=np.float64))
