"""Words for messages: counts, shares, lists of names, and values of callers, cut to a readable length.

Every room calls it for its messages. It also has the words that stand for missing values in tables.
"""

import difflib
import re
import reprlib
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from xml.sax.saxutils import escape

# Nouns of items, which have scores. Rankings write them as titles of the column of names, and `replicate` reads each.
FEATURE = "feature"
VARIANT = "variant"
GROUP = "group"
ITEM_NOUNS = (FEATURE, VARIANT, GROUP)
MAX_CHARACTERS = 80  # characters of a value of a caller that a message repeats
NAMES_SHOWN = 3  # of a list
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
# Words among numbers are odd in a column of so many numbers, and of so few different words; chosen by eye
MIN_NUMBERS = 20
MAX_WORDS = 2
MIN_DIFFERENT = 5  # different numbers from which words among fewer numbers are odd, chosen by eye: grades have fewer
DIGIT = re.compile(r"\d")
DETECTION_LIMIT = re.compile(r"[<>\u2264\u2265]=?\s*\d*[.,]?\d+")  # as a laboratory writes: <0.2
FILE_NAME = re.compile(r"\S+\.[a-z]\w* ")  # at the beginning of a message, with a word behind it
MISSING_CELLS = ("", "?", ".", "~", "nan", "NA")
BITS = 128  # of the largest integer that is written out


def counted(n: int, noun: str, plural: str | None = None) -> str:
    """Write a number of things: "1 row", "2,000 rows"; `plural` is needed if it is not the noun with an s."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def infinite_as_missing(n: int) -> str:
    """Sentence on infinite values that were read as missing: "3 infinite values were read as missing"."""
    return f"{counted(n, 'infinite value')} {'was' if n == 1 else 'were'} read as missing"


def percent(share: float, digits: int = 0) -> str:
    """Write a share: "95 %"."""
    return f"{100 * share:.{digits}f} %"


def rough_percent(share: float) -> str:
    """Write a share with as many digits as matter: "less than 0.1 %", "2.5 %", "40 %"."""
    return "less than 0.1 %" if 0 < share < 0.001 else percent(share, 1 if share < 0.1 else 0)


def written_number(number: float) -> str:
    """Write a number with three digits, or all those before the point up to six: "0.123", "2003", "1.2e+07"."""
    return f"{number:.0f}" if 1000 <= abs(number) < 1e6 else f"{number:.3g}"


def duration(seconds: float) -> str:
    """Write a rough duration: "40 s", "3 min"."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def sentence(text: str) -> str:
    """Begin a text with a capital letter, unless its first word is the name of a file."""
    return text if FILE_NAME.match(text) else text[:1].upper() + text[1:]


def class_name(title: str) -> str:
    """Return the name of the class of the scorers of a method by its title: "SURFStar" for "SURF*"."""
    return sentence("".join(c for c in title.replace("*", "Star") if c.isalnum()))


def cut(text: object, longest: int = MAX_CHARACTERS) -> str:
    """Cut a text to 80 characters, or to `longest`, with dots for the rest."""
    text = str(text)
    return text if len(text) <= longest else text[: longest - 3] + "..."


def item_name(index: int, names: Sequence[str] | None = None, noun: str = FEATURE) -> str:
    """Return the name of a feature, or "feature 3": features without names are numbered from 0, as Python does.

    Parameters
    ----------
    index : int
        Index of the feature.
    names : sequence of str, optional
        Names of all features. None: they have none.
    noun : str
        Word for what is ranked, of `ITEM_NOUNS`.
    """
    return str(names[index]) if names else f"{noun} {index}"


def shown_item(index: int, names: Sequence[str] | None = None) -> str:
    """Return `item_name` as a message writes it: a name is quoted."""
    return shown(str(names[index])) if names else item_name(index)


def shortened(name: str) -> str:
    """Cut a name to the width of a column, and replace control characters."""
    return cut("".join(c if c.isprintable() else "?" for c in name), NAME_WIDTH)


def xml_text(text: str) -> str:
    """Escape a text for XML, with ? for control characters, which XML does not have."""
    return escape("".join(c if c.isprintable() else "?" for c in text))


def cell(text: str) -> str:
    """Write a text for a CSV, with an apostrophe before it if a spreadsheet might run it, as OWASP recommends.

    Carriage returns become ends of lines.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # Python's csv does not quote what ends a row elsewhere
    return f"'{text}" if _runs(text) else text


def of_cell(text: str) -> str:
    """Return the text that `cell` wrote."""
    return text[1:] if text.startswith("'") and _runs(text) else text


def _runs(text: str) -> bool:
    """True for a formula, also behind apostrophes, so that `of_cell` removes only an apostrophe that `cell` added."""
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

    There are one or two of them, beside words for missing values and limits of detection (<0.2). Codes for missing
    values alone need only one number.

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
            if sum(_is_unclear(word) for word in words) > MAX_WORDS:
                return []
    are_codes = n > 0 and all(word.casefold() in MISSING_CODES for word in words)
    return [*words] if are_codes or n >= MIN_NUMBERS or len(different) >= MIN_DIFFERENT else []


def _is_unclear(word: str) -> bool:
    """Return True for a word that is neither one for missing values nor a limit of detection."""
    return word.casefold() not in MISSING_WORDS and not DETECTION_LIMIT.fullmatch(word)


def shown(value: object) -> str:
    """Write a value as Python does, on one line, in at most 80 characters, however large or deep it is."""
    return cut(" ".join(_short.repr(value).split()))


def some(names: Sequence[str], max_names: int = NAMES_SHOWN) -> str:
    """Write the first names of a list, three or `max_names`: "a, b, c and 4 more"."""
    n_others = len(names) - max_names
    return ", ".join(names[:max_names]) + (f" and {n_others:,} more" if n_others > 0 else "")


def choices(unknown_name: object, names: Collection[str], write: Callable[[str], str] = cut) -> str:
    """Write the names to choose from instead of an unknown one: "choose from a, b, c".

    Parameters
    ----------
    unknown_name : object
        Unknown name of the caller. Of many names, those are written that are most similar to it.
    names : collection of str
        Possible names.
    write : callable
        Writes a name; `shown` puts it in quotes.
    """
    if len(names) <= MAX_CHOICES:
        return cut(f"choose from {', '.join(map(write, names)) or 'nothing'}", MAX_CHOICES * MAX_CHARACTERS // 2)
    similar = _similar_names(unknown_name, names) if isinstance(unknown_name, str) else []
    listed = similar or [*islice(names, NAMES_SHOWN)]
    kind = "nearest" if similar else "first"
    return f"choose from {', '.join(map(write, listed))} (the {kind} of {len(names):,})"


def _similar_names(text: str, names: Collection[str]) -> list[str]:
    """Names that are similar to a text, or that have a similar word; at most `NAMES_SHOWN`."""
    text = cut(text).casefold()
    name_of = {name.casefold(): name for name in names}
    similar = difflib.get_close_matches(text, name_of, NAMES_SHOWN)
    if not similar:
        name_of = {word: name for name in names for word in name.casefold().replace("_", " ").split()}
        similar = difflib.get_close_matches(text, name_of, NAMES_SHOWN)
    return [*dict.fromkeys(name_of[form] for form in similar)]


class _Short(reprlib.Repr):
    """Short forms of large and nested values."""

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
