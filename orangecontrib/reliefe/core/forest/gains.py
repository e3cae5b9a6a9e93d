"""Gain of a test: the decrease of the impurity of a node E when some rows go to the left.

    |E| impurity(E) - sum of |E_c| impurity(E_c) = |S|^2 n_E / (n_L n_R)

The rows are centred on their mean, and S is the sum of the left ones: nothing cancels.  Columns that are known in the
same rows form a group; impurities are those of the known rows (semi-supervised paper, equation 1).

An array that may be None is passed as an argument of its own: numba leaves the branch of an argument that is None out
of what it compiles, but not that of a field of a tuple.
"""

import numpy as np

from ..kernels.jit import kernel
from .kernel_options import INLINED

WIDE = 16  # lanes from which on whole rows are added up
MANY = 8  # rows from which on they are
TRACE_WEIGHT = 1e-9  # weight of rows that is only rounding, where rows go both ways in parts


@kernel(**INLINED)
def is_single(space):
    """True if there is one column, and all rows know it: a number, a label, or a class of two values."""
    return space.z.shape[1] == 1 and space.complete[0]


@kernel(**INLINED)
def _squared_sum(z, order, first, last, c0, c1, every, q):
    """Compute |sum of rows order[first:last]|^2 over the lanes c0 to c1 - 1.

    every: also add the squared sum of order[first : k + 1] to q[k], for each k.
    """
    total = 0.0
    c = c0
    while c < c1:
        s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
        width = 8 if c1 - c >= 8 else 4 if c1 - c >= 4 else 1
        if width == 8:
            for k in range(first, last):
                r = z[order[k], c : c + 8]
                s0, s1, s2, s3 = s0 + r[0], s1 + r[1], s2 + r[2], s3 + r[3]
                s4, s5, s6, s7 = s4 + r[4], s5 + r[5], s6 + r[6], s7 + r[7]
                if every:
                    q[k] += ((s0 * s0 + s1 * s1) + (s2 * s2 + s3 * s3)) + ((s4 * s4 + s5 * s5) + (s6 * s6 + s7 * s7))
            total += ((s0 * s0 + s1 * s1) + (s2 * s2 + s3 * s3)) + ((s4 * s4 + s5 * s5) + (s6 * s6 + s7 * s7))
        elif width == 4:
            for k in range(first, last):
                r = z[order[k], c : c + 4]
                s0, s1, s2, s3 = s0 + r[0], s1 + r[1], s2 + r[2], s3 + r[3]
                if every:
                    q[k] += (s0 * s0 + s1 * s1) + (s2 * s2 + s3 * s3)
            total += (s0 * s0 + s1 * s1) + (s2 * s2 + s3 * s3)
        else:
            for k in range(first, last):
                s0 += z[order[k], c]
                if every:
                    q[k] += s0 * s0
            total += s0 * s0
        c += width
    return total


@kernel(**INLINED)
def _whole_rows(z, order, first, last, c0, c1, room):
    """Compute the same as `_squared_sum` for wide rows, four of them in one pass over the lanes.

    room (c1,) or more: scratch.
    """
    s = room[c0:c1]
    whole = last - (last - first) % 4
    total = 0.0
    s[:] = 0
    for k in range(first, whole, 4):
        a, b, c, d = z[order[k], c0:c1], z[order[k + 1], c0:c1], z[order[k + 2], c0:c1], z[order[k + 3], c0:c1]
        for f in range(len(s)):
            s[f] += (a[f] + b[f]) + (c[f] + d[f])
    for k in range(whole, last):
        a = z[order[k], c0:c1]
        for f in range(len(s)):
            s[f] += a[f]
    for f in range(len(s)):
        total += s[f] * s[f]
    return total


@kernel(**INLINED)
def _incomplete_gain(node, g, n, n_left, known, squares, q):
    """Compute the gain in a group g that some rows lack: n impurity - n_left left - (n - n_left) right.

    known, squares: weight and sum of squares of the left rows that have the group; q: their squared sum.  A side on
    which no row has it keeps the impurity of the node.
    """
    above = node.impurity[g]
    rest = node.n_known[g] - known
    left = max(squares - q / known, 0.0) / known if known > TRACE_WEIGHT else above
    right = max(node.squares[g] - squares - q / rest, 0.0) / rest if rest > TRACE_WEIGHT else above
    return n * above - n_left * left - (n - n_left) * right


@kernel(**INLINED)
def prefix_gains(space, gaps, node, reading, m, n):
    """Fill reading.left[k] with the weight of order[: k + 1], and reading.gains[k] with the gain of that test."""
    order = reading.order
    left = reading.left
    q = reading.squares
    h = reading.gains
    total = 0.0
    if is_single(space):  # sums and weights in one pass
        s = 0.0
        for k in range(m):
            total, s = total + node.w[order[k]], s + node.z[order[k], 0]
            left[k], h[k] = total, s * s
        for k in range(m - 1):
            h[k] *= n / (left[k] * (n - left[k]))
        return
    for k in range(m):
        total += node.w[order[k]]
        left[k], h[k] = total, 0.0
    for g in range(len(space.complete)):
        q[:m] = 0
        _squared_sum(node.z, order, np.int64(0), m, space.starts[g], space.starts[g + 1], True, q)
        if gaps is None or space.complete[g]:
            for k in range(m - 1):
                h[k] += q[k] * n / (left[k] * (n - left[k]))
        else:
            squares, known = 0.0, 0.0
            for k in range(m - 1):
                known += node.known[order[k], g]
                squares += node.square[order[k], g]
                h[k] += _incomplete_gain(node, g, n, left[k], known, squares, q[k])


@kernel(**INLINED)
def subset_gain(space, gaps, node, order, first, last, n, n_left):
    """Compute the gain of separating order[first:last], of weight n_left, from the rest of a node of weight n."""
    h = 0.0
    for g in range(len(space.complete)):
        c0, c1 = space.starts[g], space.starts[g + 1]
        args, whole = (node.z, order, first, last, c0, c1), c1 - c0 >= WIDE and last - first >= MANY
        q = _whole_rows(*args, node.mean) if whole else _squared_sum(*args, False, node.w)  # the mean is used no more
        if gaps is None or space.complete[g]:
            h += q * n / (n_left * (n - n_left))
        else:
            squares, known = 0.0, 0.0
            for k in range(first, last):
                known += node.known[order[k], g]
                squares += node.square[order[k], g]
            h += _incomplete_gain(node, g, n, n_left, known, squares, q)
    return h
