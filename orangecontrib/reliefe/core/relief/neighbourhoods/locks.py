"""Locks of rows: threads that search write to the lists of some rows at a time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

LOCKED_ROWS = 256  # rows whose lists one lock guards, at least


class Locks:
    """One lock for every block of rows; a block begins with a strip of tiles of `step` rows."""

    def __init__(self, n: int, step: int):
        self.step = -(-LOCKED_ROWS // step) * step
        self._locks = [threading.Lock() for _ in range(-(-n // self.step))]

    @contextmanager
    def of(self, *rows: int) -> Iterator[None]:
        """Hold the locks of the blocks that some rows are in.

        They are taken in the order of the blocks.  Otherwise two threads, each with the lock that the other one wants,
        would wait forever: the columns of a tile may begin before its rows.
        """
        blocks = sorted({row // self.step for row in rows})
        for block in blocks:
            self._locks[block].acquire()
        try:
            yield
        finally:
            for block in blocks:
                self._locks[block].release()

    def blocks(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Ranges that [start, stop) is cut into at the borders of blocks."""
        while start < stop:
            end = min((start // self.step + 1) * self.step, stop)
            yield start, end
            start = end
