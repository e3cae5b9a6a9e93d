"""A column of another table, joined to the rows of a table by their names.

Called by the reader of text tables, for example with a table of genes by samples, which it has turned, and a table of
samples and their tissues. Which columns have the names of the rows is found out: those with most names in common. If
there are none, one of the tables may have names as R changes them (r_names).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..core.words import MISSING_CELLS, choices, counted, is_decimal, shown, some
from .r_names import make_names
from .text_table import TextTable

ROW_NAMES = "names of rows"  # what notes call names that have no column of their own


class Names(NamedTuple):
    """Names of the n rows of a table.

    Attributes
    ----------
    title : str
        Title of their column.
    column : int, optional
        Index of the column. None: names that have no column.
    cells : list of str
        The names; missing ones are in `MISSING_CELLS`.
    example : (str, str), optional
        A name, and the same name as R changes it, if names of the other table were translated.
    """

    title: str
    column: int | None
    cells: list[str]
    example: tuple[str, str] | None = None

    @property
    def known(self) -> list[str]:
        """Names that are not missing."""
        return [cell for cell in self.cells if cell not in MISSING_CELLS]

    @property
    def differ(self) -> bool:
        """True if no two rows have the same name."""
        return len({*self.known}) == len(self.known)


def joined(table: TextTable, source: str, other: TextTable, other_source: str, column: str) -> TextTable:
    """Join a column of another table. Rows that the other table does not name are left out, and counted in a note.

    Parameters
    ----------
    table : TextTable
        The table. Several of its rows may have one name.
    source : str
        Name of its file, for messages.
    other : TextTable
        The other table, with a row for each name.
    other_source : str
        Name of its file, for messages.
    column : str
        Name of the column of the other table.

    Returns
    -------
    TextTable
        The table with the column behind its own. A column of names becomes the names of the rows if all differ.

    Raises
    ------
    ValueError
        If the other table has no such column, the table has one already, or they have no names in common.
    """
    if other.names.count(column) != 1:
        raise ValueError(f"{other_source} has no column {shown(column)}; {choices(column, other.names, shown)}")
    if column in table.names:
        raise ValueError(f"{source} and {other_source} both have a column {shown(column)}: rename one of them")
    value_column = other.names.index(column)
    ours, theirs = _matching_names(table, source, other, other_source, value_column)
    row_of = {name: i for i, name in enumerate(theirs.cells) if name not in MISSING_CELLS}
    is_joined = np.array([name in row_of for name in ours.cells])
    values = [other.cells[row_of[name], value_column] for name in ours.cells if name in row_of]
    cells = np.column_stack([table.cells[is_joined], np.array(values, dtype=object)])
    header = [[*row] for row in table.header or [table.names]]
    for row, cell in zip(header, (column, "", ""), strict=False):
        row.append(cell)
    row_names = [name for name, is_kept in zip(table.row_names, is_joined, strict=False) if is_kept]
    if ours.column is not None and ours.differ:  # it tells rows apart, and is no feature
        row_names = [name for name in ours.cells if name in row_of]
        cells = np.delete(cells, ours.column, axis=1)
        for row in header:
            del row[ours.column]
    notes = [f"{other_source}: {note}" for note in other.notes]
    notes.append(_note(ours, source, theirs, other_source))
    if theirs.example:
        name, changed = theirs.example
        notes.append(f"Names are joined as R changes them: {shown(name)} is {shown(changed)}")
    return replace(table, header=header, cells=cells, row_names=row_names, notes=[*table.notes, *notes])


def _matching_names(
    table: TextTable, source: str, other: TextTable, other_source: str, value_column: int
) -> tuple[Names, Names]:
    """Return the names of the rows in both tables: the pair of columns with most names in common, the first of several.

    Raises ValueError if there is none, or those of the other table occur several times.
    """
    candidates = [names for names in _candidates(other) if names.column != value_column]
    any_name = {cell for names in candidates for cell in names.known}
    # Names of columns come first, so that values of two tables that are equal by chance do not join them.
    best: tuple[Names, Names] | None = None
    most = max((len({*names.known}.intersection(table.names)) for names in candidates), default=0)
    has_names_of_columns = most > 0
    repeating: Names | None = None
    for ours in _candidates(table):
        common = any_name.intersection(ours.cells)
        if len(common) <= most:
            continue
        for theirs in candidates:
            n_common = len(common.intersection(theirs.cells))
            if n_common > most and theirs.differ:
                best, most = (ours, theirs), n_common
            elif n_common > most:
                repeating = theirs
    if best is not None:
        return best
    # Before a complaint about repeated names: columns that were joined before have values of the other table.
    if not has_names_of_columns and (pair := _matching_by_r(table, candidates)) is not None:
        return pair
    if repeating is not None:
        raise ValueError(f"{other_source} has names in {shown(repeating.title)} several times; one row each is needed")
    if not has_names_of_columns:
        has_names_of_columns = not {make_names(name) for name in any_name}.isdisjoint(table.names)
    advice = f". The columns of {source} have these names: add --transpose" if has_names_of_columns else ""
    first = next((names.known for names in _candidates(table)), [])
    raise ValueError(
        f"{other_source} has none of the names of the rows of {source} ({some([*map(shown, first)])}) in any "
        f"column{advice}"
    )


def _matching_by_r(table: TextTable, candidates: Sequence[Names]) -> tuple[Names, Names] | None:
    """Return the names of the rows in both tables, of which R has changed one; None if no names match then.

    Those of the other table, one of the candidates, are in the spelling of this table. Of several pairs of columns it
    is the first with most names in common.
    """
    best: tuple[Names, Names] | None = None
    most = 0
    changed_names = [{name: make_names(name) for name in theirs.known} for theirs in candidates]
    for ours in _candidates(table):
        if _has_fractions(ours):
            continue
        for theirs, changed in zip(candidates, changed_names, strict=True):
            translated = _translated(ours, theirs, changed)
            if translated is not None and (n := len({*ours.known}.intersection(translated.cells))) > most:
                best, most = (ours, translated), n
    return best


def _has_fractions(names: Names) -> bool:
    """True for a column that begins with a number that is not whole: measurements, which no sample is named by."""
    first = next((cell for cell in names.cells if cell not in MISSING_CELLS), "")
    return is_decimal(first) and not first.isdecimal()


def _translated(ours: Names, theirs: Names, changed: dict[str, str]) -> Names | None:
    """Return the names of the other table in the spelling of this one; None if none, or several, fit one name.

    changed: names of the other table as R changes them.
    """
    if not theirs.differ:
        return None
    names_of_ours = {*ours.known}
    ours_by_change = {make_names(name): name for name in names_of_ours}  # for names that R changed in the other table
    is_one_to_one = len(ours_by_change) == len(names_of_ours)
    by_change = {name: ours_by_change[name] for name in theirs.known if name in ours_by_change and is_one_to_one}
    for spelling in (changed, by_change):
        matching = {name: in_ours for name, in_ours in spelling.items() if in_ours in names_of_ours}
        if matching and len({*matching.values()}) == len(matching):
            name, in_ours = next(iter(matching.items()))
            example = (name, in_ours) if spelling is changed else (in_ours, name)
            return theirs._replace(cells=[matching.get(cell, cell) for cell in theirs.cells], example=example)
    return None


def _candidates(table: TextTable) -> Iterator[Names]:
    """Yield what may be the names of the rows: names without a column first, then each column."""
    if table.row_names:
        yield Names(ROW_NAMES, None, table.row_names)
    for j, title in enumerate(table.names):
        yield Names(title, j, table.cells[:, j].tolist())


def _note(ours: Names, source: str, theirs: Names, other_source: str) -> str:
    """Return a sentence on the rows that are joined, and on those that only one of the tables has."""
    common = {*ours.known}.intersection(theirs.known)
    n_rows = sum(name in common for name in ours.cells)
    text = f"{counted(n_rows, 'row')} joined with {other_source} by {shown(ours.title)} and {shown(theirs.title)}"
    only_ours = [name for name in ours.cells if name not in common]
    only_theirs = [name for name in theirs.known if name not in common]
    missing = [_missing_in(only_ours, source, other_source), _missing_in(only_theirs, other_source, source)]
    listed = "; ".join(filter(None, missing))
    return f"{text}. Left out: {listed}" if listed else text


def _missing_in(names: Sequence[str], source: str, other_source: str) -> str:
    """Return how many rows one of the tables does not name, and the first of them; empty if there are none."""
    if not names:
        return ""
    return f"{counted(len(names), 'row')} of {source} that {other_source} does not name ({some([*map(shown, names)])})"
