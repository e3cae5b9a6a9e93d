"""Targets as callers have them, y, become what the methods work with: checked once, here."""

import numpy as np

from .labels import Labels
from .targets import CLASSIFICATION, MULTILABEL, REGRESSION, TASKS, Classes, Numbers, Target


def read_target(
    y: object, n: int, tasks: tuple[str, ...] = TASKS, task: str | None = None, method: str = "this method"
) -> tuple[Target, np.ndarray]:
    """y -> the target of the rows where it is known, and which rows these are, (n,) bool.

    y (n, L) of 0 and 1: a label set for each row.  y (n,): bools, integers, strings and categories are classes, floats
    are numbers, unless `task` says otherwise, or `tasks` has the other one only: then integers may be numbers, and
    floats without fractions classes.  NaN, None and "" are unknown.  Raises ValueError when y does not fit.
    """
    shape = y.shape if hasattr(y, "shape") else np.asarray(y, dtype=object).shape
    if y is not None and (task == MULTILABEL or (len(shape) == 2 and shape[1] != 1)):
        return _labels(y, n, tasks, task, method)
    values, known = _column(y, n)
    if not known.any():
        raise ValueError("the target is unknown in all rows")
    values = values[known]
    kind = _task(values, tasks, task, method)
    if kind == CLASSIFICATION:
        names, codes = np.unique(values, return_inverse=True)
        if len(names) < 2:
            raise ValueError(f"the target has only one class, {names[0]}; at least two are needed")
        return Classes(codes.astype(np.int32), tuple(names.tolist())), known
    return Numbers.measure(values.astype(np.float64)), known


def _labels(y: object, n: int, tasks: tuple[str, ...], task: str | None, method: str) -> tuple[Labels, np.ndarray]:
    names = tuple(str(name) for name in y.columns) if hasattr(y, "columns") else ()
    y = y.toarray() if hasattr(y, "toarray") else np.asarray(y)
    if y.ndim == 1:
        y = y[:, None]
    if y.ndim != 2 or len(y) != n:
        raise ValueError(f"X has {n} rows but y has shape {y.shape}")
    try:
        values = y.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError("y has several columns that are no numbers; label sets are columns of 0 and 1") from None
    known = ~np.isnan(values).any(axis=1)
    if not known.any():
        raise ValueError("the labels are unknown in all rows")
    values = values[known]
    if task not in (None, MULTILABEL) or not np.isin(values, (0, 1)).all():
        raise ValueError("y has several columns; only label sets, columns of 0 and 1, are possible")
    if MULTILABEL not in tasks:
        raise ValueError(f"{method} is for {' and '.join(tasks)}, not for {MULTILABEL}")
    if not values.any():
        raise ValueError("no row has any label")
    return Labels(values.astype(np.uint8), names or tuple(str(k) for k in range(values.shape[1]))), known


def _column(y: object, n: int) -> tuple[np.ndarray, np.ndarray]:
    """(n,) values and which are known; strings stay strings."""
    if y is None:
        raise ValueError("these methods need a target: y is missing")
    if hasattr(y, "isna") and not isinstance(getattr(y, "dtype", None), np.dtype):  # of pandas, with its own unknowns
        y = np.where(y.isna(), None, np.asarray(y, dtype=object))
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"y must have one value, or one 0 or 1 for each label, a row, not shape {y.shape}")
    if len(y) != n:
        raise ValueError(f"X has {n} rows but y has {len(y)} values")
    if y.dtype.kind == "O":
        return _objects(y)
    if y.dtype.kind in "US":
        return y, y != y.dtype.type()
    if y.dtype.kind not in "fiub":
        raise ValueError(f"y must hold classes or numbers, not values of type {y.dtype}")
    known = ~np.isnan(y) if y.dtype.kind == "f" else np.ones(n, bool)
    if y.dtype.kind == "f" and np.isinf(y).any():
        raise ValueError("y has infinite values")
    return y, known


def _objects(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers in objects become numbers again; a mixture is compared as text."""
    known = np.array([v is not None and v == v and v != "" for v in y], bool)
    present = y[known]
    if all(isinstance(v, (bool, np.bool_)) for v in present):
        kind, rest = bool, False
    elif all(isinstance(v, (int, np.integer)) for v in present):
        kind, rest = np.int64, 0
    elif all(isinstance(v, (int, float, np.number)) for v in present):
        kind, rest = np.float64, np.nan
    else:
        kind, rest = str, ""
    out = np.array([kind(v) if k else rest for v, k in zip(y, known, strict=True)])
    if kind is np.float64 and np.isinf(out).any():
        raise ValueError("y has infinite values")
    return out, known


def _task(values: np.ndarray, tasks: tuple[str, ...], task: str | None, method: str) -> str:
    """What the caller says, else what the values look like, else what the method can do with them."""
    text, whole = values.dtype.kind in "US", values.dtype.kind in "iub"
    if not (text or whole):
        whole = bool((values == np.floor(values)).all())
    natural = REGRESSION if values.dtype.kind == "f" else CLASSIFICATION
    if task is not None and task not in TASKS:
        raise ValueError(f"unknown task {task!r}; choose from {', '.join(TASKS)}")
    kind = task or (natural if natural in tasks else tasks[0])
    if kind not in tasks:
        raise ValueError(f"{method} is for {' and '.join(tasks)}, not for {kind}")
    if kind == REGRESSION and text:
        raise ValueError(f"y holds texts; {method} needs numbers")
    if kind == CLASSIFICATION and natural == REGRESSION and not whole and task is None:
        raise ValueError(f"y holds numbers with fractions; {method} needs classes (strings, integers or bools)")
    return kind
