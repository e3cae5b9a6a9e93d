"""Target of several columns of any kinds, some values of which may be unknown.

Label sets that are partly unknown are such columns, too; those that are known are `Labels`.
"""

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ..kernels.jit import kernel
from .hierarchy import Hierarchy
from .label_distances import SETS
from .scaling import spans
from .targets import Target, TargetColumns
from .tasks import MULTITARGET


@dataclass(frozen=True)
class MultiTarget(Target):
    """Several targets, some values of which may be unknown.

    Attributes
    ----------
    values : (n, t) float array
        Numbers less their origins over their ranges, labels, or codes of classes; NaN is unknown.
    nominal : (t,) bool array
        True for codes of classes.
    weights : (t,) array
        Weights of the targets in the difference of two rows.
    names : tuple
        Names of the targets.
    task : str
        MULTITARGET, MULTILABEL or HIERARCHICAL.
    hierarchy : Hierarchy, optional
        Hierarchy of the labels; None: they have none.
    distance : str, optional
        Measure of label sets, a name in SETS; None: the weighted mean difference, which is "hamming".
    scale : float
        Divisor of differences.
    units : (t,) array, optional
        Ranges that numbers were divided by, 1 for other targets; None: 1.
    origins : (t,) array, optional
        Least numbers, which were subtracted before, 0 for other targets; None: 0.
    """

    values: np.ndarray
    nominal: np.ndarray
    weights: np.ndarray
    names: tuple[Any, ...] = ()
    task: str = MULTITARGET
    hierarchy: Hierarchy | None = None
    distance: str | None = None
    scale: float = 1.0
    units: np.ndarray | None = None
    origins: np.ndarray | None = None

    @classmethod
    def measure(
        cls,
        values: np.ndarray,
        nominal: np.ndarray,
        names: tuple[Any, ...] = (),
        task: str = MULTITARGET,
        **more: Any,
    ) -> "MultiTarget":
        """Centre numbers, and divide them by their ranges in all rows of the data.

        Numbers far from 0, such as times in milliseconds, would lose digits if they were divided before.

        Parameters
        ----------
        values : (n, t) array
            Numbers, labels, and codes of classes; NaN is unknown.
        nominal : (t,) bool array
            True for codes of classes.
        names : tuple
            Names of the targets.
        task : str
            Name of the task.
        **more
            Other fields.

        Raises
        ------
        ValueError
            If numbers are too large for differences.
        """
        values = np.array(values, dtype=np.float64)
        units = np.where(nominal, 1.0, spans(values))
        origins = np.where(nominal, 0.0, np.nan_to_num(np.fmin.reduce(values, axis=0)))
        unit_values = (values - origins) / units
        return cls(unit_values, nominal, np.ones(values.shape[1]), names, task, units=units, origins=origins, **more)

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return len(self.values)

    @property
    def columns(self) -> TargetColumns:
        return TargetColumns(self.values, self.nominal)

    @property
    def label_matrix(self) -> np.ndarray | None:
        return None if self.task == MULTITARGET else self.values

    @property
    def counts(self) -> list[int]:
        return cast("list[int]", np.count_nonzero(~np.isnan(self.values), axis=0).tolist())

    def take(self, rows: np.ndarray) -> "MultiTarget":
        return replace(self, values=self.values[rows])

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        """Compute weighted mean differences, or distances of label sets, over the targets that both rows know."""
        rows, cols = np.broadcast_arrays(rows, cols)
        sums = np.empty((3, *rows.shape))
        x = rows.ravel().astype(np.int64, copy=False)
        y = cols.ravel().astype(np.int64, copy=False)
        _add_targets(self.values, self.nominal, self.weights, x, y, sums.reshape(3, -1))
        differing, shared, known_weight = sums
        is_known = known_weight > 0
        size_of_all = np.where(is_known, known_weight, 1)
        measure = SETS[self.distance or "hamming"]
        return np.where(is_known, measure(shared, differing + 2 * shared, size_of_all), np.nan) / self.scale

    def stretched(self) -> "MultiTarget":
        """Return these targets on the scale on which the largest difference of two rows is 1."""
        rows = np.unique(self.values, axis=0)
        distinct = replace(self, values=rows)
        largest = 0.0
        for row in range(len(rows)):
            differences = distinct.difference(np.array([row]), np.arange(row, len(rows)), np.zeros(1))
            largest = max(largest, np.fmax.reduce(differences, initial=0.0))
        return replace(self, scale=float(largest) or 1.0)

    def part(self, number: int) -> "MultiTarget":
        column = slice(number, number + 1)
        return MultiTarget(self.values[:, column], self.nominal[column], np.ones(1), self.names[column], self.task)


@kernel
def _add_targets(values, nominal, weights, rows, cols, out):
    """Add up over the targets t that both rows x and y of a pair b know: out (3, b).

    out[0] = sum of w_t diff(x_t, y_t), where diff is 0 or 1 for classes and |x_t - y_t| for others
    out[1] = sum of w_t x_t y_t
    out[2] = sum of w_t
    """
    for b in range(len(rows)):
        x = values[rows[b]]
        y = values[cols[b]]
        differing = 0.0
        shared = 0.0
        known_weight = 0.0
        for t in range(len(weights)):
            diff = abs(x[t] - y[t])
            if diff == diff:
                known_weight += weights[t]
                differing += weights[t] * ((1.0 if diff > 0 else 0.0) if nominal[t] else diff)
                shared += weights[t] * x[t] * y[t]
        out[0, b] = differing
        out[1, b] = shared
        out[2, b] = known_weight
