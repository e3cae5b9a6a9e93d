"""Remembered tiles of distances: smooth influence and threshold rules look at each of them several times."""

from typing import Any, cast

import numpy as np

from ..work.threads import PARTS
from .codes import Codes
from .distance import Distance, Room, Where
from .steps import Steps
from .tile_order import of_part, parts_with_tiles

WIDE_FROM, JOINED = 16, 2  # tiles in a row from which on this many are joined
STORED_BYTES = 2**28  # of tiles that are remembered


class Stored(Distance):
    """Remembers the first tiles of a distance, up to a budget in bytes: threshold rules ask for each several times.

    The tiles lie in one block of memory (huge pages, touched when used), in the precision that the distances deserve.
    Those of a part lie side by side: so no two threads touch the same page first, and many are passed on at once.
    """

    def __init__(self, distance: Distance, n: int, m: int, dtype: type, budget: int = STORED_BYTES):
        self.distance, self.dtype, self.of_features = distance, dtype, distance.of_features
        self.n = distance.n
        height, width = distance.shape
        width *= JOINED if WIDE_FROM * width <= n else 1  # then threads take turns in Python half as often
        self.shape, self.super_block = (height, width), distance.super_block
        how = n, m, self.shape, self.super_block
        order = [corner for part in range(parts_with_tiles(*how)) for corner in of_part(*how, part, PARTS)]
        self._places, self._filled = {corner: place for place, corner in enumerate(order)}, np.zeros(len(order), bool)
        size = height * width * np.dtype(dtype).itemsize
        self._room: np.ndarray = np.zeros((min(len(order), budget // size), height, width), dtype)
        self._arguments = n, m, dtype, budget

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.distance, *self._arguments)  # without the tiles

    def renew(self, distance: Distance) -> None:
        """Take the tiles of another distance of the same rows from now on, in the same memory."""
        self.distance = distance
        self._filled[:] = False

    @property
    def codes(self) -> Codes | None:  # type: ignore[override]  # made when asked for
        return self.distance.codes

    @property
    def steps(self) -> Steps:
        return self.distance.steps

    def room(self, height: int, width: int) -> Room:
        return self.distance.room(height, width)

    def exact(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        return self.distance.exact(rows, cols)

    def sums(self, where: Where, room: Room, upper: bool = True) -> np.ndarray:
        """A remembered block of whole numbers, or one that is made anew in the room."""
        place = self._places.get((where[0], where[2]), len(self._room))
        if self.dtype is not np.int32 or place >= len(self._room):
            return self.distance.sums(where, room, upper)
        if not self._filled[place]:
            self.distance.sums(where, room._replace(sums=self._room[place].reshape(-1)), upper)
            self._filled[place] = True
        return np.asarray(self._room[place].reshape(-1))

    @property
    def keeps_all(self) -> bool:
        """True if there is room for all tiles."""
        return len(self._room) == len(self._filled)

    def forget(self) -> None:
        """Give back what the distance takes beside the remembered tiles."""
        self.distance.forget()

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        """A tile, remembered or made anew in `out`."""
        if self.dtype is np.int32:
            return self.distance.tile(i0, i1, j0, j1, out, upper)
        place = self._places[i0, j0]
        if place >= len(self._room):
            return self.distance.tile(i0, i1, j0, j1, out, upper)
        self.fill(i0, i1, j0, j1)
        return cast("np.ndarray", self._room[place])

    def fill(self, i0: int, i1: int, j0: int, j1: int) -> None:
        """Compute a tile that has room, unless it was."""
        place = self._places[i0, j0]
        if not self._filled[place]:
            self.distance.tile(i0, i1, j0, j1, self._room[place])
            self._filled[place] = True

    def side_by_side(self, part: list[tuple[int, int]]) -> int:
        """Number of tiles of the corners of one part that are remembered, the first ones."""
        return min(max(len(self._room) - self._places[part[0]], 0), len(part)) if part else 0

    def block(self, wheres: list[tuple[int, int, int, int]]) -> np.ndarray:
        """Tiles (b, height, width) that are filled in and follow each other in a part."""
        first = self._places[wheres[0][0], wheres[0][2]]
        return self._room[first : first + len(wheres)]
