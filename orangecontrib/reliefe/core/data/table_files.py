"""Files of arrays and columns: .npy, .npz, .mtx, libsvm, HDF5, zarr, Parquet, Arrow, and folders of CSR.

The command line opens them by `open_table`.  Those that may be larger than memory are read in pieces by `rank`.
Libraries are imported when a file needs them; the extra [scale] has them all.
"""

import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ...extras import install
from ...formats import (
    ARRAYS,
    COLUMNS,
    HDF5,
    LIBSVM,
    MATRIX_MARKET,
    NUMPY,
    PARQUET,
    SPARSE,
    ZARR,
    is_of,
    kind_of,
    not_read,
)
from ..words import choices, counted, cut, shown
from .copied_table import UNREADABLE
from .limits import check_declared, check_sparse, check_unpacked
from .scratch import blank
from .sparse_files import read_libsvm, read_matrix_market

CSR_ARRAYS = ("data", "indices", "indptr")  # files of a folder of CSR
ROWS_PER_BATCH = 2**14
MAX_MESSAGE_LENGTH = 500  # characters of a library's message


class OpenedTable(NamedTuple):
    """A table in a file, as `rank` takes it.

    Attributes
    ----------
    X : array, sparse array or columns (n, p)
        Features.
    y : (n,) array or DataFrame, optional
        Target; a frame has a column of 0 and 1 for each label. None if the file has none, or none was asked for.
    names : (p,) tuple of str, optional
        Names of the features of an array whose file has them.
    notes : tuple of str
        Sentences on how the file was read.
    """

    X: Any
    y: Any = None
    names: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ArrowColumns:
    """Columns of a dataset of pyarrow, which comes in batches.

    schema: names and types of these columns.
    dataset: the dataset of pyarrow.
    """

    schema: Any
    dataset: Any

    def to_batches(self) -> Iterator[Any]:
        """Iterate over the batches."""
        yield from self.dataset.to_batches(
            columns=self.schema.names, batch_size=ROWS_PER_BATCH, batch_readahead=1, fragment_readahead=1
        )


def is_file_of_tables(name: str) -> bool:
    """True for a name that `open_table` takes, by its ending, or for a folder of CSR."""
    return is_of(_split(name)[0], ARRAYS) or _is_csr(name)


def open_table(name: str, target: str | None = None) -> OpenedTable:
    """Open a file of a table.

    Parameters
    ----------
    name : str
        Path of a file or of a folder of CSR arrays, or "file.h5:name".
    target : str, optional
        A column of Arrow or Parquet, or another array of the HDF5 or zarr file.

    Returns
    -------
    OpenedTable
        Files that may be larger than memory are not read yet.

    Raises
    ------
    ValueError
        If there is no such file, array or column, it cannot be read, or a library is missing.
    """
    path, array_name = _split(name)
    check_file(path)
    kind = kind_of(path)
    try:
        if kind in (SPARSE, MATRIX_MARKET, LIBSVM) and os.path.isfile(path):
            check_unpacked(path)
        if kind in COLUMNS:
            return _columns(path, "parquet" if kind == PARQUET else "feather", target)
        if kind in (HDF5, ZARR):
            return _arrays(path, array_name, target, kind == HDF5)
        if target is not None:
            raise ValueError(f"it holds no target {target!r}")
        if kind == NUMPY:
            return OpenedTable(read_array(path))
        if kind == MATRIX_MARKET:
            return _matrix_market(path)
        if kind == LIBSVM:
            return _libsvm(path)
        if _is_csr(path):
            return OpenedTable(_csr_folder(path))
        if kind == SPARSE:
            return OpenedTable(_sparse_array(path))
    except UNREADABLE as error:
        raise ValueError(f"cannot read {name!r}: {cut(error, MAX_MESSAGE_LENGTH) or type(error).__name__}") from error
    raise ValueError(not_read(path, ARRAYS))


def has_columns(name: str) -> bool:
    """True for a name of a file of Arrow or Parquet, one of whose columns may be the target."""
    return is_of(name, COLUMNS)


