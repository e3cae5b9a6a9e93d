"""Columns of frames, and series, as arrays of numbers, codes or objects.

`DataTable.read` and readers of targets call these functions with series of any library that narwhals knows.
"""

import re
import sys
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any, cast

import numpy as np

from ..words import MIN_DIFFERENT, MISSING_CELLS, cut, is_decimal
from .missing_objects import is_missing
from .scratch import private

SECOND = np.timedelta64(1, "s")
ORIGIN = np.datetime64(0, "s")  # 1970-01-01
NUMBER_KINDS = "fiu"  # kinds of NumPy's numbers that are no bools
PADDED_DIGITS = re.compile(r"0\d+")  # codes, as those of letters


def _seconds(of_day: time) -> float:
    """Return the seconds since midnight."""
    return (of_day.hour * 60 + of_day.minute) * 60 + of_day.second + of_day.microsecond / 1e6


def _since_origin(moment: datetime) -> float:
    """Return the seconds since 1970."""
    origin = datetime(1970, 1, 1, tzinfo=None if moment.tzinfo is None else timezone.utc)
    return (moment - origin).total_seconds()


# Conversions of objects of Python to numbers
NUMBER_OF: dict[type, Callable[[Any], float]] = {
    Decimal: float,
    datetime: _since_origin,
    date: lambda day: (day - date(1970, 1, 1)).total_seconds(),
    time: _seconds,
    timedelta: timedelta.total_seconds,
}


