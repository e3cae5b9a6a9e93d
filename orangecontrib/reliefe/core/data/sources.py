"""Tables that come in pieces: arrays of dask, HDF5 and zarr, tables and files of Arrow and Parquet.

They are recognised by what they offer: nothing is imported for them.  They are copied once, some rows at a time, into
an array of their own type, which lies in a file where it is large.
"""

import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ..words import cut
from .arrays import NUMBERS, is_frame, numbers
from .scratch import CHUNK_BYTES, blank

MAX_BLOCK_BYTES = 2**28  # of the rows of a chunk, all of which must be in memory at once
UNREADABLE = (  # of whatever opens, computes or unpacks a piece
    ArithmeticError, AssertionError, AttributeError, EOFError, ImportError, LookupError, MemoryError, OSError,
    RuntimeError, SyntaxError, TypeError, ValueError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
TEXTS = ("string", "large_string", "string_view", "bool")  # types of Arrow that are nominal, and of numbers
FLOATS = ("float", "double", "halffloat")
SHORT = ("int8", "uint8", "int16", "uint16", "halffloat", "float", "bool")  # exact in single precision


@dataclass(frozen=True)
class Copy:
    """Values (n, p) of a table that came in pieces, the mask of its nominal columns, and their names, if they have
    any."""

    values: np.ndarray
    nominal: np.ndarray | None = None
    names: tuple[str, ...] | None = None


def in_pieces(X: Any) -> bool:
    """True for what `copy` reads; raises ValueError where its file is closed."""
    if isinstance(X, np.ndarray | list | tuple) or is_frame(X):
        return False
    try:
        return _is_array(X) or _is_arrow(X)
    except (OSError, RuntimeError) as error:
        raise ValueError(f"X cannot be read: {error}") from error


def copy(X: Any, tick: Callable[[], object] = bool) -> Copy:
    """Copy a table that comes in pieces."""
    return _copied_array(X, tick) if _is_array(X) else _copied_columns(X, tick)


def _is_array(X: Any) -> bool:
    return all(hasattr(X, name) for name in ("shape", "dtype", "chunks", "__getitem__"))


def _is_arrow(X: Any) -> bool:
    return hasattr(X, "schema") and (hasattr(X, "to_batches") or hasattr(X, "iter_batches") or hasattr(X, "to_pydict"))


def _copied_array(X: Any, tick: Callable[[], object]) -> Copy:
    shape = tuple(X.shape)
    if len(shape) != 2:
        raise ValueError(f"X must have two dimensions (rows, features), not {len(shape)}: its shape is {shape}")
    if any(size != size for size in shape):
        raise ValueError("X has chunks of unknown sizes: call X.compute_chunk_sizes() first")
    dtype = np.dtype(X.dtype)
    if dtype.kind not in NUMBERS:
        raise ValueError(f"X must hold numbers, not values of type {cut(dtype)}")
    n, p = map(int, shape)
    out = blank((n, p), dtype.newbyteorder("="))
    for start, stop in _spans(X, n, p * dtype.itemsize):
        tick()
        where = f"rows {start:,} to {stop - 1:,} of X"
        try:
            block = X[start:stop]
            block = block.compute() if hasattr(block, "compute") else block
        except UNREADABLE as error:
            raise ValueError(f"{where} cannot be read: {cut(error) or type(error).__name__}") from error
        block = numbers(block, "X")
        if block.shape != (stop - start, p):
            raise ValueError(f"{where} have the shape {block.shape} instead of {(stop - start, p)}")
        if block.dtype.newbyteorder("=") != out.dtype:
            raise ValueError(
                f"{where} hold {block.dtype}, but X says {dtype}: where values are missing, all must be of a "
                "floating type"
            )
        out[start:stop] = block
    return Copy(out)


def _spans(X: Any, n: int, row_bytes: int) -> list[tuple[int, int]]:
    """Rows that are read together: of whole chunks."""
    rows = X.chunks[0] if X.chunks else None
    heights = list(rows) if isinstance(rows, tuple) else [min(rows, n)] * -(-n // rows) if rows else []
    tallest = max(heights, default=1)
    if tallest * row_bytes > MAX_BLOCK_BYTES:
        raise ValueError(
            f"X comes in chunks of {tallest:,} rows, which take {tallest * row_bytes / 2**20:,.0f} MB with all "
            f"columns: store it, or rechunk it, by rows, at most {max(MAX_BLOCK_BYTES // row_bytes, 1):,} in a chunk"
        )
    ends = np.minimum(np.cumsum(heights), n).tolist() if heights else list(range(1, n + 1))
    out, start = [], 0
    for end, following in zip(ends, [*ends[1:], None], strict=True):
        if following is None or (following - start) * row_bytes > CHUNK_BYTES:
            out.append((start, end))
            start = end
    return out


# --- Arrow ------------------------------------------------------------------------------------------------------------


def _batches(X: Any) -> Iterator[Any]:
    n = 0
    try:
        whole = X.to_batches() if hasattr(X, "to_batches") else [X]
        for batch in X.iter_batches() if hasattr(X, "iter_batches") else whole:
            n += batch.num_rows
            yield batch
    except UNREADABLE as error:
        files = getattr(getattr(X, "dataset", X), "files", ())
        name = f"X ({', '.join(files)})" if files else "X"
        raise ValueError(f"{name} cannot be read behind its first {n:,} rows: {error}") from error


def _copied_columns(X: Any, tick: Callable[[], object]) -> Copy:
    schema = getattr(X, "schema_arrow", X.schema)
    names = tuple(map(str, schema.names))
    kinds = [str(kind) for kind in schema.types]
    nominal = np.array([kind.startswith("dictionary") or kind in TEXTS for kind in kinds], bool)
    for name, kind, is_code in zip(names, kinds, nominal.tolist(), strict=True):
        if not is_code and kind.rstrip("0123456789") not in ("int", "uint") and kind not in FLOATS:
            raise ValueError(f"the column {cut(name)} of X must hold numbers, texts or categories, not {cut(kind)}")
    n, lacking = 0, np.zeros(len(names), np.int64)
    for batch in _batches(X):
        tick()
        n += batch.num_rows
        lacking += [int(column.null_count) for column in batch.columns]
    out = blank((n, len(names)), _common(kinds, nominal, lacking))
    codes: list[dict[Any, int]] = [{} for _ in names]
    start = 0
    for batch in _batches(X):
        tick()
        stop = start + batch.num_rows
        if stop > n:
            break
        for f, column in enumerate(batch.columns):
            values = _coded(column, codes[f]) if nominal[f] else column.to_numpy(zero_copy_only=False)
            if values.dtype.kind == "f" and out.dtype.kind != "f" and np.isnan(values).any():
                raise ValueError(f"the column {cut(names[f])} of X has changed while it was read")
            out[start:stop, f] = values
        start = stop
    if start != n:
        raise ValueError(f"X has changed while it was read: it had {n:,} rows")
    return Copy(out, nominal, names)


def _common(kinds: list[str], nominal: np.ndarray, lacking: np.ndarray) -> "np.dtype[Any]":
    """A type that holds all columns: whole numbers where all are and none is missing, else as short as is exact."""
    whole = [kind for kind, codes in zip(kinds, nominal.tolist(), strict=True) if not codes]
    if not lacking.any() and not nominal.any() and all("int" in kind for kind in whole):
        found = np.result_type(*whole)
        if found.kind in "iu":
            return found
    return np.dtype(np.float32 if all(kind in SHORT for kind in whole) else np.float64)


def _coded(column: Any, codes: dict[Any, int]) -> np.ndarray:
    """Codes of values in the order in which they occur, NaN where they are missing."""
    if not str(column.type).startswith("dictionary"):
        column = column.dictionary_encode()
    values = column.dictionary.to_pylist()
    places = np.asarray(column.indices.fill_null(-1).to_numpy(zero_copy_only=False))
    _, first = np.unique(places, return_index=True)
    own = np.full(len(values) + 1, np.nan)
    for place in places[np.sort(first)].tolist():
        if place >= 0 and values[place] is not None:
            own[place] = codes.setdefault(values[place], len(codes))
    return cast("np.ndarray", own[places])
