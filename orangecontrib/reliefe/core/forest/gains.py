"""Gain of a test: the decrease of the impurity of a node E when some rows go to the left.  Kernels of `feature_tests`.

    |E| impurity(E) - sum of |E_c| impurity(E_c) = |S|^2 n / (n_left n_right)

The rows are centred on their mean, and S is the sum of the deviations of the left ones, so that nothing cancels.
Coordinates (lanes) that are known in the same rows form a group; impurities are those of the known rows
(semi-supervised paper, equation 1).
"""

import numpy as np

from ..kernels.jit import kernel
from .kernel_options import INLINED

MIN_WIDE_LANES = 16  # lanes from which on whole rows are added up, instead of eight lanes of all rows; chosen by eye
MIN_WIDE_ROWS = 8  # rows from which on they are; chosen by eye
TRACE_WEIGHT = 1e-9  # weight of rows that is only rounding, where rows go both ways in parts


@kernel(**INLINED)
def is_single(space):
    """Return True if there is one lane, and all rows know it: a number, a label, or a class of two values."""
    return space.z.shape[1] == 1 and space.complete[0]


@kernel(**INLINED)
def _squared_sum(deviations, order, first, last, lanes, is_cumulative, prefix_squares):
    """Compute |sum of deviations[order[first:last]]|^2 over some lanes, eight, four or one of them in one pass.

    lanes: first lane, and the one after the last.
    is_cumulative: also add |sum of deviations[order[first : k + 1]]|^2 to prefix_squares[k], for each k.
    """
    total = 0.0
    lane, stop = lanes
    while lane < stop:
        s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
        width = 1
        if stop - lane >= 8:
            width = 8
        elif stop - lane >= 4:
            width = 4
        if width == 8:
            for k in range(first, last):
                row = deviations[order[k], lane : lane + 8]
                s0 += row[0]
                s1 += row[1]
                s2 += row[2]
                s3 += row[3]
                s4 += row[4]
                s5 += row[5]
                s6 += row[6]
                s7 += row[7]
                if is_cumulative:
                    prefix_squares[k] += _square_of_four(s0, s1, s2, s3) + _square_of_four(s4, s5, s6, s7)
            total += _square_of_four(s0, s1, s2, s3) + _square_of_four(s4, s5, s6, s7)
        elif width == 4:
            for k in range(first, last):
                row = deviations[order[k], lane : lane + 4]
                s0 += row[0]
                s1 += row[1]
                s2 += row[2]
                s3 += row[3]
                if is_cumulative:
                    prefix_squares[k] += _square_of_four(s0, s1, s2, s3)
            total += _square_of_four(s0, s1, s2, s3)
        else:
            for k in range(first, last):
                s0 += deviations[order[k], lane]
                if is_cumulative:
                    prefix_squares[k] += s0 * s0
            total += s0 * s0
        lane += width
    return total


@kernel(**INLINED)
def _square_of_four(a, b, c, d):
    """Compute a^2 + b^2 + c^2 + d^2, in pairs."""
    return (a * a + b * b) + (c * c + d * d)


@kernel(**INLINED)
def _squared_sum_wide(deviations, order, first, last, lanes, scratch):
    """Compute the same as `_squared_sum` of many lanes, four rows in one pass over them.

    scratch: memory for the sums, an entry for each lane up to the last one.
    """
    start, stop = lanes
    sums = scratch[start:stop]
    last_of_four = last - (last - first) % 4
    total = 0.0
    sums[:] = 0
    for k in range(first, last_of_four, 4):
        a = deviations[order[k], start:stop]
        b = deviations[order[k + 1], start:stop]
        c = deviations[order[k + 2], start:stop]
        d = deviations[order[k + 3], start:stop]
        for lane in range(len(sums)):
            sums[lane] += (a[lane] + b[lane]) + (c[lane] + d[lane])
    for k in range(last_of_four, last):
        a = deviations[order[k], start:stop]
        for lane in range(len(sums)):
            sums[lane] += a[lane]
    for lane in range(len(sums)):
        total += sums[lane] * sums[lane]
    return total


