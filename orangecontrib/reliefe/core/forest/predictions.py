"""Predictions of the nodes of a tree."""

from collections.abc import Callable, Iterator
from typing import cast

import numpy as np

from .gains import TRACE_WEIGHT
from .outcome import MAJORITY, MODE, Outcome
from .trees import Tree

COLUMNS_PER_LOOK = 16  # columns between two looks at whether to stop: some 10 ms for tens of thousands of rows
Tick = Callable[[], object]


def _columns(outcome: Outcome, tick: Tick) -> Iterator[slice]:
    """Slices of the columns, one after the other; ticks after each."""
    for start in range(0, outcome.values.shape[1], COLUMNS_PER_LOOK):
        yield slice(start, start + COLUMNS_PER_LOOK)
        tick()


def _sums(tree: Tree, parts: np.ndarray) -> np.ndarray:
    """Sums (nodes, K) of values (m, K) of the rows in the bag."""
    running = np.vstack([np.zeros((1, parts.shape[1])), np.cumsum(parts, axis=0)])
    return cast("np.ndarray", running[tree.end] - running[tree.start])


def _inherited(tree: Tree, values: np.ndarray, known: np.ndarray, root: float | np.ndarray) -> np.ndarray:
    """Values (nodes, K), where not known those of the parent; what the root lacks is `root`."""
    out = np.where(known, values, root)
    lacking = np.flatnonzero(~known.all(axis=1) & (tree.depth > 0))
    lacking = lacking[np.argsort(tree.depth[lacking], kind="stable")]  # parents come first
    for nodes in np.split(lacking, np.flatnonzero(np.diff(tree.depth[lacking])) + 1):
        out[nodes] = np.where(known[nodes], out[nodes], out[tree.parent[nodes]])
    return out


def impurities(tree: Tree, outcome: Outcome, tick: Tick = bool) -> np.ndarray:
    """Rows in the bag times the impurity of each target (nodes, t), as in `clustering_space`: variance or Gini over
    those of the data; of the parent where no row is known."""
    weights, out = tree.weights[:, None], np.empty((len(tree.feature), outcome.values.shape[1]))
    for some in _columns(outcome, tick):
        values = outcome.values[tree.rows, some] - outcome.center[some]
        known = ~np.isnan(values)
        values = np.where(known, values, 0.0)
        counts, sums, squares = (_sums(tree, part * weights) for part in (known, values, values**2))
        whole = np.where(counts > TRACE_WEIGHT, counts, 1.0)
        spread = np.maximum(squares / whole - (sums / whole) ** 2, 0.0)
        out[:, some] = _inherited(tree, spread, counts > TRACE_WEIGHT, 0.0)
    spread = np.add.reduceat(out, outcome.starts[:-1], axis=1)
    return cast("np.ndarray", spread * tree.weight[:, None] / outcome.impurity)


def means(tree: Tree, outcome: Outcome, tick: Tick = bool) -> np.ndarray:
    """Means (nodes, K) of the known values of every node's rows in the bag, or as its parent; where the root has none,
    those of the data."""
    weights, out = tree.weights[:, None], np.empty((len(tree.feature), outcome.values.shape[1]))
    for some in _columns(outcome, tick):
        values = outcome.values[tree.rows, some]
        known = ~np.isnan(values)
        sums, counts = (_sums(tree, part * weights) for part in (np.where(known, values, 0.0), known))
        here = counts > TRACE_WEIGHT
        out[:, some] = _inherited(tree, sums / np.where(here, counts, 1.0), here, outcome.center[some])
    return out


def predictions(tree: Tree, outcome: Outcome, tick: Tick = bool) -> np.ndarray:
    """Predictions (nodes, K): means, labels or indicators of the most frequent class of every node."""
    out = means(tree, outcome, tick)
    for rule, a, b in zip(outcome.rules, outcome.starts[:-1], outcome.starts[1:], strict=True):
        if rule == MAJORITY:
            out[:, a] = out[:, a] > 0.5
        elif rule == MODE:
            out[:, a:b] = np.eye(b - a)[out[:, a:b].argmax(axis=1)]
    return out
