"""Tokens of ARFF: cells, quotes, escapes and commas, and the locations of errors.

All other files of this package call it: `header` for declarations, `dense` and `sparse` for rows. A token is the
content of a cell. That of a cell in quotes begins with QUOTE, so that the text '?' differs from a missing value.

No regular expression here backtracks: what may follow a group cannot begin or continue with the characters of the
group. So the time to read a text is proportional to its length, whatever is in it.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import NamedTuple

from ..core.words import shown

MISSING = "?"
MAX_DIGITS = 18  # of a whole number that fits into 64 bits
QUOTE = "\n"  # first character of the token of a value in quotes; no other token has an end of a line
BETWEEN = "\r"  # separator of joined cells: rows do not have it, since ends of lines are read as "\n"
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
    """A value of a row.

    Attributes
    ----------
    token : str
        Its token; see `clean`.
    column : int
        Column of the line at which it begins, from 1.
    """

    token: str
    column: int

    @property
    def text(self) -> str:
        """Content without the mark of quotes."""
        return content(self.token)

    @property
    def missing(self) -> bool:
        """True if the value is missing."""
        return self.token == MISSING


class Location(NamedTuple):
    """A line of a file, for error messages.

    Attributes
    ----------
    name : str
        Name of the file.
    line : int
        Number of the line, from 1.
    """

    name: str
    line: int

    def error(self, column: int, text: str) -> ValueError:
        """Error with this location, a column from 1, and a text."""
        return ValueError(f"{self.name}, line {self.line}, column {column}: {text}")

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Add this location to a ValueError that is raised within."""
        try:
            yield
        except ValueError as error:
            raise self.error(1, str(error)) from None


def plain(text: str) -> bool:
    """Return True if every comma of a text separates two values, and there are no comments."""
    if "\\," in text or ("%" in text and _COMMENT.search(text)):
        return False
    quotes = [quote for quote in _SIMPLE if quote in text]
    if len(quotes) == 1 and "\\" not in text:
        return 2 * len(_SIMPLE[quotes[0]].findall(text + "\n")) == text.count(quotes[0])
    return not quotes


def unquoted(text: str) -> str:
    """Return the content of a text in quotes."""
    between_backslashes = text[1:-1].split("\\\\")
    for escape, letter in _ESCAPES.items():
        between_backslashes = [piece.replace(escape, letter) for piece in between_backslashes]
    return "\\".join(piece.replace("\\", "") for piece in between_backslashes)


def bare(text: str) -> str:
    """Return the content of a text without quotes, in which a backslash escapes punctuation only."""
    if "\\" not in text:
        return text
    text = text.replace("\\\\", "\n")  # no line has an end of a line inside
    for mark in "'\"%,":
        text = text.replace("\\" + mark, mark)
    return text.replace("\n", "\\")


def quoted(text: str) -> str:
    """Return a text as ARFF writes it, in quotes if it needs them."""
    if text and text != MISSING and not _TO_QUOTE.search(text):
        return text
    text = re.sub(r"([\\'%])", r"\\\1", text)
    return "'" + text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + "'"


def clean(raw: str) -> str:
    """Return the token of a cell: its content, with QUOTE before it if it was in quotes.

    Raises
    ------
    ValueError
        If quotes are not closed, or followed by more.
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
    """Return the tokens of many cells; raises ValueError as `clean`."""
    stripped = list(map(str.strip, raws))
    text = BETWEEN.join(stripped)
    if "'" in text or '"' in text:
        return list(map(clean, stripped))
    return bare(text).split(BETWEEN) if "\\" in text else stripped


def content(token: str) -> str:
    """Return the text of a token."""
    return token[1:] if token[:1] == QUOTE else token


def cells(text: str) -> list[str]:
    """Return the values between commas, as written, of lines; each line, and its first value, begins with "\\n"."""
    return text.replace("\n", ",\n").split(",")[1:] if plain(text) else _CELLS.findall(_ended(text))


def count(row: str) -> int:
    """Return the number of values between the commas of a row."""
    return row.count(",") + 1 if plain(row) else sum(1 for _ in _CELLS.finditer("\n" + row))


def between_blanks(rows: list[str]) -> list[str]:
    """Return the values between blanks of rows without comments and commas, and "," after each row."""
    text = "\n,\n".join([*rows, ""])
    return WORD.findall(text) if "'" in text or '"' in text else text.split()


def entries(text: str) -> list[str]:
    """Return the entries of sparse rows as `cells` does; they have no comments, and quotes follow a number."""
    return text.replace("\n", ",\n").split(",")[1:] if plain(text) else _ENTRIES.findall(_ended(text))


def _ended(text: str) -> str:
    """Text with a blank behind a comma at the end of a row, so that an empty cell follows and not the next row."""
    return text.replace(",\n", ", \n")


def split(text: str, location: Location, offset: int = 0) -> Iterator[Cell]:
    """Yield the values of a row between commas; `offset` is the index in the line at which `text` begins."""
    return _located(_CELLS.finditer("\n" + text), location, offset - 1)


def words(text: str, location: Location) -> Iterator[Cell]:
    """Yield the values of a row between blanks, up to a comment."""
    return _located(takewhile(lambda match: match[0][0] != "%", WORD.finditer(text)), location, 0)


def _located(matches: Iterator[re.Match[str]], location: Location, offset: int) -> Iterator[Cell]:
    """Yield the cells of matches; the value is the last group, or the whole match."""
    for match in matches:
        raw = match[match.lastindex or 0]
        column = offset + match.start(match.lastindex or 0) + len(raw) - len(raw.lstrip()) + 1
        try:
            yield Cell(clean(raw), column)
        except ValueError:
            raise location.error(column, "this quote is not closed, or no comma follows it") from None


def placed_entries(body: str, offset: int) -> Iterator[tuple[str, int]]:
    """Yield the entries of a sparse row as written, without blanks around them, and the index where they begin."""
    for match in _ENTRIES.finditer("\n" + body):
        raw = match[1]
        yield raw.strip(), offset + match.start(1) + len(raw) - len(raw.lstrip()) - 1


def values(text: str, location: Location, offset: int) -> list[str]:
    """Return the tokens of a list between commas, as in a declaration."""
    try:
        return list(map(clean, cells("\n" + text)))
    except ValueError:
        return [cell.token for cell in split(text, location, offset)]


def number(text: str) -> float:
    """Return the number that a text is; raises ValueError for others, and for underscores, which Python allows."""
    if "_" in text:
        raise ValueError(text)
    return float(text)


def whole(text: str) -> int | None:
    """Return the number that digits, perhaps with a sign, are; None for another text and above 64 bits."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits.isdecimal() or len(digits := digits.lstrip("0")) > MAX_DIGITS:
        return None
    return int(digits or "0") * (-1 if text[0] == "-" else 1)
