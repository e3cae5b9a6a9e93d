"""Cells of a text table as numbers that Python reads.

Decimal commas, thousands, units, signs of minus and words for missing values become what float() takes.

Called by the readers of text tables and workbooks, column by column. A column is changed only if all of its known
cells become numbers; what was assumed is said in notes that name the columns.
"""

import re
from collections.abc import Collection, Sequence
from shlex import quote
from typing import NamedTuple

import numpy as np

from ..core.words import MISSING_CELLS, MISSING_WORDS, shown, some, words_among_numbers

MINUS = "\u2212"
MARKS = r".\s'"  # between thousands, where commas stand before decimals
_EXPONENT = r"(e[+-]?\d+)?"
PLAIN = re.compile(rf"[+-]?(\d+(\.\d*)?|\.\d+){_EXPONENT}|[+-]?inf(inity)?", re.IGNORECASE)
# Digits in groups of three: 1.234.567, 1 234 567 and 1'234'567, not 0.123, and not 1 234.567 with marks of two kinds.
_BLANK_OR_APOSTROPHE_GROUPS = r"[1-9]\d{0,2}((\s\d{3})+|('\d{3})+)"
_GROUPS = rf"({_BLANK_OR_APOSTROPHE_GROUPS}|[1-9]\d{{0,2}}(\.\d{{3}})+)"
DECIMAL_COMMA = re.compile(rf"[+-]?(\d+|{_GROUPS}|(?=,))(,\d+)?{_EXPONENT}", re.IGNORECASE)
COMMA_THOUSANDS = re.compile(r"[+-]?([1-9]\d{0,2}(,\d{3})+|\d+)(\.\d+)?")
AMBIGUOUS = re.compile(r"[+-]?([1-9]\d{0,2},\d{3}|\d+)")  # 1,234 is 1.234 or 1234
POINT_THOUSANDS = re.compile(r"[+-]?([1-9]\d{0,2}\.\d{3}|\d+)")  # 1.234 is 1.234 or 1234
GROUPED_BEFORE_COMMA = re.compile(rf"\d[{MARKS}]\d{{3}}([{MARKS}]\d{{3}})*(,|$)")  # 1.234,5: the point is no decimal's
GROUP_MARKS = re.compile(f"[{MARKS}]")
BLANK_OR_APOSTROPHE = re.compile(rf"[+-]?{_BLANK_OR_APOSTROPHE_GROUPS}(\.\d+)?")  # 1 234.5 and 1'234.5
CURRENCIES = "$\u20ac\u00a3\u00a5\u20b9\u20bd\uff04\uffe1\uffe5"  # the last ones are wide, as in Japan
ATTACHED_UNITS = "mm|cm|m|km|mg|g|kg|ml|l|ms|s|min|h|Hz|kHz|mV|V|K|Pa|kPa|mmHg|bpm"  # also without a blank before them
WITH_UNIT = re.compile(
    rf"(?P<sign>[+-]?)(?P<currency>[{CURRENCIES}]?)\s*(?P<number>[+-]?([\d.,]|(?<=\d)[\s'](?=\d{{3}}))*\d(e[+-]?\d+)?)"
    rf"(?P<unit>\s*[%\u2030{CURRENCIES}]|\s*\u00b0\s*[CF]?|\s*({ATTACHED_UNITS})|\s+[^\W\d_][^\s\d]*|)"
)
MIN_DISTINCT = 5  # of numbers with a unit, chosen by eye: fewer are categories, such as doses of 5 mg and 10 mg


class ReadNumbers(NamedTuple):
    """Result of reading columns as numbers.

    Attributes
    ----------
    notes : list of str
        Sentences on what was assumed.
    doubts : list of str
        Sentences on columns that stay texts, though most or all of their cells look like numbers.
    n_infinite : int
        Number of infinite values in columns of numbers.
    codes : list of int
        Columns whose digits follow a leading 0, as in postal codes.
    """

    notes: list[str]
    doubts: list[str]
    n_infinite: int
    codes: list[int]


