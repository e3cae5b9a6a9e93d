"""Rows of cells as a header and equally long rows below it: what stands around a table is left out, and said.

Called by the readers of text tables and workbooks. Knows comments, titles above the header, footers, names of rows as
R's write.table writes them (the header has one cell less), lines without names above, and headers of Orange.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from ..core.data.limits import check_filled
from ..core.words import MISSING_CELLS, MISSING_WORDS, counted, cut, is_decimal, shown, some
from .numbers import is_written_number, value_of

COMMENT_MARKS = ("#", "%", "!", "//")  # of loggers and numpy, of MATLAB and ARFF, of GEO's series, of C
# Errors of spreadsheets, as #N/A: no comments, though they begin like one
ERRORS = tuple(word for word in MISSING_WORDS if word.startswith(COMMENT_MARKS))
ORANGE_ROWS = 3  # of a header of Orange: names, types, roles
TITLES_FROM = 3  # cells of a row, from which rows of a single cell are no part of the table
MAX_TITLE_ROWS = 10  # rows at the beginning
MAX_FOOTERS = 10  # rows at the end
# Of titles that are numbers, chosen by eye: rows of fewer values are in such an order by chance
MIN_NUMBER_TITLES = 3
MIN_ROWS_BELOW = 5
MAX_SHARE_IN_RANGE = 0.25  # of ordered numbers in the range of their columns, which may have codes of many digits
MIN_EVEN_TITLES = 5  # in even steps from another number than 0 or 1
ROWS_SAMPLED = 100  # of those below names
TYPE_WORDS = {
    "", "c", "continuous", "numeric", "n", "d", "discrete", "categorical", "s", "string", "text", "t", "time",
}  # fmt: skip
VALUES = re.compile(r"\S+(\s\S+)+")  # the values of a discrete variable
ROLE = re.compile(r"(c|class|i|ignore|m|meta|w|weight|.+?=.*?)?")
MAX_SHOWN_CHARACTERS = 40  # characters of a line that a note repeats


@dataclass
class Layout:
    """A table in rows of cells.

    Attributes
    ----------
    header : list of list of str
        Rows of names: none, one, or the three of Orange (names, types, roles), as long as the rows below.
    rows : list of list of str
        Values, equally many cells in each row.
    row_names : list of str
        Names that stood before the cells of each row, where the header has no cell for them; else empty.
    notes : list of str
        Sentences on what was left out or assumed.
    """

    header: list[list[str]]
    rows: list[list[str]]
    row_names: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def arrange(
    rows: list[list[str]], has_header: bool | None = None, transpose: bool = False, may_end_early: bool = True
) -> Layout:
    """Find the header and the values among rows of cells.

    Parameters
    ----------
    rows : list of list of str
        Cells without blanks at their ends. The lists are changed.
    has_header : bool, optional
        Whether the first row has names. The default is to see.
    transpose : bool
        Whether rows of the file are columns of the table.
    may_end_early : bool
        Whether the last cells of a row may be left out. Where blanks separate cells, any may be missing.

    Raises
    ------
    ValueError
        If a row has more cells than the header, or all rows have fewer: then names may belong to other columns.
    """
    layout = Layout([], rows)
    if not any(map(any, rows)):
        layout.rows = []
        return layout
    _leave_out_lines_around(layout)
    if transpose:
        _transpose(layout)
    _split_header(layout, has_header)
    layout.rows = [row for row in layout.rows if any(row)]
    _fit_rows_to_header(layout, may_end_early)
    return layout


# --- Lines above and below --------------------------------------------------------------------------------------------


def _leave_out_lines_around(layout: Layout) -> None:
    """Leave out comments, titles above the header, and lines of a single cell at the end."""
    rows = layout.rows
    width = _usual_width(rows)
    comments = _count_comments(rows, width)
    if comments:
        _say_left_out(layout, "comment", rows[:comments])
        rows = rows[comments:]
    titles = _count_titles(rows, width)
    if titles:
        _say_left_out(layout, "line", rows[:titles], " above the header")
        rows = rows[titles:]
    footers = _count_footers(rows, width)
    if footers:
        _say_left_out(layout, "line", rows[-footers:], " below the table")
        rows = rows[:-footers]
    if rows[0][0].startswith("#") and not rows[0][0].startswith("##"):
        rows[0][0] = rows[0][0][1:].strip()  # the header of a file of PLINK: #IID
    layout.rows = rows


def _usual_width(rows: list[list[str]]) -> int:
    """Return the most frequent number of cells of a row; empty ones at the end do not count."""
    return Counter(filled for row in rows if (filled := _filled(row))).most_common(1)[0][0]


def _count_titles(rows: list[list[str]], width: int) -> int:
    """Return how many rows at the beginning are titles: single cells, or fewer cells than names that stand below."""
    titles = 0
    if width >= TITLES_FROM:
        n_before_two_cells = next((count for count, row in enumerate(rows) if _filled(row) > 1), 0)
        n_before_full_row = next((count for count, row in enumerate(rows) if _filled(row) >= width - 1), 0)
        # If the first full row has values, there are no names, and short rows above it may be values, too.
        titles = n_before_two_cells if any(map(_is_number, rows[n_before_full_row])) else n_before_full_row
    # Titles may have as many cells as a row, if there are others among them, or as many as the header that R writes,
    # which is one cell short: names stand below, and then numbers.
    n_even = next((count for count, row in enumerate(rows[:MAX_TITLE_ROWS]) if _filled(row) != width), MAX_TITLE_ROWS)
    for count in range(n_even + 1, min(MAX_TITLE_ROWS, len(rows) - 1)):
        values_above = [row for row in rows[:count] if _filled(row) >= width]
        if _filled(rows[count]) >= width and _are_names(rows[count], rows[count + 1 :], values_above):
            return max(count, titles)
    return titles


def _are_names(row: list[str], below: list[list[str]], above: list[list[str]]) -> bool:
    """Return True if a row has no numbers, and stands in one of its columns above numbers, with none higher up."""
    if any(map(_is_number, row)):
        return False
    width = _filled(row)
    sample = [cells for cells in below[:ROWS_SAMPLED] if _filled(cells) >= width]  # but for footers
    for j, name in enumerate(row):
        column = [cells[j] for cells in sample if len(cells) > j and not _is_missing(cells[j])]
        has_values_above = any(len(cells) > j and _is_number(cells[j]) for cells in above)
        if not _is_missing(name) and column and not has_values_above and all(map(_is_number, column)):
            return True
    return False


def _count_footers(rows: list[list[str]], width: int) -> int:
    """Return how many rows at the end are no part of the table.

    These have a single text, or are short and have a text in the first column, where all others have numbers.
    """
    body = rows[1 : max(len(rows) - MAX_FOOTERS, len(rows) // 2 + 1)]
    begins_with_numbers = all(_is_number(row[0]) or _is_missing(row[0]) for row in body)

    def is_footer(row: list[str]) -> bool:
        if _is_number(row[0]) or _is_missing(row[0]):
            return width >= TITLES_FROM and not any(row)
        return (width >= TITLES_FROM and _filled(row) <= 1) or (
            begins_with_numbers and bool(row[0]) and _filled(row) < width
        )

    max_footers = min(MAX_FOOTERS, len(rows) - 2)
    return next((count for count in range(max_footers) if not is_footer(rows[-1 - count])), max(max_footers, 0))


def _count_comments(rows: list[list[str]], width: int) -> int:
    """Return how many rows at the beginning are comments; the last of them may be the header itself.

    It is where it has as many cells as a row, and the row below it has values: numbers, or no blank follows the mark
    (#IID) and the row below has no names of numbers.
    """
    count = 0
    while count < len(rows) and rows[count] and is_comment(rows[count][0]):
        count += 1
    if not count or count == len(rows):
        return 0
    last, below, *more = rows[count - 1 :]
    is_sentence = last[0] == "#" or last[0].startswith("# ")
    least_width = width if is_sentence else width - 1  # #IID may stand above rows that R has numbered
    if not last[0].startswith("#") or _filled(last) < max(least_width, 2):
        return count
    has_values_below = any(map(_is_number, below))
    has_names_below = _are_names(below, more, [])
    is_header = has_values_below or not (has_names_below or is_sentence)
    return count - 1 if is_header else count


def is_comment(line: str) -> bool:
    """Return True for a line, or a first cell, that begins with a mark of comments, other than errors as #N/A."""
    return line.startswith(COMMENT_MARKS) and not line.casefold().startswith(ERRORS)


def _say_left_out(layout: Layout, noun: str, rows: list[list[str]], position: str = "") -> None:
    first = cut(" ".join(filter(None, rows[0])), MAX_SHOWN_CHARACTERS)
    dots = " ..." if len(rows) > 1 else ""
    layout.notes.append(f"{counted(len(rows), noun)}{position} left out: {shown(first)}{dots}")


# --- Header -----------------------------------------------------------------------------------------------------------


def _split_header(layout: Layout, has_header: bool | None) -> None:
    """Move the rows of names from the rows of values to the header."""
    rows = layout.rows
    if has_header is None:
        count = ORANGE_ROWS if _has_types_and_roles(rows) else int(_has_names(layout))
    else:
        count = int(has_header)
    layout.header, layout.rows = rows[:count], rows[count:]


def _has_types_and_roles(rows: list[list[str]]) -> bool:
    """Return True if the second row has types of Orange and the third one has roles."""
    if len(rows) < ORANGE_ROWS:
        return False
    are_types = all(cell in TYPE_WORDS or VALUES.fullmatch(cell) for cell in rows[1])
    return are_types and all(ROLE.fullmatch(word) for cell in rows[2] for word in cell.split(" "))


def _has_names(layout: Layout) -> bool:
    """Return True if the first row has names instead of values.

    It has values where all cells are numbers, unless these number the columns or are far from those below, as
    wavenumbers are. It also has them where most numbers lie in the range of their columns,
    and each of the other cells occurs again below: names seldom do either, also where they are years or wavelengths.
    """
    first, *other_rows = layout.rows
    numbers = [j for j, cell in enumerate(first) if _is_number(cell) and not _is_missing(cell)]
    other_rows = [row for row in other_rows if row != first]  # files that were joined repeat their header
    if _are_numbers_of_columns(first, numbers, other_rows):
        layout.notes.append(_read_as_names(first))
        return True
    if len(numbers) == len(first):
        return False
    if not other_rows:
        return True
    in_range = sum(_lies_in_range(value_of(first[j]), other_rows, j) for j in numbers)
    if numbers and 2 * in_range <= len(numbers):
        return True
    texts = [j for j, cell in enumerate(first) if j not in numbers and cell not in MISSING_CELLS]
    shown_cells = some([*map(shown, first)])
    if all(any(len(row) > j and row[j] == first[j] for row in other_rows) for j in texts):
        layout.notes.append(f"The first line has values instead of names ({shown_cells}): columns are numbered")
        return False
    if numbers:
        layout.notes.append(_read_as_names(first))
    return True


def _read_as_names(first: list[str]) -> str:
    """Return a note on numbers in a first line that was read as names."""
    return f"The first line was read as names ({some([*map(shown, first)])}): if it has values, add --no-header"


def _are_numbers_of_columns(first: list[str], numbers: list[int], other_rows: list[list[str]]) -> bool:
    """Return True if a first row of numbers, perhaps with an empty corner, numbers columns or is far from them.

    These are 0, 1, 2 ... and other even steps, if no other row has such, and ascending or descending numbers that lie
    out of the range of their columns, as wavenumbers and years do.
    """
    corner = int(not first[0])
    if len(numbers) < MIN_NUMBER_TITLES or numbers != [*range(corner, len(first))] or len(other_rows) < MIN_ROWS_BELOW:
        return False
    titles = [value_of(first[j]) for j in numbers]
    steps = {after - before for before, after in pairwise(titles)}
    is_ordered = min(steps) > 0 or max(steps) < 0
    n_in_range = sum(_lies_in_range(title, other_rows, j) for title, j in zip(titles, numbers, strict=True))
    if is_ordered and n_in_range <= MAX_SHARE_IN_RANGE * len(titles):
        return True
    counts = steps == {1} and titles[0] in (0, 1)
    if counts and corner:  # as pandas writes them above the numbers of the rows
        return True
    if not counts and (len(steps) > 1 or not is_ordered or len(titles) < MIN_EVEN_TITLES):
        return False
    return not any(_has_even_steps(row[corner:]) for row in other_rows[:ROWS_SAMPLED])


def _has_even_steps(row: list[str]) -> bool:
    """Return True for a row of numbers that ascends or descends in equal steps."""
    if not all(map(_is_number, row)) or any(map(_is_missing, row)):
        return False
    values = [*map(value_of, row)]
    steps = {after - before for before, after in pairwise(values)}
    return len(steps) == 1 and 0 not in steps


def _lies_in_range(number: float, rows: list[list[str]], j: int) -> bool:
    """Return True if a number lies no farther from the numbers in a column than these lie from each other."""
    values = [value_of(row[j]) for row in rows if len(row) > j and _is_number(row[j])]
    if not values:
        return False
    low, high = min(values), max(values)
    return 2 * low - high <= number <= 2 * high - low


# --- Width ------------------------------------------------------------------------------------------------------------


def _fit_rows_to_header(layout: Layout, may_end_early: bool) -> None:
    """Give all rows the length of the header; take away names of rows that have no cell in it."""
    rows = layout.rows
    if not rows:
        return
    longest = max(map(_filled, rows))
    n_names = max(map(_filled, layout.header), default=longest)
    n_header_cells = max(map(len, layout.header), default=0)
    # Empty cells at the end of the header are columns without names if a row fills them.
    width = max(n_names, min(longest, n_header_cells))
    if longest == n_names + 1 == width:
        _check_last_name(layout, width)
    if longest == width + 1 and all(len(row) > width for row in rows):
        _take_row_names(layout)
        rows = layout.rows
    elif longest > width:
        k = next(k for k, row in enumerate(rows) if _filled(row) > width)
        raise ValueError(
            f"its row {k + 1:,} ({shown(' '.join(rows[k]))}) has {counted(_filled(rows[k]), 'cell')}, and its header "
            f"has {width:,}, so that names may belong to other columns. Give each column a name, and put quotes "
            "around cells that contain the separator"
        )
    elif all(len(row) < width for row in rows):
        raise ValueError(
            f"its header has {counted(width, 'cell')}, and no row has more than {longest:,}, so that names may belong "
            "to other columns. Give each column one name"
        )
    short = sum(len(row) < width for row in rows)
    if short and not may_end_early:
        k = next(k for k, row in enumerate(rows) if len(row) < width)
        raise ValueError(
            f"its row {k + 1:,} ({shown(' '.join(rows[k]))}) has {counted(len(rows[k]), 'cell')}, and its header has "
            f"{width:,}. Separate cells by tabs where some are empty"
        )
    if short:
        verb = "ends" if short == 1 else "end"
        layout.notes.append(f"{counted(short, 'row')} {verb} before the last column: these cells are read as missing")
    check_filled(len(rows), width, sum(map(len, rows)))
    _pad(layout.header, width)
    _pad(rows, width)


def _check_last_name(layout: Layout, width: int) -> None:
    """Note that the last of `width` columns has no name; raise ValueError if the first one may have names of rows.

    Spreadsheets end the header that R writes, which is one cell short, with an empty cell.
    """
    first = [row[0] for row in layout.rows]
    filled = sum(_filled(row) == width for row in layout.rows)
    if len({*first}) == len(first) and 2 * filled > len(first):
        raise ValueError(
            f"its header has {counted(width - 1, 'name')}, and its rows have {width:,} cells, so that names may belong "
            "to other columns. Give each column a name"
        )
    layout.notes.append("The last column has no name: if the header is one cell short, give each column a name")


def _take_row_names(layout: Layout) -> None:
    """Take the first cell of each row away, as the header has one cell less."""
    names = [row[0] for row in layout.rows]
    if len({*names}) < len(names):
        raise ValueError(
            f"its rows have one cell more than its header, so that names may belong to other columns. If these cells "
            f"are names of rows, {shown(_most_frequent(names))} must not occur twice. Give each column a name"
        )
    layout.row_names = names
    layout.rows = [row[1:] for row in layout.rows]
    layout.notes.append(
        f"Names of rows left out ({some([*map(shown, names)])}): the header has one cell less than the rows, as R "
        "writes it"
    )


def _most_frequent(names: list[str]) -> str:
    return Counter(names).most_common(1)[0][0]


def _pad(rows: list[list[str]], width: int) -> None:
    """Make all rows as long as `width`, in place."""
    for row in rows:
        if len(row) < width:
            row.extend([""] * (width - len(row)))
        del row[width:]


def _transpose(layout: Layout) -> None:
    """Make columns of rows; a header that is one cell short has names of samples, and begins with an empty corner."""
    first, *other_rows = layout.rows
    if other_rows and all(len(row) == len(first) + 1 for row in other_rows):
        first.insert(0, "")
    width = max(map(len, layout.rows))
    check_filled(len(layout.rows), width, sum(map(len, layout.rows)))
    _pad(layout.rows, width)
    layout.rows = [row for row in map(list, zip(*layout.rows, strict=True)) if any(row)]


# --- Cells ------------------------------------------------------------------------------------------------------------


def _filled(row: list[str]) -> int:
    """Return the number of cells up to the last one that is not empty."""
    return next((j for j in range(len(row), 0, -1) if row[j - 1]), 0)


def _is_missing(cell: str) -> bool:
    """Return True for an empty cell and a word for a missing value."""
    return cell in MISSING_CELLS or cell.casefold() in MISSING_WORDS


def _is_number(cell: str) -> bool:
    """Return True for a number as Python or people write it."""
    return is_decimal(cell) or is_written_number(cell)
