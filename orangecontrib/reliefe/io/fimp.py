"""Rankings as CLUS writes them: .fimp files."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .tokens import Place

TIE = 1e-12  # scores that differ by no more share a rank
INDEX, NAME = "attributeDatasetIndex", "attributeName"

_RULE = re.compile(r"-{6,}\s*")
_LIST = re.compile(r"\[(.*)\]")


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
    """Read a ranking; older files without indices and ranks too.

    Raises ValueError with the place where there is no table, and of a row with another number of scores.
    """
    path = Path(path)
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    rule = next((k for k, line in enumerate(lines) if _RULE.fullmatch(line)), 0)
    if not rule:
        raise ValueError(f"{path.name} has no heading that is underlined by dashes: it is no .fimp or is cut off")
    titles = _listed(lines[rule - 1], Place(path.name, rule))
    names, indices, scores = [], [], []
    for number, line in enumerate(lines[rule + 1 :], rule + 2):
        if not line.strip():
            continue
        place, cells = Place(path.name, number), line.rstrip("\r").split("\t")
        values = _numbers(line, place)
        if len(values) != len(titles):
            raise place.error(1, f"the row has {len(values)} scores, but there are {len(titles)} titles")
        if len(cells) > 2 and not cells[0].isdecimal():
            raise place.error(1, f"a number of an attribute is expected, not {cells[0]!r}")
        names.append(cells[1] if len(cells) > 2 else cells[0])
        indices.append(int(cells[0]) - 1 if len(cells) > 2 else len(indices))
        scores.append(values)
    table = np.array(scores, dtype=float).reshape(len(names), len(titles))
    return Fimp(tuple(names), np.ascontiguousarray(table.T), titles, np.array(indices, int), tuple(lines[: rule - 1]))


def _listed(line: str, place: Place) -> tuple[str, ...]:
    """The parts of the last list in brackets."""
    match = _LIST.fullmatch(line.rstrip("\r").rpartition("\t")[2].strip())
    if not match or "\t" not in line:
        raise place.error(1, "names and, in brackets, scores are expected, with tabs between")
    return tuple(part.strip() for part in match[1].split(",")) if match[1].strip() else ()


def _numbers(line: str, place: Place) -> list[float]:
    parts = _listed(line, place)
    try:
        return list(map(float, parts))
    except ValueError:
        raise place.error(line.rindex("[") + 1, f"these scores are no numbers: {', '.join(parts)}") from None


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
    order = np.lexsort((np.arange(len(names)), ranks[0])) if sort else range(len(names))
    for j in order:
        cells = (", ".join(str(row[j]) for row in ranks), ", ".join(_number(row[j]) for row in table))
        lines.append("\t".join([str(int(indices[j]) + 1), names[j], *(f"[{cell}]" for cell in cells)]))
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _table(names: Sequence[str], scores: Mapping[str, Sequence[float]]) -> np.ndarray:
    """(s, p) of the scores."""
    if not scores:
        raise ValueError("there are no scores to write; give at least one: {title: scores}")
    columns = [np.asarray(column, dtype=float) for column in scores.values()]
    for title, column in zip(scores, columns, strict=True):
        if column.shape != (len(names),):
            raise ValueError(f"{len(names)} names need as many scores; {title!r} has the shape {column.shape}")
    return np.array(columns)


def _check(what: str, texts: Sequence[str], forbidden: str) -> None:
    for text in texts:
        if set(forbidden) & set(text) or (what == "title" and text != text.strip()) or not text:
            raise ValueError(f"the {what} {text!r} is empty or has a character that separates in .fimp files")


def _ranks(scores: np.ndarray) -> list[int]:
    """Ranks (p,) from 1, the highest score first; what is within TIE of the next better one is its equal, NaN last."""
    order = np.argsort(np.where(np.isnan(scores), np.inf, -scores), kind="stable")
    ranks = np.empty(len(scores), dtype=int)
    for position, j in enumerate(order):
        before = order[position - 1] if position else j
        equal = scores[before] == scores[j] or np.isnan(scores[[before, j]]).all()
        tied = position and (equal or scores[before] <= scores[j] + TIE)
        ranks[j] = ranks[before] if tied else position + 1
    return ranks.tolist()


def _number(value: float) -> str:
    """As Java writes it."""
    if np.isnan(value):
        return "NaN"
    return repr(float(value)) if np.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
