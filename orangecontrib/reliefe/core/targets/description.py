"""Words for a target and its kind, which the command line, reports and web pages share."""

from collections.abc import Sequence

from ..words import counted, shortened, some
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
