"""Tables for the command line, which must not run what a file brings along."""

import csv
import lzma
import math
import os
import pickle
import re
import shutil
import sys
import tempfile
import warnings
import zipfile
import zlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import BinaryIO

import numpy as np
from Orange.data import Table, isnastr
from Orange.data.io import BasketReader, CSVReader, ExcelReader, FileFormat, TabReader, XlsReader
from Orange.data.table import dataset_dirs

from ..core.data.sources import check_file
from ..core.words import MISSING_WORDS, choices, shown, some, words_among_numbers
from ..io import ArffFormat
from ..orange.ranking import InfiniteValues
from ..tabular.limits import check_unpacked

# Known to read values only.  Orange's reader of pickles runs code, and nobody knows what those of other add-ons do.
HARMLESS = (TabReader, CSVReader, ExcelReader, XlsReader, BasketReader, ArffFormat)
WITH_HEADERS = (TabReader, CSVReader, ExcelReader, XlsReader)
STDIN = "-"
TEXT = ".txt"  # columns between tabs, commas or semicolons
SNIFFED = 1 << 16  # bytes of the standard input that show its format
ARFF_BEGINS = (b"@relation", b"@attribute", b"@data")
LINES_SNIFFED = 10  # as Orange does
_DECIMAL_COMMA = re.compile(r"[+-]?(\d+|\d{1,3}([.\s]\d{3})+|(?=,))(,\d+)?(e[+-]?\d+)?", re.IGNORECASE)
_POINT = re.compile(r"[.\s]")
_GROUPED = re.compile(r"\d[.\s]\d{3}([.\s]\d{3})*,")  # 1.234,5: this point separates thousands
_THOUSANDS = re.compile(r"[+-]?([1-9]\d{0,2},\d{3}|\d+)")  # 1,234 may be 1.234 or 1234
_COMMA_THOUSANDS = re.compile(r"[+-]?([1-9]\d{0,2}(,\d{3})+|\d+)(\.\d+)?")
_POINT_THOUSANDS = re.compile(r"[+-]?([1-9]\d{0,2}\.\d{3}|\d+)")
_INFINITE = re.compile(r"[+-]?(inf(inity)?|\d[\d.]*e\+?\d{3,})", re.IGNORECASE)  # or a number that may be too large
_RARE = re.compile(r"inf|e\+?\d{3}", re.IGNORECASE)
_NUMBER = re.compile(_INFINITE.pattern + r"|[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_SEPARATOR = re.compile(r'(?:\xef\xbb\xbf)?"?sep=(.)"?\s*', re.IGNORECASE)  # as Excel writes it
MINUS = "\u2212"
_NO_NUMBER = re.compile(r"([cimw]?[DST]|[DST][cimw])#")


@dataclass(frozen=True)
class Source:
    """A table as it was read.

    header: rows of names (and types and roles) above the values of a text file or spreadsheet, three if they are
    Orange's; empty if there were none; None for formats that mark the target in another way.  notes: sentences on how
    text became columns and numbers.
    """

    table: Table
    header: list[list[str]] | None = None
    notes: tuple[str, ...] = ()


def read_source(name: str, trust: bool = False, decimal: str | None = None, transpose: bool = False) -> Source:
    """The table in a file, or a data set of Orange, with the header of the file.

    decimal: mark before decimals, "," or ".", of a text; None: as the columns look.  transpose: rows become columns.
    """
    if name == STDIN:
        if sys.stdin is None:
            raise ValueError("there is no standard input to read from")
        return _read_stream(sys.stdin.buffer, decimal, transpose)
    if "://" in name:
        raise ValueError(f"cannot read {name!r}: download the file first, and give its path")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default" if sys.warnoptions else "ignore")
            return _read(name, trust, decimal, transpose)
    except OSError as error:
        if os.path.exists(name):
            raise ValueError(f"cannot read {name!r} ({error}); files that can be read: {_known(trust)}") from error
        names = [path.stem for folder in dataset_dirs for path in Path(folder).glob("*.tab")]
        names += [str(path) for path in Path(name).parent.glob("*") if path.suffix in (*FileFormat.readers, TEXT)]
        known = choices(name, sorted({*names}), shown)
        raise ValueError(f"there is no file and no data set of Orange named {name!r}; {known}") from error
    except (
        ValueError, TypeError, LookupError, AttributeError, EOFError, ImportError, csv.Error, pickle.UnpicklingError,
        zipfile.BadZipFile, zlib.error, lzma.LZMAError,
    ) as error:  # fmt: skip
        raise ValueError(f"cannot read {name!r}: {error}") from error


def _read_stream(stream: BinaryIO, decimal: str | None, transpose: bool) -> Source:
    """Content of a stream, through a file: readers go over their text more than once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "stdin")
        with path.open("wb") as file:
            shutil.copyfileobj(stream, file)
        with path.open("rb") as file:
            ending = _ending(file.read(SNIFFED), "the standard input")
        path = path.rename(path.with_suffix(ending))
        try:
            return read_source(str(path), False, decimal, transpose)
        except ValueError as error:
            raise ValueError(str(error).replace(str(path), path.stem)) from error


def _ending(text: bytes, source: str) -> str:
    """The ending of files that begin as `text` of a source does."""
    lines = [line.strip().lower() for line in text.removeprefix(b"\xef\xbb\xbf").splitlines()]
    lines = [line for line in lines if line]
    if not lines or b"\0" in text:
        what = "not binary data" if lines else "and it is empty"
        raise ValueError(f"{source} must be CSV, tab-separated values or ARFF as text, {what}")
    if next((line for line in lines if not line.startswith(b"%")), b"").startswith(ARFF_BEGINS):
        return ".arff"
    return ".tab" if b"\t" in lines[0] else ".csv"


def _read(name: str, trust: bool, decimal: str | None, transpose: bool) -> Source:
    path = FileFormat.locate(name, dataset_dirs)
    check_file(path)
    if zipfile.is_zipfile(path):
        check_unpacked(path)  # Orange opens workbooks where it makes their readers
    if path.lower().endswith(TEXT):
        with open(path, "rb") as file:
            reader = FileFormat.readers[_ending(file.read(SNIFFED), repr(path))](path)
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
    if type(reader) not in WITH_HEADERS:
        if transpose or decimal:
            option = "--transpose" if transpose else "--decimal"
            raise ValueError(f"{option} is for text files and spreadsheets: leave it out")
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always", InfiniteValues)
            table = reader.read()
        return Source(table, notes=tuple(str(w.message) for w in found if w.category is InfiniteValues))
    check_unpacked(path)
    header: list[list[str]] = []
    notes: list[str] = []
    separator, named = _separator(reader) if type(reader) is CSVReader else ("", False)
    if separator:
        reader.DELIMITERS = separator  # Orange prefers the comma where both could be

    def data_table(rows: Iterable[list[str]]) -> Table:
        delimiter = getattr(getattr(rows, "dialect", None), "delimiter", ",")  # none of spreadsheets
        if named:
            delimiter = separator
            rows = islice(rows, 1, None)
        if transpose:
            rows = map(list, zip_longest(*filter(any, rows), fillvalue=""))
        header[:], rows = reader.parse_headers(rows)
        rows = [*rows]
        if len(header) == 1 and all(map(_DECIMAL_COMMA.fullmatch, header[0])):
            rows.insert(0, header.pop())
        for row in rows:
            row[:] = [_with_hyphen(cell) if MINUS in cell else cell for cell in row]
        typed = {j for j, name in enumerate(header[0] if header else ()) if len(header) > 1 or _NO_NUMBER.match(name)}
        said = _words(rows, header, typed)
        notes[:] = [*_decimal_points(rows, header, delimiter, typed, decimal), *said, *_infinite(rows)]
        return type(reader).data_table(rows, [*header])

    reader.data_table = data_table  # Orange's keeps neither the order of the columns nor whether they had roles
    return Source(reader.read(), header, tuple(notes))


def _separator(reader: CSVReader) -> tuple[str, bool]:
    """Return what separates columns, "" if Orange is to find out, and whether the first line names it, as "sep=;".

    Semicolons do if they cut the first lines into equal numbers of cells, and commas only stand before digits.
    """
    with reader.open(reader.filename, mode="rt", newline="", encoding="latin-1") as file:
        lines = [*islice(file, LINES_SNIFFED)]
    if lines and (found := _SEPARATOR.fullmatch(lines[0])):
        return found[1], True
    rows = [row for row in csv.reader(lines, delimiter=";") if row]
    widths = {len(row) for row in rows}
    equal = len(widths) == 1 and widths != {1}
    return ";" if equal and not any(re.search(r",(?!\d)", cell) for row in rows for cell in row) else "", False


def _with_hyphen(cell: str) -> str:
    """Return the cell with hyphens for the signs of minus (U+2212) if it is a number then."""
    text = cell.replace(MINUS, "-")
    return text if _NUMBER.fullmatch(text.strip()) or _DECIMAL_COMMA.fullmatch(text.strip()) else cell


def _words(rows: list[list[str]], header: list[list[str]], typed: Collection[int]) -> list[str]:
    """Empty the cells with words for missing values among numbers; return a note on them and one on other words."""
    missing, kept = [], []
    for j in range(max(map(len, rows), default=0)):
        words = [] if j in typed else words_among_numbers(row[j] for row in rows if j < len(row))
        listed = f"{_name(header, j)} ({', '.join(map(shown, words))})"
        if words and all(word.casefold() in MISSING_WORDS for word in words):
            missing.append(listed)
            for row in rows:
                if j < len(row) and row[j].strip() in words:
                    row[j] = ""
        elif words:
            kept.append(listed)
    notes = [f"Read as missing among numbers: {some(missing)}"] if missing else []
    advice = "No numbers, since some cells are none (if they are missing values, empty them)"
    return notes + ([f"{advice}: {some(kept)}"] if kept else [])


def _name(header: list[list[str]], j: int) -> str:
    return shown(header[0][j]) if header and j < len(header[0]) else f"Feature {j + 1}"


def _decimal_points(
    rows: list[list[str]], header: list[list[str]], delimiter: str, typed: Collection[int], decimal: str | None
) -> list[str]:
    """Write decimal points into the columns of `rows` whose numbers have decimal commas; sentences on what was done.

    A column with another kind of cell is left alone, as are those whose type the header names (typed).
    """
    marks = re.compile("[,.]" if decimal == "," else ",")
    commas = {j for row in rows if marks.search("".join(row)) for j, cell in enumerate(row) if marks.search(cell)}
    commas -= {*typed}
    if decimal == ".":
        plain = [j for j in sorted(commas) if all(map(_COMMA_THOUSANDS.fullmatch, _known_cells(rows, j)))]
        for row in rows:
            for j in plain:
                row[j : j + 1] = [cell.replace(",", "") for cell in row[j : j + 1]]
        return (
            [f"Read without the commas between thousands: {some([_name(header, j) for j in plain])}"] if plain else []
        )
    cells, grouped = {}, set()
    for j in sorted(commas):
        known = _known_cells(rows, j)
        text = "|".join(known)  # one search takes less time than thousands
        if (_POINT if decimal else _GROUPED).search(text):
            grouped.add(j)
        if all(map(_DECIMAL_COMMA.fullmatch, known)) and (j in grouped or not _POINT.search(text)):
            cells[j] = known
    said = [f"{delimiter!r} between columns"] if delimiter not in ",\t" else []
    doubtful: list[int] = []
    if (
        delimiter != ";"
        and not decimal
        and all(_THOUSANDS.fullmatch(cell) for known in cells.values() for cell in known)
    ):
        doubtful, cells = [*cells], {}
    for row in rows:
        for j in cells:
            if j < len(row):
                row[j] = (_POINT.sub("", row[j]) if j in grouped else row[j]).replace(",", ".")
    said += ["decimal commas"] if cells else []
    notes = [f"Read with {' and '.join(said)}"] if said else []

    def note(sentence: str, columns: Iterable[int]) -> None:
        names = [_name(header, j) for j in columns]
        if names:
            notes.append(f"{sentence}: {some(names)}")

    note("No numbers, since commas before three digits may separate thousands (if not, add --decimal ,)", doubtful)
    note("Read without the points or blanks between thousands", [j for j in cells if j in grouped])
    if cells:
        width = max(map(len, rows))
        points = [j for j in range(width) if j not in commas.union(typed) and "." in "".join(_known_cells(rows, j))]
        note(
            "Read with decimal points, though they stand before three digits and may separate thousands",
            [j for j in points if all(map(_POINT_THOUSANDS.fullmatch, _known_cells(rows, j)))],
        )
    return notes


def _infinite(rows: list[list[str]]) -> list[str]:
    """A sentence on the infinite values in columns of numbers, if there are any."""
    rare = [row for row in rows if _RARE.search(" ".join(row))]
    columns = range(max(map(len, rare), default=0))
    known = [_known_cells(rows, j) for j in columns if any(map(_INFINITE.fullmatch, _known_cells(rare, j)))]
    n = sum(1 for cells in known if all(map(_NUMBER.fullmatch, cells)) for cell in cells if math.isinf(float(cell)))
    return [str(InfiniteValues(n))] if n else []


def _known_cells(rows: list[list[str]], column: int) -> list[str]:
    cells = np.array([row[column].strip() for row in rows if column < len(row)], dtype=object)
    return list(cells[~isnastr(cells)])


def _known(trust: bool) -> str:
    harmless = {ending for reader in HARMLESS for ending in reader.EXTENSIONS}
    return ", ".join(sorted(ending for ending in FileFormat.readers if trust or ending in harmless))
