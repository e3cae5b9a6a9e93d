"""Values of a target as callers have them, y: one column of any type, or several columns of numbers and codes."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import one_of
from ..data import frames
from ..data.arrays import NUMBERS as NUMBER_KINDS
from ..data.arrays import TEXTS, cells, check_scalars, floats, plain, unknown
from ..data.frames import is_frame
from ..data.indices import csr
from ..words import cut
from .hierarchy import Hierarchy
from .labels import Labels
from .multi import MultiTarget
from .targets import (
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
    Classes,
    Numbers,
    PartlyLabelled,
    Target,
    Unlabelled,
    natural_task,
)

# Share of the rows whose class occurs at least twice, below which whole numbers are no classes, and names are refused.
# Measured with 40, 100 and 200 rows of rounded numbers and 20 features, 8 simulated sets each: below it, MultiSURF for
# classes ranks the relevant feature first in at most 38 % of the sets, RReliefF for numbers in at least 88 %.
MIN_SHARED = 0.5
MIN_ROWS = 10  # with a known target; fewer show nothing
MAX_CODES = 20  # distinct whole numbers that may be classes
CONSTANT = "the target has the same value in all rows: scores say nothing about it"
AS_CLASSES = 'as classes with task="classification"'


@dataclass(frozen=True)
class Column:
    """One value a row."""

    values: np.ndarray
    known: np.ndarray

    @property
    def has_texts(self) -> bool:
        return self.values.dtype.kind in TEXTS

    def coded(self) -> tuple[np.ndarray, np.ndarray]:
        """Sorted known values that occur, (c,), and the place of each row's among them, (n,) int, -1 if unknown."""
        names, found = np.unique(self.values[self.known], return_inverse=True)
        codes = np.full(len(self.values), -1)
        codes[self.known] = found.ravel()
        return names, codes

    @property
    def has_class_per_row(self) -> bool:
        """True if most rows would have a class of their own."""
        counts = np.unique(self.values[self.known], return_counts=True)[1]
        n = int(counts.sum())
        return n >= MIN_ROWS and int(counts[counts > 1].sum()) < MIN_SHARED * n

    @property
    def is_constant(self) -> bool:
        """True if several rows have a value, and all the same."""
        return int(self.known.sum()) > 1 and len(np.unique(self.values[self.known])) == 1

    @property
    def has_whole_codes(self) -> bool:
        """True for floats that may be codes of classes: few whole values, most of them in several rows."""
        values = self.values[self.known]
        if values.dtype.kind != "f" or (values != np.floor(values)).any():
            return False
        return 1 < len(np.unique(values)) <= MAX_CODES and not self.has_class_per_row

    def note(self, task: str) -> str:
        """Sentence on how values that may be read in another way were read for a task; empty for all others."""
        if task != REGRESSION:
            return ""
        n, n_values = int(self.known.sum()), len(np.unique(self.values[self.known]))
        if self.has_whole_codes:
            return f"the target has {n_values} different values, all whole. They are read as numbers, {AS_CLASSES}"
        if self.values.dtype.kind in "iu" and self.has_class_per_row:
            return (
                f"the target has {n_values:,} different values in {n:,} rows. They are read as numbers, since most "
                "rows would have a class of their own"
            )
        return ""


@dataclass(frozen=True)
class Matrix:
    """Several values a row."""

    values: np.ndarray | sparse.csr_array
    nominal: np.ndarray
    names: tuple[str, ...] = ()

    @property
    def known(self) -> np.ndarray:
        """(n,) bool: rows with a known value."""
        if sparse.issparse(self.values):
            return np.ones(self.values.shape[0], bool)
        return cast("np.ndarray", ~np.isnan(self.values).all(axis=1))

    @property
    def has_labels(self) -> bool:
        """True where all values are 0, 1 or unknown, and none is a category."""
        if self.nominal.any():
            return False
        found = self.values.data if sparse.issparse(self.values) else self.values
        return bool(((found == 0) | (found == 1) | np.isnan(found)).all())


