"""Locks of rows: threads that search write to the lists of some rows at a time."""

import threading
from collections.abc import Iterator

LOCKED_ROWS = 256  # rows whose lists one lock guards, at least


class Locks:
    """One lock for every block of rows; a block begins with a strip of tiles of `step` rows."""

    def __init__(self, n: int, step: int):
        self.step = -(-LOCKED_ROWS // step) * step
        self._locks = [threading.Lock() for _ in range(-(-n // self.step))]

    def of(self, row: int) -> threading.Lock:
        """The lock of the block that a row is in."""
        return self._locks[row // self.step]

    def blocks(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Ranges that [start, stop) is cut into at the borders of blocks."""
        while start < stop:
            end = min((start // self.step + 1) * self.step, stop)
            yield start, end
            start = end
