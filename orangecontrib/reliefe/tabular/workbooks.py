"""Cells of workbooks (.xlsx, .xls) as text.

Called by the reader of text tables, and by Open Data for the names of sheets. openpyxl reads .xlsx, and xlrd, which
comes with Orange, reads .xls. They are imported when a workbook is read. Only rows and cells that the file has are
made, for a single cell at the far end of a sheet is one of 16,384 columns and a million rows.
"""

import io
import os
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from ..core.data.limits import check_filled, check_unpacked, max_cells
from ..core.words import choices, counted, cut, shown, some

XLS = ".xls"  # all other workbooks are read by openpyxl
ERRORS = {"#VALUE!", "#DIV/0!", "#REF!", "#NUM!", "#NULL!", "#NAME?", "#N/A"}  # of formulas
MAX_ROWS = 2**20  # of a sheet of Excel
SHEET_NOTE = "Read the sheet"  # begins the note on a workbook of several sheets
XLS_ERROR = 5  # kind of a cell, as xlrd numbers them
# What the libraries raise, as seen by damaged files: SyntaxError is one of XML, AssertionError and struct.error are
# those of xlrd, which has a class of its own, too.
UNREADABLE = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, OSError, RuntimeError,
    SyntaxError, TypeError, ValueError, struct.error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


class Workbook(NamedTuple):
    """An open workbook.

    Attributes
    ----------
    sheets : list of str
        Names of its sheets.
    default : str
        The active sheet of an .xlsx, the first one of an .xls.
    book : object
        The workbook of the library that reads it.
    library : module
        That library.
    """

    sheets: list[str]
    default: str
    book: Any
    library: Any

    def rows(self, sheet: str) -> Iterator[tuple[int, list[str]]]:
        """Yield the numbers, from 0, and the cells of the rows of a sheet."""
        return _rows_of_xls(self.book, sheet) if _is_xlrd(self.library) else _rows_of_xlsx(self.book, sheet)


class Sheet(NamedTuple):
    """A sheet of a workbook.

    Attributes
    ----------
    rows : list of list of str
        Cells without blanks at their ends, equally many in each row. No row and no column is empty.
    notes : list of str
        Sentences on which sheet was read, if there are several, and on formulas without values.
    """

    rows: list[list[str]]
    notes: list[str]


def read_sheet(path: str | Path, name: str | None = None, skip_rows: int = 0) -> Sheet:
    """Read a sheet of a workbook, by default the active one of an .xlsx, and the first one of an .xls.

    Parameters
    ----------
    path : str or Path
        The workbook.
    name : str, optional
        Name of the sheet.
    skip_rows : int
        Number of rows at the top of the sheet that are left out, empty ones included.

    Raises
    ------
    ValueError
        If the workbook cannot be read, has no such sheet, or a library is missing.
    """
    with _opened(path) as book:
        sheet_name = book.default if name is None else name
        if sheet_name not in book.sheets:
            raise ValueError(f"it has no sheet {shown(sheet_name)}; {choices(sheet_name, book.sheets, shown)}")
        max_count = max_cells(os.path.getsize(path))
        with _refusing_damaged(book.library):
            n_rows, n_cells, rows = _filled_rows(book.rows(sheet_name), skip_rows, max_count)
    if n_cells > max_count:
        raise ValueError(
            f"it has more than {max_count:,} cells, which a workbook of its size seldom holds: save it as CSV"
        )
    if 0 < n_rows <= skip_rows:
        raise ValueError(f"it has {counted(n_rows, 'row')}, all of which are to be skipped")
    # Columns without any value are left out: those to the left of the table, and those before a single cell far away
    columns = sorted({j for row in rows for j, cell in enumerate(row) if cell})
    check_filled(len(rows), len(columns), sum(sum(map(bool, row)) for row in rows))
    width = max(map(len, rows), default=0)
    if len(columns) < width:
        rows = [[row[j] if j < len(row) else "" for j in columns] for row in rows]
    else:
        rows = [row + [""] * (width - len(row)) for row in rows]
    other_sheets = [shown(sheet) for sheet in book.sheets if sheet != sheet_name]
    note = (
        f"{SHEET_NOTE} {shown(sheet_name)}; others (--sheet NAME): {some(other_sheets)}"
        if other_sheets and name is None
        else ""
    )
    return Sheet(rows, [*filter(None, (note, _formulas_without_values(path, sheet_name, rows, columns)))])


def on_other_sheets(notes: Iterable[str]) -> str:
    """Return the end of a message on a table that may be on another sheet: the note that lists these; else nothing."""
    return "".join(f". {note}" for note in notes if note.startswith(SHEET_NOTE))


