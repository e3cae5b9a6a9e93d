"""The random forest score of a tree: errors of rows out of its bag, as they are and with features permuted.

Semi-supervised paper, section 4.
"""

from typing import NamedTuple

import numpy as np

from ..jit import kernel
from .columns import Columns
from .scores import Outcome, Tick, predictions, uses
from .trees import Tree

PLAIN = {"_nrt": False}
BUDGET = 10**5  # steps down a tree between two looks at whether to stop: some 10 ms


class Errors(NamedTuple):
    """Out of the bag, of all targets together and then of each: own (1 + t,) with the features as they are, mixed
    (1 + t, u) with one of the features that the tree tests permuted; t may be 0."""

    own: np.ndarray
    mixed: np.ndarray

    def total(self) -> "Errors":
        """Of all targets together only."""
        return Errors(self.own[:1].copy(), self.mixed[:1].copy())


class Routes(NamedTuple):
    """Which way rows go: order (n,), in which each node's are order[start:end]; leaf: of every row there is."""

    order: np.ndarray
    start: np.ndarray
    end: np.ndarray
    leaf: np.ndarray

    @classmethod
    def of(cls, columns: Columns, tree: Tree, rows: np.ndarray, every: int) -> "Routes":
        """Of rows (n,) among so many."""
        n, nodes = len(rows), len(tree.feature)
        start, end = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        end[0] = n
        found = cls(rows.copy(), start, end, np.zeros(every, np.int64))
        _route(columns, columns.starts, tree, np.empty(n, np.int64), found)
        return found


def permuted_errors(
    columns: Columns, tree: Tree, bag: np.ndarray, outcome: Outcome, seed: int, tick: Tick = None
) -> Errors | None:
    """Errors of the rows out of the bag as they are, and with each feature that the tree tests permuted among them.

    None where no such row has a known target.  tick: as in `grow`.
    """
    rows = np.flatnonzero((bag == 0) & ~np.isnan(outcome.values).all(axis=1)).astype(np.int64)
    counts = (~np.isnan(outcome.values[rows])).sum(axis=0)
    if not (outcome.weights * counts).any():
        return None
    predicted, used = predictions(tree, outcome, tick), uses(tree).astype(np.int64)
    routes = Routes.of(columns, tree, rows, len(bag))
    head, following = np.full(len(columns.nominal), -1), np.full(len(tree.feature), -1)
    _first_uses(tree, head, following)
    found = np.zeros((len(used) + 1, outcome.values.shape[1]))
    found[:] = np.nansum((outcome.values[rows] - predicted[routes.leaf[rows]]) ** 2, axis=0)
    state, done = np.array([seed], np.uint64), 0
    scratch = rows.copy(), np.zeros(len(bag), np.int64), routes, head[used], following, state
    while done < len(used):
        done = _permute(
            columns, columns.starts, tree, outcome.values, predicted, rows, used, *scratch, done, BUDGET, found
        )
        if tick is not None:
            tick()
    mean = np.maximum(found, 0) / np.maximum(counts, 1)
    # no matrix product: equal rows give equal bits, so that a feature that changes nothing adds exactly 0
    losses = np.where(outcome.root, np.sqrt(mean), mean) * np.where(counts > 0, outcome.weights, 0.0)
    each = np.add.reduceat(losses, outcome.starts[:-1], axis=1) / np.where(outcome.shares > 0, outcome.shares, 1.0)
    errors = np.hstack([losses.sum(axis=1, keepdims=True), each])
    return Errors(errors[-1].copy(), errors[:-1].T.copy())


@kernel(_nrt=False, forceinline=True)
def _value(columns, starts, f, row):
    """As in `splits`, whose kernels only those of its own file may call."""
    if starts is not None:
        a, size = starts[f], starts[f + 1] - starts[f]
        while size > 1:
            half = size // 2
            a, size = a + half * (columns.rows[a + half] <= row), size - half
        return columns.values[0, a] if size and columns.rows[a] == row else 0.0
    return columns.values[f, row]


@kernel(_nrt=False, forceinline=True)
def _left(columns, starts, tree, v, f, row):
    """Whether a node that tests f sends a row with this row's value to the left."""
    value = _value(columns, starts, f, row)
    if value != value:
        return tree.share[v] >= 0.5
    return value == tree.threshold[v] if columns.nominal[f] else value <= tree.threshold[v]


@kernel(**PLAIN)
def _route(columns, starts, tree, spare, routes):
    """Fill routes, where the order is any and the root has its rows."""
    rows, start, end, leaf = routes
    for v in range(len(tree.feature)):
        a, b, f = start[v], end[v], tree.feature[v]
        if f < 0:
            for i in range(a, b):
                leaf[rows[i]] = v
            continue
        k, r = a, 0
        for i in range(a, b):
            row = rows[i]
            left = _left(columns, starts, tree, v, f, row)
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
    columns, starts, tree, values, predicted, rows, used, mixed, donor, routes, head, following, state, begin, budget,
    out,
):  # fmt: skip
    """Add to out[k] what changes when the rows take the values of feature used[k] from others; see `_first_uses`.

    From k = begin on; returns the next k when so many steps are done.
    """
    order, start, end, leaf = routes
    x, k, steps = state[0], begin, 0
    while k < len(used) and steps < budget:
        f = used[k]
        steps += len(rows)
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
                    u = u + 1 if _left(columns, starts, tree, u, g, donor[row] if g == f else row) else tree.right[u]
                    steps += 1
                if u != leaf[row]:
                    for t in range(values.shape[1]):
                        new, old = values[row, t] - predicted[u, t], values[row, t] - predicted[leaf[row], t]
                        if new == new:
                            out[k, t] += new * new - old * old
            v = following[v]
        k += 1
    state[0] = x
    return k
