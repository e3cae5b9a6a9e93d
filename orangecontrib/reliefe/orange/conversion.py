"""Conversion of Orange's Table to arrays, and of rankings of these to rankings of the Table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeAlias, cast

import numpy as np
import scipy.sparse as sp
from Orange.data import Domain, Table, Variable
from pandas import Categorical, DataFrame

from .. import core
from ..core.checks import one_of
from ..core.data.arrays import numbers, unknown
from ..core.data.chosen_rows import groups_of
from ..core.data.indices import check
from ..core.data.sources import in_pieces
from ..core.data.table import DataTable
from ..core.data.weights import OfferedWeights
from ..core.targets.columns import read_column
from ..core.targets.events import says_absent
from ..core.targets.tasks import SURVIVAL
from ..core.targets.unmarked import note_on_status
from ..core.words import choices, cut, shown
from ..core.work.threads import Progress
from .ranking import TableRanking, check_codes, check_finite, names_of, scores_table
from .targets import MARK, are_times, nodes_of_paths, parents_of, task_of

__all__ = ["Arrays", "TableRanking", "arrays", "asked", "on_table", "rank", "refine", "scores_table"]

CLASSIFICATION, REGRESSION, _, MULTITARGET, HIERARCHICAL, UNSUPERVISED = core.TASKS

Target: TypeAlias = Variable | str | list[Variable | str] | tuple[Variable | str, ...] | None


@dataclass(frozen=True, eq=False)
class Arrays:
    """A table as the core takes it."""

    X: np.ndarray | sp.csr_matrix  # c-contiguous; NaN is missing
    # (n,) values of the target, codes of values for classes; (n, t) of 0 and 1 for t labels, or a DataFrame of other
    # targets; None without a target
    y: object
    nominal: np.ndarray  # which features are categorical
    task: str | None  # one of `core.TASKS`, None: as the core sees it
    features: tuple[Variable, ...]  # the p features
    targets: tuple[Variable, ...]  # those of y
    labels: tuple[str, ...] | None = None  # names of the columns of y where these are no variables
    hierarchy: tuple[tuple[int, ...], ...] | None = None  # the parents of labels
    study: dict[str, Any] = field(default_factory=dict)  # covariates, groups and weights, where there are any
    notes: tuple[str, ...] = ()  # sentences on how the targets were read


def arrays(
    table: Table,
    target: Target = None,
    task: str | None = None,
    method: str | None = None,
    *,
    covariates: Target = None,
    groups: Variable | str | None = None,
    event_value: object = None,
    **options: Any,
) -> Arrays:
    """Read a table as arrays, with arguments of `rank`, whose options decide whether a target is needed.

    Nothing is copied that already has the right layout, and nothing is ever written to.
    """
    if not isinstance(table, Table):
        raise TypeError(f"an Orange Table is needed, not {type(table).__name__}; arrays go to {core.__name__}.rank")
    for name, part in (("the features", table.X), ("the targets", table.Y), ("the metas", table.metas)):
        if sp.issparse(part):
            check(part, name)
    asked_task = task = None if task is None else one_of("task", task, (*core.TASKS, SURVIVAL))
    tasks = () if method is None else core.tasks_with(method, options)
    chosen = _targets(table.domain, target, tasks)
    adjusted = _variables(table.domain, covariates, "covariate")
    grouped = _variables(table.domain, groups, "group")
    both = [v for v in chosen if v in (*adjusted, *grouped)] or [v for v in adjusted if v in grouped]
    if both:
        raise ValueError(f"{shown(both[0].name)} is one thing only: a target, a covariate, or a group")
    aside = {v.name for v in (*chosen, *adjusted, *grouped)}  # the hash of a variable imports scikit-learn
    columns = [j for j, feature in enumerate(table.domain.attributes) if feature.name not in aside]
    if not columns:
        raise ValueError("the data have no features to rank")
    features = tuple(table.domain.attributes[j] for j in columns)
    X = table.X.tocsr() if sp.issparse(table.X) else table.X
    X = X if len(columns) == X.shape[1] else X[:, columns]
    X = DataTable.read(X).values if in_pieces(X) else X  # of dask
    X = X if sp.issparse(X) else np.ascontiguousarray(numbers(X, "X"), dtype=float)
    nominal = np.array([feature.is_discrete for feature in features], dtype=bool)
    check_codes(X, features)
    check_finite(X, features)
    if task is None and are_times(chosen):
        task, chosen = SURVIVAL, tuple(sorted(chosen, key=lambda v: v.attributes[MARK] == "event"))
    study = {
        **({"covariates": DataFrame({v.name: values_of(table, v) for v in adjusted})} if adjusted else {}),
        **({"groups": values_of(table, grouped[0])} if grouped else {}),
        **({"sample_weight": OfferedWeights(table.W)} if table.has_weights() else {}),
    }
    if event_value is not None and task != SURVIVAL:
        raise ValueError('event_value is for times with censoring: add task="survival", or leave it out')
    read = replace(_read(table, chosen, task, event_value), X=X, nominal=nominal, features=features, study=study)
    notes = [_note_status(read), _note_numbers(read) if asked_task is None and CLASSIFICATION in tasks else ""]
    return replace(read, notes=(*read.notes, *filter(None, notes)))


def _targets(domain: Domain, target: Target, tasks: tuple[str, ...]) -> tuple[Variable, ...]:
    if tasks == (UNSUPERVISED,):
        return ()
    targets = domain.class_vars if target is None else _variables(domain, target, "target")
    if not targets and UNSUPERVISED not in tasks:
        raise ValueError(f"a target is needed; choose one (target=...): {names_of(domain.variables + domain.metas)}")
    return tuple(targets)


def _variables(domain: Domain, given: Target, role: str) -> list[Variable]:
    """Variables that are given by themselves, or by their names."""
    found = []
    for variable in given if isinstance(given, list | tuple) else [] if given is None else [given]:
        if not isinstance(variable, str | Variable):
            raise TypeError(f"a {role} is a variable or its name, not {shown(variable)}")
        if variable not in domain:
            names = [v.name for v in domain.variables + domain.metas]
            raise ValueError(f"unknown {role} {shown(str(variable))}; {choices(str(variable), names, shown)}")
        found.append(domain[variable])
    return found


def values_of(table: Table, variable: Variable) -> Any:
    """Values of a covariate, a group or an event: numbers, categories by their names, or texts."""
    column = column_of(table, variable)
    if variable.is_string:
        return np.array([*_texts(column), None], dtype=object)[:-1]
    return _categories(column, variable) if variable.is_discrete else np.asarray(column, float)


def _read(table: Table, targets: tuple[Variable, ...], task: str | None, event_value: object) -> Arrays:
    """Arrays of the targets, without the features."""
    read = Arrays(cast("Any", None), None, cast("Any", None), task, (), targets)
    if not targets or task == UNSUPERVISED:
        return replace(read, targets=())
    if task == SURVIVAL:
        return replace(read, y=_times(table, targets, event_value))
    if task == HIERARCHICAL and len(targets) == 1:
        return _paths(table, read)
    if len(targets) == 1:
        y, task = _target_values(table, targets[0], task)
        return replace(read, y=y, task=task)
    hierarchy = parents_of(targets) if task in (None, HIERARCHICAL) else None
    natural = task_of(targets, hierarchy is not None)
    if natural == MULTITARGET:
        if any(v.is_string for v in targets):
            raise ValueError(f"several targets must be categories or numbers; text is among {names_of(targets)}")
        columns = [_categories(column_of(table, v), v) if v.is_discrete else column_of(table, v) for v in targets]
        names = [v.name for v in targets]
        return replace(read, y=DataFrame(dict(zip(names, columns, strict=True))), task=task or natural)
    constant = [v for v in targets if len(v.values) == 1]
    if targets == table.domain.class_vars and not constant:
        y = table.Y.tocsr() if sp.issparse(table.Y) else table.Y
        check_codes(y, targets)
    else:
        y = np.column_stack([_label(table, v) for v in targets])
    notes = [f"label {shown(v.name)} is {v.values[0]} in all rows, which tells no rows apart" for v in constant]
    return replace(read, y=y, task=task or natural, hierarchy=hierarchy, notes=(*notes,))


def _label(table: Table, variable: Variable) -> np.ndarray:
    """Labels (n,) of 0 and 1; the only value of a constant one is present unless it is 0, no, false or the like."""
    codes = column_of(table, variable).astype(float)
    is_present = len(variable.values) == 1 and not says_absent(variable.values[0])
    return codes + 1 if is_present else codes


def _times(table: Table, targets: tuple[Variable, ...], event_value: object) -> core.Survival:
    """Times with censoring, of a variable of times and one of events, whose words decide unless a value is given."""
    if len(targets) != 2 or not targets[0].is_continuous:
        raise ValueError("times with censoring are two variables: first a number, the time, then the event")
    return core.Survival(column_of(table, targets[0]), values_of(table, targets[1]), event_value)


def _note_numbers(read: Arrays) -> str:
    """Sentence on numbers that may be codes of classes; empty for all other targets."""
    if read.task != REGRESSION or len(read.targets) != 1:
        return ""
    return read_column(read.y, len(cast("np.ndarray", read.y))).note(REGRESSION)


def _note_status(read: Arrays) -> str:
    """Advice on a target that looks like the event of times that are ranked as features."""
    if read.task != CLASSIFICATION or len(read.targets) != 1 or not read.targets[0].is_discrete:
        return ""
    (target,) = read.targets
    occurring = np.unique(cast("np.ndarray", read.y))
    levels = [target.values[int(code)] for code in occurring[~np.isnan(occurring)]]
    return note_on_status(target.name, levels, [v.name for v in read.features], read.X, read.nominal)


def column_of(table: Table, variable: Variable) -> np.ndarray:
    """(n,) values of a variable, its codes checked."""
    place = next((j for j, v in enumerate(table.domain.variables) if v is variable), variable)
    column: np.ndarray = table.get_column(place)
    if variable.is_discrete:
        check_codes(column[:, None], (variable,))
    return column


def _categories(codes: np.ndarray, variable: Variable) -> Categorical:
    return Categorical.from_codes(np.where(np.isnan(codes), -1, codes).astype(int), variable.values)


def _paths(table: Table, read: Arrays) -> Arrays:
    """One variable whose values are paths."""
    column: Any
    variable, column = read.targets[0], column_of(table, read.targets[0])
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


def _target_values(table: Table, target: Variable, task: str | None) -> tuple[np.ndarray, str]:
    """The target's column with its task: texts and categories are classes, all else (times too) numbers."""
    column = column_of(table, target)
    if target.is_string:
        return np.array(_texts(column), dtype=object), task or task_of([target])
    column = np.ascontiguousarray(column, dtype=float)
    occurring: Sequence[float] | np.ndarray = np.unique(column[~np.isnan(column)]) if target.is_discrete else ()
    if len(occurring) == 1 and task != REGRESSION:
        name = target.values[int(occurring[0])]
        raise ValueError(f"the target {shown(target.name)} has only one class, {shown(name)}; at least two are needed")
    if target.is_discrete and task == REGRESSION:
        return _numbers(target)[np.where(np.isnan(column), -1, column).astype(int)], task
    return column, task or task_of([target])


