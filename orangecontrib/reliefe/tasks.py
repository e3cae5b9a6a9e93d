"""Task that the target variables of a table are for: the kinds of variables, which the core makes a task of."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .core.targets.targets import CLASSES, LABELS, NUMBERS, natural_task

if TYPE_CHECKING:
    from Orange.data import Variable


def task_of(targets: Sequence["Variable"], hierarchical: bool = False) -> str:
    """Task that variables are targets of unless somebody says otherwise."""
    return natural_task([_kind(variable) for variable in targets], hierarchical)


def _kind(variable: "Variable") -> str:
    if variable.is_discrete:
        return LABELS if len(variable.values) == 2 else CLASSES
    return CLASSES if variable.is_string else NUMBERS
