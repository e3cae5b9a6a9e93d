"""Lines of text as cells: which character separates them, and which quotes them.

Called by the reader of text tables with the decoded text. Commas, semicolons, tabs, vertical bars and blanks are tried
on the first lines; what gives equally many cells in most lines is taken.

Of 1,783 tables that fuzz/foreign.py writes, 1,776 have the right separator here. clevercsv 0.8.5 finds that of 1,724 in
11 times the time, and the module csv that of 1,469.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable
from itertools import chain, islice
from typing import NamedTuple

from ..core.words import MISSING_WORDS
from .layout import is_comment

TAB = "\t"
SEMICOLON = ";"
COMMA = ","
BAR = "|"
COLON = ":"
BLANKS = " "  # one or several
CANDIDATES = (TAB, COMMA, SEMICOLON, BAR, COLON)
LINES_SAMPLED = 100
MOSTLY = 0.6  # share of lines with equally many cells; the others may be titles, comments and footers
DECLARATION = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # a first line that Excel writes and reads
CELL_BETWEEN_BLANKS = re.compile(r'"([^"]*(?:""[^"]*)*)"(?=[ \t\n]|$)|([^ \t\n]+)')  # others are parts of numbers
QUOTED_IN_APOSTROPHES = re.compile(r"'[^']*'(\W'[^']*')*\s*")
QUOTES = "\"'"
QUOTED = re.compile(r'"[^"]*"')
# 1,5 or -1.234,5 kg with decimal commas, and 1,234,567.8 with commas between thousands.
NUMBER_WITH_COMMA = re.compile(
    r"[^\w,]*(\d*([.\s']\d{3})*,\d+|\d{1,3}(,\d{3})+(\.\d+)?)(e[+\u2212-]?\d+)?[^\d,]*", re.IGNORECASE
)
CELL_WITH_DIGITS = re.compile(r"(.*\d.*|NA|[.?])?", re.IGNORECASE)
BLANK_AT_END_OF_CELL = re.compile(r"[^\S\n\t](?=[,;|:\t\n\"']|\Z)|\t(?=[,;|:])|\"[^\S\n]")
MAX_QUOTES = 2**22  # in a line whose cells are between blanks: the search takes some 100 bytes for each
MAX_CELL_CHARACTERS = 2**26  # characters; the module csv refuses more than 2**17 unless it is told


class SplitText(NamedTuple):
    """Cells of a text.

    Attributes
    ----------
    rows : list of list of str
        Cells of each line that is not blank, without blanks at their ends. All cells of a line may be empty.
    separator : str
        The character between cells; a blank stands for one or several.
    """

    rows: list[list[str]]
    separator: str


def split(text: str, prefers_tabs: bool = False, may_be_aligned: bool = False) -> SplitText:
    """Split a text into rows and cells.

    Parameters
    ----------
    text : str
        Lines that end in line feeds, carriage returns or both.
    prefers_tabs : bool
        Whether the name of the file says that cells are between tabs.
    may_be_aligned : bool
        Whether the name of the file leaves open what separates cells, as that of a .txt.

    Raises
    ------
    ValueError
        If quotes are not closed, so that a cell becomes too long.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    first, _, rest = text.partition("\n")
    declared = DECLARATION.fullmatch(first)
    if declared:
        separator, text = declared[1], rest
    else:
        separator = find_separator(text, prefers_tabs, may_be_aligned)
    rows = _rows(io.StringIO(text, newline=""), separator)
    if BLANK_AT_END_OF_CELL.search(text):
        rows = ([cell.strip() for cell in row] for row in rows)
    return SplitText([row for row in rows if len(row) > 1 or any(row)], separator)


def find_separator(text: str, prefers_tabs: bool = False, may_be_aligned: bool = False) -> str:
    """Return the character that separates the cells of the first lines; a comma if none does."""
    lines = [line for line in islice(io.StringIO(text), 2 * LINES_SAMPLED) if line.strip()][:LINES_SAMPLED]
    if prefers_tabs and any(TAB in line for line in lines):
        return TAB
    lines = [line for line in lines if not is_comment(line.lstrip(QUOTES))] or lines
    separator = _separator_beside_commas(lines)
    if separator:
        return separator
    agreeing = {separator: _agreement([*_rows(lines, separator)]) for separator in CANDIDATES}
    best = max(CANDIDATES, key=lambda separator: agreeing[separator])
    is_outside_of_quotes = any(best in QUOTED.sub("", line) for line in lines)
    if agreeing[best] > (0, 0) and is_outside_of_quotes:
        return best
    rows = [*_rows(lines, BLANKS)]
    # Where lines have unequal numbers of words, only the titles tell that blanks separate them.
    first_line_has_words = len(rows) > 1 and len(rows[0]) > 1 and not any(map(lines[0].count, CANDIDATES))
    return BLANKS if (may_be_aligned and first_line_has_words) or _is_aligned(rows) else COMMA


