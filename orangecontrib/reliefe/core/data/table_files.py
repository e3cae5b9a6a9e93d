"""Files of tables that are larger than memory."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from ..words import choices, counted, cut, shown
from .copied_table import UNREADABLE
from .scratch import blank

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
