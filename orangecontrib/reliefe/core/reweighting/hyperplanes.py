"""LH-RELIEF: margins to the local hyperplanes of the classes.

`core/methods/reweighting.py` runs `lh_relief`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from ..relief.neighbourhoods.k_nearest import KNearest
from ..work.threads import PARTS
from .iterations import State, approach, unit
from .space import Space

# Penalty on the distance of a point in the hyperplane from the mean of the neighbours; chosen by eye
RIDGE = 1.0
NUMBERS_PER_BLOCK = 2**16  # numbers of the neighbours that are read at once
INDICATOR = 0.5  # value of the column of a nominal value where it occurs: two values differ in two columns, by 1 in all


class NumericColumns:
    """Rows as numbers: numeric features in [0, 1], nominal ones as a column for each value.

    owners (D,): feature of each column.
    cuts (p,): first column of each feature.
    """

    def __init__(self, space: Space):
        features = space.run.features
        values: Any = features.values
        n, p = features.shape
        n_numeric = min(features.n_numeric, p)
        self._numbers = values[:, :n_numeric]
        blocks = []
        owners = [np.arange(n_numeric)]
        for f in range(n_numeric, p):
            codes = values[:, [f]].toarray()[:, 0] if features.is_sparse else values[:, f]
            levels, level = np.unique(codes, return_inverse=True)
            indicators = np.full(n, INDICATOR)
            blocks.append(sparse.csr_array((indicators, (np.arange(n), level)), shape=(n, len(levels))))
            owners.append(np.full(len(levels), f))
        self._values = sparse.hstack(blocks, format="csr") if blocks else None
        self.owners = np.concatenate(owners)
        self.cuts = np.searchsorted(self.owners, np.arange(p))

    def take(self, rows: np.ndarray) -> np.ndarray:
        """Return the columns (b, D) of rows (b,)."""
        numbers = self._numbers[rows]
        numbers = numbers.toarray() if sparse.issparse(numbers) else numbers
        blocks = [numbers.astype(np.float64)]
        if self._values is not None:
            blocks.append(self._values[rows].toarray())
        return np.concatenate(blocks, axis=1)


def lh_relief(space: Space, n_neighbors: int, beta: float, max_iter: int, tol: float) -> Iterator[State]:
    """Iterate over the weights of LH-RELIEF.

    Cai and Ng (2012); several classes by their frequencies as in ReliefF, and weights in the fit of hyperplanes: the
    review says no more than "margin between the sample and its hyperplane".

    Parameters
    ----------
    space : Space
        Rows.
    n_neighbors : int
        Number of neighbours of each class, which define a hyperplane.
    beta, max_iter, tol
        As of `approach`.
    """
    run = space.run
    columns = NumericColumns(space)
    width = len(columns.owners)
    prior = np.bincount(run.groups, minlength=run.n_groups) / run.n

    def margin(weights: np.ndarray) -> np.ndarray:
        neighbours = KNearest(n_neighbors).find(space.near(weights))
        column_weights = weights[columns.owners]

        def sum_margins(number: int) -> np.ndarray:
            """Sum (D,) over rows of their distances to the hyperplanes of other classes, less those to their own."""
            total = np.zeros(width)
            size = max(NUMBERS_PER_BLOCK // (neighbours.cols.shape[2] * width), 1)
            for start in range(number * size, run.n, PARTS * size):
                run.work.tick()
                rows = np.arange(start, min(start + size, run.n))
                classes = run.groups[rows]
                for c in range(run.n_groups):
                    is_hit = classes == c
                    sign = np.where(is_hit, -1.0, prior[c] / np.where(is_hit, 1, 1 - prior[classes]))
                    total += sign @ _distances(columns, rows, neighbours.cols[rows, c], column_weights)
            return total

        return np.add.reduceat(run.work.total(sum_margins), columns.cuts)

    yield from approach(space, margin, unit(space.equal_shares()), beta, max_iter, tol, passes=1)


def _distances(columns: NumericColumns, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute distances (b, D) column by column of rows to the hyperplanes through their neighbours of a class.

    The nearest point of row x is c + V'a, where c is the mean of the neighbours, V their deviations from it, W the
    diagonal matrix of the weights, and

        (V W V' + RIDGE I) a = V W (x - c).

    rows (b,): the rows.
    cols (b, k): their neighbours; -1 for no row, and 0 is the distance without any.
    weights (D,): weights of the columns.
    """
    is_neighbour = (cols >= 0)[:, :, None]
    b, k = cols.shape
    X = columns.take(rows)
    N = np.where(is_neighbour, columns.take(cols.reshape(-1)).reshape(b, k, len(weights)), 0)
    centre = N.sum(axis=1) / np.maximum(is_neighbour.sum(axis=1), 1)
    V = np.where(is_neighbour, N - centre[:, None], 0)
    weighted = V * weights
    A = weighted @ V.transpose(0, 2, 1) + RIDGE * np.eye(k)
    alpha = np.linalg.solve(A, weighted @ (X - centre)[:, :, None])
    distances = np.abs(X - centre - (alpha * V).sum(axis=1))
    return np.where(is_neighbour.any(axis=1), distances, 0)
