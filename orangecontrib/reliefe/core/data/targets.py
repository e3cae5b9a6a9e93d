"""Targets: what tells the tasks apart is their `difference`, and for classes the groups that neighbours come from."""

from dataclasses import dataclass

import numpy as np

CLASSIFICATION, REGRESSION = TASKS = ("classification", "regression")


class Target:
    """What is predicted, for n rows.

    `task` names the kind.  `groups` (n,): the classes that neighbours are taken from; None: all rows are one group.
    """

    task: str
    groups: np.ndarray | None = None

    def take(self, rows: np.ndarray) -> "Target":
        """The target of the chosen rows, on the scale of all rows."""
        raise NotImplementedError

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        """Target diff of pairs, in [0, 1]; arrays that broadcast.  `distances` are mean diffs over the features."""
        raise NotImplementedError

    def differs(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Which pairs are misses (bool) where a rule knows hits and misses only; arrays that broadcast."""
        raise NotImplementedError


@dataclass(frozen=True)
class Classes(Target):
    """codes (n,) int32: 0, 1, ... in the order of `names`, the sorted values that occur."""

    codes: np.ndarray
    names: tuple = ()
    task = CLASSIFICATION

    @property
    def groups(self) -> np.ndarray:
        return self.codes

    def take(self, rows: np.ndarray) -> "Classes":
        return Classes(self.codes[rows], self.names)

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        return self.differs(rows, cols).astype(float)

    def differs(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        return self.codes[rows] != self.codes[cols]


@dataclass(frozen=True)
class Numbers(Target):
    """values (n,) float; `span` = max - min and `width` = standard deviation (ddof 1) of all rows of the data."""

    values: np.ndarray
    span: float
    width: float
    task = REGRESSION

    @classmethod
    def measure(cls, values: np.ndarray) -> "Numbers":
        """From all rows of the data."""
        return cls(values, float(np.ptp(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0)

    def take(self, rows: np.ndarray) -> "Numbers":
        return Numbers(self.values[rows], self.span, self.width)

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        return np.abs(self.values[rows] - self.values[cols]) / (self.span if self.span > 0 else 1)

    def differs(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        return np.abs(self.values[rows] - self.values[cols]) >= self.width


def read_target(
    y: object, n: int, tasks: tuple[str, ...] = TASKS, task: str | None = None, method: str = "this method"
) -> tuple[Target, np.ndarray]:
    """y -> the target of the rows where it is known, and which rows these are, (n,) bool.

    y (n,): bools, integers, strings and categories are classes, floats are numbers, unless `task` says otherwise, or
    `tasks` has the other one only: then integers may be numbers, and floats without fractions classes.
    NaN, None and "" are unknown.  Raises ValueError when y does not fit.
    """
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
        raise ValueError(
            f"y must have one value for each row, not shape {y.shape}: several targets are not supported yet"
        )
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
