"""Options of the command line that say how a text table or workbook is to be read.

`cli.py` adds them to its parser. The readers of tables, with Orange and without it, ask which were given.
"""

# Nothing heavy is imported up here: --help should answer at once.
import argparse
import os
from typing import TYPE_CHECKING, Any

from .endings import file_and_column

if TYPE_CHECKING:
    from ..tabular import ReadingOptions

OPTIONS = {  # of the fields of tabular.ReadingOptions
    "decimal": "--decimal",
    "transpose": "--transpose",
    "encoding": "--encoding",
    "header": "--no-header",
    "skip_lines": "--skip-lines",
    "sheet": "--sheet",
    "beside": "FILE:COLUMN",
    "join": "--join",
    "drop": "--drop",
    "missing": "--missing",
    "categories": "--categories",
}
REPEATED = (
    ("--join", "ID=ID", "columns with the names of the rows, in DATA and in the FILE of FILE:COLUMN"),
    ("--drop", "NAME", "leave out this column"),
    ("--missing", "VALUE", "cells with this value are missing, for example -99"),
    ("--categories", "NAME", "the values of this column are categories, though they are numbers"),
)


def add_reading_options(
    parser: argparse.ArgumentParser,
    title: str = "reading text tables and workbooks",
    description: str | None = None,
) -> "argparse._ArgumentGroup":
    """Add the options to the parser of a command, and return their group, which has a title and a description."""
    group = parser.add_argument_group(title, description)
    add = group.add_argument
    decimal = "mark before decimals, a comma or a point (default: as the columns look)"
    add("--decimal", metavar="MARK", choices=(",", "."), help=decimal)
    add("--transpose", action="store_true", help="rows of DATA are features, and its columns are samples")
    add("--encoding", metavar="NAME", help="encoding of a text file, for example cp1250 (default: found out, and said)")
    add("--no-header", dest="header", action="store_false", default=None, help="the first line of DATA has no names")
    add("--skip-lines", metavar="N", type=int, default=0, help="leave out the first N lines")
    add("--sheet", metavar="NAME", help="sheet of a workbook (default: the one that was active)")
    for name, metavar, text in REPEATED:
        add(name, metavar=metavar, action="append", default=[], help=f"{text}. Repeat for several")
    return group


def given_reading(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `tabular.ReadingOptions` that were given on the command line."""
    values = {name: getattr(arguments, name, None) for name in OPTIONS}
    chosen = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items() if value}
    return chosen if arguments.header is None else {**chosen, "header": arguments.header}


def refuse_reading(options: "ReadingOptions", accepted_fields: tuple[str, ...] = ()) -> None:
    """Raise ValueError if an option is given that other files than text tables do not take.

    accepted_fields: fields of the options that these files take.
    """
    usual = type(options)()
    for name, option in OPTIONS.items():
        if name not in accepted_fields and getattr(options, name) != getattr(usual, name):
            raise ValueError(f"{option} is for text tables and workbooks: leave it out")


def column_beside(path: str, column: str | None) -> str:
    """Return the name of a column of another table under which it is joined.

    In a table without names that is the name of the file. None is the only column of a table.

    Raises ValueError if the column is None, and the table has several.
    """
    from ..tabular import names_beside, read_text_table
    from ..tabular.text_table import NUMBERED

    if column is not None and not column.startswith(NUMBERED.format("")):
        return column
    try:
        table = read_text_table(path)
    except (ValueError, OSError) as error:
        raise ValueError(f"{path!r} cannot be read: {error}") from error
    name_of = dict(zip(table.names, names_beside(table, path), strict=True))
    if column is not None:
        return name_of.get(column, column)
    if len(name_of) == 1:
        return next(iter(name_of.values()))
    raise ValueError(f"name a column of {path!r} behind a colon: {path}:NAME")


def take_columns_beside(arguments: argparse.Namespace) -> None:
    """Take the files from FILE:COLUMN in options of a table: `arguments.beside` has the files, the options the columns.

    Raises ValueError if there is no such file, or no column behind it.
    """
    files: dict[tuple[str, str], None] = {}

    def column_of(name: str) -> str:
        path, column = file_and_column(name)
        if path is None:
            return name
        if not os.path.isfile(path):
            raise ValueError(f"there is no file {path!r} with a column {column or 'NAME'}")
        column = column_beside(path, column)
        files[path, column] = None
        return column

    for option in ("target", "covariate"):
        names = getattr(arguments, option)
        if names:
            setattr(arguments, option, [*map(column_of, names)])
    for option in ("group", "time", "event"):
        name = getattr(arguments, option, None)
        if name is not None:
            setattr(arguments, option, column_of(name))
    arguments.beside = tuple(files)
