"""Words for a phenotype: titles of its classes, and how many people are in each.

`rank_genotypes`, the command and *Rank Genotypes* call them, so that all name controls and cases in the same way.
"""

import numpy as np

from ..core.targets.description import describe_target, names_of_classes
from ..core.targets.tasks import CLASSIFICATION, REGRESSION, SURVIVAL
from ..core.words import counted, shortened

PLINK_NOUNS = {"1": "control", "2": "case"}  # of the classes of a phenotype with these two values
PLINK_CLASSES = {code: f"{noun}s" for code, noun in PLINK_NOUNS.items()}


def task_of_phenotype(values: np.ndarray) -> str:
    """Task of a phenotype (n,): numbers, times with events, or classes."""
    if values.dtype.names is not None:
        return SURVIVAL
    return REGRESSION if values.dtype.kind == "f" else CLASSIFICATION


def titles_of_classes(values: np.ndarray) -> list[str]:
    """Titles of the classes of a phenotype (n,), controls and cases for 1 and 2; none for numbers and times."""
    names = names_of_classes(values, task_of_phenotype(values))
    return [PLINK_CLASSES[name] for name in names] if set(names) == set(PLINK_CLASSES) else names


def describe_phenotype(names: list[str], values: np.ndarray) -> str:
    """Name a phenotype and count its people: "target ill (2 classes: 298 controls (1), 302 cases (2))".

    Parameters
    ----------
    names : list of str
        Name of the phenotype, or of the time and the event.
    values : (n,) array
        Phenotypes of the people.
    """
    task = task_of_phenotype(values)
    if task != CLASSIFICATION:
        return describe_target(names, task)
    codes = names_of_classes(values, task)
    texts = []
    for code, title in zip(codes, titles_of_classes(values), strict=True):
        n = int((values.astype(str) == code).sum())
        texts.append(f"{n:,} {shortened(title)}" + (f" ({code})" if title != code else ""))
    return f"target {', '.join(map(shortened, names))} ({counted(len(codes), 'class', 'classes')}: {', '.join(texts)})"
