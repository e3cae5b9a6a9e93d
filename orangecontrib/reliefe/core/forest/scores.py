"""What a tree tells of the features: Genie3 and Symbolic by its arrays, the random forest score by rows out of the bag.

Semi-supervised paper, equations 2 and 3 and the random forest score of its section 4.
"""

from dataclasses import dataclass

import numpy as np

from ..data.labels import Labels
from ..data.targets import MULTITARGET, Target, Unlabelled
from ..jit import kernel
from .clustering_space import Attributes, Space
from .trees import Columns, Tree

PLAIN = {"_nrt": False}
MEAN, HALF, MODE = 0, 1, 2


@dataclass(frozen=True)
class Outcome:
    """What trees predict, and how their errors count: all losses are weighted mean squares of columns, or their roots.

    values (n, K): numbers, labels, indicators of classes, NaN = unknown; starts (C + 1,): first columns of the
    attributes; rules (C,): MEAN, HALF (a label whose share is above one half) or MODE (the most frequent class);
    weights (K,); root (K,) bool.
    """

    values: np.ndarray
    starts: np.ndarray
    rules: np.ndarray
    weights: np.ndarray
    root: np.ndarray

    @classmethod
    def of(cls, target: Target, space: Space, alpha: np.ndarray | None = None) -> "Outcome":
        """Error rate of classes, RMSE of numbers over their standard deviation, Hamming loss of labels, weighed by
        alpha; without a target the squared error in the clustering space."""
        inner = getattr(target, "target", target)
        if isinstance(inner, Unlabelled):
            group = np.repeat(np.arange(len(space.complete)), np.diff(space.starts))
            values, k = np.where(space.known[:, group] > 0, space.z, np.nan), space.z.shape[1]
            return cls(values, np.arange(k + 1), np.zeros(k, int), np.ones(k), np.zeros(k, bool))
        attributes = Attributes.of(target, alpha).shared(1.0)
        labels = isinstance(inner, Labels) or inner.task not in ("classification", "regression", MULTITARGET)
        parts, rules, weights, root = [], [], [], []
        for column, nominal, weight in zip(
            attributes.values.T, attributes.nominal, attributes.weights / (attributes.weights.sum() or 1.0), strict=True
        ):
            known = column[~np.isnan(column)]
            if nominal:
                levels = np.unique(known)
                parts.append(np.where(np.isnan(column)[:, None], np.nan, column[:, None] == levels))
                rules.append(MODE)
                weights += [weight / 2] * len(levels)
            else:
                parts.append(column[:, None])
                rules.append(HALF if labels else MEAN)
                weights.append(weight if labels else weight / (known.std() or 1.0))
            root += [not nominal and not labels] * parts[-1].shape[1]
        starts = np.cumsum([0, *(part.shape[1] for part in parts)])
        return cls(np.hstack(parts), starts, np.array(rules), np.array(weights), np.array(root))


def genie3(tree: Tree, p: int) -> np.ndarray:
    """(p,) sums of the gains of the nodes that test each feature."""
    inner = tree.feature >= 0
    return np.bincount(tree.feature[inner], tree.gain[inner], p)


def symbolic(tree: Tree, p: int) -> np.ndarray:
    """(p,) sums of the shares of the rows in the nodes that test each feature."""
    inner = tree.feature >= 0
    return np.bincount(tree.feature[inner], tree.weight[inner], p) / tree.weight[0]


def predictions(tree: Tree, bag: np.ndarray, outcome: Outcome) -> np.ndarray:
    """(nodes, K) of every node, from the known values of its rows in the bag, or as its parent."""
    values, weights = outcome.values[tree.rows], bag[tree.rows][:, None]
    known = ~np.isnan(values)
    sums, counts = (
        np.vstack([np.zeros((1, values.shape[1])), np.cumsum(part * weights, axis=0)])
        for part in (np.where(known, values, 0.0), known)
    )
    sums, counts = sums[tree.end] - sums[tree.start], counts[tree.end] - counts[tree.start]
    out = sums / np.maximum(counts, 1)
    for node in np.flatnonzero((counts == 0).any(axis=1)):  # parents come first
        out[node] = np.where(counts[node] > 0, out[node], out[tree.parent[node]] if node else 0.0)
    for rule, a, b in zip(outcome.rules, outcome.starts[:-1], outcome.starts[1:], strict=True):
        if rule == HALF:
            out[:, a] = out[:, a] > 0.5
        elif rule == MODE:
            out[:, a:b] = np.eye(b - a)[out[:, a:b].argmax(axis=1)]
    return out


def permuted_errors(columns: Columns, tree: Tree, bag: np.ndarray, outcome: Outcome, seed: int) -> np.ndarray | None:
    """(p + 1,) errors of the rows out of the bag with each feature permuted among them, and of them as they are.

    None where no such row has a known target.  A feature that the tree does not test changes nothing.
    """
    p, nodes = len(columns.nominal), len(tree.feature)
    rows = np.flatnonzero((bag == 0) & ~np.isnan(outcome.values).all(axis=1)).astype(np.int64)
    counts = (~np.isnan(outcome.values[rows])).sum(axis=0)
    if not (outcome.weights * counts).any():
        return None
    predicted, n = predictions(tree, bag, outcome), len(rows)
    start, end, leaf = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64), np.zeros(len(bag), np.int64)
    head, following = np.full(p, -1), np.full(nodes, -1)
    end[0] = n
    order, spare, donor = rows.copy(), np.empty(n, np.int64), np.zeros(len(bag), np.int64)
    _route(columns, tree, order, spare, start, end, leaf)
    _first_uses(tree, head, following)
    found = np.zeros((p + 1, outcome.values.shape[1]))
    found[p] = np.nansum((outcome.values[rows] - predicted[leaf[rows]]) ** 2, axis=0)
    found[:p] = found[p]
    state = np.array([seed], np.uint64)
    scratch = rows.copy(), donor, order, start, end, leaf, head, following
    _permute(columns, tree, outcome.values, predicted, rows, *scratch, state, found)
    there = counts > 0
    mean = np.maximum(found[:, there], 0) / counts[there]
    # no matrix product: equal rows give equal bits, so that a feature that is not tested adds exactly 0
    return (np.where(outcome.root[there], np.sqrt(mean), mean) * outcome.weights[there]).sum(axis=1)


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
    columns, tree, values, predicted, rows, mixed, donor, order, start, end, leaf, head, following, state, out
):
    """Add to out[f] what changes when the rows take the values of feature f from others; see `_first_uses`."""
    x = state[0]
    for f in range(len(head)):
        if head[f] < 0:
            continue
        for i in range(len(rows) - 1, -1, -1):
            x ^= x << np.uint64(13)
            x ^= x >> np.uint64(7)
            x ^= x << np.uint64(17)
            j = np.int64(np.float64(x >> np.uint64(11)) * 2.0**-53 * (i + 1))
            mixed[i], mixed[j] = mixed[j], mixed[i]
        for i in range(len(rows)):
            donor[rows[i]] = mixed[i]
        v = head[f]
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
                            out[f, t] += new * new - old * old
            v = following[v]
