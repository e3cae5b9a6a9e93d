"""Selection of the k-th smallest of many numbers by counting, and means over those that are no larger.

Counting the numbers below a threshold takes one look in vector registers, and a threshold from the row before is close:
so four or five looks are enough, where sorting or partitioning would move every number about, one by one.

The threshold is found by regula falsi on the logarithm of the count; while only one end of the bracket is known, by
steps along the last slope.  Numbers >= 0 and their bits, as whole numbers, are in the same order: so the next number is
the next whole number, and bisection over the bits ends the search whatever the numbers are.
"""

import numpy as np

from ..data.expected import MISSING
from ..kernels.diff import shaped
from ..kernels.jit import kernel

LOOKS = 4  # at all numbers, as a rule
MAX_LOOKS = 24  # before bisection takes over
MAX_PASSED = 3  # numbers too few or too many that are passed one by one
ABOVE_DISTANCES = float(np.finfo(np.float32).max)  # above all distances
MAX_BITS = np.iinfo(np.int32).max, np.iinfo(np.int64).max  # of numbers in single and in double precision
BITS_OF = {8: np.empty(1, np.int64), 4: np.empty(1, np.int32)}  # whole numbers with as many bytes as a number
FIRST_SLOPE = 0.05  # growth of the logarithm of the count by 1, as a share of the number, before any is known


@kernel
def nearest(D, whole, members, starts, memory, cols, dist, weights, sums):
    """Fill lists (b, G, k), in no order, of the up to k nearest of every group, ties by place, all of one weight; a
    distance that is infinite is nobody's.

    D (b, n): distances of b rows; whole: of `BITS_OF`; members (n,): rows group by group, in which group g begins at
    starts[g]; memory (G, 2): threshold over the mean and slope, passed on to the next row; cols, dist, weights
    (b, G, k): the lists; sums += number, sum and squares of distances.
    """
    n, k, ordered = D.shape[1], cols.shape[2], np.empty(D.shape[1], D.dtype)
    at, bits, straight = np.empty(n + 1, np.int64), ordered.view(whole.dtype), np.all(members[1:] > members[:-1])
    cell = np.empty(1, D.dtype)
    for b in range(len(D)):
        _put(D[b], members, straight, ordered)
        for g in range(len(starts) - 1):
            first, x = starts[g], ordered[starts[g] : starts[g + 1]]
            count, total, squares = _moments(x)
            sums[0] += count
            sums[1] += total
            sums[2] += squares
            room = min(k, count)
            if room == 0:
                continue
            mean, last = total / count, ABOVE_DISTANCES
            if room < count:
                x_bits, guess = bits[first : starts[g + 1]], memory[g, 0] * mean
                last, memory[g, 1] = _kth_smallest(x_bits, cell, room, guess, memory[g, 1])
                memory[g, 0] = last / mean if mean > 0 else 0.0
            m = _below(x, D.dtype.type(last), at)
            for s in range(m - room):
                _drop(x, last, at, m - s)
            for s in range(room):
                dist[b, g, s], cols[b, g, s], weights[b, g, s] = x[at[s]], members[first + at[s]], 1.0 / room


@kernel
def means_without(D, whole, lists, parts, how, t, known, memory, out):
    """Compute the means of diff, t * diff and t, out (3, b, G, H), over the rows that are no farther than the k-th
    without one of H features; NaN where there are none.

    D (b, n): distances with all features; whole: of `BITS_OF`; lists: rows group by group, where groups start, places
    (b,) of the own rows, and (b, G) how many are near and the distance of the last; parts: of `Columns`; how: shape of
    diffs, relative difference of what is tied; t (b, n), or (b, 1) where it does not matter; known: weights (b, n) of
    the features that both rows have, and of all; memory (G, H, 2): distance that the k-th row loses, over the mean
    loss, and slope, passed on to the next row.
    """
    values, slots, table, numeric, weights = parts
    (members, starts, places, near, bounds), (shape, tie), (seen, of_all), n = lists, how, known, D.shape[1]
    d, diff, less, cell = np.empty(n, D.dtype), np.empty(n, D.dtype), np.empty(n, D.dtype), np.empty(1, D.dtype)
    bits, straight = less.view(whole.dtype), np.all(members[1:] > members[:-1])
    plain = shape is None and len(table) == 0
    for b in range(len(D)):
        _put(D[b], members, straight, d)
        for h in range(len(weights)):
            v = D.dtype.type(weights[h])
            if plain and numeric[h]:
                mean = _less_plain(d, values[h], values[h, places[b]], v, diff, less)
            else:
                _diffs(values[h], slots[h], table, numeric[h], shape, len(seen) > 0, places[b], diff)
                mean = _less(d, diff, v, less) if len(seen) == 0 else _less_of_means(d, seen[b], of_all, v, diff, less)
            for g in range(len(starts) - 1):
                first, stop, k, last = starts[g], starts[g + 1], near[b, g], ABOVE_DISTANCES
                if 0 < k < stop - first - (first <= places[b] < stop):
                    guess = bounds[b, g] - memory[g, h, 0] * v * mean
                    last, memory[g, h, 1] = _kth_smallest(bits[first:stop], cell, k, guess, memory[g, h, 1])
                    memory[g, h, 0] = (bounds[b, g] - last) / (v * mean) if v * mean > 0 else 0.0
                    last += tie * (last + v)
                row, edge = t[b, first:stop] if t.shape[1] > 1 else t[b, :0], D.dtype.type(last if k > 0 else -1.0)
                _means(less[first:stop], diff[first:stop], row, edge, len(seen) > 0, out[:, b, g, h])


