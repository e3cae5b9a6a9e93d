"""LH-RELIEF: margins to the local hyperplanes of the classes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from ..relief.neighbourhoods.k_nearest import KNearest
from ..work.threads import PARTS
from .iterations import State, approach, unit
from .space import Space

NUMBERS_AT_ONCE = 2**16  # of the neighbours of some rows
ONE_OF_TWO = 0.5  # two values of a nominal feature differ in two columns, each by this


class Columns:
    """Rows as numbers: numeric features in [0, 1], nominal ones as a column for each value."""

    def __init__(self, space: Space):
        features = space.run.features
        values: Any = features.values
        X, (n, p), cut = values, features.shape, min(features.n_numeric, features.shape[1])
        self._numbers = X[:, :cut]
        blocks, owners = [], [np.arange(cut)]
        for f in range(cut, p):
            codes = X[:, [f]].toarray()[:, 0] if features.is_sparse else X[:, f]
            found, place = np.unique(codes, return_inverse=True)
            ones = np.full(n, ONE_OF_TWO)
            blocks.append(sparse.csr_array((ones, (np.arange(n), place)), shape=(n, len(found))))
            owners.append(np.full(len(found), f))
        self._values = sparse.hstack(blocks, format="csr") if blocks else None
        self.owners = np.concatenate(owners)
        self.cuts = np.searchsorted(self.owners, np.arange(p))

    def take(self, rows: np.ndarray) -> np.ndarray:
        """The columns (b, D) of some rows."""
        numbers = self._numbers[rows]
        numbers = numbers.toarray() if sparse.issparse(numbers) else numbers
        found = [numbers.astype(np.float64)]
        if self._values is not None:
            found.append(self._values[rows].toarray())
        return np.concatenate(found, axis=1)


def lh_relief(space: Space, n_neighbors: int, ridge: float, beta: float, max_iter: int, tol: float) -> Iterator[State]:
    """Weights of LH-RELIEF, iteration by iteration.

    Cai and Ng (2012); several classes by their frequencies as in ReliefF, and weights in the fit of hyperplanes: the
    review says no more than "margin between the sample and its hyperplane".
    """
    run, columns = space.run, Columns(space)
    width, prior = len(columns.owners), np.bincount(run.groups, minlength=run.n_groups) / run.n

    def margin(weights: np.ndarray) -> np.ndarray:
        near, of_columns = KNearest(n_neighbors).find(space.near(weights)), weights[columns.owners]

        def part(number: int) -> np.ndarray:
            """Sums (D,) over rows of their distances to the hyperplanes of other classes, less those to their own."""
            total, size = np.zeros(width), max(NUMBERS_AT_ONCE // (near.cols.shape[2] * width), 1)
            for start in range(number * size, run.n, PARTS * size):
                run.work.tick()
                rows = np.arange(start, min(start + size, run.n))
                own = run.groups[rows]
                for c in range(run.n_groups):
                    sign = np.where(own == c, -1.0, prior[c] / np.where(own == c, 1, 1 - prior[own]))
                    total += sign @ _away(columns, rows, near.cols[rows, c], of_columns, ridge)
            return total

        return np.add.reduceat(run.work.total(part), columns.cuts)

    yield from approach(space, margin, unit(space.equal_shares()), beta, max_iter, tol, passes=1)


def _away(columns: Columns, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray, ridge: float) -> np.ndarray:
    """Distances (b, D) column by column of rows (b,) to the hyperplanes through their neighbours (b, k) of a class; 0
    where there are none."""
    there = (cols >= 0)[:, :, None]
    b, k, width = *cols.shape, len(weights)
    X = columns.take(rows)
    N = np.where(there, columns.take(cols.reshape(-1)).reshape(b, k, width), 0)
    centre = N.sum(axis=1) / np.maximum(there.sum(axis=1), 1)
    V = np.where(there, N - centre[:, None], 0)
    weighted = V * weights
    A = weighted @ V.transpose(0, 2, 1) + ridge * np.eye(k)
    alpha = np.linalg.solve(A, weighted @ (X - centre)[:, :, None])
    away = np.abs(X - centre - (alpha * V).sum(axis=1))
    return np.where(there.any(axis=1), away, 0)
