"""Targets of all tasks: their `difference` of two rows, and for classes the groups that neighbours come from."""

from typing import Any, cast

import numpy as np
from scipy import sparse

from .hierarchy import Hierarchy
from .tasks import SEVERAL


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
