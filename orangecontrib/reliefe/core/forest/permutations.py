"""Random forest score of a tree: errors of the rows out of its bag, before and after a feature is permuted.

    permute the values of a feature -> route the rows again from the nodes that test it -> add up what that changes

`ensembles` calls `permuted_errors` for each tree.  Semi-supervised paper, section 4.
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
from .tested_features import TestedFeatures
from .trees import Tree

STEPS_PER_TICK = 10**5  # steps down a tree between two checks for a stop: some 10 ms


class Errors(NamedTuple):
    """Errors out of the bag: of all targets together, and then of each of t targets (t may be 0).

    plain (1 + t,): errors with the features as they are.
    permuted (1 + t, u): errors with one of the u features permuted that the tree tests.
    """

    plain: np.ndarray
    permuted: np.ndarray


class Truth(NamedTuple):
    """True values and predictions.

    values (N, K): values of all N rows of the data, NaN = unknown.
    predicted (nodes, K): predictions of the nodes.
    rows (n,): rows out of the bag.
    """

    values: np.ndarray
    predicted: np.ndarray
    rows: np.ndarray


class PermutationState(NamedTuple):
    """State of the permutations of n rows out of the bag.

    order (n,): the rows in the order of the last permutation.
    donor (N,): for each row of the data, the row whose value it gets.
    moved (n,): rows that reach a different leaf after the permutation.
    leaf (n,): the leaf that each of these reaches.
    state (1,): state of the random number generator.
    """

    order: np.ndarray
    donor: np.ndarray
    moved: np.ndarray
    leaf: np.ndarray
    state: np.ndarray

    @classmethod
    def of(cls, rows: np.ndarray, n_all: int, seed: int) -> "PermutationState":
        """Prepare for permutations of rows (n,) among n_all rows."""
        moved, leaf = np.empty((2, len(rows)), np.int64)
        return cls(rows.copy(), np.zeros(n_all, np.int64), moved, leaf, np.array([seed], np.uint64))


def permuted_errors(
    columns: Columns, tree: Tree, bag: np.ndarray, outcome: Outcome, seed: int, tick: Tick = bool
) -> Errors | None:
    """Compute the errors of the rows out of the bag, as they are and with each tested feature permuted among them.

    Parameters
    ----------
    columns : Columns
        The features.
    tree : Tree
        The tree.
    bag : (N,) array
        Multiplicity of each row in the bag of the tree.
    outcome : Outcome
        What the tree predicts.
    seed : int
        Seed of the permutations.
    tick : callable
        Called every `STEPS_PER_TICK` steps; it raises an exception to stop.

    Returns
    -------
    Errors or None
        None if no row out of the bag has a known value that counts.
    """
    rows = np.flatnonzero((bag == 0) & ~np.isnan(outcome.values).all(axis=1)).astype(np.int64)
    counts = (~np.isnan(outcome.values[rows])).sum(axis=0)
    if not (outcome.weights * counts).any():
        return None
    truth = Truth(outcome.values, predictions(tree, outcome, tick), rows)
    tested = TestedFeatures.of(tree, len(columns.nominal))
    routes = Routes.of(columns, tree, rows, len(bag))
    # Sums of squared errors, a line for each tested feature and a last one for the features as they are.
    squares = np.zeros((len(tested.features) + 1, outcome.values.shape[1]))
    squares[:] = np.nansum((truth.values[rows] - truth.predicted[routes.leaf[rows]]) ** 2, axis=0)
    state = PermutationState.of(rows, len(bag), seed)
    n_done = 0
    while n_done < len(tested.features):
        n_done = _permute(columns, tree, truth, routes, tested, state, n_done, STEPS_PER_TICK, squares)
        tick()
    # Losses.  No matrix product: equal rows give equal bits, so that a feature that changes nothing adds exactly 0.
    mean = np.maximum(squares, 0) / np.maximum(counts, 1)
    losses = np.where(outcome.root, np.sqrt(mean), mean) * np.where(counts > 0, outcome.weights, 0.0)
    by_target = np.add.reduceat(losses, outcome.starts[:-1], axis=1) / np.where(outcome.shares > 0, outcome.shares, 1.0)
    errors = np.hstack([losses.sum(axis=1, keepdims=True), by_target])
    return Errors(errors[-1].copy(), errors[:-1].T.copy())


@kernel(**MERGED)
def _permute_rows(rows, permutation):
    """Permute permutation.order (Fisher and Yates) and give rows (n,) the donors in this order."""
    x = permutation.state[0]
    order = permutation.order
    for i in range(len(order) - 1, -1, -1):
        x = xorshift(x)
        j = np.int64(np.float64(x >> np.uint64(11)) * 2.0**-53 * (i + 1))
        order[i], order[j] = order[j], order[i]
    permutation.state[0] = x
    for i in range(len(rows)):
        permutation.donor[rows[i]] = order[i]


@kernel(**MERGED)
def _route_again(columns, tree, routes, v, permutation):
    """Route the rows of node v on, with the values of their donors in the feature that v tests.

    Fills permutation.moved and permutation.leaf with the rows that reach a different leaf, and these leaves.  Returns
    the number of such rows, and of steps down the tree.
    """
    f = tree.feature[v]
    n_moved = 0
    steps = 0
    for i in range(routes.start[v], routes.end[v]):
        row = routes.order[i]
        u = v
        while tree.feature[u] >= 0:
            is_left = goes_left(columns, tree, u, permutation.donor[row] if tree.feature[u] == f else row)
            u = u + 1 if is_left else tree.right[u]
            steps += 1
        if u != routes.leaf[row]:
            permutation.moved[n_moved] = row
            permutation.leaf[n_moved] = u
            n_moved += 1
    return n_moved, steps


@kernel(**MERGED)
def _add_changes(truth, leaf, permutation, n_moved, out):
    """Add to out (K,) the sum of (value - new prediction)^2 - (value - old prediction)^2 over the moved rows.

    leaf (N,): the leaf of each row before the permutation.  Unknown values do not count.
    """
    values = truth.values
    predicted = truth.predicted
    for i in range(n_moved):
        row = permutation.moved[i]
        u = permutation.leaf[i]
        for t in range(values.shape[1]):
            new_error = values[row, t] - predicted[u, t]
            old_error = values[row, t] - predicted[leaf[row], t]
            if new_error == new_error:
                out[t] += new_error * new_error - old_error * old_error


@kernel(**PLAIN)
def _permute(columns, tree, truth, routes, tested, permutation, begin, budget, out):
    """Add to out[k] (K,) the change of the squared errors when the k-th tested feature is permuted, from k = begin on.

    Returns the next k after `budget` steps down the tree.
    """
    k = begin
    steps = 0
    while k < len(tested.features) and steps < budget:
        _permute_rows(truth.rows, permutation)
        steps += len(truth.rows)
        v = tested.head[tested.features[k]]
        while v >= 0:
            n_moved, steps_of_node = _route_again(columns, tree, routes, v, permutation)
            _add_changes(truth, routes.leaf, permutation, n_moved, out[k])
            v = tested.following[v]
            steps += steps_of_node
        k += 1
    return k
