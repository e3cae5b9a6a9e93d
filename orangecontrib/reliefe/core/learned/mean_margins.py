"""Kernels for numeric features and classes."""

import numpy as np

from ..kernels.jit import kernel


@kernel
def _class_means(z, classes, counts, means):
    """Fill numbers and means (C,) of the known values z (n,) by class; returns the number of all."""
    counts[:], means[:] = 0, 0
    for i in range(len(z)):
        if z[i] == z[i]:
            counts[classes[i]] += 1
            means[classes[i]] += z[i]
    total = 0
    for c in range(len(counts)):
        total += counts[c]
        means[c] = means[c] / counts[c] if counts[c] > 0 else 0.0
    return total


@kernel
def kruskal_wallis(Z, classes, n_classes, m, out):
    """Fill out (c, 3): statistic of Kruskal and Wallis with ties corrected, degrees of freedom, and the sum of the
    squares of the margins of the first m rows.

    Z (c, n): standardised midranks.  Margins are polynomials in z, so sums of powers by class are enough.
    """
    counts, means, powers = np.empty(n_classes), np.empty(n_classes), np.empty((n_classes, 5))
    for f in range(len(Z)):
        z = Z[f]
        n, between, seen = _class_means(z, classes, counts, means), 0.0, 0
        for c in range(n_classes):
            between += counts[c] * means[c] * means[c]
            seen += counts[c] > 0
        out[f, 0], out[f, 1], out[f, 2] = between * (n - 1) / n if n > 0 else 0.0, seen - 1, 0.0
        powers[:] = 0
        for i in range(m):
            if z[i] == z[i]:
                own = powers[classes[i]]
                x = z[i] - means[classes[i]]
                own[0] += 1.0
                own[1] += x
                own[2] += x * x
                own[3] += x * x * x
                own[4] += x * x * x * x
        for y in range(n_classes):
            if counts[y] < 2:
                continue
            a, own = 1 - (counts[y] / (counts[y] - 1)) ** 2, powers[y]
            for c in range(n_classes):
                if c != y and counts[c] > 0:  # (x + d)^2 - (1 - a) x^2, squared
                    d = means[y] - means[c]
                    out[f, 2] += a * a * own[4] + 4 * a * d * own[3] + (4 + 2 * a) * d * d * own[2]
                    out[f, 2] += 4 * d * d * d * own[1] + d * d * d * d * own[0]


@kernel
def numeric_margins(Z, classes, n_classes, m, gates, out):
    """Fill out (c, R): squared distances of z to the means of the other classes less that to the own one, in which the
    row itself does not count; times the gates (c,)."""
    counts, means = np.empty(n_classes), np.empty(n_classes)
    for f in range(len(Z)):
        z, margins, s = Z[f], out[f], 0
        _class_means(z, classes, counts, means)
        for i in range(m):
            y, x = classes[i], z[i]
            own = (x - means[y]) * counts[y] / (counts[y] - 1) if counts[y] > 1 else 0.0
            known = x == x and counts[y] > 1
            for c in range(n_classes):
                if c != y:
                    other = x - means[c]
                    margins[s] = gates[f] * (other * other - own * own) if known and counts[c] > 0 else 0.0
                    s += 1
