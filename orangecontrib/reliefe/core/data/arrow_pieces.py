"""Copies of tables of Arrow and of files of Parquet, one batch after another.

`sources.py` calls `copied_columns` for what has a schema and batches.
"""

from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np

from ..words import cut
from .copied_table import UNREADABLE, Copy
from .frame_columns import dtype_of, is_known, is_number, numbers_of
from .scratch import blank

NULL = "null"  # type of Arrow of columns without any value
SHORT = ("int8", "uint8", "int16", "uint16", "halffloat", "float", "bool")  # exact in single precision


def _batches(X: Any) -> Iterator[Any]:
    """Iterate over the batches of X.  Raises ValueError where one cannot be read, or is damaged."""
    n = 0
    try:
        if hasattr(X, "iter_batches"):
            batches = X.iter_batches()
        else:
            batches = X.to_batches() if hasattr(X, "to_batches") else [X]
        for batch in batches:
            batch.validate(full=True)  # offsets of a damaged file may point outside of it, which ends the process
            n += batch.num_rows
            yield batch
    except UNREADABLE as error:
        files = getattr(getattr(X, "dataset", X), "files", ())
        name = f"X ({', '.join(files)})" if files else "X"
        raise ValueError(f"{name} cannot be read behind its first {n:,} rows: {error}") from error


def copied_columns(X: Any, tick: Callable[[], object]) -> Copy:
    """Copy the columns of a table of Arrow, or of a file of Parquet.

    Parameters
    ----------
    X : object
        Table with a schema and batches.
    tick : callable
        Called before each batch; it may raise to stop.

    Raises
    ------
    ValueError
        If a batch cannot be read, a column holds no numbers, texts or categories, or X changes meanwhile.
    """
    # Types of the columns
    schema = getattr(X, "schema_arrow", X.schema)
    names = tuple(map(str, schema.names))
    kinds = [str(kind) for kind in schema.types]
    type_of_kind = dict(zip(kinds, schema.types, strict=True))  # few, in tables with many thousand columns
    dtype_of_kind = {kind: dtype_of(arrow_type) for kind, arrow_type in type_of_kind.items()}
    dtypes = [dtype_of_kind[kind] for kind in kinds]
    for name, kind, dtype in zip(names, kinds, dtypes, strict=True):
        if dtype.is_nested() or not (is_known(dtype) or kind == NULL):
            raise ValueError(f"the column {cut(name)} of X must hold numbers, texts or categories, not {cut(kind)}")
    nominal = np.array([is_known(dtype) and not is_number(dtype) for dtype in dtypes], bool)
    are_direct = [dtype.is_integer() or dtype.is_float() for dtype in dtypes]  # Arrow makes arrays of NumPy of them
    # Numbers of rows and of missing values
    n = 0
    n_missing = np.zeros(len(names), np.int64)
    for batch in _batches(X):
        tick()
        n += batch.num_rows
        n_missing += [int(column.null_count) for column in batch.columns]
    # Copy batch after batch
    copied = blank((n, len(names)), _common_dtype(kinds, nominal, n_missing))
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
                values = column.to_numpy(zero_copy_only=False) if are_direct[f] else numbers_of(column)
            if values.dtype.kind == "f" and copied.dtype.kind != "f" and np.isnan(values).any():
                raise ValueError(f"the column {cut(names[f])} of X has changed while it was read")
            copied[start:stop, f] = values
        start = stop
    if start != n:
        raise ValueError(f"X has changed while it was read: it had {n:,} rows")
    return Copy(copied, nominal, names)


def _common_dtype(kinds: list[str], nominal: np.ndarray, n_missing: np.ndarray) -> "np.dtype[Any]":
    """Return a type that holds all columns: of integers where all are and none is missing, else the shortest exact one.

    kinds (p,): Arrow's names of the types; nominal (p,) bool; n_missing (p,): numbers of missing values.
    """
    numeric_kinds = [kind for kind, is_nominal in zip(kinds, nominal.tolist(), strict=True) if not is_nominal]
    if not n_missing.any() and not nominal.any() and all("int" in kind for kind in numeric_kinds):
        dtype = np.result_type(*numeric_kinds)
        if dtype.kind in "iu":
            return dtype
    return np.dtype(np.float32 if all(kind in SHORT for kind in numeric_kinds) else np.float64)


def _coded(column: Any, codes: dict[Any, int]) -> np.ndarray:
    """Return codes (n,) of values in the order in which they occur, NaN where they are missing.

    codes: of the values that occurred in batches before; new ones are added.
    """
    if not str(column.type).startswith("dictionary"):
        column = column.dictionary_encode()
    values = column.dictionary.to_pylist()
    indices = np.asarray(column.indices.fill_null(-1).to_numpy(zero_copy_only=False))
    _, first = np.unique(indices, return_index=True)
    code_of_index = np.full(len(values) + 1, np.nan)  # the last one is that of missing values, whose index is -1
    for index in indices[np.sort(first)].tolist():
        if index >= 0 and values[index] is not None:
            code_of_index[index] = codes.setdefault(values[index], len(codes))
    return cast("np.ndarray", code_of_index[indices])
