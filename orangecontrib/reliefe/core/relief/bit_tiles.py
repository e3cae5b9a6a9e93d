"""Tiles of distances of columns in bits: 64 rows side by side, a word of 64 columns after another."""

import numpy as np

from ..data.bit_columns import LANES, BitColumns
from ..jit import kernel

WORDS_AT_ONCE = 32  # whose counts are taken before the next rows are: so many of 64 rows stay in the first cache


def add_bits(bits: BitColumns, where: tuple[int, int, int, int], upper: bool, out: np.ndarray) -> None:
    """Add to a tile what the columns in bits differ.

    Shapes: `out` (at least i1 - i0, at least j1 - j0).
    """
    for group in bits.groups:
        _add(group.lanes, group.planes, out.dtype.type(group.unit), where, upper, out)


@kernel
def _add(lanes, planes, unit, where, upper, out):
    """One group."""
    i0, i1, j0, j1 = where
    words, step = lanes.shape[1] // (planes * LANES), planes * LANES
    total, own = np.zeros(LANES, np.uint64), np.zeros(WORDS_AT_ONCE * planes, np.uint64)
    for w0 in range(0, words, WORDS_AT_ONCE):
        w1 = min(w0 + WORDS_AT_ONCE, words)
        for l0 in range(j0, j1, LANES):
            width, theirs = min(LANES, j1 - l0), lanes[l0 // LANES, w0 * step : w1 * step]
            for i in range(i0, i1):
                if upper and i + 1 >= l0 + width:
                    break
                mine, lane = lanes[i // LANES], i % LANES
                for w in range((w1 - w0) * planes):
                    own[w] = mine[w0 * step + w * LANES + lane]
                total[:] = 0
                if planes == 1:
                    for w in range(w1 - w0):
                        b = theirs[w * LANES : (w + 1) * LANES]
                        for q in range(LANES):
                            total[q] += _count(own[w] ^ b[q])
                elif planes == 2:
                    for w in range(w1 - w0):
                        b, x, y = theirs[w * step : (w + 1) * step], own[2 * w], own[2 * w + 1]
                        for q in range(LANES):
                            total[q] += _count((x ^ b[q]) | (y ^ b[LANES + q]))
                elif planes == 3:
                    for w in range(w1 - w0):
                        b, x, y, z = theirs[w * step : (w + 1) * step], own[3 * w], own[3 * w + 1], own[3 * w + 2]
                        for q in range(LANES):
                            total[q] += _count((x ^ b[q]) | (y ^ b[LANES + q]) | (z ^ b[2 * LANES + q]))
                else:
                    for w in range(w1 - w0):
                        b, x, y, z = theirs[w * step : (w + 1) * step], own[4 * w], own[4 * w + 1], own[4 * w + 2]
                        last = own[4 * w + 3]
                        for q in range(LANES):
                            total[q] += _count(
                                (x ^ b[q]) | (y ^ b[LANES + q]) | (z ^ b[2 * LANES + q]) | (last ^ b[3 * LANES + q])
                            )
                row = out[i - i0, l0 - j0 : l0 - j0 + width]
                for q in range(width):
                    row[q] += unit * row.dtype.type(total[q])


@kernel(forceinline=True)
def _count(x):
    """Number of the bits that are set, in a form that LLVM knows."""
    x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (x * np.uint64(0x0101010101010101)) >> np.uint64(56)
