"""Selection of the k-th smallest of many numbers by counting, and means over those that are no larger.

Counting the numbers below a threshold takes one look in vector registers, and a threshold from the row before is close:
so four or five looks are enough, where sorting or partitioning would move every number about, one by one.

The threshold is found by regula falsi on the logarithm of the count; while only one end of the bracket is known, by
steps along the last slope.  Numbers >= 0 and their bits, as whole numbers, are in the same order: so the next number is
the next whole number, and bisection over the bits ends the search whatever the numbers are.
"""

import numpy as np

from ..kernels.jit import kernel

LOOKS = 4  # at all numbers, as a rule
MAX_LOOKS = 24  # before bisection takes over
MAX_PASSED = 3  # numbers too few or too many that are passed one by one
ABOVE_DISTANCES = float(np.finfo(np.float32).max)  # above all distances
MAX_BITS = np.iinfo(np.int32).max, np.iinfo(np.int64).max  # of numbers in single and in double precision
BITS_OF = {8: np.empty(1, np.int64), 4: np.empty(1, np.int32)}  # whole numbers with as many bytes as a number
FIRST_SLOPE = 0.05  # growth of the logarithm of the count by 1, as a share of the number, before any is known


@kernel
def kth_smallest(x, cell, k, guess, slope):
    """Find the k-th smallest (from 1) of numbers >= 0 by regula falsi: (the number, slope of the counts near to it).

    x: their bits as whole numbers; cell: room for one number; k: less than their number; guess: of the k-th; slope: by
    how much a number is to grow for the logarithm of the count to grow by 1, 0 where it is unknown.

    Invariant: low <= k-th <= high, and both are among the numbers, or -1 and infinite at first.  at_low < 0 < at_high:
    about log(count / k) there.
    """
    bits, goal, t_before, off_before, past = cell.view(x.dtype), k - 0.5, 0.0, 0.0, False
    low, high, at_low, at_high, t = -1.0, np.inf, -2.0, 2.0, max(guess, 0.0)
    for _ in range(MAX_LOOKS):
        cell[0] = t
        bits[0] += past
        count, below, above = _count(x, bits[0])
        if count == k or count == k - 1:
            bits[0] = below if count == k else above
            return float(cell[0]), slope
        off = 2 * (count - goal) / (count + goal)
        if (t - t_before) * (off - off_before) > 0 and off_before != 0:
            slope = (t - t_before) / (off - off_before)
        t_before, off_before = t, off
        if count > k:
            bits[0] = below
            high, at_high = float(cell[0]), off
        else:
            bits[0] = above
            low, at_low = float(cell[0]), off
        if not low < high:
            return high, slope
        step = (slope if slope > 0 else FIRST_SLOPE * cell[0]) * off
        t, past = _next_threshold(low, high, at_low, at_high, t - step, count - k)
    return _by_bisection(x, cell, k), slope


@kernel
def _next_threshold(low, high, at_low, at_high, outside, excess):
    """Choose the threshold to count below, and whether to count below the number that follows it instead.

    low, high, at_low, at_high: the bracket; outside: threshold while an end is unknown; excess: by how many the last
    count was too large.  Near to the k-th, or where a step would leave the bracket, an end is passed by one number.
    """
    t = outside
    if low >= 0 and high < np.inf:
        t = low + (high - low) * at_low / (at_low - at_high)
    down = 0 < excess < MAX_PASSED or not t < high
    past = not down and (0 < -excess <= MAX_PASSED or not t > low)
    return high if down else low if past else t, past


@kernel
def _by_bisection(x, cell, k):
    """Find the k-th smallest in at most 64 looks, however the numbers lie: fewer than k are below `low`, k or more are
    not above `high`."""
    bits = cell.view(x.dtype)
    cell[0] = ABOVE_DISTANCES
    low, high = np.int64(0), np.int64(bits[0])
    while low < high:
        bits[0] = low + (high - low) // 2 + 1
        if _count(x, bits[0])[0] >= k:
            high = low + (high - low) // 2
        else:
            low = low + (high - low) // 2 + 1
    bits[0] = low
    return float(cell[0])


@kernel
def _count(x, t):
    """Count those of x that are below t: (their number, the largest of them, the smallest of the others)."""
    nothing, everything, count = x.dtype.type(-1), x.dtype.type(MAX_BITS[0] if x.itemsize == 4 else MAX_BITS[1]), 0
    below, above = nothing, everything
    for s in range(len(x)):
        inside = x[s] < t
        count += inside
        below = max(below, x[s] if inside else nothing)
        above = min(above, everything if inside else x[s])
    return count, below, above


@kernel
def finite_moments(x):
    """Number of those that are finite, their sum and that of their squares."""
    count, total, squares = 0, 0.0, 0.0
    for s in range(len(x)):
        d = x[s] if x[s] < np.inf else 0.0
        total += d
        squares += d * d
        count += x[s] < np.inf
    return count, total, squares


@kernel
def put_in_order(row, members, straight, out):
    """Put the numbers of a row in the order of `members`; straight: these are 0, 1, ..., and not worth looking at."""
    if straight:
        for s in range(len(row)):
            out[s] = row[s]
    else:
        for s in range(len(row)):
            out[s] = row[members[s]]


@kernel
def places_up_to(x, last, at):
    """Write the places of what is no larger than `last` to `at`, which is longer than x; returns their number."""
    m = 0
    for s in range(len(x)):
        at[m] = s
        m += x[s] <= last
    return m


@kernel
def drop_last_tie(x, last, at, m):
    """Take the last place of a number that equals `last` out of m places."""
    s = m - 1
    while x[at[s]] != last:
        s -= 1
    for q in range(s, m - 1):  # a copy of a slice is compiled for 2 s
        at[q] = at[q + 1]
