"""A column of another table, joined to the rows of a table by their names, or by their order where there are none.

Called by the reader of text tables, for example with a table of genes by samples, which it has turned, and a table of
samples and their tissues. Which columns have the names of the rows is found out by `keys`, or the user says it.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..core.data.row_names import is_name_title, plain_title
from ..core.words import MISSING_CELLS, choices, counted, shown, some
from .keys import MEASURED, KeyColumn, KeyPair, key_pair, key_pairs
from .r_names import make_names
from .text_table import TextTable

ROW_NAMES = "names of rows"  # what notes call names that have no column of their own
JOIN_OPTION = "--join"
EQUALS = "="  # between the titles of the keys in the option


class JoinedTable(NamedTuple):
    """A table that is joined.

    Attributes
    ----------
    table : TextTable
        The table.
    source : str
        Name of its file, for messages.
    """

    table: TextTable
    source: str


def joined(ours: JoinedTable, theirs: JoinedTable, column: str, keys: Sequence[str] = ()) -> TextTable:
    """Join a column of another table. Rows that the other table does not name are left out, and counted in a note.

    Parameters
    ----------
    ours : JoinedTable
        The table. Several of its rows may have one name.
    theirs : JoinedTable
        The other table, with a row for each name.
    column : str
        Name of the column of the other table.
    keys : sequence of str
        Titles of the columns with the names of the rows in both tables, as "id=sample", or "id" for both. The first
        that fits is taken. Without any they are found out.

    Returns
    -------
    TextTable
        The table with the column behind its own. A column of names becomes the names of the rows if all differ.

    Raises
    ------
    ValueError
        If the other table has no such column, the table has one already, they have no names in common, or it is not
        clear which columns have the names.
    """
    our_table, their_table = ours.table, theirs.table
    if their_table.names.count(column) != 1:
        raise ValueError(f"{theirs.source} has no column {shown(column)}; {choices(column, their_table.names, shown)}")
    if column in our_table.names:
        raise ValueError(f"{ours.source} and {theirs.source} both have a column {shown(column)}: rename one of them")
    value_column = their_table.names.index(column)
    notes = [f"{theirs.source}: {note}" for note in their_table.notes]
    if not keys and _may_join_by_order(our_table, their_table, value_column):
        _check_lengths(ours, theirs)
        rows = [*range(len(our_table.cells))]
        key_column = None
        n_rows = counted(len(rows), "row")
        notes.append(f"{n_rows} joined with {theirs.source} by their order, as neither table has names of rows")
    else:
        pair = _keys(ours, theirs, value_column, keys)
        rows = pair.rows
        key_column = pair.ours
        notes += [_note(pair, ours.source, theirs.source), *_note_on_spelling(pair)]
    values = [their_table.cells[row, value_column] for row in rows if row >= 0]
    return _with_column(our_table, key_column, [row >= 0 for row in rows], values, column, notes)


def names_beside(table: TextTable, path: str) -> list[str]:
    """Return the names under which the columns of another table are joined: without any, the name of its file."""
    if table.header:
        return table.names
    stem = Path(path).name.partition(".")[0]
    p = table.cells.shape[1]
    return [stem] if p == 1 else [f"{stem} {j}" for j in range(1, p + 1)]


def _with_column(
    table: TextTable,
    key_column: KeyColumn | None,
    is_joined: Sequence[bool],
    values: Sequence[str],
    column: str,
    notes: Sequence[str],
) -> TextTable:
    """Return the rows of a table that are joined, with a column behind their own."""
    cells = np.column_stack([table.cells[np.array(is_joined)], np.array(values, dtype=object)])
    header = [[*row] for row in table.header or [table.names]]
    for row, cell in zip(header, (column, "", ""), strict=False):
        row.append(cell)
    row_names = [name for name, is_kept in zip(table.row_names, is_joined, strict=False) if is_kept]
    if key_column is not None and key_column.column is not None and key_column.is_unique:
        # It tells rows apart, and is no feature
        row_names = [name for name, is_kept in zip(key_column.cells, is_joined, strict=True) if is_kept]
        cells = np.delete(cells, key_column.column, axis=1)
        for row in header:
            del row[key_column.column]
    return replace(table, header=header, cells=cells, row_names=row_names, notes=[*table.notes, *notes])


# --- By order ---------------------------------------------------------------------------------------------------------


def _may_join_by_order(our_table: TextTable, their_table: TextTable, value_column: int) -> bool:
    """True if the other table has nothing but values, and ours has no names of rows either."""
    has_only_values = not their_table.row_names and all(
        j == value_column or column.begins_with_a_measurement or not column.is_unique
        for j, column in enumerate(_columns(their_table))
    )
    if not has_only_values or our_table.row_names or any(map(is_name_title, our_table.names)):
        return False
    return not any(column.begins_with_a_text and column.is_unique for column in _columns(our_table))


def _check_lengths(ours: JoinedTable, theirs: JoinedTable) -> None:
    """Raise ValueError if tables without names of rows have not equally many."""
    n, n_other = len(ours.table.cells), len(theirs.table.cells)
    if n != n_other:
        raise ValueError(
            f"{ours.source} has {counted(n, 'row')} and {theirs.source} has {n_other:,}, and neither has names of "
            "rows: only as many rows can be joined by their order. Give both tables a column of names"
        )


# --- By names ---------------------------------------------------------------------------------------------------------


def _keys(ours: JoinedTable, theirs: JoinedTable, value_column: int, keys: Sequence[str]) -> KeyPair:
    """Return the columns with the names of the rows in both tables.

    Raises ValueError if there are none, those of the other table occur several times, or several pairs are possible.
    """
    our_columns = _candidates(ours.table)
    their_columns = [column for column in _candidates(theirs.table) if column.column != value_column]
    if keys:
        return _named_keys(ours, theirs, our_columns, their_columns, keys)
    # Before others, since values of two tables that are equal by chance must not join them.
    n_names_of_columns = max(
        (len(column.distinct.intersection(ours.table.names)) for column in their_columns), default=0
    )
    pairs = [pair for pair in key_pairs(our_columns, their_columns) if pair.n_common > n_names_of_columns]
    if len(pairs) > 1:
        listed = some([*map(str, pairs)])
        raise ValueError(
            f"{ours.source} and {theirs.source} could be joined in several ways, which give rows other values: "
            f"{listed}. Say which columns have the names of the rows: {_advice(pairs[0])}"
        )
    if pairs:
        _check_unique(pairs[0], theirs.source, our_columns, their_columns)
        return pairs[0]
    raise ValueError(_why_not_joined(ours, theirs, our_columns, their_columns, n_names_of_columns > 0))


def _check_unique(
    pair: KeyPair, source: str, our_columns: Sequence[KeyColumn], their_columns: Sequence[KeyColumn]
) -> None:
    """Raise ValueError if names of rows with the same title repeat in the other table, which other columns join."""
    if pair.is_certain:
        return
    names_of = {plain_title(column.title): column.distinct for column in our_columns if column.has_name_title}
    for column in their_columns:
        common = column.distinct.intersection(names_of.get(plain_title(column.title), ()))
        if common and not column.is_unique:
            raise ValueError(_repeats(column, source))


def _repeats(column: KeyColumn, source: str) -> str:
    return f"{source} has names in {shown(column.title)} several times; one row each is needed"


def _advice(pair: KeyPair) -> str:
    """Return the option that joins by a pair of columns."""
    return f"add {JOIN_OPTION} {shown(f'{pair.ours.title}{EQUALS}{pair.theirs.title}')}"


def _named_keys(
    ours: JoinedTable,
    theirs: JoinedTable,
    our_columns: Sequence[KeyColumn],
    their_columns: Sequence[KeyColumn],
    keys: Sequence[str],
) -> KeyPair:
    """Return the columns that the user named; raises ValueError if the tables have none, or no names in common."""
    for key in keys:
        splits = [(key, key)] + [(key[:k], key[k + 1 :]) for k, sign in enumerate(key) if sign == EQUALS]
        for our_title, their_title in splits:
            our_column = next((column for column in our_columns if column.title == our_title), None)
            their_column = next((column for column in their_columns if column.title == their_title), None)
            if our_column is None or their_column is None:
                continue
            if not their_column.is_unique:
                raise ValueError(_repeats(their_column, theirs.source))
            pair = key_pair(our_column, their_column)
            if not pair.n_common:
                raise ValueError(
                    f"{shown(our_title)} of {ours.source} ({some([*map(shown, our_column.known_names)])}) and "
                    f"{shown(their_title)} of {theirs.source} ({some([*map(shown, their_column.known_names)])}) have "
                    "no names in common"
                )
            return pair
    titles = [[shown(column.title) for column in columns] for columns in (our_columns, their_columns)]
    raise ValueError(
        f"no {JOIN_OPTION} names a column of {ours.source} ({some(titles[0])}) and one of {theirs.source} "
        f"({some(titles[1])}), as {JOIN_OPTION} id{EQUALS}sample"
    )


def _why_not_joined(
    ours: JoinedTable,
    theirs: JoinedTable,
    our_columns: Sequence[KeyColumn],
    their_columns: Sequence[KeyColumn],
    has_names_of_columns: bool,
) -> str:
    """Return a sentence on tables without names in common."""
    our_names = {name for column in our_columns for name in column.distinct}
    in_common = [column for column in their_columns if not our_names.isdisjoint(column.distinct)]
    repeating = [column for column in in_common if not column.is_unique]
    named_repeating = [column for column in repeating if column.has_name_title]
    if named_repeating and not has_names_of_columns:
        return _repeats(named_repeating[0], theirs.source)
    if not has_names_of_columns:
        changed = {make_names(name) for column in their_columns for name in column.distinct}
        has_names_of_columns = not changed.isdisjoint(ours.table.names)
    advice = f". The columns of {ours.source} have these names: add --transpose" if has_names_of_columns else ""
    first = next((column.known_names for column in our_columns if column.kind != MEASURED), [])
    return (
        f"{theirs.source} has none of the names of the rows of {ours.source} ({some([*map(shown, first)])}) in any "
        f"column{advice or f'. If two columns have them, say so, as by {JOIN_OPTION} id{EQUALS}sample'}"
    )


def _columns(table: TextTable) -> list[KeyColumn]:
    return [KeyColumn(title, j, table.cells[:, j].tolist()) for j, title in enumerate(table.names)]


def _candidates(table: TextTable) -> list[KeyColumn]:
    """Return what may be the names of the rows: names without a column first, then each column."""
    names = [KeyColumn(ROW_NAMES, None, table.row_names)] if table.row_names else []
    return [*names, *_columns(table)]


# --- Notes ------------------------------------------------------------------------------------------------------------


def _note(pair: KeyPair, source: str, other_source: str) -> str:
    """Return a sentence on the rows that are joined, and on those that only one of the tables has."""
    n_rows = sum(row >= 0 for row in pair.rows)
    titles = f"{shown(pair.ours.title)} and {shown(pair.theirs.title)}"
    text = f"{counted(n_rows, 'row')} joined with {other_source} by {titles}"
    joined_rows = {*pair.row_of.values()}
    only_ours = [name for name in pair.ours.cells if name not in pair.row_of]
    only_theirs = [
        name
        for row, name in enumerate(pair.theirs.cells)
        if row not in joined_rows and name not in MISSING_CELLS
    ]  # fmt: skip
    missing = [_missing_in(only_ours, source, other_source), _missing_in(only_theirs, other_source, source)]
    listed = "; ".join(filter(None, missing))
    return f"{text}. Left out: {listed}" if listed else text


def _note_on_spelling(pair: KeyPair) -> list[str]:
    """Return a sentence on names that are spelt otherwise in the other table, if there are any."""
    spelt = [(name, ours) for name, ours in pair.spelling.items() if pair.is_by_r or name != ours]
    if not spelt:
        return []
    name, in_ours = spelt[0]
    if not pair.is_by_r:
        return [f"Names are joined without padding and case: {shown(name)} is {shown(in_ours)}"]
    example = (in_ours, name) if make_names(name) != in_ours else (name, in_ours)
    return [f"Names are joined as R changes them: {shown(example[0])} is {shown(example[1])}"]


def _missing_in(names: Sequence[str], source: str, other_source: str) -> str:
    """Return how many rows one of the tables does not name, and the first of them; empty if there are none."""
    if not names:
        return ""
    return f"{counted(len(names), 'row')} of {source} that {other_source} does not name ({some([*map(shown, names)])})"
