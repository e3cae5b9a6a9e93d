"""Limits of what a file may take in memory, and the bytes of files that may be compressed.

Every reader asks here before it makes anything that is larger than its file, so that the command, Open Data, scripts
and descriptions have the same limits: a small file cannot fill the memory. Compressed files are read by
`read_unpacked`, or are checked by `check_unpacked` before a library reads them. Environment variables change the
limits that large files may meet.
"""

import bz2
import gzip
import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ..words import counted, shown

MAX_UNPACKED = "ORANGE_RELIEFE_MAX_UNPACKED"
MAX_TEXT = "ORANGE_RELIEFE_MAX_TEXT"
MAX_COLUMNS = "ORANGE_RELIEFE_MAX_COLUMNS"
MAX_CELLS = "ORANGE_RELIEFE_MAX_CELLS"
MAX_FEATURES = "ORANGE_RELIEFE_MAX_FEATURES"
DEFAULTS = {
    MAX_UNPACKED: 2**30,  # bytes that a compressed file may become
    MAX_TEXT: 2**26,  # characters of a line, of a declaration that goes on over lines, or bytes of a file beside
    MAX_COLUMNS: 2**18,  # attributes of a file, or nodes of a hierarchy
    MAX_CELLS: 2**27,  # values, of 8 bytes, that sparse rows or hierarchies do not spell out: of targets, texts, metas
    MAX_FEATURES: 2**24,  # rows, and columns, of a sparse table
}
# Bytes that any compressed file may become, and how many times its size a larger one may.
FREE_BYTES, BYTES_PER_BYTE = 2**26, 250
FREE_BYTES_OF_ZIP = 2**24  # workbooks take their readers 0.4 s a megabyte
DIGITS = 18  # most of a limit, so that it fits into 64 bits

# Lines that any compressed file may unpack to, and how many for each of its bytes a larger one may: rows of two random
# bits take at least 1/4 byte each.
FREE_LINES, LINES_PER_BYTE = 2**18, 16
# People and variants, which have a line or a column each: plain ones take some bytes, and packed ones differ.
BYTES_PER_PLAIN_NAME, BYTES_PER_PACKED_NAME = 8, 1
# Cells that a compressed text, or a workbook, may have for each of its bytes, and cells that a table may have for each
# one with a value: counts of single cells, of which 95 % are 0, take 1/20 byte each.
FREE_CELLS, CELLS_PER_BYTE, CELLS_PER_VALUE = 2**22, 64, 64
# Features of sparse tables, and rows, for each value: one far beyond is taken for an error
FREE_FEATURES, FEATURES_PER_VALUE = 2**20, 16
SEPARATORS = (b",", b";", b"\t", b"|")
BLANK = ord(" ")

BYTES_PER_READ = 2**20  # bytes that are read at once
_OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}  # by the first bytes of a file
DAMAGED = (EOFError, OSError, MemoryError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)  # raised for a damaged file
DAMAGED_ZIP = (*DAMAGED, NotImplementedError, ValueError, struct.error)  # raised for the list of members of a zip


def limit(name: str) -> int:
    """Return the limit `name`; raise ValueError if its environment variable is no whole number above 0."""
    setting = os.environ.get(name, "").strip()
    if not setting:
        return DEFAULTS[name]
    if not (setting.isdecimal() and len(setting) <= DIGITS and int(setting)):
        raise ValueError(f"the environment variable {name} is a whole number above 0, not {shown(setting)}")
    return int(setting)


def max_unpacked_bytes(size: int, free_bytes: int) -> int:
    """Return the bytes that a compressed file of `size` bytes may become: bombs become much larger than tables.

    free_bytes: bytes that any file may become.
    """
    has_setting = bool(os.environ.get(MAX_UNPACKED, "").strip())
    return limit(MAX_UNPACKED) if has_setting else min(limit(MAX_UNPACKED), max(free_bytes, BYTES_PER_BYTE * size))


def limit_sentence(name: str, limit_value: int | None = None) -> str:
    """Return the end of a refusal: what the limit is and how to set another."""
    return f"more than the limit of {limit_value or limit(name):,}; the environment variable {name} sets another"


def open_unpacked(path: str | Path) -> tuple[BinaryIO, bool]:
    """Return a file of the unpacked bytes, and whether gzip, bzip2 or xz unpacks them, as the first bytes show."""
    opener = _opener(path)
    return opener(path, "rb"), opener is not open


def _opener(path: str | Path) -> Any:
    """Return the function that opens a file: that of its compression, by its first bytes, or `open`."""
    with open(path, "rb") as file:
        begin = file.read(6)
    return next((opener for magic, opener in _OPENERS.items() if begin.startswith(magic)), open)


def check_unpacked(path: str | Path) -> None:
    """Raise ValueError where a compressed file, or the members of a zip, become larger than the limit.

    So do files with more lines or cells than their size makes likely. That takes less time than to read the rows.
    Damaged files are left to their readers.
    """
    with suppress(*DAMAGED):
        if zipfile.is_zipfile(path):
            # A zip lists the sizes of its members (a stored one has the type of compression 0).
            size = 0
            with suppress(*DAMAGED_ZIP), zipfile.ZipFile(path) as members:
                size = sum(member.file_size for member in members.infolist() if member.compress_type)
            max_size = max_unpacked_bytes(os.path.getsize(path), FREE_BYTES_OF_ZIP)
            if size > max_size:
                raise _too_large(path, max_size)
        elif _opener(path) is not open:
            for _ in _checked_pieces(path):
                pass