def read_column(y: object, n: int) -> Column:
    """Read y, one value for each of n rows; strings stay strings."""
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
        y = _from_objects(y, known)
    if y.dtype.kind not in NUMBER_KINDS + TEXTS:
        raise ValueError(f"y must hold classes or numbers, not values of type {y.dtype}")
    if y.dtype.kind == "f" and np.isinf(y).any():
        raise ValueError("y has infinite values")
    return Column(y, known)


def read_matrix(y: Any, n: int) -> Matrix:
    """Read y, several values for each of n rows."""
    if sparse.issparse(y):
        if y.shape[:1] != (n,):
            raise ValueError(f"X has {n} rows but y has {y.shape[0]}")
        values = csr(y, "y")
        values = values.toarray() if np.isnan(values.data).any() else values
        found = Matrix(values, np.zeros(values.shape[1], bool))
    elif is_frame(y):
        names = tuple(str(name) for name in frames.names(y))
        found = Matrix(*_from_columns([*frames.columns(y)]), names)
    else:
        y = y[:, None] if y.ndim == 1 else y
        if y.ndim != 2:
            raise ValueError(f"y must have one row of values for each row of X, not shape {y.shape}")
        if y.dtype.kind in NUMBER_KINDS:
            found = Matrix(y.astype(np.float64, copy=False), np.zeros(y.shape[1], bool))
        else:
            found = Matrix(*_from_columns(list(y.T)))
    if found.values.shape[0] != n:
        raise ValueError(f"X has {n} rows but y has {found.values.shape[0]}")
    if found.values.shape[1] == 0:
        raise ValueError("y has no columns")
    return found


def read_numbers(y: object) -> np.ndarray:
    """Read y, numbers of any shape: float64, NaN = unknown."""
    values = csr(y, "y").toarray() if sparse.issparse(y) else floats(y, "y")
    if np.isinf(values).any() or np.isnan(values).all():
        raise ValueError("y must be finite numbers, some of them known")
    return values


def _from_columns(columns: list[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Columns of any type as numbers, codes where they hold texts or categories, and (t,) bool: where they do."""
    n, nominal = len(columns[0]) if columns else 0, np.zeros(len(columns), bool)
    out = np.full((n, len(columns)), np.nan)
    for j, given in enumerate(columns):
        column = read_column(given, n)
        nominal[j], known = column.has_texts, column.known
        out[known, j] = column.coded()[1][known] if nominal[j] else column.values[known]
    return out, nominal


def _from_objects(y: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Numbers in objects become numbers again; a mixture is compared as text."""
    check_scalars(y[known], "y")
    kinds = set(map(type, y[known]))
    kind: Any
    rest: Any
    if all(issubclass(kind, bool | np.bool_) for kind in kinds):
        kind, rest = bool, False
    elif all(issubclass(kind, int | np.integer) for kind in kinds):
        kind, rest = np.int64, 0
    elif all(issubclass(kind, int | float | np.number | Decimal) for kind in kinds):
        kind, rest = np.float64, np.nan
    else:
        kind, rest = str, ""
    try:
        return np.array([kind(v) if k else rest for v, k in zip(y, known, strict=True)])
    except OverflowError:
        raise ValueError("y has numbers that are too large") from None


@dataclass(frozen=True)
class Accepts:
    """Targets that a method takes."""

    tasks: tuple[str, ...] = TASKS
    method: str = "this method"
    unlabelled: bool = False

    def check(self, task: str, hint: str = "") -> None:
        """Raises ValueError if `task` is none of those; hint: the end of the message."""
        if task not in self.tasks:
            names = self.tasks if len(self.tasks) < 3 else (", ".join(self.tasks[:-1]), self.tasks[-1])
            raise ValueError(f"{self.method} is for {' and '.join(names)}, not for {task}{hint}")


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
