"""What a tree tells of the features: Genie3 and Symbolic by its arrays, the random forest score by rows out of the bag.

Semi-supervised paper, equations 2 and 3 and the random forest score of its section 4.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..data.labels import Labels
from ..data.targets import MULTITARGET, Target
from ..jit import kernel
from .clustering_space import Attributes, Space, clustering_space
from .trees import Columns, Tree

PLAIN = {"_nrt": False}
MEAN, HALF, MODE = 0, 1, 2


@dataclass(frozen=True)
class Outcome:
    """What trees predict, and how their errors count: all losses are weighted mean squares of columns, or their roots.

    values (n, K): numbers, labels, indicators of classes, NaN = unknown; starts (t + 1,): first columns of the t
    attributes; rules (t,): MEAN, HALF (a label whose share is above one half) or MODE (the most frequent class);
    weights (K,); root (K,) bool; center (K,) means of the known values; impurity (t,): variances or Gini, 1 where
    nothing varies; shares (t,): weights of the attributes.
    """

    values: np.ndarray
    starts: np.ndarray
    rules: np.ndarray
    weights: np.ndarray
    root: np.ndarray
    center: np.ndarray
    impurity: np.ndarray
    shares: np.ndarray

    @classmethod
    def of(cls, target: Target, alpha: np.ndarray | None = None) -> "Outcome":
        """Error rate of classes, RMSE of numbers over their standard deviation, Hamming loss of labels, weighed by
        alpha."""
        inner = getattr(target, "target", target)
        attributes = Attributes.of(target, alpha).shared(1.0)
        labels = isinstance(inner, Labels) or inner.task not in ("classification", "regression", MULTITARGET)
        parts = []
        shares = attributes.weights / (attributes.weights.sum() or 1.0)
        for column, nominal, share in zip(attributes.values.T, attributes.nominal, shares, strict=True):
            if nominal:
                parts.append(_Part(_indicators(column), MODE, share / 2))
            elif labels:
                parts.append(_Part(column[:, None], HALF, share))
            else:
                width = np.nanstd(column) if share else 1.0
                parts.append(_Part(column[:, None], MEAN, share / (width or 1.0), True))
        return cls._join(parts, shares, len(attributes.values))

    @classmethod
    def of_features(cls, attributes: Attributes, space: Space) -> "Outcome":
        """Without a target: squared error of numbers over their variance, error rate of the others over their Gini.

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
                parts.append(_Part(indicators[:, 1:], HALF, attributes.weights[f] / gini))
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
        return cls(
            values,
            starts,
            np.array([part.rule for part in parts]),
            np.repeat([part.weight for part in parts], widths),
            np.repeat([part.root for part in parts], widths),
            center,
            np.where(spread > 0, spread, 1.0),
            shares,
        )


class _Part(NamedTuple):
    """The columns (n, k) of an attribute."""

    values: np.ndarray
    rule: int
    weight: float
    root: bool = False


def _indicators(column: np.ndarray) -> np.ndarray:
    """(n, k) of the k values of a column that occur."""
    return np.where(np.isnan(column)[:, None], np.nan, column[:, None] == np.unique(column[~np.isnan(column)]))


class Errors(NamedTuple):
    """Out of the bag, of all targets together and then of each: own (1 + t,) with the features as they are, mixed
    (1 + t, u) with one of the features that the tree tests permuted; t may be 0."""

    own: np.ndarray
    mixed: np.ndarray

    def total(self) -> "Errors":
        """Of all targets together only."""
        return Errors(self.own[:1].copy(), self.mixed[:1].copy())


