"""Compute the widths of the columns of a ranking's table; `RankingView.fit_columns` measures texts and applies them.

All widths are in pixels; that of a hidden column is HIDDEN.  Limits were chosen by eye.  Nothing here needs Qt.
"""

from enum import Enum
from typing import NamedTuple

HIDDEN = 0

# Names of features are narrower only in a table without scores.
MIN_NAME_WIDTH = 110
# A score's column has room for a short bar and its number.
MIN_SCORE_WIDTH = 92
# Scores have enough room for the number of values beside them if they are so many times as wide as they must be.
AMPLE_SCORES = 1.2
# Scores for one class or target have titles of two parts, and so are wider.
MIN_DETAIL_WIDTH = 104
MAX_DETAIL_WIDTH = 150
# A narrower table shows no tests but q.
MIN_WIDTH_FOR_TESTS = 420


class Priority(Enum):
    """Tells when an extra column is shown, unless the user hides it."""

    ALWAYS = "always"
    IF_WIDE = "in tables of MIN_WIDTH_FOR_TESTS and more"
    IF_ROOM_BESIDE_SCORES = "in these tables, if names and scores leave room"


class ExtraColumn(NamedTuple):
    """An attribute of features, a measure of another ranking, or a test."""

    text_width: int  # of its texts and its title; HIDDEN if the user hides it
    priority: Priority


class ScoreTitle(NamedTuple):
    """The title of a method's scores."""

    width: int
    short_width: int  # of its short form, or of the title itself if it has none


class TextWidths(NamedTuple):
    """Widths of the texts of columns, with the margins around them."""

    rank: int  # of the largest rank; HIDDEN if the user hides it
    name: int  # of the longest name
    values: int  # of the title of the numbers of values; HIDDEN if there are none
    scores: list[ScoreTitle]  # of methods' scores that the user does not hide
    details: list[int]  # of titles of scores for one class or target that the user does not hide
    extra: list[ExtraColumn]


class ColumnWidths(NamedTuple):
    """Widths of all columns in TextWidths, in the same order."""

    rank: int
    name: int
    values: int
    scores: list[int]
    details: list[int]
    extra: list[int]


def column_widths(table_width: int, texts: TextWidths) -> ColumnWidths:
    """Return widths of columns that fill a table, and need no scrolling if it is wide enough."""
    scores_min_width = len(texts.scores) * MIN_SCORE_WIDTH

    # Extra columns take what the other ones leave, where names have at most a third of the table.
    name_width = clamp(texts.name, MIN_NAME_WIDTH, max(table_width // 3, MIN_NAME_WIDTH))
    room_beside_scores = table_width - texts.rank - name_width - scores_min_width
    extra_widths = extra_column_widths(texts.extra, table_width, room_beside_scores)
    main_width = table_width - texts.rank - sum(extra_widths)

    # Names fill a table without scores, and are narrower where scores then need no scrolling.
    if not texts.scores:
        name_width = max(main_width, HIDDEN + 1)
    elif MIN_NAME_WIDTH <= main_width - scores_min_width < name_width:
        name_width = main_width - scores_min_width
    scores_width = main_width - name_width

    # Numbers of values matter less than scores.
    ample_width = max(AMPLE_SCORES * scores_min_width, sum(title.width for title in texts.scores))
    values_width = texts.values if scores_width - texts.values >= ample_width else HIDDEN

    # Scores share what is left; beside those for one class or target, their titles are shown as well.
    detail_widths = [clamp(width, MIN_DETAIL_WIDTH, MAX_DETAIL_WIDTH) for width in texts.details]
    if texts.details and scores_width > 2 * MIN_DETAIL_WIDTH:
        min_widths = [clamp(title.width, MIN_DETAIL_WIDTH, MAX_DETAIL_WIDTH) for title in texts.scores]
    else:
        min_widths = [clamp(title.short_width, MIN_SCORE_WIDTH, MIN_DETAIL_WIDTH) for title in texts.scores]
    title_widths = [title.width for title in texts.scores]
    score_widths = shared_widths(scores_width - values_width - sum(detail_widths), min_widths, title_widths)
    return ColumnWidths(texts.rank, name_width, values_width, score_widths, detail_widths, extra_widths)


def extra_column_widths(columns: list[ExtraColumn], table_width: int, room_beside_scores: int) -> list[int]:
    """Return widths of extra columns, at most a quarter of the table each."""
    max_width = max(table_width // 4, MIN_SCORE_WIDTH)
    widths = []
    for column in columns:
        is_shown = column.priority == Priority.ALWAYS or table_width >= MIN_WIDTH_FOR_TESTS
        widths.append(min(column.text_width, max_width) if is_shown else HIDDEN)
    for index, column in enumerate(columns):
        if column.priority == Priority.IF_ROOM_BESIDE_SCORES and sum(widths) > room_beside_scores:
            widths[index] = HIDDEN
    return widths


def shared_widths(total_width: int, min_widths: list[int], title_widths: list[int]) -> list[int]:
    """Return widths of columns that share a space.

    Each column has its minimum, even if the space is too small.  What remains goes first to titles wider than that, in
    proportion to what each still needs, and then to the narrowest columns.
    """
    needs = [max(title - minimum, 0) for title, minimum in zip(title_widths, min_widths, strict=True)]
    remaining = max(total_width - sum(min_widths), 0)
    if remaining < sum(needs):
        return [minimum + need * remaining // sum(needs) for minimum, need in zip(min_widths, needs, strict=True)]
    widths = [minimum + need for minimum, need in zip(min_widths, needs, strict=True)]
    common = common_width(total_width, widths)
    return [max(common, width) for width in widths]


def common_width(total_width: int, widths: list[int]) -> int:
    """Return the width to which narrower columns are widened so that all fill a space; 0 without columns."""
    descending = sorted(widths, reverse=True)
    for n_wider, widest_of_others in enumerate(descending):
        width = (total_width - sum(descending[:n_wider])) // (len(descending) - n_wider)
        if width >= widest_of_others:
            return width
    return 0


def clamp(width: int, min_width: int, max_width: int) -> int:
    """Return the width, or the limit that it exceeds."""
    return min(max(width, min_width), max_width)
