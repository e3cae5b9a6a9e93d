"""Tables and files of Arrow and Parquet, copied one batch after another."""

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


def copied_columns(X: Any, tick: Callable[[], object]) -> Copy:
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
