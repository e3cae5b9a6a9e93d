"""Scores of features by the arrays of a tree, Genie3 and Symbolic; and its predictions.

Semi-supervised paper, equations 2 and 3.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np

from ..targets.targets import Target, scaled
from .clustering_space import Attributes, Space, clustering_space
from .splits import TRACE_WEIGHT
from .trees import Tree

MEAN, MAJORITY, MODE = 0, 1, 2
COLUMNS_PER_LOOK = 16  # columns between two looks at whether to stop: some 10 ms for tens of thousands of rows

Tick = Callable[[], object]


@dataclass(frozen=True)
class Outcome:
    """Columns that trees predict, and weights of errors: all losses are weighted mean squares, or their roots."""

    values: np.ndarray  # numbers, labels, indicators of classes, NaN = unknown
    starts: np.ndarray  # first columns of the t attributes
    rules: np.ndarray  # MEAN, MAJORITY (a label whose share is above one half) or MODE (the most frequent class)
    weights: np.ndarray  # of the mean squares, and whether their roots count
    root: np.ndarray
    center: np.ndarray  # means of the known values
    impurity: np.ndarray  # variances or Gini, 1 where nothing varies
    shares: np.ndarray  # weights of the attributes
    # Powers of two that numbers were divided by, so that neither sums nor squares of them are too large
    powers: np.ndarray

    @classmethod
    def of(cls, target: Target, alpha: np.ndarray | None = None) -> "Outcome":
        """Error rate of classes, RMSE of numbers over their standard deviation, Hamming loss of labels, weighed by
        alpha."""
        attributes = Attributes.of(target, alpha).shared(1.0)
        labels = target.inner.label_matrix is not None
        parts = []
        shares = attributes.weights / (attributes.weights.sum() or 1.0)
        for column, nominal, share in zip(attributes.values.T, attributes.nominal, shares, strict=True):
            if nominal:
                parts.append(_Part(_indicators(column), MODE, share / 2))
            elif labels:
                parts.append(_Part(column[:, None], MAJORITY, share))
            else:
                column, power = scaled(column)
                width = np.nanstd(column) if share else 1.0
                parts.append(_Part(column[:, None], MEAN, share / (width or 1.0), True, power))
        return cls._join(parts, shares, len(attributes.values))

    @classmethod
    def of_features(cls, attributes: Attributes, space: Space) -> "Outcome":
        """Outcome without a target: squared error of numbers over variance, error rate of the others over Gini.

        space: that of the attributes."""
        numeric = ~attributes.nominal
        if not numeric.all():
            space = clustering_space(
                Attributes(attributes.values[:, numeric], attributes.nominal[numeric], attributes.weights[numeric])
            )
        group = np.repeat(np.arange(len(space.complete)), np.diff(space.starts))
        z = np.where(space.known[:, group] > 0, space.z, np.nan)
        parts = [_Part(column[:, None], MEAN, 1.0) for column in z.T[z.any(axis=0)]]
        for f in np.flatnonzero(attributes.nominal & (attributes.weights > 0)):
            indicators = _indicators(attributes.values[:, f])
            gini = np.nanvar(indicators, axis=0).sum()
            if indicators.shape[1] == 2:
                parts.append(_Part(indicators[:, 1:], MAJORITY, attributes.weights[f] / gini))
            else:
                parts.append(_Part(indicators, MODE, attributes.weights[f] / gini / 2))
        return cls._join(parts, np.ones(len(parts)), len(attributes.values))

    @classmethod
    def _join(cls, parts: list["_Part"], shares: np.ndarray, n: int) -> "Outcome":
        if not parts:
            parts, shares = [_Part(np.zeros((n, 1)), MEAN, 0.0)], np.zeros(1)
        values, widths = np.hstack([part.values for part in parts]), [part.values.shape[1] for part in parts]
        starts = np.cumsum([0, *widths])
        known = ~np.isnan(values)
        counts = np.maximum(known.sum(axis=0), 1)
        center = np.where(known, values, 0.0).sum(axis=0) / counts
        spread = np.where(known, (values - center) ** 2, 0.0).sum(axis=0) / counts
        spread = np.add.reduceat(spread, starts[:-1])
        _, rules, *of_parts = zip(*parts, strict=True)
        weights, root, powers = (np.repeat(part, widths) for part in of_parts)
        impurity = np.where(spread > 0, spread, 1.0)
        return cls(values, starts, np.array(rules), weights, root, center, impurity, shares, powers)


class _Part(NamedTuple):
    """Columns (n, k) of an attribute."""

    values: np.ndarray
    rule: int
    weight: float
    root: bool = False
    power: int = 0


def _indicators(column: np.ndarray) -> np.ndarray:
    """Indicators (n, k) of the k values of a column that occur."""
    return np.where(np.isnan(column)[:, None], np.nan, column[:, None] == np.unique(column[~np.isnan(column)]))


def uses(tree: Tree) -> np.ndarray:
    """Features (u,) that a tree tests, ascending."""
    return np.unique(tree.feature[tree.feature >= 0])


def genie3(tree: Tree, p: int) -> np.ndarray:
    """Sums (p,) of the gains of the nodes that test each feature (semi-supervised paper, equation 2)."""
    inner = tree.feature >= 0
    return np.bincount(tree.feature[inner], tree.gain[inner], p)


def genie3_each(tree: Tree, p: int, outcome: Outcome, tick: Tick = bool) -> np.ndarray:
    """Genie3 (t, p) of each target alone: what the tests take from its impurity, over that of the data.

    tick: as in `grow`.
    """
    inner, impurity = np.flatnonzero(tree.feature >= 0), impurities(tree, outcome, tick)
    gains = impurity[inner] - impurity[inner + 1] - impurity[tree.right[inner]]
    return np.array([np.bincount(tree.feature[inner], gain, p) for gain in gains.T])


def symbolic(tree: Tree, p: int, decay: float | None = None) -> np.ndarray:
    """Sums (p,) over the nodes that test each feature of their shares of the rows, or of decay to the power of their
    depth (semi-supervised paper, equation 3)."""
    inner = tree.feature >= 0
    seen = tree.weight[inner] / tree.weight[0] if decay is None else decay ** tree.depth[inner].astype(np.float64)
    return np.bincount(tree.feature[inner], seen, p)


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
