"""Text files, plain or compressed, whose lines are counted."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO

from .tokens import Place

CHUNK = 2**20  # characters that are read at once
ENCODINGS = ("utf-8-sig", "latin-1")

_OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}


def opened(path: str | Path, encoding: str) -> IO[str]:
    """The text of a file that may be compressed by gzip, bzip2 or xz, as its first bytes tell."""
    with open(path, "rb") as file:
        begin = file.read(6)
    opener = next((opener for magic, opener in _OPENERS.items() if begin.startswith(magic)), open)
    return opener(path, "rt", encoding=encoding)


class Lines:
    """The lines of a file one by one or in chunks; a context manager.

    number: how many have been read.  Reading raises ValueError with the last good line where compressed data are
    damaged or cut off.
    """

    def __init__(self, path: str | Path, encoding: str) -> None:
        self.name = Path(path).name
        self.number = 0
        self._file = opened(path, encoding)

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def place(self) -> Place:
        return Place(self.name, self.number)

    def next(self) -> str:
        """The next line with its end; "" after the last one."""
        line = self._read(self._file.readline)
        self.number += bool(line)
        return line

    def chunk(self) -> list[str]:
        """The next lines, about a megabyte; [] after the last one."""
        lines = self._read(partial(self._file.readlines, CHUNK))
        self.number += len(lines)
        return lines

    def _read(self, read: Callable) -> str | list[str]:
        try:
            return read()
        except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
            text = f"{self.name} is damaged or cut off somewhere after line {self.number}: {error}"
            raise ValueError(text) from None
