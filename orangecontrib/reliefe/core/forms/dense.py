"""The order in which tiles of pairs of rows are visited: of large data in super-blocks of rows, that fit into memory.

Which rows these are depends on the data alone, and with them the order of sums, so that memory decides no bit.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from types import ModuleType
from typing import Any, cast

import numpy as np

from ..kernels.diff import shaped
from ..kernels.jit import kernel
from ..work.threads import PARTS
from .bits import LANES, add_bits
from .codes import Codes
from .features import Features

SPLIT_FROM, BLOCK_BYTES = 2**30, 2**27  # bytes of values in single precision: from which on super-blocks, of how many
ALIGNED = 512  # rows: a multiple of those of tiles


def of_part(n: int, m: int, shape: tuple[int, int], block: int, part: int, n_parts: int) -> list[tuple[int, int]]:
    """Corners of the tiles of one of n_parts parts: every n_parts-th, or of large data a stretch of super-blocks."""
    found = corners(n, m, *shape, block)
    if not block:
        return found[part::n_parts]
    first, last = (len(found) * k // n_parts for k in (part, part + 1))
    return found[first:last]


def parts_with_tiles(n: int, m: int, shape: tuple[int, int], block: int) -> int:
    """Number of the first of PARTS parts behind which none has any tile."""
    return PARTS if block else min(len(corners(n, m, *shape)), PARTS)


@lru_cache(maxsize=4)
def corners(n: int, m: int, height: int, width: int, block: int = 0) -> list[tuple[int, int]]:
    """Corners (i0, j0) of tiles, strip by strip: from the diagonal on, or from 0 where one tile holds whole rows."""
    return [
        (i0, j0)
        for i0, first, last in pieces(n, 0, m, height, block)
        for j0 in range(max(i0 // width * width, first), min(last, n), width)
    ]


def pieces(n: int, start: int, m: int, height: int, block: int) -> Iterator[tuple[int, int, int]]:
    """Strips of the target rows from `start` on with the columns, first and last, of a super-block, those of two
    super-blocks after each other; a block of 0 rows: whole strips.

    What lies in files is so read once for two blocks, and not for each strip.
    """
    size = block or max(n, m)
    for top in range(start, m, size):
        for left in range(top // size * size if block else 0, n, size):
            yield from ((i0, left, left + size) for i0 in range(top, min(top + size, m), height))


def rows_together(n: int, p: int) -> int:
    """Rows of a super-block for data of this shape, a multiple of the rows of tiles: by the data alone, so that the
    order of sums does not depend on memory; 0 for data that fit into any."""
    if 4 * n * p <= SPLIT_FROM:
        return 0
    return max(BLOCK_BYTES // (4 * p) // ALIGNED, 1) * ALIGNED


FEATURES_AT_ONCE = 128  # summed in the precision of the data before the sum is added to the tile
WIDE_FROM, JOINED = 16, 2  # tiles in a row from which on this many are joined
STORED_BYTES = 2**28  # of tiles that are remembered


class Distance:
    """A maker of tiles."""

    shape: tuple[int, int]
    super_block: int = 0  # rows of a super-block, the pairs of two of which are visited together; 0: all rows
    dtype: type = np.float64  # of the tiles
    of_features: bool = False  # whether they are sums of the diffs of all features
    is_share: bool = False  # whether they lie in [0, 1]
    kept_by_workers = True  # of a cluster, with what they remember
    codes: Codes | None = None  # the same distances in whole numbers, where these are faster

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        """Distances of rows [i0, i1) to rows [j0, j1) in the corner of `out`, which is returned."""
        raise NotImplementedError

    def forget(self) -> None:
        """Give back memory that the next tile takes again."""


def simd_kernels() -> ModuleType | None:
    """Kernels in LLVM's terms; None where numba does not compile."""
    from numba import config

    if config.DISABLE_JIT:  # type: ignore[attr-defined]  # set when numba is imported
        return None
    from . import dense_simd as simd

    return simd


