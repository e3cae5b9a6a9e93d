"""Kernels of the global part where targets are numbers: tests by one feature, and margins to what a target expects."""

import numpy as np

from ..kernels.jit import kernel


@kernel
def _common(z, u, nominal, a, b):
    """Fill a and b (n,): z and u standardised over the rows that have both, z as it is if nominal, else NaN; returns
    the number of these rows, 0 where one of them is constant there."""
    n, mean, other, squares, others = 0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(z)):
        if z[i] == z[i] and u[i] == u[i]:
            n, mean, other = n + 1, mean + z[i], other + u[i]
    mean, other = mean / max(n, 1), other / max(n, 1)
    for i in range(len(z)):
        a[i], b[i] = np.nan, np.nan
        if z[i] == z[i] and u[i] == u[i]:
            a[i], b[i] = z[i] - mean, u[i] - other
            squares, others = squares + a[i] * a[i], others + b[i] * b[i]
    if n < 2 or not squares > 1e-12 * n or not others > 1e-12 * n:
        return 0
    over, overs = np.sqrt(n / squares), np.sqrt(n / others)
    for i in range(len(z)):
        a[i] = z[i] if nominal and a[i] == a[i] else a[i] * over
        b[i] *= overs
    return n


@kernel
def _by_correlation(a, b, r, n):
    """Squared distance of a to what the target of a random row expects, less that to what its own one does.

    a, b: of a row; r: correlation of all n, of which the row itself is left out.
    """
    r = (n * r - a * b) / (n - 1)
    return r * r * (1 - b * b) + 2 * r * a * b


@kernel
def _correlation(a, b, n):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i] if a[i] == a[i] else 0.0
    return total / n


@kernel
def rank_correlation(Z, U, m, out):
    """Fill out (c, 2 T + 1): statistics of the rank correlations with T targets, degrees of freedom, and the sum of the
    squares of the margins of the first m rows, its mean over the targets.  Z (c, n), U (T, n): midranks."""
    a, b, T = np.empty(Z.shape[1]), np.empty(Z.shape[1]), len(U)
    for f in range(len(Z)):
        out[f] = 0.0
        for q in range(T):
            n = _common(Z[f], U[q], False, a, b)
            if n > 0:
                r = _correlation(a, b, n)
                out[f, q], out[f, T + q] = (n - 1) * r * r, 1.0
                for i in range(m):
                    if a[i] == a[i]:
                        margin = _by_correlation(a[i], b[i], r, n)
                        out[f, 2 * T] += margin * margin / T


@kernel
def correlated_margins(Z, U, m, gates, out):
    """Fill out (c, m): means over the targets of their margins, times the gates (c, T)."""
    a, b = np.empty(Z.shape[1]), np.empty(Z.shape[1])
    for f in range(len(Z)):
        out[f] = 0.0
        for q in range(len(U)):
            n = _common(Z[f], U[q], False, a, b) if gates[f, q] > 0 else 0
            if n > 0:
                r, weight = _correlation(a, b, n), gates[f, q] / len(U)
                for i in range(m):
                    out[f, i] += weight * _by_correlation(a[i], b[i], r, n) if a[i] == a[i] else 0.0


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
            n = _common(Z[f], U[q], True, a, b)
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
            n = _common(Z[f], U[q], True, a, b) if gates[f, q] > 0 else 0
            if n > 0:
                counts, sums = _sums(a, b)
                between, weight = _between(counts, sums, n), gates[f, q] / len(U)
                for i in range(m):
                    if a[i] == a[i]:
                        out[f, i] += weight * _by_value(int(a[i]), b[i], counts, sums, between)