@kernel(**INLINED)
def _incomplete_gain(node, g, n, n_left, known_weight, squares, squared_sum):
    """Compute the gain in a group g that some rows lack: n impurity - n_left L - (n - n_left) R.

    L and R are the impurities of the sides.  A side on which no row knows the group has that of the node.

    n, n_left: weights of all rows and of the left ones.
    known_weight: weight of the left rows that know the group; squares: sum of their squared distances to the mean of
    the node; squared_sum: squared length of the sum of their deviations.
    """
    impurity = node.impurity[g]
    right_weight = node.group_weights[g] - known_weight
    left_impurity = (
        max(squares - squared_sum / known_weight, 0.0) / known_weight if known_weight > TRACE_WEIGHT else impurity
    )
    right_impurity = (
        max(node.group_squares[g] - squares - squared_sum / right_weight, 0.0) / right_weight
        if right_weight > TRACE_WEIGHT
        else impurity
    )
    return n * impurity - n_left * left_impurity - (n - n_left) * right_impurity


@kernel(**INLINED)
def prefix_gains(space, node, reading, m, n):
    """Compute the gains of the tests that send the first k + 1 of m ordered rows to the left, for each k.

    Fills reading.left_weights[k] with the weight of the rows reading.order[: k + 1], and reading.gains[k], k < m - 1,
    with the gain.  n: weight of all m rows.
    """
    order = reading.order
    left_weights = reading.left_weights
    gains = reading.gains
    weight = 0.0
    if is_single(space):  # sums and weights in one pass
        deviation_sum = 0.0
        for k in range(m):
            weight += node.weights[order[k]]
            deviation_sum += node.deviations[order[k], 0]
            left_weights[k] = weight
            gains[k] = deviation_sum * deviation_sum
        for k in range(m - 1):
            gains[k] *= n / (left_weights[k] * (n - left_weights[k]))
        return
    for k in range(m):
        weight += node.weights[order[k]]
        left_weights[k] = weight
        gains[k] = 0.0
    prefix_squares = reading.prefix_squares
    for g in range(len(space.complete)):
        lanes = space.starts[g], space.starts[g + 1]
        prefix_squares[:m] = 0
        _squared_sum(node.deviations, order, np.int64(0), m, lanes, True, prefix_squares)
        if space.complete[g]:
            for k in range(m - 1):
                gains[k] += prefix_squares[k] * n / (left_weights[k] * (n - left_weights[k]))
        else:
            squares = 0.0
            known_weight = 0.0
            for k in range(m - 1):
                known_weight += node.known_weights[order[k], g]
                squares += node.row_squares[order[k], g]
                gains[k] += _incomplete_gain(node, g, n, left_weights[k], known_weight, squares, prefix_squares[k])


@kernel(**INLINED)
def subset_gain(space, node, order, first, last, n, n_left):
    """Compute the gain of the test that separates the rows order[first:last] from all other rows of a node.

    n: weight of all rows; n_left: weight of the rows order[first:last].
    """
    gain = 0.0
    for g in range(len(space.complete)):
        lanes = space.starts[g], space.starts[g + 1]
        is_wide = lanes[1] - lanes[0] >= MIN_WIDE_LANES and last - first >= MIN_WIDE_ROWS
        # The memory of the mean is free here.  A call in another form is compiled to sums in another order.
        sum_args = node.deviations, order, first, last, lanes
        squared_sum = (
            _squared_sum_wide(*sum_args, node.mean) if is_wide else _squared_sum(*sum_args, False, node.weights)
        )
        if space.complete[g]:
            gain += squared_sum * n / (n_left * (n - n_left))
        else:
            squares = 0.0
            known_weight = 0.0
            for k in range(first, last):
                known_weight += node.known_weights[order[k], g]
                squares += node.row_squares[order[k], g]
            gain += _incomplete_gain(node, g, n, n_left, known_weight, squares, squared_sum)
    return gain
