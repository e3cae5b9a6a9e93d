"""Kernels for numeric features and numeric targets."""

import numpy as np

from ..kernels.jit import kernel
from .common_rows import standardise_common


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
            n = standardise_common(Z[f], U[q], False, a, b)
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
            n = standardise_common(Z[f], U[q], False, a, b) if gates[f, q] > 0 else 0
            if n > 0:
                r, weight = _correlation(a, b, n), gates[f, q] / len(U)
                for i in range(m):
                    out[f, i] += weight * _by_correlation(a[i], b[i], r, n) if a[i] == a[i] else 0.0
