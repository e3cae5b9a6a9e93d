"""Distances of two label sets, by their sizes or by coordinates."""

from collections.abc import Callable
from typing import cast

import numpy as np


def f1(both: np.ndarray, each: np.ndarray, all_: float) -> np.ndarray:
    """1 - 2 |a & b| / (|a| + |b|); two empty sets are equal."""
    return np.where(each > 0, 1 - 2 * both / np.where(each > 0, each, 1), 0.0)


def accuracy(both: np.ndarray, each: np.ndarray, all_: float) -> np.ndarray:
    """1 - |a & b| / |a | b| (Jaccard); two empty sets are equal."""
    return np.where(each > 0, 1 - both / np.where(each > 0, each - both, 1), 0.0)


def subset(both: np.ndarray, each: np.ndarray, all_: float) -> np.ndarray:
    """1 unless the sets are equal (the paper's Table 1 has it the other way round: a similarity)."""
    return cast("np.ndarray", (each - 2 * both > 1e-9 * all_).astype(float))


def hamming(both: np.ndarray, each: np.ndarray, all_: float) -> np.ndarray:
    """Share of the labels in which the sets differ."""
    return cast("np.ndarray", np.maximum(each - 2 * both, 0) / all_)


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
    return np.asarray(2 * np.arcsinh(np.sqrt(np.maximum(((a - b) ** 2).sum(axis=-1) - dt * dt, 0)) / 2))


# (what the sets share, the sum of both sizes, the size of the set of all labels) -> difference, 0 where they are equal.
SETS: dict[str, Callable[..., np.ndarray]] = {"f1": f1, "hamming": hamming, "accuracy": accuracy, "subset": subset}
COORDINATES: dict[str, Callable[..., np.ndarray]] = {"cosine": cosine, "hyperbolic": hyperbolic}
DISTANCES = (*SETS, *COORDINATES)
