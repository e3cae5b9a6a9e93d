"""Covariates as callers give them: their checks and kinds.

`study.py` calls `read_covariates` with the argument `covariates` of `rank`.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..checks import one_of, several
from ..data import frames
from ..data.arrays import NUMBERS, cells, check_scalars, unknown
from ..data.frames import is_frame
from ..result import Info
from ..words import counted, cut, shown, some

MOST_CODES = 5  # different whole numbers up to which they are codes of classes
ROWS_PER_CLASS = 5  # of a covariate, on average, at least


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
