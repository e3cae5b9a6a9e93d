"""Partition of the rows of a node by its test: kernels that `growth` calls for each node that gets a test."""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from .feature_values import passes, value_of
from .kernel_options import MERGED
from .scratch import N_LEAF_ROWS, OPEN_NODE


class Split(NamedTuple):
    """Ranges of `Tree.rows` with the rows of both children of a node.

    left_start, left_end: rows that go to the left.
    right_start, right_end: rows that go to the right.
    """

    left_start: int
    left_end: int
    right_start: int
    right_end: int


@kernel(**MERGED)
def partition(data, test, rows, start, buffer):
    """Move the rows that go to the left to the front; rows keep their order on both sides.  Returns `Split`.

    test: `NodeTest`; a row without a value goes where more of the weight goes.
    rows (m,): rows of the node, moved in place.
    start: where they begin in `Tree.rows`.
    buffer (m,): scratch.
    """
    equal = data.columns.nominal[test.feature]
    goes_missing_left = test.left_share >= 0.5
    n_left = 0
    n_right = 0
    for i in range(len(rows)):
        row = rows[i]
        value = value_of(data.columns, data.starts, test.feature, row)
        is_left = goes_missing_left if value != value else passes(value, test.threshold, equal)
        # Without a branch: the row is written to both sides, and one of them advances.
        buffer[n_right] = row
        rows[n_left] = row
        n_left += is_left
        n_right += not is_left
    for i in range(n_right):
        rows[n_left + i] = buffer[i]
    return Split(start, start + n_left, start + n_left, start + len(rows))


@kernel(**MERGED)
def partition_both_ways(data, test, rows, start, reading, bag, fractional, tree):
    """Partition rows as `partition` does, where a row without a value goes both ways, in part.

    The left rows come behind the right ones: they are next to grow, and may become more.

    reading: its buffer and gains are scratch.
    bag (n,): weights of the rows in the node.
    fractional: `FractionalRows`; gets the weights of the rows instead of those of the node as a leaf.
    """
    equal = data.columns.nominal[test.feature]
    weights = fractional.stack_weights
    fractional.counts[N_LEAF_ROWS] = tree.start[fractional.counts[OPEN_NODE]]
    # Rows that go to the right move to the front, those that go to the left wait in the buffer.
    n_left = 0
    n_right = 0
    for i in range(len(rows)):
        row = rows[i]
        weight = bag[row]
        value = value_of(data.columns, data.starts, test.feature, row)
        left_share = test.left_share if value != value else np.float64(passes(value, test.threshold, equal))
        if left_share < 1:
            rows[n_right] = row
            weights[start + n_right] = weight * (1 - left_share)
            n_right += 1
        if left_share > 0:
            reading.buffer[n_left] = row
            reading.gains[n_left] = weight * left_share
            n_left += 1
    left_start = start + n_right
    for i in range(n_left):
        tree.rows[left_start + i] = reading.buffer[i]
        weights[left_start + i] = reading.gains[i]
    return Split(left_start, left_start + n_left, start, left_start)
