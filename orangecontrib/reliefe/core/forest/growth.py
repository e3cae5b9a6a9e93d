"""Growth of one tree, node by node, and how a node chooses its test: kernels of `trees`.

    centre the rows -> draw features -> read and test each -> partition the rows -> push both children on the stack

`data`, `criterion`, `work` and `fractional` are the `Data`, `Criterion`, `Scratch` and `FractionalRows` of `scratch`.
"""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from ..kernels.random import uniform
from .centring import centre
from .feature_tests import TIE_FACTOR, try_feature
from .kernel_options import MERGED, PLAIN
from .partition import partition, partition_both_ways
from .reading import read_feature
from .scratch import END, N_CONSTANT, N_LEAF_ROWS, N_NODES, N_WAITING, OPEN_NODE, PARENT, START
from .sparse_reading import note_positions

PURE_SHARE = 1 - 1e-9  # share of the impurity at which a test that removes it ends the search
LEAST_GAIN = 1e-12  # gain per row of the data below which it is only rounding


class NodeTest(NamedTuple):
    """Test that a node chooses.

    feature: tested feature; -1: no test has a gain.
    gain: decrease of |E| impurity(E).
    threshold: values <= threshold go to the left, or those equal to it if the feature is nominal.
    left_share: share that goes to the left, of the weight of the rows that have a value.
    n_constant: number of features that are constant in the node.
    """

    feature: int
    gain: float
    threshold: float
    left_share: float
    n_constant: int


@kernel(**MERGED)
def _choose_test(data, codes, table, criterion, work, bag, rows, node_totals, n_constant):
    """Choose the best test of a node among those of features that are drawn at random; returns `NodeTest`.

    node_totals: weight n of the rows, and n * impurity.
    n_constant: number of features that are constant in the parent.
    work.features: [0, n_constant) constant | not drawn yet | [first_drawn, p) drawn.  A constant feature that is drawn
    counts as one that was tried.
    """
    features = work.features
    n, total = node_totals
    m = len(rows)
    first_drawn = len(work.features)
    n_tried = 0
    n_constant_left = n_constant  # constant features that are not drawn yet
    n_centred = m  # rows that are centred in work.node, and their weight
    centred_weight = n
    chosen = -1
    best_gain = LEAST_GAIN * len(bag)
    threshold = 0.0
    left_share = 0.0
    while (
        (n_tried < criterion.rule.n_candidates or chosen < 0)
        and first_drawn > n_constant
        and best_gain < total * PURE_SHARE
    ):
        n_tried += 1
        j = np.int64(uniform(work.state) * (n_constant_left + first_drawn - n_constant))
        if j < n_constant_left:
            n_constant_left -= 1
            continue
        j += n_constant - n_constant_left
        f = features[j]
        feature_read = read_feature(data.columns, data.starts, codes, table, f, rows, work.reading)
        n_known = feature_read.n_known
        varies = n_known > 0 and feature_read.low < feature_read.high
        if not varies and n_known == m:  # constant here, and in all nodes below
            features[j] = features[n_constant]
            features[n_constant] = f
            n_constant += 1
            continue
        first_drawn -= 1
        features[j] = features[first_drawn]
        features[first_drawn] = f
        if not varies:
            continue
        # Centre the rows that have a value, unless they are centred.
        known_rows = work.reading.known_rows if n_known < m else rows
        if n_known < m or n_centred < m:
            centred_weight, _ = centre(criterion.space, known_rows, n_known, bag, work.impurity, work.node)
            n_centred = n_known
        test = try_feature(data, codes, table, criterion, work, f, known_rows[:n_known], feature_read, centred_weight)
        gain = test.gain * (centred_weight / n)  # features with missing values are not favoured
        if gain > best_gain * TIE_FACTOR:
            best_gain = gain
            chosen = f
            threshold = test.threshold
            left_share = test.left_weight / centred_weight
    return NodeTest(chosen, best_gain, threshold, left_share, n_constant)


