"""Selection of the k-th smallest of many distances by counting.

`points/nearest_lists` and `learned/means_without` call `kth_smallest` row by row.  Counting the numbers below a
threshold is one pass in vector registers, and the threshold of the row before is close: so four or five passes are
enough, where sorting or partitioning would move every number about, one by one.

The threshold is found by regula falsi on the logarithm of the count; while only one end of the bracket is known, by
steps along the last slope.  Numbers >= 0 have the same order as their bits read as integers: so the next number is the
next integer, and bisection over the bits ends the search whatever the numbers are.
"""

import numpy as np

from .jit import kernel

LOOKS = 4  # passes over all numbers, as a rule: the tests count them
MAX_LOOKS = 24  # passes before bisection takes over; chosen by eye, six times as many as needed as a rule
MAX_PASSED = 3  # numbers too few or too many that are stepped over one by one; chosen by eye
MAX_FLOATS = float(np.finfo(np.float32).max), float(np.finfo(np.float64).max)  # largest finite float32 and float64
MAX_BITS = np.iinfo(np.int32).max, np.iinfo(np.int64).max  # largest integer with the bits of a float32, of a float64
BITS_OF = {8: np.empty(1, np.int64), 4: np.empty(1, np.int32)}  # array of integers with as many bytes as a float
FIRST_SLOPE = 0.05  # relative growth of the number when the log count grows by 1, before any is known; chosen by eye


@kernel
def kth_smallest(x, cell, k, guess, slope):
    """Find the k-th smallest (from 1) of numbers >= 0 by regula falsi.

    x: bits of the numbers as integers.
    cell: room for one number.
    k: less than the count of the numbers.
    guess: first threshold.
    slope: growth of the number for which the logarithm of the count grows by 1; 0 if unknown.

    Returns the k-th smallest number and the slope near it.

    Invariant: low <= k-th <= high, and both are among the numbers, or -1 and infinite at first.  at_low < 0 < at_high
    are about log(count / k) there, approximated by off = 2 (count - (k - 0.5)) / (count + (k - 0.5)).
    """
    bits = cell.view(x.dtype)
    goal = k - 0.5
    # The last threshold and its offset, for the slope.
    t_before = 0.0
    off_before = 0.0
    # The bracket.
    low = -1.0
    high = np.inf
    at_low = -2.0
    at_high = 2.0
    t = max(guess, 0.0)
    past = False  # count below the number that follows t instead of below t
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
        t_before = t
        off_before = off
        if count > k:
            bits[0] = below
            high = float(cell[0])
            at_high = off
        else:
            bits[0] = above
            low = float(cell[0])
            at_low = off
        if not low < high:
            return high, slope
        step = (slope if slope > 0 else FIRST_SLOPE * cell[0]) * off
        t, past = _next_threshold(low, high, at_low, at_high, t - step, count - k)
    return _by_bisection(x, cell, k), slope


@kernel
def _next_threshold(low, high, at_low, at_high, outside, excess):
    """Choose the next threshold t = low + (high - low) * at_low / (at_low - at_high).

    low, high, at_low, at_high: the bracket, and the offsets of the counts at its ends.
    outside: threshold while an end is unknown.
    excess: amount by which the last count was too large.

    Near the k-th number, or where a step would leave the bracket, an end is stepped over by one number.

    Returns the threshold, and True to count below the number that follows it instead.
    """
    t = outside
    if low >= 0 and high < np.inf:
        t = low + (high - low) * at_low / (at_low - at_high)
    down = 0 < excess < MAX_PASSED or not t < high
    past = not down and (0 < -excess <= MAX_PASSED or not t > low)
    if down:
        t = high
    elif past:
        t = low
    return t, past


@kernel
def _by_bisection(x, cell, k):
    """Find the k-th smallest number by bisection over the bits, in at most 64 passes whatever the numbers are.

    x, cell, k: as in `kth_smallest`.  Invariant: fewer than k numbers are below `low`, at least k are not above `high`.
    """
    bits = cell.view(x.dtype)
    cell[0] = MAX_FLOATS[0] if x.itemsize == 4 else MAX_FLOATS[1]
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
    """Count the integers of x that are below t; returns the count, the largest below t and the smallest other one."""
    smallest = x.dtype.type(-1)
    largest = x.dtype.type(MAX_BITS[0] if x.itemsize == 4 else MAX_BITS[1])
    count = 0
    below = smallest
    above = largest
    for s in range(len(x)):
        inside = x[s] < t
        count += inside
        below = max(below, x[s] if inside else smallest)
        above = min(above, largest if inside else x[s])
    return count, below, above


@kernel
def finite_moments(x):
    """Compute the count, the sum and the sum of squares of the finite numbers of x."""
    count = 0
    total = 0.0
    squares = 0.0
    for s in range(len(x)):
        d = x[s] if x[s] < np.inf else 0.0
        total += d
        squares += d * d
        count += x[s] < np.inf
    return count, total, squares


@kernel
def is_increasing(order):
    """Return True if each number of order (n,) is larger than the one before; np.all takes longer to compile."""
    increases = len(order) > 0
    for s in range(1, len(order)):
        increases &= order[s] > order[s - 1]
    return increases


@kernel
def put_in_order(row, order, is_identity, out):
    """Fill out (n,): out_s = row[order_s], and 0 for -0, whose bits have another order.

    is_identity: the order is 0, 1, ..., n - 1, so that a plain copy will do.
    """
    if is_identity:
        for s in range(len(row)):
            out[s] = abs(row[s])
    else:
        for s in range(len(row)):
            out[s] = abs(row[order[s]])


@kernel
def positions_up_to(x, limit, out):
    """Write the positions of the numbers x <= limit to out, which is longer than x; returns their count."""
    m = 0
    for s in range(len(x)):
        out[m] = s
        m += x[s] <= limit
    return m


@kernel
def drop_last_tie(x, limit, positions, m):
    """Remove the last of the first m positions whose number equals the limit."""
    s = m - 1
    while x[positions[s]] != limit:
        s -= 1
    for q in range(s, m - 1):  # a copy of a slice takes 2 s to compile
        positions[q] = positions[q + 1]
