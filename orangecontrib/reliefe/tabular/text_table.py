"""A table whose cells are text: what the reader of text tables and workbooks returns."""

import re
from dataclasses import dataclass, field
from itertools import count
from typing import cast

import numpy as np

from ..core.words import MISSING_CELLS, choices, shown

WHOLE = re.compile(r"[+-]?\d{1,18}")  # of 64 bits
NUMBERED = "Feature {}"  # name of a column without one, as Orange calls it


@dataclass(frozen=True)
class TextTable:
    """A table whose cells are text.

    Attributes
    ----------
    header : list of list of str
        Rows of names: none, one, or the three of Orange (names, types, roles).
    cells : (n, p) object array of str
        Values. Numbers are written as Python writes them, and missing values are empty or ?, ., ~, nan or NA.
    row_names : list of str
        Names of the rows, which had no column of their own; else empty.
    notes : list of str
        Sentences on assumptions and on lines that were left out.
    doubts : list of str
        Sentences on columns that stay texts, though most or all of their cells look like numbers.
    n_infinite : int
        Number of infinite values in columns of numbers.
    categories : frozenset of str
        Names of columns whose values are categories, whatever they look like.
    codes : frozenset of str
        Names of columns of whole numbers whose digits follow a leading 0, as in postal codes.
    """

    header: list[list[str]]
    cells: np.ndarray
    row_names: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    n_infinite: int = 0
    categories: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()

    @property
    def names(self) -> list[str]:
        """Names of the p columns; those without one are numbered."""
        numbers = count(1)
        names = self.header[0] if self.header else [""] * self.cells.shape[1]
        return [name or NUMBERED.format(next(numbers)) for name in names]

    @property
    def possible_categories(self) -> tuple[str, ...]:
        """Names of columns of codes that are read as numbers, since the user says nothing else."""
        return tuple(name for name in self.names if name in self.codes - self.categories)

    def values(self, name: str) -> np.ndarray:
        """Return the values of a column.

        Returns
        -------
        (n,) array
            int64 if all values are whole numbers. float64, with NaN for missing values, if all known ones are
            numbers. Else objects: texts, and None for missing values.

        Raises
        ------
        ValueError
            If no column has this name, or several have it.
        """
        names = self.names
        if names.count(name) != 1:
            problem = f"no column {shown(name)}" if name not in names else f"several columns {shown(name)}"
            raise ValueError(f"{problem}; {choices(name, names, shown)}")
        texts = [None if cell in MISSING_CELLS else cell for cell in self.cells[:, names.index(name)]]
        try:
            if all(text is not None and WHOLE.fullmatch(text) for text in texts):
                return np.array([*map(int, cast("list[str]", texts))])
            return np.array([np.nan if text is None else float(text) for text in texts])
        except (ValueError, OverflowError):
            column = np.empty(len(texts), dtype=object)
            column[:] = texts
            return column