def uses(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """(u,) features that a tree tests, ascending, and in how many nodes."""
    return np.unique(tree.feature[tree.feature >= 0], return_counts=True)


def genie3(tree: Tree, p: int) -> np.ndarray:
    """(p,) sums of the gains of the nodes that test each feature."""
    inner = tree.feature >= 0
    return np.bincount(tree.feature[inner], tree.gain[inner], p)


def genie3_each(tree: Tree, p: int, bag: np.ndarray, outcome: Outcome) -> np.ndarray:
    """(t, p) the same for each target alone: what the tests take from its impurity, over that of the data."""
    inner, impurity = np.flatnonzero(tree.feature >= 0), impurities(tree, bag, outcome)
    gains = impurity[inner] - impurity[inner + 1] - impurity[tree.right[inner]]
    return np.array([np.bincount(tree.feature[inner], gain, p) for gain in gains.T])


def symbolic(tree: Tree, p: int, decay: float | None = None) -> np.ndarray:
    """(p,) sums over the nodes that test each feature of their shares of the rows, or of decay to the power of their
    depth."""
    inner = tree.feature >= 0
    seen = tree.weight[inner] / tree.weight[0] if decay is None else decay ** tree.depth[inner].astype(np.float64)
    return np.bincount(tree.feature[inner], seen, p)


def _sums(tree: Tree, parts: np.ndarray) -> np.ndarray:
    """(nodes, K) of values (m, K) of the rows in the bag."""
    running = np.vstack([np.zeros((1, parts.shape[1])), np.cumsum(parts, axis=0)])
    return running[tree.end] - running[tree.start]


def _inherited(tree: Tree, values: np.ndarray, known: np.ndarray, root: float) -> np.ndarray:
    """(nodes, K), where not known those of the parent; what the root lacks is `root`."""
    out = np.where(known, values, root)
    for node in np.flatnonzero(~known.all(axis=1)):  # parents come first
        if node:
            out[node] = np.where(known[node], out[node], out[tree.parent[node]])
    return out


def impurities(tree: Tree, bag: np.ndarray, outcome: Outcome) -> np.ndarray:
    """(nodes, t) rows in the bag times the impurity of each target, as in `clustering_space`: variance or Gini over
    those of the data; of the parent where no row is known."""
    values, weights = outcome.values[tree.rows] - outcome.center, bag[tree.rows][:, None]
    known = ~np.isnan(values)
    values = np.where(known, values, 0.0)
    counts, sums, squares = (_sums(tree, part * weights) for part in (known, values, values**2))
    whole = np.maximum(counts, 1)
    spread = np.maximum(squares / whole - (sums / whole) ** 2, 0.0)
    spread = np.add.reduceat(_inherited(tree, spread, counts > 0, 0.0), outcome.starts[:-1], axis=1)
    return spread * tree.weight[:, None] / outcome.impurity


def means(tree: Tree, bag: np.ndarray, outcome: Outcome) -> np.ndarray:
    """(nodes, K) of the known values of every node's rows in the bag, or as its parent; where the root has none, those
    of the data."""
    values, weights = outcome.values[tree.rows], bag[tree.rows][:, None]
    known = ~np.isnan(values)
    sums, counts = (_sums(tree, part * weights) for part in (np.where(known, values, 0.0), known))
    return _inherited(tree, sums / np.maximum(counts, 1), counts > 0, outcome.center)


def predictions(tree: Tree, bag: np.ndarray, outcome: Outcome) -> np.ndarray:
    """(nodes, K): means, labels or indicators of the most frequent class of every node."""
    out = means(tree, bag, outcome)
    for rule, a, b in zip(outcome.rules, outcome.starts[:-1], outcome.starts[1:], strict=True):
        if rule == HALF:
            out[:, a] = out[:, a] > 0.5
        elif rule == MODE:
            out[:, a:b] = np.eye(b - a)[out[:, a:b].argmax(axis=1)]
    return out


def permuted_errors(columns: Columns, tree: Tree, bag: np.ndarray, outcome: Outcome, seed: int) -> Errors | None:
    """Errors of the rows out of the bag as they are, and with each feature that the tree tests permuted among them.

    None where no such row has a known target.
    """
    rows = np.flatnonzero((bag == 0) & ~np.isnan(outcome.values).all(axis=1)).astype(np.int64)
    counts = (~np.isnan(outcome.values[rows])).sum(axis=0)
    if not (outcome.weights * counts).any():
        return None
    predicted, n, nodes = predictions(tree, bag, outcome), len(rows), len(tree.feature)
    start, end, leaf = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64), np.zeros(len(bag), np.int64)
    used = uses(tree)[0].astype(np.int64)
    head, following = np.full(len(columns.nominal), -1), np.full(nodes, -1)
    end[0] = n
    order, donor = rows.copy(), np.zeros(len(bag), np.int64)
    _route(columns, tree, order, np.empty(n, np.int64), start, end, leaf)
    _first_uses(tree, head, following)
    found = np.zeros((len(used) + 1, outcome.values.shape[1]))
    found[:] = np.nansum((outcome.values[rows] - predicted[leaf[rows]]) ** 2, axis=0)
    state = np.array([seed], np.uint64)
    scratch = rows.copy(), donor, order, start, end, leaf, head[used], following
    _permute(columns, tree, outcome.values, predicted, rows, used, *scratch, state, found)
    mean = np.maximum(found, 0) / np.maximum(counts, 1)
    # no matrix product: equal rows give equal bits, so that a feature that changes nothing adds exactly 0
    losses = np.where(outcome.root, np.sqrt(mean), mean) * np.where(counts > 0, outcome.weights, 0.0)
    each = np.add.reduceat(losses, outcome.starts[:-1], axis=1) / np.where(outcome.shares > 0, outcome.shares, 1.0)
    errors = np.hstack([losses.sum(axis=1, keepdims=True), each])
    return Errors(errors[-1].copy(), errors[:-1].T.copy())


