"""The nearest rows of each group of the rows of a strip, as sorted keys; in vector registers.

`search.py` calls `list_nearest` for each strip of distances, in steps.  `nearest_plain.py` has the same in NumPy.

The distances of a row are read twice.  First they fall into bins by their place, and the smallest distance of each bin
is kept: at least k rows are not farther than the k-th smallest of these minima, and hardly more.  Then the rows up to
this distance, and up to the error of a distance beyond it, are listed, 64 at a time by one comparison, and sorted.

A key is the distance in steps, times 2^32, plus the id of the row: distance 5 and row 3 are 5 * 2^32 + 3.  So equally
near rows are in the order of their ids.

Importing this file imports numba.
"""

import numpy as np

from ...kernels.jit import compiled
from ...kernels.registers import WORD, bits_at_most, lowest_bit
from ..formats.steps import APART

BINS_PER_NEIGHBOUR = 4  # with fewer bins the bound is too loose; by measurements
MAX_BINS = 1024  # for more neighbours than half of them all rows of a group are sorted
FEW = 16  # rows beyond the k-th that are sorted rather than left out before; by measurements
SLACK = 4  # a bound may let pass k / SLACK rows more than k
GAPS = (701, 301, 132, 57, 23, 10, 4, 1)  # of a Shell sort; Ciura (2001)


@compiled
def list_nearest(distances, i0, rows, ranges, ids, k, error, lists):
    """List the k nearest rows of each group of some rows of a strip, and those that may be as near as the k-th.

    A row may be among the k nearest if d <= d_k * factor + term, where d_k is the k-th smallest distance in steps.  If
    steps have no error, d = d_k at most, and of equally near rows those with the lowest ids.

    distances : (>= height + 1, width) int32, of the rows from i0 on to all rows; behind the rows of a group the next 64
        numbers are read, too.
    i0 : first row of the strip.
    rows : (b,), rows of the strip whose lists are made.
    ranges : GroupRanges.
    ids : (n,), rows in the caller's order.
    k : number of neighbours.
    error : (factor, term), see above; (1.0, 0.0) if steps have no error.
    lists : keys and counts, which are written: sorted keys (b, G, length) uint64, then the largest number;
        numbers (b, G) of rows, which may be more than the length of a list.
    """
    all_keys = np.empty(len(ids), np.uint64)
    distances_of_keys = np.empty(len(ids), np.int32)
    bins = np.empty(MAX_BINS, np.int32)
    keys, counts = lists
    factor, term = error
    is_exact = term == 0.0 and factor == 1.0
    nobody = ~np.uint64(0)
    for b in range(len(rows)):
        d = distances[rows[b] - i0]
        for g in range(len(ranges.starts) - 1):
            first = ranges.starts[g]
            last = ranges.starts[g + 1]
            bound = _beyond(np.int64(_bound_of_kth(d, ranges, first, last, k, bins)), factor, term)
            count = _list_keys(d, ranges, first, last, bound, ids, all_keys)
            if count > k + FEW:
                count = _leave_out(all_keys, count, k, is_exact, factor, term, distances_of_keys)
            _sort(all_keys, count)
            if is_exact:
                count = min(count, k)
            elif count > k:
                limit = _beyond(np.int64(all_keys[k - 1] >> np.uint64(32)), factor, term)
                while np.int64(all_keys[count - 1] >> np.uint64(32)) > limit:
                    count -= 1
            counts[b, g] = count
            listed = keys[b, g]
            for q in range(len(listed)):
                listed[q] = all_keys[q] if q < count else nobody


@compiled
def _beyond(distance, factor, term):
    """Return the largest distance, in steps, of rows that may be as near as one at this distance."""
    return np.int32(min(np.floor(distance * factor + term), APART - 1.0))


