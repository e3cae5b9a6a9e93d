"""Rankings as CLUS writes them: .fimp files.

Scripts, the command and widgets call `read_fimp` and `write_fimp`. A file has a description, an underlined heading and
a row for each feature, with tabs between columns::

    Ranking method: ReliefE
    attributeDatasetIndex  attributeName  [ReliefERank]  [ReliefE]
    --------------------------------------------------------------
    3                      petal length   [1]            [0.25]
    1                      sepal length   [2]            [0.1]
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np

from ..core.files import replacing
from ..core.words import shown
from .tokens import Location, number, whole

MAX_TIE = 1e-12  # scores that differ by no more share a rank
INDEX = "attributeDatasetIndex"
NAME = "attributeName"

_RULE = re.compile(r"-{6,}\s*")


@dataclass(frozen=True, eq=False)
class Fimp:
    """Contents of a .fimp file of p features, in the order of the file.

    Attributes
    ----------
    names : tuple of str
        Names of the features.
    scores : (s, p) float64 array
        Scores, s of each feature.
    titles : tuple of str
        Titles of the s scores.
    indices : (p,) int array
        Columns of the features in their data, from 0.
    description : tuple of str
        Lines before the table.
    """

    names: tuple[str, ...]
    scores: np.ndarray
    titles: tuple[str, ...]
    indices: np.ndarray
    description: tuple[str, ...] = ()


def read_fimp(path: str | Path) -> Fimp:
    """Read a ranking. Older files, without indices and ranks, are read, too.

    Parameters
    ----------
    path : str or Path
        Path of the file.

    Returns
    -------
    Fimp
        Its contents.

    Raises
    ------
    ValueError
        If it is no .fimp file; the message has line and column.
    """
    path = Path(path)
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    rule = next((k for k, line in enumerate(lines) if _RULE.fullmatch(line)), 0)  # the line below the heading
    if not rule:
        n_lines = len(lines) - (not lines[-1])
        problem = "without a heading that is underlined by dashes: it is no .fimp or is cut off"
        raise ValueError(f"{path.name} ends at line {n_lines} {problem}")
    titles = _titles(lines[rule - 1], Location(path.name, rule))
    names: list[str] = []
    indices: list[int] = []
    scores: list[float] = []
    for number_of_line, line in enumerate(lines[rule + 1 :], rule + 2):
        if not line.strip():
            continue
        location = Location(path.name, number_of_line)
        cells = line.rstrip("\r").split("\t", 2)
        has_index = len(cells) > 2
        scores += _scores(line, len(titles), location)
        index = whole(cells[0]) if has_index else len(indices) + 1
        if index is None or index < 1:
            raise location.error(1, f"the number of an attribute, from 1, is expected, not {shown(cells[0])}")
        names.append(cells[1] if has_index else cells[0])
        indices.append(index - 1)
    by_feature = np.array(scores, dtype=float).reshape(len(names), len(titles))
    description = tuple(lines[: rule - 1])
    return Fimp(tuple(names), np.ascontiguousarray(by_feature.T), titles, np.array(indices, int), description)


def _in_brackets(line: str, location: Location) -> str:
    """Text between the last brackets of a line."""
    text = line.rstrip("\r").rpartition("\t")[2].strip()
    if "\t" not in line or len(text) < 2 or text[0] != "[" or text[-1] != "]":
        raise location.error(1, "names and, in brackets, scores are expected, with tabs between")
    return text[1:-1]


def _titles(line: str, location: Location) -> tuple[str, ...]:
    """Titles of the scores in the heading."""
    text = _in_brackets(line, location)
    return tuple(title.strip() for title in text.split(",")) if text.strip() else ()


def _scores(line: str, n_titles: int, location: Location) -> list[float]:
    """Scores in a row, as many as there are titles."""
    text = _in_brackets(line, location)
    count = text.count(",") + 1 if text.strip() else 0
    if count != n_titles:
        raise location.error(1, f"the row has {count} scores, but there are {n_titles} titles")
    try:
        return list(map(number, text.split(","))) if count else []
    except ValueError:
        raise location.error(line.rindex("[") + 1, f"these scores are no numbers: {shown(text)[1:-1]}") from None


def write_fimp(
    path: str | Path,
    names: Sequence[str],
    scores: Mapping[str, Sequence[float] | np.ndarray],
    *,
    description: Sequence[str] = ("Ranking method: ReliefE",),
    indices: Sequence[int] | None = None,
    sort: bool = True,
) -> None:
    """Write scores of p features. Ranks go from 1; scores that differ by no more than 1e-12 share a rank.

    Parameters
    ----------
    path : str or Path
        Path of the file, which appears when it is complete.
    names : sequence of str
        Names of the features.
    scores : mapping of str to sequence of float (p,)
        Scores by their titles.
    description : sequence of str
        Lines before the table.
    indices : sequence of int (p,), optional
        Columns of the features in their data, from 0. None: 0 to p - 1.
    sort : bool
        Whether the best feature by the first of the scores comes first. False: features stay in their order.

    Raises
    ------
    ValueError
        If there are no scores, lengths differ, or a name or title has characters that separate in .fimp files.
    """
    table = _table(names, scores)
    indices = range(len(names)) if indices is None else indices
    if len(indices) != len(names):
        raise ValueError(f"{len(names)} names need as many indices, not {len(indices)}")
    _check("name", names, "\t\n\r")
    _check("title", list(scores), "\t\n\r,[]")
    ranks = [_ranks(row) for row in table]
    rank_titles = ", ".join(f"{title}Rank" for title in scores)
    heading = "\t".join([INDEX, NAME, f"[{rank_titles}]", f"[{', '.join(scores)}]"])
    lines = [*description, heading, "-" * len(heading)]
    order: Iterable[int] = range(len(names))
    if sort:
        order = np.argsort(ranks[0], kind="stable")
    for j in order:
        ranks_of_feature = ", ".join(str(ranks_of_score[j]) for ranks_of_score in ranks)
        scores_of_feature = ", ".join(_number(row[j]) for row in table)
        cells = [str(int(indices[j]) + 1), names[j], f"[{ranks_of_feature}]", f"[{scores_of_feature}]"]
        lines.append("\t".join(cells))
    with replacing(path) as new_path:
        Path(new_path).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _table(names: Sequence[str], scores: Mapping[str, Sequence[float] | np.ndarray]) -> np.ndarray:
    """Scores (s, p); raises ValueError if there are none, or their lengths differ from that of the names."""
    if not scores:
        raise ValueError("there are no scores to write; give at least one: {title: scores}")
    columns = [np.asarray(column, dtype=float) for column in scores.values()]
    for title, column in zip(scores, columns, strict=True):
        if column.shape != (len(names),):
            raise ValueError(f"{len(names)} names need as many scores; {shown(title)} has the shape {column.shape}")
    return np.array(columns)


def _check(noun: str, texts: Sequence[str], forbidden: str) -> None:
    """Raise ValueError for a name or title that is empty or has forbidden characters."""
    for text in texts:
        if set(forbidden) & set(text) or (noun == "title" and text != text.strip()) or not text:
            raise ValueError(f"the {noun} {shown(text)} is empty or has a character that separates in .fimp files")


def _ranks(scores: np.ndarray) -> list[int]:
    """Ranks (p,) from 1, the highest score first, NaN last. A score within MAX_TIE of the next better one is equal."""
    order = np.argsort(np.where(np.isnan(scores), np.inf, -scores), kind="stable")
    ranks = np.empty(len(scores), dtype=int)
    for position, j in enumerate(order):
        ranks[j] = position + 1
        if position:
            better = order[position - 1]
            are_equal = scores[better] == scores[j] or np.isnan(scores[[better, j]]).all()  # infinite scores, too
            if are_equal or scores[better] <= scores[j] + MAX_TIE:
                ranks[j] = ranks[better]
    return cast("list[int]", ranks.tolist())


def _number(value: float) -> str:
    """Number as Java writes it."""
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(float(value))
