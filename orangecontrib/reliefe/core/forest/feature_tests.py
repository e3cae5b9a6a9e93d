"""Tests of one feature in a node: the best of all thresholds or values, or a random one.

Kernels return the gain, the threshold, and the weight that goes to the left.  `rows` are those that know the feature,
and n is their weight; `data`, `criterion` and `work` are the tuples of `scratch`.
"""

import numpy as np

from ..kernels.jit import kernel
from ..kernels.random import uniform
from .gains import prefix_gains, subset_gain
from .kernel_options import INLINED, MERGED
from .reading import is_nominal, place_of, to_places, value_at, value_of, with_zeros
from .sorting import sort_codes

TIE_FACTOR = 1 + 1e-9  # factor by which a test must be better: ties go to the first candidate, whatever the rounding


@kernel(**INLINED)
def _random_test(data, criterion, work, f, rows, read, found, n):
    """Try a random test "x <= threshold" or "x = value", x = reading.values[:read]; found: see `read_feature`."""
    known, low, high, node = found[1], found[2], found[3], work.node
    values, order, places, n_left = work.reading.values, work.reading.order, work.reading.places, 0.0
    equal, threshold = is_nominal(data.nominal, f), np.float64(high)
    if equal:
        threshold = value_of(data.columns, data.starts, f, rows[np.int64(uniform(work.state) * known)])
    while not equal and not low <= threshold < high:
        threshold = low + uniform(work.state) * (high - low)
    for i in range(read):
        w = node.w[place_of(data.starts, places, i)]
        n_left += w if (values[i] == threshold if equal else values[i] <= threshold) else 0.0
    if min(n_left, n - n_left) < criterion.rule.min_leaf:
        return -1.0, threshold, n_left
    small, k = 2 * n_left <= n, np.int64(0)  # the sums of the smaller side will do
    for i in range(read):
        order[k] = place_of(data.starts, places, i)
        k += (values[i] == threshold if equal else values[i] <= threshold) == small
    part = n_left if small else n - n_left
    gain = subset_gain(criterion.space, criterion.gaps, node, order, np.int64(0), k, n, part)
    return gain, threshold, n_left


@kernel(**INLINED)
def _best_value(data, nominal, criterion, node, reading, f, rows, m, n):
    """Find the best of the tests "x = value"; reading.keys[:m] are sorted, reading.order[:m] has their places."""
    best, at, best_left, first = -1.0, np.int64(0), 0.0, np.int64(0)
    if nominal is not None:  # else not compiled
        keys, order, min_leaf = reading.keys, reading.order, criterion.rule.min_leaf
        while first < m:
            last, n_left = first, 0.0
            while last < m and keys[last] == keys[first]:
                n_left += node.w[order[last]]
                last += 1
            if n_left >= min_leaf and n - n_left >= min_leaf:
                gain = subset_gain(criterion.space, criterion.gaps, node, order, first, last, n, n_left)
                if gain > best * TIE_FACTOR:
                    best, at, best_left = gain, first, n_left
            first = last
    return best, value_at(data.columns, data.starts, f, rows, len(node.w) - 1, reading.order[at]), best_left


@kernel(**INLINED)
def _best_cut(data, criterion, node, reading, f, rows, m, n):
    """Find the best of the tests "x <= threshold"; reading.keys and reading.order as above."""
    prefix_gains(criterion.space, criterion.gaps, node, reading, m, n)
    keys, order, left, gains, last = reading.keys, reading.order, reading.left, reading.gains, len(node.w) - 1
    best, at, min_leaf = -1.0, np.int64(0), criterion.rule.min_leaf
    for k in range(m - 1):
        if gains[k] > best * TIE_FACTOR and keys[k] != keys[k + 1] and left[k] >= min_leaf and n - left[k] >= min_leaf:
            best, at = gains[k], k
    a = value_at(data.columns, data.starts, f, rows, last, order[at])
    b = value_at(data.columns, data.starts, f, rows, last, order[at + 1])
    threshold = a + (b - a) / 2
    return best, threshold if threshold < b else a, left[at]


@kernel(**MERGED)
def try_feature(data, codes, table, criterion, work, f, rows, found, n):
    """Test f in a node whose rows that know f are centred, as the rule has it; found: see `read_feature`."""
    node, reading, starts = work.node, work.reading, data.starts
    read = with_zeros(data.columns, starts, criterion.space, criterion.gaps, node, reading, f, found, n)
    if table is not None:
        return _random_test(data, criterion, work, f, rows, read, found, n)
    if codes is not None:
        sort_codes(reading, read, np.int64(found[2]), np.int64(found[3]))
        to_places(starts, reading.places, reading.order, read)
        if is_nominal(data.nominal, f):
            return _best_value(data, data.nominal, criterion, node, reading, f, rows, read, n)
        return _best_cut(data, criterion, node, reading, f, rows, read, n)
    return 0.0, 0.0, 0.0