class _Column(NamedTuple):
    """A column whose known cells may be numbers.

    Attributes
    ----------
    column_index : int
        Its number.
    cells : list of str
        Its cells that are known, without unit and with hyphens for signs of minus.
    rows : (m,) int array
        The rows of these cells.
    values : (m,) float array, optional
        What Python reads these cells as; None if one of them is no number to it.
    missing : list of str
        Words for missing values, which were among the numbers.
    unclear : list of str
        Other words among the numbers.
    unit : str
        What followed, or preceded, each of the numbers.
    """

    column_index: int
    cells: list[str]
    rows: np.ndarray
    values: np.ndarray | None
    missing: list[str]
    unclear: list[str]
    unit: str


class _Styles(NamedTuple):
    """Ways in which columns wrote numbers.

    Attributes
    ----------
    decimal_commas, grouped, comma_thousands, ambiguous : list of int
        Columns with commas before decimals, with points or blanks between thousands, with commas between thousands,
        and with commas that may be either.
    units : dict of int to str
        Units of columns that had one.
    n_infinite : int
        Number of infinite values in columns that were written in another way than Python's.
    """

    decimal_commas: list[int]
    grouped: list[int]
    comma_thousands: list[int]
    ambiguous: list[int]
    units: dict[int, str]
    n_infinite: int = 0


def read_numbers(
    cells: np.ndarray,
    names: Sequence[str],
    separator: str = ",",
    decimal: str | None = None,
    typed: Collection[int] = (),
) -> ReadNumbers:
    """Rewrite, in place, the cells of columns that other programs would take for numbers.

    Parameters
    ----------
    cells : (n, p) object array of str
        Cells, rewritten as Python writes numbers, and emptied where a word stands for a missing value.
    names : sequence of str
        Names of the p columns, for notes.
    separator : str
        What separated the cells.
    decimal : "," or ".", optional
        Mark before decimals. The default is to see: a file has one kind.
    typed : collection of int
        Columns whose types the header names: they are left as they are.

    Returns
    -------
    ReadNumbers
    """
    columns = [_clean_column(cells, j) for j in range(cells.shape[1]) if j not in typed]
    unread = [column for column in columns if column.cells and (decimal == "," or column.values is None)]
    styles = _rewrite(cells, unread, separator, decimal)
    notes = [*_style_notes(styles, columns, names, separator), *_missing_words(columns, names)]
    doubts = [*_ambiguous_commas(styles, names), *_unclear_words(columns, names)]
    values = [column.values for column in columns if column.values is not None]
    n_infinite = styles.n_infinite + sum(int(np.isinf(numbers).sum()) for numbers in values)
    codes = [column.column_index for column in columns if _are_codes(column)]
    return ReadNumbers(notes, doubts, n_infinite, codes)


def _clean_column(cells: np.ndarray, index: int) -> _Column:
    """Return the known cells of a column; in it, words for missing values become empty, and signs of minus hyphens."""
    texts = cells[:, index].tolist()
    rows = np.arange(len(texts))
    values = _as_numbers(texts)
    if values is None:
        rows = rows[[text not in MISSING_CELLS for text in texts]]
        texts = cells[rows, index].tolist()
        values = _as_numbers(texts)
    if values is not None:
        return _Column(index, texts, rows, values, [], [], "")
    if any(MINUS in text for text in texts):
        texts = [_with_hyphen(text) for text in texts]
        cells[rows, index] = texts
    words = words_among_numbers(texts, _is_without_unit) or words_among_numbers(texts, _is_with_unit)
    missing = words if all(word.casefold() in MISSING_WORDS for word in words) else []
    if missing:
        is_number = np.array([text not in missing for text in texts])
        cells[rows[~is_number], index] = ""
        rows = rows[is_number]
        texts = [text for text in texts if text not in missing]
    texts, unit = _without_unit(texts)
    return _Column(index, texts, rows, None if unit else _as_numbers(texts), missing, [] if missing else words, unit)


def _are_codes(column: _Column) -> bool:
    """Return True for whole numbers some of which begin with 0, unless each row has another one."""
    if column.values is None or not any(text.startswith("0") and text[1:].isdecimal() for text in column.cells):
        return False
    return all(map(str.isdecimal, column.cells)) and len({*column.cells}) < len(column.cells)


