"""Nonnegative spectral analysis: clusters and a sparse regression of them on the features."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ..points.points import Points, spans
from ..work.threads import Work

FLAT = 0.02  # added to indicators of clusters, so that none is 0
LEAST = 1e-16  # length of the coefficients of a column, and of a cluster, below which they are 0
ROWS = 256  # of I - H that are made at once


@dataclass(frozen=True, eq=False)
class Discriminative:
    """The problem."""

    points: Points  # n rows, q columns, centred
    laplacian: sparse.csr_array  # (n, n): l
    alpha: float  # weights of the regression, of its sparseness, and of orthogonal clusters
    beta: float
    gamma: float

    def solve(self, clusters: np.ndarray, tol: float, max_iter: int, work: Work) -> tuple[np.ndarray, int, bool]:
        """Lengths (q,) of the coefficients of the columns, iterations, and whether the objective came to rest.

        Shapes: `clusters` (n,).

        Li, Yang, Liu, Zhou and Lu (2012), Unsupervised feature selection using nonnegative spectral analysis.
        """
        F = np.eye(int(clusters.max()) + 1)[clusters] + FLAT
        F /= np.linalg.norm(F, axis=0)
        lengths, before = np.full(self.points.shape[1], 0.5), np.inf  # so that D = I
        for iteration in range(max_iter):
            with work.part(iteration / max_iter, (iteration + 1) / max_iter):
                W, plus, minus = self._regression(F, lengths, work)
            lengths = np.linalg.norm(W, axis=1)
            FF = F.T @ F
            F = F * (self.gamma * F + minus) / np.maximum(plus + self.gamma * (F @ FF), LEAST)
            F /= np.maximum(np.linalg.norm(F, axis=0), LEAST)
            value = self._objective(F, W, lengths)
            if abs(before - value) < tol:
                return lengths, iteration + 1, True
            before = value
        return lengths, max_iter, False

    def _objective(self, F: np.ndarray, W: np.ndarray, lengths: np.ndarray) -> float:
        smooth = float(np.sum(F * (self.laplacian @ F)))
        error = float(np.sum((self.points.times(W) - F) ** 2))
        orthogonal = float(np.sum((F.T @ F - np.eye(F.shape[1])) ** 2))
        return smooth + self.alpha * (error + self.beta * float(lengths.sum())) + self.gamma / 4 * orthogonal

    def _regression(self, F: np.ndarray, lengths: np.ndarray, work: Work) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """W (q, c) for F (n, c), and the products with F of the positive and of the negative part of M."""
        points, ridge = self.points, self.beta * 0.5 / np.maximum(lengths, LEAST)
        n, q = points.shape
        if n > q:
            factor = _factor(points.gram(work) + np.diag(ridge))
            W = cho_solve(factor, points.back(F))
            return W, *self._split(F, lambda rows: -points.times(cho_solve(factor, points.block(rows).T)).T, work)
        kernel = np.zeros((n, n))  # X D^-1 X' for the diagonal D
        for columns in spans(q, n):
            work.tick()
            block = points.columns(columns)
            kernel += (block / ridge[columns]) @ block.T
        factor = _factor(kernel + np.eye(n))
        W = points.back(cho_solve(factor, F)) / ridge[:, None]

        def rest(rows: slice) -> np.ndarray:
            """I - H is the inverse of the kernel plus I, which has as many cells as X at most."""
            unit = np.eye(n)[:, rows]
            return cast("np.ndarray", (cho_solve(factor, unit) - unit).T)

        return W, *self._split(F, rest, work)

    def _split(self, F: np.ndarray, rest: Callable[[slice], np.ndarray], work: Work) -> tuple[np.ndarray, np.ndarray]:
        """Products (n, c) with F of the positive and of the negative part of M; rest: rows of -H."""
        L = self.laplacian

        def part(start: int) -> tuple[np.ndarray, np.ndarray]:
            work.tick()
            rows = slice(start, min(start + ROWS, len(F)))
            M = self.alpha * rest(rows)
            places = np.arange(len(M))
            M[places, places + start] += self.alpha
            span = slice(L.indptr[rows.start], L.indptr[rows.stop])
            M[np.repeat(places, np.diff(L.indptr[rows.start : rows.stop + 1])), L.indices[span]] += L.data[span]
            return np.maximum(M, 0) @ F, np.maximum(-M, 0) @ F

        plus, minus = zip(*work.map(part, range(0, len(F), ROWS)), strict=True)
        return np.concatenate(plus), np.concatenate(minus)


def _factor(matrix: np.ndarray) -> tuple[np.ndarray, bool]:
    """Cholesky factor; raises ValueError where rounding errors are larger than the ridge."""
    try:
        return cast("tuple[np.ndarray, bool]", cho_factor(matrix, lower=True))
    except LinAlgError:
        raise ValueError("the values of X differ too much in size for this regression; scale them by z-score") from None
