"""Covariates as callers give them: their checks and kinds.

`study.py` calls `read_covariates` with the argument `covariates` of `rank`.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..checks import one_of, several
from ..data import frames
from ..data.arrays import NUMBER_KINDS, TEXT_KINDS, cells, check_scalars, unknown
from ..data.facts import infinite_values
from ..data.frames import is_frame
from ..info import Info
from ..words import counted, cut, shown, some

MAX_CODES = 5  # different whole numbers up to which they are codes of classes
ROWS_PER_CLASS = 5  # of a covariate, on average, at least
HOW = "give the columns, as covariates=data[['age']], and X without them"  # advice on names of columns


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
    """A covariate of n rows: numbers or classes."""

    name: str
    values: np.ndarray  # (n,): numbers, NaN where unknown, or codes of classes from 0, the unknown ones a class
    is_class: bool
    straight: bool = False  # whether numbers have a linear effect

    def take(self, first: np.ndarray, unit: np.ndarray) -> "Covariate":
        """Summarise a covariate in units of rows: the mean of numbers, the most frequent class.

        Shapes: `first` (u,), a row of each unit; `unit` (n,), codes of the units.
        """
        n_units = len(first)
        if self.is_class:
            class_counts = np.zeros((n_units, int(self.values.max()) + 1))
            np.add.at(class_counts, (unit, self.values), 1)
            return replace(self, values=class_counts.argmax(axis=1))
        is_known = ~np.isnan(self.values)
        sums = np.bincount(unit[is_known], self.values[is_known], n_units)
        counts = np.bincount(unit[is_known], minlength=n_units)
        return replace(self, values=np.where(counts > 0, sums / np.maximum(counts, 1), np.nan))


def read_covariates(covariates: Any, is_used: np.ndarray, info: Info, linear: object = False) -> tuple[Covariate, ...]:
    """Check covariates as callers give them.

    Strings, bools and categories are classes, and so are up to five different whole numbers.

    Parameters
    ----------
    covariates : array-like or data frame
        One or more columns of all of the caller's rows.
    is_used : (rows,) bool array
        Rows that are ranked.
    info : Info
        Takes notes on covariates, and warnings.
    linear : bool, or names
        True, or the names of covariates, for numbers with a linear effect.

    Returns
    -------
    tuple of Covariate
        Those that vary, in the used rows.

    Raises
    ------
    ValueError
        For another number of rows, no column, infinite values, or a class of too many values.
    """
    names, columns = _columns(covariates, len(is_used))
    straight_names = [] if linear is False else names
    if not isinstance(linear, bool):
        straight_names = [one_of("linear_covariates", name, names) for name in several("linear_covariates", linear)]
    read: list[Covariate] = []
    coded_names: list[str] = []
    for name, column_of_all in zip(names, columns, strict=True):
        check_scalars(column_of_all, f"the covariate {name}")
        column = column_of_all[is_used]
        is_known = ~unknown(column)
        known_values = column[is_known]
        levels = np.unique(known_values.astype(str)) if column.dtype.kind == "O" else np.unique(known_values)
        is_class, numbers = _kind(known_values, levels)
        if not is_class and np.isinf(numbers).any():
            raise ValueError(infinite_values(f"the covariate {name}"))
        n_levels = len(levels) + (not is_known.all())
        if n_levels < 2:
            info["warnings"].append(f"the covariate {name} is constant and left out")
            continue
        if is_class:
            if numbers is not None:
                coded_names.append(name)
            read.append(_classes(name, column, is_known, info))
        else:
            values = np.full(len(column), np.nan)
            values[is_known] = numbers
            read.append(Covariate(name, values, False, name in straight_names))
    if coded_names:
        info["information"].append(f"whole numbers of few values are taken as classes: {some(coded_names)}")
    return tuple(read)


def _columns(covariates: Any, n: int) -> tuple[list[str], list[np.ndarray]]:
    """Read the names and the columns (n,) of covariates; raises ValueError where there are not n rows."""
    collected = frames.collected(covariates)
    if is_frame(collected):
        names = [cut(name) for name in frames.names(collected)]
        columns = [cells(column, "covariates") for column in frames.columns(collected)]
    else:
        array = cells(collected, "covariates")
        if array.ndim == 0 and array.dtype.kind in TEXT_KINDS:
            raise ValueError(f"covariates must be one column or several, not the name {shown(str(array))}: {HOW}")
        if array.ndim not in (1, 2):
            raise ValueError(f"covariates must be one column or several, not of shape {array.shape}")
        columns = [array] if array.ndim == 1 else list(array.T)
        names = [f"number {k}" for k in range(1, len(columns) + 1)]
        if array.ndim == 1 and getattr(collected, "name", None) not in (None, ""):
            names = [cut(collected.name)]
    if not columns:
        raise ValueError("covariates have no columns: leave them out, or name one")
    if len(columns[0]) != n:
        advice = f". If these are names: {HOW}" if columns[0].dtype.kind in TEXT_KINDS + "O" else ""
        raise ValueError(f"X has {n} rows but covariates have {len(columns[0])}{advice}")
    return names, columns


def _kind(values: np.ndarray, levels: np.ndarray) -> tuple[bool, Any]:
    """Tell whether known values with these levels are classes, and return them as numbers, or None if they are none."""
    if not len(values) or not _is_numeric(values):
        return True, None
    numbers = values.astype(np.float64)
    is_coded = len(levels) <= MAX_CODES and bool((numbers == np.floor(numbers)).all())
    return is_coded, numbers


def _is_numeric(values: np.ndarray) -> bool:
    """True if values are numbers; bools are not."""
    if values.dtype.kind == "O":
        kinds = {type(value) for value in values}
        return all(issubclass(kind, int | float | np.number) and kind is not bool for kind in kinds)
    return values.dtype.kind in NUMBER_KINDS and values.dtype.kind != "b"


def _classes(name: str, column: np.ndarray, is_known: np.ndarray, info: Info) -> Covariate:
    """Code the classes of a column (n,), unknown values as a class; raises ValueError where there are too many."""
    n = len(column)
    values = column[is_known].astype(str) if column.dtype.kind == "O" else column[is_known]
    levels, known_codes = np.unique(values, return_inverse=True)
    codes = np.full(n, len(levels))
    codes[is_known] = known_codes
    counts = np.bincount(codes)
    if len(counts) > max(n / ROWS_PER_CLASS, 2):
        raise TooManyClasses(name, len(counts), n)
    is_single = counts == 1
    if is_single.any():
        info["warnings"].append(
            f"the covariate {name} has {counted(int(is_single.sum()), 'class', 'classes')} of one row, "
            "put with the most frequent class"
        )
        codes = np.where(is_single[codes], counts.argmax(), codes)
    return Covariate(name, np.unique(codes, return_inverse=True)[1], True)
