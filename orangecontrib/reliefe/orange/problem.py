"""Problem of ranking: the data, cut to the candidates, and the task that the targets set."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from Orange.data import Domain, Table, Variable

from . import targets as tasks
from .targets import parents_of

CLASSIFICATION, REGRESSION, UNSUPERVISED = "classification", "regression", "unsupervised"
MULTI_LABEL, MULTI_TARGET, HIERARCHICAL = "multi-label", "multi-target", "hierarchical"
SURVIVAL = "survival"
TREES = "trees"  # a family of methods that has a widget of its own
MOST_CLASSES = 100  # of a text that may be a target
WORDS = {
    CLASSIFICATION: "classes",
    REGRESSION: "numbers",
    UNSUPERVISED: "data without a target",
    MULTI_LABEL: "label sets",
    MULTI_TARGET: "several targets",
    HIERARCHICAL: "hierarchies of labels",
    SURVIVAL: "times with censoring",
}


@dataclass(frozen=True, eq=False)
class Problem:
    """table: its attributes are the candidates.

    only_class: the class of all rows, if they have but one.  labelled: in how many rows some target is known, known:
    in how many each of them is.  parents: of each label in a hierarchy the indices of its parents, or None.
    """

    table: Table
    task: str
    only_class: str = ""
    labelled: int = 0
    known: tuple[int, ...] = ()
    parents: tuple[tuple[int, ...], ...] | None = None

    @property
    def features(self) -> tuple[Variable, ...]:
        return self.table.domain.attributes

    @property
    def targets(self) -> tuple[Variable, ...]:
        return self.table.domain.class_vars

    @property
    def partly(self) -> bool:
        return 0 < self.labelled < len(self.table)


def problem(
    data: Table, candidates: Sequence[Variable] | None = None, supervised: bool = True, aside: Sequence[str] = ()
) -> Problem:
    """`data` with the attributes that are candidates by name (None: all), and without targets unless supervised.

    aside: names of attributes that are metas here.
    """
    if not supervised and data.domain.class_vars:
        data = data.transform(Domain(data.domain.attributes, (), data.domain.metas))
    moved = [variable for variable in data.domain.attributes if variable.name in aside]
    if candidates is not None or moved:
        names = {variable.name for variable in data.domain.attributes if candidates is None}
        names |= {variable.name for variable in candidates or ()}
        chosen = [v for v in data.domain.attributes if v.name in names and v.name not in aside]
        data = data.transform(Domain(chosen, data.domain.class_vars, (*data.domain.metas, *moved)))
    return Problem(data, task_of(data.domain), _only_class(data), *_labelled(data), _parents(data.domain))


def task_of(domain: Domain) -> str:
    """Task of the class variables."""
    if tasks.are_times(domain.class_vars):
        return SURVIVAL
    return tasks.task_of(domain.class_vars, _parents(domain) is not None)


def texts_like_classes(data: Table) -> list[str]:
    """Names of the texts whose few values repeat: classes that were read as text, such as a target of many blanks."""
    found = []
    for variable in data.domain.metas:
        if variable.is_string:
            known = [text for text in map(variable.str_val, data.get_column(variable)) if text not in ("", "?")]
            if 2 <= len(set(known)) <= min(len(known) // 2, MOST_CLASSES):
                found.append(variable.name)
    return found


def _parents(domain: Domain) -> tuple[tuple[int, ...], ...] | None:
    """A hierarchy with an error is flat: the ranking will say what is wrong."""
    try:
        return parents_of(domain.class_vars) if len(domain.class_vars) > 1 else None
    except ValueError:
        return None


def _labelled(data: Table) -> tuple[int, tuple[int, ...]]:
    """In how many rows some target is known, and in how many each of them is."""
    n, Y = len(data), data.Y
    t = len(data.domain.class_vars)
    if sp.issparse(Y):
        unknown = sp.csr_array((np.isnan(Y.data), Y.indices, Y.indptr), Y.shape)
    else:
        unknown = np.isnan(Y.astype(float)).reshape(n, t)
    all_unknown = np.asarray(unknown.sum(axis=1)).ravel() == t
    return n - int(all_unknown.sum()), tuple(n - int(count) for count in np.asarray(unknown.sum(axis=0)).ravel())


def _only_class(data: Table) -> str:
    if task_of(data.domain) != CLASSIFICATION:
        return ""
    codes = np.unique(data.Y[~np.isnan(data.Y)])
    return data.domain.class_var.values[int(codes[0])] if len(codes) == 1 else ""
