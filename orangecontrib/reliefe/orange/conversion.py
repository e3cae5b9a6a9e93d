"""Conversion of Orange's Table to arguments of `core.rank`.

`rank`, `refine` and other functions of tables, jobs of widgets, and scorers call `arrays` for the arguments and `asked`
to pass them on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

import numpy as np
import scipy.sparse as sp
from Orange.data import Domain, Table, Variable
from pandas import Categorical, DataFrame

from .. import core
from ..core.checks import one_of
from ..core.data.arrays import numbers, unknown
from ..core.data.batches import Batch, find_batch, is_called_batch, regression_columns
from ..core.data.chosen_rows import groups_of
from ..core.data.facts import no_features, refuse_repeated, two_roles, unknown_column
from ..core.data.indices import check
from ..core.data.persons import RepeatedRows, RowNames, codes_of_texts, repeated_rows
from ..core.data.sources import in_pieces
from ..core.data.table import DataTable
from ..core.data.transposed import TRANSPOSE_TABLE, sentence_on_rows
from ..core.data.weights import OfferedWeights
from ..core.methods.registry import accepts_with
from ..core.targets.accepts import Accepts
from ..core.targets.column_task import ColumnTask, task_of_column
from ..core.targets.columns import TargetColumn
from ..core.targets.events import says_absent
from ..core.targets.facts import (
    constant_label,
    no_target,
    not_numbers,
    refuse_one_class,
    text_among_targets,
    times_are_two,
    titled,
)
from ..core.targets.tasks import SURVIVAL
from ..core.targets.unmarked import advice_on_status
from ..core.words import choices, shown
from .feature_groups import FeatureGroups, groups_of_variables
from .table_checks import check_codes, check_finite, names_of, rows_like_features
from .targets import EVENT_VALUE, MARK, are_times, nodes_of_paths, parents_of, task_of

CLASSIFICATION, REGRESSION, _, MULTITARGET, HIERARCHICAL, UNSUPERVISED = core.TASKS

Target: TypeAlias = Variable | str | list[Variable | str] | tuple[Variable | str, ...] | None


@dataclass(frozen=True, eq=False)
class Arrays:
    """A table as arguments of `core.rank`.

    Attributes
    ----------
    X : (n, p) float64 array or CSR matrix
        Values of the features, contiguous by row; NaN is missing.
    y : (n,) array, (n, t) array, DataFrame, Survival or None
        Numbers, codes of classes, 0 and 1 of t labels, several targets, or times with censoring. None: no target.
    nominal : (p,) bool array
        Features that are categorical.
    task : str or None
        One of `core.TASKS`, or "survival". None: the core determines it.
    features : tuple of Variable
        The p features.
    targets : tuple of Variable
        Variables of y.
    labels : tuple of str, optional
        Names of the columns of y if these are no variables.
    hierarchy : tuple of tuple of int, optional
        Indices of the parents of each label.
    study : dict
        Arguments `covariates`, `groups`, `feature_groups` and `sample_weight`, without those that there are not.
    notes : tuple of str
        Sentences on how the targets were read.
    proposals : tuple of RepeatedRows or Batch
        Metas that may be the group of rows or a covariate.
    """

    X: np.ndarray | sp.csr_matrix
    y: object
    nominal: np.ndarray
    task: str | None
    features: tuple[Variable, ...]
    targets: tuple[Variable, ...]
    labels: tuple[str, ...] | None = None
    hierarchy: tuple[tuple[int, ...], ...] | None = None
    study: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    proposals: tuple[RepeatedRows | Batch, ...] = ()


def arrays(
    table: Table,
    target: Target = None,
    task: str | None = None,
    method: str | None = None,
    *,
    covariates: Target = None,
    groups: Variable | str | None = None,
    event_value: object = None,
    feature_groups: FeatureGroups = None,
    **options: Any,
) -> Arrays:
    """Convert a table to arguments of `core.rank`.

    Nothing is copied that already has the right layout, and the table is never written to.

    Parameters
    ----------
    table : Table
        Dense or sparse data.
    target : Variable, str, or list of these, optional
        Targets. None: the class variables.
    task : str, optional
        Kind of target. None: that of the variables.
    method : str, optional
        Method, which with the options decides whether a target is needed. None: it is not.
    covariates : Variable, str, or list of these, optional
        Covariates.
    groups : Variable or str, optional
        Variable of groups.
    event_value : object, optional
        Value that says that there was an event.
    feature_groups : str or mapping, optional
        Features that are ranked as one, as in `rank`.
    **options
        Parameters of the method.

    Returns
    -------
    Arrays
        The arguments.

    Raises
    ------
    TypeError
        If `table` is no Table, or a variable is neither a Variable nor a name.
    ValueError
        If a variable does not exist, or the values cannot be ranked.
    """
    if not isinstance(table, Table):
        raise TypeError(f"an Orange Table is needed, not {type(table).__name__}; arrays go to {core.__name__}.rank")
    for name, values in (("the features", table.X), ("the targets", table.Y), ("the metas", table.metas)):
        if sp.issparse(values):
            check(values, name)
    task = None if task is None else one_of("task", task, (*core.TASKS, SURVIVAL))
    accepts = accepts_with(method, options)
    tasks = () if method is None else accepts.tasks

    # Roles of the variables.
    targets = _targets(table.domain, target, tasks)
    covariate_variables = _variables(table.domain, covariates, "covariate")
    group_variables = _variables(table.domain, groups, "group")
    _check_roles(targets, covariate_variables, group_variables)
    # Names are compared, since the hash of a variable imports scikit-learn.
    not_features = {v.name for v in (*targets, *covariate_variables, *group_variables)}
    columns = [j for j, feature in enumerate(table.domain.attributes) if feature.name not in not_features]
    if not columns:
        raise ValueError(no_features())
    features = tuple(table.domain.attributes[j] for j in columns)
    if task is None and are_times(targets):
        task = SURVIVAL
        targets = tuple(sorted(targets, key=lambda v: v.attributes[MARK] == "event"))  # the time first
        if event_value is None:
            event_value = targets[1].attributes.get(EVENT_VALUE)

    # Values of the features.
    X = _feature_values(table, columns)
    nominal = np.array([feature.is_discrete for feature in features], dtype=bool)
    check_codes(X, features)
    check_finite(X, features)

    # Covariates, groups of rows and of features, and weights.
    study = _read_study(table, covariate_variables, group_variables)
    if feature_groups is not None:
        study["feature_groups"] = groups_of_variables(feature_groups, features)

    # Targets.
    if event_value is not None and task != SURVIVAL:
        raise ValueError('event_value is for times with censoring: add task="survival", or leave it out')
    of_targets = _read_targets(table, targets, task, event_value, accepts)
    read = replace(of_targets, X=X, nominal=nominal, features=features, study=study)
    notes = [_note_status(read), *read.notes, _note_transposed(table, read)]
    roles = [*targets, *covariate_variables, *group_variables]
    return replace(read, notes=tuple(note for note in notes if note), proposals=_study_metas(table, read, roles))


def _study_metas(table: Table, read: Arrays, roles: Sequence[Variable]) -> tuple[RepeatedRows | Batch, ...]:
    """Find a meta in which a person occurs in several rows, unless the user chose a group, and one of batches.

    roles: variables that have another role.
    """
    not_free = {variable.name for variable in roles}
    metas = [v for v in table.domain.metas if v.name not in not_free and not v.is_time]
    if not metas:
        return ()
    columns = [RowNames(v.name, _codes(table, v)) for v in metas]
    X = None if sp.issparse(read.X) else np.asarray(read.X)
    names = [feature.name for feature in read.features]
    target = np.column_stack([_codes(table, variable) for variable in read.targets]) if read.targets else None
    is_number = len(read.targets) == 1 and read.targets[0].is_continuous
    repeated = None
    if "groups" not in read.study:
        repeated = repeated_rows(columns, X, names, target, is_number)
    batch = None
    if X is not None:
        candidates = [c for c, v in zip(columns, metas, strict=True) if v.is_discrete or is_called_batch(v.name)]
        target_columns = np.zeros((len(table), 0))
        if target is not None:
            are_classes = np.array([not variable.is_continuous for variable in read.targets])
            target_columns = regression_columns(target, are_classes)
        batch = find_batch(candidates, X, names, read.nominal, target_columns)
    return tuple(column for column in (repeated, batch) if column is not None)


def _note_transposed(table: Table, read: Arrays) -> str:
    """Note on a table whose rows look like features and its columns like samples; empty for others."""
    rows = rows_like_features(table, has_target=bool(read.targets))
    return f"{sentence_on_rows(rows)}: {TRANSPOSE_TABLE}" if rows else ""


def _codes(table: Table, variable: Variable) -> np.ndarray:
    """Return the values of a variable as numbers, or codes of texts; NaN is missing."""
    column = column_of(table, variable)
    return codes_of_texts(_texts(column)) if variable.is_string else np.asarray(column, float)


def _read_study(table: Table, covariates: Sequence[Variable], groups: Sequence[Variable]) -> dict[str, Any]:
    """Read the arguments of `core.rank` about rows: covariates, groups and weights, without those that there are not.

    groups: at most one variable.
    """
    study: dict[str, Any] = {}
    if covariates:
        study["covariates"] = DataFrame({v.name: values_of(table, v) for v in covariates})
    if groups:
        study["groups"] = values_of(table, groups[0])
    if table.has_weights():
        study["sample_weight"] = OfferedWeights(table.W)
    return study


def _feature_values(table: Table, columns: list[int]) -> np.ndarray | sp.csr_matrix:
    """Values of the features in some columns, dense and contiguous or CSR."""
    X = table.X.tocsr() if sp.issparse(table.X) else table.X
    if len(columns) < X.shape[1]:
        X = X[:, columns]
    if in_pieces(X):  # of dask
        X = DataTable.read(X).values
    return X if sp.issparse(X) else np.ascontiguousarray(numbers(X, "X"), dtype=float)


def _check_roles(targets: Sequence[Variable], covariates: Sequence[Variable], groups: Sequence[Variable]) -> None:
    """Raise ValueError for a variable with two roles."""
    twice = [v for v in targets if v in (*covariates, *groups)] or [v for v in covariates if v in groups]
    if twice:
        raise ValueError(two_roles(twice[0].name))


def _targets(domain: Domain, target: Target, tasks: tuple[str, ...]) -> tuple[Variable, ...]:
    """Variables of the target; raises ValueError if there are none, but the method needs one."""
    if tasks == (UNSUPERVISED,):
        return ()
    targets = domain.class_vars if target is None else _variables(domain, target, "target")
    if not targets and UNSUPERVISED not in tasks:
        columns = names_of(domain.variables + domain.metas)
        raise ValueError(f"{no_target()}: choose one (target=...): {columns}" if columns else no_target())
    return tuple(targets)


def _variables(domain: Domain, given: Target, role: str) -> list[Variable]:
    """Variables from variables or their names.

    Parameters
    ----------
    domain : Domain
        Domain of the table.
    given : Variable, str, list of these, or None
        What the caller gave.
    role : str
        "target", "covariate" or "group", for messages.

    Raises
    ------
    TypeError, ValueError
        For anything else, a variable that the domain does not have, and one that is named twice.
    """
    if given is None:
        return []
    variables = []
    for variable in given if isinstance(given, list | tuple) else [given]:
        if not isinstance(variable, str | Variable):
            raise TypeError(f"a {role} is a variable or its name, not {shown(variable)}")
        if variable not in domain:
            raise ValueError(unknown_column(role, str(variable), [v.name for v in domain.variables + domain.metas]))
        variables.append(domain[variable])
    refuse_repeated([variable.name for variable in variables], role)
    return variables


def values_of(table: Table, variable: Variable) -> Any:
    """Values of a covariate, a group or an event: floats, a Categorical, or an object array of texts."""
    column = column_of(table, variable)
    if variable.is_string:
        return np.array([*_texts(column), None], dtype=object)[:-1]
    return _categories(column, variable) if variable.is_discrete else np.asarray(column, float)


def _read_targets(
    table: Table, targets: tuple[Variable, ...], task: str | None, event_value: object, accepts: Accepts
) -> Arrays:
    """Arrays of the targets, whose fields of features are still empty.

    accepts : targets that the method takes
    """
    no_features = cast("Any", None)
    read = Arrays(no_features, None, no_features, task, (), targets)
    if not targets or task == UNSUPERVISED:
        return replace(read, targets=())
    if task == SURVIVAL:
        return replace(read, y=times_of(table, targets, event_value))
    if task == HIERARCHICAL and len(targets) == 1:
        return _paths(table, read)
    if len(targets) == 1:
        y, column_task = _target_values(table, targets[0], task, accepts)
        return replace(read, y=y, task=column_task.task, notes=(column_task.note,))
    hierarchy = parents_of(targets) if task in (None, HIERARCHICAL) else None
    natural_task = task_of(targets, hierarchy is not None)
    if natural_task == MULTITARGET:
        return replace(read, y=_target_frame(table, targets), task=task or natural_task)
    constant = [v for v in targets if len(v.values) == 1]
    notes = [constant_label(v.name, v.values[0]) for v in constant]
    if targets == table.domain.class_vars and not constant:
        y = table.Y.tocsr() if sp.issparse(table.Y) else table.Y
        check_codes(y, targets)
    else:
        y = np.column_stack([_label(table, v) for v in targets])
    return replace(read, y=y, task=task or natural_task, hierarchy=hierarchy, notes=tuple(notes))


def _target_frame(table: Table, targets: tuple[Variable, ...]) -> DataFrame:
    """Several targets, categories or numbers, a column each."""
    if any(v.is_string for v in targets):
        raise ValueError(text_among_targets([v.name for v in targets]))
    columns = {}
    for variable in targets:
        column = column_of(table, variable)
        columns[variable.name] = _categories(column, variable) if variable.is_discrete else column
    return DataFrame(columns)


def _label(table: Table, variable: Variable) -> np.ndarray:
    """Labels (n,) of 0 and 1; the only value of a constant one means presence unless it is 0, no, false or similar."""
    codes = column_of(table, variable).astype(float)
    is_present = len(variable.values) == 1 and not says_absent(variable.values[0])
    return codes + 1 if is_present else codes


def times_of(table: Table, targets: Sequence[Variable], event_value: object) -> core.Survival:
    """Times with censoring, from a variable of times and one of events."""
    if len(targets) != 2:
        raise ValueError(times_are_two())
    time, event = targets
    if not time.is_continuous:
        raise ValueError(times_are_two(time.name, event.name) if event.is_continuous else times_are_two())
    return core.Survival(column_of(table, targets[0]), values_of(table, targets[1]), event_value)


def _note_status(read: Arrays) -> str:
    """Advice on a target that looks like the event of times that are ranked as features."""
    if read.task != CLASSIFICATION or len(read.targets) != 1 or not read.targets[0].is_discrete:
        return ""
    (target,) = read.targets
    occurring = np.unique(cast("np.ndarray", read.y))
    levels = [target.values[int(code)] for code in occurring[~np.isnan(occurring)]]
    advice = advice_on_status(target.name, levels, [v.name for v in read.features], read.X, read.nominal)
    return advice.advice if advice else ""


def column_of(table: Table, variable: Variable) -> np.ndarray:
    """Values (n,) of a variable, whose codes are checked."""
    index = next((j for j, v in enumerate(table.domain.variables) if v is variable), variable)
    column: np.ndarray = table.get_column(index)
    if variable.is_discrete:
        check_codes(column[:, None], (variable,))
    return column


def _categories(codes: np.ndarray, variable: Variable) -> Categorical:
    """Categories by their names, from codes with NaN."""
    return Categorical.from_codes(np.where(np.isnan(codes), -1, codes).astype(int), variable.values)


def _paths(table: Table, read: Arrays) -> Arrays:
    """Arrays of a hierarchical target, one variable whose values are paths."""
    variable = read.targets[0]
    column: Any = column_of(table, variable)
    if variable.is_continuous:
        raise ValueError(
            f"the target {shown(variable.name)} is a number; paths of a hierarchy are texts, for example a/b"
        )
    if variable.is_discrete:
        column = [None if np.isnan(code) else variable.values[int(code)] for code in column]
    texts = _texts(column)
    names, parents, labels = nodes_of_paths(texts)
    y = np.where([[text is None] for text in texts], np.nan, labels.astype(float))
    return replace(read, y=y, task=HIERARCHICAL, labels=names, hierarchy=parents)


def _target_values(table: Table, target: Variable, task: str | None, accepts: Accepts) -> tuple[np.ndarray, ColumnTask]:
    """Values (n,) of one target, and its task: texts and categories are classes, others, with times, are numbers."""
    column = column_of(table, target)
    if target.is_string:
        return np.array(_texts(column), dtype=object), ColumnTask(task or task_of([target]))
    column = np.ascontiguousarray(column, dtype=float)
    if not target.is_discrete:
        is_read_by_rule = task is None and (REGRESSION in accepts.tasks or CLASSIFICATION in accepts.tasks)
        known_rows = TargetColumn(column, ~np.isnan(column))
        return column, task_of_column(known_rows, accepts) if is_read_by_rule else ColumnTask(task or REGRESSION)
    occurring = np.unique(column[~np.isnan(column)])
    if task != REGRESSION:
        refuse_one_class([target.values[int(code)] for code in occurring], titled(target.name))
    if task == REGRESSION:
        return _numbers(target)[np.where(np.isnan(column), -1, column).astype(int)], ColumnTask(task)
    return column, ColumnTask(task or task_of([target]))


def _texts(column: Iterable[object]) -> list[str | None]:
    """Texts, None where they are missing: "", None or NaN, by the origin of the table."""
    values = np.array([*column, None], dtype=object)[:-1]  # None, so that NumPy does not make columns of lists
    return [None if is_missing else str(text) for text, is_missing in zip(values, unknown(values), strict=True)]


def _numbers(target: Variable) -> np.ndarray:
    """Numbers that the names of the target's values are, and NaN behind them, for unknown values (index -1)."""
    try:
        return np.array([*map(float, target.values), np.nan])
    except ValueError:
        raise ValueError(not_numbers(target.name, target.values)) from None


def group_codes(table: Table, group: str) -> np.ndarray | None:
    """Codes (n,) of groups, from 0, by the name of their variable; None if the name is empty."""
    return groups_of(values_of(table, table.domain[group]), len(table), "groups") if group else None


def asked(data: Arrays) -> dict[str, Any]:
    """Arguments of `core.rank` besides X and y."""
    names = [feature.name for feature in data.features]
    return {"names": names, "nominal": data.nominal, "task": data.task, "hierarchy": data.hierarchy, **data.study}


def indices_of(data: Arrays, chosen: Sequence[Variable | str]) -> list[int]:
    """Indices of features among those of the arrays; raises ValueError for a feature that is none of these."""
    index = {feature.name: j for j, feature in enumerate(data.features)}
    names = [feature.name if isinstance(feature, Variable) else str(feature) for feature in chosen]
    unknown = [name for name in names if name not in index]
    if unknown:
        raise ValueError(f"unknown feature {shown(unknown[0])}; {choices(unknown[0], index, shown)}")
    return [index[name] for name in names]
