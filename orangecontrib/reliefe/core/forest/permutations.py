"""Random forest score of a tree: errors of rows out of its bag, as they are and with features permuted.

    shuffle the values of a feature -> route the rows again from the nodes that test it -> add up what that changes

Semi-supervised paper, section 4.
"""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from ..kernels.random import xorshift
from .columns import Columns
from .scores import Outcome, Tick, predictions, uses
from .splits import value_of
from .trees import Tree

PLAIN = {"_nrt": False}
INNER = {**PLAIN, "no_cpython_wrapper": True}
INLINED, MERGED = {**INNER, "forceinline": True}, {**INNER, "inline": "always"}
STEPS_PER_LOOK = 10**5  # steps down a tree between two looks at whether to stop: some 10 ms


class Errors(NamedTuple):
    """Errors out of the bag, of all targets together and then of each of t targets, t may be 0."""

    own: np.ndarray  # with the features as they are
    mixed: np.ndarray  # with one of the u features that the tree tests permuted


class Routes(NamedTuple):
    """Way of rows through a tree: order (n,), in which each node's are order[start:end]; leaf (rows of the data,)."""

    order: np.ndarray
    start: np.ndarray
    end: np.ndarray
    leaf: np.ndarray

    @classmethod
    def of(cls, columns: Columns, tree: Tree, rows: np.ndarray, every: int) -> "Routes":
        """Routes of rows (n,) among so many."""
        n, nodes = len(rows), len(tree.feature)
        start, end = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        end[0] = n
        found = cls(rows.copy(), start, end, np.zeros(every, np.int64))
        _route(columns, tree, np.empty(n, np.int64), found)
        return found


class Truth(NamedTuple):
    """Values (every row, K) that are predicted, NaN = unknown, predictions (nodes, K), and rows (n,) out of the bag."""

    values: np.ndarray
    predicted: np.ndarray
    rows: np.ndarray


class Uses(NamedTuple):
    """Nodes that test a feature which none above them tests: of the tested features (u,) the first one is head (p,),
    that after node v is following[v] (nodes,), -1: none."""

    features: np.ndarray
    head: np.ndarray
    following: np.ndarray

    @classmethod
    def of(cls, tree: Tree, p: int) -> "Uses":
        """Uses of p features."""
        found = cls(uses(tree).astype(np.int64), np.full(p, -1), np.full(len(tree.feature), -1))
        _first_uses(tree, found.head, found.following)
        return found


class Mix(NamedTuple):
    """State of the permutations: rows (n,) in the last order, the row whose value each has, donor (every row,); rows
    that come to another leaf, moved (n,), and these, leaf (n,); the random state (1,)."""

    order: np.ndarray
    donor: np.ndarray
    moved: np.ndarray
    leaf: np.ndarray
    state: np.ndarray

    @classmethod
    def of(cls, rows: np.ndarray, every: int, seed: int) -> "Mix":
        """Mix of rows (n,) among so many, before the first permutation."""
        moved, leaf = np.empty((2, len(rows)), np.int64)
        return cls(rows.copy(), np.zeros(every, np.int64), moved, leaf, np.array([seed], np.uint64))


def permuted_errors(
    columns: Columns, tree: Tree, bag: np.ndarray, outcome: Outcome, seed: int, tick: Tick = bool
) -> Errors | None:
    """Errors of the rows out of the bag as they are, and with each feature that the tree tests permuted among them."""
    rows = np.flatnonzero((bag == 0) & ~np.isnan(outcome.values).all(axis=1)).astype(np.int64)
    counts = (~np.isnan(outcome.values[rows])).sum(axis=0)
    if not (outcome.weights * counts).any():
        return None
    truth = Truth(outcome.values, predictions(tree, outcome, tick), rows)
    tested, routes = Uses.of(tree, len(columns.nominal)), Routes.of(columns, tree, rows, len(bag))
    found = np.zeros((len(tested.features) + 1, outcome.values.shape[1]))
    found[:] = np.nansum((truth.values[rows] - truth.predicted[routes.leaf[rows]]) ** 2, axis=0)
    mix, done = Mix.of(rows, len(bag), seed), 0
    while done < len(tested.features):
        done = _permute(columns, tree, truth, routes, tested, mix, done, STEPS_PER_LOOK, found)
        tick()
    mean = np.maximum(found, 0) / np.maximum(counts, 1)
    # no matrix product: equal rows give equal bits, so that a feature that changes nothing adds exactly 0
    losses = np.where(outcome.root, np.sqrt(mean), mean) * np.where(counts > 0, outcome.weights, 0.0)
    each = np.add.reduceat(losses, outcome.starts[:-1], axis=1) / np.where(outcome.shares > 0, outcome.shares, 1.0)
    errors = np.hstack([losses.sum(axis=1, keepdims=True), each])
    return Errors(errors[-1].copy(), errors[:-1].T.copy())