def _texts(column: Iterable[object]) -> list[str | None]:
    """Texts, None where they are missing: as "", None or NaN, by where the table came from."""
    found = np.array([*column, None], dtype=object)[:-1]
    return [None if gap else str(text) for text, gap in zip(found, unknown(found), strict=True)]


def _numbers(target: Variable) -> np.ndarray:
    """Numbers that the names of the target's values stand for, and NaN after them for the unknown (index -1)."""
    try:
        return np.array([*map(float, target.values), np.nan])
    except ValueError:
        values = cut(", ".join(target.values))
        raise ValueError(f"the values of {shown(target.name)} are not numbers: {values}") from None


def rank(
    table: Table,
    method: str = "auto",
    *,
    target: Target = None,
    task: str | None = None,
    covariates: Target = None,
    groups: Variable | str | None = None,
    event_value: object = None,
    keep: Sequence[Variable | str] | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Progress = None,
    **parameters: Any,
) -> TableRanking:
    """Rank the features of a table; raises ValueError or TypeError as `core.rank`, and for unknown variables.

    Parameters
    ----------
    table : Table
        Dense or sparse data.  Weights of its rows (``table.W``) are used if the method takes any, and else left aside.
        ``info["information"]`` says which.
    method, random_state, n_jobs, progress, **parameters
        As in `core.rank`.
    target : Variable, str, or list of these, optional
        Targets; None: the class variables.  Several variables with two values each are labels; the second value means
        that the label is present.  Their attribute "parents" makes a hierarchy.  A target is no feature.
    task : str, optional
        "regression": read categories that are numbers as numbers; "classification": the reverse.  "hierarchical": read
        paths, for example "a/b" or "a/b@c", as labels.  "survival": read a time and an event as times with censoring.
        Class variables that Orange's *As Survival Data* has marked need no task.
    covariates : Variable, str, or list of these, optional
        Numbers, categories and texts for which scores are adjusted; they are no features.
    groups : Variable or str, optional
        Variable with equal values in rows that belong together, for example visits of one person. It is no feature.
    event_value : object, optional
        Value of the event's variable that says that there was one. Every other value is censored. None: known words
        decide, as in `core.Survival`.
    keep : sequence of Variable or str, optional
        Features that are always selected, as in `core.rank`.
    """
    study: dict[str, Any] = {"covariates": covariates, "groups": groups, "event_value": event_value}
    data = arrays(table, target, task, method, **study, **parameters)
    running: dict[str, Any] = {"random_state": random_state, "n_jobs": n_jobs, "progress": progress}
    running |= {"keep": keep if keep is None or isinstance(keep, str) else [*map(str, keep)]}
    return on_table(core.rank(data.X, data.y, method, **asked(data), **running, **parameters), table, data)


