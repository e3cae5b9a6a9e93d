"""Random forest score of a tree: errors of rows out of its bag, as they are and with features permuted.

    shuffle the values of a feature -> route the rows again from the nodes that test it -> add up what that changes

Semi-supervised paper, section 4.
"""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from ..kernels.random import xorshift
from .columns import Columns
from .kernel_options import MERGED, PLAIN
from .outcome import Outcome
from .predictions import Tick, predictions
from .routes import Routes, goes_left
from .tested_features import Uses
from .trees import Tree

STEPS_PER_LOOK = 10**5  # steps down a tree between two looks at whether to stop: some 10 ms


class Errors(NamedTuple):
    """Errors out of the bag, of all targets together and then of each of t targets, t may be 0."""

    own: np.ndarray  # with the features as they are
    mixed: np.ndarray  # with one of the u features that the tree tests permuted


class Truth(NamedTuple):
    """Values (every row, K) that are predicted, NaN = unknown, predictions (nodes, K), and rows (n,) out of the bag."""

    values: np.ndarray
    predicted: np.ndarray
    rows: np.ndarray


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
            left = goes_left(columns, tree, u, mix.donor[row] if tree.feature[u] == f else row)
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
