"""Problems of ranking: data with the features that are ranked, and the kind of target.

Rankers make a `TableProblem` of the data on their input by `problem`, and offer the methods for its task.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, Domain, Table, Variable

from . import targets as tasks
from .feature_groups import groups_by_rule
from .targets import parents_of

if TYPE_CHECKING:
    from ..core.data.feature_groups import FeatureGroups

# Tasks, by the names that `core/targets/tasks.py` gives them
CLASSIFICATION = "classification"
REGRESSION = "regression"
UNSUPERVISED = "unsupervised"
MULTI_LABEL = "multi-label"
MULTI_TARGET = "multi-target"
HIERARCHICAL = "hierarchical"
SURVIVAL = "survival"
MEMBERS = "features"  # attribute of a variable that stands for a group: names of its features
TREES = "trees"  # family of methods that has a widget of its own
MAX_CLASSES = 100  # different values of a text that may be a target; chosen by eye
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
class TableProblem:
    """A problem of ranking.

    Attributes
    ----------
    table : Table
        Data, whose attributes are the features that are ranked.
    task : str
        Kind of target.
    only_class : str
        Class of all rows, if they have only one.
    labelled : int
        Number of rows in which any target is known.
    known : tuple of int
        Number of rows in which each target is known.
    parents : tuple of tuple of int, optional
        Indices of the parents of each label of a hierarchy.
    feature_groups : FeatureGroups, optional
        Groups of the features that are ranked as one each (core's `FeatureGroups`). None: each feature is ranked.
    """

    table: Table
    task: str
    only_class: str = ""
    labelled: int = 0
    known: tuple[int, ...] = ()
    parents: tuple[tuple[int, ...], ...] | None = None
    feature_groups: "FeatureGroups | None" = None

    @property
    def features(self) -> tuple[Variable, ...]:
        """Features that are ranked, alone or in groups."""
        return tuple(self.table.domain.attributes)

    @cached_property
    def ranked(self) -> tuple[Variable, ...]:
        """Features that have a score of their own, and a variable for each group of several, which lists these."""
        if self.feature_groups is None:
            return self.features
        variables = []
        for name, members in zip(self.feature_groups.names, self.feature_groups.members, strict=True):
            features = [self.features[j] for j in members]
            variables.append(features[0] if len(features) == 1 else _group_variable(name, features))
        return tuple(variables)

    def features_of(self, ranked_names: Collection[str]) -> list[Variable]:
        """List the features of some of `ranked`, by their names, in the order of the features."""
        names = set(ranked_names)
        return [
            feature for feature, name in zip(self.features, self.ranked_name_of_features, strict=True) if name in names
        ]

    @cached_property
    def ranked_name_of_features(self) -> tuple[str, ...]:
        """Name (p,) of what has the score of each feature: of its group, or its own."""
        if self.feature_groups is None:
            return tuple(feature.name for feature in self.features)
        names = self.feature_groups.names
        return tuple(names[group] for group in self.feature_groups.of_features.tolist())

    def ranked_names(self, feature_names: Iterable[str]) -> list[str]:
        """Names of what has the scores of some features, each once; names of other features stay."""
        of_features = dict(zip((feature.name for feature in self.features), self.ranked_name_of_features, strict=True))
        return [*dict.fromkeys(of_features.get(name, name) for name in feature_names)]

    @property
    def targets(self) -> tuple[Variable, ...]:
        """Class variables of the table."""
        return tuple(self.table.domain.class_vars)

    @property
    def partly(self) -> bool:
        """True if some rows are labelled and others are not."""
        return 0 < self.labelled < len(self.table)


def problem(
    data: Table,
    candidates: Sequence[Variable] | None = None,
    supervised: bool = True,
    not_ranked: Sequence[str] = (),
    feature_groups: str = "",
) -> TableProblem:
    """Make a problem of data.

    Parameters
    ----------
    data : Table
        The data.
    candidates : sequence of Variable, optional
        Features that are ranked, by name. None: all attributes.
    supervised : bool
        Whether targets are used.
    not_ranked : sequence of str
        Names of attributes that are no features, for example covariates; they become metas.
    feature_groups : str
        Rule by which features are ranked as one (`orange/feature_groups.py`); empty, or without a group in these data:
        each feature is ranked.

    Returns
    -------
    TableProblem
        The problem.
    """
    if not supervised and data.domain.class_vars:
        data = data.transform(Domain(data.domain.attributes, (), data.domain.metas))
    moved = [variable for variable in data.domain.attributes if variable.name in not_ranked]
    if candidates is not None or moved:
        names = {variable.name for variable in (data.domain.attributes if candidates is None else candidates)}
        features = [v for v in data.domain.attributes if v.name in names and v.name not in not_ranked]
        data = data.transform(Domain(features, data.domain.class_vars, (*data.domain.metas, *moved)))
    counts = _count_known(data)
    return TableProblem(
        data,
        task_of(data.domain),
        only_class=_only_class(data),
        labelled=counts.any_target,
        known=counts.by_target,
        parents=_parents(data.domain),
        feature_groups=groups_by_rule(feature_groups, data.domain.attributes),
    )


def _group_variable(name: str, members: Sequence[Variable]) -> Variable:
    """Variable that stands for a group in lists of what is ranked."""
    variable = ContinuousVariable(name)
    variable.attributes = {MEMBERS: ", ".join(feature.name for feature in members)}
    return variable


def task_of(domain: Domain) -> str:
    """Return the kind of target that the class variables are."""
    if tasks.are_times(domain.class_vars):
        return SURVIVAL
    return tasks.task_of(domain.class_vars, _parents(domain) is not None)


def texts_like_classes(data: Table) -> list[str]:
    """List texts whose few values repeat: classes that were read as text.

    Parameters
    ----------
    data : Table
        The data.

    Returns
    -------
    list of str
        Names of the metas.
    """
    names = []
    for variable in data.domain.metas:
        if variable.is_string:
            texts = [text for text in map(variable.str_val, data.get_column(variable)) if text not in ("", "?")]
            if 2 <= len(set(texts)) <= min(len(texts) // 2, MAX_CLASSES):
                names.append(variable.name)
    return names


def _parents(domain: Domain) -> tuple[tuple[int, ...], ...] | None:
    """Parents of labels; None for a hierarchy with an error, which the ranking reports."""
    try:
        return parents_of(domain.class_vars) if len(domain.class_vars) > 1 else None
    except ValueError:
        return None


class _KnownCounts(NamedTuple):
    """Numbers of rows in which any target is known, and in which each of them is."""

    any_target: int
    by_target: tuple[int, ...]


def _count_known(data: Table) -> _KnownCounts:
    """Count the rows in which targets are known."""
    n = len(data)
    Y = data.Y
    t = len(data.domain.class_vars)
    if sp.issparse(Y):
        unknown = sp.csr_array((np.isnan(Y.data), Y.indices, Y.indptr), Y.shape)
    else:
        unknown = np.isnan(Y.astype(float)).reshape(n, t)
    are_all_unknown = np.asarray(unknown.sum(axis=1)).ravel() == t
    unknown_by_target = np.asarray(unknown.sum(axis=0)).ravel()
    by_target = tuple(n - int(count) for count in unknown_by_target)
    return _KnownCounts(n - int(are_all_unknown.sum()), by_target)


def _only_class(data: Table) -> str:
    """Class of all rows, if they have only one."""
    if task_of(data.domain) != CLASSIFICATION:
        return ""
    codes = np.unique(data.Y[~np.isnan(data.Y)])
    return str(data.domain.class_var.values[int(codes[0])]) if len(codes) == 1 else ""
