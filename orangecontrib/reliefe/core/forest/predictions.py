"""Predictions and impurities of the nodes of a tree, from the rows in its bag.

`permutations` and `models` predict by them, and `scores` computes Genie3 of each target from the impurities.
"""

from collections.abc import Callable, Iterator
from typing import cast

import numpy as np

from .gains import TRACE_WEIGHT
from .outcome import MAJORITY, MODE, Outcome
from .trees import Tree

COLUMNS_PER_TICK = 16  # columns between two checks for a stop: some 10 ms for tens of thousands of rows
Tick = Callable[[], object]


def _columns(outcome: Outcome, tick: Tick) -> Iterator[slice]:
    """Iterate over slices of the columns; calls tick after each."""
    for start in range(0, outcome.values.shape[1], COLUMNS_PER_TICK):
        yield slice(start, start + COLUMNS_PER_TICK)
        tick()


def _sums(tree: Tree, values: np.ndarray) -> np.ndarray:
    """Sum values (m, K) of the rows in the bag over the rows of each node: (nodes, K)."""
    running = np.vstack([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    return cast("np.ndarray", running[tree.end] - running[tree.start])


def _inherited(tree: Tree, values: np.ndarray, is_known: np.ndarray, root: float | np.ndarray) -> np.ndarray:
    """Replace unknown values (nodes, K) by those of the parent; unknown ones of the root by `root`.

    is_known (nodes, K) bool: True where a value is known.
    """
    inherited = np.where(is_known, values, root)
    lacking = np.flatnonzero(~is_known.all(axis=1) & (tree.depth > 0))
    lacking = lacking[np.argsort(tree.depth[lacking], kind="stable")]  # parents come first
    for nodes in np.split(lacking, np.flatnonzero(np.diff(tree.depth[lacking])) + 1):
        inherited[nodes] = np.where(is_known[nodes], inherited[nodes], inherited[tree.parent[nodes]])
    return inherited


def impurities(tree: Tree, outcome: Outcome, tick: Tick = bool) -> np.ndarray:
    """Compute weight * impurity of each target in each node (nodes, t), as in `clustering_space`.

    Impurity is variance or Gini over that of the data; that of the parent where no row is known.
    """
    weights = tree.weights[:, None]
    variances = np.empty((len(tree.feature), outcome.values.shape[1]))
    for columns in _columns(outcome, tick):
        values = outcome.values[tree.rows, columns] - outcome.center[columns]
        is_known = ~np.isnan(values)
        values = np.where(is_known, values, 0.0)
        counts = _sums(tree, is_known * weights)
        sums = _sums(tree, values * weights)
        squares = _sums(tree, values**2 * weights)
        has_rows = counts > TRACE_WEIGHT
        divisors = np.where(has_rows, counts, 1.0)
        variance = np.maximum(squares / divisors - (sums / divisors) ** 2, 0.0)
        variances[:, columns] = _inherited(tree, variance, has_rows, 0.0)
    impurity = np.add.reduceat(variances, outcome.starts[:-1], axis=1)
    return cast("np.ndarray", impurity * tree.weight[:, None] / outcome.impurity)


def means(tree: Tree, outcome: Outcome, tick: Tick = bool) -> np.ndarray:
    """Average the known values of the rows of each node (nodes, K).

    Where a node has none, the mean is that of its parent; where the root has none, that of the data.
    """
    weights = tree.weights[:, None]
    means_of_nodes = np.empty((len(tree.feature), outcome.values.shape[1]))
    for columns in _columns(outcome, tick):
        values = outcome.values[tree.rows, columns]
        is_known = ~np.isnan(values)
        sums = _sums(tree, np.where(is_known, values, 0.0) * weights)
        counts = _sums(tree, is_known * weights)
        has_rows = counts > TRACE_WEIGHT
        node_means = sums / np.where(has_rows, counts, 1.0)
        means_of_nodes[:, columns] = _inherited(tree, node_means, has_rows, outcome.center[columns])
    return means_of_nodes


def predictions(tree: Tree, outcome: Outcome, tick: Tick = bool) -> np.ndarray:
    """Predict means, labels, or indicators of the most frequent class in each node (nodes, K)."""
    predicted = means(tree, outcome, tick)
    for rule, start, stop in zip(outcome.rules, outcome.starts[:-1], outcome.starts[1:], strict=True):
        if rule == MAJORITY:
            predicted[:, start] = predicted[:, start] > 0.5
        elif rule == MODE:
            most_frequent = predicted[:, start:stop].argmax(axis=1)
            predicted[:, start:stop] = np.eye(stop - start)[most_frequent]
    return predicted
