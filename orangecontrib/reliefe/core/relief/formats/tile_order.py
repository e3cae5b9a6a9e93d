"""The order in which tiles of pairs of rows are visited: of large data in super-blocks of rows, that fit into memory.

`RowPairs` and remembered tiles visit tiles in this order. The rows of a super-block, and with them the order of sums,
depend on the shape of the data alone, so that memory decides no bit.
"""

from collections.abc import Iterator
from functools import lru_cache

from ...work.threads import PARTS

SPLIT_FROM = 2**30  # bytes of values in single precision from which on rows are divided into super-blocks
SUPER_BLOCK_BYTES = 2**27  # bytes of the values of a super-block in single precision
ALIGNED = 512  # rows of a super-block are a multiple of it, as it is one of the rows of a tile


def of_part(n: int, m: int, shape: tuple[int, int], super_block: int, part: int, n_parts: int) -> list[tuple[int, int]]:
    """Return the corners (i0, j0) of the tiles of one of n_parts parts.

    They are every n_parts-th, or of large data consecutive ones.

    Parameters
    ----------
    n, m : int
        Numbers of rows, and of target rows.
    shape : (height, width)
        Rows and columns of a tile.
    super_block : int
        Rows of a super-block; 0: all rows.
    part, n_parts : int
        Index of the part, and number of parts.
    """
    all_corners = corners(n, m, *shape, super_block)
    if not super_block:
        return all_corners[part::n_parts]
    first = len(all_corners) * part // n_parts
    last = len(all_corners) * (part + 1) // n_parts
    return all_corners[first:last]


def parts_with_tiles(n: int, m: int, shape: tuple[int, int], super_block: int) -> int:
    """Return the number of the first parts, of PARTS, that have tiles."""
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
    """Yield strips of the target rows from `start` on: first row, first column and end of the columns.

    The columns are those of one super-block, and the strips of two super-blocks follow each other, so that values in a
    file are read once for them, not for each strip. A super-block of 0 rows has whole strips.
    """
    size = super_block or max(n, m)
    for top in range(start, m, size):
        for left in range(top // size * size if super_block else 0, n, size):
            yield from ((i0, left, left + size) for i0 in range(top, min(top + size, m), height))


def rows_together(n: int, p: int) -> int:
    """Return the rows of a super-block for n rows and p features, a multiple of the rows of tiles; 0: all rows."""
    if 4 * n * p <= SPLIT_FROM:
        return 0
    return max(SUPER_BLOCK_BYTES // (4 * p) // ALIGNED, 1) * ALIGNED
