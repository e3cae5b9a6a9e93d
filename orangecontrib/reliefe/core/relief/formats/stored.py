"""Remembered tiles of distances, in floats or in steps: for rules that look at each of them several times.

`RowPairs.remembering` makes them for smooth influence (floats) and for thresholds (steps); re-weighting renews them.
"""

from typing import Any, cast

import numpy as np

from ...work.threads import PARTS
from .codes import Codes
from .distance import Distance, TileBounds, TileBuffer
from .steps import Steps
from .tile_order import of_part, parts_with_tiles

WIDE_FROM = 16  # tiles in a row from which on some are joined
JOINED = 2  # tiles that are joined then: threads take turns in Python half as often
STORED_BYTES = 2**28  # bytes of tiles that are remembered


class Stored(Distance):
    """A distance of which the first tiles are remembered.

    The tiles lie in one piece of memory (huge pages, touched when used).  Those of a part lie side by side: so no two
    threads touch the same page first, and many are passed on at once.

    Parameters
    ----------
    distance : Distance
        Computes the tiles.
    n, m : int
        Numbers of rows, and of target rows.
    dtype : type
        Type of the remembered tiles.
    budget : int
        Bytes that the tiles may take.
    """

    def __init__(self, distance: Distance, n: int, m: int, dtype: type, budget: int = STORED_BYTES):
        self.distance = distance
        self.dtype = dtype
        self.of_features = distance.of_features
        self.n = distance.n
        height, width = distance.tile_shape
        width *= JOINED if WIDE_FROM * width <= n else 1
        self.tile_shape = height, width
        self.super_block = distance.super_block
        tiling = n, m, self.tile_shape, self.super_block
        corners = [corner for part in range(parts_with_tiles(*tiling)) for corner in of_part(*tiling, part, PARTS)]
        self._slots = {corner: slot for slot, corner in enumerate(corners)}
        self._filled = np.zeros(len(corners), bool)
        bytes_of_tile = height * width * np.dtype(dtype).itemsize
        self._tiles: np.ndarray = np.zeros((min(len(corners), budget // bytes_of_tile), height, width), dtype)
        self._arguments = n, m, dtype, budget

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.distance, *self._arguments)  # without the tiles

    @property
    def codes(self) -> Codes | None:  # type: ignore[override]  # made when asked for
        return self.distance.codes

    @property
    def steps(self) -> Steps:
        return self.distance.steps

    def buffer(self, height: int, width: int) -> TileBuffer:
        return self.distance.buffer(height, width)

    def exact(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        return self.distance.exact(rows, cols)

    def sums(self, bounds: TileBounds, buffer: TileBuffer, upper: bool = True) -> np.ndarray:
        return self.distance.sums(bounds, buffer, upper)

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        return self.distance.tile(i0, i1, j0, j1, out, upper)

    def forget(self) -> None:
        """Give back what the distance takes beside the remembered tiles."""
        self.distance.forget()

    def _slot(self, i0: int, j0: int) -> int | None:
        """Index of the memory of the tile with this corner; None: it is not remembered."""
        slot = self._slots.get((i0, j0), len(self._tiles))
        return slot if slot < len(self._tiles) else None


class StoredSteps(Stored):
    """A distance whose tiles are remembered in whole steps."""

    def sums(self, bounds: TileBounds, buffer: TileBuffer, upper: bool = True) -> np.ndarray:
        """Return remembered sums of a tile, or those that are made again in the buffer."""
        slot = self._slot(bounds[0], bounds[2])
        if slot is None:
            return self.distance.sums(bounds, buffer, upper)
        remembered = self._tiles[slot].reshape(-1)
        if not self._filled[slot]:
            self.distance.sums(bounds, buffer._replace(sums=remembered), upper)
            self._filled[slot] = True
        return np.asarray(remembered)


class StoredTiles(Stored):
    """A distance whose tiles are remembered in floats, in the precision that they deserve."""

    def renew(self, distance: Distance) -> None:
        """Take the tiles of another distance of the same rows from now on, in the same memory."""
        self.distance = distance
        self._filled[:] = False

    @property
    def keeps_all(self) -> bool:
        """True if there is room for all tiles."""
        return len(self._tiles) == len(self._filled)

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        """A tile, remembered or made anew in `out`."""
        slot = self._slot(i0, j0)
        if slot is None:
            return self.distance.tile(i0, i1, j0, j1, out, upper)
        self.fill(i0, i1, j0, j1)
        return cast("np.ndarray", self._tiles[slot])

    def fill(self, i0: int, i1: int, j0: int, j1: int) -> None:
        """Compute a tile that is remembered, unless it was."""
        slot = self._slots[i0, j0]
        if not self._filled[slot]:
            self.distance.tile(i0, i1, j0, j1, self._tiles[slot])
            self._filled[slot] = True

    def side_by_side(self, part: list[tuple[int, int]]) -> int:
        """Number of tiles of the corners of one part that are remembered, the first ones."""
        return min(max(len(self._tiles) - self._slots[part[0]], 0), len(part)) if part else 0

    def stack(self, bounds_of_tiles: list[TileBounds]) -> np.ndarray:
        """Tiles (b, height, width) that are filled in and follow each other in a part."""
        first = self._slots[bounds_of_tiles[0][0], bounds_of_tiles[0][2]]
        return self._tiles[first : first + len(bounds_of_tiles)]
