"""Smooth vectors of a graph: eigenvectors of its normalised Laplacian with the least eigenvalues.

The normalised Laplacian of weights S and degrees D is I - D^-1/2 S D^-1/2.
"""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from ..work.threads import Work
from .graph import Graph

SMALL = 256  # rows up to which all eigenvectors are computed at once; chosen by eye
VECTORS = 40  # vectors of a Lanczos iteration, at least; chosen by eye
ITERATIONS = 100  # Lanczos iterations for each row; chosen by eye: ten times the default of ARPACK
Product = Callable[[np.ndarray], np.ndarray]


def graph_product(graph: Graph) -> Product:
    """Return the function that multiplies vectors (n, k) by D^-1/2 W D^-1/2."""
    root = inverse_roots(graph.degrees)

    def product(vectors: np.ndarray) -> np.ndarray:
        return np.asarray(root[:, None] * (graph.weights @ (root[:, None] * vectors)))

    return product


def inverse_roots(degrees: np.ndarray) -> np.ndarray:
    """Compute 1 / sqrt(degree) (n,), 0 for rows without an edge."""
    return np.where(degrees > 0, 1 / np.sqrt(np.where(degrees > 0, degrees, 1.0)), 0.0)


def smooth_vectors(
    product: Product, degrees: np.ndarray, components: np.ndarray, k: int, work: Work
) -> tuple[np.ndarray, np.ndarray]:
    """Compute eigenvectors of the normalised Laplacian that are constant on no connected component.

    The eigenvalue 0 has an eigenvector for each component, which only names it; these are left out.

    Parameters
    ----------
    product : callable
        Multiplies vectors (n, k) by D^-1/2 W D^-1/2.
    degrees : (n,) array
        Degrees of the rows.
    components : (n,) int array
        Number of the connected component of each row.
    k : int
        Number of eigenvectors, cut to those that there are.
    work : Work
        Ticks at each product.

    Returns
    -------
    values : (k,) array
        Eigenvalues, ascending.
    vectors : (n, k) array
        Eigenvectors; the largest entry is positive, the first of several.

    Raises
    ------
    ValueError
        If the iteration does not converge.
    """
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

    n = len(degrees)
    n_components = int(components.max()) + 1
    k = min(k, n - n_components)
    if k < 1:
        return np.zeros(0), np.zeros((n, 0))
    sizes = np.sqrt(np.where(degrees > 0, degrees, 1.0))
    sizes /= np.sqrt(np.bincount(components, sizes**2))[components]
    trivial = sparse.csr_array((sizes, (np.arange(n), components)), shape=(n, n_components))
    transposed = trivial.T.tocsr()

    def deflated(vectors: np.ndarray) -> np.ndarray:
        """Multiply vectors; trivial ones get the eigenvalue -1, the least that there is."""
        work.tick()
        return np.asarray(product(vectors) - 2 * (trivial @ (transposed @ vectors)))

    if n <= max(SMALL, 3 * k):
        matrix = deflated(np.eye(n))
        values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    else:
        operator = LinearOperator(
            (n, n), matvec=lambda v: deflated(v.reshape(n, 1)).ravel(), matmat=deflated, dtype=np.float64
        )
        start = np.random.default_rng(0).uniform(-1, 1, n)
        try:
            width = min(max(3 * k, VECTORS), n - 1)
            values, vectors = eigsh(operator, k, which="LA", v0=start, ncv=width, maxiter=ITERATIONS * n)
        except ArpackNoConvergence:
            raise ValueError(
                "the eigenvectors of the graph were not found; take more neighbours or a larger bandwidth"
            ) from None
    order = np.argsort(-values, kind="stable")[:k]
    values = 1 - values[order]
    vectors = vectors[:, order]
    # Signs.
    length = np.abs(vectors)
    first = np.argmax(length >= length.max(axis=0) * (1 - 1e-6), axis=0)
    return values, vectors * np.where(vectors[first, np.arange(k)] < 0, -1.0, 1.0)
