"""Kernels for nominal features and classes."""

import numpy as np

from ..kernels.jit import kernel


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
