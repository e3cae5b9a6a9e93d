"""Additions of CLUS to ARFF: settings in a file beside it, and hierarchical attributes.

`roles` calls `read_settings` for the file of the same name that ends in .s; `table` calls `read_hierarchy` for a
hierarchical target, and `writing` asks `nodes` how its declaration will be read. Settings and declarations look so::

    [Attributes]
    Target = 5
    Disable = 1-2

    @attribute class hierarchical a,a/b,a/c,d
    @data
    0.5, a/b@d
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..core.data.limits import MAX_CELLS, MAX_COLUMNS, MAX_TEXT, limit, limit_sentence
from ..core.words import shown
from ..orange.targets import Parents, close, tree
from .arff import Arff
from .tokens import MISSING, Location, whole

ROOT = "root"
TREE = "tree"
DAG = "dag"
UNLABELLED = ("", MISSING, "n")  # cells of rows whose labels are unknown
LABELS_SEPARATOR = "@"
_SEPARATORS = ("/", ".")
# Sections of the settings, and their keys that are read
_ATTRIBUTES = "attributes"
_HIERARCHICAL = "hierarchical"
_KEYS = {_ATTRIBUTES: ("target", "descriptive", "disable", "key"), _HIERARCHICAL: ("type", "hseparator")}


@dataclass(frozen=True)
class Settings:
    """Settings of CLUS. Columns are indices from 0.

    Attributes
    ----------
    target : tuple of int, optional
        Columns of the targets. None: not set.
    descriptive : tuple of int, optional
        Columns of the features. None: not set.
    excluded : tuple of int
        Columns that are disabled or keys.
    kind : str, optional
        `TREE` or `DAG`, the kind of the hierarchy. None: not set.
    separator : str, optional
        Separator of the names in a path. None: not set.
    """

    target: tuple[int, ...] | None = None
    descriptive: tuple[int, ...] | None = None
    excluded: tuple[int, ...] = ()
    kind: str | None = None
    separator: str | None = None


class ClusHierarchy(NamedTuple):
    """A hierarchical column of n rows.

    Attributes
    ----------
    names : tuple of str
        Names of the L nodes: their paths in a tree, names in a graph.
    parents : tuple of tuple of int
        Indices of the parents of each node.
    labels : (n, L) float64 array
        1 for the labels of a row and all their ancestors, else 0; NaN in rows without labels.
    """

    names: tuple[str, ...]
    parents: Parents
    labels: np.ndarray


class ClusSetting(NamedTuple):
    """Value of a key, and where it is."""

    value: str
    location: Location


def read_settings(path: Path, p: int) -> Settings:
    """Read the settings of a file with p attributes.

    Raises
    ------
    ValueError
        If a value is none of those possible; the message has the line.
    """
    settings = _settings(path)

    def columns_of(key: str) -> tuple[int, ...] | None:
        setting = settings.get((_ATTRIBUTES, key))
        return None if setting is None else _columns(setting.value, p, setting.location)

    target = columns_of("target")
    descriptive = columns_of("descriptive")
    excluded = (*(columns_of("disable") or ()), *(columns_of("key") or ()))
    kind = None
    setting = settings.get((_HIERARCHICAL, "type"))
    if setting is not None:
        kind = setting.value.lower()
        if kind not in (TREE, DAG):
            error = f"the type of the hierarchy is Tree or DAG, not {shown(setting.value)}"
            raise setting.location.error(1, error)
    setting = settings.get((_HIERARCHICAL, "hseparator"))
    separator = None if setting is None else setting.value.strip("'\"") or None
    return Settings(target, descriptive, excluded, kind, separator)


def _settings(path: Path) -> dict[tuple[str, str], ClusSetting]:
    """Settings {(section, key): setting} of a file; of a key that occurs twice, the last."""
    if path.stat().st_size > limit(MAX_TEXT):
        raise Location(path.name, 1).error(1, f"the bytes of this file are {limit_sentence(MAX_TEXT)}")
    settings: dict[tuple[str, str], ClusSetting] = {}
    section = ""
    with open(path, encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            line = line.partition("%")[0].strip()
            if line[:1] == "[" and line[-1] == "]":
                section = line[1:-1].strip().lower()
            elif "=" in line:
                key, _, value = line.partition("=")
                key = key.strip().lower()
                if key in _KEYS.get(section, ()):
                    settings[section, key] = ClusSetting(value.strip(), Location(path.name, number))
    return settings


def _columns(text: str, p: int, location: Location) -> tuple[int, ...]:
    """Indices of columns from numbers and ranges, each once: "1-3,5" is (0, 1, 2, 4)."""
    if text.lower() in ("", "none"):
        return ()
    columns: list[int] = []
    # Ranges may overlap many times. next_free leads from a column to itself, or to a later one if it is listed already.
    next_free = list(range(p + 1))
    for item in dict.fromkeys(text.split(",")):
        begin, dash, end = item.partition("-")
        first = whole(begin.strip())
        last = whole(end.strip()) if dash else first
        if first is None or last is None or not 1 <= first <= last <= p:
            raise location.error(1, f"attributes are numbers or ranges from 1 to {p}, not {shown(item.strip())}")
        column = _first_free(next_free, first - 1)
        while column < last:
            columns.append(column)
            next_free[column] = column + 1
            column = _first_free(next_free, column)
    return tuple(columns)


def _first_free(next_free: list[int], column: int) -> int:
    """First free column from one on; its path is shortened on the way, as in a union-find."""
    while next_free[column] != column:
        next_free[column] = next_free[next_free[column]]
        column = next_free[column]
    return column


def read_hierarchy(arff: Arff, column: int, settings: Settings) -> ClusHierarchy:
    """Read a hierarchical column.

    The declaration of a tree lists paths, that of a graph pairs of parent and child.

    Parameters
    ----------
    arff : Arff
        Contents of the file.
    column : int
        Index of the column.
    settings : Settings
        Settings, which may have the kind of the hierarchy and the separator.

    Raises
    ------
    ValueError
        For a label that is not in the hierarchy, a cycle, and more nodes or labels than `limits` allow; the message has
        the line.
    """
    attribute = arff.attributes[column]
    texts = arff.texts[column].tolist()
    location = arff.location(attribute.line)
    declared = set(attribute.values)
    labels_of_text = {text: _labels(text, declared) for text in texts}
    row_labels = list(dict.fromkeys(label for labels in labels_of_text.values() for label in labels or ()))
    with location.refusing():
        names, parents = nodes(attribute.values, row_labels, settings)
        if len(names) > limit(MAX_COLUMNS):
            raise ValueError(f"the nodes of the hierarchy are {limit_sentence(MAX_COLUMNS)}")
        if len(texts) * len(names) > limit(MAX_CELLS):
            raise ValueError(f"{len(texts):,} rows of {len(names):,} labels are {limit_sentence(MAX_CELLS)}")

    # Nodes of each different text.
    index = {name: k for k, name in enumerate(names)}
    nodes_of_text: dict[str, list[int]] = {}
    for text, labels in labels_of_text.items():
        unknown = next((label for label in labels or () if label not in index), None)
        if unknown is not None:
            row = arff.location(int(arff.lines[texts.index(text)]))
            raise row.error(1, f"the label {shown(unknown)} is not in the hierarchy")
        nodes_of_text[text] = [index[label] for label in labels or ()]

    # Labels of the rows, with those of their ancestors.
    label_table = np.zeros((len(texts), len(names)))
    rows = np.repeat(np.arange(len(texts)), [len(nodes_of_text[text]) for text in texts])
    label_table[rows, list(chain.from_iterable(nodes_of_text[text] for text in texts))] = 1
    with location.refusing():
        close(label_table, parents)
    label_table[[row for row, text in enumerate(texts) if labels_of_text[text] is None]] = np.nan
    return ClusHierarchy(names, parents, label_table)


def _labels(text: str | None, declared: set[str]) -> list[str] | None:
    """Labels of a row; None where they are unknown."""
    if text is None or (text.strip() in UNLABELLED and text.strip() not in declared):
        return None
    return [label.strip() for label in text.split(LABELS_SEPARATOR)]


def nodes(declared: Sequence[str], row_labels: Sequence[str], settings: Settings) -> tuple[tuple[str, ...], Parents]:
    """Return the nodes of a hierarchy and the parents of each.

    Parameters
    ----------
    declared : sequence of str
        Paths, or pairs of parent and child, of the declaration.
    row_labels : sequence of str
        Labels of the rows, which are paths if nothing is declared.
    settings : Settings
        Settings, which may have the kind of the hierarchy and the separator.
    """
    occurring = (mark for mark in _SEPARATORS if any(mark in label for label in (*declared, *row_labels)))
    separator = settings.separator or next(occurring, _SEPARATORS[0])
    kind = settings.kind or (TREE if _is_tree(declared, row_labels, separator) else DAG)
    return tree(declared or row_labels, separator) if kind == TREE else _graph(declared, separator)


def _is_tree(declared: Sequence[str], row_labels: Sequence[str], separator: str) -> bool:
    """True if declared labels are paths rather than pairs of parent and child, which look like paths of two names."""
    if any(path.count(separator) > 1 for path in declared) or any(separator in label for label in row_labels):
        return True
    pairs = [path.split(separator) for path in declared if separator in path]
    first_names = {pair[0] for pair in pairs}
    second_names = {pair[1] for pair in pairs}
    # Every prefix of a path is declared, too; a graph has no cycles of one node.
    if first_names <= set(declared) or any(parent == child for parent, child in pairs):
        return True
    # Rows of a graph are labelled by its nodes, which are children in pairs.
    if second_names & set(row_labels):
        return False
    return ROOT in row_labels or not (ROOT in first_names or first_names & second_names)


def _graph(pairs: Sequence[str], separator: str) -> tuple[tuple[str, ...], Parents]:
    """Nodes of pairs of parent and child, in the order in which they occur, without the root, and their parents."""
    parents: dict[str, dict[str, None]] = {}  # the inner dictionaries are ordered sets
    max_nodes = limit(MAX_COLUMNS)
    for pair in pairs:
        if len(parents) > max_nodes:
            break  # the caller refuses so many nodes
        parent, _, child = pair.rpartition(separator)
        has_parent = parent not in ("", ROOT)
        if has_parent:
            parents.setdefault(parent, {})
        parents_of_child = parents.setdefault(child, {})
        if has_parent:
            parents_of_child[parent] = None
    index = {name: k for k, name in enumerate(parents)}
    return tuple(index), tuple(tuple(index[name] for name in names) for names in parents.values())
