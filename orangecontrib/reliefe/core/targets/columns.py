"""Values of a target as callers give them."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..data import frames
from ..data.arrays import NUMBERS as NUMBER_KINDS
from ..data.arrays import TEXTS, cells, check_scalars, floats, unknown
from ..data.frames import is_frame
from ..data.indices import csr
from .tasks import REGRESSION

# Share of the rows whose class occurs at least twice, below which whole numbers are no classes, and names are refused.
# Measured with 40, 100 and 200 rows of rounded numbers and 20 features, 8 simulated sets each: below it, MultiSURF for
# classes ranks the relevant feature first in at most 38 % of the sets, RReliefF for numbers in at least 88 %.
MIN_SHARED = 0.5
MIN_ROWS = 10  # with a known target; fewer show nothing
MAX_CODES = 20  # distinct whole numbers that may be classes
AS_CLASSES = 'as classes with task="classification"'


@dataclass(frozen=True)
class Column:
    """One value a row."""

    values: np.ndarray
    known: np.ndarray

    @property
    def has_texts(self) -> bool:
        return self.values.dtype.kind in TEXTS

    def coded(self) -> tuple[np.ndarray, np.ndarray]:
        """Sorted known values that occur, (c,), and the place of each row's among them, (n,) int, -1 if unknown."""
        names, found = np.unique(self.values[self.known], return_inverse=True)
        codes = np.full(len(self.values), -1)
        codes[self.known] = found.ravel()
        return names, codes

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

    @property
    def has_whole_codes(self) -> bool:
        """True for floats that may be codes of classes: few whole values, most of them in several rows."""
        values = self.values[self.known]
        if values.dtype.kind != "f" or (values != np.floor(values)).any():
            return False
        return 1 < len(np.unique(values)) <= MAX_CODES and not self.has_class_per_row

    def note(self, task: str) -> str:
        """Sentence on how values that may be read in another way were read for a task; empty for all others."""
        if task != REGRESSION:
            return ""
        n, n_values = int(self.known.sum()), len(np.unique(self.values[self.known]))
        if self.has_whole_codes:
            return f"the target has {n_values} different values, all whole. They are read as numbers, {AS_CLASSES}"
        if self.values.dtype.kind in "iu" and self.has_class_per_row:
            return (
                f"the target has {n_values:,} different values in {n:,} rows. They are read as numbers, since most "
                "rows would have a class of their own"
            )
        return ""


@dataclass(frozen=True)
class Matrix:
    """Several values a row."""

    values: np.ndarray | sparse.csr_array
    nominal: np.ndarray
    names: tuple[str, ...] = ()

    @property
    def known(self) -> np.ndarray:
        """(n,) bool: rows with a known value."""
        if sparse.issparse(self.values):
            return np.ones(self.values.shape[0], bool)
        return cast("np.ndarray", ~np.isnan(self.values).all(axis=1))

    @property
    def has_labels(self) -> bool:
        """True where all values are 0, 1 or unknown, and none is a category."""
        if self.nominal.any():
            return False
        found = self.values.data if sparse.issparse(self.values) else self.values
        return bool(((found == 0) | (found == 1) | np.isnan(found)).all())


def read_column(y: object, n: int) -> Column:
    """Read y, one value for each of n rows; strings stay strings."""
    if sparse.issparse(y):
        raise ValueError("y has one column: give it as an array, not as a sparse matrix")
    y = cells(y, "y")
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"y must have one value, or one 0 or 1 for each label, a row, not shape {y.shape}")
    if len(y) != n:
        raise ValueError(f"X has {n} rows but y has {len(y)} values")
    known = ~unknown(y)
    if y.dtype.kind == "O":
        y = _from_objects(y, known)
    if y.dtype.kind not in NUMBER_KINDS + TEXTS:
        raise ValueError(f"y must hold classes or numbers, not values of type {y.dtype}")
    if y.dtype.kind == "f" and np.isinf(y).any():
        raise ValueError("y has infinite values")
    return Column(y, known)


def read_matrix(y: Any, n: int) -> Matrix:
    """Read y, several values for each of n rows."""
    if sparse.issparse(y):
        if y.shape[:1] != (n,):
            raise ValueError(f"X has {n} rows but y has {y.shape[0]}")
        values = csr(y, "y")
        values = values.toarray() if np.isnan(values.data).any() else values
        found = Matrix(values, np.zeros(values.shape[1], bool))
    elif is_frame(y):
        names = tuple(str(name) for name in frames.names(y))
        found = Matrix(*_from_columns([*frames.columns(y)]), names)
    else:
        y = y[:, None] if y.ndim == 1 else y
        if y.ndim != 2:
            raise ValueError(f"y must have one row of values for each row of X, not shape {y.shape}")
        if y.dtype.kind in NUMBER_KINDS:
            found = Matrix(y.astype(np.float64, copy=False), np.zeros(y.shape[1], bool))
        else:
            found = Matrix(*_from_columns(list(y.T)))
    if found.values.shape[0] != n:
        raise ValueError(f"X has {n} rows but y has {found.values.shape[0]}")
    if found.values.shape[1] == 0:
        raise ValueError("y has no columns")
    return found


def read_numbers(y: object) -> np.ndarray:
    """Read y, numbers of any shape: float64, NaN = unknown."""
    values = csr(y, "y").toarray() if sparse.issparse(y) else floats(y, "y")
    if np.isinf(values).any() or np.isnan(values).all():
        raise ValueError("y must be finite numbers, some of them known")
    return values


def _from_columns(columns: list[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Columns of any type as numbers, codes where they hold texts or categories, and (t,) bool: where they do."""
    n, nominal = len(columns[0]) if columns else 0, np.zeros(len(columns), bool)
    out = np.full((n, len(columns)), np.nan)
    for j, given in enumerate(columns):
        column = read_column(given, n)
        nominal[j], known = column.has_texts, column.known
        out[known, j] = column.coded()[1][known] if nominal[j] else column.values[known]
    return out, nominal


def _from_objects(y: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Numbers in objects become numbers again; a mixture is compared as text."""
    check_scalars(y[known], "y")
    kinds = set(map(type, y[known]))
    kind: Any
    rest: Any
    if all(issubclass(kind, bool | np.bool_) for kind in kinds):
        kind, rest = bool, False
    elif all(issubclass(kind, int | np.integer) for kind in kinds):
        kind, rest = np.int64, 0
    elif all(issubclass(kind, int | float | np.number | Decimal) for kind in kinds):
        kind, rest = np.float64, np.nan
    else:
        kind, rest = str, ""
    try:
        return np.array([kind(v) if k else rest for v, k in zip(y, known, strict=True)])
    except OverflowError:
        raise ValueError("y has numbers that are too large") from None