def names_of_columns(path: str) -> list[str]:
    """Return the names of the columns of a file of Arrow or Parquet, whose values are not read.

    Raises ValueError if there is no such file, it cannot be read, or a library is missing.
    """
    check_file(path)
    is_parquet = kind_of(path) == PARQUET
    try:
        if _is_read_by_polars():
            polars = import_module("polars")
            return [*(polars.read_parquet_schema(path) if is_parquet else polars.read_ipc_schema(path))]
        dataset = _library("pyarrow.dataset", path).dataset(path, format="parquet" if is_parquet else "feather")
        return [*dataset.schema.names]
    except UNREADABLE as error:
        raise ValueError(f"cannot read {path!r}: {cut(error, MAX_MESSAGE_LENGTH) or type(error).__name__}") from error


def check_file(path: str) -> None:
    """Raise ValueError where there is no file or folder, or a pipe or device, which cannot be read twice."""
    if not os.path.exists(path):
        raise ValueError(f"there is no file {path!r}")
    if not (os.path.isfile(path) or os.path.isdir(path)):
        raise ValueError(f"{path!r} is a pipe or device: save its contents in a file first")


def read_array(path: str | Path) -> np.ndarray:
    """Read the array in a .npy into memory or, where it is large, into a scratch file: none of its pages is mapped.

    Raises ValueError or OSError if it cannot be read, or is written meanwhile.
    """
    with open(path, "rb") as file:
        begun = os.fstat(file.fileno())
        like = np.lib.format.open_memmap(path, "r")  # type: ignore[no-untyped-call]  # for its header
        is_c_order = like.flags.c_contiguous
        values = blank(like.shape if is_c_order else like.shape[::-1], like.dtype)
        file.seek(like.offset)
        size = file.readinto(values.reshape(-1).view(np.uint8).data)
        if size < values.nbytes:
            missing = f"{size:,} bytes instead of {values.nbytes:,}"
            raise ValueError(f"{os.fspath(path)!r} became shorter while it was read: {missing}")
        if os.fstat(file.fileno()).st_mtime_ns != begun.st_mtime_ns:
            raise ValueError(f"{os.fspath(path)!r} was written while it was read")
    return values if is_c_order else values.T


def _split(name: str) -> tuple[str, str | None]:
    """Split a name into a path and the part behind a colon after the ending of HDF5 or zarr."""
    match = re.fullmatch(r"(.+\.(?:h5|hdf5|zarr)):(.+)", name, re.IGNORECASE)
    return (match[1], match[2]) if match else (name, None)


def _library(name: str, path: str) -> Any:
    """Import a library that a file needs.  Raises ValueError if it is missing."""
    try:
        return import_module(name)
    except ImportError:
        raise ValueError(f"{path!r} needs {name.split('.')[0]}: {install('scale')}") from None


def _is_read_by_polars() -> bool:
    """True if pyarrow is missing, and polars is not."""
    return find_spec("pyarrow") is None and find_spec("polars") is not None


def _columns(path: str, kind: str, target: str | None) -> OpenedTable:
    """Open a file of Arrow or Parquet: by pyarrow or, where it is missing, by polars, which reads all of it."""
    if _is_read_by_polars():
        polars = import_module("polars")
        lazy = polars.scan_parquet(path) if kind == "parquet" else polars.scan_ipc(path, memory_map=False)
        n_rows = lazy.select(polars.len()).collect().item()
        check_declared(n_rows, len(lazy.collect_schema()), _stored_bytes(path))
        frame = polars.read_parquet(path) if kind == "parquet" else polars.read_ipc(path, memory_map=False)
        _check_column(path, target, frame.columns)
        return OpenedTable(frame) if target is None else OpenedTable(frame.drop(target), frame[target])
    dataset = _library("pyarrow.dataset", path).dataset(path, format=kind)
    names = dataset.schema.names
    _check_column(path, target, names)
    check_declared(dataset.count_rows(), len(names), _stored_bytes(path))
    if target is None:
        return OpenedTable(ArrowColumns(dataset.schema, dataset))
    y = dataset.to_table(columns=[target])[target].to_pandas().rename(target)
    return OpenedTable(ArrowColumns(dataset.schema.remove(names.index(target)), dataset), y)


