"""Lines of text files, plain or compressed, that are counted for messages."""

import io
from codecs import getincrementaldecoder
from pathlib import Path

import numpy as np

from ..tabular.limits import BYTES_PER_READ, DAMAGED, MAX_TEXT, check_unpacked, limit, limit_sentence, open_unpacked
from .tokens import Location

ESCAPES = 2**20  # backslashes and percent signs of a line; each takes memory while the line is read


class Lines:
    """The lines of a file that are neither empty nor comments, without blanks at their ends; a context manager.

    number: how many lines have been read, of all kinds.  Reading raises ValueError where compressed data are damaged
    or cut off, and for more than `limits` allow, before it is in memory.
    """

    def __init__(self, path: str | Path, encoding: str, errors: str = "strict") -> None:
        self.name = Path(path).name
        self.number = 0
        check_unpacked(path)
        self._file, _ = open_unpacked(path)
        self._decoder = io.IncrementalNewlineDecoder(getincrementaldecoder(encoding)(errors), translate=True)
        self._begun: list[str] = []  # of a line whose end has not been read yet
        self._rows: list[str] = []
        self._numbers = np.empty(0, dtype=int)
        self._next = 0

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def location(self) -> Location:
        return Location(self.name, int(self._numbers[self._next - 1]))

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
        except DAMAGED as error:
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
                    raise Location(self.name, line).error(1, error)

    def _too_long(self, line: int) -> ValueError:
        return Location(self.name, line).error(1, f"the characters of this line are {limit_sentence(MAX_TEXT)}")
