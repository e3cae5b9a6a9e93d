"""Columns of a text table as numbers, categories, times or texts, by the rules with which Orange reads the same cells.

Called by the command line where Orange is not installed.  Tests compare it with Orange.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timezone
from typing import NamedTuple

import numpy as np

from ..core.words import MISSING_CELLS, infinite_as_missing
from .text_table import TextTable

# Rules of Orange.data.variable.is_discrete_values.
CELLS_THAT_TELL = 3  # first cells of a column: if all of them are numbers or missing, it is one of numbers
MAX_CATEGORIES_OF_NUMBERS = 3  # different cells, words for missing values included
MAX_CATEGORIES = 100
EXPONENT_OF_CATEGORIES = 0.7  # of the number of rows: so many categories, at most, of a column of texts
CODES = ({0.0, 1.0}, {1.0, 2.0})  # numbers that are categories if a column has no others

# Formats of Orange.data.TimeVariable that are no plain numbers, in its order.
TIME_FORMATS = (
    "%Y-%m-%d %H:%M:%S%z",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S%z",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d",
    "%Y-%m-%d %H:%M:%S.%f",
    "%Y-%m-%dT%H:%M:%S.%f",
    "%Y-%m-%d %H:%M:%S.%f%z",
    "%Y-%m-%dT%H:%M:%S.%f%z",
    "%H:%M:%S.%f",
    "%H:%M:%S",
    "%H:%M",
    "%Y%m%dT%H%M%S",
    "%Y-%m",
    "%Y-%j",
)
TIME = re.compile(
    r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?([+-]\d{4})?)?)?|\d{8}T\d{6}|\d\d:\d\d(:\d\d(\.\d+)?)?|\d{4}-\d{2,3}"
)
EPOCH_YEAR = 1970  # times of a day are those of its first one
NUMBERED = re.compile(r"(?P<name>.*) \((?P<number>\d+)\)")  # name of a column that is not the first one of this name


class TextColumn(NamedTuple):
    """A column of a table.

    Attributes
    ----------
    name : str
        Name, which no other column has.
    values : (n,) array
        float64 for numbers, times (seconds since 1970) and codes of categories, NaN where a value is missing; objects
        for texts, None where one is missing.
    categories : tuple of str, optional
        Names of the codes, in natural order (a2 before a10). None for all but categories.
    """

    name: str
    values: np.ndarray
    categories: tuple[str, ...] | None = None

    @property
    def is_text(self) -> bool:
        """True for texts with too many different values for categories."""
        return self.values.dtype == object


def read_columns(table: TextTable) -> tuple[list[TextColumn], list[str]]:
    """Return the columns of a table and sentences on values that were read as missing.

    Infinite values are missing, as in Orange's tables.
    """
    is_category = [name in table.categories for name in table.names]
    columns = [
        _read(name, table.cells[:, j].tolist(), is_category[j]) for j, name in enumerate(_made_unique(table.names))
    ]
    n_infinite = 0
    for column in columns:
        if not column.is_text:
            infinite = np.isinf(column.values)
            n_infinite += int(infinite.sum())
            column.values[infinite] = np.nan
    if not n_infinite:
        return columns, []
    return columns, [infinite_as_missing(n_infinite)]


def _read(name: str, cells: list[str], is_category: bool) -> TextColumn:
    if is_category:
        categories: list[str] | None = sorted({*cells}.difference(MISSING_CELLS), key=_natural)
    else:
        categories = _categories(cells)
    if categories is None:
        try:
            return TextColumn(
                name, np.array([np.nan if cell in MISSING_CELLS else float(cell) for cell in cells], float)
            )
        except ValueError:  # it has texts, or times
            pass
    times = None if is_category else _times(cells)
    if times is not None:
        return TextColumn(name, times)
    if categories is None:
        return TextColumn(name, np.array([None if cell in MISSING_CELLS else cell for cell in cells], object))
    codes = {category: code for code, category in enumerate(categories)}
    return TextColumn(name, np.array([codes.get(cell, np.nan) for cell in cells], float), tuple(categories))


def _categories(cells: list[str]) -> list[str] | None:
    """Return the categories of a column in natural order; None if it is no column of categories."""
    begins_with_numbers = _begins_with_numbers(cells)
    max_categories = MAX_CATEGORIES_OF_NUMBERS if begins_with_numbers else _most_categories(len(cells))
    different: set[str] = set()
    for cell in cells:
        different.add(cell)
        if len(different) > max_categories:
            return None
    categories = sorted(different.difference(MISSING_CELLS), key=_natural)
    if not categories:
        return None
    if begins_with_numbers and all(map(_is_number, categories)):
        numbers = {*map(float, categories)}
        return categories if any(numbers <= pair for pair in CODES) else None
    return categories


def mixed_columns(table: TextTable, typed: Collection[int]) -> list[str]:
    """Return the names of columns of few different texts that begin with numbers or missing values.

    Orange reads a column by its first cells, so that a word among grades would make categories of it in one order of
    the rows, and texts in another one. With these names as categories the order does not matter.

    Parameters
    ----------
    table : TextTable
        The table, whose numbers are as Python writes them.
    typed : collection of int
        Columns whose types the header names.
    """
    names: list[str] = []
    if not len(table.cells):
        return names
    max_categories = _most_categories(len(table.cells))
    for j, name in enumerate(table.names):
        cells = table.cells[:, j].tolist()
        if j in typed or not _begins_with_numbers(cells):
            continue
        different = {*cells}
        known_texts = different.difference(MISSING_CELLS)
        # Most columns have numbers only, or too many values
        are_texts = not all(map(_is_number, known_texts)) and not all(map(TIME.fullmatch, known_texts))
        if len(different) <= max_categories and are_texts:
            names.append(name)
    return names


def _most_categories(n: int) -> int:
    """Return how many different texts of n rows are categories, at most."""
    return int(min(round(n**EXPONENT_OF_CATEGORIES), MAX_CATEGORIES))


def _begins_with_numbers(cells: list[str]) -> bool:
    """Return True if the first cells, by which Orange judges a column, are numbers or missing."""
    return all(cell in MISSING_CELLS or _is_number(cell) for cell in cells[:CELLS_THAT_TELL])


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _natural(text: str) -> list[tuple[bool, int, str]]:
    """Return a key for sorting texts by the numbers in them."""
    pieces = re.split(r"(\d+)", text)
    return [(not piece.isdigit(), int(piece) if piece.isdigit() else 0, piece) for piece in pieces]


def _times(cells: list[str]) -> np.ndarray | None:
    """Return seconds since 1970; None if a cell that is not missing is no time."""
    texts = [cell for cell in cells if cell not in MISSING_CELLS]
    if not texts or not all(map(TIME.fullmatch, texts)):
        return None
    seconds = {cell: _seconds(cell) for cell in {*texts}}
    if None in seconds.values():
        return None
    return np.array([seconds.get(cell, np.nan) for cell in cells], float)


def _seconds(cell: str) -> float | None:
    for form in TIME_FORMATS:
        try:
            time = datetime.strptime(cell, form)
        except ValueError:
            continue
        time = time if "%Y" in form else time.replace(year=EPOCH_YEAR, month=1, day=1)
        return (time if time.tzinfo else time.replace(tzinfo=timezone.utc)).timestamp()
    return None


def _made_unique(names: Sequence[str]) -> list[str]:
    """Return names with numbers behind those that occur twice, above all numbers that stand behind one already."""
    last: dict[str, int] = {}
    for match in filter(None, map(NUMBERED.fullmatch, names)):
        last[match["name"]] = max(last.get(match["name"], 0), int(match["number"]))
    counts, unique_names = Counter(names), []
    for name in names:
        if counts[name] > 1:
            last[name] = last.get(name, 0) + 1
            unique_names.append(f"{name} ({last[name]})")
        else:
            unique_names.append(name)
    return unique_names
