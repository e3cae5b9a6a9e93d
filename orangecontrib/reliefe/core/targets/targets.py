"""Targets of all tasks: their `difference` of two rows, and for classes the groups that neighbours come from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from scipy import sparse

from .hierarchy import Hierarchy

CLASSIFICATION, REGRESSION, MULTILABEL, MULTITARGET, HIERARCHICAL, UNSUPERVISED = TASKS = (
    "classification", "regression", "multi-label", "multi-target", "hierarchical", "unsupervised",
)  # fmt: skip
SURVIVAL = "survival"  # times with censoring, which few methods take
# Largest absolute values of a numeric target outside of which squares would overflow, or have fewer digits
SMALLEST, LARGEST = 2.0**-500, 2.0**500
EDGE = 1e-12  # share of the standard deviation that rounding may cost: numbers so far apart differ by all of it
SEVERAL = (MULTITARGET, MULTILABEL, HIERARCHICAL)  # tasks with more than one value a row

CLASSES, NUMBERS, LABELS = "classes", "numbers", "labels"  # kinds of one column; labels are 0 and 1, or two categories


def natural_task(kinds: Sequence[str], hierarchical: bool = False) -> str:
    """Task that columns of these kinds are for unless somebody says otherwise."""
    if not kinds:
        return UNSUPERVISED
    if len(kinds) == 1:
        return REGRESSION if kinds[0] == NUMBERS else CLASSIFICATION
    if any(kind != LABELS for kind in kinds):
        return MULTITARGET
    return HIERARCHICAL if hierarchical else MULTILABEL


def spans(values: np.ndarray) -> np.ndarray:
    """(t,) ranges of the columns of values (n, t), 1 for constant and for unknown ones.

    Raises ValueError where they are too large for differences.
    """
    low, high = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    with np.errstate(over="ignore"):
        out = high - low
    if np.isinf(out).any():
        raise ValueError("y has far too large values")
    return np.where(out > 0, out, 1.0)


def scaled(column: np.ndarray) -> tuple[np.ndarray, int]:
    """A column over a power of two, so that no value is beyond 1 and no digit is lost; and that power."""
    power = int(np.frexp(np.fmax.reduce(np.abs(column), initial=0.0))[1])
    return np.ldexp(column, -power), power


class Target:
    """Target of n rows.

    `task` names the kind.  `groups` (n,): the classes that neighbours are taken from; None: all rows are one group.
    `by_distance`: whether differences depend on the distances of the rows.  `names` of classes, or of several targets.
    `has_label_sets`: whether each row has a set of labels, all of which are known.  `is_residual`: whether it is the
    part of a target that covariates leave.
    """

    task: str
    n: int
    groups: np.ndarray | None = None
    by_distance: bool = False
    names: tuple[Any, ...] = ()
    hierarchy: Hierarchy | None = None
    units: np.ndarray | None = None
    has_label_sets: bool = False
    is_residual: bool = False

    @property
    def inner(self) -> "Target":
        """Target without the mark of the rows in which it is known."""
        return self

    @property
    def classes(self) -> np.ndarray:
        """Classes (n,), of a target that has them: its `groups`."""
        if self.groups is None:
            raise ValueError(f"a target for {self.task} has no classes")
        return self.groups

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        """Values (n, t) float64 of the t targets, codes where nominal, NaN = unknown, and nominal (t,) bool."""
        raise NotImplementedError

    @property
    def label_matrix(self) -> np.ndarray | sparse.csr_array | None:
        """Labels (n, L) of 0, 1 and NaN (unknown), dense or CSR; None for all other kinds of targets."""
        return None

    @property
    def sets(self) -> np.ndarray | None:
        """Number (n,) of each row's label set, where rows have one; None for all other kinds of targets."""
        return None

    @property
    def levels(self) -> list[tuple[int, ...] | None]:
        """Codes of the classes that occur, of each of the t targets; None where it is a number or a label."""
        return [
            tuple(np.unique(column[~np.isnan(column)]).astype(int).tolist()) if nominal else None
            for column, nominal in zip(self.columns[0].T, self.columns[1], strict=True)
        ]

    @property
    def labelled(self) -> np.ndarray:
        """(n,) bool: which rows have a known target."""
        return np.ones(self.n, bool)

    @property
    def counts(self) -> list[int]:
        """Number of rows in which each of several targets, or the one, is known."""
        return [int(self.labelled.sum())] * (len(self.names) if self.task in SEVERAL else 1)

    def take(self, rows: np.ndarray) -> "Target":
        """The target of the chosen rows, on the scale of all rows."""
        raise NotImplementedError

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        """Target diff of pairs, in [0, 1], NaN where it is unknown; arrays that broadcast.

        cols may hold -1 (nobody), for which any number will do.  distances: sums of diffs over all features.
        """
        raise NotImplementedError

    @property
    def steps(self) -> tuple[np.ndarray, float]:
        """Values (n,) of the rows, and how far apart those of two rows are, at least, that are misses, where a rule
        knows hits and misses only."""
        raise NotImplementedError

    def differs(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Mask of pairs that are misses; arrays that broadcast."""
        values, width = self.steps
        return cast("np.ndarray", np.abs(values[rows] - values[cols]) >= width)

    def for_features(self, p: int) -> "Target":
        """The same target where rows have p features."""
        return self

    def measured(self, distance: str, coordinates: np.ndarray | None = None) -> "Target":
        """Target with another distance of label sets; see `Labels`. Further targets stay unchanged."""
        return self

    def part(self, number: int) -> "Target":
        """One of several targets alone."""
        raise NotImplementedError


@dataclass(frozen=True)
class Classes(Target):
    """codes (n,) int32: 0, 1, ... in the order of `names`, the sorted values that occur."""

    codes: np.ndarray
    names: tuple[Any, ...] = ()
    task = CLASSIFICATION

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return len(self.codes)

    @property
    def groups(self) -> np.ndarray:  # type: ignore[override]  # others are given it, this one follows from the rest
        return self.codes

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        return self.codes[:, None].astype(np.float64), np.ones(1, bool)

    def take(self, rows: np.ndarray) -> "Classes":
        return Classes(self.codes[rows], self.names)

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        return self.differs(rows, cols).astype(float)

    @property
    def steps(self) -> tuple[np.ndarray, float]:
        return self.codes, 1.0


@dataclass(frozen=True)
class Numbers(Target):
    """values (n,) float; `span`: the range, 1 for a constant, and `width`: the standard deviation (ddof 1), of all rows
    of the data.

    units (1,): power of two that values, span and width were divided by; None: 1.
    """

    values: np.ndarray
    span: float
    width: float
    units: np.ndarray | None = None
    task = REGRESSION

    @classmethod
    def measure(cls, values: np.ndarray) -> "Numbers":
        """Read values of all rows of the data; NaN is unknown.

        Values whose squares would overflow or have fewer digits are divided by a power of two, which changes no digit.
        Raises ValueError where they are too large for differences.
        """
        known, span = values[~np.isnan(values)], float(spans(values[:, None])[0])
        largest = float(np.abs(known).max(initial=0.0))
        if largest > 0 and not SMALLEST <= largest <= LARGEST:
            power = int(np.frexp(largest)[1]) - 1
            return replace(cls.measure(np.ldexp(values, -power)), units=np.ldexp(np.ones(1), power))
        known, power = scaled(known / span)
        return cls(values, span, float(np.ldexp(np.std(known, ddof=1), power)) * span if len(known) > 1 else 0.0)

    def weighted(self, weights: np.ndarray) -> "Numbers":
        """Return the target with the standard deviation of rows that have weights (n,); all values are known.

        It is sqrt(sum w (y - mean)^2 / (sum w - 1)), as if each row were given w times.
        """
        return replace(self, width=_weighted_deviation(self.values, weights))

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return len(self.values)

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        return self.values[:, None], np.zeros(1, bool)

    def take(self, rows: np.ndarray) -> "Numbers":
        return replace(self, values=self.values[rows])

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        return cast("np.ndarray", np.abs(self.values[rows] - self.values[cols]) / self.span)

    @property
    def steps(self) -> tuple[np.ndarray, float]:
        return self.values, self.width * (1 - EDGE)


def _weighted_deviation(values: np.ndarray, weights: np.ndarray) -> float:
    """Standard deviation of known values (n,), each of which counts as so many rows as its weight."""
    unit, power = scaled(values)
    mean = np.average(unit, weights=weights)
    squares = float((weights * (unit - mean) ** 2).sum())
    return float(np.ldexp(np.sqrt(squares / (weights.sum() - 1)), power))


@dataclass(frozen=True)
class Unlabelled(Target):
    """No target: rows differ in it as much as they do in the mean of their p features (URelief)."""

    n: int
    p: int
    task = UNSUPERVISED
    by_distance = True

    @property
    def labelled(self) -> np.ndarray:
        return np.zeros(self.n, bool)

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        return np.empty((self.n, 0)), np.zeros(0, bool)

    def take(self, rows: np.ndarray) -> "Unlabelled":
        return Unlabelled(len(np.arange(self.n)[rows]), self.p)

    def for_features(self, p: int) -> "Unlabelled":
        return replace(self, p=p)

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        return distances / self.p


@dataclass(frozen=True)
class PartlyLabelled(Target):
    """A target that some rows lack, known (n,) bool, or some pairs: these differ by the mean of their p features.

    A row is labelled if one value of it is known at least (semi-supervised paper, section 5; its code `isUnlabeled`).
    """

    target: Target
    known: np.ndarray
    p: int
    by_distance = True

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return len(self.known)

    @property
    def inner(self) -> Target:
        return self.target

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        values, nominal = self.target.columns
        values = values.copy(order="K")
        values[~self.known] = np.nan
        return values, nominal

    @property
    def labelled(self) -> np.ndarray:
        return self.known

    @property
    def task(self) -> str:  # type: ignore[override]  # others are given it, this one follows from the rest
        return self.target.task

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # others are given it, this one follows from the rest
        return self.target.names

    @property
    def counts(self) -> list[int]:
        return self.target.take(np.flatnonzero(self.known)).counts

    def take(self, rows: np.ndarray) -> "PartlyLabelled":
        return replace(self, target=self.target.take(rows), known=self.known[rows])

    def for_features(self, p: int) -> "PartlyLabelled":
        return replace(self, p=p)

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        known = self.target.difference(rows, cols, distances)
        both = self.known[rows] & self.known[cols] & ~np.isnan(known)
        return np.where(both, known, distances / self.p)

    def part(self, number: int) -> "PartlyLabelled":
        return replace(self, target=self.target.part(number))
