"""Hierarchies of labels: who is whose parent, kept in the variables as text, so that every file format carries it.

A ValueError refuses cycles, parents that do not exist, names with the semicolon that joins names, and sizes above the
limits.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..core.targets.hierarchy import Hierarchy
from ..core.targets.tasks import CLASSES, LABELS, NUMBERS, natural_task
from ..core.words import choices, shown

if TYPE_CHECKING:
    from Orange.data import Variable


KEY = "parents"
MARK = "_time_to_event_var"  # attribute of the variables of Orange's survival analysis: "time" or "event"
JOINER = ";"
MAX_NAME_CHARACTERS = 2**26  # characters of the names of all nodes together, where these are paths
MAX_LABELS = 2**27  # labels of all rows together

Parents = tuple[tuple[int, ...], ...]


def mark(variables: Sequence["Variable"], parents: Sequence[Iterable[int]]) -> None:
    """Write into `variables`, one for each node, whose children they are.

    parents: for each variable the indices of its parents; () for roots.
    """
    if len(parents) != len(variables):
        raise ValueError(f"{len(variables)} variables need as many lists of parents, not {len(parents)}")
    parents = tuple(tuple(int(k) for k in each) for each in parents)
    wrong = [k for each in parents for k in each if not 0 <= k < len(variables)]
    if wrong:
        raise ValueError(f"parents are numbered from 0 to {len(variables) - 1}; no label has the number {wrong[0]}")
    _check_names(variables)
    Hierarchy.read(parents, len(parents), tuple(variable.name for variable in variables))
    for variable, each in zip(variables, parents, strict=True):
        variable.attributes[KEY] = JOINER.join(variables[k].name for k in each)


def parents_of(variables: Sequence["Variable"]) -> Parents | None:
    """For each of `variables` the indices of its parents among them; None where no variable is marked.

    A variable without a mark among marked ones is a root: some formats do not keep empty texts.
    """
    if not any(KEY in variable.attributes for variable in variables):
        return None
    _check_names(variables)
    index = {variable.name: k for k, variable in enumerate(variables)}
    parents = []
    for variable in variables:
        names = [name for name in str(variable.attributes.get(KEY, "")).split(JOINER) if name]
        unknown = [name for name in names if name not in index]
        if unknown:
            known = choices(unknown[0], index, shown)
            raise ValueError(f"{shown(unknown[0])}, the parent of {shown(variable.name)}, is no variable; {known}")
        parents.append(tuple(index[name] for name in names))
    return Hierarchy.read(parents, len(parents), tuple(index)).parents


def _check_names(variables: Sequence["Variable"]) -> None:
    for variable in variables:
        if JOINER in variable.name:
            raise ValueError(f"the name of a node must have no {JOINER!r}, unlike {variable.name[:80]!r}")


def closed(labels: np.ndarray, parents: Sequence[Sequence[int]]) -> np.ndarray:
    """`labels` (n, L) of 0, 1 and perhaps NaN, where every parent of a present label is present too; a copy."""
    labels = np.array(labels)
    close(labels, parents)
    return labels


def close(labels: np.ndarray, parents: Sequence[Sequence[int]]) -> None:
    """The same in place."""
    Hierarchy.read(parents, len(parents)).close_in_place(labels)


def tree(paths: Iterable[str], separator: str = "/") -> tuple[tuple[str, ...], Parents]:
    """Names of the nodes on `paths`, each the full path to it, in the order they occur, and their parents.

    The length of all names together has a limit, since it grows as the square of the depth.
    """
    index: dict[str, int] = {}
    parents: list[tuple[int, ...]] = []
    length = 0
    for path in paths:
        new: list[str] = []
        node: str | None = path
        while node is not None and node not in index:
            new.append(node)
            length += len(node)
            if length > MAX_NAME_CHARACTERS:
                raise ValueError(f"the paths to all nodes have together more than {MAX_NAME_CHARACTERS:,} characters")
            end = node.rfind(separator)
            node = node[:end] if end >= 0 else None
        above = () if node is None else (index[node],)
        for name in reversed(new):
            parents.append(above)
            above = (index.setdefault(name, len(index)),)
    return tuple(index), tuple(parents)


def nodes_of_paths(paths: Sequence[str | None], separator: str = "/") -> tuple[tuple[str, ...], Parents, np.ndarray]:
    """Label sets that are written as paths, such as "a/b@c/d" or "a/b/c", one text a row.

    Returns names of the nodes (full paths, in the order they occur), their parents, and labels (n, L) uint8, closed
    upwards.  A row that is unknown is None; its labels are 0.
    """
    sets = [[part.strip() for part in text.split("@") if part.strip()] if text else () for text in paths]
    names, parents = tree((path for each in sets for path in each), separator)
    if len(sets) * len(names) > MAX_LABELS:
        raise ValueError(f"{len(sets):,} rows of {len(names):,} labels are more than {MAX_LABELS:,}")
    index = {name: k for k, name in enumerate(names)}
    labels = np.zeros((len(sets), len(names)), dtype=np.uint8)
    rows = np.repeat(np.arange(len(sets)), np.fromiter(map(len, sets), np.int64, len(sets)))
    labels[rows, np.fromiter((index[path] for each in sets for path in each), np.int64, len(rows))] = 1
    close(labels, parents)
    return names, parents, labels


def are_times(variables: Iterable["Variable"]) -> bool:
    """True for a time and an event that Orange's *As Survival Data* has marked."""
    return sorted(variable.attributes.get(MARK, "") for variable in variables) == ["event", "time"]


def task_of(targets: Sequence["Variable"], hierarchical: bool = False) -> str:
    """Task that variables are targets of unless somebody says otherwise."""
    return natural_task([_kind(variable) for variable in targets], hierarchical)


def _kind(variable: "Variable") -> str:
    if variable.is_discrete:
        return LABELS if len(variable.values) in (1, 2) else CLASSES  # a label may be present in all rows, or in none
    return CLASSES if variable.is_string else NUMBERS
