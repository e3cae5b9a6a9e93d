"""Kernels of the global part for numeric features and classes: Kruskal-Wallis test, and margins to the class means.

The margin of a row against another class is the squared distance of its value to the mean of that class less the
squared distance to the mean of its own class without the row itself.
"""

import numpy as np

from ..kernels.jit import kernel


@kernel
def kruskal_wallis(Z, classes, n_classes, m, out):
    """Fill out (c, 3): statistic of Kruskal and Wallis, degrees of freedom, and the sum of squares of the margins.

    The statistic, corrected for ties, is (n - 1) / n * sum_c count_c mean_c^2 of the standardised midranks.  Margins
    are polynomials in z, so their squares are summed by the sums of powers in each class.

    Z (c, n): standardised midranks.
    classes (n,): codes of the classes, from 0 to n_classes - 1.
    m: number of target rows, the first ones, that the squares of margins are summed over.
    """
    counts = np.empty(n_classes)
    means = np.empty(n_classes)
    powers = np.empty((n_classes, 5))
    for f in range(len(Z)):
        # The test.
        z = Z[f]
        n = _class_means(z, classes, counts, means)
        between = 0.0
        n_present = 0
        for c in range(n_classes):
            between += counts[c] * means[c] * means[c]
            n_present += counts[c] > 0
        out[f, 0] = between * (n - 1) / n if n > 0 else 0.0
        out[f, 1] = n_present - 1
        # Sums of the powers 0 to 4 of the deviations from the class means.
        powers[:] = 0
        for i in range(m):
            if z[i] == z[i]:
                of_class = powers[classes[i]]
                x = z[i] - means[classes[i]]
                of_class[0] += 1.0
                of_class[1] += x
                of_class[2] += x * x
                of_class[3] += x * x * x
                of_class[4] += x * x * x * x
        # The squares of the margins (x + d)^2 - (1 - a) x^2 = a x^2 + 2 d x + d^2 of class y against class c.
        out[f, 2] = 0.0
        for y in range(n_classes):
            if counts[y] < 2:
                continue
            a = 1 - (counts[y] / (counts[y] - 1)) ** 2
            of_class = powers[y]
            for c in range(n_classes):
                if c != y and counts[c] > 0:
                    d = means[y] - means[c]
                    out[f, 2] += a * a * of_class[4] + 4 * a * d * of_class[3] + (4 + 2 * a) * d * d * of_class[2]
                    out[f, 2] += 4 * d * d * d * of_class[1] + d * d * d * d * of_class[0]


@kernel
def numeric_margins(Z, classes, n_classes, m, gates, out):
    """Fill out (c, R): gate * ((z - mean_c)^2 - (z - mean_y)^2) for each row of class y and each other class c.

    mean_y is without the row itself: z - mean_y = (z - mean of all) * count_y / (count_y - 1).  0 where z is unknown or
    one of the classes has no other row.

    Z, classes, n_classes, m: as in `kruskal_wallis`.
    gates (c,): shares of the margins that count.
    """
    counts = np.empty(n_classes)
    means = np.empty(n_classes)
    for f in range(len(Z)):
        z = Z[f]
        margins = out[f]
        s = 0
        _class_means(z, classes, counts, means)
        for i in range(m):
            y = classes[i]
            x = z[i]
            to_hits = (x - means[y]) * counts[y] / (counts[y] - 1) if counts[y] > 1 else 0.0
            is_comparable = x == x and counts[y] > 1
            for c in range(n_classes):
                if c != y:
                    to_misses = x - means[c]
                    margin = gates[f] * (to_misses * to_misses - to_hits * to_hits)
                    margins[s] = margin if is_comparable and counts[c] > 0 else 0.0
                    s += 1


@kernel
def _class_means(z, classes, counts, means):
    """Fill counts and means (C,) of the known values of z (n,) in each class; returns the number of known values."""
    counts[:] = 0
    means[:] = 0
    for i in range(len(z)):
        if z[i] == z[i]:
            counts[classes[i]] += 1
            means[classes[i]] += z[i]
    total = 0
    for c in range(len(counts)):
        total += counts[c]
        means[c] = means[c] / counts[c] if counts[c] > 0 else 0.0
    return total
