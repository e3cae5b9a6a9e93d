"""Lists of the k nearest rows of every group."""

import numpy as np

from ..kernels.jit import kernel
from .selection import ABOVE_DISTANCES, drop_last_tie, finite_moments, kth_smallest, places_up_to, put_in_order


@kernel
def list_nearest(D, whole, members, starts, memory, cols, dist, weights, sums):
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
        put_in_order(D[b], members, straight, ordered)
        for g in range(len(starts) - 1):
            first, x = starts[g], ordered[starts[g] : starts[g + 1]]
            count, total, squares = finite_moments(x)
            sums[0] += count
            sums[1] += total
            sums[2] += squares
            room = min(k, count)
            if room == 0:
                continue
            mean, last = total / count, ABOVE_DISTANCES
            if room < count:
                x_bits, guess = bits[first : starts[g + 1]], memory[g, 0] * mean
                last, memory[g, 1] = kth_smallest(x_bits, cell, room, guess, memory[g, 1])
                memory[g, 0] = last / mean if mean > 0 else 0.0
            m = places_up_to(x, D.dtype.type(last), at)
            for s in range(m - room):
                drop_last_tie(x, last, at, m - s)
            for s in range(room):
                dist[b, g, s], cols[b, g, s], weights[b, g, s] = x[at[s]], members[first + at[s]], 1.0 / room