def _agreement(rows: list[list[str]]) -> tuple[int, int]:
    """Return how many rows have the most frequent number of cells, and this number; zeros if that is one cell."""
    widths = Counter(len(row) for row in rows)
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    # A header may be one cell short (R), also above a single row.
    has_short_header = len(rows) == 2 and len(rows[1]) == len(rows[0]) + 1 > 2
    if has_short_header:
        return 2, len(rows[1])
    return (count, width) if width > 1 and count >= MOSTLY * len(rows) else (0, 0)


def _separator_beside_commas(lines: list[str]) -> str | None:
    """Return what separates cells where commas are a part of numbers, since these may cut the lines as evenly.

    Other characters then cut the lines evenly, some cells are numbers with a comma, and no name in the header has
    another comma. Where blanks are the separator, few lines have one outside of quotes.
    """
    for separator in (SEMICOLON, TAB, BAR, BLANKS):
        rows = [*_rows(lines, separator)]
        _, width = _agreement(rows)
        rows = [row for row in rows if width - 1 <= len(row) <= width]
        first = next((i for i, row in enumerate(rows) if any(map(NUMBER_WITH_COMMA.fullmatch, row))), None)
        if first is None or not _has_only_commas_in_numbers(rows[max(first - 1, 0)]):
            continue
        if separator != BLANKS:
            return separator
        unquoted = [*_rows((QUOTED.sub('"x"', line) for line in lines), separator)]
        if sum(map(_has_only_commas_in_numbers, unquoted)) >= MOSTLY * len(unquoted):
            return separator
    return None


def _has_only_commas_in_numbers(row: list[str]) -> bool:
    return all(NUMBER_WITH_COMMA.fullmatch(cell) for cell in row if COMMA in cell)


def _is_aligned(rows: list[list[str]]) -> bool:
    """Return True if blanks separate columns: sentences have no column of codes, and doses of 5 mg have one title.

    The header of two columns must have two names; that of three and more may be one cell short, as R writes it. Titles
    and footers may have any number of words.
    """
    _, width = _agreement(rows)
    if width < 2:
        return False
    first = next(i for i, row in enumerate(rows) if len(row) == width)
    header = rows[first]
    values = [row for row in rows[first + 1 :] if len(row) == width]
    if first and len(rows[first - 1]) == width - 1 >= 2:
        header = rows[first - 1]
        values = [rows[first], *values]
    # Names in the first row may have digits; below a title they must have none.
    names = [""] * width if header is rows[0] else header
    return bool(values) and any(
        not re.search(r"\d", name) and all(_is_code(row[j]) for row in values) for j, name in enumerate(names)
    )


def _is_code(cell: str) -> bool:
    """Return True for a cell with digits and for a missing value."""
    return bool(CELL_WITH_DIGITS.fullmatch(cell)) or cell.casefold() in MISSING_WORDS


def _rows(lines: Iterable[str], separator: str) -> Iterable[list[str]]:
    """Yield the cells of each line."""
    if separator == BLANKS:
        for line in lines:
            if line.count('"') > MAX_QUOTES:
                raise ValueError(f"its cells cannot be told apart: a line has more than {MAX_QUOTES:,} quotes")
            cells = (match[1].replace('""', '"') if match[1] is not None else match[2]
                     for match in CELL_BETWEEN_BLANKS.finditer(line))  # fmt: skip
            yield [cell.strip() for cell in cells]
        return
    lines = iter(lines)
    first = next(lines, "")
    quote = "'" if QUOTED_IN_APOSTROPHES.fullmatch(first) else '"'
    csv.field_size_limit(max(csv.field_size_limit(), MAX_CELL_CHARACTERS))  # of the process: Orange raises it, too
    try:
        yield from csv.reader(chain([first], lines), delimiter=separator, quotechar=quote, skipinitialspace=True)
    except csv.Error as error:
        raise ValueError(f"its cells cannot be told apart: {error}") from None
