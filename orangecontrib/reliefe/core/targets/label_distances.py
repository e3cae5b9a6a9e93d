"""Distances of two label sets, by their sizes or by coordinates.

`labels.py` and `multi.py` call the measures of SETS with the weights of labels that two sets share, and `labels.py`
those of COORDINATES with the coordinates of two rows.
"""

from collections.abc import Callable
from typing import cast

import numpy as np


def f1(shared: np.ndarray, both_sizes: np.ndarray, size_of_all: float) -> np.ndarray:
    """1 - 2 |a & b| / (|a| + |b|); two empty sets are equal."""
    return np.where(both_sizes > 0, 1 - 2 * shared / np.where(both_sizes > 0, both_sizes, 1), 0.0)


def accuracy(shared: np.ndarray, both_sizes: np.ndarray, size_of_all: float) -> np.ndarray:
    """1 - |a & b| / |a | b| (Jaccard); two empty sets are equal."""
    return np.where(both_sizes > 0, 1 - shared / np.where(both_sizes > 0, both_sizes - shared, 1), 0.0)


def subset(shared: np.ndarray, both_sizes: np.ndarray, size_of_all: float) -> np.ndarray:
    """1 unless the sets are equal (the paper's Table 1 has it the other way round: a similarity)."""
    return cast("np.ndarray", (both_sizes - 2 * shared > 1e-9 * size_of_all).astype(float))


def hamming(shared: np.ndarray, both_sizes: np.ndarray, size_of_all: float) -> np.ndarray:
    """Share of the labels in which the sets differ."""
    return cast("np.ndarray", np.maximum(both_sizes - 2 * shared, 0) / size_of_all)


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
    t_a = np.sqrt(1 + (a * a).sum(axis=-1))
    t_b = np.sqrt(1 + (b * b).sum(axis=-1))
    dt = ((a * a).sum(axis=-1) - (b * b).sum(axis=-1)) / (t_a + t_b)
    return np.asarray(2 * np.arcsinh(np.sqrt(np.maximum(((a - b) ** 2).sum(axis=-1) - dt * dt, 0)) / 2))


# Measures of two label sets: called with the weight of the labels that they share, the sum of the weights of both, and
# the weight of all labels, they return differences, 0 where the sets are equal.
SETS: dict[str, Callable[..., np.ndarray]] = {"f1": f1, "hamming": hamming, "accuracy": accuracy, "subset": subset}
# Measures of the coordinates (..., d) of two rows
COORDINATES: dict[str, Callable[..., np.ndarray]] = {"cosine": cosine, "hyperbolic": hyperbolic}
DISTANCES = (*SETS, *COORDINATES)
