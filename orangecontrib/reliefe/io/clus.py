"""Additions of CLUS to ARFF: hierarchical attributes, and the settings in a file of the same name that ends in .s."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import cast

import numpy as np

from ..core.words import shown
from ..orange.targets import Parents, close, tree
from ..tabular.limits import MAX_CELLS, MAX_COLUMNS, MAX_TEXT, limit, limit_sentence
from .arff import Arff
from .tokens import MISSING, Location, whole

ROOT = "root"
TREE, DAG = "tree", "dag"
UNLABELLED = ("", MISSING, "n")
_SEPARATORS = ("/", ".")
_KEYS = {"attributes": ("target", "descriptive", "disable", "key"), "hierarchical": ("type", "hseparator")}


@dataclass(frozen=True)
class Settings:
    """Settings of the columns (indices from 0) and of the hierarchy; None: nothing.

    aside: columns that are disabled or keys.
    """

    target: tuple[int, ...] | None = None
    descriptive: tuple[int, ...] | None = None
    aside: tuple[int, ...] = ()
    kind: str | None = None
    separator: str | None = None


def read_settings(path: Path, p: int) -> Settings:
    """The settings for a file of `p` attributes."""
    found = _settings(path)
    columns = {
        key: _columns(value, p, location)
        for (section, key), (value, location) in found.items()
        if section == "attributes"
    }
    kind, location = found.get(("hierarchical", "type"), (None, None))
    if kind is not None and kind.lower() not in (TREE, DAG):
        raise cast("Location", location).error(1, f"the type of the hierarchy is Tree or DAG, not {shown(kind)}")
    separator, _ = found.get(("hierarchical", "hseparator"), ("", None))
    aside = (*columns.get("disable", ()), *columns.get("key", ()))
    return Settings(
        columns.get("target"), columns.get("descriptive"), aside, kind and kind.lower(), separator.strip("'\"") or None
    )


def _settings(path: Path) -> dict[tuple[str, str], tuple[str, Location]]:
    """{section, key: value, place} of the settings that are read; of those that are there twice the last."""
    if path.stat().st_size > limit(MAX_TEXT):
        raise Location(path.name, 1).error(1, f"the bytes of this file are {limit_sentence(MAX_TEXT)}")
    keys: tuple[str, ...] = ()
    found: dict[tuple[str, str], tuple[str, Location]] = {}
    section = ""
    with open(path, encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            line = line.partition("%")[0].strip()
            if line[:1] == "[" and line[-1] == "]":
                section = line[1:-1].strip().lower()
                keys = _KEYS.get(section, ())
            elif "=" in line:
                key, _, value = line.partition("=")
                key = key.strip().lower()
                if key in keys:
                    found[section, key] = value.strip(), Location(path.name, number)
    return found


def _columns(text: str, p: int, location: Location) -> tuple[int, ...]:
    """ "1-3,5" -> (0, 1, 2, 4)."""
    if text.lower() in ("", "none"):
        return ()
    found: list[int] = []
    free = list(range(p + 1))  # from a column to it, or towards the next one that has not been found yet
    for part in dict.fromkeys(text.split(",")):
        begin, dash, end = part.partition("-")
        first, last = whole(begin.strip()), whole((end if dash else begin).strip())
        if first is None or last is None or not 1 <= first <= last <= p:
            raise location.error(1, f"attributes are numbers or ranges from 1 to {p}, not {shown(part.strip())}")
        column = _free(free, first - 1)
        while column < last:
            found.append(column)
            free[column] = column + 1
            column = _free(free, column)
    return tuple(found)


def _free(free: list[int], column: int) -> int:
    while free[column] != column:
        free[column] = free[free[column]]
        column = free[column]
    return column


def read_hierarchy(arff: Arff, column: int, settings: Settings) -> tuple[tuple[str, ...], Parents, np.ndarray]:
    """Nodes of a hierarchical column, their parents, and labels (n, L), closed upwards, NaN in rows without labels.

    Nodes of a tree are named by their paths; those of a graph, which is declared as pairs of parent and child, by
    themselves.  Raises ValueError with the line of a label that is not in the hierarchy, for a cycle, and for more of
    nodes or labels than `limits` allow.
    """
    attribute, texts = arff.attributes[column], arff.texts[column].tolist()
    declared, location = set(attribute.values), arff.location(attribute.line)
    sets = {text: _labels(text, declared) for text in texts}
    used = list(dict.fromkeys(label for each in sets.values() for label in each or ()))
    with location.refusing():
        names, parents = nodes(attribute.values, used, settings)
        if len(names) > limit(MAX_COLUMNS):
            raise ValueError(f"the nodes of the hierarchy are {limit_sentence(MAX_COLUMNS)}")
        if len(texts) * len(names) > limit(MAX_CELLS):
            raise ValueError(f"{len(texts):,} rows of {len(names):,} labels are {limit_sentence(MAX_CELLS)}")
    index, codes = {name: k for k, name in enumerate(names)}, {}
    for text, each in sets.items():
        unknown = next((label for label in each or () if label not in index), None)
        if unknown is not None:
            row = arff.location(int(arff.lines[texts.index(text)]))
            raise row.error(1, f"the label {shown(unknown)} is not in the hierarchy")
        codes[text] = [index[label] for label in each or ()]
    labels = np.zeros((len(texts), len(names)))
    rows = np.repeat(np.arange(len(texts)), [len(codes[text]) for text in texts])
    labels[rows, list(chain.from_iterable(map(codes.__getitem__, texts)))] = 1
    with location.refusing():
        close(labels, parents)
    labels[[row for row, text in enumerate(texts) if sets[text] is None]] = np.nan
    return names, parents, labels


def _labels(text: str | None, declared: set[str]) -> list[str] | None:
    """The labels of a row; None where they are unknown."""
    if text is None or (text.strip() in UNLABELLED and text.strip() not in declared):
        return None
    return [label.strip() for label in text.split("@")]


def nodes(declared: Sequence[str], used: Sequence[str], settings: Settings) -> tuple[tuple[str, ...], Parents]:
    """Nodes that are declared, or used by rows, and their parents."""
    marks = (mark for mark in _SEPARATORS if any(mark in label for label in (*declared, *used)))
    separator = settings.separator or next(marks, _SEPARATORS[0])
    kind = settings.kind or (TREE if _is_tree(declared, used, separator) else DAG)
    return tree(declared or used, separator) if kind == TREE else _graph(declared, separator)


def _is_tree(declared: Sequence[str], used: Sequence[str], separator: str) -> bool:
    """True if labels are paths; pairs of parent and child look like paths of two steps, unless the rows show it."""
    if any(path.count(separator) > 1 for path in declared) or any(separator in label for label in used):
        return True
    pairs = [path.split(separator) for path in declared if separator in path]
    above, below = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}
    if above <= set(declared) or any(parent == child for parent, child in pairs):
        return True
    if below & set(used):
        return False
    return ROOT in used or not (ROOT in above or above & below)


def _graph(pairs: Sequence[str], separator: str) -> tuple[tuple[str, ...], Parents]:
    """Nodes of the pairs in the order they occur, without the common root, and their parents."""
    parents: dict[str, dict[str, None]] = {}
    most = limit(MAX_COLUMNS)
    for pair in pairs:
        if len(parents) > most:
            break  # which is refused by the number of nodes
        parent, _, child = pair.rpartition(separator)
        if parent and parent != ROOT:
            parents.setdefault(parent, {})
        parents.setdefault(child, {}).update({parent: None} if parent and parent != ROOT else {})
    index = {name: k for k, name in enumerate(parents)}
    return tuple(index), tuple(tuple(index[name] for name in each) for each in parents.values())
