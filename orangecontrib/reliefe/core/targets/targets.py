"""Contract of targets: the difference of two rows, and the groups that neighbours come from.

Each kind of target derives from `Target`, in a file of its own.  `reader.py` makes the one that fits a caller's y, and
methods use it through the members of `Target` alone.
"""

from typing import Any, NamedTuple, cast

import numpy as np
from scipy import sparse

from .hierarchy import Hierarchy
from .tasks import SEVERAL


class TargetColumns(NamedTuple):
    """Columns of a target.

    Attributes
    ----------
    values : (n, t) float64 array
        Numbers, labels, or codes of classes; NaN is unknown.
    nominal : (t,) bool array
        True for codes of classes.
    """

    values: np.ndarray
    nominal: np.ndarray


class MissRule(NamedTuple):
    """Rule that makes two rows a hit or a miss, for methods that know no degrees.

    Attributes
    ----------
    values : (n,) array
        A number of each row.
    width : float
        Difference of two numbers from which on the rows are a miss.
    """

    values: np.ndarray
    width: float

    def differs(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Return a mask of the pairs of rows that are misses; rows and cols are int arrays that broadcast."""
        return cast("np.ndarray", np.abs(self.values[rows] - self.values[cols]) >= self.width)


class Target:
    """Target of n rows.

    Attributes
    ----------
    task : str
        Name of the task, see `tasks.py`.
    n : int
        Number of rows.
    groups : (n,) int array, optional
        Classes that neighbours are taken from; None: all rows are one group.
    by_distance : bool
        True if differences depend on the distances of the rows.
    names : tuple
        Names of the classes, or of several targets.
    hierarchy : Hierarchy, optional
        Hierarchy of the labels; None: they have none.
    units : (t,) array, optional
        Powers of two, or ranges, that numbers were divided by; None: 1.
    origins : (t,) array, optional
        What was subtracted from numbers before; None: 0.
    has_label_sets : bool
        True if each row has a set of labels, all of which are known.
    is_residual : bool
        True for the part of a target that covariates leave.
    """

    task: str
    n: int
    groups: np.ndarray | None = None
    by_distance: bool = False
    names: tuple[Any, ...] = ()
    hierarchy: Hierarchy | None = None
    units: np.ndarray | None = None
    origins: np.ndarray | None = None
    has_label_sets: bool = False
    is_residual: bool = False

    @property
    def inner(self) -> "Target":
        """Target that this one wraps, as one with unknown rows or with covariates; this one if it wraps none."""
        return self

    @property
    def classes(self) -> np.ndarray:
        """Classes (n,) of a target that has them: its `groups`.  Raises ValueError for others."""
        if self.groups is None:
            raise ValueError(f"a target for {self.task} has no classes")
        return self.groups

    @property
    def columns(self) -> TargetColumns:
        """Columns of the t targets."""
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
        """Codes of the classes that occur in each of the t targets; None for numbers and labels."""
        columns = self.columns
        return [
            tuple(np.unique(column[~np.isnan(column)]).astype(int).tolist()) if nominal else None
            for column, nominal in zip(columns.values.T, columns.nominal, strict=True)
        ]

    @property
    def labelled(self) -> np.ndarray:
        """Mask (n,): True for rows with a known target."""
        return np.ones(self.n, bool)

    @property
    def counts(self) -> list[int]:
        """Number of rows in which a target is known, for each of the t targets."""
        n_targets = len(self.names) if self.task in SEVERAL else 1
        return [int(self.labelled.sum())] * n_targets

    def take(self, rows: np.ndarray) -> "Target":
        """Return the target of the chosen rows (indices), on the scale of all rows."""
        raise NotImplementedError

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        """Compute the target diff of pairs of rows.

        Parameters
        ----------
        rows, cols : int arrays that broadcast
            Indices of both rows of each pair.  cols may hold -1 (no row), for which any number will do.
        distances : array of the same shape
            Sums of the diffs of a pair over all features; only targets with `by_distance` read them.

        Returns
        -------
        array
            Differences in [0, 1]; NaN where they are unknown.
        """
        raise NotImplementedError

    @property
    def miss_rule(self) -> MissRule:
        """Rule that makes two rows a hit or a miss."""
        raise NotImplementedError

    def differs(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Return a mask of the pairs of rows that are misses; rows and cols are arrays that broadcast."""
        return self.miss_rule.differs(rows, cols)

    def for_features(self, p: int) -> "Target":
        """Return this target for rows with p features."""
        return self

    def measured(self, distance: str, coordinates: np.ndarray | None = None) -> "Target":
        """Return label sets with another distance, see `Labels`; other targets stay unchanged."""
        return self

    def part(self, number: int) -> "Target":
        """Return one of several targets, by its number from 0 on."""
        raise NotImplementedError
