"""Lists of the neighbours of rows, which neighbourhoods produce and updates weigh."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np


@dataclass(frozen=True)
class Neighbours:
    """Neighbours of some rows, in groups.

    Attributes
    ----------
    rows : (b,) int array
        Rows whose neighbours these are.
    cols : (b, G, k) int array
        Neighbours in each of G groups; -1 where there is none. Sorted by distance if the search was asked for order
        (``find(ordered=True)``), else by row, or as `chosen` listed them.
    distances : (b, G, k) array
        Distances of the neighbours: exact ones if the search was asked for order, else partly from steps.
    weights : (b, G, k) array, optional
        Weights, which sum to 1 in each group that has a neighbour, so that the weighted mean of diffs is the mean diff
        of the group. Where rows have weights, they sum to that of the row. The absolute values of signed weights sum to
        1. None before `weigh`.
    """

    rows: np.ndarray
    cols: np.ndarray
    distances: np.ndarray
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

    def nearest(self, k: int) -> "Neighbours":
        """Return the k nearest of each group, of lists that are sorted by distance, not weighed."""
        return Neighbours(self.rows, self.cols[:, :, :k], self.distances[:, :, :k])

    @property
    def present(self) -> np.ndarray:
        """Mask (b, G): True for groups that have a neighbour."""
        return cast("np.ndarray", (self.cols >= 0).any(axis=2))

    @property
    def counts(self) -> np.ndarray:
        """Numbers (b, G) of neighbours."""
        return cast("np.ndarray", (self.cols >= 0).sum(axis=2))

    def weigh(self, sigma: float | None = None) -> "Neighbours":
        """Return the same lists with weights: equal ones, or exp(-(rank / sigma)^2).

        Equal distances share the lowest rank.
        """
        w = (self.cols >= 0).astype(float)
        if sigma is not None:
            ranks = np.arange(1, w.shape[2] + 1)
            distances = np.where(self.cols >= 0, self.distances, 0)
            is_farther = np.diff(distances, axis=2, prepend=-1) != 0
            ranks = np.maximum.accumulate(np.where(is_farther, ranks, 0), axis=2)
            # Less the first exponent, which cancels: a small sigma must not make all weights 0
            w *= np.exp((1.0 - ranks**2) / squared(sigma))
        total = w.sum(axis=2, keepdims=True)
        return Neighbours(self.rows, self.cols, self.distances, w / np.where(total > 0, total, 1))


def joined(blocks: Sequence[Neighbours]) -> Neighbours:
    """Join weighed lists of different rows, which become as long as the longest; sorted by row."""
    rows = np.concatenate([block.rows for block in blocks])
    n_groups = blocks[0].cols.shape[1]
    longest = max(block.cols.shape[2] for block in blocks)
    shape = len(rows), n_groups, longest
    cols = np.full(shape, -1)
    distances = np.full(shape, np.inf)
    weights = np.zeros(shape)
    first = 0
    for block in blocks:
        cells_of_block = slice(first, first + len(block.rows)), slice(None), slice(block.cols.shape[2])
        cols[cells_of_block] = block.cols
        distances[cells_of_block] = block.distances
        weights[cells_of_block] = block.shares
        first += len(block.rows)
    return Neighbours(rows, cols, distances, weights)[np.argsort(rows)]


def squared(sigma: float) -> float:
    """Square sigma, cut to a range outside of which weights do not change, so that the square is not 0 or infinite."""
    return min(max(sigma, 1e-100), 1e100) ** 2


def chosen(rows: np.ndarray, weights: np.ndarray, distances: np.ndarray) -> Neighbours:
    """Return lists of the columns that weigh something, in the order of the columns.

    Parameters
    ----------
    rows : (b,) int array
    weights : (b, G, n) array
        Weights of all columns in each group, which the lists have as shares.
    distances : (b, n) array
    """
    k = max(int((weights != 0).sum(axis=2).max()), 1)
    cols = np.argsort(weights == 0, axis=2, kind="stable")[:, :, :k]
    listed_weights = np.take_along_axis(weights, cols, axis=2)
    listed_distances = np.take_along_axis(np.broadcast_to(distances[:, None], weights.shape), cols, axis=2)
    total = np.abs(listed_weights).sum(axis=2, keepdims=True)
    shares = listed_weights / np.where(total > 0, total, 1)
    return Neighbours(rows, np.where(listed_weights != 0, cols, -1), listed_distances, shares)
