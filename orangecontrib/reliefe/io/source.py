"""Lines of an ARFF file, plain or compressed, with their numbers for messages.

`arff` opens a file as `Lines`. `header` takes its first lines one by one, and then `arff` takes the rows in chunks.
"""

import io
from codecs import getincrementaldecoder
from pathlib import Path

import numpy as np

from ..core.data.limits import BYTES_PER_READ, DAMAGED, MAX_TEXT, check_unpacked, limit, limit_sentence, open_unpacked
from .tokens import Location

# Of one line. Each takes some 100 bytes while cells are split; chosen by eye.
MAX_ESCAPES = 2**20  # backslashes and percent signs


class Lines:
    """Lines of a file that are neither empty nor comments, without blanks at their ends. It is a context manager.

    Reading raises ValueError if compressed data are damaged or cut off, and for more than `limits` allow, before it is
    in memory.

    Parameters
    ----------
    path : str or Path
        Path of the file.
    encoding : str
        Encoding of its text.
    errors : str
        What to do with bytes that are not in this encoding, as for `open`.

    Attributes
    ----------
    name : str
        Name of the file.
    number : int
        Number of lines that have been read, with empty ones and comments.
    """

    def __init__(self, path: str | Path, encoding: str, errors: str = "strict") -> None:
        self.name = Path(path).name
        self.number = 0
        check_unpacked(path)
        self._file, _ = open_unpacked(path)
        self._decoder = io.IncrementalNewlineDecoder(getincrementaldecoder(encoding)(errors), translate=True)
        self._begun: list[str] = []  # texts of a line whose end has not been read yet
        self._rows: list[str] = []  # lines of the present chunk
        self._numbers = np.empty(0, dtype=int)  # their numbers
        self._next = 0  # index of the next one of them

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def location(self) -> Location:
        """Location of the line that `next` returned last."""
        return Location(self.name, int(self._numbers[self._next - 1]))

    def next(self) -> str | None:
        """Return the next line, or None after the last one."""
        if self._next == len(self._rows) and not self._fill():
            return None
        self._next += 1
        return self._rows[self._next - 1]

    def rows(self) -> tuple[list[str], np.ndarray]:
        """Return the next lines, of about a megabyte, and their numbers (int array); no lines after the last one."""
        if self._next == len(self._rows):
            self._fill()
        rows = self._rows[self._next :]
        numbers = self._numbers[self._next :]
        self._next = len(self._rows)
        return rows, numbers

    def _fill(self) -> bool:
        """Read a chunk of lines; return False at the end of the file."""
        self._rows = []
        self._next = 0
        while not self._rows:
            text = self._whole_lines()
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
            self._rows = rows
            self._numbers = numbers
        return True

    def _whole_lines(self) -> str | None:
        """Text of the next whole lines, without the end of the last one; None at the end of the file."""
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
        """Next bytes of the unpacked file."""
        try:
            return self._file.read(BYTES_PER_READ)
        except DAMAGED as error:
            text = f"{self.name} is damaged or cut off somewhere after line {self.number}: {error}"
            raise ValueError(text) from None

    def _check(self, rows: list[str], text: str) -> None:
        """Raise ValueError if a line of a chunk is too long, or has too many escapes."""
        longest = max(map(len, rows))
        if longest > limit(MAX_TEXT):
            raise self._too_long(self.number + 1 + next(k for k, row in enumerate(rows) if len(row) == longest))
        if longest > MAX_ESCAPES and text.count("\\") + text.count("%") > MAX_ESCAPES:
            for line, row in enumerate(rows, self.number + 1):
                if row.count("\\") + row.count("%") > MAX_ESCAPES:
                    error = f"the line has more than {MAX_ESCAPES:,} backslashes and percent signs"
                    raise Location(self.name, line).error(1, error)

    def _too_long(self, line: int) -> ValueError:
        return Location(self.name, line).error(1, f"the characters of this line are {limit_sentence(MAX_TEXT)}")
