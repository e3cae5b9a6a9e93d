"""The words of ARFF: quotes, escapes, commas, and where a word stands.

Every regular expression here takes one way only through a text: what may follow a part cannot begin or go on with what
the part is made of.  So a text is read in a time that grows as its length, whatever is in it.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import NamedTuple

from ..core.words import shown

MISSING = "?"
DIGITS = 18  # of a whole number that fits into 64 bits
QUOTE = "\n"  # how the token of a value in quotes begins; no other has an end of a line
BETWEEN = "\r"  # never in a row: the ends of lines have been read as "\n"
QUOTED = r"""(?:'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*'|"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*")"""

_BLANK = r"[^\S\n]"
_BARE = r"[^,\n\\%]*(?:(?:\\[^\n]?|(?<=[^\s,])%)[^,\n\\%]*)*"
_ITEM = r"[^,\n\\]*(?:\\[^\n]?[^,\n\\]*)*"
# A cell is what follows a comma, or the end of a line with that end, so that the first cells of rows are known.
# Most cells have nothing special, which is quickly seen.
_PLAIN = r"(?!\n)[^,\n\\%'\"]*(?=[,\n])"
_CELLS = re.compile(rf"(?:,|(?=\n))(\n?{_PLAIN}|\n?{_BLANK}*{QUOTED}?{_BARE})(?:%[^\n]*)?")
_ENTRIES = re.compile(rf"(?:,|(?=\n))(\n?{_BLANK}*(?:[+-]?\d+{_BLANK}+{QUOTED}?)?{_ITEM})")
WORD = re.compile(rf"{QUOTED}(?!\S)|\S+")
_WHOLE = re.compile(QUOTED)
# Whole cells in quotes without a comma: where there are no other quotes, commas need no second look.
_SIMPLE = {quote: re.compile(rf"[,\n]{_BLANK}*{quote}[^{quote},\n]*{quote}(?={_BLANK}*[,\n])") for quote in "'\""}
_COMMENT = re.compile(r"[\s,]%")
_ESCAPES = {"\\n": "\n", "\\r": "\r", "\\t": "\t"}
_TO_QUOTE = re.compile(r"[\s,{}%'\"\\@]")


class Cell(NamedTuple):
    """A value as it is written: its token (see `clean`), and the column where it begins, from 1."""

    token: str
    column: int

    @property
    def text(self) -> str:
        return content(self.token)

    @property
    def missing(self) -> bool:
        return self.token == MISSING


class Location(NamedTuple):
    """A line of a file, for the errors that say where they are."""

    name: str
    line: int

    def error(self, column: int, text: str) -> ValueError:
        return ValueError(f"{self.name}, line {self.line}, column {column}: {text}")

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Refusals by what knows nothing of files say where, too."""
        try:
            yield
        except ValueError as error:
            raise self.error(1, str(error)) from None


def plain(text: str) -> bool:
    """True where every comma stands between two values, and there are no comments."""
    if "\\," in text or ("%" in text and _COMMENT.search(text)):
        return False
    quotes = [quote for quote in _SIMPLE if quote in text]
    if len(quotes) == 1 and "\\" not in text:
        return 2 * len(_SIMPLE[quotes[0]].findall(text + "\n")) == text.count(quotes[0])
    return not quotes


def unquoted(text: str) -> str:
    """The content of a text in quotes."""
    parts = text[1:-1].split("\\\\")
    for escape, letter in _ESCAPES.items():
        parts = [part.replace(escape, letter) for part in parts]
    return "\\".join(part.replace("\\", "") for part in parts)


def bare(text: str) -> str:
    """The content of a text without quotes: there a backslash protects no letters."""
    if "\\" not in text:
        return text
    text = text.replace("\\\\", "\n")  # no line has an end of a line inside
    for mark in "'\"%,":
        text = text.replace("\\" + mark, mark)
    return text.replace("\n", "\\")


def quoted(text: str) -> str:
    """`text` as ARFF writes it: in quotes where it needs them."""
    if text and text != MISSING and not _TO_QUOTE.search(text):
        return text
    text = re.sub(r"([\\'%])", r"\\\1", text)
    return "'" + text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + "'"