def column_of_features(column: Any, name: object) -> tuple[np.ndarray, bool]:
    """Read a column of X as a feature.

    Dates, times and durations are numbers of seconds; they and decimals may be objects of Python.  Bools, texts,
    categories and other objects have codes, in the order in which their values occur.

    Parameters
    ----------
    column : series
        Series of any library, or of narwhals.
    name : object
        Name of the column, for messages.

    Returns
    -------
    (n,) array
        Numbers or codes; NaN is missing.
    bool
        True for codes of a nominal feature.

    Raises
    ------
    ValueError
        For collections and complex numbers.
    """
    dtype = getattr(column, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in NUMBER_KINDS:  # there are frames of many thousand such columns
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
        if values.dtype.kind in NUMBER_KINDS:  # of a type of pandas, such as sparse ones
            return np.asarray(values), False
    return codes_of_column(series, {}, name), True


def are_numbers_as_texts(column: Any) -> bool:
    """True for a column of texts that are numbers, too many different ones for grades.

    Digits behind a leading 0, as in postal codes, are no numbers.
    """
    import narwhals.stable.v2 as nw

    dtype = getattr(column, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in NUMBER_KINDS:
        return False
    series = series_of(column)
    if series.dtype not in (nw.String, nw.Object):
        return False
    n_numbers = 0
    for text in {*series.to_list()}:
        if is_missing(text) or (isinstance(text, str) and text in MISSING_CELLS):
            continue
        if not isinstance(text, str) or not is_decimal(text) or PADDED_DIGITS.fullmatch(text):
            return False
        n_numbers += 1
    return n_numbers >= MIN_DIFFERENT


def dtype_of(kind: Any) -> Any:
    """Return the type of narwhals for a type of Arrow."""
    return series_of(sys.modules["pyarrow"].array([], kind)).dtype


def is_number(dtype: Any) -> bool:
    """True for a type of narwhals whose values are numbers, points in time, or lengths of it."""
    return bool(dtype.is_numeric() or dtype.is_temporal())


def is_known(dtype: Any) -> bool:
    """True for a type that narwhals has."""
    return type(dtype).__name__ != "Unknown"


def numbers_of(column: Any) -> np.ndarray:
    """Convert a column of numbers, dates, times or durations to numbers (n,); NaN is missing."""
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


def codes_of_column(column: Any, code_of: dict[Any, int], name: object = "") -> np.ndarray:
    """Number the values of a column in the order in which they occur.

    Parameters
    ----------
    column : series
        Series of any library, or of narwhals.
    code_of : dict
        Codes that values have already; those of new values are added.
    name : object
        Name of the column, for messages.

    Returns
    -------
    (n,) float array
        Codes; NaN where values are missing.

    Raises
    ------
    ValueError
        For collections and complex numbers.
    """
    try:
        indices, values = _factorized(series_of(column))
    except TypeError:  # values cannot be hashed
        raise _unreadable(name, "collections") from None
    if any(isinstance(value, complex | np.complexfloating) for value in values):
        raise _unreadable(name, "complex numbers")
    codes = np.full(len(values) + 1, np.nan)  # the last one is that of missing values, whose code is -1
    for code, value in enumerate(values):
        if type(value) is str or not is_missing(value):  # most are texts
            codes[code] = code_of.setdefault(value, len(code_of))
    return np.asarray(codes[indices])


def _factorized(series: Any) -> tuple[np.ndarray, list[Any]]:
    """Return indices (n,) of the values of a series of narwhals in the list of its different values, and this list.

    The index -1 is that of missing values, which may be in the list, too.

    pandas does it in a third to a seventh of the time for its own series.
    """
    native = series.to_native()
    if hasattr(native, "iloc"):
        indices, values = sys.modules["pandas"].factorize(native)
        return indices, list(values)
    index_of: dict[Any, int] = {}
    cells = series.to_list()
    indices = np.fromiter((index_of.setdefault(cell, len(index_of)) for cell in cells), np.intp, len(cells))
    return indices, list(index_of)


def cells_of_series(column: Any) -> np.ndarray:
    """Return the values (n,) of a series that is not of pandas: numbers or bools if none is missing, else objects.

    Missing numbers of a floating type are NaN, others None, so that integers remain integers.
    """
    import narwhals.stable.v2 as nw

    series = series_of(column)
    dtype = series.dtype
    if dtype.is_decimal() or isinstance(dtype, nw.Int128 | nw.UInt128):  # NumPy has no such integers
        series = series.cast(nw.Float64)
        dtype = nw.Float64()
    has_its_own = dtype.is_float() or isinstance(dtype, nw.Date | nw.Datetime | nw.Duration)  # a missing value
    if has_its_own or ((dtype.is_integer() or isinstance(dtype, nw.Boolean)) and not series.null_count()):
        return np.asarray(series.to_numpy())
    values = np.empty(len(series), object)
    values[:] = series.to_list()
    return values


def series_of(column: Any) -> Any:
    """Return the series of narwhals for a column of any library."""
    import narwhals.stable.v2 as nw

    if hasattr(type(column), "to_pylist") and not hasattr(type(column), "chunks"):
        column = sys.modules["pyarrow"].chunked_array([column])
    return nw.from_native(column, series_only=True)


def _numbers_in_objects(values: list[Any]) -> np.ndarray | None:
    """Convert numbers, dates, times or durations to numbers (n,); return None for other objects, or several kinds.

    Numbers of several types are numbers. Bools are none.
    """
    if any(map(_is_real, values)) and all(_is_real(value) or is_missing(value) for value in values):
        return np.array([np.nan if is_missing(value) else float(value) for value in values], np.float64)
    first = next((value for value in values if not is_missing(value)), None)
    number_of = next((NUMBER_OF[kind] for kind in type(first).__mro__ if kind in NUMBER_OF), None)
    if number_of is None or any(type(value) is not type(first) and not is_missing(value) for value in values):
        return None
    return np.array([np.nan if is_missing(value) else number_of(value) for value in values], np.float64)


def _is_real(value: object) -> bool:
    """True for a number of Python or NumPy that is no bool."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _unreadable(name: object, kind: str) -> ValueError:
    """Return the error for a column of a kind that cannot be read."""
    return ValueError(f"the column {cut(name)} of X must hold numbers, texts or categories, not {kind}")
