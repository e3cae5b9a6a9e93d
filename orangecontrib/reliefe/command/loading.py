"""Tables for the command line, which must not run what a file brings along."""

import lzma
import os
import pickle
import sys
import warnings
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from Orange.data import Table
from Orange.data.io import BasketReader, FileFormat, TabReader
from Orange.data.io_util import update_origin
from Orange.data.table import dataset_dirs

from ..core.data.limits import check_unpacked
from ..core.data.table_files import check_file
from ..core.words import choices, shown
from ..formats import BY_ORANGE, CELLS, PICKLE, PLAIN_TEXT, endings_of, is_of, kind_of, not_read, with_ending
from ..io import ArffFormat
from ..orange.table_checks import InfiniteValues
from ..tabular import BesideError, ReadingOptions, TextTable, read_text_table
from ..tabular.encoding import AssumedEncoding
from ..tabular.layout import ORANGE_ROWS
from .endings import STDIN, STDIN_FILE
from .reading_options import refuse_reading
from .standard_input import saved_input
from .text_format import text_ending

# Known to read values only.  Orange's reader of pickles runs code, and nobody knows what those of other add-ons do.
HARMLESS = (BasketReader, ArffFormat)
DISCRETE, DISCRETE_PREFIX = "discrete", "D#"  # type of a column in headers of Orange of three rows, and of one
ARFF_ENDING = ".arff"


class Unreadable(ValueError):
    """A file is of a kind that is not read, or not without trust; the message says all."""


@dataclass(frozen=True)
class Source:
    """A table as it was read.

    Attributes
    ----------
    table : Table
        The table.
    header : list of list of str, optional
        Rows of names (and types and roles) above the values of a text file or workbook, three if they are Orange's;
        empty if there were none; None for formats that mark the target in another way.
    notes : tuple of str
        Sentences on how text became columns and numbers.
    row_names : list of str
        Names of rows that had no column of their own; else empty.
    doubts : list of str
        Those of the notes that are on columns of texts, most of whose cells are numbers.
    codes : tuple of str
        Names of columns of numbers that may be codes, as postal codes.
    """

    table: Table
    header: list[list[str]] | None = None
    notes: tuple[str, ...] = ()
    row_names: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    codes: tuple[str, ...] = ()


def file_of(name: str) -> str:
    """The file of a data set of Orange, of a name without an ending, or of the standard input; else `name` itself."""
    if name == STDIN:
        return STDIN_FILE
    try:
        return str(FileFormat.locate(name, dataset_dirs))
    except OSError:
        return name


def is_text_table(path: str) -> bool:
    """True for a name of a text table or workbook, to which all of `ReadingOptions` apply."""
    return is_of(path, CELLS)


def reader_of(path: str) -> type[FileFormat] | None:
    """Return the reader of Orange for a name, whose ending may be in capitals; None if there is none."""
    name = path.lower()
    endings = [ending for ending in FileFormat.readers if name.endswith(ending.lower())]
    return FileFormat.readers[max(endings, key=len)] if endings else None


def needs_trust(path: str) -> bool:
    """True for a name of a file whose reader may run code that is stored in it."""
    reader = reader_of(path)
    return not is_of(path, CELLS) and reader is not None and reader not in HARMLESS


def read_source(name: str, trust: bool = False, options: ReadingOptions | None = None) -> Source:
    """Read the table in a file, or a data set of Orange, with the header of the file.

    Parameters
    ----------
    name : str
        Path of the file, name of the data set, or "-" for the standard input.
    trust : bool
        Whether the file may run code that is stored in it.
    options : ReadingOptions, optional
        How a text table or workbook is to be read.

    Raises
    ------
    ValueError
        If there is no such file, or it cannot be read.
    """
    options = options or ReadingOptions()
    if name == STDIN:
        with saved_input(options) as path:
            return read_source(str(path), False, options)
    if "://" in name:
        raise ValueError(f"cannot read {name!r}: download the file first, and give its path")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default" if sys.warnoptions else "ignore")
            return _read(name, trust, options)
    except (Unreadable, BesideError):
        raise
    except OSError as error:
        if os.path.exists(name):
            raise ValueError(f"cannot read {name!r}: {error}") from error
        raise ValueError(f"there is no file and no data set of Orange named {name!r}; {_nearest(name)}") from error
    except (
        ValueError, TypeError, LookupError, AttributeError, EOFError, ImportError, pickle.UnpicklingError,
        zipfile.BadZipFile, zlib.error, lzma.LZMAError,
    ) as error:  # fmt: skip
        raise ValueError(f"cannot read {name!r}: {error}") from error


