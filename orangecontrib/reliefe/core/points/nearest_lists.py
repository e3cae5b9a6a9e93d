"""Lists of the k nearest rows of every group, by given distances.

`nearest.py` and `learned/row_distances.py` call the kernel block by block.
"""

import numpy as np

from ..kernels.jit import kernel
from ..kernels.selection import (
    MAX_FLOATS,
    drop_last_tie,
    finite_moments,
    is_increasing,
    kth_smallest,
    positions_up_to,
    put_in_order,
)


@kernel
def list_nearest(D, integers, members, starts, memory, cols, dist, weights, sums):
    """Fill the lists of the up to k nearest rows of every group, in no order; each has the weight 1 / their number.

    Ties at the k-th distance go to the first members.  A row at an infinite distance is in no list.

    D (b, n): distances of b rows to all rows, at least 0.
    integers: an array of `BITS_OF`.
    members (n,): rows group by group.
    starts (G + 1,): where each group begins in members.
    memory (G, 2): threshold over the mean distance, and slope; passed on to the next row.
    cols, dist, weights (b, G, k): the lists.
    sums (3,): the count, sum and sum of squares of the finite distances are added to it.
    """
    n = D.shape[1]
    k = cols.shape[2]
    ordered = np.empty(n, D.dtype)
    bits = ordered.view(integers.dtype)
    positions = np.empty(n + 1, np.int64)
    is_identity = is_increasing(members)
    cell = np.empty(1, D.dtype)
    for b in range(len(D)):
        put_in_order(D[b], members, is_identity, ordered)
        for g in range(len(starts) - 1):
            first = starts[g]
            x = ordered[starts[g] : starts[g + 1]]
            count, total, squares = finite_moments(x)
            sums[0] += count
            sums[1] += total
            sums[2] += squares
            length = min(k, count)
            if length == 0:
                continue
            mean = total / count
            limit = MAX_FLOATS[0] if D.itemsize == 4 else MAX_FLOATS[1]
            if length < count:
                x_bits = bits[first : starts[g + 1]]
                guess = memory[g, 0] * mean
                limit, memory[g, 1] = kth_smallest(x_bits, cell, length, guess, memory[g, 1])
                memory[g, 0] = limit / mean if mean > 0 else 0.0
            m = positions_up_to(x, D.dtype.type(limit), positions)
            for s in range(m - length):
                drop_last_tie(x, limit, positions, m - s)
            for s in range(length):
                dist[b, g, s] = x[positions[s]]
                cols[b, g, s] = members[first + positions[s]]
                weights[b, g, s] = 1.0 / length
