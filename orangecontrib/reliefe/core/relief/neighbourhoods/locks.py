"""Locks of rows: threads that search write to the lists of two blocks of rows at a time.

`search.py` holds the locks of the blocks that a tile has its rows and columns in.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

LOCKED_ROWS = 256  # rows whose lists one lock guards, at least


class Locks:
    """One lock for each block of rows; a block begins with a strip of tiles of `height` rows."""

    def __init__(self, n: int, height: int):
        self._rows_of_block = ceil(LOCKED_ROWS / height) * height
        self._locks = [threading.Lock() for _ in range(ceil(n / self._rows_of_block))]

    @contextmanager
    def of(self, *rows: int) -> Iterator[None]:
        """Hold the locks of the blocks that some rows are in.

        They are taken in the order of the blocks.  Otherwise two threads, each with the lock that the other one wants,
        would wait forever: the columns of a tile may begin before its rows.
        """
        blocks = sorted({row // self._rows_of_block for row in rows})
        for block in blocks:
            self._locks[block].acquire()
        try:
            yield
        finally:
            for block in blocks:
                self._locks[block].release()

    def row_blocks(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Ranges that [start, stop) is cut into at the borders of blocks."""
        while start < stop:
            end = min((start // self._rows_of_block + 1) * self._rows_of_block, stop)
            yield start, end
            start = end
