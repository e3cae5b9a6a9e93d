"""Targets as callers have them, y, become what the methods work with: checked once, here."""

from dataclasses import replace

import numpy as np
from scipy import sparse

from ..checks import one_of
from ..words import cut
from .arrays import NUMBERS, TEXTS, cells, check_scalars, is_frame, plain, unknown
from .hierarchy import Hierarchy
from .indices import csr
from .labels import Labels
from .multi_target import MultiTarget
from .targets import (
    CLASSIFICATION,
    HIERARCHICAL,
    MULTILABEL,
    MULTITARGET,
    REGRESSION,
    SEVERAL,
    TASKS,
    UNSUPERVISED,
    Classes,
    Numbers,
    PartlyLabelled,
    Target,
    Unlabelled,
)


def read_target(
    y: object,
    shape: tuple[int, int],
    tasks: tuple[str, ...] = TASKS,
    task: str | None = None,
    method: str = "this method",
    hierarchy: object = None,
    partly: bool = False,
) -> tuple[Target, np.ndarray]:
    """y -> the target of the rows where it is known, and which rows these are, (n,) bool.

    y None: no target.  y (n,): bools, integers, strings and categories are classes, floats are numbers, unless `task`
    says otherwise, or `tasks` has the other one only: then integers may be numbers, and floats without fractions
    classes.  y (n, L) of 0 and 1: a label set for each row, in a `hierarchy` if that is given.  Any other y (n, t):
    several targets, texts and categories nominal.  NaN, None and "" are unknown.
    shape (n, p) of the data.  partly: rows without a known target are rows all the same.
    Raises ValueError when y does not fit.
    """
    n, p = shape
    if task is not None:
        task = one_of("task", task, TASKS)
    if tasks == (UNSUPERVISED,) and task not in (None, UNSUPERVISED):
        raise ValueError(f"{method} is for {UNSUPERVISED}, not for {task}")
    if y is None and task not in (None, UNSUPERVISED):
        raise ValueError(f"the task {task} needs a target: y is missing")
    if tasks == (UNSUPERVISED,) or (y is None and UNSUPERVISED in tasks) or task == UNSUPERVISED:
        return _nothing(n, p, tasks, method, hierarchy)
    if y is None:
        raise ValueError(f"{method} needs a target: y is missing")
    y = plain(y, "y")
    if task in SEVERAL or hierarchy is not None or (len(y.shape) == 2 and y.shape[1] != 1):
        target, known = _several(y, n, tasks, task, method, hierarchy, partly)
    else:
        target, known = _single(y, n, tasks, task, method, partly)
    if target is None:
        if partly and UNSUPERVISED in tasks:
            return Unlabelled(n, p), np.ones(n, bool)
        raise ValueError("the target is unknown in all rows")
    incomplete = isinstance(target, MultiTarget) and np.isnan(target.values[known]).any()
    if not partly:
        target = target if known.all() else _kept(target, known)
        return (PartlyLabelled(target, np.ones(int(known.sum()), bool), p) if incomplete else target), known
    if incomplete or not known.all():
        target = PartlyLabelled(target, known, p)
    return target, np.ones(n, bool)


def _kept(target: Target, known: np.ndarray) -> Target:
    """The target of the rows that are used, which are numbered anew."""
    target = target.take(np.flatnonzero(known))
    return replace(target, origin=None) if isinstance(target, Labels) else target


def _nothing(n: int, p: int, tasks: tuple[str, ...], method: str, hierarchy: object) -> tuple[Target, np.ndarray]:
    if hierarchy is not None:
        raise ValueError("there are no labels for the hierarchy")
    if UNSUPERVISED not in tasks:
        raise ValueError(f"{method} is for {_listed(tasks)}, not for {UNSUPERVISED}")
    return Unlabelled(n, p), np.ones(n, bool)


def _listed(tasks: tuple[str, ...]) -> str:
    return " and ".join(tasks) if len(tasks) < 3 else f"{', '.join(tasks[:-1])} and {tasks[-1]}"