@kernel(**INLINED)
def _left(columns, tree, v, row):
    """True if node v sends a row with this row's value to the left."""
    f = tree.feature[v]
    value = value_of(columns, columns.starts, f, row)
    if value != value:
        return tree.share[v] >= 0.5
    return value == tree.threshold[v] if columns.nominal[f] else value <= tree.threshold[v]


@kernel(**PLAIN)
def _route(columns, tree, spare, routes):
    """Fill routes, where the order is any and the root has its rows."""
    rows, start, end, leaf = routes
    for v in range(len(tree.feature)):
        a, b = start[v], end[v]
        if tree.feature[v] < 0:
            for i in range(a, b):
                leaf[rows[i]] = v
            continue
        k, r = a, 0
        for i in range(a, b):
            row = rows[i]
            left = _left(columns, tree, v, row)
            spare[r] = rows[k] = row
            k += left
            r += not left
        for i in range(r):
            rows[k + i] = spare[i]
        start[v + 1], end[v + 1], start[tree.right[v]], end[tree.right[v]] = a, k, k, b


@kernel(**PLAIN)
def _first_uses(tree, head, following):
    """Fill the lists of `Uses`, whose entries are -1."""
    for v in range(len(tree.feature) - 1, -1, -1):
        f, up = tree.feature[v], tree.parent[v]
        if f >= 0:
            while up >= 0 and tree.feature[up] != f:
                up = tree.parent[up]
            if up < 0:
                following[v], head[f] = head[f], v


@kernel(**MERGED)
def _shuffle(rows, mix):
    """Give each row another one's value: the next permutation (Fisher and Yates) of mix.order."""
    x, order = mix.state[0], mix.order
    for i in range(len(order) - 1, -1, -1):
        x = xorshift(x)
        j = np.int64(np.float64(x >> np.uint64(11)) * 2.0**-53 * (i + 1))
        order[i], order[j] = order[j], order[i]
    mix.state[0] = x
    for i in range(len(rows)):
        mix.donor[rows[i]] = order[i]


@kernel(**MERGED)
def _route_again(columns, tree, routes, v, mix):
    """Send the rows of node v on with the values of others in the feature that it tests: (number of those that come to
    another leaf, steps down the tree); mix.moved and mix.leaf have these rows and leaves."""
    f, moved, steps = tree.feature[v], 0, 0
    for i in range(routes.start[v], routes.end[v]):
        row, u = routes.order[i], v
        while tree.feature[u] >= 0:
            left = _left(columns, tree, u, mix.donor[row] if tree.feature[u] == f else row)
            u = u + 1 if left else tree.right[u]
            steps += 1
        if u != routes.leaf[row]:
            mix.moved[moved], mix.leaf[moved] = row, u
            moved += 1
    return moved, steps


@kernel(**MERGED)
def _add_changes(truth, leaf, mix, moved, out):
    """Add to out (K,) the change of the squared errors of the `moved` first rows of mix.moved, known values only."""
    values, predicted = truth.values, truth.predicted
    for i in range(moved):
        row, u = mix.moved[i], mix.leaf[i]
        for t in range(values.shape[1]):
            new, old = values[row, t] - predicted[u, t], values[row, t] - predicted[leaf[row], t]
            if new == new:
                out[t] += new * new - old * old


@kernel(**PLAIN)
def _permute(columns, tree, truth, routes, tested, mix, begin, budget, out):
    """Add to out[k] the change of the squared errors (K,) when the rows take the values of the k-th tested feature from
    others, from k = begin on; returns the next k after so many steps down the tree."""
    k, steps = begin, 0
    while k < len(tested.features) and steps < budget:
        _shuffle(truth.rows, mix)
        steps += len(truth.rows)
        v = tested.head[tested.features[k]]
        while v >= 0:
            moved, taken = _route_again(columns, tree, routes, v, mix)
            _add_changes(truth, routes.leaf, mix, moved, out[k])
            v, steps = tested.following[v], steps + taken
        k += 1
    return k