def _read(name: str, trust: bool, options: ReadingOptions) -> Source:
    path = FileFormat.locate(name, dataset_dirs)
    check_file(path)
    kind = kind_of(path)
    is_arff = kind == PLAIN_TEXT and text_ending(path, repr(path), options) == ARFF_ENDING
    if kind in CELLS and not is_arff:
        return _of_text_table(path, trust, options)
    reader_class = ArffFormat if is_arff else reader_of(path)
    if reader_class is None or os.path.isdir(path):
        raise Unreadable(not_read(path, more_endings=_other_endings(trust)))
    if not trust and reader_class not in HARMLESS:
        raise Unreadable(
            f"to read {os.path.basename(path)!r} may run code that is stored in it. If you trust its author, add "
            "--trust"
        )
    check_unpacked(path)
    refuse_reading(options)
    reader = reader_class(path)
    if not trust:
        _leave_metadata(reader)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = reader.read()
    said = (InfiniteValues, AssumedEncoding)
    return Source(table, notes=tuple(str(w.message) for w in caught if issubclass(w.category, said)))


def _leave_metadata(reader: FileFormat) -> None:
    """Let a reader leave metadata beside a table: Orange takes them for a pickle first, also where they are text."""
    reader.set_table_metadata = lambda *_: None


def _of_text_table(path: str, trust: bool, options: ReadingOptions) -> Source:
    """Read a text table or workbook by our own reader, and make Orange's table of its cells."""
    text = read_text_table(path, options)
    table = orange_table(text)
    table.name = os.path.splitext(os.path.basename(path))[0]
    if options.sheet is not None:
        table.name = f"{table.name}-{options.sheet}"
    if trust:
        TabReader(path).set_table_metadata(path, table)
    update_origin(table, path)
    return Source(table, text.header, tuple(_notes(text)), text.row_names, text.doubts, text.possible_categories)


def orange_table(text: TextTable) -> Table:
    """Make a table of Orange from cells of text, whose types Orange sees unless the header names them."""
    header = text.header or [text.names]  # without any, Orange would take the first row for one
    header = [[*row] for row in header]
    for j, name in enumerate(text.names):
        if name in text.categories:
            types = header[1] if len(header) == ORANGE_ROWS else header[0]
            types[j] = DISCRETE if len(header) == ORANGE_ROWS else f"{DISCRETE_PREFIX}{name}"
    return TabReader.data_table(text.cells.tolist(), header)


def _notes(text: TextTable) -> list[str]:
    infinite = [str(InfiniteValues(text.n_infinite))] if text.n_infinite else []
    return [*text.notes, *text.doubts, *infinite]


def _other_endings(trust: bool) -> list[str]:
    """Return the endings that are read besides those of our table: with trust, those of pickles and of add-ons."""
    known_endings = {ending for kind in (*CELLS, *BY_ORANGE) if kind != PICKLE for ending in endings_of((kind,), True)}
    other_endings = sorted(
        ending for ending in FileFormat.readers if ending not in known_endings and ending.count(".") == 1
    )
    return other_endings if trust else []


def _nearest(name: str) -> str:
    """Return a sentence on files and data sets whose names are similar to a name that is none."""
    if files := with_ending(name):
        return f"there is {' and '.join(map(shown, files))}"
    names = [path.stem for folder in dataset_dirs for path in Path(folder).glob("*.tab")]
    names += [
        str(path) for path in Path(name).parent.glob("*") if path.suffix in FileFormat.readers or kind_of(str(path))
    ]
    return choices(name, sorted({*names}), shown)
