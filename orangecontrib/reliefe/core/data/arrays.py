"""Reading of arrays as callers have them: lists, masked arrays, frames, series and sparse matrices.

Masked cells, and those that pandas and other libraries call missing, are missing.  Arguments of all exported functions
are read by these functions, with the argument's name for messages.
"""

from typing import Any, cast

import numpy as np
from scipy import sparse

from ..words import cut
from . import frames
from .frame_columns import cells_of_series
from .frames import collected, is_frame, is_series
from .indices import check, csr
from .missing_objects import absent, is_missing
from .scratch import in_file, private

# Kinds of NumPy's types
NUMBER_KINDS = "fiub"  # floats, integers, bools
TEXT_KINDS = "US"


def cells(values: Any, name: str) -> np.ndarray:
    """Return values as a plain array, a copy if they are a mapped file.

    Masked floats become NaN; masked values of any other type become None, as do missing values in types of pandas.

    Parameters
    ----------
    values : array-like, frame or series
        Values of any type.
    name : str
        What messages call them.

    Raises
    ------
    ValueError
        For sequences of different lengths, and for sparse matrices.
    """
    if sparse.issparse(values):
        raise ValueError(f"{name} must be an array, not a sparse matrix")
    values = _with_masks(_in_memory(collected(values), name))
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)  # type: ignore[no-untyped-call]  # NumPy has no types of it
        data = np.asarray(values.data)
        if mask.any() and data.dtype.kind == "f":
            data = np.asarray(values.filled(np.nan))
        elif mask.any() and data.dtype.kind in NUMBER_KINDS + TEXT_KINDS + "O":
            data = data.astype(object)
            data[np.asarray(mask)] = None
        return data
    if is_frame(values):
        return _side_by_side([cells(column, name) for column in frames.columns(values)], values.shape)
    if is_series(values) and not hasattr(values, "iloc"):
        return cells_of_series(values)
    if hasattr(getattr(values, "dtype", None), "categories"):
        # NumPy's own way makes floats of integers where one is missing.
        categorical = getattr(values, "cat", values)
        names = np.empty(len(categorical.categories) + 1, object)
        names[:-1] = np.asarray(categorical.categories, dtype=object)
        return cast("np.ndarray", names[np.asarray(categorical.codes)])  # code -1: missing
    if hasattr(values, "isna") and not _known_to_numpy(values):
        return np.where(np.asarray(values.isna()), cast("Any", None), np.asarray(values, dtype=object))
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must be an array: its rows are no sequences of one length") from None
    return private(array, name)


def plain(values: Any, name: str) -> Any:
    """Return sparse matrices, whose indices are checked, and frames as they are; anything else as `cells` does.

    Libraries would take what is under a mask, and follow the indices.

    Raises ValueError as `check` and `cells` do.
    """
    if sparse.issparse(values):
        check(values, name)
        return values
    values = collected(values)
    return values if is_frame(values) else cells(values, name)


def numbers(values: Any, name: str, hint: str = "") -> np.ndarray:
    """Return numbers as an array in which missing ones are NaN.

    An array of numbers without a mask, in memory, is not copied.

    Parameters
    ----------
    values : array-like, frame or series
        Numbers.
    name : str
        What messages call them.
    hint : str
        Advice for callers who pass texts.

    Raises
    ------
    ValueError
        For complex numbers, texts, and other values that are no numbers.
    """
    values = collected(values)
    if is_frame(values):
        titles = [f"{name}, column {cut(title)}," for title in frames.names(values)]
        columns = [numbers(column, title) for column, title in zip(frames.columns(values), titles, strict=True)]
        return np.column_stack(columns) if columns else np.empty(values.shape)
    values = _with_masks(_in_memory(values, name))
    if isinstance(values, np.ma.MaskedArray) and values.dtype.kind in "iub":
        return np.asarray(cast("np.ma.MaskedArray[Any, Any]", values.astype(np.float64)).filled(np.nan))
    values = cells(values, name)
    if values.dtype.kind == "O":
        values = _numbers_of_objects(values, name, hint)
    if values.dtype.kind in TEXT_KINDS:
        raise ValueError(f"{name} must hold numbers, not texts{hint}")
    if values.dtype.kind not in NUMBER_KINDS:
        raise ValueError(f"{name} must hold numbers, not values of type {cut(values.dtype)}")
    return cast("np.ndarray", values)


def floats(values: object, name: str) -> np.ndarray:
    """Return numbers in double precision; missing ones are NaN.  Raises ValueError as `numbers` does."""
    with np.errstate(over="ignore"):  # of longer ones
        return np.asarray(numbers(values, name), np.float64)