def read_unpacked(path: str | Path) -> bytes:
    """Return the bytes of a text file, which gzip, bzip2 or xz may have packed.

    Raises
    ------
    ValueError
        If it is damaged, or unpacks to more than the limits allow.
    OSError
        If it cannot be opened.
    """
    if _opener(path) is open:
        return Path(path).read_bytes()
    try:
        return b"".join(_checked_pieces(path))
    except DAMAGED as error:
        raise damaged(error) from error


def damaged(error: BaseException) -> ValueError:
    """Return the error on a compressed file that is damaged or cut off; error: of the library that unpacks it."""
    return ValueError(f"it is damaged or cut off, and cannot be unpacked ({error}): get it again")


def _checked_pieces(path: str | Path) -> Iterator[bytes]:
    """Yield the unpacked bytes of a compressed file; raises ValueError as soon as they are more than the limits."""
    packed_size = os.path.getsize(path)
    has_setting = bool(os.environ.get(MAX_UNPACKED, "").strip())
    max_size = max_unpacked_bytes(packed_size, FREE_BYTES)
    most_lines = max(FREE_LINES, LINES_PER_BYTE * packed_size)
    most_cells = max_cells(packed_size)
    size = lines = 0
    cells = dict.fromkeys((*SEPARATORS, BLANK), 0)
    with open_unpacked(path)[0] as file:
        while data := file.read(BYTES_PER_READ):
            size += len(data)
            if size > max_size:
                raise _too_large(path, max_size)
            lines += data.count(b"\n")
            for separator in SEPARATORS:
                cells[separator] += data.count(separator)
            cells[BLANK] += _count_runs_of_blanks(data)
            if not has_setting:
                for what, n, limit_of_size in (
                    ("lines", lines, most_lines),
                    ("cells", max(cells.values()), most_cells),
                ):
                    if n > limit_of_size:
                        raise _too_many(path, what, limit_of_size, packed_size)
            yield data


def _count_runs_of_blanks(data: bytes) -> int:
    is_blank = np.frombuffer(data, np.uint8) == BLANK
    return int(np.count_nonzero(is_blank[1:] & ~is_blank[:-1]))


def _too_large(path: str | Path, max_size: int) -> ValueError:
    text = f"the unpacked bytes are {limit_sentence(MAX_UNPACKED, max_size)}; a file that is not compressed has none"
    return ValueError(f"{Path(path).name}: {text}")


def _too_many(path: str | Path, unit_name: str, max_count: int, size: int) -> ValueError:
    """Return the error on a compressed file with too many lines or cells."""
    return ValueError(
        f"{Path(path).name}: it unpacks to more than {max_count:,} {unit_name}, which {size:,} bytes seldom hold. A "
        f"file that is not compressed has no limit, nor has one if {MAX_UNPACKED} is set"
    )


def max_bytes(path: str | Path) -> int:
    """Return the number of bytes that a text has, or may have if it is compressed."""
    size = os.path.getsize(path)
    return size if _opener(path) is open else max_unpacked_bytes(size, FREE_BYTES)


def max_cells(size: int) -> int:
    """Return the number of cells that a compressed file or workbook of `size` bytes may have."""
    return max(FREE_CELLS, CELLS_PER_BYTE * size)


def max_names(path: str | Path) -> int:
    """Return the number of people, or of variants, that a file of genetics may have."""
    per_name = BYTES_PER_PLAIN_NAME if _opener(path) is open else BYTES_PER_PACKED_NAME
    return max(FREE_LINES, os.path.getsize(path) // per_name)


def check_declared(n_rows: int, n_columns: int, n_bytes: int) -> None:
    """Raise ValueError for an array of a shape that its file hardly fills: it would take memory that nothing stores.

    Parameters
    ----------
    n_rows, n_columns : int
        Shape that the file declares.
    n_bytes : int
        Bytes that the file stores for the array, perhaps compressed.
    """
    limit_of_cells = max_cells(n_bytes)
    if n_rows * n_columns > limit_of_cells and not os.environ.get(MAX_UNPACKED, "").strip():
        raise ValueError(
            f"it declares {counted(n_rows, 'row')} and {counted(n_columns, 'column')}, and at most {limit_of_cells:,} "
            f"cells are read from {n_bytes:,} bytes: write it again with its values; there is no limit if "
            f"{MAX_UNPACKED} is set"
        )


def check_filled(n_rows: int, n_columns: int, n_values: int) -> None:
    """Raise ValueError for a table of cells of which hardly any has a value: one stands far apart from the others.

    Parameters
    ----------
    n_rows, n_columns : int
        Size of the table.
    n_values : int
        Number of its cells that the file has.
    """
    if n_rows * n_columns > max(FREE_CELLS, CELLS_PER_VALUE * n_values):
        raise ValueError(
            f"it would be a table of {counted(n_rows, 'row')} and {counted(n_columns, 'column')}, and only "
            f"{counted(n_values, 'cell')} of them {'has' if n_values == 1 else 'have'} a value: delete cells that "
            "stand far apart from the table"
        )


def check_sparse(n_rows: int, n_features: int, n_values: int) -> None:
    """Raise ValueError for a sparse table with far more rows or features than values: a number in it is wrong.

    Parameters
    ----------
    n_rows, n_features : int
        Size of the table.
    n_values : int
        Number of values that the file has.
    """
    max_count = min(limit(MAX_FEATURES), max(FREE_FEATURES, FEATURES_PER_VALUE * n_values))
    for unit_name, n in (("rows", n_rows), ("features", n_features)):
        if n > max_count:
            raise ValueError(
                f"it has {n:,} {unit_name}, and at most {max_count:,} are read from a file of "
                f"{counted(n_values, 'value')}. Number them from 1 (or 0) on, without gaps; {MAX_FEATURES} "
                "in the environment sets another limit"
            )