@compiled
def _bound_of_kth(d, ranges, first, last, k, bins):
    """Return a distance that k rows at least, and hardly more, of the ranges from `first` to `last` do not exceed."""
    n_bins = WORD
    while n_bins < BINS_PER_NEIGHBOUR * k and n_bins < MAX_BINS:
        n_bins *= 2
    n_rows = 0
    for s in range(first, last):
        n_rows += ranges.ends[s] - ranges.begins[s]
    if n_bins < 2 * k or n_rows < 2 * n_bins:
        return np.int32(APART - 1)
    smallest = bins[:n_bins]
    smallest[:] = APART
    for s in range(first, last):
        begin = ranges.begins[s]
        end = ranges.ends[s]
        stop = begin + (end - begin) // n_bins * n_bins
        for start in range(begin, stop, n_bins):
            for lane in range(0, n_bins, WORD):
                chunk = d[start + lane : start + lane + WORD]
                of_lanes = bins[lane : lane + WORD]
                for q in range(WORD):
                    of_lanes[q] = min(of_lanes[q], chunk[q])
        for q in range(end - stop):
            smallest[q] = min(smallest[q], d[stop + q])
    return _kth_smallest(smallest, k, k // SLACK)


@compiled
def _kth_smallest(numbers, k, slack):
    """Return a number that at least k and at most k + slack of these numbers, but for ties, do not exceed.

    By bisection between the smallest and the largest number.
    """
    low = numbers[0]
    high = numbers[0]
    for q in range(len(numbers)):
        low = min(low, numbers[q])
        high = max(high, numbers[q])
    below = np.int64(low) - 1
    above = np.int64(high)
    while above - below > 1:
        middle = np.int32((below + above) // 2)
        count = np.int32(0)
        for q in range(len(numbers)):
            count += np.int32(numbers[q] <= middle)
        if count < k:
            below = np.int64(middle)
            continue
        above = np.int64(middle)
        if count <= k + slack:
            break
    return np.int32(above)


@compiled
def _list_keys(d, ranges, first, last, limit, ids, keys):
    """List the keys of the rows in the ranges from `first` to `last` with d <= limit; return their number."""
    count = 0
    one = np.uint64(1)
    half = np.uint64(32)
    for s in range(first, last):
        end = ranges.ends[s]
        for start in range(ranges.begins[s], end, WORD):
            bits = bits_at_most(d, start, limit)
            if end - start < WORD:
                bits &= (one << np.uint64(end - start)) - one
            while bits:
                j = start + lowest_bit(bits)
                bits &= bits - one
                keys[count] = np.uint64(d[j]) << half | np.uint64(ids[j])
                count += 1
    return count


@compiled
def _leave_out(keys, count, k, is_exact, factor, term, distances):
    """Keep the keys of the rows that may be among the k nearest ones; return their number.

    distances : (>= count,) int32, memory.
    """
    half = np.uint64(32)
    for q in range(count):
        distances[q] = np.int32(keys[q] >> half)
    kth = _kth_smallest(distances[:count], k, np.int64(0))
    limit = _beyond(np.int64(kth), factor, term)
    largest_id = np.int64(-1)
    if is_exact:  # of the rows at the k-th distance those with the lowest ids
        n_nearer = 0
        n_tied = 0
        for q in range(count):
            if distances[q] < kth:
                n_nearer += 1
        for q in range(count):
            if distances[q] == kth:
                distances[n_tied] = np.int32(keys[q] & np.uint64(2**32 - 1))  # places up to q are read already
                n_tied += 1
        largest_id = np.int64(_kth_smallest(distances[:n_tied], k - n_nearer, np.int64(0)))
    n_kept = 0
    for q in range(count):
        distance = np.int64(keys[q] >> half)
        is_last_tied = is_exact and distance == kth and np.int64(keys[q] & np.uint64(2**32 - 1)) > largest_id
        if distance <= limit and not is_last_tied:
            keys[n_kept] = keys[q]
            n_kept += 1
    return n_kept


@compiled
def _sort(keys, count):
    """Sort the first keys in place, by Shell's method: by insertion if there are few."""
    for gap in GAPS:
        if gap >= count:
            continue
        for q in range(gap, count):
            key = keys[q]
            r = q
            while r >= gap and keys[r - gap] > key:
                keys[r] = keys[r - gap]
                r -= gap
            keys[r] = key
