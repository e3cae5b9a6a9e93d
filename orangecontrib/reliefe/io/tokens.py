"""The words of ARFF: quotes, escapes, commas, and where a word stands."""

import re
from dataclasses import dataclass
from typing import NamedTuple

MISSING = "?"
QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
COMMENT = r"(?:(?<![^\s,])%.*)?"

_CELL = re.compile(rf"\s*(?:(?P<quoted>{QUOTED})|(?P<bare>(?:\\.|[^,])*?))\s*{COMMENT}(?P<end>,|$)", re.DOTALL)
_WORD = re.compile(rf"\s*(?:(?P<quoted>{QUOTED})|(?P<bare>[^\s%]\S*))(?=\s|$)", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_SPECIAL = re.compile(r"[\s,{}%'\"\\@]")


class Cell(NamedTuple):
    """A value as it is written; column: where it begins, from 1."""

    text: str
    quoted: bool
    column: int

    @property
    def missing(self) -> bool:
        return self.text == MISSING and not self.quoted


@dataclass(frozen=True)
class Place:
    """A line of a file, for the errors that say where they are."""

    name: str
    line: int

    def error(self, column: int, text: str) -> ValueError:
        return ValueError(f"{self.name}, line {self.line}, column {column}: {text}")


def unquoted(text: str) -> str:
    """The content of a text in quotes."""
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text[1:-1], flags=re.DOTALL)


def bare(text: str) -> str:
    """The content of a text without quotes: there a backslash protects no letters."""
    return re.sub(r"\\(['\"\\%,])", r"\1", text) if "\\" in text else text


def quoted(text: str) -> str:
    """`text` as ARFF writes it: in quotes where it needs them."""
    if text and text != MISSING and not _SPECIAL.search(text):
        return text
    text = re.sub(r"([\\'%])", r"\\\1", text)
    return "'" + text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + "'"


def split(text: str, place: Place, offset: int = 0) -> list[Cell]:
    """The values of a row between commas.

    offset: how far right of the begin of the line `text` begins.  Raises ValueError for a quote that is not closed, or
    that no comma follows.
    """
    cells, position, end = [], 0, ","
    while end:
        match = _CELL.match(text, position)
        cells.append(_cell(match, place, offset))
        position, end = match.end(), match["end"]
    return cells


def words(text: str, place: Place, offset: int = 0) -> list[Cell]:
    """The values of a row between blanks; otherwise as `split`."""
    return [_cell(match, place, offset) for match in _WORD.finditer(text)]


def _cell(match: re.Match, place: Place, offset: int) -> Cell:
    if match["quoted"] is not None:
        return Cell(unquoted(match["quoted"]), True, offset + match.start("quoted") + 1)
    column = offset + match.start("bare") + 1
    if match["bare"][:1] in ("'", '"'):
        raise place.error(column, "this quote is not closed, or no comma follows it")
    return Cell(bare(match["bare"]), False, column)


def number(text: str) -> float:
    """The number that `text` is; raises ValueError if it is none (Python's underscores are none)."""
    if "_" in text:
        raise ValueError(text)
    return float(text)
