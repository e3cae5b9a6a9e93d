"""Data frames and series of pandas, polars, Arrow, DuckDB, Modin and others, read by narwhals.

narwhals is imported where a frame or series comes.  Columns are taken by their place, since names may occur twice.
"""

import sys
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any, TypeGuard, cast

import numpy as np

from ..words import cut
from .scratch import private

SECOND = np.timedelta64(1, "s")
ORIGIN = np.datetime64(0, "s")  # 1970-01-01
NUMBERS = "fiu"  # kinds of NumPy's numbers


def _seconds(of_day: time) -> float:
    return (of_day.hour * 60 + of_day.minute) * 60 + of_day.second + of_day.microsecond / 1e6


def _since_origin(moment: datetime) -> float:
    origin = datetime(1970, 1, 1, tzinfo=None if moment.tzinfo is None else timezone.utc)
    return (moment - origin).total_seconds()


NUMBER_OF: dict[type, Callable[[Any], float]] = {  # of objects of Python
    Decimal: float,
    datetime: _since_origin,
    date: lambda day: (day - date(1970, 1, 1)).total_seconds(),
    time: _seconds,
    timedelta: timedelta.total_seconds,
}


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
    """A frame in memory instead of a lazy one, such as a relation of DuckDB; anything else as it is.

    Raises ValueError where a library that this takes is missing.
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
    """Names of the columns of a frame."""
    if hasattr(frame, "iloc"):
        return [*frame.columns]
    import narwhals.stable.v2 as nw

    return [*nw.from_native(frame, eager_only=True).columns]


def columns(frame: Any) -> Iterator[Any]:
    """Columns of a frame: series of pandas, or of narwhals."""
    if hasattr(frame, "iloc"):
        return (frame.iloc[:, j] for j in range(frame.shape[1]))
    import narwhals.stable.v2 as nw

    return cast("Iterator[Any]", nw.from_native(frame, eager_only=True).iter_columns())


def take(frame: Any, rows: np.ndarray) -> Any:
    """Some rows (a mask or indices) of a frame."""
    if hasattr(frame, "iloc"):
        return frame.iloc[rows]
    import narwhals.stable.v2 as nw

    chosen = np.flatnonzero(rows) if rows.dtype == bool else rows
    return nw.from_native(frame, eager_only=True)[chosen, :].to_native()


def select(frame: Any, places: np.ndarray, library: str) -> Any:
    """Some columns of a frame, by their indices, as a frame of "pandas" or "polars"."""
    if hasattr(frame, "iloc") and library == "pandas":
        return frame.iloc[:, places]
    import narwhals.stable.v2 as nw

    chosen = nw.from_native(frame, eager_only=True)[:, places.tolist()]
    if library == str(chosen.implementation):
        return chosen.to_native()
    return chosen.to_pandas() if library == "pandas" else chosen.to_polars()


def objects(frame: Any) -> np.ndarray:
    """Cells (n, p) of a frame as objects of Python."""
    out = np.empty(frame.shape, object)
    for j, column in enumerate(columns(frame)):
        out[:, j] = _series(column).to_list()
    return out


def column_of_features(column: Any, name: object) -> tuple[np.ndarray, bool]:
    """Numbers (n,) of a column of X, NaN = missing, and whether they are codes of a nominal feature.

    Dates, times and durations are numbers of seconds; they and decimals may be objects of Python.  Bools, texts,
    categories and other objects have codes, in the order in which their values occur.
    Raises ValueError for collections and complex numbers.
    """
    dtype = getattr(column, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in NUMBERS:  # there are frames of many thousand such columns
        return private(np.asarray(column), "X"), False
    import narwhals.stable.v2 as nw

    series = _series(column)
    if is_number(series.dtype):
        return numbers_of(series), False
    if series.dtype == nw.Object:
        values = _numbers_in_objects(series.to_list())
        if values is not None:
            return values, False
    if not is_known(series.dtype):
        values = series.to_numpy()
        if values.dtype.kind in NUMBERS:  # of a type of pandas, such as sparse ones
            return np.asarray(values), False
    return codes_of_column(series, {}, name), True


def dtype_of(kind: Any) -> Any:
    """Type of narwhals for a type of Arrow."""
    return _series(sys.modules["pyarrow"].array([], kind)).dtype


def is_number(dtype: Any) -> bool:
    """True for a type of narwhals whose values are numbers, points in time, or lengths of it."""
    return bool(dtype.is_numeric() or dtype.is_temporal())


def is_known(dtype: Any) -> bool:
    """True for a type that narwhals has."""
    return type(dtype).__name__ != "Unknown"


def numbers_of(column: Any) -> np.ndarray:
    """Numbers (n,) of a column of numbers, dates, times or durations, NaN = missing."""
    import narwhals.stable.v2 as nw

    series = _series(column)
    dtype = series.dtype
    if isinstance(dtype, nw.Time):
        return np.array([np.nan if value is None else _seconds(value) for value in series.to_list()], np.float64)
    if isinstance(dtype, nw.Datetime) and dtype.time_zone is not None:
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    if dtype.is_decimal() or isinstance(dtype, nw.Int128 | nw.UInt128):  # NumPy has no such integers
        series = series.cast(nw.Float64)
    values = np.asarray(series.to_numpy())
    if dtype.is_temporal():
        if values.dtype.kind == "O":
            kind = "m8[us]" if isinstance(dtype, nw.Duration) else "M8[us]"
            values = np.array(series.to_list(), kind)
        return cast("np.ndarray", (values - ORIGIN if values.dtype.kind == "M" else values) / SECOND)
    if values.dtype.kind == "O":  # some of which are missing
        return np.asarray(series.cast(nw.Float64).to_numpy())
    return values


def codes_of_column(column: Any, known: dict[Any, int], name: object = "") -> np.ndarray:
    """Codes (n,) of the values of a column in the order in which they occur, NaN where they are missing.

    known: codes that values have already; those of new values are added.
    Raises ValueError for collections and complex numbers.
    """
    try:
        places, values = _factorized(_series(column))
    except TypeError:  # values cannot be hashed
        raise _unreadable(name, "collections") from None
    if any(isinstance(value, complex | np.complexfloating) for value in values):
        raise _unreadable(name, "complex numbers")
    codes = np.full(len(values) + 1, np.nan)  # the last one is that of missing values, whose code is -1
    for code, value in enumerate(values):
        if type(value) is str or not is_missing(value):  # most are texts
            codes[code] = known.setdefault(value, len(known))
    return np.asarray(codes[places])


def _factorized(series: Any) -> tuple[np.ndarray, list[Any]]:
    """Places (n,) of the values of a series of narwhals among its different values, and these; -1 may be missing.

    pandas does it in a third to a seventh of the time for its own series.
    """
    native = series.to_native()
    if hasattr(native, "iloc"):
        places, values = sys.modules["pandas"].factorize(native)
        return places, list(values)
    place_of: dict[Any, int] = {}
    cells = series.to_list()
    return np.fromiter((place_of.setdefault(cell, len(place_of)) for cell in cells), np.intp, len(cells)), list(
        place_of
    )


def cells_of_series(column: Any) -> np.ndarray:
    """Values (n,) of a series that is not of pandas: an array of numbers or bools where none is missing, else objects.

    Missing numbers of a floating type are NaN, others None, so that integers remain integers.
    """
    import narwhals.stable.v2 as nw

    series = _series(column)
    dtype = series.dtype
    if dtype.is_decimal() or isinstance(dtype, nw.Int128 | nw.UInt128):  # NumPy has no such integers
        series, dtype = series.cast(nw.Float64), nw.Float64()
    has_its_own = dtype.is_float() or isinstance(dtype, nw.Date | nw.Datetime | nw.Duration)  # a missing value
    if has_its_own or ((dtype.is_integer() or isinstance(dtype, nw.Boolean)) and not series.null_count()):
        return np.asarray(series.to_numpy())
    values = np.empty(len(series), object)
    values[:] = series.to_list()
    return values


def is_missing(value: object) -> bool:
    """True for None, NaN, NaT, NA of pandas and masked cells of NumPy."""
    if value is None or any(value is one for one in absent()):
        return True
    if type(value).__hash__ is None:  # lists, arrays and the like, which compare by their elements
        return False
    if isinstance(value, Decimal):
        return value.is_nan()
    return bool(value != value)


def absent() -> tuple[object, ...]:
    """Objects that stand for a missing value; pandas is not loaded for it: without it nobody has its NA."""
    return np.ma.masked, getattr(sys.modules.get("pandas"), "NA", np.ma.masked)


def _series(column: Any) -> Any:
    import narwhals.stable.v2 as nw

    if hasattr(type(column), "to_pylist") and not hasattr(type(column), "chunks"):
        column = sys.modules["pyarrow"].chunked_array([column])
    return nw.from_native(column, series_only=True)


def _numbers_in_objects(values: list[Any]) -> np.ndarray | None:
    """Numbers (n,) of decimals, dates, times or durations, NaN = missing; None for other objects, or several kinds."""
    first = next((value for value in values if not is_missing(value)), None)
    number_of = next((NUMBER_OF[kind] for kind in type(first).__mro__ if kind in NUMBER_OF), None)
    if number_of is None or any(type(value) is not type(first) and not is_missing(value) for value in values):
        return None
    return np.array([np.nan if is_missing(value) else number_of(value) for value in values], np.float64)


def _unreadable(name: object, kind: str) -> ValueError:
    return ValueError(f"the column {cut(name)} of X must hold numbers, texts or categories, not {kind}")
