"""Distances in steps that are measured once for both rows of a pair, and remembered until both have been visited.

`RowPairs.strips_of_steps` visits each pair twice, once from each row.  To measure it twice is fast for codes and for
sparse rows.  Other distances cost more than to remember them (`Distance.is_costly`), as long as there is room.
"""

import numpy as np

from .distance import Distance, TileBuffer

EDGE = 128  # rows, and columns, of a block
MAX_BYTES = 2**26  # of the distances that are remembered: those of 5,700 rows


class MirroredSteps:
    """Blocks of the distances of the pairs i < j of n rows, filled when they are asked for.

    Two threads may fill a block at the same time, with the same numbers.

    Parameters
    ----------
    distance : Distance
        Measures the blocks.
    """

    def __init__(self, distance: Distance):
        self._distance = distance
        self._n_blocks = -(-distance.n // EDGE)
        n_pairs = self._n_blocks * (self._n_blocks + 1) // 2
        self._blocks = np.empty((n_pairs, EDGE, EDGE), np.int32)
        self._is_filled = np.zeros(n_pairs, bool)

    @staticmethod
    def has_room(distance: Distance) -> bool:
        """True if all distances can be remembered, and are worth it."""
        return distance.is_costly and 2 * distance.n**2 <= MAX_BYTES

    def fill(self, i0: int, i1: int, out: np.ndarray) -> None:
        """Set out[i - i0, j] to the distance of the rows i from i0 to i1 - 1 and all rows j.

        Parameters
        ----------
        i0, i1 : int
            i0 is a multiple of EDGE, and i1 at most EDGE more.
        out : (>= i1 - i0, >= n) int32 array
        """
        n = self._distance.n
        row = i0 // EDGE
        buffer = self._distance.buffer(EDGE, EDGE)
        for column in range(self._n_blocks):
            j0 = column * EDGE
            j1 = min(j0 + EDGE, n)
            if column < row:
                out[: i1 - i0, j0:j1] = self._block(column, row, buffer)[: j1 - j0, : i1 - i0].T
            else:
                out[: i1 - i0, j0:j1] = self._block(row, column, buffer)[: i1 - i0, : j1 - j0]

    def _block(self, row: int, column: int, buffer: TileBuffer) -> np.ndarray:
        """Block (EDGE, EDGE) of the distances of the rows of a block to those of a later one, or to themselves."""
        index = row * self._n_blocks - row * (row - 1) // 2 + column - row
        block: np.ndarray = self._blocks[index]
        if not self._is_filled[index]:
            n = self._distance.n
            where = row * EDGE, min(row * EDGE + EDGE, n), column * EDGE, min(column * EDGE + EDGE, n)
            self._distance.in_steps(where, buffer._replace(steps=block.reshape(-1)), upper=False)
            self._is_filled[index] = True
        return block
