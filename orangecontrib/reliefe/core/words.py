"""Numbers in words, and what was given, in few of them."""

import difflib
import re
import reprlib
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from xml.sax.saxutils import escape

MAX_CHARACTERS = 80  # characters of what was given that a message repeats
NAMES_SHOWN = 3
NAME_WIDTH = 40  # characters of a name in a list
FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # beginnings of a cell that a spreadsheet may run, also wide
MAX_CHOICES = 12  # names that a message lists all
# In small letters, what databases, R, pandas and spreadsheets write for missing values: never the name of a category.
# NA, a point and a question mark are known to all readers.
MISSING_CODES = {
    "null", "n/a", "#n/a", "<na>", "n.a.", "nan", "#value!", "#div/0!", "#ref!", "#name?", "#num!", "#null!",
}  # fmt: skip
# Among numbers also what people write, which may be a category among few grades.
MISSING_WORDS = MISSING_CODES | {"missing", "unknown", "not available", "no data", "-", "--", "---"}
MIN_NUMBERS, MAX_WORDS = 20, 2  # from which, and up to which, words among numbers are odd
MIN_DIFFERENT = 5  # different numbers from which words among fewer numbers are odd, chosen by eye: grades have fewer
DIGIT = re.compile(r"\d")
MISSING_CELLS = ("", "?", ".", "~", "nan", "NA")
BITS = 128  # of the largest integer that is written out


def counted(n: int, noun: str, plural: str | None = None) -> str:
    """A number of things: "1 row", "2,000 rows"; plural: where it is not the noun with an s."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def infinite_as_missing(n: int) -> str:
    """Sentence on infinite values that were read as missing: "3 infinite values were read as missing"."""
    return f"{counted(n, 'infinite value')} {'was' if n == 1 else 'were'} read as missing"


def percent(share: float, digits: int = 0) -> str:
    """A share: "95 %"."""
    return f"{100 * share:.{digits}f} %"


def rough_percent(share: float) -> str:
    """A share with as many digits as matter: "less than 0.1 %", "2.5 %", "40 %"."""
    return "less than 0.1 %" if 0 < share < 0.001 else percent(share, 1 if share < 0.1 else 0)


def sentence(text: str) -> str:
    """With a capital letter."""
    return text[:1].upper() + text[1:]


def class_name(title: str) -> str:
    """The title of a method as the name of the class that scores by it: "SURF*" -> "SURFStar"."""
    return sentence("".join(c for c in title.replace("*", "Star") if c.isalnum()))


def cut(text: object, longest: int = MAX_CHARACTERS) -> str:
    """A text of at most 80 characters, or as many as wished; dots stand for the rest."""
    text = str(text)
    return text if len(text) <= longest else text[: longest - 3] + "..."


def shortened(name: str) -> str:
    """A name that keeps to its column, whatever is in it."""
    return cut("".join(c if c.isprintable() else "?" for c in name), NAME_WIDTH)


def xml_text(text: str) -> str:
    """A text for a document of XML: escaped, and with ? for control characters, which XML does not have."""
    return escape("".join(c if c.isprintable() else "?" for c in text))


def cell(text: str) -> str:
    """A text for a CSV: with an apostrophe before it if a spreadsheet might run it, as OWASP recommends.

    Returns of the carriage become ends of lines.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # Python's csv does not quote what ends a row elsewhere
    return f"'{text}" if _runs(text) else text


def of_cell(text: str) -> str:
    """The text that `cell` made a cell of."""
    return text[1:] if text.startswith("'") and _runs(text) else text


def _runs(text: str) -> bool:
    """True for what may be a formula, also behind apostrophes, so that none that was there is taken away."""
    if not text.lstrip("'").startswith(FORMULA):
        return False
    try:
        float(text)
    except ValueError:
        return True
    return False


def is_decimal(text: str) -> bool:
    """Return True for what Python reads as a number, also with a decimal comma."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def words_among_numbers(cells: Iterable[str], is_number: Callable[[str], bool] = is_decimal) -> list[str]:
    """Return the spellings that are no numbers among many cells that are, 20 or 5 different ones; else none.

    There are one or two of them, beside words for missing values. Codes for missing values alone need only one number.

    Parameters
    ----------
    cells : iterable of str
        Values of a column.
    is_number : callable
        Whether a text is a number, perhaps in another notation than Python's.
    """
    words: dict[str, None] = {}
    different: set[str] = set()
    n = 0
    for text in map(str.strip, cells):
        if is_number(text):
            n += bool(DIGIT.search(text))  # but for nan and inf
            if len(different) < MIN_DIFFERENT:
                different.add(text)
        elif text not in MISSING_CELLS:
            words[text] = None
            if sum(word.casefold() not in MISSING_WORDS for word in words) > MAX_WORDS:
                return []
    are_codes = n > 0 and all(word.casefold() in MISSING_CODES for word in words)
    return [*words] if are_codes or n >= MIN_NUMBERS or len(different) >= MIN_DIFFERENT else []


def shown(value: object) -> str:
    """A value as Python writes it, on one line, in at most 80 characters, however large or deep it is."""
    return cut(" ".join(_short.repr(value).split()))


def some(names: Sequence[str], most: int = NAMES_SHOWN) -> str:
    """The first three names, or as many as wished: "a, b, c and 4 more"."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def choices(given: object, names: Collection[str], write: Callable[[str], str] = cut) -> str:
    """Names to choose from instead of one that is unknown: "choose from a, b, c"; of many, those that are nearest.

    write: how a name is written; `shown` puts it in quotes.
    """
    if len(names) <= MAX_CHOICES:
        return cut(f"choose from {', '.join(map(write, names)) or 'nothing'}", MAX_CHOICES * MAX_CHARACTERS // 2)
    wholes = {name.casefold(): name for name in names}
    words = {word: name for name in names for word in name.casefold().replace("_", " ").split()}
    near: list[str] = []
    for alike in (wholes, words) if isinstance(given, str) else ():
        near = near or [alike[found] for found in difflib.get_close_matches(cut(given).casefold(), alike, NAMES_SHOWN)]
    found = [*dict.fromkeys(near)] or islice(names, NAMES_SHOWN)
    return f"choose from {', '.join(map(write, found))} (the {'nearest' if near else 'first'} of {len(names):,})"


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxstring = 2 * MAX_CHARACTERS
        self.maxother = 2 * MAX_CHARACTERS
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = self.maxdeque = 10

    def repr_int(self, value: int, level: int) -> str:
        """Python refuses to write out integers of thousands of digits."""
        return repr(value) if value.bit_length() <= BITS else f"an integer of {value.bit_length():,} bits"


_short = _Short()
