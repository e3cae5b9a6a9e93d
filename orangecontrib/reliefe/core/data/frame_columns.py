"""Columns of frames as numbers, codes or objects."""

import sys
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any, cast

import numpy as np

from ..words import cut
from .missing_objects import is_missing
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

    series = series_of(column)
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
    return series_of(sys.modules["pyarrow"].array([], kind)).dtype


def is_number(dtype: Any) -> bool:
    """True for a type of narwhals whose values are numbers, points in time, or lengths of it."""
    return bool(dtype.is_numeric() or dtype.is_temporal())


def is_known(dtype: Any) -> bool:
    """True for a type that narwhals has."""
    return type(dtype).__name__ != "Unknown"


def numbers_of(column: Any) -> np.ndarray:
    """Numbers (n,) of a column of numbers, dates, times or durations, NaN = missing."""
    import narwhals.stable.v2 as nw

    series = series_of(column)
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
        places, values = _factorized(series_of(column))
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

    series = series_of(column)
    dtype = series.dtype
    if dtype.is_decimal() or isinstance(dtype, nw.Int128 | nw.UInt128):  # NumPy has no such integers
        series, dtype = series.cast(nw.Float64), nw.Float64()
    has_its_own = dtype.is_float() or isinstance(dtype, nw.Date | nw.Datetime | nw.Duration)  # a missing value
    if has_its_own or ((dtype.is_integer() or isinstance(dtype, nw.Boolean)) and not series.null_count()):
        return np.asarray(series.to_numpy())
    values = np.empty(len(series), object)
    values[:] = series.to_list()
    return values


def series_of(column: Any) -> Any:
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
