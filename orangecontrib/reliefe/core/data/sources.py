"""Tables that come in pieces: arrays of dask, HDF5 and zarr, here, and tables of Arrow, in `arrow_pieces.py`.

`DataTable.read` calls `copy` for them.  They are recognised by their attributes, so that nothing is imported for them.
They are copied once, some rows at a time, into an array of their own type, which lies in a file where it is large.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..words import cut
from .arrays import NUMBER_KINDS, numbers
from .arrow_pieces import copied_columns
from .copied_table import UNREADABLE, Copy
from .scratch import CHUNK_BYTES, blank

MAX_BLOCK_BYTES = 2**28  # size of the rows of a chunk, all of which must be in memory at once


def in_pieces(X: Any) -> bool:
    """True if `copy` reads X.  Raises ValueError if its file is closed."""
    if isinstance(X, np.ndarray | list | tuple) or hasattr(X, "iloc"):
        return False
    try:
        batches = any(hasattr(X, name) for name in ("to_batches", "iter_batches", "to_pydict"))
        return _is_array(X) or (hasattr(X, "schema") and batches)
    except (OSError, RuntimeError) as error:
        raise ValueError(f"X cannot be read: {error}") from error


def copy(X: Any, tick: Callable[[], object] = bool) -> Copy:
    """Copy a table that comes in pieces.

    Parameters
    ----------
    X : object
        A table that is `in_pieces`.
    tick : callable
        Called before each piece; it may raise to stop.

    Raises
    ------
    ValueError
        If X cannot be read, or holds no numbers, texts or categories.
    """
    return _copied_array(X, tick) if _is_array(X) else copied_columns(X, tick)


def _is_array(X: Any) -> bool:
    """True for an array in chunks, as of dask, HDF5 and zarr."""
    return all(hasattr(X, name) for name in ("shape", "dtype", "chunks", "__getitem__"))


def _copied_array(X: Any, tick: Callable[[], object]) -> Copy:
    """Copy an array in chunks."""
    shape = tuple(X.shape)
    if len(shape) != 2:
        raise ValueError(f"X must have two dimensions (rows, features), not {len(shape)}: its shape is {shape}")
    if any(size != size for size in shape):
        raise ValueError("X has chunks of unknown sizes: call X.compute_chunk_sizes() first")
    dtype = np.dtype(X.dtype)
    if dtype.kind not in NUMBER_KINDS:
        raise ValueError(f"X must hold numbers, not values of type {cut(dtype)}")
    n, p = map(int, shape)
    copied = blank((n, p), dtype.newbyteorder("="))
    for start, stop in _spans(X, n, p * dtype.itemsize):
        tick()
        rows_text = f"rows {start:,} to {stop - 1:,} of X"
        try:
            block = X[start:stop]
            block = block.compute() if hasattr(block, "compute") else block
        except UNREADABLE as error:
            raise ValueError(f"{rows_text} cannot be read: {cut(error) or type(error).__name__}") from error
        block = numbers(block, "X")
        if block.shape != (stop - start, p):
            raise ValueError(f"{rows_text} have the shape {block.shape} instead of {(stop - start, p)}")
        if block.dtype.newbyteorder("=") != copied.dtype:
            raise ValueError(
                f"{rows_text} hold {block.dtype}, but X says {dtype}: where values are missing, all must be of a "
                "floating type"
            )
        copied[start:stop] = block
    return Copy(copied)


def _spans(X: Any, n: int, row_bytes: int) -> list[tuple[int, int]]:
    """Return the ranges of rows that are read together: rows of whole chunks, in all about CHUNK_BYTES."""
    rows = X.chunks[0] if X.chunks else None
    heights: list[int] = []  # numbers of rows of the chunks
    if isinstance(rows, tuple):
        heights = list(rows)
    elif rows:
        n_chunks = (n + rows - 1) // rows
        heights = [min(rows, n)] * n_chunks
    tallest = max(heights, default=1)
    if tallest * row_bytes > MAX_BLOCK_BYTES:
        raise ValueError(
            f"X comes in chunks of {tallest:,} rows, which take {tallest * row_bytes / 2**20:,.0f} MB with all "
            f"columns. Store it, or rechunk it, by rows, at most {max(MAX_BLOCK_BYTES // row_bytes, 1):,} in a chunk"
        )
    ends = np.minimum(np.cumsum(heights), n).tolist() if heights else list(range(1, n + 1))
    spans = []
    start = 0
    for end, next_end in zip(ends, [*ends[1:], None], strict=True):
        if next_end is None or (next_end - start) * row_bytes > CHUNK_BYTES:
            spans.append((start, end))
            start = end
    return spans
