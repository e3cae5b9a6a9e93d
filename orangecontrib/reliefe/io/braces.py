"""Sparse rows as text: the content of their braces, and the weight that may follow.

Called by `sparse`, for chunks of rows and for single ones. A row may end with a weight in braces and a comment::

    {0 5.1, 3 yes}
    {0 5.1, 3 'a } in quotes'}, {2} % weight 2
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .collector import weight_of
from .tokens import QUOTED

# The brace that closes a row: after it come a weight and a comment, or nothing.
# A lookahead is not tried again with fewer blanks, of which there may be millions.
_CLOSE = (
    r"(?P<end>\}(?=(?P<blanks>\s*))(?P=blanks)(?:,\s*(?=\{))?"
    r"(?:\{\s*(?P<weight>[\d.eE+-]+)\s*\}(?=(?P<more>\s*))(?P=more))?(?:(?<=\s)%.*)?\Z)"
)
CLOSING_BRACE = re.compile(_CLOSE)
_QUOTED_OR_CLOSING = re.compile(rf"(?<=\s){QUOTED}(?=\s*[,}}])|{_CLOSE}")
_WEIGHTED_ROW = re.compile(r"\{([^{}'\"]*)\}\s*(?:,\s*)?\{\s*([\d.eE+-]+)\s*\}")
_COMMENT = re.compile(r"(?<=\})[^\S\n]+%.*")


class SparseRow(NamedTuple):
    """A row in braces.

    Attributes
    ----------
    body : str
        Content of the braces.
    offset : int
        Index in the row at which it begins.
    weight : float
        Weight of the row, 1 if it has none.
    """

    body: str
    offset: int
    weight: float


class SparseRows(NamedTuple):
    """Rows in braces.

    Attributes
    ----------
    bodies : list of str
        Contents of their braces.
    weights : (rows,) float64 array
        Their weights, 1 where a row has none.
    """

    bodies: list[str]
    weights: np.ndarray


def open_rows(rows: Sequence[str]) -> SparseRows:
    """Return the contents of the braces of rows, and their weights; raises ValueError if a row is not closed."""
    text = "\n".join(rows)
    if "%" in text and "'" not in text and '"' not in text:
        text = _COMMENT.sub("", text)
        rows = text.split("\n")
    weights = np.ones(len(rows))
    if all(row[0] == "{" and row[-1] == "}" for row in rows) and text.count("}") == len(rows):
        return SparseRows([row[1:-1] for row in rows], weights)

    bodies = []
    for k, row in enumerate(rows):
        if match := _WEIGHTED_ROW.fullmatch(row):
            bodies.append(match[1])
            weights[k] = weight_of(match[2])
            continue
        opened = open_row(row)
        if opened is None:
            raise ValueError("a row is not closed")
        bodies.append(opened.body)
        weights[k] = opened.weight
    return SparseRows(bodies, weights)


def open_row(row: str) -> SparseRow | None:
    """Return the content of the braces of a row, and its weight; None if the braces are not closed."""
    brace = row.find("{")
    if brace < 0 or (brace and not row[:brace].isspace()):
        return None
    begin = brace + 1
    has_quotes = "'" in row or '"' in row
    search_from = begin
    if not has_quotes and "%" not in row:
        # The closing brace is the last one, or the last but one if the row has a weight.
        last = row.rfind("}")
        search_from = max(begin, row.rfind("}", 0, max(last, 0)))
    pattern = _QUOTED_OR_CLOSING if has_quotes else CLOSING_BRACE
    closing = next((match for match in pattern.finditer(row, search_from) if match["end"]), None)
    if closing is None:
        return None
    try:
        weight = weight_of(closing["weight"]) if closing["weight"] else 1.0
    except ValueError:
        return None
    return SparseRow(row[begin : closing.start()], begin, weight)
