"""Conversion of Orange's Table to arrays, and of rankings to Tables: the only file that knows both worlds."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias, cast

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names
from pandas import Categorical, DataFrame

from . import core
from .core.checks import one_of
from .core.data.arrays import numbers, unknown
from .core.data.indices import check
from .core.words import cut, shown
from .hierarchies import nodes_of_paths, parents_of
from .tasks import task_of

CLASSIFICATION, REGRESSION, _, MULTITARGET, HIERARCHICAL, UNSUPERVISED = core.TASKS
NAMES_SHOWN = 10
BLOCK = 1 << 20  # codes that are checked at once

Target: TypeAlias = Variable | str | list[Variable | str] | tuple[Variable | str, ...] | None


@dataclass(frozen=True, eq=False)
class Arrays:
    """A table as the core takes it.

    X: (n, p) float64, C-contiguous or CSR; NaN is missing.  y: (n,) values of the target, codes of values for classes;
    (n, t) of 0 and 1 for t labels, or a DataFrame of other targets; None without a target.  nominal: (p,) bool.
    task: one of `core.TASKS`, None: as the core sees it.  features: the p variables; targets: those of y; labels: names
    of the columns of y where these are no variables; hierarchy: the parents of labels.
    """

    X: np.ndarray | sp.csr_matrix
    y: object
    nominal: np.ndarray
    task: str | None
    features: tuple[Variable, ...]
    targets: tuple[Variable, ...]
    labels: tuple[str, ...] | None = None
    hierarchy: tuple[tuple[int, ...], ...] | None = None


def arrays(table: Table, target: Target = None, task: str | None = None, method: str | None = None) -> Arrays:
    """`table` as arrays; nothing is copied that already has the right layout, and nothing is ever written to.

    target: the variable (or its name) to rank for, or several of them; by default the class variables.  Several with
    two values each are labels, present where the second value is, in a hierarchy if their attributes have "parents".
    An attribute may be the target; it is then no feature.  task: read a categorical target whose values are numbers as
    numbers, or the reverse; "hierarchical": read one whose values are paths, such as "a/b" or "a/b@c", as the labels on
    them.  method: name; no target is needed where it does without.
    Raises TypeError if `table` is no Table, ValueError if there is no feature, no target where one is needed, a code
    that is none of its variable's values, or an index beyond a sparse table.
    """
    if not isinstance(table, Table):
        raise TypeError(f"an Orange Table is needed, not {type(table).__name__}; arrays go to {core.__name__}.rank")
    for name, part in (("the features", table.X), ("the targets", table.Y), ("the metas", table.metas)):
        if sp.issparse(part):
            check(part, name)
    task = None if task is None else one_of("task", task, core.TASKS)
    chosen = _targets(table.domain, target, method)
    aside = set(chosen)  # each comparison of variables takes microseconds
    columns = [j for j, feature in enumerate(table.domain.attributes) if feature not in aside]
    if not columns:
        raise ValueError("the data have no features to rank")
    features = tuple(table.domain.attributes[j] for j in columns)
    X = table.X.tocsr() if sp.issparse(table.X) else table.X
    X = X if len(columns) == X.shape[1] else X[:, columns]
    X = X if sp.issparse(X) else np.ascontiguousarray(numbers(X, "X"), dtype=float)
    nominal = np.array([feature.is_discrete for feature in features], dtype=bool)
    _check_codes(X, features)
    _check_finite(X, features)
    return replace(_read(table, chosen, task), X=X, nominal=nominal, features=features)


def _targets(domain: Domain, target: Target, method: str | None) -> tuple[Variable, ...]:
    known = None if method is None else core.find_method(method, "auto")
    if known is not None and known.tasks == (UNSUPERVISED,):
        return ()
    if target is None:
        targets = domain.class_vars
    else:
        targets = [_find(domain, variable) for variable in (target if isinstance(target, list | tuple) else [target])]
    if not targets and method != "auto" and (known is None or UNSUPERVISED not in known.tasks):
        raise ValueError(f"a target is needed; choose one (target=...): {_names(domain.variables + domain.metas)}")
    return tuple(targets)


def _find(domain: Domain, variable: Variable | str) -> Variable:
    if not isinstance(variable, str | Variable):
        raise TypeError(f"a target is a variable or its name, not {shown(variable)}")
    if variable not in domain:
        raise ValueError(
            f"unknown target {shown(str(variable))}; choose from {_names(domain.variables + domain.metas)}"
        )
    return domain[variable]


def _names(variables: Sequence[Variable]) -> str:
    names = [shown(variable.name) for variable in variables[: NAMES_SHOWN + 1]]
    return ", ".join([*names[:NAMES_SHOWN], *(["..."] if len(names) > NAMES_SHOWN else [])])


def _read(table: Table, targets: tuple[Variable, ...], task: str | None) -> Arrays:
    """Arrays of the targets, without the features."""
    read = Arrays(cast("Any", None), None, cast("Any", None), task, (), targets)
    if not targets or task == UNSUPERVISED:
        return replace(read, targets=())
    if task == HIERARCHICAL and len(targets) == 1:
        return _paths(table, read)
    if len(targets) == 1:
        y, task = _target_values(table, targets[0], task)
        return replace(read, y=y, task=task)
    hierarchy = parents_of(targets) if task in (None, HIERARCHICAL) else None
    natural = task_of(targets, hierarchy is not None)
    if natural == MULTITARGET:
        if any(v.is_string for v in targets):
            raise ValueError(f"several targets must be categories or numbers; text is among {_names(targets)}")
        columns = [_categories(_column(table, v), v) if v.is_discrete else _column(table, v) for v in targets]
        names = [v.name for v in targets]
        return replace(read, y=DataFrame(dict(zip(names, columns, strict=True))), task=task or natural)
    if targets == table.domain.class_vars:
        y = table.Y.tocsr() if sp.issparse(table.Y) else table.Y
        _check_codes(y, targets)
    else:
        y = np.column_stack([_column(table, label) for label in targets]).astype(float)
    return replace(read, y=y, task=task or natural, hierarchy=hierarchy)


def _column(table: Table, variable: Variable) -> np.ndarray:
    """(n,) values of a variable, its codes checked."""
    column: np.ndarray = table.get_column(variable)
    if variable.is_discrete:
        _check_codes(column[:, None], (variable,))
    return column


def _check_codes(values: np.ndarray | sp.csr_matrix, variables: Sequence[Variable]) -> None:
    """Raises ValueError for codes in values (n, v) that are none of their variable's, NaN aside."""
    counts = np.array([len(variable.values) if variable.is_discrete else -1 for variable in variables])
    for codes, columns in _coded(values, counts >= 0):
        wrong = ~(np.isnan(codes) | ((codes >= 0) & (codes < counts[columns]) & (codes == np.floor(codes))))
        if wrong.any():
            column, code = np.broadcast_to(columns, codes.shape)[wrong][0], codes[wrong][0]
            name, known = shown(variables[column].name), counts[column]
            raise ValueError(f"{name} has the code {code:g}; the codes of its {known} values are 0 to {known - 1}")


