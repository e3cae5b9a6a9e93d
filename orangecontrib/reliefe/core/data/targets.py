"""Targets: what tells the tasks apart is their `difference`, and for classes the groups that neighbours come from."""

from dataclasses import dataclass

import numpy as np

CLASSIFICATION, REGRESSION, MULTILABEL = TASKS = ("classification", "regression", "multi-label")


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
