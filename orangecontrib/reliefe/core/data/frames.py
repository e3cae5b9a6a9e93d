"""Data frames of pandas, polars, Arrow, DuckDB, Modin and others, as wholes; `frame_columns.py` reads their columns.

narwhals knows all of these libraries.  It is imported when a frame comes.  Columns are taken by their index, since
names may occur twice.
"""

from collections.abc import Iterator
from typing import Any, TypeGuard, cast

import numpy as np

from .frame_columns import are_numbers_as_texts, series_of


def is_frame(values: object) -> TypeGuard[Any]:
    """True for a frame in memory, of any library."""
    if not hasattr(type(values), "columns"):
        return False
    import narwhals.stable.v2 as nw

    return bool(nw.dependencies.is_into_dataframe(values))


def is_series(values: object) -> TypeGuard[Any]:
    """True for a series, of any library, and for an array of Arrow."""
    if hasattr(type(values), "columns") or not hasattr(type(values), "to_numpy"):
        return False
    if hasattr(type(values), "to_pylist"):
        return True
    import narwhals.stable.v2 as nw

    return bool(nw.dependencies.is_into_series(values))


def collected(values: Any) -> Any:
    """Return a frame in memory for a lazy one, such as a relation of DuckDB; anything else as it is.

    Raises ValueError if a library that this needs is missing.
    """
    if not hasattr(type(values), "columns") or is_frame(values):
        return values
    import narwhals.stable.v2 as nw

    frame = nw.from_native(values, pass_through=True)
    if not isinstance(frame, nw.LazyFrame):
        return values
    try:
        return frame.collect().to_native()
    except ModuleNotFoundError as error:
        raise ValueError(f"a frame of {type(values).__module__} takes a library that is missing: {error}") from None


def names(frame: Any) -> list[Any]:
    """Return the names of the columns of a frame."""
    if hasattr(frame, "iloc"):
        return [*frame.columns]
    import narwhals.stable.v2 as nw

    return [*nw.from_native(frame, eager_only=True).columns]


def columns(frame: Any) -> Iterator[Any]:
    """Iterate over the columns of a frame: series of pandas, or of narwhals."""
    if hasattr(frame, "iloc"):
        return (frame.iloc[:, j] for j in range(frame.shape[1]))
    import narwhals.stable.v2 as nw

    return cast("Iterator[Any]", nw.from_native(frame, eager_only=True).iter_columns())


def take(frame: Any, rows: np.ndarray) -> Any:
    """Return the rows (a mask or indices) of a frame."""
    if hasattr(frame, "iloc"):
        return frame.iloc[rows]
    import narwhals.stable.v2 as nw

    chosen = np.flatnonzero(rows) if rows.dtype == bool else rows
    return nw.from_native(frame, eager_only=True)[chosen, :].to_native()


def has_only_numbers(frame: Any) -> bool:
    """True if all columns of a frame are numbers or booleans."""
    import narwhals.stable.v2 as nw

    types = [series_of(column).dtype for column in columns(frame)]
    return all(type_.is_numeric() or type_ == nw.Boolean for type_ in types)


def numbers_as_texts(frame: Any) -> list[str]:
    """Return the names of the columns of a frame whose texts are numbers."""
    return [
        str(name) for name, column in zip(names(frame), columns(frame), strict=True) if are_numbers_as_texts(column)
    ]


def select(frame: Any, indices: np.ndarray, library: str | None) -> Any:
    """Return columns by their indices as a frame of "pandas", "polars" or, for None, of the library of the frame."""
    if hasattr(frame, "iloc") and library in (None, "pandas"):
        return frame.iloc[:, indices]
    import narwhals.stable.v2 as nw

    chosen = nw.from_native(frame, eager_only=True)[:, indices.tolist()]
    if library in (None, str(chosen.implementation)):
        return chosen.to_native()
    return chosen.to_pandas() if library == "pandas" else chosen.to_polars()
