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
from Orange.data.io import BasketReader, CSVReader, ExcelReader, FileFormat, TabReader, XlsReader
from Orange.data.io_util import update_origin
from Orange.data.table import dataset_dirs

from ..core.data.table_files import check_file
from ..core.words import choices, shown
from ..io import ArffFormat
from ..orange.ranking import InfiniteValues
from ..tabular import ReadingOptions, TextTable, read_text_table
from ..tabular.encoding import AssumedEncoding
from ..tabular.layout import ORANGE_ROWS
from ..tabular.limits import check_unpacked
from .endings import STDIN, STDIN_FILE
from .reading_options import refuse_reading
from .standard_input import saved_input
from .text_format import text_ending

# Known to read values only.  Orange's reader of pickles runs code, and nobody knows what those of other add-ons do.
HARMLESS = (TabReader, CSVReader, ExcelReader, XlsReader, BasketReader, ArffFormat)
OF_TEXT_TABLES = (TabReader, CSVReader, ExcelReader, XlsReader)
DISCRETE, DISCRETE_PREFIX = "discrete", "D#"  # type of a column in headers of Orange of three rows, and of one
TEXT = ".txt"  # cells between tabs, commas, semicolons or blanks
TEXTS = (TEXT, *(f"{TEXT}.{packed}" for packed in ("gz", "bz2", "xz")))


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
    """

    table: Table
    header: list[list[str]] | None = None
    notes: tuple[str, ...] = ()
    row_names: list[str] = field(default_factory=list)


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
    endings = [ending for ending, reader in FileFormat.readers.items() if reader in OF_TEXT_TABLES]
    return path.lower().endswith((*endings, *TEXTS))


def harmless_endings() -> tuple[str, ...]:
    """Endings of the files that are read without running code that is stored in them."""
    endings = {ending for reader in HARMLESS for ending in reader.EXTENSIONS}
    return tuple(ending for ending in FileFormat.readers if ending in endings)


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
    except OSError as error:
        if os.path.exists(name):
            raise ValueError(f"cannot read {name!r} ({error}); files that can be read: {_known(trust)}") from error
        names = [path.stem for folder in dataset_dirs for path in Path(folder).glob("*.tab")]
        names += [str(path) for path in Path(name).parent.glob("*") if path.suffix in (*FileFormat.readers, TEXT)]
        known = choices(name, sorted({*names}), shown)
        raise ValueError(f"there is no file and no data set of Orange named {name!r}; {known}") from error
    except (
        ValueError, TypeError, LookupError, AttributeError, EOFError, ImportError, pickle.UnpicklingError,
        zipfile.BadZipFile, zlib.error, lzma.LZMAError,
    ) as error:  # fmt: skip
        raise ValueError(f"cannot read {name!r}: {error}") from error


def _read(name: str, trust: bool, options: ReadingOptions) -> Source:
    path = FileFormat.locate(name, dataset_dirs)
    check_file(path)
    if zipfile.is_zipfile(path):
        check_unpacked(path)  # Orange opens workbooks where it makes their readers
    if path.lower().endswith(TEXTS):
        reader = FileFormat.readers[text_ending(path, repr(path), options)](path)
    else:
        reader = FileFormat.get_reader(path)
    if not trust:
        if type(reader) not in HARMLESS:
            raise ValueError(
                f"to read {os.path.basename(path)!r} may run code that is stored in it. If you trust its author, add "
                f"--trust. Files that are read without: {_known(trust)}"
            )
        # Orange takes metadata for a pickle first, also where they are text.
        reader.set_table_metadata = lambda *_: None
    if type(reader) in OF_TEXT_TABLES:
        return _of_text_table(path, reader, options)
    refuse_reading(options)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = reader.read()
    said = (InfiniteValues, AssumedEncoding)
    return Source(table, notes=tuple(str(w.message) for w in caught if issubclass(w.category, said)))


def _of_text_table(path: str, reader: FileFormat, options: ReadingOptions) -> Source:
    """Read a text table or workbook by our own reader, and make Orange's table of its cells."""
    text = read_text_table(path, options)
    table = orange_table(text)
    table.name = os.path.splitext(os.path.basename(path))[0]
    if options.sheet is not None:
        table.name = f"{table.name}-{options.sheet}"
    reader.set_table_metadata(path, table)
    update_origin(table, path)
    return Source(table, text.header, tuple(_notes(text)), text.row_names)


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


def _known(trust: bool) -> str:
    return ", ".join(sorted(FileFormat.readers if trust else harmless_endings()))
