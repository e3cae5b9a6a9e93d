"""Tasks of rankings: their names, and the one that fits the columns of a target.

The readers of targets, the methods and the command line compare tasks with these names.
"""

from collections.abc import Sequence

CLASSIFICATION = "classification"
REGRESSION = "regression"
MULTILABEL = "multi-label"
MULTITARGET = "multi-target"
HIERARCHICAL = "hierarchical"
UNSUPERVISED = "unsupervised"
TASKS = (CLASSIFICATION, REGRESSION, MULTILABEL, MULTITARGET, HIERARCHICAL, UNSUPERVISED)
TASKS_WITHOUT_NAMES = (MULTILABEL, HIERARCHICAL, UNSUPERVISED)  # label sets, whose labels have names, and no target
SURVIVAL = "survival"  # times with censoring, which few methods take: not in TASKS
SEVERAL = (MULTITARGET, MULTILABEL, HIERARCHICAL)  # tasks with more than one value a row

# Kinds of one column of a target
CLASSES = "classes"
NUMBERS = "numbers"
LABELS = "labels"  # 0 and 1, or two categories


def natural_task(kinds: Sequence[str], hierarchical: bool = False) -> str:
    """Return the task that fits the columns of a target.

    Parameters
    ----------
    kinds : sequence of str
        Kind of each column: CLASSES, NUMBERS or LABELS.
    hierarchical : bool
        True if the columns are labels of a hierarchy.

    Returns
    -------
    str
        One of TASKS.
    """
    if not kinds:
        return UNSUPERVISED
    if len(kinds) == 1:
        return REGRESSION if kinds[0] == NUMBERS else CLASSIFICATION
    if any(kind != LABELS for kind in kinds):
        return MULTITARGET
    return HIERARCHICAL if hierarchical else MULTILABEL
