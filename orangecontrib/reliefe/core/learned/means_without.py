"""Means over the nearest rows by a distance without one feature."""

import numpy as np

from ..data.expected import MISSING
from ..kernels.diff import shaped
from ..kernels.jit import kernel
from .selection import ABOVE_DISTANCES, kth_smallest, put_in_order


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
        put_in_order(D[b], members, straight, d)
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
                    last, memory[g, h, 1] = kth_smallest(bits[first:stop], cell, k, guess, memory[g, h, 1])
                    memory[g, h, 0] = (bounds[b, g] - last) / (v * mean) if v * mean > 0 else 0.0
                    last += tie * (last + v)
                row, edge = t[b, first:stop] if t.shape[1] > 1 else t[b, :0], D.dtype.type(last if k > 0 else -1.0)
                _means(less[first:stop], diff[first:stop], row, edge, len(seen) > 0, out[:, b, g, h])


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
