"""Principal components of dense and of sparse rows, in blocks between which the work can be stopped.

`coordinates` fits a `Pca` on the rows of a sample and transforms all rows.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias, cast

import numpy as np
from scipy import sparse

from ..work.threads import Work

MAX_WIDTH_AT_ONCE = 1000  # rows or columns up to which all components are computed at once; chosen by eye
MIN_VARIANCE_SHARE = 1e-12  # variance, as a share of the largest one, below which a component is only rounding
SIGN_TIE = 1e-6  # relative difference of loadings that are equally large, but for rounding
OPERATIONS_PER_TICK = 1 << 28  # operations, about, between two checks for a stop

Matrix: TypeAlias = np.ndarray | sparse.csr_matrix


class Eigenpairs(NamedTuple):
    """Eigenvalues and eigenvectors.

    values (k,): eigenvalues, descending.
    vectors (k, size): their eigenvectors, of length 1.
    """

    values: np.ndarray
    vectors: np.ndarray


class Pca:
    """Principal components, centred for dense and sparse data alike, without randomness.

    Signs: the largest loading of a component is positive.  Components without variance are 0.
    """

    def __init__(
        self,
        dimension: int,
        work: Work,
        narrow: int = MAX_WIDTH_AT_ONCE,
        piece: int = OPERATIONS_PER_TICK,
    ):
        """Prepare to learn from data.

        Parameters
        ----------
        dimension : int
            Number of components.
        work : Work
            Ticks; raises an exception to stop.
        narrow : int
            Rows or columns up to which all components are computed at once.
        piece : int
            Operations, about, between two ticks.
        """
        self._dimension = dimension
        self._work = work
        self._narrow = narrow
        self._operations = piece

    def fit_transform(self, F: Matrix) -> np.ndarray:
        """Learn from F (rows, q) and compute its components (rows, d)."""
        return self.fit(F).transform(F)

    def fit(self, F: Matrix) -> "Pca":
        """Learn from F (rows, q), finite; raises ValueError for fewer rows or columns than components."""
        size = min(F.shape)
        if self._dimension > size:
            raise ValueError(
                f"{self._dimension} dimensions need as many features and as many rows to learn from; "
                f"there are {F.shape[1]} features and {F.shape[0]} rows"
            )
        centred = Centred(F, self._work, self._operations)
        if size <= self._narrow or self._dimension == size:
            ascending, columns = self._work.aside(np.linalg.eigh, centred.gram())
            last = slice(None, -self._dimension - 1, -1)
            eigenpairs = Eigenpairs(ascending[last], columns[:, last].T)
        else:
            eigenpairs = _largest(centred.product, size, self._dimension, self._work)
        variances = eigenpairs.values
        loadings = centred.loadings(eigenpairs.vectors)
        # Signs by the first of the largest loadings; 0 without variance.
        lengths = np.abs(loadings)
        first = np.argmax(lengths >= lengths.max(axis=1, keepdims=True) * (1 - SIGN_TIE), axis=1)
        signs = np.where(loadings[np.arange(len(loadings)), first] < 0, -1.0, 1.0)
        signs[variances <= MIN_VARIANCE_SHARE * variances.max(initial=0)] = 0
        self._loadings = np.ascontiguousarray((loadings * signs[:, None]).T)
        self._offset = centred.mean @ self._loadings
        return self

    def transform(self, X: Matrix) -> np.ndarray:
        """Compute the components (n, d) of X (n, q)."""
        loadings = self._loadings.astype(np.float32) if X.dtype == np.float32 else self._loadings
        out = np.empty((X.shape[0], self._dimension))
        for rows in row_blocks(X, self._dimension, self._operations):
            self._work.tick()
            out[rows] = X[rows] @ loadings - self._offset
        return out


class Centred:
    """Centred matrix A = F - mean (n, q), whose sparse rows stay sparse.

    mean (q,): means of the columns; of a constant column its value, so that A is 0 there.

    Inside, A = values - shift. Dense columns, and sparse ones without zeros, are centred in the values: squares of
    values with a large mean would cancel out only but for rounding. Shifts of other columns are their means.
    """

    def __init__(self, F: Matrix, work: Work, operations: int = OPERATIONS_PER_TICK):
        """Centre F (n, q); operations: about so many between two ticks of work."""
        self._work = work
        self._operations = operations
        self._is_wide = F.shape[0] <= F.shape[1]
        self.mean = np.asarray(F.mean(axis=0, dtype=np.float64)).ravel()
        lowest, highest = _smallest_and_largest(F)
        is_constant = lowest == highest
        self.mean[is_constant] = lowest[is_constant]
        if sparse.issparse(F):
            values = sparse.csr_matrix(F, dtype=np.float64)
            has_no_zeros = np.bincount(values.indices, minlength=F.shape[1]) == F.shape[0]
            data = values.data - np.where(has_no_zeros, self.mean, 0)[values.indices]
            self._values = sparse.csr_matrix((data, values.indices, values.indptr), shape=F.shape)
            self._shift = np.where(has_no_zeros, 0, self.mean)
            self._transposed = self._values.T.tocsr()
            return
        self._values = np.empty(F.shape)
        self._shift = np.zeros(F.shape[1])
        for rows in row_blocks(F, 1, operations):
            work.tick()
            np.subtract(F[rows], self.mean, out=self._values[rows])
        self._transposed = self._values.T

    def product(self, vector: np.ndarray) -> np.ndarray:
        """Multiply the smaller one of A A' and A' A with a vector."""
        if self._is_wide:
            return self._times(self._transposed @ vector - self._shift * vector.sum())
        return self._transposed_times(self._times(vector))

    def gram(self) -> np.ndarray:
        """Compute the smaller one of A A' and A' A."""
        values = self._values
        n, q = values.shape
        if not self._is_wide:
            out = np.zeros((q, q))
            for rows in row_blocks(values, q, self._operations):
                self._work.tick()
                out += _dense(values[rows].T @ values[rows])
            return cast("np.ndarray", out - n * np.outer(self._shift, self._shift))
        out = np.empty((n, n))
        for rows in row_blocks(values, n, self._operations):
            self._work.tick()
            out[rows] = _dense(values[rows] @ self._transposed)
        by_shift = values @ self._shift
        return cast("np.ndarray", out - by_shift - by_shift[:, None] + self._shift @ self._shift)

    def loadings(self, vectors: np.ndarray) -> np.ndarray:
        """Convert eigenvectors (d, smaller side) to loadings (d, q) of length 1, or 0 where there is no variance."""
        if not self._is_wide:
            return vectors
        out = np.empty((len(vectors), self._values.shape[1]))
        for component, vector in enumerate(vectors):
            self._work.tick()
            out[component] = self._transposed_times(vector)
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        return cast("np.ndarray", np.divide(out, lengths, out=out, where=lengths > 0))

    def _times(self, vector: np.ndarray) -> np.ndarray:
        """Compute A @ vector (n,)."""
        return cast("np.ndarray", self._values @ vector - self._shift @ vector)

    def _transposed_times(self, vector: np.ndarray) -> np.ndarray:
        """Compute A' @ vector (q,)."""
        return cast("np.ndarray", self._transposed @ vector - self._shift * vector.sum())


