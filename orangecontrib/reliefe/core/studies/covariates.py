"""Covariates as callers have them, and the columns that regressions on them take."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..checks import one_of, several
from ..data import frames
from ..data.arrays import NUMBERS, cells, check_scalars, unknown
from ..data.frames import is_frame
from ..result import Info
from ..structure.additive import FEW_VALUES, KNOTS, natural
from ..words import counted, cut, shown, some
from ..work.threads import SERIAL_ALGEBRA

MOST_CODES = 5  # different whole numbers up to which they are codes of classes
ROWS_PER_CLASS = 5  # of a covariate, on average, at least
ROWS_PER_COLUMN = 20  # of the whole basis, from which on numbers are splines
SAME = 1e-10  # distance of a squared correlation from 1 at which a feature is a covariate
FEW_ROWS = 32  # that features are compared with covariates in, before all rows are
VALUES_AT_ONCE = 2**20  # of features, or of correlations, where features are compared with covariates


class TooManyClasses(ValueError):
    """A covariate is a class with too many values: perhaps it is a group.

    Attributes
    ----------
    name : str
        Name of the covariate.
    problem : str
        What is wrong, without advice.
    """

    def __init__(self, name: str, n_classes: int, n_rows: int) -> None:
        super().__init__(name, n_classes, n_rows)  # all of them, so that it can be pickled
        self.name = name
        self.problem = f"the covariate {name} is a class with {n_classes:,} values in {n_rows:,} rows: that is too many"

    def __str__(self) -> str:
        return f"{self.problem}. Is {shown(self.name)} a group? Then use groups="


@dataclass(frozen=True, eq=False)
class Covariate:
    """A covariate of n rows: numbers, NaN where unknown, or codes of classes from 0, the unknown ones a class.

    Shapes: `values` (n,).
    """

    name: str
    values: np.ndarray
    is_class: bool
    straight: bool = False  # whether numbers have a linear effect

    def take(self, first: np.ndarray, unit: np.ndarray) -> "Covariate":
        """The same of units of rows: the mean of numbers, the most frequent class; unit (n,): codes of the units."""
        if not self.is_class:
            known = ~np.isnan(self.values)
            sums = np.bincount(unit[known], self.values[known], len(first))
            counts = np.bincount(unit[known], minlength=len(first))
            found = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        else:
            table = np.zeros((len(first), int(self.values.max()) + 1))
            np.add.at(table, (unit, self.values), 1)
            found = table.argmax(axis=1)
        return replace(self, values=found)


def read_covariates(given: Any, known: np.ndarray, info: Info, linear: object = False) -> tuple[Covariate, ...]:
    """Check covariates of the used rows, a mask known (rows,) of the caller's rows; notes on them go to info.

    linear: True, or names, for numbers with a linear effect.

    Strings, bools and categories are classes, and so are up to five different whole numbers.
    """
    names, columns = _columns(given, len(known))
    straight = [] if linear is False else names
    if not isinstance(linear, bool):
        straight = [one_of("linear_covariates", name, names) for name in several("linear_covariates", linear)]
    found, coded = [], []
    for name, column in zip(names, columns, strict=True):
        check_scalars(column, f"the covariate {name}")
        column = column[known]
        there = ~unknown(column)
        values = np.unique(column[there].astype(str)) if column.dtype.kind == "O" else np.unique(column[there])
        is_class, numbers = _kind(column[there], values)
        if not is_class and np.isinf(numbers).any():
            raise ValueError(f"the covariate {name} has infinite values: correct them, or leave it out")
        if len(values) + (not there.all()) < 2:
            info["warnings"].append(f"the covariate {name} is constant and left out")
            continue
        if is_class and numbers is not None:
            coded.append(name)
        if is_class:
            found.append(_classes(name, column, there, info))
        else:
            column = np.full(len(column), np.nan)
            column[there] = numbers
            found.append(Covariate(name, column, False, name in straight))
    if coded:
        info["information"].append(f"whole numbers of few values are taken as classes: {some(coded)}")
    return tuple(found)


def _columns(given: Any, n: int) -> tuple[list[str], list[np.ndarray]]:
    given = frames.collected(given)
    if is_frame(given):
        names = [cut(name) for name in frames.names(given)]
        columns = [cells(column, "covariates") for column in frames.columns(given)]
    else:
        array = cells(given, "covariates")
        if array.ndim not in (1, 2):
            raise ValueError(f"covariates must be one column or several, not of shape {array.shape}")
        columns = [array] if array.ndim == 1 else list(array.T)
        names = [f"number {k}" for k in range(1, len(columns) + 1)]
        if array.ndim == 1 and getattr(given, "name", None) not in (None, ""):
            names = [cut(given.name)]
    if not columns:
        raise ValueError("covariates have no columns: leave them out, or name one")
    if len(columns[0]) != n:
        raise ValueError(f"X has {n} rows but covariates have {len(columns[0])}")
    return names, columns


def _kind(column: np.ndarray, values: np.ndarray) -> tuple[bool, Any]:
    """True for classes, and numbers where the values are numbers."""
    kinds = {type(value) for value in column} if column.dtype.kind == "O" else set()
    numeric = all(issubclass(kind, int | float | np.number) and kind is not bool for kind in kinds) if kinds else None
    if column.dtype.kind not in NUMBERS + "O" or column.dtype.kind == "b" or numeric is False or not len(column):
        return True, None
    numbers = column.astype(np.float64)
    few = len(values) <= MOST_CODES and bool((numbers == np.floor(numbers)).all())
    return few, numbers


def _classes(name: str, column: np.ndarray, there: np.ndarray, info: Info) -> Covariate:
    n, codes = len(column), np.full(len(column), -1)
    values = column[there].astype(str) if column.dtype.kind == "O" else column[there]
    levels, codes[there] = np.unique(values, return_inverse=True)
    codes[~there] = len(levels)
    counts = np.bincount(codes)
    if len(counts) > max(n / ROWS_PER_CLASS, 2):
        raise TooManyClasses(name, len(counts), n)
    single = counts == 1
    if single.any():
        info["warnings"].append(
            f"the covariate {name} has {counted(int(single.sum()), 'class', 'classes')} of one row, "
            "put with the most frequent class"
        )
        codes = np.where(single[codes], counts.argmax(), codes)
    return Covariate(name, np.unique(codes, return_inverse=True)[1], True)


def basis(covariates: Sequence[Covariate], n: int) -> np.ndarray:
    """Columns (n, q), standardised, on which targets are regressed.

    More columns than rows are replaced by the n principal components of the rows, on which a regression with a ridge
    has the same fit (Hastie and Tibshirani 2004, Biostatistics 5:329).

    Harrell (2001), Regression Modeling Strategies, section 2.4.5.
    """
    most = sum(int(c.values.max()) if c.is_class else 1 if c.straight else 3 for c in covariates)
    curved = n >= ROWS_PER_COLUMN * (most + 1)
    columns: list[np.ndarray] = []
    for covariate in covariates:
        if covariate.is_class:
            columns += [(covariate.values == code).astype(float) for code in range(1, int(covariate.values.max()) + 1)]
            continue
        gaps = np.isnan(covariate.values)
        scale = np.abs(covariate.values[~gaps]).max(initial=0) or 1.0  # so that no square overflows
        x = covariate.values / scale
        mean = x[~gaps].mean()
        x = np.where(gaps, mean, x) - mean
        x = x / (x.std() or 1)
        columns.append(x)
        ordered = np.sort(x)
        if curved and not covariate.straight and np.count_nonzero(np.diff(ordered)) >= FEW_VALUES:
            quantiles = np.interp(np.multiply(KNOTS, n - 1), np.arange(n), ordered)  # a tenth of NumPy's time for them
            columns += natural(x, quantiles)
        if gaps.any():
            columns.append(gaps.astype(float))
    Z = np.array(columns, float).reshape(len(columns), n).T
    Z = Z - Z.mean(axis=0)
    deviation = Z.std(axis=0)
    some_spread = deviation > 0
    Z = np.ascontiguousarray(Z[:, some_spread] / deviation[some_spread])
    if Z.shape[1] <= n:
        return Z
    with SERIAL_ALGEBRA:
        left, lengths, _ = np.linalg.svd(Z, full_matrices=False)
    return np.ascontiguousarray(left * lengths)


def repeated_features(values: Any, covariates: Sequence[Covariate]) -> np.ndarray:
    """Indices of the features that are a covariate, or a line of one; values (n, p): dense, or CSR.

    All rows are compared only if some rows do not distinguish them.
    """
    columns = [c.values for c in covariates if not np.isnan(c.values).any()]
    if not columns:
        return np.zeros(0, int)
    C, n = np.array(columns, float).T, len(columns[0])
    rows = np.unique(np.linspace(0, n - 1, FEW_ROWS).astype(int))
    found = np.flatnonzero(~(_alike(C[rows], values[rows]) < 1 - SAME))
    step = max(VALUES_AT_ONCE // n, 1)
    pieces = [found[start : start + step] for start in range(0, len(found), step)]
    return np.concatenate([found[:0], *(some[_alike(C, values[:, some]) >= 1 - SAME] for some in pieces)])


def _alike(C: np.ndarray, X: Any) -> np.ndarray:
    """Largest squared correlation (p,) with any column of C (n, q), NaN if undefined; X (n, p)."""
    found = []
    with np.errstate(all="ignore"):
        for x in C, np.asarray(X.toarray() if hasattr(X, "toarray") else X, np.float64):
            x = x / np.abs(x).max(axis=0, initial=0)
            x -= x.mean(axis=0)
            found.append(x / np.sqrt((x * x).sum(axis=0)))
        largest = np.full(X.shape[1], np.nan)
        step = max(VALUES_AT_ONCE // max(X.shape[1], 1), 1)
        for start in range(0, C.shape[1], step):
            squares = (found[0][:, start : start + step].T @ found[1]) ** 2
            largest = np.fmax(largest, np.fmax.reduce(squares, axis=0))
    return largest