class DenseManhattan(Distance):
    """Sums of diffs over the features of dense rows: eight features a sweep over 64 rows side by side, and those of few
    values by their bits, where they are not weighed.

    Shapes: `weights` (p,).
    """

    of_features = True

    def __init__(self, features: Features, weights: np.ndarray | None = None):
        self._missing, self._bits = features.missing, features.bits if weights is None else None
        self._whole = features if weights is None else None
        if self._bits:
            features = features.some(self._bits.rest)
        folded = weights is None or features.n_numeric == features.shape[1]  # numbers times weights do as well
        self._simd = simd_kernels() if features.vectors and folded else None
        self.features = replace(features, weights=weights) if self._simd and weights is not None else features
        self._weights = np.ones(features.padded, features.values.dtype)
        self._weights[: features.shape[1]] = 1 if weights is None else weights
        edge = LANES * min(max(features.shape[0] // 250, 1), 4)
        self.shape, self.super_block = (edge, edge), rows_together(*features.shape)

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        f, where = self.features, (i0, i1, j0, j1)
        if not f.padded:
            out[: i1 - i0, : j1 - j0] = 0
        elif self._simd:
            lanes = f.lanes.reshape(-1)
            for nominal, first, last in f.kinds:  # none in vain: every call costs the other threads the GIL
                self._simd.tile_distances(lanes, f.padded, (first, last), nominal, where, upper, out)
        else:
            _dense(f.values, self._weights, f.n_numeric, f.diff.shape, where, upper, out)
        if self._bits:
            add_bits(self._bits, where, upper, out)
        if self._missing:
            self._missing.correct(out, i0, i1, j0, j1)
        return out

    @property
    def codes(self) -> Codes | None:  # type: ignore[override]  # made when asked for
        """Codes of the features, unless these are weighed."""
        return self._whole.codes if self._whole and self._simd else None

    def forget(self) -> None:
        for features in filter(None, (self.features, self._whole)):
            features.forget_lanes()


class Stored(Distance):
    """Remembers the first tiles of a distance, up to a budget in bytes: threshold rules ask for each several times.

    The tiles lie in one block of memory (huge pages, touched when used), in the precision that the distances deserve.
    Those of a part lie side by side: so no two threads touch the same page first, and many are passed on at once.
    """

    def __init__(self, distance: Distance, n: int, m: int, dtype: type, budget: int = STORED_BYTES):
        self.distance, self.dtype, self.of_features = distance, dtype, distance.of_features
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
    def keeps_all(self) -> bool:
        """True if there is room for all tiles."""
        return len(self._room) == len(self._filled)

    def forget(self) -> None:
        """Give back what the distance takes beside the remembered tiles."""
        self.distance.forget()

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        """A tile, remembered or made anew in `out`."""
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


@kernel
def _dense(X, weights, n_numeric, shape, where, upper, out):
    """A tile of weighted distances; weights (p,), also of the columns of padding."""
    i0, i1, j0, j1 = where
    p, acc, lanes = len(weights), np.empty(LANES, X.dtype), np.zeros(FEATURES_AT_ONCE * LANES, X.dtype)
    for f0 in range(0, p, FEATURES_AT_ONCE):
        f1 = min(f0 + FEATURES_AT_ONCE, p)
        cut = min(max(n_numeric, f0), f1) - f0
        v = weights[f0:f1]
        for l0 in range(j0, j1, LANES):
            width = min(LANES, j1 - l0)
            _put_side_by_side(X[l0 : l0 + width], f0, f1, lanes)
            B = lanes[: (f1 - f0) * LANES]
            for i in range(i0, i1):
                if upper and i + 1 >= l0 + width:
                    break
                x = X[i, f0:f1]
                acc[:] = 0
                _add_numeric(x[:cut], v, B, shape, acc)
                _add_nominal(x[cut:], v[cut:], B[cut * LANES :], acc)
                row = out[i - i0, l0 - j0 : l0 - j0 + width]
                if f0 == 0:
                    for q in range(width):
                        row[q] = acc[q]
                else:
                    for q in range(width):
                        row[q] += acc[q]


@kernel
def _put_side_by_side(rows, f0, f1, out):
    """Some features of up to LANES rows, the rows of each side by side; a multiple of eight, in blocks whose sizes the
    compiler knows."""
    whole = len(rows) // 8 * 8
    for f in range(f0, f1, 8):
        for q in range(0, whole, 8):
            for k in range(8):
                for lane in range(8):
                    out[(f - f0 + k) * LANES + q + lane] = rows[q + lane, f + k]
        for q in range(whole, len(rows)):
            for k in range(8):
                out[(f - f0 + k) * LANES + q] = rows[q, f + k]


@kernel
def _add_numeric(x, v, B, shape, total):
    """total (LANES,) += sum_f v_f diff(x_f, B_f), plain diffs eight features a sweep, so that `total` is loaded and
    stored once for eight.

    B is flat: with strides that are constants LLVM needs one pointer, with two-dimensional indices it needs eight.
    """
    eights = len(x) // 8 * 8 if shape is None else 0
    for f in range(0, eights, 8):
        x0, x1, x2, x3, x4, x5, x6, x7 = x[f], x[f + 1], x[f + 2], x[f + 3], x[f + 4], x[f + 5], x[f + 6], x[f + 7]
        v0, v1, v2, v3, v4, v5, v6, v7 = v[f], v[f + 1], v[f + 2], v[f + 3], v[f + 4], v[f + 5], v[f + 6], v[f + 7]
        b = B[f * LANES : (f + 8) * LANES]
        for q in range(LANES):
            total[q] += (
                (v0 * abs(x0 - b[q]) + v1 * abs(x1 - b[LANES + q]))
                + (v2 * abs(x2 - b[2 * LANES + q]) + v3 * abs(x3 - b[3 * LANES + q]))
            ) + (
                (v4 * abs(x4 - b[4 * LANES + q]) + v5 * abs(x5 - b[5 * LANES + q]))
                + (v6 * abs(x6 - b[6 * LANES + q]) + v7 * abs(x7 - b[7 * LANES + q]))
            )
    for f in range(eights, len(x)):
        for q in range(LANES):
            total[q] += v[f] * shaped(abs(x[f] - B[f * LANES + q]), shape)


@kernel
def _add_nominal(x, v, B, total):
    """The same for nominal features: weights of those that differ."""
    none = x.dtype.type(0)
    eights = len(x) // 8 * 8
    for f in range(0, eights, 8):
        x0, x1, x2, x3, x4, x5, x6, x7 = x[f], x[f + 1], x[f + 2], x[f + 3], x[f + 4], x[f + 5], x[f + 6], x[f + 7]
        v0, v1, v2, v3, v4, v5, v6, v7 = v[f], v[f + 1], v[f + 2], v[f + 3], v[f + 4], v[f + 5], v[f + 6], v[f + 7]
        b = B[f * LANES : (f + 8) * LANES]
        for q in range(LANES):
            total[q] += (
                ((v0 if x0 != b[q] else none) + (v1 if x1 != b[LANES + q] else none))
                + ((v2 if x2 != b[2 * LANES + q] else none) + (v3 if x3 != b[3 * LANES + q] else none))
            ) + (
                ((v4 if x4 != b[4 * LANES + q] else none) + (v5 if x5 != b[5 * LANES + q] else none))
                + ((v6 if x6 != b[6 * LANES + q] else none) + (v7 if x7 != b[7 * LANES + q] else none))
            )
    for f in range(eights, len(x)):
        for q in range(LANES):
            total[q] += v[f] if x[f] != B[f * LANES + q] else none
