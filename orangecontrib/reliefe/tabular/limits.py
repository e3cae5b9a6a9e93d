"""Limits of what a file may take in memory, and the bytes of files that may be compressed.

Readers of text tables, workbooks and ARFF files call it before they read. A small file cannot fill the memory;
environment variables change the limits.
"""

import bz2
import gzip
import lzma
import os
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from ..core.words import shown

MAX_UNPACKED = "ORANGE_RELIEFE_MAX_UNPACKED"
MAX_TEXT = "ORANGE_RELIEFE_MAX_TEXT"
MAX_COLUMNS = "ORANGE_RELIEFE_MAX_COLUMNS"
MAX_CELLS = "ORANGE_RELIEFE_MAX_CELLS"
DEFAULTS = {
    MAX_UNPACKED: 2**30,  # bytes that a compressed file may become
    MAX_TEXT: 2**26,  # characters of a line, of a declaration that goes on over lines, or bytes of a file beside
    MAX_COLUMNS: 2**18,  # attributes of a file, or nodes of a hierarchy
    MAX_CELLS: 2**27,  # values, of 8 bytes, that sparse rows or hierarchies do not spell out: of targets, texts, metas
}
# Bytes that any compressed file may become, and how many times its size a larger one may.
FREE_BYTES, BYTES_PER_BYTE = 2**26, 250
DIGITS = 18  # most of a limit, so that it fits into 64 bits

# Lines that any compressed file may unpack to, and how many for each of its bytes a larger one may: rows of two random
# bits take at least 1/4 byte each.
FREE_LINES, LINES_PER_BYTE = 2**18, 16

BYTES_PER_READ = 2**20  # bytes that are read at once
_OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}  # by the first bytes of a file
DAMAGED = (EOFError, OSError, MemoryError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)  # raised for a damaged file


def limit(name: str) -> int:
    """Return the limit `name`; raise ValueError if its environment variable is no whole number above 0."""
    setting = os.environ.get(name, "").strip()
    if not setting:
        return DEFAULTS[name]
    if not (setting.isdecimal() and len(setting) <= DIGITS and int(setting)):
        raise ValueError(f"the environment variable {name} is a whole number above 0, not {shown(setting)}")
    return int(setting)


def max_unpacked_bytes(size: int) -> int:
    """Return the bytes that a compressed file of `size` bytes may become: bombs become much larger than tables."""
    has_setting = bool(os.environ.get(MAX_UNPACKED, "").strip())
    return limit(MAX_UNPACKED) if has_setting else min(limit(MAX_UNPACKED), max(FREE_BYTES, BYTES_PER_BYTE * size))


def limit_sentence(name: str, most: int | None = None) -> str:
    """Return the end of a refusal: what the limit is and how to set another."""
    return f"more than the limit of {most or limit(name):,}; the environment variable {name} sets another"


def open_unpacked(path: str | Path) -> tuple[BinaryIO, bool]:
    """Return a file of the unpacked bytes, and whether gzip, bzip2 or xz unpacks them, as the first bytes show."""
    with open(path, "rb") as file:
        begin = file.read(6)
    opener = next((opener for magic, opener in _OPENERS.items() if begin.startswith(magic)), None)
    return cast("Any", opener or open)(path, "rb"), opener is not None


def check_unpacked(path: str | Path) -> None:
    """Raise ValueError where a compressed file, or the members of a zip, become larger than the limit.

    So do files with more lines than their size makes likely. That takes less time than to read the rows. Damaged files
    are left to their readers.
    """
    file, packed = open_unpacked(path)
    size, most = 0, max_unpacked_bytes(os.path.getsize(path))
    lines, most_lines = 0, max(FREE_LINES, LINES_PER_BYTE * os.path.getsize(path))
    # A zip lists the sizes of its members (a stored one has the type of compression 0); others must be unpacked.
    with file, suppress(*DAMAGED):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as members:
                size = sum(member.file_size for member in members.infolist() if member.compress_type)
        while packed and size <= most and lines <= most_lines and (data := file.read(BYTES_PER_READ)):
            size += len(data)
            lines += data.count(b"\n")
    if size > most:
        text = f"the unpacked bytes are {limit_sentence(MAX_UNPACKED, most)}; a file that is not compressed has none"
        raise ValueError(f"{Path(path).name}: {text}")
    if lines > most_lines and not os.environ.get(MAX_UNPACKED, "").strip():
        raise ValueError(
            f"{Path(path).name}: it unpacks to more than {most_lines:,} lines, which {os.path.getsize(path):,} bytes "
            f"seldom hold. A file that is not compressed has no limit, nor has one if {MAX_UNPACKED} is set"
        )
