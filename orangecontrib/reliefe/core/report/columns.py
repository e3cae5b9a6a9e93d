"""Columns of values as the report shows them, with the names of categories.

page.py makes them of arrays, `orange/ranking.py` of the variables of a table.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..data.frames import is_frame
from ..data.table import DataTable
from ..targets.columns import read_column
from ..targets.tasks import CLASSIFICATION, REGRESSION, SURVIVAL
from ..targets.times_reader import read_times
from ..words import written_number

MAX_CLASSES = 12  # of a target whose classes get a box each; chosen by eye: more do not fit beside each other
N_QUARTERS = 4  # groups of rows by the values of a number


class ValueColumn(NamedTuple):
    """Values of a feature.

    Attributes
    ----------
    name : str
        Name of the feature.
    values : (n,) float array
        Numbers, or indices of `categories`; NaN is missing.
    categories : tuple of str or None
        Names of the categories; None for numbers.
    """

    name: str
    values: np.ndarray
    categories: tuple[str, ...] | None = None


class RowGroups(NamedTuple):
    """Groups of rows with a like target, beside each other in a picture.

    Attributes
    ----------
    names : tuple of str
        Names of the groups: classes, ranges of a number, or ranges of the time until an event.
    codes : (n,) int array
        Index of the group of each row; -1 for rows without a target.
    numbers : (n,) float array or None
        The target of each row if it is a number.
    """

    names: tuple[str, ...]
    codes: np.ndarray
    numbers: np.ndarray | None = None


def feature_columns(X: object, table: DataTable, features: Sequence[int], names: Sequence[str]) -> list[ValueColumn]:
    """Take the columns of some features.

    Parameters
    ----------
    X
        Data as in `rank`, whose cells name categories.
    table : DataTable
        The data as they were read.
    features : sequence of int
        Indices of the features.
    names : sequence of str
        Names of all p features.
    """
    chosen = table.columns(np.asarray(features, np.intp)).unpacked().wide()
    stored: Any = chosen.values
    values = stored.toarray() if chosen.is_sparse else stored
    columns = []
    for index, feature in enumerate(features):
        column = np.asarray(values[:, index], float)
        categories = None
        if chosen.nominal[index]:
            categories, column = _coded(X, feature, column)
        columns.append(ValueColumn(names[feature], column, categories))
    return columns


def _coded(X: object, feature: int, values: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the categories that occur in a nominal feature (n,), and its values as their indices.

    The names are the cells of a frame, or else the values.
    """
    known_rows = np.flatnonzero(~np.isnan(values))
    occurring, first_of, codes = np.unique(values[known_rows], return_index=True, return_inverse=True)
    names = [f"{value:.15g}" for value in occurring]
    if is_frame(X):
        import narwhals.stable.v2 as nw

        cells = nw.from_native(X, eager_only=True)[:, feature].to_list()
        names = [str(cells[row]) for row in known_rows[first_of]]
    indices = np.full(len(values), np.nan)
    indices[known_rows] = codes.ravel()
    return tuple(names), indices


def groups_by_target(y: Any, n: int, task: str) -> RowGroups | None:
    """Group rows by a target.

    Classes are groups. Numbers have four groups: the quarters of the rows, from the lowest values to the highest. Times
    have two: rows whose event comes until the median time of all events, and rows that have none until then.

    Parameters
    ----------
    y : (n,) or (n, 1) array, Survival or None
        Target as `rank` takes it.
    n : int
        Number of rows.
    task : str
        Kind of the target.

    Returns
    -------
    RowGroups or None
        None without a target, for targets of other kinds, and for more than `MAX_CLASSES` classes.
    """
    if task not in (CLASSIFICATION, REGRESSION, SURVIVAL):
        return None
    if task == SURVIVAL:
        return _early_and_later(y, n)
    if np.ndim(y) == 2 and np.shape(y)[1] == 1:  # a frame or an array of one column
        y = np.asarray(y).ravel()
    if y is None or np.ndim(y) != 1:
        return None
    column = read_column(y, n)
    if task == REGRESSION:
        return quarters(np.where(column.known, column.values, np.nan).astype(float))
    names, codes = column.coded()
    if len(names) > MAX_CLASSES:
        return None
    return RowGroups(tuple(str(name) for name in names), codes)


def _early_and_later(y: Any, n: int) -> RowGroups | None:
    """Group rows into those whose event comes until the median time of all events, and those with a longer time.

    Rows that are censored until then have no group, since nobody knows theirs.

    Parameters
    ----------
    y : (n,) Survival
        Times and events.
    n : int
        Number of rows.

    Returns
    -------
    RowGroups or None
        None without times, and where no row has a longer time.
    """
    times = read_times(y, n, SURVIVAL)
    if times is None:
        return None
    time = times.target.time
    event = times.target.event
    middle = float(np.quantile(time[event], 0.5, method="lower"))
    codes = np.full(n, -1)
    codes[times.known] = np.select([event & (time <= middle), time > middle], [0, 1], -1)
    if not (codes == 1).any():
        return None
    return RowGroups((f"events until {written_number(middle)}", "later or no events"), codes)


def quarters(numbers: np.ndarray) -> RowGroups:
    """Group rows into quarters by a number (n,), NaN for unknown ones; equal numbers are in one group.

    If one number is so frequent that there is one group only, it is a group, and all others are another one.
    """
    limits = np.unique(np.nanquantile(numbers, np.linspace(0, 1, N_QUARTERS + 1)))
    codes = np.clip(np.searchsorted(limits, numbers, side="right") - 1, 0, max(len(limits) - 2, 0))
    codes = np.where(np.isnan(numbers), -1, codes)
    written = [written_number(limit) for limit in limits.tolist()]
    if len(limits) == 2:
        frequent = float(np.nanmedian(numbers))
        is_lowest = frequent == limits[0]
        codes = np.where(np.isnan(numbers), -1, numbers > frequent if is_lowest else numbers >= frequent)
        name = written_number(frequent)
        return RowGroups((name, f"above {name}") if is_lowest else (f"below {name}", name), codes, numbers)
    names = tuple(f"{low} to {high}" for low, high in pairwise(written))
    return RowGroups(names or (written[0],), codes, numbers)
