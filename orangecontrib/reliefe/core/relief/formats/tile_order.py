"""The order in which tiles of pairs of rows are visited: of large data in super-blocks of rows, that fit into memory.

Which rows these are depends on the data alone, and with them the order of sums, so that memory decides no bit.
"""

from collections.abc import Iterator
from functools import lru_cache

from ...work.threads import PARTS

SPLIT_FROM = 2**30  # bytes of values in single precision from which on rows are divided into super-blocks
SUPER_BLOCK_BYTES = 2**27  # of the values, in single precision, of a super-block
ALIGNED = 512  # rows: a multiple of those of tiles


def of_part(n: int, m: int, shape: tuple[int, int], super_block: int, part: int, n_parts: int) -> list[tuple[int, int]]:
    """Corners of the tiles of one of n_parts parts: every n_parts-th, or of large data a stretch of super-blocks."""
    found = corners(n, m, *shape, super_block)
    if not super_block:
        return found[part::n_parts]
    first, last = (len(found) * k // n_parts for k in (part, part + 1))
    return found[first:last]


def parts_with_tiles(n: int, m: int, shape: tuple[int, int], super_block: int) -> int:
    """Number of the first of PARTS parts behind which none has any tile."""
    return PARTS if super_block else min(len(corners(n, m, *shape)), PARTS)


@lru_cache(maxsize=4)
def corners(n: int, m: int, height: int, width: int, super_block: int = 0) -> list[tuple[int, int]]:
    """Corners (i0, j0) of tiles, strip by strip: from the diagonal on, or from 0 where one tile holds whole rows."""
    return [
        (i0, j0)
        for i0, first, last in pieces(n, 0, m, height, super_block)
        for j0 in range(max(i0 // width * width, first), min(last, n), width)
    ]


def pieces(n: int, start: int, m: int, height: int, super_block: int) -> Iterator[tuple[int, int, int]]:
    """Strips of the target rows from `start` on with the columns, first and last, of a super-block, those of two
    super-blocks after each other; a super-block of 0 rows: whole strips.

    What lies in files is so read once for two super-blocks, and not for each strip.
    """
    size = super_block or max(n, m)
    for top in range(start, m, size):
        for left in range(top // size * size if super_block else 0, n, size):
            yield from ((i0, left, left + size) for i0 in range(top, min(top + size, m), height))


def rows_together(n: int, p: int) -> int:
    """Rows of a super-block for data of this shape, a multiple of the rows of tiles: by the data alone, so that the
    order of sums does not depend on memory; 0 for data that fit into any."""
    if 4 * n * p <= SPLIT_FROM:
        return 0
    return max(SUPER_BLOCK_BYTES // (4 * p) // ALIGNED, 1) * ALIGNED
