"""Tests of one feature in a node: the best of all thresholds or values, or a random one.

`growth` calls `try_feature` for each feature that it draws.  `data`, `criterion` and `work` are the `Data`, `Criterion`
and `Scratch` of `scratch`; a position is the index of a row among those that have a value.
"""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from ..kernels.random import uniform
from .feature_values import value_at, value_of
from .gains import prefix_gains, subset_gain
from .kernel_options import INLINED, MERGED
from .sorting import sort_codes
from .sparse_reading import add_zeros, position_of, to_positions

TIE_FACTOR = 1 + 1e-9  # factor by which a test must be better: ties go to the first candidate, whatever the rounding


class Candidate(NamedTuple):
    """A feature that was read in a node whose rows are centred.

    feature: the feature.
    rows (m,): rows of the node that have a value.
    n_values: number of values that were read, with one for all zeros of a sparse feature.
    low, high: smallest and largest value, or code.
    weight: weight of the rows.
    """

    feature: int
    rows: np.ndarray
    n_values: int
    low: float
    high: float
    weight: float


class FeatureTest(NamedTuple):
    """A test of a feature in a node.

    gain: decrease of |E| impurity(E), negative if no test leaves enough rows on both sides.
    threshold: values <= threshold go to the left, or those equal to it if the feature is nominal.
    left_weight: weight of the rows that do.
    """

    gain: float
    threshold: float
    left_weight: float


@kernel(**INLINED)
def _random_test(data, criterion, work, candidate):
    """Try a random threshold between the smallest and the largest value, or the value of a random row if nominal."""
    f = candidate.feature
    rows = candidate.rows
    n = candidate.weight
    node = work.node
    reading = work.reading
    values = reading.values
    order = reading.order
    # Threshold.
    equal = data.columns.nominal[f]
    threshold = np.float64(candidate.high)
    if equal:
        row = rows[np.int64(uniform(work.state) * len(rows))]
        threshold = value_of(data.columns, data.starts, f, row)
    while not equal and not candidate.low <= threshold < candidate.high:
        threshold = candidate.low + uniform(work.state) * (candidate.high - candidate.low)
    # Weight of the left side; the last bits of gains depend on the test being written out, without a call of `passes`.
    left_weight = 0.0
    for i in range(candidate.n_values):
        weight = node.weights[position_of(data.starts, reading.positions, i)]
        is_left = values[i] == threshold if equal else values[i] <= threshold
        left_weight += weight if is_left else 0.0
    if min(left_weight, n - left_weight) < criterion.rule.min_leaf:
        return FeatureTest(-1.0, threshold, left_weight)
    # Gain: the sum over the side of less weight will do.
    is_left_smaller = 2 * left_weight <= n
    k = np.int64(0)
    for i in range(candidate.n_values):
        order[k] = position_of(data.starts, reading.positions, i)
        is_left = values[i] == threshold if equal else values[i] <= threshold
        k += is_left == is_left_smaller
    smaller_weight = left_weight if is_left_smaller else n - left_weight
    gain = subset_gain(criterion.space, node, order, np.int64(0), k, n, smaller_weight)
    return FeatureTest(gain, threshold, left_weight)


@kernel(**INLINED)
def _best_value(data, criterion, node, reading, candidate):
    """Find the best of the tests "x = value".

    reading: reading.keys are the codes in ascending order, and reading.order the positions of their rows.
    """
    n = candidate.weight
    m = candidate.n_values
    best_gain = -1.0
    best_first = np.int64(0)
    best_left = 0.0
    keys = reading.keys
    order = reading.order
    min_leaf = criterion.rule.min_leaf
    first = np.int64(0)
    while first < m:
        # Rows of one value: order[first:last].
        last = first
        n_left = 0.0
        while last < m and keys[last] == keys[first]:
            n_left += node.weights[order[last]]
            last += 1
        if n_left >= min_leaf and n - n_left >= min_leaf:
            gain = subset_gain(criterion.space, node, order, first, last, n, n_left)
            if gain > best_gain * TIE_FACTOR:
                best_gain = gain
                best_first = first
                best_left = n_left
        first = last
    return FeatureTest(best_gain, _value_at(data, node, candidate, order[best_first]), best_left)


@kernel(**INLINED)
def _best_threshold(data, criterion, node, reading, candidate):
    """Find the best of the tests "x <= threshold"; reading: as in `_best_value`.

    The threshold is the mean of the values beside it, or the lower one where rounding makes the mean the upper one.
    """
    n = candidate.weight
    m = candidate.n_values
    prefix_gains(criterion.space, node, reading, m, n)
    keys = reading.keys
    order = reading.order
    left_weights = reading.left_weights
    gains = reading.gains
    min_leaf = criterion.rule.min_leaf
    best_gain = -1.0
    best = np.int64(0)
    for k in range(m - 1):
        is_better = gains[k] > best_gain * TIE_FACTOR
        is_between = keys[k] != keys[k + 1]
        if is_better and is_between and left_weights[k] >= min_leaf and n - left_weights[k] >= min_leaf:
            best_gain = gains[k]
            best = k
    below = _value_at(data, node, candidate, order[best])
    above = _value_at(data, node, candidate, order[best + 1])
    middle = below + (above - below) / 2
    return FeatureTest(best_gain, middle if middle < above else below, left_weights[best])


@kernel(**INLINED)
def _value_at(data, node, candidate, position):
    """Return the value of a candidate at a position."""
    zero_position = len(node.weights) - 1
    return value_at(data.columns, data.starts, candidate.feature, candidate.rows, zero_position, position)


@kernel(**MERGED)
def try_feature(data, codes, table, criterion, work, f, rows, feature_read, weight):
    """Find the test of feature f that the rule asks for; returns `FeatureTest`.

    codes: `Columns.codes`, None if thresholds are random; table: `Columns.table`, None if all are tried.
    rows (m,): rows of the node that have a value, centred in work.node; weight: their weight.
    feature_read: `FeatureRead` of the feature.
    """
    low = feature_read.low
    high = feature_read.high
    reading = work.reading
    n_values = add_zeros(data.columns, data.starts, criterion, work, f, feature_read, weight)
    candidate = Candidate(f, rows, n_values, low, high, weight)
    if table is not None:
        return _random_test(data, criterion, work, candidate)
    if codes is not None:
        sort_codes(reading, n_values, np.int64(low), np.int64(high))
        to_positions(data.starts, reading.positions, reading.order, n_values)
        if data.columns.nominal[f]:
            return _best_value(data, criterion, work.node, reading, candidate)
        return _best_threshold(data, criterion, work.node, reading, candidate)
    return FeatureTest(0.0, 0.0, 0.0)
