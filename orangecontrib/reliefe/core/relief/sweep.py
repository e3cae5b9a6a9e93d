"""The visit of pairs of rows, every pair once."""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..parallel import Work
from .distances import Distance
from .double_precision import round_distances
from .super_blocks import of_part, pieces

STRIP = 32  # rows of a strip
TILES_AT_ONCE = 8  # remembered tiles that are passed on together
LOCKED_ROWS = 256  # rows whose lists one lock guards, at least

Tile: TypeAlias = tuple[np.ndarray, tuple[int, int, int, int]]  # buffer, (i0, i1, j0, j1)


@dataclass(frozen=True)
class Sweep:
    """The pairs of n rows of which the first m are targets; `work` knows threads, progress and interruption."""

    work: Work
    n: int
    m: int

    def tiles(self, distance: Distance, part: int, n_parts: int) -> Iterator[Tile]:
        """Every n_parts-th tile of the pairs i < j with i < m: (buffer, (i0, i1, j0, j1)).

        The buffer always has the whole `distance.shape`; its corner (i1 - i0, j1 - j0) is valid until the next tile.
        """
        yield from self._visit(distance, of_part(self.n, self.m, distance.shape, distance.super_block, part, n_parts))

    def blocks(self, distance: Distance, part: int, n_parts: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The same tiles, several at once where they are remembered: (b, height, width), (b, 4) i0, i1, j0, j1."""
        mine = of_part(self.n, self.m, distance.shape, distance.super_block, part, n_parts)
        kept = distance.side_by_side(mine)
        for first in range(0, kept, TILES_AT_ONCE):
            wheres = [self._where(distance, *corner) for corner in mine[first : min(first + TILES_AT_ONCE, kept)]]
            for where in wheres:
                self.work.tick()
                distance.fill(*where)
            yield distance.block(wheres), np.array(wheres)
            self.work.tick(sum((i1 - i0) * (j1 - j0) for i0, i1, j0, j1 in wheres))
        if kept < len(mine):
            for tile, where in self._visit(distance, mine[kept:]):
                yield tile[None], np.array([where])

    def pieces(self, distance: Distance, start: int = 0) -> Iterator[tuple[int, int, int]]:
        """Strips of the target rows from `start` on, with their columns, for threads to share: see `super_blocks`."""
        return iter(list(pieces(self.n, start, self.m, distance.shape[0], distance.super_block)))

    def tiles_at(self, distance: Distance, corners: Iterable[tuple[int, int]], upper: bool = True) -> Iterator[Tile]:
        """The tiles with these corners (shared by threads); upper: only the pairs i < j are sure to be filled in."""
        yield from self._visit(distance, corners, upper)

    def strips(
        self, distance: Distance, part: int, n_parts: int, wanted: np.ndarray | None = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Every n_parts-th strip of whole rows: (distances (b, n), rows (b,)); each pair is computed twice.

        wanted (m,) bool: strips without any such row are left out.
        """
        for i0 in range(part * STRIP, self.m, n_parts * STRIP):
            i1 = min(i0 + STRIP, self.m)
            if wanted is not None and not wanted[i0:i1].any():
                continue
            out = np.empty((i1 - i0, self.n))
            distance.tile(i0, i1, 0, self.n, out, upper=False)
            self.work.tick((i1 - i0) * self.n)
            yield out, np.arange(i0, i1)

    def candidates(
        self, distance: Distance, part: int, n_parts: int, digits: int, wanted: np.ndarray | None = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """`strips` with ties made equal in so many digits, and every row infinitely far from itself."""
        for distances, rows in self.strips(distance, part, n_parts, wanted):
            round_distances(distances, digits)
            distances[np.arange(len(rows)), rows] = np.inf
            yield distances, rows

    @property
    def pairs(self) -> float:
        """Pairs that one pass over the tiles visits, about."""
        return self.m * (self.n - self.m / 2)

    def _visit(self, distance: Distance, corners: Iterable[tuple[int, int]], upper: bool = True) -> Iterator[Tile]:
        buffer: np.ndarray = np.zeros(distance.shape, distance.dtype)  # what no tile fills in must be harmless
        for corner in corners:
            self.work.tick()
            i0, i1, j0, j1 = where = self._where(distance, *corner)
            yield distance.tile(*where, buffer, upper), where
            self.work.tick((i1 - i0) * (j1 - j0))

    def _where(self, distance: Distance, i0: int, j0: int) -> tuple[int, int, int, int]:
        """The tile with this corner."""
        height, width = distance.shape
        return i0, min(i0 + height, self.m), j0, min(j0 + width, self.n)


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
