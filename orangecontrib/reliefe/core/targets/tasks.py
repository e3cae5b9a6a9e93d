"""Names of the tasks that a target can set, and the task that fits its columns."""

from collections.abc import Sequence

CLASSIFICATION, REGRESSION, MULTILABEL, MULTITARGET, HIERARCHICAL, UNSUPERVISED = TASKS = (
    "classification", "regression", "multi-label", "multi-target", "hierarchical", "unsupervised",
)  # fmt: skip
SURVIVAL = "survival"  # times with censoring, which few methods take
SEVERAL = (MULTITARGET, MULTILABEL, HIERARCHICAL)  # tasks with more than one value a row
CLASSES, NUMBERS, LABELS = "classes", "numbers", "labels"  # kinds of one column; labels are 0 and 1, or two categories


def natural_task(kinds: Sequence[str], hierarchical: bool = False) -> str:
    """Task that columns of these kinds are for unless somebody says otherwise."""
    if not kinds:
        return UNSUPERVISED
    if len(kinds) == 1:
        return REGRESSION if kinds[0] == NUMBERS else CLASSIFICATION
    if any(kind != LABELS for kind in kinds):
        return MULTITARGET
    return HIERARCHICAL if hierarchical else MULTILABEL
