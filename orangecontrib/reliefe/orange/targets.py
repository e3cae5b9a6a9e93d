"""Hierarchies of labels in class variables, and the kind of target that variables are.

Each label is a class variable. Its attribute "parents" has the names of its parents, joined by semicolons, so that all
file formats of Orange store it. `io` writes it with `mark` when it reads hierarchies, and `conversion` reads it with
`parents_of`. `conversion` also asks `task_of` for the kind of target.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..core.targets.hierarchy import Hierarchy
from ..core.targets.tasks import CLASSES, LABELS, NUMBERS, natural_task
from ..core.words import choices, shown

if TYPE_CHECKING:
    from Orange.data import Variable


KEY = "parents"  # attribute of the variables of labels
JOINER = ";"
MARK = "_time_to_event_var"  # attribute of the variables of Orange's survival analysis: "time" or "event"
EVENT_VALUE = "_event_value"  # attribute of a marked event: the value that says that it was seen, if words do not
# Limits for files that would fill the memory; chosen by eye
MAX_NAME_CHARACTERS = 2**26  # characters in the names of all nodes, if these are paths
MAX_LABELS = 2**27  # rows times labels

Parents = tuple[tuple[int, ...], ...]  # indices of the parents of each node


class LabelSets(NamedTuple):
    """Label sets of n rows, from paths.

    Attributes
    ----------
    names : tuple of str
        Names of the L nodes: their paths, in the order in which they occur.
    parents : tuple of tuple of int
        Indices of the parents of each node.
    labels : (n, L) uint8 array
        1 for the labels of a row and their ancestors, else 0.
    """

    names: tuple[str, ...]
    parents: Parents
    labels: np.ndarray


def mark(variables: Sequence["Variable"], parents: Sequence[Iterable[int]]) -> None:
    """Write the parents of labels into their variables.

    Parameters
    ----------
    variables : sequence of Variable
        Variables of the labels, whose attributes are changed.
    parents : sequence of iterable of int
        Indices of the parents of each label; empty for roots.

    Raises
    ------
    ValueError
        If lengths differ, a parent does not exist, a name has a semicolon, or there is a cycle.
    """
    if len(parents) != len(variables):
        raise ValueError(f"{len(variables)} variables need as many lists of parents, not {len(parents)}")
    parents = tuple(tuple(int(k) for k in indices) for indices in parents)
    wrong = [k for indices in parents for k in indices if not 0 <= k < len(variables)]
    if wrong:
        raise ValueError(f"parents are numbered from 0 to {len(variables) - 1}; no label has the number {wrong[0]}")
    _check_names(variables)
    Hierarchy.read(parents, len(parents), tuple(variable.name for variable in variables))
    for variable, indices in zip(variables, parents, strict=True):
        variable.attributes[KEY] = JOINER.join(variables[k].name for k in indices)


def parents_of(variables: Sequence["Variable"]) -> Parents | None:
    """Read the parents of labels from their variables.

    A variable without the attribute is a root if others have it, since some file formats do not store empty texts.

    Parameters
    ----------
    variables : sequence of Variable
        Variables of the labels.

    Returns
    -------
    tuple of tuple of int, or None
        Indices of the parents of each label. None if no variable has the attribute.

    Raises
    ------
    ValueError
        If a parent is none of the variables, a name has a semicolon, or there is a cycle.
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
            possible = choices(unknown[0], index, shown)
            raise ValueError(f"{shown(unknown[0])}, the parent of {shown(variable.name)}, is no variable; {possible}")
        parents.append(tuple(index[name] for name in names))
    return Hierarchy.read(parents, len(parents), tuple(index)).parents


def _check_names(variables: Sequence["Variable"]) -> None:
    """Raise ValueError for a name with the character that joins names."""
    for variable in variables:
        if JOINER in variable.name:
            raise ValueError(f"the name of a node must have no {JOINER!r}, unlike {variable.name[:80]!r}")