def _stored_bytes(path: str) -> int:
    """Return the size of a file, or of all files in a folder."""
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(file.stat().st_size for file in Path(path).rglob("*") if file.is_file())


def _check_column(path: str, target: str | None, names: Sequence[str]) -> None:
    """Raise ValueError if a file has no column of this name."""
    if target is not None and target not in names:
        raise ValueError(f"{path!r} has no column {shown(target)}; {choices(target, names, shown)}")


def _arrays(path: str, array_name: str | None, target: str | None, hdf5: bool) -> OpenedTable:
    """Open an array of an HDF5 or zarr file."""
    group = _library("h5py", path).File(path, "r") if hdf5 else _library("zarr", path).open(path, mode="r")
    if not hasattr(group, "keys"):  # an array of zarr
        if array_name or target:
            raise ValueError("it is a single array")
        _check_shape(group)
        return OpenedTable(group)
    arrays = {name: group[name] for name in group if hasattr(group[name], "shape")}
    tables = {name for name in arrays if len(arrays[name].shape) == 2} - {target}
    if not array_name and len(tables) != 1:
        raise ValueError(f"it has {len(tables)} tables; name one behind a colon: {', '.join(sorted(tables))}")
    array_name = array_name or tables.pop()
    for name in (array_name, *([target] if target else [])):
        if name not in arrays and name not in group:
            raise ValueError(f"there is no array {shown(name)}; {choices(name, sorted(arrays), shown)}")
    for name in (array_name, *([target] if target else [])):
        _check_shape(group[name])
    return OpenedTable(group[array_name], None if target is None else np.asarray(group[target][...]))


def _check_shape(array: Any) -> None:
    """Raise ValueError for an array of HDF5 or zarr whose file has hardly any of its values."""
    if getattr(array, "is_virtual", False) or getattr(array, "external", None):  # values are in other files
        return
    if hasattr(array, "id"):  # of h5py
        n_bytes = array.id.get_storage_size()
    else:
        n_bytes = array.nbytes_stored() if callable(array.nbytes_stored) else array.nbytes_stored
    n_rows, *other_sizes = array.shape or (1,)
    check_declared(int(n_rows), math.prod(map(int, other_sizes)), int(n_bytes))


def _is_csr(path: str) -> bool:
    """True for a folder of CSR arrays."""
    return os.path.isdir(path) and all(
        os.path.isfile(os.path.join(path, f"{array_name}.npy")) for array_name in CSR_ARRAYS
    )


def _matrix_market(path: str) -> OpenedTable:
    """Read a MatrixMarket; a note says if several of its entries are for one cell."""
    matrix = read_matrix_market(path)
    if not matrix.n_added:
        return OpenedTable(matrix.X)
    entries = counted(matrix.n_added, "entry", "entries")
    note = f"{entries} for cells that have a value already: values of one cell are added"
    return OpenedTable(matrix.X, notes=(note,))


def _libsvm(path: str) -> OpenedTable:
    """Read the rows of libsvm; sets of labels become a frame, whose columns have the names of the labels."""
    rows = read_libsvm(path)
    y: Any = rows.y
    if rows.labels:
        from pandas import DataFrame

        y = DataFrame(rows.y, columns=[*rows.labels])
    return OpenedTable(rows.X, y, rows.names)


def _sparse_array(path: str) -> Any:
    """Read a sparse array that SciPy saved."""
    array = sparse.load_npz(path)
    n_rows, n_columns = array.shape
    check_sparse(n_rows, n_columns, array.nnz)
    return array


def _csr_folder(path: str) -> sparse.csr_array:
    """Read a folder of CSR arrays."""
    data, indices, indptr = (read_array(os.path.join(path, f"{array_name}.npy")) for array_name in CSR_ARRAYS)
    n_features = int(indices.max(initial=-1)) + 1
    check_sparse(len(indptr) - 1, n_features, len(indices))
    return sparse.csr_array((data, indices, indptr), shape=(len(indptr) - 1, n_features))
