"""Reading of a target's values as callers give them: arrays, frames, sparse matrices or lists of any type.

`reader.py` makes a target of the `TargetColumn` or `Matrix` that these functions return.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple, cast

import numpy as np
from scipy import sparse

from ..data import frames
from ..data.arrays import NUMBER_KINDS, TEXT_KINDS, cells, check_scalars, floats, unknown
from ..data.facts import infinite_values
from ..data.frames import is_frame
from ..data.indices import csr
from ..words import shown
from .facts import refuse_long_text
from .targets import TargetColumns

# Share of the rows whose class occurs at least twice, below which classes are refused.
# Measured with 40, 100 and 200 rows of rounded numbers and 20 features, 8 simulated sets each: below it, MultiSURF for
# classes ranks the relevant feature first in at most 38 % of the sets, RReliefF for numbers in at least 88 %.
MIN_SHARED = 0.5
MIN_ROWS = 10  # with a known target; fewer show nothing


class ClassCodes(NamedTuple):
    """Column as codes.

    Attributes
    ----------
    names : (c,) array
        Values that occur, sorted.
    codes : (n,) int array
        Index of the value of each row in `names`, -1 where it is unknown.
    """

    names: np.ndarray
    codes: np.ndarray


@dataclass(frozen=True)
class TargetColumn:
    """One value a row.

    Attributes
    ----------
    values : (n,) array
        Numbers, bools or texts.
    known : (n,) bool array
        True for rows with a value.
    """

    values: np.ndarray
    known: np.ndarray

    @property
    def has_texts(self) -> bool:
        """True if the values are texts."""
        return self.values.dtype.kind in TEXT_KINDS

    def coded(self) -> ClassCodes:
        """Number the known values in their order."""
        names, known_codes = np.unique(self.values[self.known], return_inverse=True)
        codes = np.full(len(self.values), -1)
        codes[self.known] = known_codes.ravel()
        return ClassCodes(names, codes)

    @property
    def has_class_per_row(self) -> bool:
        """True if most rows would have a class of their own."""
        counts = np.unique(self.values[self.known], return_counts=True)[1]
        n = int(counts.sum())
        return n >= MIN_ROWS and int(counts[counts > 1].sum()) < MIN_SHARED * n

    @property
    def is_constant(self) -> bool:
        """True if several rows have a value, and all the same."""
        return int(self.known.sum()) > 1 and len(np.unique(self.values[self.known])) == 1


@dataclass(frozen=True)
class Matrix:
    """Several values a row.

    Attributes
    ----------
    values : (n, t) array or CSR array
        Numbers, labels, or codes of classes, dense or CSR; NaN is unknown.
    nominal : (t,) bool array
        True for codes of classes.
    names : tuple of str
        Names of the columns; (): they have none.
    """

    values: np.ndarray | sparse.csr_array
    nominal: np.ndarray
    names: tuple[str, ...] = ()

    @property
    def known(self) -> np.ndarray:
        """Mask (n,): True for rows with at least one known value."""
        if sparse.issparse(self.values):
            return np.ones(self.values.shape[0], bool)
        return cast("np.ndarray", ~np.isnan(self.values).all(axis=1))

    @property
    def has_labels(self) -> bool:
        """True if all values are 0, 1 or unknown, and none is a category."""
        if self.nominal.any():
            return False
        values = self.values.data if sparse.issparse(self.values) else self.values
        return bool(((values == 0) | (values == 1) | np.isnan(values)).all())


def read_column(y: object, n: int) -> TargetColumn:
    """Read y, one value for each of n rows; texts stay texts.

    Raises ValueError for another shape, infinite values, and values that are neither numbers nor texts.
    """
    if sparse.issparse(y):
        raise ValueError("y has one column: give it as an array, not as a sparse matrix")
    y = cells(y, "y")
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim == 0 and y.dtype.kind in TEXT_KINDS:
        column = shown(str(y))
        raise ValueError(f"y must be a column, not the name {column}: give y=data[{column}], and X without this column")
    if y.ndim != 1:
        raise ValueError(f"y must have one value, or one 0 or 1 for each label, a row, not shape {y.shape}")
    if len(y) != n:
        raise ValueError(f"X has {n} rows but y has {len(y)} values")
    is_known = ~unknown(y)
    if y.dtype.kind == "O":
        y = _without_objects(y, is_known)
    if y.dtype.kind not in NUMBER_KINDS + TEXT_KINDS:
        raise ValueError(f"y must hold classes or numbers, not values of type {y.dtype}")
    if y.dtype.kind == "f" and np.isinf(y).any():
        raise ValueError(infinite_values("y"))
    return TargetColumn(y, is_known)


def read_matrix(y: Any, n: int) -> Matrix:
    """Read y, several values for each of n rows.

    Raises ValueError for another shape, and columns that `read_column` does not take.
    """
    if sparse.issparse(y):
        if y.shape[:1] != (n,):
            raise ValueError(f"X has {n} rows but y has {y.shape[0]}")
        values = csr(y, "y")
        values = values.toarray() if np.isnan(values.data).any() else values
        matrix = Matrix(values, np.zeros(values.shape[1], bool))
    elif is_frame(y):
        names = tuple(str(name) for name in frames.names(y))
        matrix = Matrix(*_from_columns([*frames.columns(y)]), names)
    else:
        y = y[:, None] if y.ndim == 1 else y
        if y.ndim != 2:
            raise ValueError(f"y must have one row of values for each row of X, not shape {y.shape}")
        if y.dtype.kind in NUMBER_KINDS:
            matrix = Matrix(y.astype(np.float64, copy=False), np.zeros(y.shape[1], bool))
        else:
            matrix = Matrix(*_from_columns(list(y.T)))
    if matrix.values.shape[0] != n:
        raise ValueError(f"X has {n} rows but y has {matrix.values.shape[0]}")
    if matrix.values.shape[1] == 0:
        raise ValueError("y has no columns")
    return matrix


def read_numbers(y: object) -> np.ndarray:
    """Read y, numbers of any shape, as float64; NaN is unknown.

    Raises ValueError if values are infinite, or all are unknown.
    """
    values = csr(y, "y").toarray() if sparse.issparse(y) else floats(y, "y")
    if np.isinf(values).any() or np.isnan(values).all():
        raise ValueError("y must be finite numbers, some of them known")
    return values


def _from_columns(columns: list[Any]) -> TargetColumns:
    """Read columns of any type as numbers, and texts or categories as codes."""
    n = len(columns[0]) if columns else 0
    nominal = np.zeros(len(columns), bool)
    values = np.full((n, len(columns)), np.nan)
    for j, column_values in enumerate(columns):
        column = read_column(column_values, n)
        nominal[j] = column.has_texts
        numbers = column.coded().codes if nominal[j] else column.values
        values[column.known, j] = numbers[column.known]
    return TargetColumns(values, nominal)


def _without_objects(y: np.ndarray, is_known: np.ndarray) -> np.ndarray:
    """Convert objects (n,) to numbers or bools if all are such, else to texts.

    Unknown ones become any value of that type.
    """
    check_scalars(y[is_known], "y")
    types = set(map(type, y[is_known]))
    convert: Any
    stand_in: Any
    if all(issubclass(type_, bool | np.bool_) for type_ in types):
        convert = bool
        stand_in = False
    elif all(issubclass(type_, int | np.integer) for type_ in types):
        convert = np.int64
        stand_in = 0
    elif all(issubclass(type_, int | float | np.number | Decimal) for type_ in types):
        convert = np.float64
        stand_in = np.nan
    else:
        convert = str
        stand_in = ""
        refuse_long_text(y[is_known])
    try:
        return np.array([convert(v) if has_value else stand_in for v, has_value in zip(y, is_known, strict=True)])
    except OverflowError:
        raise ValueError("y has numbers that are too large") from None
