"""The k-th smallest of many numbers by counting, and what is made of those that are no larger.

Counting how many are below a guess takes one look in vector registers, and a guess from the row before is close: so
four or five looks are enough, where sorting or partitioning would move every number about, one by one.
"""

import numpy as np

from ..data.missing import MISSING
from ..jit import kernel

LOOKS, MOST_LOOKS = 4, 24  # at all numbers: usually, and before halving takes over from guessing
NEAR = 3  # numbers too few or too many that are passed one by one
HUGE = float(np.finfo(np.float32).max)  # above all distances
MOST = np.iinfo(np.int32).max, np.iinfo(np.int64).max
WHOLE = {8: np.empty(1, np.int64), 4: np.empty(1, np.int32)}  # what has as many bytes as a number
SCALE = 0.05  # share of a number from which its logarithm of the count is guessed to grow by 1, before any is known


@kernel
def nearest(D, whole, members, starts, memory, cols, dist, weights, sums):
    """Lists (b, G, k), in no order, of the up to k nearest of every group, ties by place, which all weigh the same; a
    distance that is infinite is nobody's.

    whole: of `WHOLE`; members (n,): rows group by group, in which group g begins at starts[g]; memory (G, 2): what is
    passed on to the next row; sums += number, sum and squares of distances.
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
            mean, last = total / count, HUGE
            if room < count:
                x_bits, guess = bits[first : starts[g + 1]], memory[g, 0] * mean
                last, memory[g, 1] = _kth(x_bits, cell, room, guess, memory[g, 1])
                memory[g, 0] = last / mean if mean > 0 else 0.0
            m = _below(x, D.dtype.type(last), at)
            for s in range(m - room):
                _drop(x, last, at, m - s)
            for s in range(room):
                dist[b, g, s], cols[b, g, s], weights[b, g, s] = x[at[s]], members[first + at[s]], 1.0 / room


@kernel
def means_without(D, whole, lists, parts, how, t, known, memory, out):
    """Means of diff, t * diff and t, out (3, b, G, H), over the rows that are no farther than the k-th without one of
    H features; NaN where there are none.

    lists: rows group by group, where groups start, places (b,) of the own rows, and (b, G) how many are near and the
    distance of the last; parts: of `Columns`; how: shape of diffs, relative difference of what is tied; t (b, n), or
    (b, 1) where it does not matter; known: weights (b, n) of the features that both rows have, and of all; memory
    (G, H, 2): what is passed on to the next row.
    """
    values, slots, table, numeric, weights = parts
    (members, starts, places, near, bounds), (shape, tie), (seen, of_all), n = lists, how, known, D.shape[1]
    d, diff, less, cell = np.empty(n, D.dtype), np.empty(n, D.dtype), np.empty(n, D.dtype), np.empty(1, D.dtype)
    bits, straight = less.view(whole.dtype), np.all(members[1:] > members[:-1])
    plain = shape[1] == 0 and len(table) == 0
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
                first, stop, k, last = starts[g], starts[g + 1], near[b, g], HUGE
                if 0 < k < stop - first - (first <= places[b] < stop):
                    guess = bounds[b, g] - memory[g, h, 0] * v * mean
                    last, memory[g, h, 1] = _kth(bits[first:stop], cell, k, guess, memory[g, h, 1])
                    memory[g, h, 0] = (bounds[b, g] - last) / (v * mean) if v * mean > 0 else 0.0
                    last += tie * (last + v)
                row, edge = t[b, first:stop] if t.shape[1] > 1 else t[b, :0], D.dtype.type(last if k > 0 else -1.0)
                _tell(less[first:stop], diff[first:stop], row, edge, len(seen) > 0, out[:, b, g, h])


@kernel
def _kth(x, cell, k, guess, scale):
    """The k-th smallest (from 1) of numbers >= 0, and the scale of their counts near to it; k is less than their
    number.

    x: their bits as whole numbers, which are in the same order; cell: room for one number; guess: of the k-th; scale:
    by how much a number is to grow for the logarithm of the count to grow by 1, or 0.
    """
    bits, goal, before, t_before, up = cell.view(x.dtype), k - 0.5, 0.0, 0.0, False
    low, high, at_low, at_high, t = -1.0, np.inf, -2.0, 2.0, max(guess, 0.0)
    for _ in range(MOST_LOOKS):
        cell[0] = t
        bits[0] += up
        count, below, above = _count(x, bits[0])
        if count == k or count == k - 1:
            bits[0] = below if count == k else above
            return float(cell[0]), scale
        off = 2 * (count - goal) / (count + goal)  # about the logarithm of count / goal
        if (t - t_before) * (off - before) > 0 and before != 0:
            scale = (t - t_before) / (off - before)
        before, t_before = off, t
        bits[0] = below if count > k else above
        if count > k:
            high, at_high = float(cell[0]), off
        else:
            low, at_low = float(cell[0]), off
        if not low < high:
            return high, scale
        if low >= 0 and high < np.inf:
            t = low + (high - low) * at_low / (at_low - at_high)
        else:
            t -= (scale if scale > 0 else SCALE * cell[0]) * off
        down = 0 < count - k < NEAR or not t < high
        up = not down and (0 < k - count <= NEAR or not t > low)  # to the next number there is
        t = high if down else low if up else t
    return _halved(x, cell, k), scale


@kernel
def _halved(x, cell, k):
    """The k-th smallest in at most 64 looks, however the numbers lie."""
    bits = cell.view(x.dtype)
    cell[0] = HUGE
    low, high = np.int64(0), np.int64(bits[0])
    while low < high:  # fewer than k are below `low`, k or more are not above `high`
        bits[0] = low + (high - low) // 2 + 1
        if _count(x, bits[0])[0] >= k:
            high = low + (high - low) // 2
        else:
            low = low + (high - low) // 2 + 1
    bits[0] = low
    return float(cell[0])


@kernel
def _count(x, t):
    """How many of x are below t, the largest of these, the smallest of the others."""
    nothing, everything, count = x.dtype.type(-1), x.dtype.type(MOST[0] if x.itemsize == 4 else MOST[1]), 0
    below, above = nothing, everything
    for s in range(len(x)):
        inside = x[s] < t
        count += inside
        below = max(below, x[s] if inside else nothing)
        above = min(above, everything if inside else x[s])
    return count, below, above


@kernel
def _moments(x):
    """How many are finite, their sum and that of their squares."""
    count, total, squares = 0, 0.0, 0.0
    for s in range(len(x)):
        d = x[s] if x[s] < np.inf else 0.0
        total += d
        squares += d * d
        count += x[s] < np.inf
    return count, total, squares


@kernel
def _put(row, members, straight, out):
    """Numbers of a row in the order of `members`; straight: these are 0, 1, ..., and not worth looking at."""
    if straight:
        for s in range(len(row)):
            out[s] = row[s]
    else:
        for s in range(len(row)):
            out[s] = row[members[s]]


@kernel
def _below(x, last, at):
    """Places of what is no larger than `last` into `at`, which is longer than x; returns how many."""
    m = 0
    for s in range(len(x)):
        at[m] = s
        m += x[s] <= last
    return m


@kernel
def _drop(x, last, at, m):
    """Take the last place of a number that is tied out of m places."""
    s = m - 1
    while x[at[s]] != last:
        s -= 1
    at[s : m - 1] = at[s + 1 : m].copy()


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
    low, slope, squared = shape
    y = x[i]
    if not numeric:
        for j in range(len(x)):
            out[j] = 1.0 if x[j] != y else 0.0
    elif slope == 0:
        for j in range(len(x)):
            out[j] = abs(x[j] - y)
    else:
        for j in range(len(x)):
            q = min(max((abs(x[j] - y) - low) * slope, 0.0), 1.0)
            out[j] = q * q if squared else q
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
def _tell(less, diff, t, last, ignore, out):
    """Means over what is no larger than `last`, and has a diff where some are ignored."""
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
