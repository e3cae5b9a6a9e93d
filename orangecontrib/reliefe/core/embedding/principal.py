"""Principal components of dense and of sparse rows, in pieces between which the work can be stopped."""

from collections.abc import Callable
from typing import TypeAlias, cast

import numpy as np
from scipy import sparse

from ..work.threads import Work

MAX_WIDTH_AT_ONCE = 1000  # rows or columns up to which all components are found at once
MIN_VARIANCE_SHARE = 1e-12  # a component with less than this share of the largest variance is rounding
OPERATIONS_PER_LOOK = 1 << 28  # operations, about, between two looks at whether to stop
SPARE_VECTORS = 20  # vectors that are iterated beyond twice as many as wanted
MAX_RESTARTS = 1000  # most of them
MAX_ERROR = 1e-15  # error of a component, as a share of the largest variance, that ends the iterations
MIN_NORM_SHARE = 1e-14  # what is left of a vector below this share is rounding

Matrix: TypeAlias = np.ndarray | sparse.csr_matrix
Product = Callable[[np.ndarray], np.ndarray]


class Pca:
    """Principal components, centred for dense and sparse data alike, without randomness.

    Signs: the largest loading of a component is positive.  Components without variance are 0.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        dimension: int,
        work: Work,
        narrow: int = MAX_WIDTH_AT_ONCE,
        piece: int = OPERATIONS_PER_LOOK,
    ):
        if dimension > min(shape):
            raise ValueError(
                f"{dimension} dimensions need as many features and as many rows to learn from; "
                f"there are {shape[1]} features and {shape[0]} rows"
            )
        self._dimension, self._work, self._narrow, self._piece = dimension, work, narrow, piece

    def fit_transform(self, F: Matrix) -> np.ndarray:
        """(rows, d) from (rows, q)."""
        return self.fit(F).transform(F)

    def fit(self, F: Matrix) -> "Pca":
        """Learn from (rows, q)."""
        centred = Centred(F, self._work, self._piece)
        size = min(F.shape)
        if size <= self._narrow or self._dimension == size:
            variance, vectors = self._work.aside(np.linalg.eigh, centred.gram())
            variance, vectors = variance[: -self._dimension - 1 : -1], vectors[:, : -self._dimension - 1 : -1].T
        else:
            variance, vectors = largest(centred.product, size, self._dimension, self._work)
        loadings = centred.loadings(vectors)
        length = np.abs(loadings)
        first = np.argmax(length >= length.max(axis=1, keepdims=True) * (1 - 1e-6), axis=1)
        sign = np.where(loadings[np.arange(len(loadings)), first] < 0, -1.0, 1.0)
        sign[variance <= MIN_VARIANCE_SHARE * variance.max(initial=0)] = 0
        self._loadings = np.ascontiguousarray((loadings * sign[:, None]).T)
        self._offset = centred.mean @ self._loadings
        return self

    def transform(self, X: Matrix) -> np.ndarray:
        """(n, d) from (n, q)."""
        loadings = self._loadings.astype(np.float32) if X.dtype == np.float32 else self._loadings
        out = np.empty((X.shape[0], self._dimension))
        for rows in pieces(X, self._dimension, self._piece):
            self._work.tick()
            out[rows] = X[rows] @ loadings - self._offset
        return out


class Centred:
    """The rows of a matrix (n, q) less their mean; sparse ones stay sparse."""

    def __init__(self, F: Matrix, work: Work, piece: int = OPERATIONS_PER_LOOK):
        self._work, self._piece, self._wide = work, piece, F.shape[0] <= F.shape[1]
        self.mean = np.asarray(F.mean(axis=0, dtype=np.float64)).ravel()
        if sparse.issparse(F):
            self._F, self._shift = sparse.csr_matrix(F, dtype=np.float64), self.mean
            self._turned = self._F.T.tocsr()
            return
        self._F, self._shift = np.empty(F.shape), np.zeros(F.shape[1])
        for rows in pieces(F, 1, piece):
            work.tick()
            np.subtract(F[rows], self.mean, out=self._F[rows])
        self._turned = self._F.T

    def product(self, vector: np.ndarray) -> np.ndarray:
        """The product of the smaller one of A A' and A' A, A being the centred matrix, with a vector."""
        if self._wide:
            return self._times(self._turned @ vector - self._shift * vector.sum())
        return self._back(self._times(vector))

    def gram(self) -> np.ndarray:
        """The smaller one of A A' and A' A."""
        if not self._wide:
            out = np.zeros((self._F.shape[1],) * 2)
            for rows in pieces(self._F, self._F.shape[1], self._piece):
                self._work.tick()
                out += _dense(self._F[rows].T @ self._F[rows])
            return cast("np.ndarray", out - self._F.shape[0] * np.outer(self._shift, self._shift))
        out = np.empty((self._F.shape[0],) * 2)
        for rows in pieces(self._F, self._F.shape[0], self._piece):
            self._work.tick()
            out[rows] = _dense(self._F[rows] @ self._turned)
        share = self._F @ self._shift
        return cast("np.ndarray", out - share - share[:, None] + self._shift @ self._shift)

    def loadings(self, vectors: np.ndarray) -> np.ndarray:
        """(d, q) of length 1, or 0 where there is no variance, from the eigenvectors (d, smaller side)."""
        if not self._wide:
            return vectors
        out = np.empty((len(vectors), self._F.shape[1]))
        for vector, place in zip(vectors, out, strict=True):
            self._work.tick()
            place[:] = self._back(vector)
        length = np.linalg.norm(out, axis=1, keepdims=True)
        return cast("np.ndarray", np.divide(out, length, out=out, where=length > 0))

    def _times(self, vector: np.ndarray) -> np.ndarray:
        return cast("np.ndarray", self._F @ vector - self._shift @ vector)

    def _back(self, vector: np.ndarray) -> np.ndarray:
        return cast("np.ndarray", self._turned @ vector - self._shift * vector.sum())


def largest(product: Product, size: int, k: int, work: Work) -> tuple[np.ndarray, np.ndarray]:
    """The k largest eigenvalues, descending, and their eigenvectors (k, size), of a symmetric matrix.

    product: of the matrix with a vector.  Lanczos iterations with all vectors kept orthogonal; when there are too many
    of them, the best combinations go on.

    Wu and Simon (2000), Thick-restart Lanczos method for large symmetric eigenvalue problems.
    """
    m = min(2 * k + SPARE_VECTORS, size)
    keep = min(k + (m - k) // 2, m - 1)
    random = np.random.default_rng(0)
    Q, T, kept = np.empty((m, size)), np.zeros((m, m)), 0
    rest = random.uniform(-1, 1, size)
    for _ in range(MAX_RESTARTS):
        for j in range(kept, m):
            Q[j] = _unit(rest, Q[:j], random)
            work.tick()
            rest = product(Q[j])
            T[: j + 1, j] = T[j, : j + 1] = _orthogonal(rest, Q[: j + 1])
            if np.linalg.norm(rest) <= MIN_NORM_SHARE * np.abs(T).max():
                rest[:] = 0
        values, S = work.aside(np.linalg.eigh, T)
        values, S = values[::-1], S[:, ::-1]
        error = np.linalg.norm(rest) * np.abs(S[-1, :k])
        found = m == size or (error <= MAX_ERROR * np.abs(values[0])).all()
        kept = k if found else keep
        Q[:kept] = S[:, :kept].T @ Q
        if found:
            break
        T[:] = 0
        T[range(kept), range(kept)] = values[:kept]
    return values[:k], Q[:k]


def _unit(vector: np.ndarray, Q: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The vector at length 1; where it is 0, another one that is orthogonal to the rows of Q."""
    length = np.linalg.norm(vector)
    while not length:
        vector = random.uniform(-1, 1, len(vector))
        _orthogonal(vector, Q)
        length = np.linalg.norm(vector)
    return cast("np.ndarray", vector / length)


def _orthogonal(vector: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """Take from a vector, in place, its share of each row of Q; returns the shares.  Twice is enough."""
    total = np.zeros(len(Q))
    for _ in range(2):
        share = Q @ vector
        vector -= share @ Q
        total += share
    return total


def pieces(X: Matrix, width: int, piece: int = OPERATIONS_PER_LOOK) -> list[slice]:
    """Rows to multiply with `width` columns at a time, in about `piece` operations."""
    n, each = (
        X.shape[0],
        max(cast("sparse.csr_matrix", X).nnz / X.shape[0] if sparse.issparse(X) else X.shape[1], 1) * width,
    )
    step = int(max(piece / each, 1))
    return [slice(start, start + step) for start in range(0, n, step)]


def _dense(product: Matrix) -> np.ndarray:
    return cast("sparse.csr_matrix", product).toarray() if sparse.issparse(product) else product
