"""Words for a target and its kind, which the command line, reports and web pages share."""

from collections.abc import Iterable, Sequence
from typing import Any

from ..data import frames
from ..words import counted, shortened, some
from .columns import read_column
from .tasks import CLASSIFICATION, REGRESSION, UNSUPERVISED
from .times import Survival


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
    return class_names(names.tolist())


def class_names(values: Iterable[object]) -> list[str]:
    """Write the values of classes: whole numbers without a decimal point, which missing values turn into floats."""
    return [str(int(value)) if isinstance(value, float) and value.is_integer() else str(value) for value in values]


def names_of_target(y: Any) -> list[str]:
    """Return the names of the columns of a target as callers give it; none for arrays.

    Parameters
    ----------
    y : object
        A series, a frame, times with censoring, or anything else, which has no names.
    """
    if isinstance(y, Survival):
        return [*names_of_target(y.time), *names_of_target(y.event)]
    if frames.is_frame(y):
        return [*map(str, frames.names(y))]
    name = getattr(y, "name", None) if frames.is_series(y) else None
    return [] if name is None else [str(name)]
