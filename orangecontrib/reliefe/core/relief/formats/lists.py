"""Lists of the neighbours of rows, which neighbourhoods produce and updates weigh."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np


@dataclass(frozen=True)
class Neighbours:
    """Neighbours of some rows, in groups."""

    rows: np.ndarray  # (b,): rows whose neighbours these are
    # (b, G, k): neighbours in each of G groups; -1 where there is none.  Sorted by distance where a search was asked
    # for order (``find(ordered=True)``); else by row, or as `chosen` found them
    cols: np.ndarray
    # (b, G, k): distances of the neighbours: exact ones where a search was asked for order, else partly from steps
    distances: np.ndarray
    # (b, G, k): weights, which sum to 1 in each group that has a neighbour, so that the weighted mean of diffs is the
    # group's mean diff; to the weight of the row where rows have weights; signed ones have the absolute sum 1; None
    # before `weigh`
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

    def cut(self, k: int) -> "Neighbours":
        """The k nearest of each group, of lists that are sorted by distance, not weighed."""
        return Neighbours(self.rows, self.cols[:, :, :k], self.distances[:, :, :k])

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
            w *= np.exp((1.0 - ranks**2) / squared(sigma))
        total = w.sum(axis=2, keepdims=True)
        return Neighbours(self.rows, self.cols, self.distances, w / np.where(total > 0, total, 1))


def joined(blocks: Sequence[Neighbours]) -> Neighbours:
    """One list of weighed lists of different rows, each as long as the longest; sorted by row."""
    rows = np.concatenate([block.rows for block in blocks])
    n_groups, longest = blocks[0].cols.shape[1], max(block.cols.shape[2] for block in blocks)
    shape = len(rows), n_groups, longest
    cols = np.full(shape, -1)
    distances = np.full(shape, np.inf)
    weights = np.zeros(shape)
    first = 0
    for block in blocks:
        here = slice(first, first + len(block.rows)), slice(None), slice(block.cols.shape[2])
        cols[here] = block.cols
        distances[here] = block.distances
        weights[here] = block.shares
        first += len(block.rows)
    return Neighbours(rows, cols, distances, weights)[np.argsort(rows)]


def squared(sigma: float) -> float:
    """The square of sigma, of one that gives the same weights where the square is 0 or too large."""
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