def _largest(product: Callable[[np.ndarray], np.ndarray], size: int, k: int, work: Work) -> Eigenpairs:
    """Compute the k largest eigenvalues of a symmetric matrix (size, size), k < size, that is never stored.

    product: multiplies the matrix with a vector (size,). Work ticks at each product, and raises an exception to stop.
    """
    from scipy.sparse.linalg import LinearOperator, eigsh

    def multiply(vector: np.ndarray) -> np.ndarray:
        work.tick()
        return product(vector)

    start = np.random.default_rng(0).uniform(-1, 1, size)
    if not multiply(start).any():  # no variance, which eigsh refuses
        return Eigenpairs(np.zeros(k), np.eye(k, size))
    operator = LinearOperator((size, size), matvec=multiply, dtype=np.float64)
    ascending, columns = eigsh(operator, k, which="LA", v0=start)
    return Eigenpairs(ascending[::-1], columns[:, ::-1].T)


def row_blocks(X: Matrix, width: int, operations: int = OPERATIONS_PER_TICK) -> list[slice]:
    """Split the rows of X into blocks whose product with `width` columns takes about so many operations."""
    n = X.shape[0]
    values_per_row = cast("sparse.csr_matrix", X).nnz / n if sparse.issparse(X) else X.shape[1]
    step = int(max(operations / (max(values_per_row, 1) * width), 1))
    return [slice(start, start + step) for start in range(0, n, step)]


def _smallest_and_largest(F: Matrix) -> tuple[np.ndarray, np.ndarray]:
    """Find the smallest and the largest value (q,) of each column."""
    if sparse.issparse(F):
        return F.min(axis=0).toarray().ravel(), F.max(axis=0).toarray().ravel()
    return F.min(axis=0), F.max(axis=0)


def _dense(product: Matrix) -> np.ndarray:
    """Convert a product to a dense array."""
    return cast("sparse.csr_matrix", product).toarray() if sparse.issparse(product) else product
