"""What CLUS adds to ARFF: hierarchical attributes, and the settings in a file of the same name that ends in .s."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..hierarchies import Parents, closed, tree
from .arff import Arff
from .tokens import MISSING, Place

ROOT = "root"
TREE, DAG = "tree", "dag"
UNLABELLED = ("", MISSING, "n")
_SEPARATORS = ("/", ".")
_SETTING = re.compile(r"\s*(\w+)\s*=\s*(.*?)\s*")


@dataclass(frozen=True)
class Settings:
    """What the settings say of the columns (indices from 0) and of the hierarchy; None: nothing.

    aside: columns that are disabled or keys.
    """

    target: tuple[int, ...] | None = None
    descriptive: tuple[int, ...] | None = None
    aside: tuple[int, ...] = ()
    kind: str | None = None
    separator: str | None = None


def read_settings(path: Path, p: int) -> Settings:
    """The settings for a file of `p` attributes.

    Raises ValueError with the place of a number or range of attributes that does not exist, and for a hierarchy that is
    neither Tree nor DAG.
    """
    columns: dict[str, tuple[int, ...] | None] = {}
    kind = separator = None
    for section, key, value, place in _settings(path):
        if section == "attributes" and key in ("target", "descriptive", "disable", "key"):
            columns[key] = _columns(value, p, place)
        elif (section, key) == ("hierarchical", "type"):
            kind = value.lower()
            if kind not in (TREE, DAG):
                raise place.error(1, f"the type of the hierarchy is Tree or DAG, not {value!r}")
        elif (section, key) == ("hierarchical", "hseparator"):
            separator = value.strip("'\"") or None
    aside = (*(columns.get("disable") or ()), *(columns.get("key") or ()))
    return Settings(columns.get("target"), columns.get("descriptive"), aside, kind, separator)


def _settings(path: Path) -> Iterator[tuple[str, str, str, Place]]:
    section = ""
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("%")[0].strip()
        if re.fullmatch(r"\[.*\]", line):
            section = line[1:-1].strip().lower()
        elif match := _SETTING.fullmatch(line):
            yield section, match[1].lower(), match[2], Place(path.name, number)


def _columns(text: str, p: int, place: Place) -> tuple[int, ...]:
    """ "1-3,5" -> (0, 1, 2, 4)."""
    found: list[int] = []
    if text.lower() in ("", "none"):
        return ()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= p:
            raise place.error(1, f"attributes are numbers or ranges from 1 to {p}, not {part.strip()!r}")
        found.extend(range(first - 1, last))
    return tuple(dict.fromkeys(found))


def read_hierarchy(arff: Arff, column: int, settings: Settings) -> tuple[tuple[str, ...], Parents, np.ndarray]:
    """Nodes of a hierarchical column, their parents, and labels (n, L), closed upwards, NaN in rows without labels.

    Nodes of a tree are named by their paths; those of a graph, which is declared as pairs of parent and child, by
    themselves.  Raises ValueError with the line of a label that is not in the hierarchy, and for a cycle.
    """
    declared = arff.attributes[column].values
    sets = [None if text is None or (text.strip() in UNLABELLED and text.strip() not in declared)
            else [label.strip() for label in text.split("@")] for text in arff.texts[column]]  # fmt: skip
    used = list(dict.fromkeys(label for each in sets for label in each or ()))
    separator = settings.separator or _separator([*declared, *used])
    kind = settings.kind or (TREE if _is_tree(declared, used, separator) else DAG)
    names, parents = tree(declared or used, separator) if kind == TREE else _graph(declared, separator)
    labels = np.zeros((len(sets), len(names)))
    _fill(labels, sets, {name: k for k, name in enumerate(names)}, arff)
    labels = closed(labels, parents)
    labels[[k for k, each in enumerate(sets) if each is None]] = np.nan
    return names, parents, labels


def _fill(labels: np.ndarray, sets: Sequence[list[str] | None], index: dict[str, int], arff: Arff) -> None:
    for row, each in enumerate(sets):
        for label in each or ():
            if label not in index:
                raise Place(arff.name, int(arff.lines[row])).error(1, f"the label {label!r} is not in the hierarchy")
            labels[row, index[label]] = 1


def _separator(labels: Sequence[str]) -> str:
    return next((mark for mark in _SEPARATORS if any(mark in label for label in labels)), _SEPARATORS[0])


def _is_tree(declared: Sequence[str], used: Sequence[str], separator: str) -> bool:
    """Whether labels are paths; pairs of parent and child look like paths of two steps, unless the rows tell."""
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
    for pair in pairs:
        parent, _, child = pair.rpartition(separator)
        if parent and parent != ROOT:
            parents.setdefault(parent, {})
        parents.setdefault(child, {}).update({parent: None} if parent and parent != ROOT else {})
    index = {name: k for k, name in enumerate(parents)}
    return tuple(index), tuple(tuple(index[name] for name in each) for each in parents.values())
