"""Words for a target and its kind, which the command line, reports and web pages share."""

from collections.abc import Sequence
from typing import Any

from ..words import counted, shortened, some
from .columns import read_column
from .tasks import CLASSIFICATION, REGRESSION, UNSUPERVISED


def describe_target(names: Sequence[str], task: str, classes: Sequence[str] = ()) -> str:
    """Name targets and their kind: "target y (2 classes: ill, well)", "target age (number)", "no target".

    Parameters
    ----------
    names : sequence of str
        Names of the targets.
    task : str
        One of `core.TASKS`, or "survival".
    classes : sequence of str
        Names of the classes, for the task "classification".
    """
    if task == UNSUPERVISED or not names:
        return "no target"
    kind = "number" if task == REGRESSION else task
    if task == CLASSIFICATION:
        kind = f"{counted(len(classes), 'class', 'classes')}: {some([*map(shortened, classes)])}"
    return f"target{'s' * (len(names) > 1)} {some([*map(shortened, names)])} ({kind})"


def names_of_classes(y: Any, task: str) -> list[str]:
    """Return the names of the classes of a target (n,), in their order; none for other tasks."""
    if task != CLASSIFICATION:
        return []
    names, _ = read_column(y, len(y)).coded()
    return [*map(str, names.tolist())]