def _single(
    y: object, n: int, tasks: tuple[str, ...], task: str | None, method: str, partly: bool
) -> tuple[Target | None, np.ndarray]:
    """One value a row: a target for all rows, None if there is none, and where it is known."""
    values, known = read_column(y, n)
    if not known.any():
        return None, known
    kind = _task(values[known], tasks, task, method)
    if kind == CLASSIFICATION:
        names, codes = np.unique(values[known], return_inverse=True)
        if len(names) < 2 and (known.all() or not partly):  # rows without a target differ from those with one
            raise ValueError(f"the target has only one class, {cut(names[0])}; at least two are needed")
        every = np.zeros(n, np.int32)
        every[known] = codes
        return Classes(every, tuple(names.tolist())), known
    numbers = np.full(n, np.nan)
    numbers[known] = values[known].astype(np.float64)
    return Numbers.measure(numbers), known


def _several(
    y: object, n: int, tasks: tuple[str, ...], task: str | None, method: str, hierarchy: object, partly: bool
) -> tuple[Target | None, np.ndarray]:
    """Several values a row: a target for all rows, None if there is none, and where one of its values is known."""
    values, nominal, names = _matrix(y, n)
    if not sparse.issparse(values) and np.isnan(values).all():
        return None, np.zeros(n, bool)
    labels = not nominal.any() and _zeros_and_ones(values)
    kind = task or (HIERARCHICAL if hierarchy is not None else MULTILABEL if labels else MULTITARGET)
    if kind == MULTILABEL and MULTILABEL not in tasks and MULTITARGET in tasks and task is None:
        kind = MULTITARGET
    if (kind == HIERARCHICAL) != (hierarchy is not None):
        raise ValueError("the task hierarchical and the parents of the labels, hierarchy=..., belong together")
    if kind not in tasks:
        hint = "; label sets are columns of 0 and 1" if MULTILABEL in tasks and not labels else ""
        raise ValueError(f"{method} is for {_listed(tasks)}, not for {kind}{hint}")
    if kind not in SEVERAL:
        raise ValueError(f"y has several columns, {values.shape[1]}; {kind} takes one")
    if kind != MULTITARGET and not labels:
        raise ValueError(f"y must hold 0, 1 and unknown values only for the task {kind}")
    if kind == MULTITARGET:
        if sparse.issparse(values):
            values = values.toarray()
        return _components(values, nominal, names, partly)
    names = names or tuple(str(k) for k in range(values.shape[1]))
    tree = Hierarchy.read(hierarchy, values.shape[1], names) if hierarchy is not None else None
    return _labels(values, names, tree, kind, MULTITARGET not in tasks)


def _labels(
    values: np.ndarray | sparse.csr_array, names: tuple, tree: Hierarchy | None, kind: str, complete: bool
) -> tuple[Target, np.ndarray]:
    """complete: rows that lack one label lack all."""
    if sparse.issparse(values) or not np.isnan(values.sum()):
        known = np.ones(values.shape[0], bool)
    else:
        lacking = np.isnan(values)
        known = ~(lacking.any(axis=1) if complete else lacking.all(axis=1))
    if not known.any():
        raise ValueError("no row has all its labels")
    some = values if known.all() else values[known]
    if not (some.nnz if sparse.issparse(some) else (some == 1).any()):
        raise ValueError("no row has any label")
    if not sparse.issparse(some) and np.isnan(some.sum()):
        values = tree.close_partly(values) if tree else values
        nominal = np.zeros(values.shape[1], bool)
        return MultiTarget(values, nominal, np.ones(values.shape[1]), names, kind, tree), known
    if not (sparse.issparse(values) or known.all()):
        values = np.where(known[:, None], values, 0)
    return Labels.read(values, names, tree), known


def _components(values: np.ndarray, nominal: np.ndarray, names: tuple, partly: bool) -> tuple[MultiTarget, np.ndarray]:
    if np.isinf(values).any():
        raise ValueError("y has infinite values")
    known = ~np.isnan(values).all(axis=1)
    names = names or tuple(str(k) for k in range(values.shape[1]))
    for name, column in zip(names, values.T, strict=True):
        present = column[~np.isnan(column)]
        if len(present) == 0:
            raise ValueError(f"the target {cut(name)} is unknown in all rows; leave it out")
    constant = all(len(np.unique(column[~np.isnan(column)])) < 2 for column in values.T)
    if constant and known.sum() > 1 and (known.all() or not partly):
        raise ValueError("all targets are constant")
    return MultiTarget.measure(values, nominal, names), known


