"""Several targets, of any mixture of kinds, and label sets, where some values may be unknown."""

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ..kernels.jit import kernel
from .hierarchy import Hierarchy
from .label_distances import SETS
from .scaling import spans
from .targets import Target
from .tasks import MULTITARGET


@dataclass(frozen=True)
class MultiTarget(Target):
    """Several targets, some values of which may be unknown."""

    values: np.ndarray
    nominal: np.ndarray
    weights: np.ndarray
    names: tuple[Any, ...] = ()
    task: str = MULTITARGET
    hierarchy: Hierarchy | None = None
    distance: str | None = None
    scale: float = 1.0
    units: np.ndarray | None = None

    @classmethod
    def measure(
        cls,
        values: np.ndarray,
        nominal: np.ndarray,
        names: tuple[Any, ...] = (),
        task: str = MULTITARGET,
        **more: Any,
    ) -> "MultiTarget":
        """Read values (n, t) of all rows of the data; numbers are divided by their range, unless they are constant."""
        values = np.array(values, dtype=np.float64)
        units = np.where(nominal, 1.0, spans(values))
        return cls(values / units, nominal, np.ones(values.shape[1]), names, task, units=units, **more)

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return len(self.values)

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        return self.values, self.nominal

    @property
    def label_matrix(self) -> np.ndarray | None:
        return None if self.task == MULTITARGET else self.values

    @property
    def counts(self) -> list[int]:
        return cast("list[int]", np.count_nonzero(~np.isnan(self.values), axis=0).tolist())

    def take(self, rows: np.ndarray) -> "MultiTarget":
        return replace(self, values=self.values[rows])

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        """Weighted mean over the components that both rows know."""
        rows, cols = np.broadcast_arrays(rows, cols)
        sums = np.empty((3, *rows.shape))
        _sums(self.values, self.nominal, self.weights, rows.ravel(), cols.ravel(), sums.reshape(3, -1))
        differing, both, known = sums
        whole = np.where(known > 0, known, 1)
        measure = SETS[self.distance or "hamming"]  # which is the mean difference
        return np.where(known > 0, measure(both, differing + 2 * both, whole), np.nan) / self.scale

    def stretched(self) -> "MultiTarget":
        """Same targets, on the scale on which the largest difference of two rows is 1."""
        rows = np.unique(self.values, axis=0)
        distinct, largest = replace(self, values=rows), 0.0
        for row in range(len(rows)):
            found = distinct.difference(np.array([row]), np.arange(row, len(rows)), np.zeros(1))
            largest = max(largest, np.fmax.reduce(found, initial=0.0))
        return replace(self, scale=float(largest) or 1.0)

    def part(self, number: int) -> "MultiTarget":
        one = slice(number, number + 1)
        parts = self.values[:, one], self.nominal[one], np.ones(1), self.names[one]
        return MultiTarget(*parts, self.task)


@kernel
def _sums(values, nominal, weights, rows, cols, out):
    """out (3, b): weighted sums of differences and of products, and the weight of values known in both rows."""
    for b in range(len(rows)):
        x, y, differing, both, known = values[rows[b]], values[cols[b]], 0.0, 0.0, 0.0
        for t in range(len(weights)):
            diff = abs(x[t] - y[t])
            if diff == diff:
                known += weights[t]
                differing += weights[t] * ((1.0 if diff > 0 else 0.0) if nominal[t] else diff)
                both += weights[t] * x[t] * y[t]
        out[0, b], out[1, b], out[2, b] = differing, both, known
