"""Columns of a text table as the user describes them: left out, with missing values, or categories.

Called by the reader of text tables: `empty_words` before it looks for numbers, and the others at its end.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from ..core.words import MISSING_CELLS, choices, counted, shown, some
from .text_table import TextTable


def without_columns(table: TextTable, names: Sequence[str]) -> TextTable:
    """Leave columns out. Raises ValueError for an unknown name, and if no column is left."""
    _check_names(table, names)
    is_kept = np.array([name not in names for name in table.names])
    if is_kept.all():
        return table
    if not is_kept.any():
        raise ValueError("all columns are to be left out")
    header = [[cell for cell, keeps in zip(row, is_kept, strict=True) if keeps] for row in table.header]
    note = f"{counted(int((~is_kept).sum()), 'column')} left out: {some([*map(shown, names)])}"
    return replace(table, header=header, cells=table.cells[:, is_kept], notes=[*table.notes, note])


def empty_words(cells: np.ndarray, values: Sequence[str]) -> int:
    """Empty, in place, the cells with one of some values that are no numbers, so that their columns may be numbers.

    Returns the number of these cells.
    """
    words = {value.strip() for value in values if _number(value) is None}
    if not words:
        return 0
    is_told = _is_in(cells, words)
    cells[is_told] = MISSING_CELLS[0]
    return int(is_told.sum())


def _is_in(cells: np.ndarray, values: Collection[str]) -> np.ndarray:
    """Return a mask (n, p) of the cells with one of some values.

    An array of texts of one width, as NumPy makes it, would have the width of the longest cell in all of them.
    """
    return np.asarray(np.frompyfunc(values.__contains__, 1, 1)(cells), dtype=bool)


def with_missing(table: TextTable, values: Sequence[str], n_emptied: int) -> TextTable:
    """Empty the cells with one of some values. Numbers are equal if their values are: -99 and -99.0.

    n_emptied: number of cells that `empty_words` has emptied, for the note.
    """
    if not values:
        return table
    texts = {value.strip() for value in values}
    numbers = {number for number in map(_number, texts) if number is not None}

    def is_missing(cell: str) -> bool:
        return cell in texts or _number(cell) in numbers

    different = {cell for cell in {*table.cells.ravel().tolist()} if is_missing(cell)}
    is_told = _is_in(table.cells, different)
    cells = np.where(is_told, MISSING_CELLS[0], table.cells).astype(object)
    listed = some([*map(shown, values)])
    note = f"{counted(n_emptied + int(is_told.sum()), 'cell')} with {listed} read as missing"
    return replace(table, cells=cells, notes=[*table.notes, note])


def with_categories(table: TextTable, names: Sequence[str]) -> TextTable:
    """Mark columns as categories. Raises ValueError for an unknown name."""
    _check_names(table, names)
    return replace(table, categories=table.categories.union(names))


def _check_names(table: TextTable, names: Sequence[str]) -> None:
    for name in names:
        if name not in table.names:
            raise ValueError(f"there is no column {shown(name)}; {choices(name, table.names, shown)}")


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