@kernel
def _kth_smallest(x, cell, k, guess, slope):
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
def _moments(x):
    """Number of those that are finite, their sum and that of their squares."""
    count, total, squares = 0, 0.0, 0.0
    for s in range(len(x)):
        d = x[s] if x[s] < np.inf else 0.0
        total += d
        squares += d * d
        count += x[s] < np.inf
    return count, total, squares


@kernel
def _put(row, members, straight, out):
    """Put the numbers of a row in the order of `members`; straight: these are 0, 1, ..., and not worth looking at."""
    if straight:
        for s in range(len(row)):
            out[s] = row[s]
    else:
        for s in range(len(row)):
            out[s] = row[members[s]]


@kernel
def _below(x, last, at):
    """Write the places of what is no larger than `last` to `at`, which is longer than x; returns their number."""
    m = 0
    for s in range(len(x)):
        at[m] = s
        m += x[s] <= last
    return m


@kernel
def _drop(x, last, at, m):
    """Take the last place of a number that equals `last` out of m places."""
    s = m - 1
    while x[at[s]] != last:
        s -= 1
    for q in range(s, m - 1):  # a copy of a slice is compiled for 2 s
        at[q] = at[q + 1]


@kernel
def _less_plain(d, x, y, v, diff, less):
    """Diffs of numbers, and distances without the feature; returns the mean diff."""
    none = d.dtype.type(0)
    total = none
    for j in range(len(x)):
        q = abs(x[j] - y)
        rest = d[j] - v * q
        diff[j] = q
        less[j] = rest if rest > none else none
        total += q
    return float(total) / len(x)


@kernel
def _less(d, diff, v, less):
    """Distances without the feature, from its diffs; returns the mean diff."""
    none = d.dtype.type(0)
    total = none
    for j in range(len(d)):
        rest = d[j] - v * diff[j]
        less[j] = rest if rest > none else none
        total += diff[j]
    return float(total) / len(d)


@kernel
def _less_of_means(d, seen, whole, v, diff, less):
    """Distances that are means over the features both rows have, less one of them, on the scale of d."""
    total = 0.0
    for j in range(len(d)):
        less[j] = d[j]
        if diff[j] >= 0 and d[j] < np.inf:
            rest = seen[j] - v
            distance = (d[j] * seen[j] / whole - v * diff[j]) / rest * whole if rest > 1e-9 * whole else whole
            less[j] = distance if distance > 0 else 0.0
            total += diff[j]
    return total / len(d)


@kernel
def _diffs(x, slot, table, numeric, shape, ignore, i, out):
    """Diffs of row i to all rows in a feature; -1 where they are ignored."""
    y = x[i]
    if not numeric:
        for j in range(len(x)):
            out[j] = 1.0 if x[j] != y else 0.0
    else:
        for j in range(len(x)):
            out[j] = shaped(abs(x[j] - y), shape)
    if len(table) == 0:
        return
    if ignore:
        for j in range(len(x)):
            out[j] = -1.0 if y == MISSING or x[j] == MISSING else out[j]
        return
    for j in range(len(x)):
        if slot[j] >= 0:
            out[j] += table[slot[j], i]
    if slot[i] >= 0:
        row = table[slot[i]]
        for j in range(len(x)):
            out[j] += row[j]


@kernel
def _means(less, diff, t, last, ignore, out):
    """Compute the means of diff, t * diff and t over what is no larger than `last`, and has a diff where some are
    ignored."""
    none, one = less.dtype.type(0), less.dtype.type(1)
    total, both, changed, count = none, 0.0, 0.0, none
    if ignore:
        for s in range(len(less)):
            less[s] = less[s] if diff[s] >= 0 else np.inf
    for s in range(len(less)):
        inside = less[s] <= last
        count += one if inside else none
        total += diff[s] if inside else none
    for s in range(len(t)):
        inside = less[s] <= last
        both += diff[s] * t[s] if inside else 0.0
        changed += t[s] if inside else 0.0
    out[0] = total / count if count > 0 else np.nan
    out[1] = both / count if count > 0 else np.nan
    out[2] = changed / count if count > 0 else np.nan
