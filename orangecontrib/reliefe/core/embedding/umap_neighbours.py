"""Nearest rows for UMAP: exact, and by a search that can be stopped.

`umap` calls `neighbours`.  UMAP's own search is compiled for a minute where there are many rows, cannot be stopped, and
is inexact.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..points.nearest import nearest_of
from ..points.squared_distances import SquaredDistances

CELLS_PER_BLOCK = 1 << 22  # distances in memory at once: 32 MiB
ROWS_PER_TICK = 512  # rows, at most, whose distances are computed between two checks for a stop; chosen by eye


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
    squares = SquaredDistances(B)

    def squares_of_block(rows: slice) -> np.ndarray:
        """Compute the squared distances of a block of rows to all rows of B."""
        tick()
        return squares.of(A[rows])

    held = min(cells, ROWS_PER_TICK * B.shape[0])
    nearest = nearest_of(squares_of_block, (A.shape[0], B.shape[0]), k, held=held)
    return UmapNeighbours(nearest.rows.astype(np.int32), np.sqrt(nearest.distances).astype(np.float32))