@kernel(**MERGED)
def _open_leaf(fractional, bag, tree, v, start, end):
    """Open node v as a leaf and load the weights of its rows, tree.rows[start:end]; False if the arrays are full."""
    first = fractional.counts[N_LEAF_ROWS]
    m = end - start
    is_full = v == len(tree.feature) or start + 2 * m > len(fractional.stack_weights)
    if is_full or first + m > len(fractional.leaf_rows):
        return False
    for i in range(m):
        row = tree.rows[start + i]
        weight = fractional.stack_weights[start + i]
        bag[row] = weight
        fractional.leaf_rows[first + i] = row
        fractional.leaf_weights[first + i] = weight
    tree.feature[v] = -1
    tree.right[v] = -1
    tree.start[v] = first
    tree.end[v] = first + m
    fractional.counts[N_LEAF_ROWS] = first + m
    fractional.counts[OPEN_NODE] = v
    return True


@kernel(**PLAIN)
def grow_nodes(data, codes, table, criterion, work, bag, fractional, tree, budget):
    """Grow the nodes on the stack into `tree` until none waits, memory runs out, or `budget` numbers are added up.

    codes: `Columns.codes`, None if thresholds are random; table: `Columns.table`, None if all are tried.
    bag (n,): weights of the rows.
    fractional: None if each row goes one way.
    tree: `Tree`, filled from work.counts[N_NODES] on.
    """
    rule = criterion.rule
    node = work.node
    counts = work.counts
    stack = work.stack
    while counts[N_WAITING] and budget > 0:
        # The next node, as a leaf.
        v = counts[N_NODES]
        top = counts[N_WAITING] - 1
        start = stack[top, START]
        end = stack[top, END]
        parent = stack[top, PARENT]
        n_constant = stack[top, N_CONSTANT]
        if fractional is not None:
            if not _open_leaf(fractional, bag, tree, v, start, end):
                return
        else:
            tree.start[v] = start
            tree.end[v] = end
        counts[N_NODES] = v + 1
        counts[N_WAITING] = top
        tree.parent[v] = parent
        tree.depth[v] = tree.depth[parent] + 1 if parent >= 0 else 0
        if parent >= 0 and v != parent + 1:
            tree.right[parent] = v
        rows = tree.rows[start:end]
        n, total = centre(criterion.space, rows, len(rows), bag, tree.impurity[max(parent, 0)], node)
        for g in range(len(node.impurity)):
            work.impurity[g] = node.impurity[g]
            tree.impurity[v, g] = node.impurity[g]
        tree.weight[v] = n
        if n < 2 * rule.min_leaf or total <= LEAST_GAIN * len(bag) or tree.depth[v] >= rule.max_depth:
            continue
        # Its test.
        budget -= len(rows) * rule.n_candidates * criterion.space.z.shape[1]
        note_positions(data.starts, rows, work.reading.position_of_row, True)
        test = _choose_test(data, codes, table, criterion, work, bag, rows, (n, total), n_constant)
        note_positions(data.starts, rows, work.reading.position_of_row, False)
        if test.feature < 0 or test.gain < rule.shares[min(np.int64(n), len(rule.shares) - 1)] * total:
            continue
        tree.feature[v] = test.feature
        tree.gain[v] = test.gain
        tree.threshold[v] = test.threshold
        # Its children; the left one, on top of the stack, is the next node.
        if fractional is not None:
            tree.share[v] = test.left_share
            split = partition_both_ways(data, test, rows, start, work.reading, bag, fractional, tree)
        else:
            tree.share[v] = np.float64(test.left_share >= 0.5)
            split = partition(data, test, rows, start, work.reading.buffer)
        _push(stack, top, split.right_start, split.right_end, v, test.n_constant)
        _push(stack, top + 1, split.left_start, split.left_end, v, test.n_constant)
        counts[N_WAITING] = top + 2


@kernel(**MERGED)
def _push(stack, top, start, end, parent, n_constant):
    """Write a node to the stack, at its index `top`."""
    stack[top, START] = start
    stack[top, END] = end
    stack[top, PARENT] = parent
    stack[top, N_CONSTANT] = n_constant
