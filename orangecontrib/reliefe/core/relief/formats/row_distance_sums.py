"""Sums of distances, over all pairs or of each row to all others, by sorting columns: O(p n log n), not O(p n^2).

`Features.row_distances` and `neighbourhoods/row_pairs.py` make mean distances of them. They are for complete dense rows
and plain diffs.
"""

import numpy as np

from ...kernels.jit import kernel


@kernel
def sum_over_pairs(columns, n_numeric):
    """Sum of the diffs of all pairs of rows over sorted columns.

    Of numbers it is sum over q of x_(q) (2 q - n + 1), where x_(0) <= x_(1) <= ...; of codes the number of pairs of
    different ones.

    columns : (c, n), each sorted; the first n_numeric are numbers
    """
    n = columns.shape[1]
    total = 0.0
    for f in range(len(columns)):
        x = columns[f]
        if f < n_numeric:
            for q in range(n):
                total += x[q] * (2 * q - n + 1)
            continue
        start = 0
        for q in range(1, n + 1):
            if q == n or x[q] != x[start]:
                total += (q - start) * (n - q)
                start = q
    return total


@kernel
def add_row_distances(columns, order, n_numeric, out):
    """Add to out[i] the sum of the diffs of row i to all rows, over columns.

    With q rows below the number x_i, whose sum is b, and the sum t of all numbers, it is x_i (2 q - n) - 2 b + t. Of a
    code it is the number of rows with another one.

    columns : (c, n); the first n_numeric are numbers
    order : (c, n), rows in the order of their values
    out : (n,)
    """
    n = columns.shape[1]
    for f in range(len(columns)):
        x = columns[f]
        rows = order[f]
        before = 0.0
        total = 0.0
        for q in range(n):
            total += x[q]
        if f < n_numeric:
            for q in range(n):
                value = np.float64(x[rows[q]])
                out[rows[q]] += value * (2 * q - n) - 2 * before + total
                before += value
            continue
        start = 0
        while start < n:
            end = start + 1
            while end < n and x[rows[end]] == x[rows[start]]:
                end += 1
            for q in range(start, end):
                out[rows[q]] += n - (end - start)
            start = end