def _style_notes(styles: _Styles, columns: list[_Column], names: Sequence[str], separator: str) -> list[str]:
    """Return sentences on how numbers were written."""
    notes = [] if separator in ",\t" else [f"{'blanks' if separator == ' ' else repr(separator)} between columns"]
    notes += ["decimal commas"] if styles.decimal_commas else []
    notes = [f"Read with {' and '.join(notes)}"] if notes else []
    doubtful = [column.column_index for column in columns if _may_have_thousands(column, bool(styles.decimal_commas))]
    for sentence, indices in (
        ("Read without the points or blanks between thousands", styles.grouped),
        ("Read without the commas between thousands", styles.comma_thousands),
        ("Read with decimal points, though they stand before three digits and may separate thousands", doubtful),
    ):
        if indices:
            notes.append(f"{sentence}: {some([names[j] for j in indices])}")
    if styles.units:
        listed = [f"{names[j]} ({unit})" for j, unit in styles.units.items()]
        notes.append(f"Read as numbers without the unit: {some(listed)}")
    return notes


def _may_have_thousands(column: _Column, has_decimal_commas: bool) -> bool:
    """Return True for numbers with three digits behind each point, in a table of decimal commas or among whole ones."""
    if column.values is None or not _any_in(".", column.cells):
        return False
    is_mixed = has_decimal_commas or not all("." in text for text in column.cells)
    return is_mixed and all(map(POINT_THOUSANDS.fullmatch, column.cells))


def _missing_words(columns: list[_Column], names: Sequence[str]) -> list[str]:
    """Return a sentence on words for missing values, if there are any."""
    missing = [f"{names[column.column_index]} ({_listed(column.missing)})" for column in columns if column.missing]
    return [f"Read as missing among numbers: {some(missing)}"] if missing else []


def _ambiguous_commas(styles: _Styles, names: Sequence[str]) -> list[str]:
    """Return a sentence on columns whose commas may be either mark, if there are any."""
    if not styles.ambiguous:
        return []
    listed = some([names[j] for j in styles.ambiguous])
    return [
        "No numbers, since commas before three digits may separate thousands (if not, add --decimal ,; if so, "
        f"--decimal .): {listed}"
    ]


def _unclear_words(columns: list[_Column], names: Sequence[str]) -> list[str]:
    """Return a sentence on words among numbers that are none for missing values, if there are any."""
    unclear = [f"{names[column.column_index]} ({_listed(column.unclear)})" for column in columns if column.unclear]
    if not unclear:
        return []
    first = next(word for column in columns for word in column.unclear if word.casefold() not in MISSING_WORDS)
    advice = f"if they are missing values, empty them or add --missing {quote(first)}"
    return [f"No numbers, since some cells are none ({advice}): {some(unclear)}"]


def _listed(words: list[str]) -> str:
    return ", ".join(map(shown, words))


def _any_in(mark: str, texts: list[str]) -> bool:
    return any(mark in text for text in texts)


def _as_numbers(texts: list[str]) -> np.ndarray | None:
    """Return what Python reads texts as; None if one is no number, or only by an underscore between digits."""
    try:
        values = np.array([*map(float, texts)])
    except ValueError:
        return None
    return None if "_" in "".join(texts) else values


def is_written_number(text: str) -> bool:
    """Return True for a number as people write it, also with a unit and a sign of minus (U+2212)."""
    hyphened = text.replace(MINUS, "-")
    return _is_without_unit(hyphened) or _is_with_unit(hyphened)


def value_of(number: str) -> float:
    """Return about the value of a number as people write it: the last point or comma stands before decimals."""
    text = number.replace(MINUS, "-")
    match = WITH_UNIT.fullmatch(text)
    if match:
        text = match["number"] if match["number"].startswith(("+", "-")) else match["sign"] + match["number"]
    integer_part, mark, decimals = re.sub(r"[\s']", "", text).replace(",", ".").rpartition(".")
    return float(integer_part.replace(".", "") + mark + decimals)


def _is_without_unit(text: str) -> bool:
    """Return True for a number with a point or a comma before decimals, also with marks between thousands."""
    return any(form.fullmatch(text) for form in (PLAIN, DECIMAL_COMMA, COMMA_THOUSANDS, BLANK_OR_APOSTROPHE))


