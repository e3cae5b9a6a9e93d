"""Columns as few categories: the most frequent values, and bins of numbers.

`of_table` and `pair_pictures` call it, so that pictures have at most a dozen boxes, bars or rows of cells.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from Orange.data import Variable

MAX_VALUES = 12  # values of a categorical variable that are drawn; chosen by eye
MAX_VALUES_OF_PAIR = 8  # values of each variable of a pair; chosen by eye
BINS = 3  # of a number, to measure how a target is associated with a pair


class CategoriesOfRows(NamedTuple):
    """Categories of m rows.

    Attributes
    ----------
    codes : (m,) int array
        Category of each row, from 0.
    names : tuple of str
        Names of the categories.
    """

    codes: np.ndarray
    names: tuple[str, ...]


def frequent(codes: np.ndarray, names: Sequence[str], most: int = MAX_VALUES) -> CategoriesOfRows:
    """Return the values that occur, in their order; if there are more than `most`, the rarest become one category.

    Parameters
    ----------
    codes : (m,) array
        Codes of values, from 0.
    names : sequence of str
        Names of all values.
    most : int
        Largest number of categories.
    """
    sizes = np.bincount(codes.astype(int), minlength=len(names))
    separate = np.flatnonzero(sizes)
    n_rare = len(separate) - most + 1
    names_of_categories = []
    if n_rare > 1:
        by_size = np.argsort(-sizes[separate], kind="stable")
        separate = np.sort(separate[by_size[: most - 1]])
        names_of_categories = [f"{n_rare:,} more"]
    names_of_categories = [*(names[code] for code in separate), *names_of_categories]
    category_of = np.full(len(names), len(separate))
    category_of[separate] = np.arange(len(separate))
    return CategoriesOfRows(category_of[codes.astype(int)], tuple(names_of_categories))


def binned(variable: Variable, column: np.ndarray) -> np.ndarray:
    """Codes (m,) of a column: its most frequent values, or a third of the rows each if it is a number."""
    if variable.is_discrete:
        return frequent(column, variable.values, MAX_VALUES_OF_PAIR).codes
    if not len(column):
        return column.astype(int)
    quantiles = np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1])
    return np.searchsorted(np.unique(quantiles), column)


def cells_of_pair(pair: Sequence[Variable], columns: Sequence[np.ndarray]) -> tuple[np.ndarray, int]:
    """Return the cell (m,) of each row, as a float, in a table of two binned columns, and the number of cells."""
    first = binned(pair[0], columns[0])
    second = binned(pair[1], columns[1])
    occurring, codes = np.unique(first * (MAX_VALUES + 1) + second, return_inverse=True)
    return codes.astype(float), max(len(occurring), 1)


def n_values(variable: Variable) -> int | None:
    """Number of values of a categorical variable; None for a number."""
    return len(variable.values) if variable.is_discrete else None
