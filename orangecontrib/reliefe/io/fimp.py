"""Rankings as CLUS writes them: .fimp files."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np

from ..core.files import replacing
from ..core.words import shown
from .tokens import Location, number, whole

TIE = 1e-12  # scores that differ by no more share a rank
INDEX, NAME = "attributeDatasetIndex", "attributeName"

_RULE = re.compile(r"-{6,}\s*")


@dataclass(frozen=True, eq=False)
class Fimp:
    """A file of p features in the order in which they are listed.

    names, scores (s, p) and titles of the s scores; indices (p,): columns of the features in their data, from 0;
    description: the lines before the table.
    """

    names: tuple[str, ...]
    scores: np.ndarray
    titles: tuple[str, ...]
    indices: np.ndarray
    description: tuple[str, ...] = ()


def read_fimp(path: str | Path) -> Fimp:
    """Read a ranking; older files without indices and ranks too."""
    path = Path(path)
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    rule = next((k for k, line in enumerate(lines) if _RULE.fullmatch(line)), 0)
    if not rule:
        what = "without a heading that is underlined by dashes: it is no .fimp or is cut off"
        raise ValueError(f"{path.name} ends at line {len(lines) - (not lines[-1])} {what}")
    titles = _listed(lines[rule - 1], Location(path.name, rule))
    names: list[str] = []
    indices: list[int] = []
    scores: list[float] = []
    for line, text in enumerate(lines[rule + 1 :], rule + 2):
        if not text.strip():
            continue
        location, cells = Location(path.name, line), text.rstrip("\r").split("\t", 2)
        scores += _numbers(text, len(titles), location)
        index = whole(cells[0]) if len(cells) > 2 else len(indices) + 1
        if index is None or index < 1:
            raise location.error(1, f"the number of an attribute, from 1, is expected, not {shown(cells[0])}")
        names.append(cells[1] if len(cells) > 2 else cells[0])
        indices.append(index - 1)
    table = np.array(scores, dtype=float).reshape(len(names), len(titles))
    return Fimp(tuple(names), np.ascontiguousarray(table.T), titles, np.array(indices, int), tuple(lines[: rule - 1]))


def _list(line: str, location: Location) -> str:
    """Items between the last brackets."""
    text = line.rstrip("\r").rpartition("\t")[2].strip()
    if "\t" not in line or len(text) < 2 or text[0] != "[" or text[-1] != "]":
        raise location.error(1, "names and, in brackets, scores are expected, with tabs between")
    return text[1:-1]


def _listed(line: str, location: Location) -> tuple[str, ...]:
    text = _list(line, location)
    return tuple(part.strip() for part in text.split(",")) if text.strip() else ()


def _numbers(line: str, titles: int, location: Location) -> list[float]:
    text = _list(line, location)
    count = text.count(",") + 1 if text.strip() else 0
    if count != titles:
        raise location.error(1, f"the row has {count} scores, but there are {titles} titles")
    try:
        return list(map(number, text.split(","))) if count else []
    except ValueError:
        raise location.error(line.rindex("[") + 1, f"these scores are no numbers: {shown(text)[1:-1]}") from None


def write_fimp(
    path: str | Path,
    names: Sequence[str],
    scores: Mapping[str, Sequence[float]],
    *,
    description: Sequence[str] = ("Ranking method: ReliefE",),
    indices: Sequence[int] | None = None,
    sort: bool = True,
) -> None:
    """Write scores of p features, best first by the first of the scores, or in the given order.

    names: of the features; scores: {title: (p,)}; indices: columns of the features in their data, from 0, by default
    their order.  Ranks go from 1; scores that differ by no more than 1e-12 share the best of theirs.
    Raises ValueError for no scores, lengths that differ, and names or titles with the punctuation of the format.
    """
    table = _table(names, scores)
    indices = range(len(names)) if indices is None else indices
    if len(indices) != len(names):
        raise ValueError(f"{len(names)} names need as many indices, not {len(indices)}")
    _check("name", names, "\t\n\r")
    _check("title", list(scores), "\t\n\r,[]")
    ranks = [_ranks(row) for row in table]
    titles = ", ".join(scores)
    heading = "\t".join([INDEX, NAME, f"[{', '.join(f'{title}Rank' for title in scores)}]", f"[{titles}]"])
    lines = [*description, heading, "-" * len(heading)]
    order: Iterable[int] = (
        np.lexsort((np.arange(len(names)), cast("np.ndarray", ranks[0]))) if sort else range(len(names))
    )
    for j in order:
        cells = (", ".join(str(row[j]) for row in ranks), ", ".join(_number(row[j]) for row in table))
        lines.append("\t".join([str(int(indices[j]) + 1), names[j], *(f"[{cell}]" for cell in cells)]))
    with replacing(path) as new:
        Path(new).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _table(names: Sequence[str], scores: Mapping[str, Sequence[float]]) -> np.ndarray:
    """(s, p) of the scores."""
    if not scores:
        raise ValueError("there are no scores to write; give at least one: {title: scores}")
    columns = [np.asarray(column, dtype=float) for column in scores.values()]
    for title, column in zip(scores, columns, strict=True):
        if column.shape != (len(names),):
            raise ValueError(f"{len(names)} names need as many scores; {shown(title)} has the shape {column.shape}")
    return np.array(columns)


def _check(what: str, texts: Sequence[str], forbidden: str) -> None:
    for text in texts:
        if set(forbidden) & set(text) or (what == "title" and text != text.strip()) or not text:
            raise ValueError(f"the {what} {shown(text)} is empty or has a character that separates in .fimp files")


def _ranks(scores: np.ndarray) -> list[int]:
    """Ranks (p,) from 1, the highest score first; what is within TIE of the next better one is its equal, NaN last."""
    order = np.argsort(np.where(np.isnan(scores), np.inf, -scores), kind="stable")
    ranks = np.empty(len(scores), dtype=int)
    for position, j in enumerate(order):
        before = order[position - 1] if position else j
        equal = scores[before] == scores[j] or np.isnan(scores[[before, j]]).all()
        tied = position and (equal or scores[before] <= scores[j] + TIE)
        ranks[j] = ranks[before] if tied else position + 1
    return cast("list[int]", ranks.tolist())


def _number(value: float) -> str:
    """As Java writes it."""
    if np.isnan(value):
        return "NaN"
    return repr(float(value)) if np.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
