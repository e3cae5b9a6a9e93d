"""Label sets: what it means that two rows have different labels."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from .targets import MULTILABEL, Target

ROOM = 2**22  # cells of label pairs that are compared at once

# (labels of one row, labels of another) -> difference; arrays (..., L) that broadcast, 0 where they are equal.


def _overlap(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Labels in both, and the sum of the labels of each."""
    return (a & b).sum(axis=-1, dtype=np.int64), a.sum(axis=-1, dtype=np.int64) + b.sum(axis=-1, dtype=np.int64)


def f1(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """1 - 2 |a & b| / (|a| + |b|); two empty sets are equal."""
    both, each = _overlap(a, b)
    return np.where(each > 0, 1 - 2 * both / np.maximum(each, 1), 0.0)


def accuracy(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """1 - |a & b| / |a | b| (Jaccard); two empty sets are equal."""
    both, each = _overlap(a, b)
    return np.where(each > 0, 1 - both / np.maximum(each - both, 1), 0.0)


def subset(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """1 unless the sets are equal (the paper's Table 1 has it the other way round: a similarity)."""
    return (a != b).any(axis=-1).astype(float)


def hamming(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Share of the labels in which the sets differ."""
    return (a != b).mean(axis=-1)


def cosine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(1 - cos) / 2 of coordinates, in [0, 1]; 1/2 where one is zero."""
    norms = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    cos = np.where(norms > 0, (a * b).sum(axis=-1) / np.where(norms > 0, norms, 1), 0.0)
    return np.clip((1 - cos) / 2, 0, 1)


def hyperbolic(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Distance on the hyperboloid of points with spatial coordinates a and b, lifted to t = sqrt(1 + |z|^2).

    2 arcsinh(sqrt(|a - b|^2 - (t_a - t_b)^2) / 2) is arccosh of their Minkowski product without its cancellation for
    near points.  The paper leaves out the lift: then the product is no distance at all.
    """
    ta, tb = (np.sqrt(1 + (z * z).sum(axis=-1)) for z in (a, b))
    dt = ((a * a).sum(axis=-1) - (b * b).sum(axis=-1)) / (ta + tb)
    return 2 * np.arcsinh(np.sqrt(np.maximum(((a - b) ** 2).sum(axis=-1) - dt * dt, 0)) / 2)


SETS: dict[str, Callable] = {"f1": f1, "hamming": hamming, "accuracy": accuracy, "subset": subset}
COORDINATES: dict[str, Callable] = {"cosine": cosine, "hyperbolic": hyperbolic}
DISTANCES = (*SETS, *COORDINATES)


@dataclass(frozen=True)
class Labels(Target):
    """values (n, L) uint8 of 0 and 1.

    distance: name in DISTANCES; coordinates (n, d): of the rows' label sets, for the two that are measured on them;
    scale: what distances are divided by.
    """

    values: np.ndarray
    names: tuple = ()
    distance: str = "f1"
    coordinates: np.ndarray | None = field(default=None, repr=False)
    scale: float = 1.0
    origin: np.ndarray | None = field(default=None, repr=False)  # (n,) rows as they were first numbered
    task = MULTILABEL

    def take(self, rows: np.ndarray) -> "Labels":
        points = None if self.coordinates is None else self.coordinates[rows]
        origin = rows if self.origin is None else self.origin[rows]
        return replace(self, values=self.values[rows], coordinates=points, origin=origin)

    def measured(self, distance: str, coordinates: np.ndarray | None = None) -> "Labels":
        """The same label sets with another distance; hyperbolic ones are divided by twice the largest radius.

        coordinates (n, d): in the first order of the rows.
        """
        scale = 1.0
        if coordinates is not None and self.origin is not None:
            coordinates = coordinates[self.origin]
        if distance == "hyperbolic":
            radius = np.arccosh(np.sqrt(1 + (coordinates**2).sum(axis=1))).max()
            scale = float(2 * radius) if radius > 0 else 1.0
        return replace(self, distance=distance, coordinates=coordinates, scale=scale)

    def label(self, number: int) -> "Labels":
        """One label alone."""
        return Labels(self.values[:, number : number + 1], self.names[number : number + 1], "hamming")

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        rows, cols = np.broadcast_arrays(rows, cols)
        data = self.values if self.coordinates is None else self.coordinates
        measure = {**SETS, **COORDINATES}[self.distance]
        out, step = np.empty(rows.size), max(ROOM // data.shape[1], 1)
        for start in range(0, rows.size, step):
            block = slice(start, start + step)
            out[block] = measure(data[rows.ravel()[block]], data[cols.ravel()[block]])
        return out.reshape(rows.shape) / self.scale

    def differs(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        return self.difference(rows, cols, np.zeros(())) > 0

    @property
    def sets(self) -> np.ndarray:
        """(n,) number of each row's label set in the sorted list of those that occur."""
        return np.unique(self.values, axis=0, return_inverse=True)[1].ravel()
