"""Room for large arrays: in memory, or in files without a name that are mapped and gone with their arrays.

What is mapped belongs to the file: the system writes it out and reads it again as it needs memory, so that it takes
none of the process's own.
"""

import ctypes
import errno
import math
import mmap
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..checks import whole

# Environment variables
BOUND = "ORANGE_RELIEFE_SCRATCH_FROM"  # bytes
FOLDER = "ORANGE_RELIEFE_SCRATCH"
MIN_FILE_BYTES = 2**25  # size from which on an array that is made of a table in a file is in a file, too
MEMORY_SHARES = 4  # an array that is made of a table in memory is in a file if it takes more than 1 / 4 of the memory
CHUNK_BYTES = 2**25  # bytes of a table in a file that are read at once
SPAN_BYTES = 2**20  # of a mapped file that the system copies at once: the processor's cache holds them

_bounds: list[int] = []  # of the contexts that are open, the innermost last
_folders: list[str] = []


@contextmanager
def scratch_files(above: int | None = None, folder: str | None = None) -> Iterator[None]:
    """Context in which large arrays lie in files.

    Parameters
    ----------
    above : int, optional
        Bytes, at least 0, above which an array computed from the data lies in a file. None: the environment variable
        ORANGE_RELIEFE_SCRATCH_FROM. Without it: 32 MB for tables in files, a quarter of the machine's memory for tables
        in memory.
    folder : str, optional
        Folder of these files, on a disk with room for the table, and for three copies in single precision. None: the
        environment variable ORANGE_RELIEFE_SCRATCH, else the folder of temporary files.

    Raises
    ------
    ValueError, TypeError
        For a bound that is no whole number from 0, or a folder that does not exist.
    """
    bounds = [] if above is None else [whole("above", above, 0)]
    folders = [] if folder is None else [_folder(os.fspath(folder), "folder")]
    _bounds.extend(bounds)
    _folders.extend(folders)
    try:
        yield
    finally:
        del _bounds[len(_bounds) - len(bounds) :]
        del _folders[len(_folders) - len(folders) :]


def is_large(shape: tuple[int, ...], dtype: "np.dtype[Any] | type", like: np.ndarray | None = None) -> bool:
    """True if an array computed from `like`, or from no array, belongs into a file."""
    return math.prod(shape) * np.dtype(dtype).itemsize > _bound(like is None or in_file(like))


def blank(shape: tuple[int, ...], dtype: "np.dtype[Any]") -> np.ndarray:
    """Make an array for what is read from a file: in memory, or in a scratch file if it is large."""
    return mapped(shape, dtype) if is_large(shape, dtype) else np.empty(shape, dtype)


