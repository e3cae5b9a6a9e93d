"""Text files, plain or compressed, whose lines are counted, and limits of what they take.

A small file cannot fill the memory; environment variables change the limits.
"""

import bz2
import gzip
import io
import lzma
import os
import zipfile
import zlib
from codecs import getincrementaldecoder
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from ..core.words import shown
from .tokens import Place

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
FREE, RATIO = 2**26, 250  # bytes that any compressed file may become; how many times its size a larger one may
ESCAPES = 2**20  # backslashes and percent signs of a line; each takes memory while the line is read
DIGITS = 18  # of a whole number that fits into 64 bits


def limit(name: str) -> int:
    """The limit `name`; raises ValueError where its environment variable is no whole number above 0."""
    given = os.environ.get(name, "").strip()
    if not given:
        return DEFAULTS[name]
    if not (given.isdecimal() and len(given) <= DIGITS and int(given)):
        raise ValueError(f"the environment variable {name} is a whole number above 0, not {shown(given)}")
    return int(given)


def unpacked(size: int) -> int:
    """Bytes that a compressed file of so many bytes may become: tables are seldom made much smaller, as bombs are."""
    given = os.environ.get(MAX_UNPACKED, "").strip()
    return limit(MAX_UNPACKED) if given else min(limit(MAX_UNPACKED), max(FREE, RATIO * size))


def beyond(name: str, most: int | None = None) -> str:
    """The end of a refusal: what the limit is and how to set another."""
    return f"more than the limit of {most or limit(name):,}; the environment variable {name} sets another"


def whole(text: str) -> int | None:
    """The number that digits, perhaps with a sign, are; None for another text and above 64 bits."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits.isdecimal() or len(digits := digits.lstrip("0")) > DIGITS:
        return None
    return int(digits or "0") * (-1 if text[0] == "-" else 1)


BYTES_PER_READ = 2**20  # bytes that are read at once
ENCODINGS = ("utf-8-sig", "latin-1")

_OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
_DAMAGED = (EOFError, OSError, MemoryError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)


def opened(path: str | Path) -> tuple[BinaryIO, bool]:
    """The bytes of a file, and whether they are unpacked by gzip, bzip2 or xz, as its first bytes show."""
    with open(path, "rb") as file:
        begin = file.read(6)
    opener = next((opener for magic, opener in _OPENERS.items() if begin.startswith(magic)), None)
    return cast("Any", opener or open)(path, "rb"), opener is not None


def check_unpacked(path: str | Path) -> None:
    """Raise ValueError where a compressed file, or the members of a zip, become larger than the limit.

    That takes less time than to read the rows.  Where it is damaged is left to its reader.
    """
    file, packed = opened(path)
    size, most = 0, unpacked(os.path.getsize(path))
    with file, suppress(*_DAMAGED):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as members:
                size = sum(member.file_size for member in members.infolist() if member.compress_type)
        while packed and size <= most and (data := file.read(BYTES_PER_READ)):
            size += len(data)
    if size > most:
        text = f"the unpacked bytes are {beyond(MAX_UNPACKED, most)}; a file that is not compressed has none"
        raise ValueError(f"{Path(path).name}: {text}")


class Lines:
    """The lines of a file that are neither empty nor comments, without blanks at their ends; a context manager.

    number: how many lines have been read, of all kinds.  Reading raises ValueError where compressed data are damaged
    or cut off, and for more than `limits` allow, before it is in memory.
    """

    def __init__(self, path: str | Path, encoding: str) -> None:
        self.name = Path(path).name
        self.number = 0
        check_unpacked(path)
        self._file, _ = opened(path)
        self._decoder = io.IncrementalNewlineDecoder(getincrementaldecoder(encoding)(), translate=True)
        self._begun: list[str] = []  # of a line whose end has not been read yet
        self._rows: list[str] = []
        self._numbers = np.empty(0, dtype=int)
        self._next = 0

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def place(self) -> Place:
        return Place(self.name, int(self._numbers[self._next - 1]))

    def next(self) -> str | None:
        """The next line; None after the last one."""
        if self._next == len(self._rows) and not self._fill():
            return None
        self._next += 1
        return self._rows[self._next - 1]

    def rows(self) -> tuple[list[str], np.ndarray]:
        """The next lines, of about a megabyte, and their numbers; none after the last one."""
        if self._next == len(self._rows):
            self._fill()
        rows, numbers = self._rows[self._next :], self._numbers[self._next :]
        self._next = len(self._rows)
        return rows, numbers

    def _fill(self) -> bool:
        """Read more lines; returns False at the end."""
        self._rows, self._next = [], 0
        while not self._rows:
            text = self._text()
            if text is None:
                return False
            rows = list(map(str.rstrip, text.split("\n")))
            self._check(rows, text)
            if "%" in text:
                rows = ["" if row.lstrip()[:1] == "%" else row for row in rows]
            numbers = np.arange(self.number + 1, self.number + len(rows) + 1)
            self.number += len(rows)
            if "" in rows:
                numbers = numbers[np.fromiter(map(bool, rows), bool, len(rows))]
                rows = list(filter(None, rows))
            self._rows, self._numbers = rows, numbers
        return True

    def _text(self) -> str | None:
        """Some whole lines, without the end of the last one; None after the last one."""
        length = sum(map(len, self._begun))
        while True:
            data = self._read()
            text = self._decoder.decode(data, final=not data)
            end = len(text) if not data else text.rfind("\n")
            if end >= 0:
                lines = "".join([*self._begun, text[:end]])
                self._begun = [text[end + 1 :]]
                return lines if lines or data else None
            self._begun.append(text)
            length += len(text)
            if length > limit(MAX_TEXT):
                raise self._too_long(self.number + 1)

    def _read(self) -> bytes:
        try:
            return self._file.read(BYTES_PER_READ)
        except _DAMAGED as error:
            text = f"{self.name} is damaged or cut off somewhere after line {self.number}: {error}"
            raise ValueError(text) from None

    def _check(self, rows: list[str], text: str) -> None:
        longest = max(map(len, rows))
        if longest > limit(MAX_TEXT):
            raise self._too_long(self.number + 1 + next(k for k, row in enumerate(rows) if len(row) == longest))
        if longest > ESCAPES and text.count("\\") + text.count("%") > ESCAPES:
            for line, row in enumerate(rows, self.number + 1):
                if row.count("\\") + row.count("%") > ESCAPES:
                    error = f"the line has more than {ESCAPES:,} backslashes and percent signs"
                    raise Place(self.name, line).error(1, error)

    def _too_long(self, line: int) -> ValueError:
        return Place(self.name, line).error(1, f"the characters of this line are {beyond(MAX_TEXT)}")
