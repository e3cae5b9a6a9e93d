"""Lists of the neighbours of rows: what neighbourhoods produce and updates read."""

from dataclasses import dataclass
from typing import cast

import numpy as np


@dataclass(frozen=True)
class Neighbours:
    """Neighbours of some rows, in groups."""

    rows: np.ndarray  # (b,): rows whose neighbours these are
    # (b, G, k): neighbours in each of G groups, sorted by distance (in single precision by row, where their order does
    # not matter); -1 where there is none
    cols: np.ndarray
    distances: np.ndarray  # (b, G, k): distances of the neighbours
    # (b, G, k): weights that sum to 1 in each group that has a neighbour, so that the weighted mean of diffs is the
    # group's mean diff; None before `weigh`
    weights: np.ndarray | None = None

    def __getitem__(self, block: slice | np.ndarray) -> "Neighbours":
        weights = None if self.weights is None else self.weights[block]
        return Neighbours(self.rows[block], self.cols[block], self.distances[block], weights)

    @property
    def shares(self) -> np.ndarray:
        """Weights (b, G, k) of lists that are weighed."""
        if self.weights is None:
            raise ValueError("lists of neighbours have no weights before they are weighed")
        return self.weights

    def cut(self, k: int, rows: np.ndarray | slice = slice(None)) -> "Neighbours":
        """The k nearest of each group, of some of the rows (b,), not weighed."""
        return Neighbours(self.rows[rows], self.cols[rows, :, :k], self.distances[rows, :, :k])

    @property
    def present(self) -> np.ndarray:
        """Groups that have a neighbour, (b, G) bool."""
        return cast("np.ndarray", (self.cols >= 0).any(axis=2))

    @property
    def counts(self) -> np.ndarray:
        """Numbers of neighbours, (b, G)."""
        return cast("np.ndarray", (self.cols >= 0).sum(axis=2))

    def weigh(self, sigma: float | None = None) -> "Neighbours":
        """The same lists with weights: equal ones, or exp(-(rank / sigma)^2), where equal distances share the lowest
        rank."""
        w = (self.cols >= 0).astype(float)
        if sigma is not None:
            ranks = np.arange(1, w.shape[2] + 1)
            fresh = np.diff(np.where(self.cols >= 0, self.distances, 0), axis=2, prepend=-1) != 0
            ranks = np.maximum.accumulate(np.where(fresh, ranks, 0), axis=2)
            # less the first exponent, which cancels: a small sigma must not make all weights 0
            w *= np.exp((1.0 - ranks**2) / sigma**2)
        total = w.sum(axis=2, keepdims=True)
        return Neighbours(self.rows, self.cols, self.distances, w / np.where(total > 0, total, 1))


def chosen(rows: np.ndarray, weights: np.ndarray, distances: np.ndarray) -> Neighbours:
    """Lists of the columns that weigh something.

    Shapes: `rows` (b,); `weights` (b, G, n); `distances` (b, n).
    """
    k = max(int((weights != 0).sum(axis=2).max()), 1)
    cols = np.argsort(weights == 0, axis=2, kind="stable")[:, :, :k]
    w = np.take_along_axis(weights, cols, axis=2)
    total = np.abs(w).sum(axis=2, keepdims=True)
    near = np.take_along_axis(np.broadcast_to(distances[:, None], weights.shape), cols, axis=2)
    return Neighbours(rows, np.where(w != 0, cols, -1), near, w / np.where(total > 0, total, 1))