def refine(
    table: Table,
    method: str = "auto",
    *,
    target: Target = None,
    task: str | None = None,
    covariates: Target = None,
    groups: Variable | str | None = None,
    event_value: object = None,
    **options: Any,
) -> Iterator[TableRanking]:
    """Rankings of a table from more and more of its rows, the last one from all, as by `core.refine`.

    Arguments: those of `rank`, which is also how they are checked, at the call.
    """
    study: dict[str, Any] = {"covariates": covariates, "groups": groups, "event_value": event_value}
    data = arrays(table, target, task, method, **study, **options)
    partial = core.refine(data.X, data.y, method, **asked(data), **options)
    return (on_table(ranking, table, data) for ranking in partial)


def group_codes(table: Table, group: str) -> np.ndarray | None:
    """Codes (n,) of the rows' values of a variable, from 0; None without one."""
    return groups_of(values_of(table, table.domain[group]), len(table), "groups") if group else None


def asked(data: Arrays) -> dict[str, Any]:
    """Arguments of `core.rank` beside X and y."""
    names = [feature.name for feature in data.features]
    return {"names": names, "nominal": data.nominal, "task": data.task, "hierarchy": data.hierarchy, **data.study}


def on_table(ranking: core.Ranking, table: Table, data: Arrays) -> TableRanking:
    """A ranking of the arrays of a table as one of the table."""
    content = {field.name: getattr(ranking, field.name) for field in fields(ranking)}
    content["names"] = tuple(feature.name for feature in data.features)
    content["targets"] = data.targets
    content["info"] = {**ranking.info, "information": [*data.notes, *ranking.info["information"]]}
    labels = data.labels or tuple(target.name for target in data.targets)
    return TableRanking(**content, table=table, features=data.features, labels=labels)
