"""Partition of the rows of a node by its test: kernels."""

import numpy as np

from ..kernels.jit import kernel
from .kernel_options import MERGED
from .reading import is_nominal, value_of


@kernel(**MERGED)
def partition(data, test, rows, a, spare):
    """Bring rows that go left to the front, in their order; test: (feature, threshold, share of the left side).

    Returns where the left rows begin and end, and the right ones; a: where these rows begin.
    """
    f, threshold, share = test
    equal = is_nominal(data.nominal, f)
    missing_left = share >= 0.5
    k = 0
    r = 0
    for i in range(len(rows)):
        row, x = rows[i], value_of(data.columns, data.starts, f, rows[i])
        left = missing_left if x != x else x == threshold if equal else x <= threshold
        spare[r] = rows[k] = row
        k, r = k + left, r + (not left)
    for i in range(r):
        rows[k + i] = spare[i]
    return a, a + k, a + k, a + len(rows)


@kernel(**MERGED)
def partition_both_ways(data, test, rows, a, reading, bag, parts, tree):
    """Partition rows as `partition` does, where a row that lacks the feature goes both ways, in part.

    The left rows come behind the right ones: they are next, and may grow in number.
    """
    f, threshold, share = test
    equal = is_nominal(data.nominal, f)
    k = 0
    r = 0
    parts.used[0] = tree.start[parts.used[1]]  # the node is no leaf
    for i in range(len(rows)):
        row, x = rows[i], value_of(data.columns, data.starts, f, rows[i])
        w, left = bag[row], share if x != x else np.float64(x == threshold if equal else x <= threshold)
        if left < 1:
            rows[r], parts.weights[a + r] = row, w * (1 - left)
            r += 1
        if left > 0:
            reading.spare[k], reading.gains[k] = row, w * left
            k += 1
    for i in range(k):
        tree.rows[a + r + i], parts.weights[a + r + i] = reading.spare[i], reading.gains[i]
    return a + r, a + r + k, a, a + r
