"""Columns of a table of features, from the best feature down, as web pages and notebooks show them.

`Ranking` makes the columns of one ranking by `feature_table`, `core/report/comparison.py` those of several rankings by
`table_column`. The templates and report.js of this room draw them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

FEATURE = "feature"  # title of the column of names
TEXT = "text"
NUMBER = "number"
SCORE = "score"  # a number with a bar
# Titles of the columns of conditional tests
CONDITIONAL = "adds to the others"  # p
CONDITIONAL_Q = "adds: q"
BY_NEIGHBOURS = "adds: by neighbours"  # p of one part of the statistic
BY_LINE = "adds: by line"  # p of the other part
VALIDITY = "adds: valid"  # whether p is valid, and why not
SCORE_DIGITS = 6
OTHER_DIGITS = 3
# Tooltips of columns by their titles
HINTS = {
    "rank": "position by score, 1 is best",
    FEATURE: "name",
    "group": "name",
    "score": "higher is better",
    "unadjusted rank": "rank without adjustment for the covariates",
    "features": "features of the group",
    "p": "probability of such a score by chance",
    "q": "false discovery rate of taking all features down to this one",
    CONDITIONAL: "p given the remaining features; empty: not tested, or not valid here",
    CONDITIONAL_Q: "false discovery rate of taking all features with at most this p given the remaining features",
    VALIDITY: "whether p given the remaining features is valid here, and if it is not, p and the reason",
    "own_p": "p from the scores of this feature alone for permuted targets, which counts where features are few",
    "kind": "discoveries that are related to the target alone, too (both), or only together with others",
    "selected": "share of random halves of the rows that select it",
    "correlated with": "best feature of its group of correlated features",
}


# Columns that print explains
EXPLAINED = ("p", "q", CONDITIONAL, CONDITIONAL_Q, VALIDITY, "own_p", "kind", "selected", "correlated with")


class TableColumn(NamedTuple):
    """Column of a table of features.

    Attributes
    ----------
    title : str
        Title. That of the names is "feature", or "group".
    kind : str
        "text", "number" or "score", which has bars.
    values : list
        Plain literals, None where there is no value.
    hint : str
        Tooltip.
    """

    title: str
    kind: str
    values: list[Any]
    hint: str


def table_column(
    title: str,
    kind: str,
    values: Sequence[Any] | np.ndarray,
    hint: str | None = None,
    digits: int = OTHER_DIGITS,
) -> TableColumn:
    """Make a column of texts or numbers.

    Parameters
    ----------
    title, kind
        As in `TableColumn`.
    values : sequence or array
        Texts or numbers. NaN and None: there is no value.
    hint : str, optional
        Tooltip. None: that of the title in `HINTS`.
    digits : int
        Significant digits of numbers that are no integers.
    """
    if kind == TEXT:
        cells: list[Any] = [str(value) for value in values]
    else:
        cells = [_rounded(value, digits) for value in np.asarray(values).tolist()]
    return TableColumn(title, kind, cells, HINTS.get(title, "") if hint is None else hint)


def column_notes(table: Sequence[TableColumn]) -> list[str]:
    """Explain columns of tests and groups, for print and phones, which have no tooltips: "q: false discovery ..."."""
    return [f"{column.title}: {column.hint}" for column in table if column.title in EXPLAINED]


def _rounded(value: float | None, digits: int) -> float | int | None:
    """Number with some significant digits; None for None and NaN."""
    if value is None or value != value:
        return None
    return value if isinstance(value, int) else float(f"{value:.{digits}g}")


def feature_table(
    names: Sequence[str],
    scores: np.ndarray,
    order: np.ndarray,
    further: Mapping[str, Sequence[Any] | np.ndarray],
    noun: str = FEATURE,
) -> list[TableColumn]:
    """Make the columns of a ranking: rank, name, score, and further ones.

    Parameters
    ----------
    names : sequence of str
        Names of the p features.
    scores : (p,) array
        Their scores.
    order : (m,) int array
        Indices of the m best features, the best first, which are the rows.
    further : mapping of str to sequence (p,)
        Texts or numbers of the features by the title of their column.
    noun : str
        Word for what has scores, the title of the names: feature or group.
    """
    columns = [
        table_column("rank", NUMBER, np.arange(1, len(order) + 1)),
        table_column(noun, TEXT, [names[j] for j in order]),
        table_column("score", SCORE, scores[order], digits=SCORE_DIGITS),
    ]
    for title, values in further.items():
        cells = [values[j] for j in order]
        kind = TEXT if any(isinstance(value, str) for value in cells) else NUMBER
        columns.append(table_column(title, kind, cells))
    return columns