def _matrix(y: object, n: int) -> tuple[np.ndarray | sparse.csr_array, np.ndarray, tuple]:
    """(n, t) float64 (codes where nominal) or CSR, which columns are nominal, and their names."""
    names = ()
    if sparse.issparse(y):
        if y.shape[:1] != (n,):
            raise ValueError(f"X has {n} rows but y has {y.shape[0]}")
        values = csr(y, "y")
        if np.isnan(values.data).any():
            values = values.toarray()
        nominal = np.zeros(values.shape[1], bool)
    elif is_frame(y):
        names = tuple(str(name) for name in y.columns)
        values, nominal = _columns([y.iloc[:, j] for j in range(y.shape[1])])
    else:
        y = y[:, None] if y.ndim == 1 else y
        if y.ndim != 2:
            raise ValueError(f"y must have one row of values for each row of X, not shape {y.shape}")
        if y.dtype.kind in NUMBERS:
            values, nominal = y.astype(np.float64), np.zeros(y.shape[1], bool)
        else:
            values, nominal = _columns(list(y.T))
    if values.shape[0] != n:
        raise ValueError(f"X has {n} rows but y has {values.shape[0]}")
    if values.shape[1] == 0:
        raise ValueError("y has no columns")
    return values, nominal, names


def _columns(columns: list) -> tuple[np.ndarray, np.ndarray]:
    """Columns of any type as numbers, codes where they hold texts or categories."""
    n, nominal = len(columns[0]) if columns else 0, np.zeros(len(columns), bool)
    out = np.full((n, len(columns)), np.nan)
    for j, column in enumerate(columns):
        values, known = read_column(column, n)
        nominal[j] = values.dtype.kind in "US"
        out[known, j] = np.unique(values[known], return_inverse=True)[1] if nominal[j] else values[known]
    return out, nominal


def _zeros_and_ones(values: np.ndarray | sparse.csr_array) -> bool:
    found = values.data if sparse.issparse(values) else values
    return bool(((found == 0) | (found == 1) | np.isnan(found)).all())


def read_column(y: object, n: int) -> tuple[np.ndarray, np.ndarray]:
    """(n,) values and which are known; strings stay strings."""
    if sparse.issparse(y):
        raise ValueError("y has one column: give it as an array, not as a sparse matrix")
    y = cells(y, "y")
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"y must have one value, or one 0 or 1 for each label, a row, not shape {y.shape}")
    if len(y) != n:
        raise ValueError(f"X has {n} rows but y has {len(y)} values")
    known = ~unknown(y)
    if y.dtype.kind == "O":
        y = _objects(y, known)
    if y.dtype.kind not in NUMBERS + TEXTS:
        raise ValueError(f"y must hold classes or numbers, not values of type {y.dtype}")
    if y.dtype.kind == "f" and np.isinf(y).any():
        raise ValueError("y has infinite values")
    return y, known


def _objects(y: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Numbers in objects become numbers again; a mixture is compared as text."""
    check_scalars(y[known], "y")
    kinds = set(map(type, y[known]))
    if all(issubclass(kind, bool | np.bool_) for kind in kinds):
        kind, rest = bool, False
    elif all(issubclass(kind, int | np.integer) for kind in kinds):
        kind, rest = np.int64, 0
    elif all(issubclass(kind, int | float | np.number) for kind in kinds):
        kind, rest = np.float64, np.nan
    else:
        kind, rest = str, ""
    try:
        return np.array([kind(v) if k else rest for v, k in zip(y, known, strict=True)])
    except OverflowError:
        raise ValueError("y has numbers that are too large") from None


def _task(values: np.ndarray, tasks: tuple[str, ...], task: str | None, method: str) -> str:
    """What the caller says, else what the values look like, else what the method can do with them."""
    tasks = tuple(kind for kind in tasks if kind in (CLASSIFICATION, REGRESSION))
    text, whole = values.dtype.kind in "US", values.dtype.kind in "iub"
    if not (text or whole):
        whole = bool((values == np.floor(values)).all())
    natural = REGRESSION if values.dtype.kind == "f" else CLASSIFICATION
    kind = task or (natural if natural in tasks else tasks[0])
    if kind not in tasks:
        raise ValueError(f"{method} is for {_listed(tasks)}, not for {kind}")
    if kind == REGRESSION and text:
        raise ValueError(f"y holds texts; {method} needs numbers")
    if kind == CLASSIFICATION and natural == REGRESSION and not whole and task is None:
        raise ValueError(f"y holds numbers with fractions; {method} needs classes (strings, integers or bools)")
    return kind
