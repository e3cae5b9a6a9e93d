"""Tables that come in pieces: arrays of dask, HDF5 and zarr, tables and files of Arrow and Parquet.

They are recognised by what they offer: nothing is imported for them.  They are copied once, some rows at a time, into
an array of their own type, which lies in a file where it is large.  Files of tables that are larger than memory are
opened so, too, by libraries that are imported when a file needs them; the extra [scale] has them all.
"""

import os
import re
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..words import choices, counted, cut, shown
from .arrays import NUMBERS, numbers
from .frames import dtype_of, is_known, is_number, numbers_of
from .scratch import CHUNK_BYTES, blank

MAX_BLOCK_BYTES = 2**28  # of the rows of a chunk, all of which must be in memory at once
UNREADABLE = (  # of whatever opens, computes or unpacks a piece
    ArithmeticError, AssertionError, AttributeError, EOFError, ImportError, LookupError, MemoryError, OSError,
    RuntimeError, SyntaxError, TypeError, ValueError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
NULL = "null"  # type of Arrow of columns without any value
SHORT = ("int8", "uint8", "int16", "uint16", "halffloat", "float", "bool")  # exact in single precision


@dataclass(frozen=True)
class Copy:
    """Values (n, p) of a table that came in pieces, the mask of its nominal columns, and their names, if they have
    any."""

    values: np.ndarray
    nominal: np.ndarray | None = None
    names: tuple[str, ...] | None = None


def in_pieces(X: Any) -> bool:
    """True if `copy` reads it; raises ValueError if its file is closed."""
    if isinstance(X, np.ndarray | list | tuple) or hasattr(X, "iloc"):
        return False
    try:
        batches = any(hasattr(X, name) for name in ("to_batches", "iter_batches", "to_pydict"))
        return _is_array(X) or (hasattr(X, "schema") and batches)
    except (OSError, RuntimeError) as error:
        raise ValueError(f"X cannot be read: {error}") from error


def copy(X: Any, tick: Callable[[], object] = bool) -> Copy:
    """Copy a table that comes in pieces."""
    return _copied_array(X, tick) if _is_array(X) else _copied_columns(X, tick)


def _is_array(X: Any) -> bool:
    return all(hasattr(X, name) for name in ("shape", "dtype", "chunks", "__getitem__"))


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
            f"columns. Store it, or rechunk it, by rows, at most {max(MAX_BLOCK_BYTES // row_bytes, 1):,} in a chunk"
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
    different = dict(zip(kinds, schema.types, strict=True))  # few, of tables with many thousand columns
    known = {kind: dtype_of(of_arrow) for kind, of_arrow in different.items()}
    dtypes = [known[kind] for kind in kinds]
    for name, kind, dtype in zip(names, kinds, dtypes, strict=True):
        if dtype.is_nested() or not (is_known(dtype) or kind == NULL):
            raise ValueError(f"the column {cut(name)} of X must hold numbers, texts or categories, not {cut(kind)}")
    nominal = np.array([is_known(dtype) and not is_number(dtype) for dtype in dtypes], bool)
    direct = [dtype.is_integer() or dtype.is_float() for dtype in dtypes]  # as Arrow itself makes them arrays of NumPy
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
            if nominal[f]:
                values = _coded(column, codes[f])
            else:
                values = column.to_numpy(zero_copy_only=False) if direct[f] else numbers_of(column)
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


# --- Files ------------------------------------------------------------------------------------------------------------

NUMPY, SPARSE, ZARR = (".npy",), (".npz",), (".zarr",)
HDF5, PARQUET, ARROW = (".h5", ".hdf5"), (".parquet", ".pq"), (".feather", ".arrow", ".ipc")
ENDINGS = (*NUMPY, *SPARSE, *HDF5, *ZARR, *PARQUET, *ARROW)
PARTS = ("data", "indices", "indptr")  # of CSR, a file each in a folder
ROWS_AT_ONCE, LONGEST = 2**14, 500  # the latter of what a library says
# Features of a folder of CSR, which does not say how many there are; a few values are no reason to expect as many.
MAX_WIDTH, FREE_WIDTH, WIDTH_PER_VALUE = 2**24, 2**20, 16


@dataclass(frozen=True)
class Columns:
    """Some columns of a dataset of pyarrow, which comes in batches."""

    schema: Any
    dataset: Any

    def to_batches(self) -> Iterator[Any]:
        """Its batches, one after another."""
        how = {"batch_size": ROWS_AT_ONCE, "batch_readahead": 1, "fragment_readahead": 1}
        yield from self.dataset.to_batches(columns=self.schema.names, **how)


def is_file_of_tables(name: str) -> bool:
    """True for a name that `open_table` takes, by its ending, or for a folder of CSR."""
    return _split(name)[0].lower().rstrip("/").endswith(ENDINGS) or _is_csr(name)


def open_table(name: str, target: str | None = None) -> tuple[Any, Any]:
    """X and y as `rank` takes them, never whole in memory, of a file, a folder of CSR arrays or "file.h5:name".

    target: a column of Arrow or Parquet, or another array of the HDF5 or zarr file.  Raises ValueError where there is
    no such file, array or column, it cannot be read, or a library is missing.
    """
    path, part = _split(name)
    check_file(path)
    ending = path.lower().rstrip("/")
    try:
        if ending.endswith((*PARQUET, *ARROW)):
            return _columns(path, "parquet" if ending.endswith(PARQUET) else "feather", target)
        if ending.endswith((*HDF5, *ZARR)):
            return _arrays(path, part, target, ending.endswith(HDF5))
        if target is not None:
            raise ValueError(f"it holds no target {target!r}")
        if ending.endswith(NUMPY):
            return read_array(path), None
        return (_csr_folder(path) if _is_csr(path) else sparse.load_npz(path)), None
    except UNREADABLE as error:
        raise ValueError(f"cannot read {name!r}: {cut(error, LONGEST) or type(error).__name__}") from error


def check_file(path: str) -> None:
    """Raise ValueError where there is no file or folder, or a pipe or device, which cannot be read twice."""
    if not os.path.exists(path):
        raise ValueError(f"there is no file {path!r}")
    if not (os.path.isfile(path) or os.path.isdir(path)):
        raise ValueError(f"{path!r} is a pipe or device: save its contents in a file first")


def read_array(path: str | Path) -> np.ndarray:
    """The array in a .npy, in memory or, where it is large, in a scratch file: none of its pages is mapped.

    Raises ValueError or OSError where it cannot be read, or is written meanwhile.
    """
    with open(path, "rb") as file:
        begun = os.fstat(file.fileno())
        like = np.lib.format.open_memmap(path, "r")  # type: ignore[no-untyped-call]  # for its header
        shape, order = (like.shape, "C") if like.flags.c_contiguous else (like.shape[::-1], "F")
        out = blank(shape, like.dtype)
        file.seek(like.offset)
        size = file.readinto(out.reshape(-1).view(np.uint8).data)
        if size < out.nbytes:
            missing = f"{size:,} bytes instead of {out.nbytes:,}"
            raise ValueError(f"{os.fspath(path)!r} became shorter while it was read: {missing}")
        if os.fstat(file.fileno()).st_mtime_ns != begun.st_mtime_ns:
            raise ValueError(f"{os.fspath(path)!r} was written while it was read")
    return out if order == "C" else out.T


def _split(name: str) -> tuple[str, str | None]:
    """A path, and the part behind a colon after the ending of HDF5 or zarr."""
    found = re.fullmatch(r"(.+\.(?:h5|hdf5|zarr)):(.+)", name, re.IGNORECASE)
    return (found[1], found[2]) if found else (name, None)


def _library(name: str, path: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ValueError(f"{path!r} needs {name.split('.')[0]}: pip install 'Orange3-ReliefE[scale]'") from None


def _columns(path: str, kind: str, target: str | None) -> tuple[Any, Any]:
    dataset = _library("pyarrow.dataset", path).dataset(path, format=kind)
    names = dataset.schema.names
    if target is None:
        return Columns(dataset.schema, dataset), None
    if target not in names:
        raise ValueError(f"{path!r} has no column {shown(target)}; {choices(target, names, shown)}")
    y = dataset.to_table(columns=[target])[target].to_pandas()
    return Columns(dataset.schema.remove(names.index(target)), dataset), y


def _arrays(path: str, part: str | None, target: str | None, hdf5: bool) -> tuple[Any, Any]:
    group = _library("h5py", path).File(path, "r") if hdf5 else _library("zarr", path).open(path, mode="r")
    if not hasattr(group, "keys"):  # an array of zarr
        if part or target:
            raise ValueError("it is a single array")
        return group, None
    found = {name: group[name] for name in group if hasattr(group[name], "shape")}
    names = {name for name in found if len(found[name].shape) == 2} - {target}
    if not part and len(names) != 1:
        raise ValueError(f"it has {len(names)} tables; name one behind a colon: {', '.join(sorted(names))}")
    part = part or names.pop()
    for name in (part, *([target] if target else [])):
        if name not in found and name not in group:
            raise ValueError(f"there is no array {shown(name)}; {choices(name, sorted(found), shown)}")
    return group[part], None if target is None else np.asarray(group[target][...])


def _is_csr(path: str) -> bool:
    return os.path.isdir(path) and all(os.path.isfile(os.path.join(path, f"{part}.npy")) for part in PARTS)


def _csr_folder(path: str) -> sparse.csr_array:
    data, indices, indptr = (read_array(os.path.join(path, f"{part}.npy")) for part in PARTS)
    width = int(indices.max(initial=-1)) + 1
    most = min(MAX_WIDTH, max(FREE_WIDTH, WIDTH_PER_VALUE * len(indices)))
    if width > most:
        raise ValueError(
            f"indices.npy has the index {width - 1:,} at place {int(indices.argmax()):,}, and at most {most:,} "
            f"features are read from a folder of {counted(len(indices), 'value')}. Number them from 0 on, without gaps"
        )
    return sparse.csr_array((data, indices, indptr), shape=(len(indptr) - 1, width))