def _formulas_without_values(path: str | Path, sheet: str, rows: list[list[str]], columns: list[int]) -> str:
    """Return a sentence on named columns without a value that have formulas; empty if there are none.

    A program that writes formulas without computing them leaves their values to Excel.

    Parameters
    ----------
    path : str or Path
        The workbook.
    sheet : str
        Name of the sheet.
    rows : list of list of str
        Its values; the first row has names.
    columns : list of int
        Columns of the sheet, from 0, which the cells of a row are in.
    """
    empty = [k for k in range(len(columns)) if len(rows) > 1 and not any(row[k] for row in rows[1:])]
    if not empty or str(path).lower().endswith(XLS):
        return ""
    openpyxl = import_module("openpyxl")
    with _refusing_damaged(openpyxl):
        book = openpyxl.load_workbook(path, read_only=True, keep_links=False)
        written = [row for _, row in _rows_of_xlsx(book, sheet)]
        book.close()

    def has_formula(column: int) -> bool:
        return any(len(row) > column and row[column].startswith("=") for row in written)

    formula_columns = [shown(rows[0][k]) for k in empty if has_formula(columns[k])]
    if not formula_columns:
        return ""
    return (
        f"Formulas without values: {some(formula_columns)}. Excel or LibreOffice computes them: save the workbook there"
    )


def sheet_names(path: str | Path) -> list[str]:
    """Return the names of the sheets of a workbook; raises ValueError as `read_sheet` does."""
    with _opened(path) as book:
        return book.sheets


def _filled_rows(
    rows: Iterable[tuple[int, list[str]]], skip_rows: int, max_count: int
) -> tuple[int, int, list[list[str]]]:
    """Return the rows of a sheet that have a value, without empty cells at their ends.

    Parameters
    ----------
    rows : iterable of (int, list of str)
        Numbers of rows from 0, and their cells.
    skip_rows : int
        Number of rows at the top that are left out.
    max_count : int
        Number of cells behind which no more rows are read.

    Returns
    -------
    n_rows : int
        Number of rows, empty ones included.
    n_cells : int
        Number of cells of the rows with a value.
    filled : list of list of str
        Their cells.
    """
    filled = []
    n_rows = n_cells = 0
    for number, row in rows:
        n_rows = number + 1
        cells = [cell.strip() for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        if not cells or number < skip_rows:
            continue
        n_cells += len(cells)
        filled.append(cells)
        if n_cells > max_count:
            break
    return n_rows, n_cells, filled


@contextmanager
def _opened(path: str | Path) -> Iterator[Workbook]:
    """Context of an open workbook, whose limits are checked before; raises ValueError if it cannot be read."""
    check_unpacked(path)
    is_xls = str(path).lower().endswith(XLS)
    library = _library("xlrd" if is_xls else "openpyxl", path)
    with _refusing_damaged(library):
        workbook = _open_xls(library, path) if is_xls else _open_xlsx(library, path)
    try:
        yield workbook
    finally:
        (workbook.book.release_resources if is_xls else workbook.book.close)()


@contextmanager
def _refusing_damaged(library: Any) -> Iterator[None]:
    """Context in which a library reads; what it raises for a damaged file is a ValueError."""
    errors = (library.XLRDError, library.compdoc.CompDocError) if _is_xlrd(library) else ()
    try:
        yield
    except (*UNREADABLE, *errors) as error:
        raise ValueError(f"it is no workbook that can be read ({_reason(error)})") from error


def _reason(error: BaseException) -> str:
    """Return what an error says, or the name of its class."""
    return cut(" ".join(str(error).split()) or type(error).__name__)


def _is_xlrd(library: Any) -> bool:
    return bool(library.__name__ == "xlrd")


def _library(name: str, path: str | Path) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ValueError(f"{str(path)!r} needs {name}: pip install {name}, or save the table as CSV") from None


def _open_xlsx(openpyxl: Any, path: str | Path) -> Workbook:
    """Open a workbook of Excel, whose cells are read one row after another."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of extensions that hold no values
        book = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
    sheets = [sheet.title for sheet in book.worksheets]
    active = book.active.title if book.active in book.worksheets else sheets[0]
    return Workbook(sheets, active, book, openpyxl)


def _rows_of_xlsx(book: Any, name: str) -> Iterator[tuple[int, list[str]]]:
    sheet = book[name]
    sheet.reset_dimensions()  # else all rows are as wide as the file says
    for number, row in enumerate(sheet.iter_rows(values_only=True)):
        if number == MAX_ROWS:
            raise ValueError(f"it has more than {MAX_ROWS:,} rows")
        if row:
            yield number, ["" if value is None or value in ERRORS else str(value) for value in row]


def _open_xls(xlrd: Any, path: str | Path) -> Workbook:
    """Open a workbook of old versions of Excel."""
    warnings_of_xlrd = io.StringIO()  # else they are printed
    book = xlrd.open_workbook(path, logfile=warnings_of_xlrd, on_demand=True, ragged_rows=True)
    sheets = book.sheet_names()
    return Workbook(sheets, sheets[0], book, xlrd)


def _rows_of_xls(book: Any, name: str) -> Iterator[tuple[int, list[str]]]:
    sheet = book.sheet_by_name(name)
    for number in range(sheet.nrows):
        yield number, ["" if cell.ctype == XLS_ERROR else str(cell.value) for cell in sheet.row(number)]
