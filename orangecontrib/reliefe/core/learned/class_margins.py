"""Kernels of the global part: tests of classes by one feature, and margins to the means or the shares of classes."""

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


@kernel
def _tables(z, classes, n_classes, counts, squares):
    """Table (C, V) of the codes z (n,) by class; counts (C,) of the classes and sums of the squares (C,) are filled."""
    most = -1
    for i in range(len(z)):
        most = max(most, int(z[i])) if z[i] == z[i] else most
    table = np.zeros((n_classes, most + 1))
    for i in range(len(z)):
        if z[i] == z[i]:
            table[classes[i], int(z[i])] += 1
    for c in range(n_classes):
        counts[c], squares[c] = 0.0, 0.0
        for v in range(most + 1):
            counts[c] += table[c, v]
            squares[c] += table[c, v] * table[c, v]
    return table


@kernel
def _nominal_row(v, y, table, counts, squares, over, out):
    """Fill out (C,): squared distances of a row of class y with code v to the shares of every class, less that to the
    own one without it; 0 where there is nothing to compare with.  over: what all are multiplied with."""
    k = counts[y]
    own = (k * k - 2 * k * table[y, v] + squares[y]) / ((k - 1) * (k - 1)) if k > 1 else 0.0
    for c in range(len(counts)):
        out[c] = 0.0
        if counts[c] > 0 and k > 1:
            out[c] = over * (1 - 2 * table[c, v] / counts[c] + squares[c] / (counts[c] * counts[c]) - own)


@kernel
def chi_square(Z, classes, n_classes, m, out):
    """Fill out (c, 3): chi-square of the table of values by classes, degrees of freedom, and the sum of the squares of
    the margins of the first m rows.  Z (c, n): codes."""
    counts, squares, row = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    for f in range(len(Z)):
        z = Z[f]
        table = _tables(z, classes, n_classes, counts, squares)
        n, seen, varied, explained = counts.sum(), 0, _varied(table), 0.0
        for c in range(n_classes):
            seen += counts[c] > 0
        for v in range(table.shape[1]):
            of_value = table[:, v].sum()
            for c in range(n_classes):
                explained += table[c, v] * table[c, v] / (of_value * counts[c]) if counts[c] > 0 else 0.0
        out[f, 0] = max(n * (explained - 1), 0.0) if varied > 0 else 0.0
        out[f, 1], out[f, 2] = (table.shape[1] - 1) * (seen - 1), 0.0
        for i in range(m if varied > 0 else 0):
            if z[i] == z[i]:
                _nominal_row(int(z[i]), classes[i], table, counts, squares, 1 / varied, row)
                for c in range(n_classes):
                    out[f, 2] += row[c] * row[c] if c != classes[i] else 0.0


@kernel
def _varied(table):
    """Gini impurity of all rows; table (C, V)."""
    n, same = table.sum(), 0.0
    for v in range(table.shape[1]):
        of_value = table[:, v].sum()
        same += of_value * of_value
    return 1 - same / (n * n) if table.shape[1] > 1 else 0.0


@kernel
def nominal_margins(Z, classes, n_classes, m, gates, out):
    """Fill out (c, R) as `numeric_margins`, of codes."""
    counts, squares, row = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    for f in range(len(Z)):
        z, margins, s = Z[f], out[f], 0
        table = _tables(z, classes, n_classes, counts, squares)
        varied = _varied(table)
        for i in range(m):
            row[:] = 0.0
            if varied > 0 and z[i] == z[i]:
                _nominal_row(int(z[i]), classes[i], table, counts, squares, gates[f] / varied, row)
            for c in range(n_classes):
                if c != classes[i]:
                    margins[s] = row[c]
                    s += 1
