"""Text tables and workbooks of other programs, as columns of text with names.

Called by the command line for data, by the readers of targets and covariates beside arrays, and by that of phenotypes.
Each step is a file of this folder. Bytes become text (encoding), and text becomes cells (separators). Workbooks have
cells already (workbooks). Cells become a header and rows (layout). Numbers are written as Python writes them (numbers).
Columns of other tables are joined by the names of the rows (beside), and columns are read as the user says
(columns_as_told).
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..core.data.facts import no_rows
from ..core.data.limits import read_unpacked
from ..core.words import counted, shown
from ..formats import WORKBOOK, is_of
from .beside import JoinedTable, joined, names_beside
from .columns import mixed_columns
from .columns_as_told import empty_words, with_categories, with_missing, without_columns
from .encoding import check_encoding, decode
from .layout import ORANGE_ROWS, arrange
from .numbers import read_numbers
from .separators import BLANKS, COMMA, split
from .text_table import TextTable
from .workbooks import on_other_sheets, read_sheet

# Type (and role) that Orange puts before the name of a column of categories, texts or times, as in D#sex or mS#name.
NOT_NUMERIC = re.compile(r"([cimw]?[DST]|[DST][cimw])#")
TAB_ENDINGS = (".tab", ".tsv", ".tab.gz", ".tsv.gz")


class BesideError(ValueError):
    """A column of another table cannot be joined; the message names that table, and the main one is all right."""


@dataclass(frozen=True)
class ReadingOptions:
    """Choices on how to read a text table or workbook, where the file does not show it.

    Attributes
    ----------
    decimal : "," or ".", optional
        Mark before decimals. The default is to see.
    transpose : bool
        Whether rows of the file are columns of the table.
    encoding : str, optional
        Name of the encoding as Python knows it. The default is to find out.
    header : bool, optional
        Whether the first row has names. The default is to see.
    skip_lines : int
        Number of lines before the table that are left out.
    sheet : str, optional
        Name of the sheet of a workbook. The default is the active one.
    beside : tuple of (str, str)
        Files of other tables, each with the name of a column that is joined by the names of the rows. These tables
        have rows of samples, also where `transpose` turns this one.
    join : tuple of str
        Titles of the columns with the names of the rows, in this table and the tables beside it, as "id=sample".
        Without any they are found out.
    drop : tuple of str
        Names of columns that are left out.
    missing : tuple of str
        Values that mean missing in all columns, for example "-99".
    categories : tuple of str
        Names of columns whose values are categories, also where they are numbers.

    Raises
    ------
    ValueError
        If a value is none of these.
    """

    decimal: str | None = None
    transpose: bool = False
    encoding: str | None = None
    header: bool | None = None
    skip_lines: int = 0
    sheet: str | None = None
    beside: tuple[tuple[str, str], ...] = ()
    join: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.decimal not in (None, ",", "."):
            raise ValueError(f"decimal is ',', '.' or None, not {shown(self.decimal)}")
        if self.encoding is not None:
            check_encoding(self.encoding)
        if self.skip_lines < 0:
            raise ValueError(f"skip_lines is a number from 0, not {shown(self.skip_lines)}")


def read_text_table(path: str | Path, options: ReadingOptions | None = None) -> TextTable:
    """Read a file of text, plain or compressed, or a workbook.

    Parameters
    ----------
    path : str or Path
        A file that is not empty. Workbooks end in .xlsx or .xls.
    options : ReadingOptions, optional
        Choices where the file does not show how it is to be read.

    Raises
    ------
    ValueError
        If it is no text or workbook, is empty, or its rows and header do not fit each other.
    OSError
        If it cannot be opened.
    """
    options = options or ReadingOptions()
    rows, separator, notes = _rows(path, options)
    if not rows:
        raise ValueError("it is empty")
    layout = arrange(rows, options.header, options.transpose, may_end_early=separator != BLANKS)
    if layout.header and not layout.rows:
        raise ValueError(f"{no_rows('it has')} below its header{on_other_sheets(notes)}")
    cells = np.empty((len(layout.rows), len(layout.rows[0]) if layout.rows else 0), dtype=object)
    for i, row in enumerate(layout.rows):
        cells[i] = row
    table = TextTable(layout.header, cells, layout.row_names, [*notes, *layout.notes])
    names = [shown(name) if table.header else name for name in table.names]
    n_emptied = empty_words(cells, options.missing)
    numbers = read_numbers(cells, names, separator, options.decimal, _typed(table.header))
    notes = [*table.notes, *numbers.notes]
    codes = frozenset(table.names[j] for j in numbers.codes)
    table = replace(table, notes=notes, doubts=numbers.doubts, n_infinite=numbers.n_infinite, codes=codes)
    for file, column in options.beside:
        table = _with_column_of(table, Path(path).name, file, column, options)
    table = with_missing(without_columns(table, options.drop), options.missing, n_emptied)
    return with_categories(table, [*options.categories, *mixed_columns(table, _typed(table.header))])


def _with_column_of(table: TextTable, name: str, file: str, column: str, options: ReadingOptions) -> TextTable:
    """Join a column of the table in another file; raises BesideError if that cannot be read, or does not fit."""
    try:
        their_table = read_text_table(file, ReadingOptions(options.decimal, encoding=options.encoding))
    except (ValueError, OSError) as error:
        raise BesideError(f"cannot read {file!r}: {error}") from error
    theirs = JoinedTable(
        replace(their_table, header=their_table.header or [names_beside(their_table, file)]), Path(file).name
    )
    try:
        return joined(JoinedTable(table, name), theirs, column, options.join)
    except ValueError as error:
        raise BesideError(str(error)) from error


def _rows(path: str | Path, options: ReadingOptions) -> tuple[list[list[str]], str, list[str]]:
    """Return the cells of the lines that are not blank, what separated them, and notes."""
    if is_of(str(path), (WORKBOOK,)):
        sheet = read_sheet(path, options.sheet, options.skip_lines)
        return sheet.rows, COMMA, sheet.notes  # as if commas had separated the cells
    if options.sheet is not None:
        raise ValueError(f"it is text, and has no sheet {shown(options.sheet)}")
    decoded = decode(read_unpacked(path), options.encoding)
    # Lines that are to be skipped, and the cells of the others
    text = decoded.text
    if options.skip_lines:
        lines = text.splitlines(keepends=True)
        if len(lines) <= options.skip_lines:
            raise ValueError(f"it has {counted(len(lines), 'line')}, all of which are to be skipped")
        text = "".join(lines[options.skip_lines :])
    name = str(path).lower()
    rows, separator = split(text, name.endswith(TAB_ENDINGS), not name.endswith((*TAB_ENDINGS, ".csv", ".csv.gz")))
    return rows, separator, [decoded.note] if decoded.note else []


def _typed(header: list[list[str]]) -> set[int]:
    """Return the columns whose type the header names."""
    if len(header) == ORANGE_ROWS:
        return set(range(len(header[0])))
    return {j for j, name in enumerate(header[0] if header else ()) if NOT_NUMERIC.match(name)}
