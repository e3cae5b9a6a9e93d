"""Kernels of the global part for nominal features and numeric targets: Kruskal-Wallis test, and margins to means.

The margin of a row says how much nearer its target is to the mean target of its own category than to that of a random
row's category.
"""

import numpy as np

from ..kernels.jit import kernel
from .common_rows import standardise_common


@kernel
def compare_categories(Z, U, m, out):
    """Fill out (c, 2 T + 1): statistics of Kruskal and Wallis, degrees of freedom, and sums of squares of the margins.

    The statistic is (n - 1) times the variance between the categories, of a target with variance 1.

    Z (c, n): codes of the categories.
    U (T, n): standardised midranks of the targets.
    m: number of target rows, the first ones, that the squares of margins are summed over; mean over the targets.
    """
    T = len(U)
    a = np.empty(Z.shape[1])
    b = np.empty(Z.shape[1])
    for f in range(len(Z)):
        out[f] = 0.0
        for q in range(T):
            n = standardise_common(Z[f], U[q], True, a, b)
            if n > 0:
                counts, sums = _counts_and_sums(a, b)
                between = _variance_between(counts, sums, n)
                n_categories = 0
                for v in range(len(counts)):
                    n_categories += counts[v] > 0
                out[f, q] = (n - 1) * between
                out[f, T + q] = n_categories - 1.0
                for i in range(m):
                    if a[i] == a[i]:
                        margin = _margin(int(a[i]), b[i], counts, sums, between)
                        out[f, 2 * T] += margin * margin / T


@kernel
def category_margins(Z, U, m, gates, out):
    """Fill out (c, m): sum over the targets of gate * margin / T.

    Z (c, n), U (T, n), m: as in `compare_categories`.
    gates (c, T): shares of the margins that count.
    """
    a = np.empty(Z.shape[1])
    b = np.empty(Z.shape[1])
    for f in range(len(Z)):
        out[f] = 0.0
        for q in range(len(U)):
            n = standardise_common(Z[f], U[q], True, a, b) if gates[f, q] > 0 else 0
            if n > 0:
                counts, sums = _counts_and_sums(a, b)
                between = _variance_between(counts, sums, n)
                weight = gates[f, q] / len(U)
                for i in range(m):
                    if a[i] == a[i]:
                        out[f, i] += weight * _margin(int(a[i]), b[i], counts, sums, between)


@kernel
def _counts_and_sums(a, b):
    """Compute for each code of a (n,) the number of rows and the sum of b over them, (V,) each."""
    largest = -1
    for i in range(len(a)):
        largest = max(largest, int(a[i])) if a[i] == a[i] else largest
    counts = np.zeros(largest + 1)
    sums = np.zeros(largest + 1)
    for i in range(len(a)):
        if a[i] == a[i]:
            counts[int(a[i])] += 1
            sums[int(a[i])] += b[i]
    return counts, sums


@kernel
def _variance_between(counts, sums, n):
    """Compute sum_v sums_v^2 / counts_v / n, the variance of the means of the categories in n rows."""
    total = 0.0
    for v in range(len(counts)):
        total += sums[v] * sums[v] / counts[v] if counts[v] > 0 else 0.0
    return total / n


@kernel
def _margin(v, b, counts, sums, between):
    """Compute mean_j (b - mean_v(j))^2 - (b - mean_v)^2 = between + b^2 - (b - mean_v)^2 for a row.

    v, b: category and target of the row.  mean_v is without the row itself.  0 for a category of one row.
    """
    if counts[v] < 2:
        return 0.0
    deviation = b - (sums[v] - b) / (counts[v] - 1)
    return between + b * b - deviation * deviation