@kernel(_nrt=False, forceinline=True)
def _left(columns, tree, v, f, row):
    """Whether a node that tests f sends a row with this row's value to the left."""
    value = columns.values[f, row]
    if value != value:
        return tree.missing_left[v]
    return value == tree.threshold[v] if columns.nominal[f] else value <= tree.threshold[v]


@kernel(**PLAIN)
def _route(columns, tree, rows, spare, start, end, leaf):
    """Bring rows (n,) into the order in which each node's are rows[start:end]; leaf: of every row."""
    for v in range(len(tree.feature)):
        a, b, f = start[v], end[v], tree.feature[v]
        if f < 0:
            for i in range(a, b):
                leaf[rows[i]] = v
            continue
        k, r = a, 0
        for i in range(a, b):
            row = rows[i]
            left = _left(columns, tree, v, f, row)
            spare[r] = rows[k] = row
            k += left
            r += not left
        for i in range(r):
            rows[k + i] = spare[i]
        start[v + 1], end[v + 1], start[tree.right[v]], end[tree.right[v]] = a, k, k, b


@kernel(**PLAIN)
def _first_uses(tree, head, following):
    """Lists of the nodes that test a feature which none above them tests: head (p,), following (nodes,)."""
    for v in range(len(tree.feature) - 1, -1, -1):
        f, up = tree.feature[v], tree.parent[v]
        if f >= 0:
            while up >= 0 and tree.feature[up] != f:
                up = tree.parent[up]
            if up < 0:
                following[v], head[f] = head[f], v


@kernel(**PLAIN)
def _permute(
    columns, tree, values, predicted, rows, used, mixed, donor, order, start, end, leaf, head, following, state, out
):
    """Add to out[k] what changes when the rows take the values of feature used[k] from others; see `_first_uses`."""
    x = state[0]
    for k in range(len(used)):
        f = used[k]
        for i in range(len(rows) - 1, -1, -1):
            x ^= x << np.uint64(13)
            x ^= x >> np.uint64(7)
            x ^= x << np.uint64(17)
            j = np.int64(np.float64(x >> np.uint64(11)) * 2.0**-53 * (i + 1))
            mixed[i], mixed[j] = mixed[j], mixed[i]
        for i in range(len(rows)):
            donor[rows[i]] = mixed[i]
        v = head[k]
        while v >= 0:
            for i in range(start[v], end[v]):
                row, u = order[i], v
                while tree.feature[u] >= 0:
                    g = tree.feature[u]
                    u = u + 1 if _left(columns, tree, u, g, donor[row] if g == f else row) else tree.right[u]
                if u != leaf[row]:
                    for t in range(values.shape[1]):
                        new, old = values[row, t] - predicted[u, t], values[row, t] - predicted[leaf[row], t]
                        if new == new:
                            out[k, t] += new * new - old * old
            v = following[v]
