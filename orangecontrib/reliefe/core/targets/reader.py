"""Reading of a caller's y as the target of a task.

Requests call `read_target` with y, the shape of X and what the method accepts.  Its steps are those of widgets, too:
values, task, target, rows without one.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np
from scipy import sparse

from ..checks import one_of
from ..data.arrays import cells, plain
from ..data.chosen_rows import chosen_from, take
from ..data.facts import infinite_values
from .accepts import Accepts
from .classes import Classes
from .column_task import task_of_column
from .columns import Matrix, TargetColumn, read_column, read_matrix
from .facts import no_target, nothing_known, one_number, one_value_each, refuse_one_class, titled
from .hierarchy import Hierarchy
from .labels import Labels
from .multi import MultiTarget
from .numbers import Numbers
from .partly_labelled import PartlyLabelled
from .targets import Target
from .tasks import (
    CLASSIFICATION,
    HIERARCHICAL,
    LABELS,
    MULTILABEL,
    MULTITARGET,
    NUMBERS,
    REGRESSION,
    SEVERAL,
    TASKS,
    UNSUPERVISED,
    natural_task,
)
from .times import Survival
from .unlabelled import Unlabelled


class ParsedTarget(NamedTuple):
    """Target of all n rows.

    Attributes
    ----------
    target : Target
        Target with any value where it is unknown.
    known : (n,) bool array
        True for rows with a known target.
    """

    target: Target
    known: np.ndarray


@dataclass(frozen=True)
class ReadTarget:
    """Target that was read.

    Attributes
    ----------
    target : Target
        Target of the rows in `known`.
    known : (n,) bool array
        True for rows that are ranked with.
    notes : tuple of str
        Sentences on what was decided.
    """

    target: Target
    known: np.ndarray
    notes: tuple[str, ...] = ()


def read_target(
    y: Any, shape: tuple[int, int], accepts: Accepts | None = None, task: str | None = None, hierarchy: object = None
) -> ReadTarget:
    """Read a target.

    Parameters
    ----------
    y : object
        Values of the target as callers give them; None: there is no target.
    shape : (n, p)
        Numbers of rows and of features.
    accepts : Accepts, optional
        Targets that the method takes; None: any.
    task : str, optional
        Task that the caller names; None: the one that fits the values.
    hierarchy : object, optional
        Parents of the labels, as `Hierarchy.read` takes them.

    Raises
    ------
    ValueError
        If y cannot be read, or the method does not take it.
    """
    accepts = accepts or Accepts()
    n, p = shape
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
        raise ValueError(nothing_known())
    if isinstance(values, TargetColumn):
        column_task = task_of_column(values, accepts, task)
        kind = column_task.task
        note = column_task.note
    else:
        kind = infer_task(values, accepts, task, hierarchy is not None)
        note = ""
    parsed = parse(values, kind, hierarchy, accepts)
    if isinstance(values, TargetColumn) and kind == REGRESSION and values.is_constant:
        note = one_number(values.values[values.known][0])
    return replace(mask(parsed.target, parsed.known, p, accepts.unlabelled), notes=(note,) if note else ())


def infer_task(values: TargetColumn | Matrix, accepts: Accepts, task: str | None, hierarchical: bool) -> str:
    """Return the task of values: the caller's, else the one that fits the values, else the method's.

    Parameters
    ----------
    values : TargetColumn or Matrix
        Values of the target.
    accepts : Accepts
        Targets that the method takes.
    task : str or None
        Task that the caller names.
    hierarchical : bool
        True if the labels have parents.

    Raises
    ------
    ValueError
        If the method does not take the task, or the values do not fit it.
    """
    if isinstance(values, TargetColumn):
        return task_of_column(values, accepts, task).task
    labels = values.has_labels
    natural = HIERARCHICAL if hierarchical else natural_task([LABELS if labels else NUMBERS] * 2)
    kind = task or natural
    if task is None and kind == MULTILABEL and kind not in accepts.tasks and MULTITARGET in accepts.tasks:
        kind = MULTITARGET
    if (kind == HIERARCHICAL) != hierarchical:
        levels = "" if labels else ". Join levels in several columns in one, as A/A1"
        raise ValueError(f"the task hierarchical and the parents of the labels, hierarchy=..., belong together{levels}")
    accepts.check(kind, "; label sets are columns of 0 and 1" if MULTILABEL in accepts.tasks and not labels else "")
    if kind not in SEVERAL:
        raise ValueError(f"y has several columns, {values.values.shape[1]}; {kind} takes one")
    if kind != MULTITARGET and not labels:
        raise ValueError(f"y must hold 0, 1 and unknown values only for the task {kind}")
    return kind


def parse(
    values: TargetColumn | Matrix, task: str, hierarchy: object = None, accepts: Accepts | None = None
) -> ParsedTarget:
    """Make the target of all n rows.

    Parameters
    ----------
    values : TargetColumn or Matrix
        Values of the target.
    task : str
        Task that `infer_task` returned.
    hierarchy : object, optional
        Parents of the labels, as `Hierarchy.read` takes them.
    accepts : Accepts, optional
        Targets that the method takes; None: any.

    Raises
    ------
    ValueError
        If the values do not suffice for the task, as those of one class.
    """
    accepts = accepts or Accepts()
    if task == CLASSIFICATION:
        column = cast("TargetColumn", values)
        return ParsedTarget(_classes(column, accepts), column.known)
    if task == REGRESSION:
        numbers = np.full(len(values.values), np.nan)
        numbers[values.known] = values.values[values.known].astype(np.float64)
        return ParsedTarget(Numbers.measure(numbers), values.known)
    matrix = cast("Matrix", values)
    names = matrix.names or tuple(str(k) for k in range(matrix.values.shape[1]))
    matrix = replace(matrix, names=names)
    if task == MULTITARGET:
        return ParsedTarget(_multi_target(matrix, accepts), matrix.known)
    tree = None if hierarchy is None else Hierarchy.read(hierarchy, len(names), names)
    return _labels(matrix, tree, task, MULTITARGET not in accepts.tasks)


def mask(target: Target, known: np.ndarray, p: int, unlabelled: bool) -> ReadTarget:
    """Leave out rows without a known target, or mark them.

    Parameters
    ----------
    target : Target
        Target of all n rows.
    known : (n,) bool array
        True for rows with a known target.
    p : int
        Number of features.
    unlabelled : bool
        True to mark rows without a known target, False to leave them out.
    """
    has_gaps = min(target.counts) < np.count_nonzero(known)  # rows that know some of several targets
    if unlabelled:
        target = PartlyLabelled(target, known, p) if has_gaps or not known.all() else target
        return ReadTarget(target, np.ones(len(known), bool))
    if not known.all():
        target = target.take(np.flatnonzero(known))
        if isinstance(target, Labels):
            target = replace(target, origin=None)  # coordinates are made of these rows
    if has_gaps:
        target = PartlyLabelled(target, np.ones(target.n, bool), p)
    return ReadTarget(target, known)


def _is_without_target(y: object, accepts: Accepts, task: str | None) -> bool:
    """True if rows are ranked without a target.  Raises ValueError if one is missing, or not taken."""
    only_unsupervised = accepts.tasks == (UNSUPERVISED,)
    if task not in (None, UNSUPERVISED):
        if only_unsupervised:
            raise ValueError(f"{accepts.method} is for {UNSUPERVISED}, not for {task}")
        if y is None:
            raise ValueError(f"{no_target()}, which the task {task} needs: y is missing")
    if only_unsupervised or task == UNSUPERVISED:
        return True
    if y is None and UNSUPERVISED not in accepts.tasks:
        raise ValueError(f"{no_target()}, which {accepts.method} needs: y is missing")
    return y is None


def _classes(column: TargetColumn, accepts: Accepts) -> Classes:
    """Make classes of a column."""
    classes, codes = column.coded()
    has_unlabelled_rows = accepts.unlabelled and not column.known.all()  # these differ from the one class
    if not has_unlabelled_rows:
        refuse_one_class(classes.tolist())
    if column.has_class_per_row:
        advice = "choose another target" if column.has_texts else 'rank for numbers by rrelieff, task="regression"'
        raise ValueError(
            f"the target has {len(classes):,} classes in {int(column.known.sum()):,} rows, and most rows have a "
            f"class of their own: {advice}, or leave out the rows of rare classes"
        )
    return Classes(np.maximum(codes, 0).astype(np.int32), tuple(classes.tolist()))


def _multi_target(matrix: Matrix, accepts: Accepts) -> MultiTarget:
    """Make several targets of the columns of a matrix."""
    values: np.ndarray = (
        cast("sparse.csr_array", matrix.values).toarray() if sparse.issparse(matrix.values) else matrix.values
    )
    if np.isinf(values).any():
        raise ValueError(infinite_values("y"))
    columns_known = [column[~np.isnan(column)] for column in values.T]
    for name, column in zip(matrix.names, columns_known, strict=True):
        if len(column) == 0:
            raise ValueError(f"{nothing_known(titled(name))}; leave it out")
    n_known = np.count_nonzero(matrix.known)
    is_constant = all(len(np.unique(column)) < 2 for column in columns_known)
    if is_constant and n_known > 1 and (n_known == len(values) or not accepts.unlabelled):
        raise ValueError(one_value_each())
    return MultiTarget.measure(values, matrix.nominal, matrix.names)


def _labels(matrix: Matrix, tree: Hierarchy | None, task: str, complete: bool) -> ParsedTarget:
    """Make label sets of a matrix; complete: True if a row with an unknown label counts as unlabelled."""
    values = matrix.values
    is_known = matrix.known
    if complete and not sparse.issparse(values):
        is_known = ~np.isnan(values).any(axis=1)
    if not is_known.any():
        raise ValueError("no row has all its labels")
    labelled: Any = values if is_known.all() else values[is_known]
    has_labels = labelled.nnz if sparse.issparse(labelled) else (labelled == 1).any()
    if not has_labels:
        raise ValueError("no row has any label")
    if not sparse.issparse(labelled) and np.isnan(labelled.sum()):
        values = tree.close_partly(values) if tree else values
        weights = np.ones(len(matrix.nominal))
        return ParsedTarget(MultiTarget(values, matrix.nominal, weights, matrix.names, task, tree), is_known)
    if not (sparse.issparse(values) or is_known.all()):
        values = np.where(is_known[:, None], values, 0)
    return ParsedTarget(Labels.read(values, matrix.names, tree), is_known)


def values_of_rows(y: Any, rows: np.ndarray) -> Any:
    """Return the target values of the rows of a mask, as callers have them."""
    if y is None:
        return None
    if isinstance(y, Survival):
        return Survival(cells(y.time, "time")[rows], cells(y.event, "event")[rows], y.event_value)
    return take(chosen_from(y, "y"), rows)
