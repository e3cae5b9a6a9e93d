"""Cells of workbooks (.xlsx, .xls) as text.

Called by the reader of text tables. openpyxl reads .xlsx, and xlrd, which comes with Orange, reads .xls. They are
imported when a workbook is read.
"""

import warnings
import zipfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from ..core.words import choices, counted, shown, some

XLSX, XLS = (".xlsx", ".xlsm"), (".xls",)
ENDINGS = (*XLSX, *XLS)
ERRORS = {"#VALUE!", "#DIV/0!", "#REF!", "#NUM!", "#NULL!", "#NAME?", "#N/A"}  # of formulas
XLS_ERROR = 5  # kind of a cell, as xlrd numbers them
UNREADABLE = (  # what the libraries raise, as seen by damaged files: SyntaxError is one of XML
    ArithmeticError, AttributeError, EOFError, LookupError, OSError, SyntaxError, TypeError, ValueError,
    zipfile.BadZipFile,
)  # fmt: skip


class Sheet(NamedTuple):
    """A sheet of a workbook.

    Attributes
    ----------
    rows : list of list of str
        Cells without blanks at their ends. The first row and the first column are not empty.
    note : str
        Which sheet was read, if there are several.
    """

    rows: list[list[str]]
    note: str


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
    open_book = _opener(path)
    try:
        sheets, default, rows_of = open_book(path)
        wanted = default if name is None else name
        cells = rows_of(wanted) if wanted in sheets else []
    except UNREADABLE as error:
        raise ValueError(f"it is no workbook that can be read ({error})") from error
    if wanted not in sheets:
        raise ValueError(f"it has no sheet {shown(wanted)}; {choices(wanted, sheets, shown)}")
    rows = [[cell.strip() for cell in row] for row in cells[skip_rows:]]
    if cells and not rows:
        raise ValueError(f"it has {counted(len(cells), 'row')}, all of which are to be skipped")
    # Empty rows above the table, and empty columns to the left of it
    first_row = next((i for i, row in enumerate(rows) if any(row)), len(rows))
    rows = rows[first_row:]
    first_column = min((next(j for j, cell in enumerate(row) if cell) for row in rows if any(row)), default=0)
    others = [shown(sheet) for sheet in sheets if sheet != wanted]
    note = f"Read the sheet {shown(wanted)}; others (--sheet NAME): {some(others)}" if others and name is None else ""
    return Sheet([row[first_column:] for row in rows], note)


def sheet_names(path: str | Path) -> list[str]:
    """Return the names of the sheets of a workbook; raises ValueError as `read_sheet` does."""
    open_book = _opener(path)
    try:
        return open_book(path)[0]
    except UNREADABLE as error:
        raise ValueError(f"it is no workbook that can be read ({error})") from error


def _opener(path: str | Path) -> Callable[[str | Path], tuple[list[str], str, Any]]:
    """Return a function that opens a workbook: names of its sheets, the default one, and what gives rows of one."""
    if str(path).lower().endswith(XLS):
        return partial(_open_xls, _library("xlrd", path))
    return partial(_open_xlsx, _library("openpyxl", path))


def _library(name: str, path: str | Path) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ValueError(f"{str(path)!r} needs {name}: pip install {name}, or save the table as CSV") from None


def _open_xlsx(openpyxl: Any, path: str | Path) -> tuple[list[str], str, Any]:
    """Return the names of the sheets, the active one, and what gives the rows of one of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of extensions that hold no values
        book = openpyxl.load_workbook(path, data_only=True)
    sheets = [sheet.title for sheet in book.worksheets]
    active = book.active.title if book.active in book.worksheets else sheets[0]

    def text(value: object) -> str:
        return "" if value is None or value in ERRORS else str(value)

    def rows_of(name: str) -> list[list[str]]:
        return [[*map(text, row)] for row in book[name].iter_rows(values_only=True)]

    return sheets, active, rows_of


def _open_xls(xlrd: Any, path: str | Path) -> tuple[list[str], str, Any]:
    """Return the names of the sheets, the first one, and what gives the rows of one of them."""
    try:
        book = xlrd.open_workbook(path, on_demand=True)
    except xlrd.XLRDError as error:
        raise ValueError(str(error)) from error
    sheets = book.sheet_names()

    def rows_of(name: str) -> list[list[str]]:
        sheet = book.sheet_by_name(name)
        rows = (sheet.row(i) for i in range(sheet.nrows))
        return [["" if cell.ctype == XLS_ERROR else str(cell.value) for cell in row] for row in rows]

    return sheets, sheets[0], rows_of