def closed(labels: np.ndarray, parents: Sequence[Sequence[int]]) -> np.ndarray:
    """Copy of labels (n, L), of 0, 1 or NaN, in which the ancestors of present labels are present."""
    labels = np.array(labels)
    close(labels, parents)
    return labels


def close(labels: np.ndarray, parents: Sequence[Sequence[int]]) -> None:
    """Make the ancestors of present labels present, in place."""
    Hierarchy.read(parents, len(parents)).close_in_place(labels)


def tree(paths: Iterable[str], separator: str = "/") -> tuple[tuple[str, ...], Parents]:
    """Return the nodes on paths, in the order in which they occur, and the parents of each.

    A node is named by its path. The length of all names has a limit, since it grows as the square of the depth.

    Parameters
    ----------
    paths : iterable of str
        Paths, for example "a/b/c", whose nodes are "a", "a/b" and "a/b/c".
    separator : str
        Separator of the names in a path.

    Raises
    ------
    ValueError
        If the names are too long.
    """
    index: dict[str, int] = {}
    parents: list[tuple[int, ...]] = []
    length = 0
    for path in paths:
        # Go up to a node that occurred before.
        new_nodes: list[str] = []
        node: str | None = path
        while node is not None and node not in index:
            new_nodes.append(node)
            length += len(node)
            if length > MAX_NAME_CHARACTERS:
                raise ValueError(f"the paths to all nodes have together more than {MAX_NAME_CHARACTERS:,} characters")
            end = node.rfind(separator)
            node = node[:end] if end >= 0 else None
        # Add the new ones from there down.
        parents_of_node = () if node is None else (index[node],)
        for new_node in reversed(new_nodes):
            parents.append(parents_of_node)
            index[new_node] = len(index)
            parents_of_node = (index[new_node],)
    return tuple(index), tuple(parents)


def nodes_of_paths(paths: Sequence[str | None], separator: str = "/") -> LabelSets:
    """Read label sets that are written as paths.

    Parameters
    ----------
    paths : sequence of str or None
        Label set of each row, for example "a/b@c/d" or "a/b/c". None: unknown, whose labels are 0.
    separator : str
        Separator of the names in a path.

    Raises
    ------
    ValueError
        If there are more labels than `MAX_LABELS`.
    """
    sets = [[path.strip() for path in text.split("@") if path.strip()] if text else () for text in paths]
    names, parents = tree((path for label_set in sets for path in label_set), separator)
    if len(sets) * len(names) > MAX_LABELS:
        raise ValueError(f"{len(sets):,} rows of {len(names):,} labels are more than {MAX_LABELS:,}")
    index = {name: k for k, name in enumerate(names)}
    labels = np.zeros((len(sets), len(names)), dtype=np.uint8)
    sizes = np.fromiter(map(len, sets), np.int64, len(sets))
    rows = np.repeat(np.arange(len(sets)), sizes)
    columns = np.fromiter((index[path] for label_set in sets for path in label_set), np.int64, len(rows))
    labels[rows, columns] = 1
    close(labels, parents)
    return LabelSets(names, parents, labels)


def are_times(variables: Iterable["Variable"]) -> bool:
    """Return True for a time and an event that Orange's *As Survival Data* has marked."""
    return sorted(variable.attributes.get(MARK, "") for variable in variables) == ["event", "time"]


def task_of(targets: Sequence["Variable"], hierarchical: bool = False) -> str:
    """Return the kind of target that variables are, unless the caller says another one."""
    return natural_task([_kind(variable) for variable in targets], hierarchical)


def _kind(variable: "Variable") -> str:
    """Kind of the values of a variable."""
    if variable.is_discrete:
        # A label that is present in all rows, or in none, has one value.
        return LABELS if len(variable.values) in (1, 2) else CLASSES
    return CLASSES if variable.is_string else NUMBERS
