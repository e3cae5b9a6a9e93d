"""Several targets, of any mixture of kinds, and label sets, where some values may be unknown."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ..kernels.jit import kernel
from .hierarchy import Hierarchy
from .labels import SETS, Labels
from .targets import MULTITARGET, PartlyLabelled, Target, spans


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


def with_label_weights(target: Target, values: Mapping[str, Any], known: np.ndarray | None = None) -> Target:
    """Target with a distance of label sets and the weights of a hierarchy.

    Labels that no row has weigh nothing, so that with gamma = "sum" the largest possible difference is 1.

    Petkovic, Dzeroski and Kocev (2020), arXiv:2008.03937, section 4.
    """
    if isinstance(target, PartlyLabelled):
        return replace(target, target=with_label_weights(target.target, values, target.labelled))
    if isinstance(target, Labels):
        target = target.measured(values["target_distance"])
    if isinstance(target, MultiTarget) and target.task != MULTITARGET:
        target = replace(target, distance=values["target_distance"])
    if not isinstance(target, Labels | MultiTarget) or target.hierarchy is None:
        return target
    alpha = target.hierarchy.weights(values["label_decay"], values["label_weights"])
    if isinstance(target, Labels):
        return target.weighted(alpha, values["gamma"], known)
    target = replace(target, weights=alpha * (np.nan_to_num(target.values) == 1).any(axis=0))
    return target.stretched() if (values["gamma"], target.distance) == ("max", "hamming") else target
