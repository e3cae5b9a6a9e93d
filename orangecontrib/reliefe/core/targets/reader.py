"""Values of a target as callers have them, y: one column of any type, or several columns of numbers and codes."""

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import one_of
from ..data.arrays import plain
from ..words import cut
from .accepts import Accepts
from .classes import Classes
from .columns import Column, Matrix, read_column, read_matrix
from .hierarchy import Hierarchy
from .labels import Labels
from .multi import MultiTarget
from .numbers import Numbers
from .partly_labelled import PartlyLabelled
from .targets import Target
from .tasks import (
    CLASSES,
    CLASSIFICATION,
    HIERARCHICAL,
    LABELS,
    MULTILABEL,
    MULTITARGET,
    NUMBERS,
    REGRESSION,
    SEVERAL,
    SURVIVAL,
    TASKS,
    UNSUPERVISED,
    natural_task,
)
from .unlabelled import Unlabelled

CONSTANT = "the target has the same value in all rows: scores say nothing about it"


@dataclass(frozen=True)
class ReadTarget:
    """Target that was read.

    notes: sentences on what was decided.
    """

    target: Target
    known: np.ndarray
    notes: tuple[str, ...] = ()


def read_target(
    y: Any, shape: tuple[int, int], accepts: Accepts | None = None, task: str | None = None, hierarchy: object = None
) -> ReadTarget:
    """Read a target."""
    accepts, (n, p) = accepts or Accepts(), shape
    task = None if task is None else one_of("task", task, TASKS)
    if _is_without_target(y, accepts, task):
        if hierarchy is not None:
            raise ValueError("there are no labels for the hierarchy")
        accepts.check(UNSUPERVISED)
        return ReadTarget(Unlabelled(n, p), np.ones(n, bool))
    y = plain(y, "y")
    several = task in SEVERAL or hierarchy is not None or (len(y.shape) == 2 and y.shape[1] != 1)
    values = read_matrix(y, n) if several else read_column(y, n)
    if not values.known.any():
        if accepts.unlabelled and UNSUPERVISED in accepts.tasks:
            return ReadTarget(Unlabelled(n, p), np.ones(n, bool))
        raise ValueError("the target is unknown in all rows")
    kind = infer_task(values, accepts, task, hierarchy is not None)
    target, known = parse(values, kind, hierarchy, accepts)
    may_differ = isinstance(values, Column) and task is None and CLASSIFICATION in accepts.tasks
    note = values.note(kind) if isinstance(values, Column) and may_differ else ""
    if isinstance(values, Column) and kind == REGRESSION and values.is_constant:
        note = CONSTANT
    return replace(mask(target, known, p, accepts.unlabelled), notes=(note,) if note else ())


def infer_task(values: Column | Matrix, accepts: Accepts, task: str | None, hierarchical: bool) -> str:
    """Task of the values: the caller's, else the one that fits the values, else the method's."""
    if isinstance(values, Column):
        return _task_of_column(values, accepts, task)
    labels = values.has_labels
    kind = task or (HIERARCHICAL if hierarchical else natural_task([LABELS if labels else NUMBERS] * 2))
    if task is None and kind == MULTILABEL and kind not in accepts.tasks and MULTITARGET in accepts.tasks:
        kind = MULTITARGET
    if (kind == HIERARCHICAL) != hierarchical:
        raise ValueError("the task hierarchical and the parents of the labels, hierarchy=..., belong together")
    accepts.check(kind, "; label sets are columns of 0 and 1" if MULTILABEL in accepts.tasks and not labels else "")
    if kind not in SEVERAL:
        raise ValueError(f"y has several columns, {values.values.shape[1]}; {kind} takes one")
    if kind != MULTITARGET and not labels:
        raise ValueError(f"y must hold 0, 1 and unknown values only for the task {kind}")
    return kind


def parse(
    values: Column | Matrix, task: str, hierarchy: object = None, accepts: Accepts | None = None
) -> tuple[Target, np.ndarray]:
    """Target of all n rows."""
    accepts = accepts or Accepts()
    if task == CLASSIFICATION:
        column = cast("Column", values)
        classes, codes = column.coded()
        if len(classes) < 2 and (values.known.all() or not accepts.unlabelled):  # rows without a target differ
            raise ValueError(f"the target has only one class, {cut(classes[0])}; at least two are needed")
        if column.has_class_per_row:
            other = "choose another target" if column.has_texts else 'rank for numbers by rrelieff, task="regression"'
            raise ValueError(
                f"the target has {len(classes):,} classes in {int(column.known.sum()):,} rows, and most rows have a "
                f"class of their own: {other}, or leave out the rows of rare classes"
            )
        return Classes(np.maximum(codes, 0).astype(np.int32), tuple(classes.tolist())), values.known
    if task == REGRESSION:
        numbers = np.full(len(values.values), np.nan)
        numbers[values.known] = values.values[values.known].astype(np.float64)
        return Numbers.measure(numbers), values.known
    values = cast("Matrix", values)
    names = values.names or tuple(str(k) for k in range(values.values.shape[1]))
    values = replace(values, names=names)
    if task == MULTITARGET:
        return _multi_target(values, accepts), values.known
    tree = None if hierarchy is None else Hierarchy.read(hierarchy, len(names), names)
    return _labels(values, tree, task, MULTITARGET not in accepts.tasks)


