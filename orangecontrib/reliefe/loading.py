"""Tables for the command line, which must not run what a file brings along."""

import csv
import os
import pickle
import shutil
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from Orange.data import Table
from Orange.data.io import BasketReader, CSVReader, ExcelReader, FileFormat, TabReader, XlsReader
from Orange.data.table import dataset_dirs

from .io import ArffFormat

# Known to read values only.  Orange's reader of pickles runs code, and nobody knows what those of other add-ons do.
HARMLESS = (TabReader, CSVReader, ExcelReader, XlsReader, BasketReader, ArffFormat)
WITH_HEADERS = (TabReader, CSVReader, ExcelReader, XlsReader)
STDIN = "-"
SNIFFED = 1 << 16  # bytes of the standard input that tell its format
ARFF_BEGINS = (b"@relation", b"@attribute", b"@data")


@dataclass(frozen=True)
class Source:
    """A table as it was read.

    header: rows of names (and types and roles) above the values of a text file or spreadsheet, three if they are
    Orange's; empty if there were none; None for formats that tell the target in other ways.
    """

    table: Table
    header: list[list[str]] | None = None


def read_table(name: str, trust: bool = False) -> Table:
    """The table in a file, or a data set of Orange.

    Parameters
    ----------
    name : str
        A path, or the name of a data set: heart_disease.
    trust : bool
        Whether the file, and one with its metadata beside it, may run code when it is read: pickles do.  Otherwise
        metadata are left aside, as they take no part in a ranking.

    Returns
    -------
    Orange.data.Table

    Raises
    ------
    ValueError
        If there is no such file, it cannot be read, or only files that are trusted may be.
    """
    return read_source(name, trust).table


def read_source(name: str, trust: bool = False) -> Source:
    """The table in a file, or a data set of Orange, with the header of the file; as in `read_table`.

    Parameters
    ----------
    name : str
        As in `read_table`; "-" is the standard input: CSV, tab-separated values or ARFF, by what it begins with.
    trust : bool
        As in `read_table`.

    Returns
    -------
    Source

    Raises
    ------
    ValueError
        As in `read_table`.
    """
    if name == STDIN:
        if sys.stdin is None:
            raise ValueError("there is no standard input to read from")
        return _read_stream(sys.stdin.buffer)
    if "://" in name:
        raise ValueError(f"cannot read {name!r}: download the file first, and give its path")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default" if sys.warnoptions else "ignore")
            return _read(name, trust)
    except OSError as error:
        if os.path.exists(name):
            raise ValueError(f"cannot read {name!r} ({error}); files that can be read: {_known(trust)}") from error
        raise ValueError(f"there is no file and no data set of Orange named {name!r}") from error
    except (
        ValueError, TypeError, LookupError, AttributeError, EOFError, ImportError, csv.Error, pickle.UnpicklingError,
        zipfile.BadZipFile,
    ) as error:  # fmt: skip
        raise ValueError(f"cannot read {name!r}: {error}") from error


def _read_stream(stream: BinaryIO) -> Source:
    """Content of a stream, through a file: readers go over their text more than once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "stdin")
        with path.open("wb") as file:
            shutil.copyfileobj(stream, file)
        with path.open("rb") as file:
            ending = _ending(file.read(SNIFFED))
        path = path.rename(path.with_suffix(ending))
        try:
            return read_source(str(path))
        except ValueError as error:
            raise ValueError(str(error).replace(str(path), path.stem)) from error


def _ending(text: bytes) -> str:
    """The ending of files that begin as `text` does."""
    lines = [line.strip().lower() for line in text.removeprefix(b"\xef\xbb\xbf").splitlines()]
    lines = [line for line in lines if line]
    if not lines or b"\0" in text:
        what = "not binary data" if lines else "and it is empty"
        raise ValueError(f"the standard input must be CSV, tab-separated values or ARFF as text, {what}")
    if next((line for line in lines if not line.startswith(b"%")), b"").startswith(ARFF_BEGINS):
        return ".arff"
    return ".tab" if b"\t" in lines[0] else ".csv"


def _read(name: str, trust: bool) -> Source:
    path = FileFormat.locate(name, dataset_dirs)
    reader = FileFormat.get_reader(path)
    if not trust:
        if type(reader) not in HARMLESS:
            raise ValueError(
                f"to read {os.path.basename(path)!r} may run code that is stored in it, which is only right for files "
                f"from somebody you trust: then add --trust; files that are read without: {_known(trust)}"
            )
        # Orange takes metadata for a pickle first, also where they are text.
        reader.set_table_metadata = lambda *_: None
    if type(reader) not in WITH_HEADERS:
        return Source(reader.read())
    header: list[list[str]] = []

    def data_table(rows: Iterable[list[str]]) -> Table:
        header[:], rows = reader.parse_headers(rows)
        return type(reader).data_table(rows, [*header])

    reader.data_table = data_table  # Orange's keeps neither the order of the columns nor whether they had roles
    return Source(reader.read(), header)


def _known(trust: bool) -> str:
    harmless = {ending for reader in HARMLESS for ending in reader.EXTENSIONS}
    return ", ".join(sorted(ending for ending in FileFormat.readers if trust or ending in harmless))