def _is_with_unit(text: str) -> bool:
    """Return True for a number with a unit or a currency."""
    match = WITH_UNIT.fullmatch(text)
    return bool(match and (match["currency"] or match["unit"]) and _is_without_unit(match["number"]))


def _with_hyphen(text: str) -> str:
    """Return the text with hyphens for the signs of minus (U+2212) if it is a number then."""
    replaced = text.replace(MINUS, "-")
    return replaced if is_written_number(replaced) else text


def _without_unit(texts: list[str]) -> tuple[list[str], str]:
    """Return texts without the unit or currency that all of them have, and this unit; unchanged if there is none."""
    matches = [WITH_UNIT.fullmatch(text) for text in texts]
    units = {(match["currency"] or match["unit"]).strip() for match in matches if match}
    if None in matches or len(units) != 1 or "" in units:
        return texts, ""
    numbers = [match["sign"] + match["number"] for match in matches if match]
    return (numbers, units.pop()) if len({*numbers}) >= MIN_DISTINCT else (texts, "")


def _rewrite(cells: np.ndarray, columns: list[_Column], separator: str, decimal: str | None) -> _Styles:
    """Write columns of numbers, in place, as Python does; a table has decimal commas or commas between thousands."""
    styles = _Styles([], [], [], [], {})
    n_infinite = 0
    may_have_decimal_commas = _matching_columns(columns, DECIMAL_COMMA)
    may_have_comma_thousands = _matching_columns(columns, COMMA_THOUSANDS)
    with_commas = {column.column_index for column in columns if _any_in(",", column.cells)}
    ambiguous = _matching_columns(columns, AMBIGUOUS) & with_commas
    only_decimal_commas = (may_have_decimal_commas & with_commas) - may_have_comma_thousands
    only_comma_thousands = may_have_comma_thousands - may_have_decimal_commas
    shows_decimal_commas = decimal == "," or (decimal is None and bool(only_decimal_commas))
    # Semicolons between cells only suggest decimal commas.
    has_decimal_commas = shows_decimal_commas or (decimal is None and separator == ";")
    has_comma_thousands = decimal == "." or (decimal is None and bool(only_comma_thousands))
    for column in columns:
        j = column.column_index
        # The table shows neither decimal commas nor commas between thousands, or both.
        if j in ambiguous and has_decimal_commas == has_comma_thousands:
            styles.ambiguous.append(j)
            continue
        # 1.234 kg are decimals, as 1.234 is for Python, unless other columns have decimal commas.
        takes_decimal_commas = (
            shows_decimal_commas or (has_decimal_commas and j in with_commas) or j not in may_have_comma_thousands
        )
        if j in may_have_decimal_commas and decimal != "." and takes_decimal_commas:
            is_grouped = any(map((GROUP_MARKS if decimal == "," else GROUPED_BEFORE_COMMA).search, column.cells))
            texts = [GROUP_MARKS.sub("", text) for text in column.cells] if is_grouped else column.cells
            numbers = [text.replace(",", ".") for text in texts]
            if j in with_commas:
                styles.decimal_commas.append(j)
            if is_grouped:
                styles.grouped.append(j)
        elif j in may_have_comma_thousands and decimal != ",":
            numbers = [text.replace(",", "") for text in column.cells]
            if j in with_commas:
                styles.comma_thousands.append(j)
        elif all(PLAIN.fullmatch(text) or BLANK_OR_APOSTROPHE.fullmatch(text) for text in column.cells):
            numbers = [re.sub(r"[\s']", "", text) for text in column.cells]
            if numbers != column.cells:
                styles.grouped.append(j)
        else:
            continue
        values = _as_numbers(numbers)
        if values is None:
            continue
        cells[column.rows, j] = numbers
        if column.values is None:  # those of plain columns are counted already
            n_infinite += int(np.isinf(values).sum())
        if column.unit:
            styles.units[j] = column.unit
    return styles._replace(n_infinite=n_infinite)


def _matching_columns(columns: list[_Column], pattern: re.Pattern[str]) -> set[int]:
    """Return the columns whose cells all match."""
    return {column.column_index for column in columns if all(map(pattern.fullmatch, column.cells))}
