"""Nonnegative spectral analysis: clusters of rows, and a sparse regression of them on the features.

`methods/graph_filters.py` solves a `Discriminative` problem from the clusters of `clusters.k_means`.

Li, Yang, Liu, Zhou and Lu (2012), Unsupervised feature selection using nonnegative spectral analysis.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ..points.points import Points, spans
from ..work.threads import Work

ORTHOGONALITY = 1e8  # weight of orthogonal clusters, as published: large enough that they are
TOLERANCE = 1e-3  # change of the objective that ends the iteration; chosen by eye
MIN_INDICATOR = 0.02  # added to the indicators of clusters, so that none is 0; chosen by eye
MIN_LENGTH = 1e-16  # length of the coefficients of a column, and of a cluster, below which they are 0
ROWS_PER_BLOCK = 256  # rows of I - H that are computed at once; chosen by eye


class Regression(NamedTuple):
    """Regression of the c cluster indicators on the q columns, and what the update of the indicators needs.

    coefficients (q, c): W.
    positive (n, c): product of the positive entries of M with F.
    negative (n, c): product of the absolute values of its negative entries with F.
    """

    coefficients: np.ndarray
    positive: np.ndarray
    negative: np.ndarray


@dataclass(frozen=True, eq=False)
class Discriminative:
    """Minimise tr F'LF + alpha (|XW - F|^2 + beta sum_j |W_j|) + c / 4 |F'F - I|^2 over F >= 0 and W.

    c is `ORTHOGONALITY`.  For F, the best W leaves M = L + alpha (I - H), where H = X (X'X + beta D)^-1 X' and
    D_jj = 1 / (2 |W_j|).

    points: n rows with q columns X, centred.
    laplacian (n, n): normalised Laplacian L of a graph of the rows.
    alpha: weight of the regression.
    beta: weight of its sparseness.
    """

    points: Points
    laplacian: sparse.csr_array
    alpha: float
    beta: float

    def solve(self, clusters: np.ndarray, max_iter: int, work: Work) -> tuple[np.ndarray, int, bool]:
        """Update W and F in turns.

        Parameters
        ----------
        clusters : (n,) int array
            First cluster of each row.
        max_iter : int
            Iterations at most.
        work : Work
            Threads and progress.

        Returns
        -------
        lengths : (q,) array
            Lengths |W_j| of the coefficients of the columns.
        n_iterations : int
            Iterations that were done.
        converged : bool
            True if the objective changed by less than `TOLERANCE`.
        """
        F = np.eye(int(clusters.max()) + 1)[clusters] + MIN_INDICATOR
        F /= np.linalg.norm(F, axis=0)
        lengths = np.full(self.points.shape[1], 0.5)  # so that D = I
        last_objective = np.inf
        for iteration in range(max_iter):
            with work.part(iteration / max_iter, (iteration + 1) / max_iter):
                W, positive, negative = self._regression(F, lengths, work)
            lengths = np.linalg.norm(W, axis=1)
            gram = F.T @ F
            F = F * (ORTHOGONALITY * F + negative) / np.maximum(positive + ORTHOGONALITY * (F @ gram), MIN_LENGTH)
            F /= np.maximum(np.linalg.norm(F, axis=0), MIN_LENGTH)
            objective = self._objective(F, W, lengths)
            if abs(last_objective - objective) < TOLERANCE:
                return lengths, iteration + 1, True
            last_objective = objective
        return lengths, max_iter, False

    def _objective(self, F: np.ndarray, W: np.ndarray, lengths: np.ndarray) -> float:
        """Compute the objective from F (n, c), W (q, c) and the lengths (q,) of the rows of W."""
        roughness = float(np.sum(F * (self.laplacian @ F)))
        error = float(np.sum((self.points.times(W) - F) ** 2))
        overlap = float(np.sum((F.T @ F - np.eye(F.shape[1])) ** 2))
        return roughness + self.alpha * (error + self.beta * float(lengths.sum())) + ORTHOGONALITY / 4 * overlap

    def _regression(self, F: np.ndarray, lengths: np.ndarray, work: Work) -> Regression:
        """Regress F (n, c), by the smaller of two systems: of the columns, or of the rows.

        lengths (q,): lengths of the coefficients of the last iteration, which make D.
        """
        points = self.points
        n, q = points.shape
        ridge = self.beta * 0.5 / np.maximum(lengths, MIN_LENGTH)
        if n > q:
            factor = _factor(points.gram(work) + np.diag(ridge))

            def negative_hat(rows: slice) -> np.ndarray:
                """Compute rows of -H (b, n)."""
                return cast("np.ndarray", -points.times(cho_solve(factor, points.block(rows).T)).T)

            return self._products(cho_solve(factor, points.back(F)), F, negative_hat, work)
        kernel = np.zeros((n, n))  # X (beta D)^-1 X'; as many cells as X at most
        for columns in spans(q, n):
            work.tick()
            block = points.columns(columns)
            kernel += (block / ridge[columns]) @ block.T
        factor = _factor(kernel + np.eye(n))
        W = points.back(cho_solve(factor, F)) / ridge[:, None]

        def negative_hat_of_kernel(rows: slice) -> np.ndarray:
            """Compute rows of -H (b, n), where I - H is the inverse of the kernel plus I."""
            unit = np.eye(n)[:, rows]
            return cast("np.ndarray", (cho_solve(factor, unit) - unit).T)

        return self._products(W, F, negative_hat_of_kernel, work)

    def _products(
        self, W: np.ndarray, F: np.ndarray, negative_hat: Callable[[slice], np.ndarray], work: Work
    ) -> Regression:
        """Multiply the positive and the negative entries of M with F (n, c), block by block of rows.

        negative_hat: computes rows (b, n) of -H.
        """
        laplacian = self.laplacian

        def products_of_rows(start: int) -> tuple[np.ndarray, np.ndarray]:
            """Compute the rows of both products from `start` on."""
            work.tick()
            rows = slice(start, min(start + ROWS_PER_BLOCK, len(F)))
            M = self.alpha * negative_hat(rows)
            row_numbers = np.arange(len(M))
            M[row_numbers, row_numbers + start] += self.alpha
            starts = laplacian.indptr[rows.start : rows.stop + 1]
            entries = slice(starts[0], starts[-1])
            M[np.repeat(row_numbers, np.diff(starts)), laplacian.indices[entries]] += laplacian.data[entries]
            return np.maximum(M, 0) @ F, np.maximum(-M, 0) @ F

        blocks = work.map(products_of_rows, range(0, len(F), ROWS_PER_BLOCK))
        positive = np.concatenate([block[0] for block in blocks])
        negative = np.concatenate([block[1] for block in blocks])
        return Regression(W, positive, negative)


def _factor(matrix: np.ndarray) -> tuple[np.ndarray, bool]:
    """Compute the Cholesky factor; raises ValueError where rounding errors are larger than the ridge."""
    try:
        return cast("tuple[np.ndarray, bool]", cho_factor(matrix, lower=True))
    except LinAlgError:
        raise ValueError("the values of X differ too much in size for this regression; scale them by z-score") from None
