"""Kernels of the global part for nominal features and classes: chi-square test, and margins to the class shares.

A row is a point with a 1 for its category; a class is the point of the shares of the categories among its rows.  The
margin of a row against another class is the squared distance to that class less the squared distance to its own class
without the row itself, divided by the Gini impurity of the feature.
"""

import numpy as np

from ..kernels.jit import kernel


@kernel
def chi_square(Z, classes, n_classes, m, out):
    """Fill out (c, 3): chi-square of the categories by classes, degrees of freedom, and the sum of squares of margins.

    chi-square = n (sum_cv table_cv^2 / (sum_c table_cv * sum_v table_cv) - 1).

    Z (c, n): codes of the categories.
    classes (n,): codes of the classes, from 0 to n_classes - 1.
    m: number of target rows, the first ones, that the squares of margins are summed over.
    """
    counts = np.empty(n_classes)
    squares = np.empty(n_classes)
    row = np.empty(n_classes)
    for f in range(len(Z)):
        z = Z[f]
        table = _table(z, classes, n_classes, counts, squares)
        n = counts.sum()
        impurity = _gini(table)
        n_present = 0
        for c in range(n_classes):
            n_present += counts[c] > 0
        explained = 0.0
        for v in range(table.shape[1]):
            of_value = table[:, v].sum()
            for c in range(n_classes):
                explained += table[c, v] * table[c, v] / (of_value * counts[c]) if counts[c] > 0 else 0.0
        out[f, 0] = max(n * (explained - 1), 0.0) if impurity > 0 else 0.0
        out[f, 1] = (table.shape[1] - 1) * (n_present - 1)
        out[f, 2] = 0.0
        for i in range(m if impurity > 0 else 0):
            if z[i] == z[i]:
                _row_margins(int(z[i]), classes[i], table, counts, squares, 1 / impurity, row)
                for c in range(n_classes):
                    out[f, 2] += row[c] * row[c] if c != classes[i] else 0.0


@kernel
def nominal_margins(Z, classes, n_classes, m, gates, out):
    """Fill out (c, R): gate / impurity * (distance to class c - distance to the own class), for each other class c.

    Z, classes, n_classes, m: as in `chi_square`.
    gates (c,): shares of the margins that count.
    """
    counts = np.empty(n_classes)
    squares = np.empty(n_classes)
    row = np.empty(n_classes)
    for f in range(len(Z)):
        z = Z[f]
        margins = out[f]
        s = 0
        table = _table(z, classes, n_classes, counts, squares)
        impurity = _gini(table)
        for i in range(m):
            row[:] = 0.0
            if impurity > 0 and z[i] == z[i]:
                _row_margins(int(z[i]), classes[i], table, counts, squares, gates[f] / impurity, row)
            for c in range(n_classes):
                if c != classes[i]:
                    margins[s] = row[c]
                    s += 1


@kernel
def _table(z, classes, n_classes, counts, squares):
    """Count the codes z (n,) by class: table (C, V); fill counts (C,) with its row sums, squares (C,) with theirs."""
    largest = -1
    for i in range(len(z)):
        largest = max(largest, int(z[i])) if z[i] == z[i] else largest
    table = np.zeros((n_classes, largest + 1))
    for i in range(len(z)):
        if z[i] == z[i]:
            table[classes[i], int(z[i])] += 1
    for c in range(n_classes):
        counts[c] = 0.0
        squares[c] = 0.0
        for v in range(largest + 1):
            counts[c] += table[c, v]
            squares[c] += table[c, v] * table[c, v]
    return table


@kernel
def _row_margins(v, y, table, counts, squares, factor, out):
    """Fill out (C,): factor * (distance to class c - distance to class y) for a row of class y with category v.

    The squared distance to the shares of class c is 1 - 2 table_cv / count_c + squares_c / count_c^2; for the own
    class with the row removed it is (k^2 - 2 k table_yv + squares_y) / (k - 1)^2, k = count_y.  0 where there is
    nothing to compare with.
    """
    k = counts[y]
    to_own = (k * k - 2 * k * table[y, v] + squares[y]) / ((k - 1) * (k - 1)) if k > 1 else 0.0
    for c in range(len(counts)):
        out[c] = 0.0
        if counts[c] > 0 and k > 1:
            out[c] = factor * (1 - 2 * table[c, v] / counts[c] + squares[c] / (counts[c] * counts[c]) - to_own)


@kernel
def _gini(table):
    """Compute the Gini impurity 1 - sum_v share_v^2 of all rows of a table (C, V); 0 if there is one category."""
    n = table.sum()
    squares = 0.0
    for v in range(table.shape[1]):
        of_value = table[:, v].sum()
        squares += of_value * of_value
    return 1 - squares / (n * n) if table.shape[1] > 1 else 0.0