def mask(target: Target, known: np.ndarray, p: int, unlabelled: bool) -> ReadTarget:
    """Leave out rows without a known target, or mark them."""
    has_gaps = min(target.counts) < np.count_nonzero(known)  # values of rows of which others are known
    if unlabelled:
        target = PartlyLabelled(target, known, p) if has_gaps or not known.all() else target
        return ReadTarget(target, np.ones(len(known), bool))
    if not known.all():
        target = target.take(np.flatnonzero(known))
        target = replace(target, origin=None) if isinstance(target, Labels) else target  # rows have new numbers
    return ReadTarget(PartlyLabelled(target, np.ones(target.n, bool), p) if has_gaps else target, known)


def _is_without_target(y: object, accepts: Accepts, task: str | None) -> bool:
    only = accepts.tasks == (UNSUPERVISED,)
    if task not in (None, UNSUPERVISED):
        if only:
            raise ValueError(f"{accepts.method} is for {UNSUPERVISED}, not for {task}")
        if y is None:
            raise ValueError(f"the task {task} needs a target: y is missing")
    if only or task == UNSUPERVISED:
        return True
    if y is None and UNSUPERVISED not in accepts.tasks:
        raise ValueError(f"{accepts.method} needs a target: y is missing")
    return y is None


def _task_of_column(column: Column, accepts: Accepts, task: str | None) -> str:
    values = column.values[column.known]
    is_number = values.dtype.kind == "f" or (values.dtype.kind in "iu" and column.has_class_per_row)
    natural = natural_task([NUMBERS if is_number else CLASSES])
    able = [kind for kind in accepts.tasks if kind in (CLASSIFICATION, REGRESSION)]
    kind = task or (natural if natural in able or not able else able[0])
    accepts.check(kind, ": give y as Survival(time, event)" if accepts.tasks == (SURVIVAL,) else "")
    if kind == REGRESSION and column.has_texts:
        raise ValueError(f"y holds texts; {accepts.method} needs numbers")
    if kind == CLASSIFICATION and natural == REGRESSION and task is None and (values != np.floor(values)).any():
        raise ValueError(f"y holds numbers with fractions; {accepts.method} needs classes (strings, integers or bools)")
    return kind


def _multi_target(given: Matrix, accepts: Accepts) -> MultiTarget:
    values: np.ndarray = (
        cast("sparse.csr_array", given.values).toarray() if sparse.issparse(given.values) else given.values
    )
    if np.isinf(values).any():
        raise ValueError("y has infinite values")
    present = [column[~np.isnan(column)] for column in values.T]
    for name, column in zip(given.names, present, strict=True):
        if len(column) == 0:
            raise ValueError(f"the target {cut(name)} is unknown in all rows; leave it out")
    n_known, constant = np.count_nonzero(given.known), all(len(np.unique(column)) < 2 for column in present)
    if constant and n_known > 1 and (n_known == len(values) or not accepts.unlabelled):
        raise ValueError("all targets are constant")
    return MultiTarget.measure(values, given.nominal, given.names)


def _labels(given: Matrix, tree: Hierarchy | None, task: str, complete: bool) -> tuple[Target, np.ndarray]:
    """Label sets, as `parse` returns them; complete: rows that lack one label lack all."""
    values, known = given.values, given.known
    if complete and not sparse.issparse(values):
        known = ~np.isnan(values).any(axis=1)
    if not known.any():
        raise ValueError("no row has all its labels")
    some: Any = values if known.all() else values[known]
    if not (some.nnz if sparse.issparse(some) else (some == 1).any()):
        raise ValueError("no row has any label")
    if not sparse.issparse(some) and np.isnan(some.sum()):
        values = tree.close_partly(values) if tree else values
        return MultiTarget(values, given.nominal, np.ones(len(given.nominal)), given.names, task, tree), known
    if not (sparse.issparse(values) or known.all()):
        values = np.where(known[:, None], values, 0)
    return Labels.read(values, given.names, tree), known
