"""Kernels of the global part for numeric features and numeric targets: rank correlation, and margins to it.

The margin of a row says how much nearer its value is to the value expected from its own target than to the value
expected from the target of a random row.
"""

import numpy as np

from ..kernels.jit import kernel
from .common_rows import standardise_common


@kernel
def rank_correlation(Z, U, m, out):
    """Fill out (c, 2 T + 1): (n - 1) r^2, the degree of freedom 1, and the sum of squares of the margins.

    Z (c, n), U (T, n): standardised midranks of features and targets.
    m: number of target rows, the first ones, that the squares of margins are summed over; mean over the targets.
    """
    T = len(U)
    a = np.empty(Z.shape[1])
    b = np.empty(Z.shape[1])
    for f in range(len(Z)):
        out[f] = 0.0
        for q in range(T):
            n = standardise_common(Z[f], U[q], False, a, b)
            if n > 0:
                r = _correlation(a, b, n)
                out[f, q] = (n - 1) * r * r
                out[f, T + q] = 1.0
                for i in range(m):
                    if a[i] == a[i]:
                        margin = _margin(a[i], b[i], r, n)
                        out[f, 2 * T] += margin * margin / T


@kernel
def correlated_margins(Z, U, m, gates, out):
    """Fill out (c, m): sum over the targets of gate * margin / T.

    Z (c, n), U (T, n), m: as in `rank_correlation`.
    gates (c, T): shares of the margins that count.
    """
    a = np.empty(Z.shape[1])
    b = np.empty(Z.shape[1])
    for f in range(len(Z)):
        out[f] = 0.0
        for q in range(len(U)):
            n = standardise_common(Z[f], U[q], False, a, b) if gates[f, q] > 0 else 0
            if n > 0:
                r = _correlation(a, b, n)
                weight = gates[f, q] / len(U)
                for i in range(m):
                    out[f, i] += weight * _margin(a[i], b[i], r, n) if a[i] == a[i] else 0.0


@kernel
def _correlation(a, b, n):
    """Compute r = sum_i a_i b_i / n over the n known rows."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i] if a[i] == a[i] else 0.0
    return total / n


@kernel
def _margin(a, b, r, n):
    """Compute mean_j (a - r b_j)^2 - (a - r b)^2 = r^2 (1 - b^2) + 2 r a b for a row.

    a, b: standardised value and target of the row.
    r: correlation over n rows, from which the row itself is removed: (n r - a b) / (n - 1).
    """
    r = (n * r - a * b) / (n - 1)
    return r * r * (1 - b * b) + 2 * r * a * b