def matrix(X: Any, name: str) -> np.ndarray | sparse.csr_array:
    """Return X (n, p) as an array of numbers, or as checked, canonical CSR; missing ones are NaN.

    Raises ValueError for another number of dimensions, and as `numbers` and `csr` do.
    """
    X = unwrapped(X)
    if sparse.issparse(X):
        return csr(X, name)
    X = numbers(X, name)
    if X.ndim != 2:
        raise ValueError(f"{name} must be a matrix of numbers, not shape {X.shape}")
    return X


def unwrapped(X: object) -> Any:
    """Return a DataFrame with nothing but sparse columns, filled with 0, as a sparse matrix; anything else as it is."""
    if is_frame(X) and hasattr(X, "iloc") and len(X.columns):
        import pandas as pd

        if all(isinstance(dtype, pd.SparseDtype) and dtype.fill_value == 0 for dtype in X.dtypes):
            return X.sparse.to_coo()
    return X


def unknown(values: np.ndarray) -> np.ndarray:
    """Return a mask of the missing cells: NaN, "", and of objects None and missing values of pandas."""
    if values.dtype.kind in "fc":
        return cast("np.ndarray", np.isnan(values))
    if values.dtype.kind in "Mm":
        return cast("np.ndarray", np.isnat(values))
    if values.dtype.kind in TEXT_KINDS:
        return cast("np.ndarray", values == values.dtype.type())
    if values.dtype.kind != "O":
        return np.zeros(values.shape, bool)
    are_missing = [is_missing(value) or (isinstance(value, str | bytes) and not value) for value in values.flat]
    return np.array(are_missing, bool).reshape(values.shape)


def check_scalars(values: np.ndarray, name: str) -> None:
    """Raise ValueError for objects that are no classes or numbers, such as lists, arrays and complex numbers."""
    if values.dtype.kind == "O":
        for kind in set(map(type, values.flat)):
            if kind.__hash__ is None or issubclass(kind, complex | np.complexfloating):
                raise ValueError(f"{name} must hold classes or numbers, not values of type {cut(kind.__name__)}")


def _known_to_numpy(values: object) -> bool:
    """True if the type of an array or series is one of NumPy's."""
    return isinstance(getattr(values, "dtype", None), np.dtype)


def _side_by_side(columns: list[np.ndarray], shape: tuple[int, int]) -> np.ndarray:
    """Join columns (n,) to an array: of numbers if all are numbers, else of the type that all have, else of objects."""
    kinds = {column.dtype.kind for column in columns}
    if columns and (len(kinds) == 1 or kinds <= {"f", "i", "u"}):
        return np.column_stack(columns)
    joined = np.empty(shape, object)
    for j, column in enumerate(columns):
        joined[:, j] = column
    return joined


def _in_memory(values: object, name: str) -> Any:
    """Return masked arrays, and lists of arrays, with copies of those that are mapped files; anything else as it is."""
    if isinstance(values, np.ma.MaskedArray) and in_file(values.data):
        mask = private(np.ma.getmaskarray(values), name)  # type: ignore[no-untyped-call]  # NumPy has no types of it
        return np.ma.MaskedArray(private(values.data, name), mask)  # type: ignore[no-untyped-call]
    if isinstance(values, list | tuple) and any(isinstance(v, np.ndarray) for v in values):
        return [private(v, name) if type(v) in (np.ndarray, np.memmap) else _in_memory(v, name) for v in values]
    return values


def _with_masks(values: object) -> Any:
    """Return lists of masked arrays, or of values some of which are masked, so that NumPy keeps the masks."""
    if not isinstance(values, list | tuple) or not any(isinstance(v, np.ma.MaskedArray) for v in values):
        return values
    if any(np.ndim(v) for v in values):
        try:
            return np.ma.stack([np.ma.asarray(v) for v in values])  # type: ignore[no-untyped-call]  # NumPy has no types of it
        except ValueError:
            return values
    return [None if v is np.ma.masked else v for v in values]


def _numbers_of_objects(values: np.ndarray, name: str, hint: str) -> np.ndarray:
    """Convert objects that are numbers to float64.  Raises ValueError for texts and other objects."""
    kinds = set(map(type, values.flat))
    if any(issubclass(kind, complex | np.complexfloating) for kind in kinds):
        raise ValueError(f"{name} must hold numbers, not complex ones")
    if any(issubclass(kind, str | bytes) for kind in kinds):
        raise ValueError(f"{name} must hold numbers, not texts{hint}")
    if any(type(stand_in) in kinds for stand_in in absent()):
        values = np.where(unknown(values), np.nan, values)
    try:
        return values.astype(np.float64)
    except OverflowError:
        raise ValueError(f"{name} has numbers that are too large") from None
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers, not {', '.join(sorted(k.__name__ for k in kinds))[:80]}") from None
