"""What there is to rank: the data, cut to the candidates, and the task that the targets set."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from Orange.data import Domain, Table, Variable

CLASSIFICATION, REGRESSION, UNSUPERVISED = "classification", "regression", "unsupervised"
MULTI_LABEL, MULTI_TARGET = "multi-label", "multi-target"
WORDS = {
    CLASSIFICATION: "classes",
    REGRESSION: "numbers",
    UNSUPERVISED: "data without a target",
    MULTI_LABEL: "label sets",
    MULTI_TARGET: "several targets",
}


@dataclass(frozen=True, eq=False)
class Problem:
    """table: its attributes are the candidates.  unknown: features not found.

    only_class: the class of all rows, if they have but one.
    """

    table: Table
    task: str
    unknown: int = 0
    only_class: str = ""

    @property
    def features(self) -> tuple[Variable, ...]:
        """The candidates."""
        return self.table.domain.attributes

    @property
    def targets(self) -> tuple[Variable, ...]:
        """The variables that the candidates are ranked for."""
        return self.table.domain.class_vars


def problem(data: Table, candidates: Sequence[Variable] | None = None, supervised: bool = True) -> Problem:
    """`data` with those attributes that have the name of a candidate; None: with all.

    supervised: else there are no targets.
    """
    unknown = 0
    if not supervised and data.domain.class_vars:
        data = data.transform(Domain(data.domain.attributes, (), data.domain.metas))
    if candidates is not None:
        names = {variable.name for variable in candidates}
        chosen = [variable for variable in data.domain.attributes if variable.name in names]
        unknown = len(names) - len(chosen)
        data = data.transform(Domain(chosen, data.domain.class_vars, data.domain.metas))
    return Problem(data, task_of(data.domain), unknown, _only_class(data))


def task_of(domain: Domain) -> str:
    """What the targets ask for."""
    targets = domain.class_vars
    if not targets:
        return UNSUPERVISED
    if len(targets) == 1:
        return CLASSIFICATION if targets[0].is_discrete else REGRESSION
    return MULTI_LABEL if all(t.is_discrete and len(t.values) == 2 for t in targets) else MULTI_TARGET


def _only_class(data: Table) -> str:
    if task_of(data.domain) != CLASSIFICATION:
        return ""
    codes = np.unique(data.Y[~np.isnan(data.Y)])
    return data.domain.class_var.values[int(codes[0])] if len(codes) == 1 else ""
