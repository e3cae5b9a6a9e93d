"""Kernels for nominal features and numeric targets."""

import numpy as np

from ..kernels.jit import kernel
from .common_rows import standardise_common


@kernel
def _sums(a, b):
    """Number and sum (V,) of b for each code a (n,)."""
    most = -1
    for i in range(len(a)):
        most = max(most, int(a[i])) if a[i] == a[i] else most
    counts, sums = np.zeros(most + 1), np.zeros(most + 1)
    for i in range(len(a)):
        if a[i] == a[i]:
            counts[int(a[i])] += 1
            sums[int(a[i])] += b[i]
    return counts, sums


@kernel
def _between(counts, sums, n):
    """Variance of the means of the values, of which there are n in all."""
    total = 0.0
    for v in range(len(counts)):
        total += sums[v] * sums[v] / counts[v] if counts[v] > 0 else 0.0
    return total / n


@kernel
def _by_value(v, b, counts, sums, between):
    """Squared distance of b to the mean of the value of a random row, less that to the mean of its own value v, in
    which the row itself is left out; 0 for a value of one row."""
    if counts[v] < 2:
        return 0.0
    own = b - (sums[v] - b) / (counts[v] - 1)
    return between + b * b - own * own


@kernel
def values_differ(Z, U, m, out):
    """Fill out as `rank_correlation`, by Kruskal and Wallis, of codes Z (c, n)."""
    a, b, T = np.empty(Z.shape[1]), np.empty(Z.shape[1]), len(U)
    for f in range(len(Z)):
        out[f] = 0.0
        for q in range(T):
            n = standardise_common(Z[f], U[q], True, a, b)
            if n > 0:
                counts, sums = _sums(a, b)
                between, seen = _between(counts, sums, n), 0
                for v in range(len(counts)):
                    seen += counts[v] > 0
                out[f, q], out[f, T + q] = (n - 1) * between, seen - 1.0
                for i in range(m):
                    if a[i] == a[i]:
                        margin = _by_value(int(a[i]), b[i], counts, sums, between)
                        out[f, 2 * T] += margin * margin / T


@kernel
def value_margins(Z, U, m, gates, out):
    """Fill out as `correlated_margins`, of codes Z (c, n)."""
    a, b = np.empty(Z.shape[1]), np.empty(Z.shape[1])
    for f in range(len(Z)):
        out[f] = 0.0
        for q in range(len(U)):
            n = standardise_common(Z[f], U[q], True, a, b) if gates[f, q] > 0 else 0
            if n > 0:
                counts, sums = _sums(a, b)
                between, weight = _between(counts, sums, n), gates[f, q] / len(U)
                for i in range(m):
                    if a[i] == a[i]:
                        out[f, i] += weight * _by_value(int(a[i]), b[i], counts, sums, between)