def mapped(shape: tuple[int, ...], dtype: "np.dtype[Any] | type") -> np.ndarray:
    """Make an array of zeros in a file without a name.  Raises ValueError if there is no room for it."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    folder = _scratch_folder()
    try:
        if shutil.disk_usage(folder).free < size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with tempfile.TemporaryFile(dir=folder) as file:
            if hasattr(os, "posix_fallocate"):  # now: a full disk would end the process when a page is written
                os.posix_fallocate(file.fileno(), 0, max(size, 1))
            else:
                file.truncate(max(size, 1))
            pages = _Unnamed(file.fileno(), max(size, 1))
    except OSError as error:
        raise ValueError(
            f"there is no room for a scratch file of {size / 2**20:,.0f} MB in {folder!r} ({error.strerror or error}); "
            f"the environment variable {FOLDER} names another folder"
        ) from None
    return np.frombuffer(pages, dtype, math.prod(shape)).reshape(shape)


def in_file(values: Any) -> bool:
    """True if an array is a mapped file, or a view of one."""
    return _map_of(values) is not None


def private(values: np.ndarray, name: str) -> np.ndarray:
    """Return `values`, or a copy of them where the caller mapped a file, of which nothing is read afterwards.

    A process that reads a mapped page behind the end of its file ends by SIGBUS.  So the system copies the pages, which
    reports an error instead.

    Parameters
    ----------
    values : ndarray
        Array of the caller.
    name : str
        What it is, for messages.

    Returns
    -------
    ndarray
        `values` itself if it is in memory, else a copy in memory or in a scratch file.

    Raises
    ------
    ValueError
        Where the file becomes shorter, or is written, while it is read.
    """
    pages = _map_of(values)
    if pages is None or isinstance(pages, _Unnamed):
        return values
    copied = blank(values.shape, values.dtype)
    stamp = _checked(values, pages, name)
    with tempfile.TemporaryFile(buffering=0, dir=_scratch_folder()) as passage:
        for step in chunks(len(values), values[:1].nbytes) if values.ndim else [...]:
            try:
                _copy_pages(values[step], copied[step], passage)
            except OSError as error:
                _checked(values, pages, name)
                raise ValueError(f"the file of {name} cannot be copied: {error.strerror or error}") from None
            if _checked(values, pages, name) != stamp:
                raise ValueError(f"the file of {name} was written while it was read: rank it when it is complete")
    return copied


def _copy_pages(values: np.ndarray, out: np.ndarray, passage: Any) -> None:
    """Copy mapped values into an array of the same shape, through an open file, in spans of at most SPAN_BYTES.

    Only `write` of the operating system touches the mapped pages: where the file has none, it raises OSError.
    """
    if not values.size:
        return
    reach = [stride * (size - 1) for stride, size in zip(values.strides, values.shape, strict=True)]
    first = values.ctypes.data
    lowest = first + sum(distance for distance in reach if distance < 0)
    length = sum(map(abs, reach)) + values.itemsize
    if length > SPAN_BYTES and values.size > 1:
        # The axis along which the values lie farthest apart, in halves
        axis = int(np.argmax(np.abs(reach)))
        middle = values.shape[axis] // 2
        for half in slice(None, middle), slice(middle, None):
            region = (slice(None),) * axis + (half,)
            _copy_pages(values[region], out[region], passage)
        return
    span = (ctypes.c_char * length).from_address(lowest)
    passage.seek(0)
    if passage.write(span) < length:
        raise OSError(errno.EFAULT, os.strerror(errno.EFAULT))
    passage.seek(0)
    out[...] = np.ndarray(values.shape, values.dtype, passage.read(length), first - lowest, values.strides)


def _checked(values: np.ndarray, pages: mmap.mmap, name: str) -> int | None:
    """Return the time at which a file that is only read was last written.  Raises ValueError if it became too short."""
    array: Any = values  # then the memory map behind views of it, which knows where in the file it begins
    while array is not None and not hasattr(array, "offset"):
        array = getattr(array, "base", None)
    unit = mmap.ALLOCATIONGRANULARITY
    try:
        size = pages.size()
        needed = (getattr(array, "offset", 0) or 0) // unit * unit + len(pages)
    except OSError:  # not of a file
        return None
    if size < needed:
        raise ValueError(
            f"the file of {name} became shorter while it was read: {size:,} bytes instead of {needed:,}; "
            "open it again when it is complete"
        )
    try:
        return os.stat(array.filename).st_mtime_ns if array.mode in ("r", "c") else None
    except (AttributeError, TypeError, OSError):  # it has no name, or was removed, which leaves what is mapped
        return None


def chunks(n: int, row_bytes: int) -> Iterator[slice]:
    """Iterate over slices of rows 0 .. n - 1 of CHUNK_BYTES each; row_bytes: size of a row."""
    step = max(CHUNK_BYTES // max(row_bytes, 1), 1)
    return (slice(start, min(start + step, n)) for start in range(0, n, step))


class _Unnamed(mmap.mmap):
    """Pages of a file that nobody else can cut."""


def _map_of(values: Any) -> mmap.mmap | None:
    """Return the map that an array is a view of; None for arrays in memory."""
    while values is not None and not isinstance(values, mmap.mmap):
        values = values.obj if isinstance(values, memoryview) else getattr(values, "base", None)
    return values


def _bound(in_file: bool) -> float:
    """Return the bytes above which an array lies in a file; in_file: True if it is made of an array in a file."""
    if _bounds:
        return _bounds[-1]
    text = os.environ.get(BOUND)
    if text:
        if not text.isdecimal():
            raise ValueError(f"the environment variable {BOUND} is a number of bytes, not {text[:40]!r}")
        return int(text)
    return MIN_FILE_BYTES if in_file else memory() / MEMORY_SHARES


def memory() -> float:
    """Return the bytes of memory of the machine; infinite if unknown."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return math.inf


def _scratch_folder() -> str:
    """Return the folder of scratch files."""
    return _folders[-1] if _folders else _folder(os.environ.get(FOLDER) or tempfile.gettempdir(), FOLDER)


def _folder(name: str, what: str) -> str:
    """Return the name of a folder; what: what messages call it.  Raises ValueError if it does not exist."""
    if not os.path.isdir(name):
        raise ValueError(f"{what}: there is no folder {name!r} for scratch files")
    return name