def _check_finite(values: np.ndarray | sp.csr_matrix, variables: Sequence[Variable]) -> None:
    """Raises ValueError with the names of variables whose values (n, v) have no finite range, NaN aside.

    The core would say the same, but it knows indices only.
    """
    if sp.issparse(values):
        low, high = (np.atleast_1d(f.reduce(values.data, initial=0)) for f in (np.fmin, np.fmax))
    else:
        low, high = (f.reduce(values, axis=0, initial=np.nan) for f in (np.fmin, np.fmax))
    with np.errstate(over="ignore", invalid="ignore"):
        endless = (low <= high) & ~np.isfinite(high - low)
        if sp.issparse(values):
            if not endless.any():
                return
            large = np.abs(values.data) > np.finfo(float).max / 2
            endless = np.bincount(cast("sp.csr_matrix", values).indices[large], minlength=len(variables)) > 0
    if endless.any():
        names = _names([variables[j] for j in np.flatnonzero(endless)])
        raise ValueError(f"infinite or far too large values in {names}: correct them, or leave the feature out")


def _coded(values: np.ndarray | sp.csr_matrix, coded: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Codes, some at a time, and their columns: of values (n, v) in the columns of the mask coded (v,)."""
    columns = np.flatnonzero(coded)
    if sp.issparse(values) and len(columns):
        stored = cast("sp.csr_matrix", values)
        for start in range(0, stored.nnz, BLOCK):
            own = stored.indices[start : min(start + BLOCK, stored.nnz)]
            kept = coded[own]
            yield stored.data[start : start + len(own)][kept], own[kept]
    elif len(columns):
        step = max(BLOCK // len(columns), 1)
        for start in range(0, len(values), step):
            yield values[start : start + step, columns], columns


def _categories(codes: np.ndarray, variable: Variable) -> Categorical:
    return Categorical.from_codes(np.where(np.isnan(codes), -1, codes).astype(int), variable.values)


def _paths(table: Table, read: Arrays) -> Arrays:
    """One variable whose values are paths."""
    column: Any
    variable, column = read.targets[0], _column(table, read.targets[0])
    if variable.is_continuous:
        raise ValueError(f"the target {shown(variable.name)} is a number; a hierarchy is read from paths such as a/b")
    if variable.is_discrete:
        column = [None if np.isnan(code) else variable.values[int(code)] for code in column]
    texts = _texts(column)
    names, parents, labels = nodes_of_paths(texts)
    y = np.where([[text is None] for text in texts], np.nan, labels.astype(float))
    return replace(read, y=y, task=HIERARCHICAL, labels=names, hierarchy=parents)


def _target_values(table: Table, target: Variable, task: str | None) -> tuple[np.ndarray, str]:
    """The target's column with its task: texts and categories are classes, all else (times too) numbers."""
    column = _column(table, target)
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


@dataclass(frozen=True, kw_only=True, eq=False)
class TableRanking(core.Ranking):
    """A ranking of the features of a table: what core's `Ranking` has, and the table's variables."""

    table: Table
    features: tuple[Variable, ...]
    targets: tuple[Variable, ...]
    labels: tuple[str, ...]  # names of the targets that have scores of their own

    def best(self, n: int) -> tuple[Variable, ...]:
        """The `n` best features, best first."""
        return tuple(self.features[j] for j in super().select(n))

    def select(self, n: int) -> Table:
        """The table with its `n` best features, best first; class variables, metas and the target stay as they are."""
        domain = self.table.domain
        targets = set(self.targets)
        kept = tuple(v for v in domain.attributes if v in targets)
        return self.table.transform(Domain(self.best(n) + kept, domain.class_vars, domain.metas))

    def to_table(self) -> Table:
        """The scores as a table: a row for each feature in the order of `features`, its name in the meta "Feature"."""
        title = core.METHODS[self.method].title
        columns = {title: self.scores}
        if self.per_target is not None:
            columns |= {f"{title} ({name})": s for name, s in zip(self.labels, self.per_target, strict=True)}
        return scores_table([feature.name for feature in self.features], columns)


def scores_table(names: Sequence[str], columns: Mapping[str, np.ndarray]) -> Table:
    """Scores as a table: a numeric attribute for each of `columns` (title: (p,)), and `names` in the meta "Feature"."""
    titles: list[str] = []
    for title in columns:
        titles.append(get_unique_names(["Feature", *titles], title))
    domain = Domain([ContinuousVariable(title) for title in titles], metas=[StringVariable("Feature")])
    X = np.column_stack([np.asarray(scores, dtype=float) for scores in columns.values()] or [np.empty((len(names), 0))])
    table = Table.from_numpy(domain, X, metas=np.array(names, dtype=object).reshape(-1, 1))
    table.name = "Feature scores"
    return table


def rank(
    table: Table,
    method: str = "auto",
    *,
    target: Target = None,
    task: str | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
    **parameters: Any,
) -> TableRanking:
    """Rank the features of `table`.

    target, task: as in `arrays`.  The others, and the method's own parameters: as in `core.rank`.
    Raises ValueError or TypeError for what `arrays` or `core.rank` refuse.
    """
    data = arrays(table, target, task, method)
    running: dict[str, Any] = {"random_state": random_state, "n_jobs": n_jobs, "progress": progress}
    return on_table(core.rank(data.X, data.y, method, **asked(data), **running, **parameters), table, data)


def refine(
    table: Table, method: str = "auto", *, target: Target = None, task: str | None = None, **options: Any
) -> Iterator[TableRanking]:
    """Rankings of `table` from more and more of its rows, the last one from all; arguments as in `rank`."""
    data = arrays(table, target, task, method)
    partial = core.refine(data.X, data.y, method, **asked(data), **options)
    return (on_table(ranking, table, data) for ranking in partial)


def asked(data: Arrays) -> dict[str, Any]:
    """Arguments of `core.rank` beside X and y."""
    return {"nominal": data.nominal, "task": data.task, "hierarchy": data.hierarchy}


def on_table(ranking: core.Ranking, table: Table, data: Arrays) -> TableRanking:
    """A ranking of the arrays of a table as one of the table."""
    content = {field.name: getattr(ranking, field.name) for field in fields(ranking)}
    content["names"] = tuple(feature.name for feature in data.features)
    content["targets"] = data.targets
    labels = data.labels or tuple(target.name for target in data.targets)
    return TableRanking(**content, table=table, features=data.features, labels=labels)