def clean(raw: str) -> str:
    """The token of a cell: its content; what was in quotes has QUOTE before it, so that '?' is not missing.

    Raises ValueError for quotes that are not closed, or after which there is more.
    """
    text = raw.strip()
    if text[:1] not in ("'", '"'):
        return bare(text)
    if "\\" not in text and text.find(text[0], 1) == len(text) - 1 > 0:
        return QUOTE + text[1:-1]
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"the quotes of {shown(text)} are not closed, or more follows them")
    return QUOTE + unquoted(text)


def all_clean(raws: Iterable[str]) -> list[str]:
    """The tokens of many cells; raises ValueError as `clean`."""
    found = list(map(str.strip, raws))
    text = BETWEEN.join(found)
    if "'" in text or '"' in text:
        return list(map(clean, found))
    return bare(text).split(BETWEEN) if "\\" in text else found


def content(token: str) -> str:
    """The text of a token."""
    return token[1:] if token[:1] == QUOTE else token


def cells(text: str) -> list[str]:
    """The values between commas, as written, of lines that each begin by an end of a line; so do their first values."""
    return text.replace("\n", ",\n").split(",")[1:] if plain(text) else _CELLS.findall(_ended(text))


def count(row: str) -> int:
    """Number of values between the commas of a row."""
    return row.count(",") + 1 if plain(row) else sum(1 for _ in _CELLS.finditer("\n" + row))


def between_blanks(rows: list[str]) -> list[str]:
    """The values between blanks, as written, of rows without comments and commas; each row ends with a comma."""
    text = "\n,\n".join([*rows, ""])
    return WORD.findall(text) if "'" in text or '"' in text else text.split()


def entries(text: str) -> list[str]:
    """The same for rows that list columns and values: there are no comments, and quotes stand after a number."""
    return text.replace("\n", ",\n").split(",")[1:] if plain(text) else _ENTRIES.findall(_ended(text))


def _ended(text: str) -> str:
    """A blank behind the last comma of a row, so that what follows it is not the begin of the next row."""
    return text.replace(",\n", ", \n")


def split(text: str, location: Location, offset: int = 0) -> Iterator[Cell]:
    """The values of a row between commas, one by one; offset: how far right of the begin of the line `text` begins."""
    return _placed(_CELLS.finditer("\n" + text), location, offset - 1)


def words(text: str, location: Location) -> Iterator[Cell]:
    """The values of a row between blanks, up to a comment; otherwise as `split`."""
    return _placed(takewhile(lambda match: match[0][0] != "%", WORD.finditer(text)), location, 0)


def _placed(matches: Iterator[re.Match[str]], location: Location, offset: int) -> Iterator[Cell]:
    for match in matches:
        raw = match[match.lastindex or 0]
        column = offset + match.start(match.lastindex or 0) + len(raw) - len(raw.lstrip()) + 1
        try:
            yield Cell(clean(raw), column)
        except ValueError:
            raise location.error(column, "this quote is not closed, or no comma follows it") from None


def placed_entries(body: str, offset: int) -> Iterator[tuple[str, int]]:
    """The entries of a row as written, without blanks around them, and where they begin."""
    for match in _ENTRIES.finditer("\n" + body):
        raw = match[1]
        yield raw.strip(), offset + match.start(1) + len(raw) - len(raw.lstrip()) - 1


def values(text: str, location: Location, offset: int) -> list[str]:
    """The tokens of a list between commas, as of a declaration."""
    try:
        return list(map(clean, cells("\n" + text)))
    except ValueError:
        return [cell.token for cell in split(text, location, offset)]


def number(text: str) -> float:
    """The number that `text` is; raises ValueError if it is none (Python's underscores are none)."""
    if "_" in text:
        raise ValueError(text)
    return float(text)


def whole(text: str) -> int | None:
    """Return the number that digits, perhaps with a sign, are; None for another text and above 64 bits."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits.isdecimal() or len(digits := digits.lstrip("0")) > DIGITS:
        return None
    return int(digits or "0") * (-1 if text[0] == "-" else 1)
