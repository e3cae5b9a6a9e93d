"""Smooth vectors: eigenvectors of the normalised Laplacian with the least eigenvalues."""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from ..work.threads import Work
from .graph import Graph

SMALL = 256  # rows up to which all eigenvectors are found at once
VECTORS = 40  # at least, of a Lanczos iteration
ITERATIONS = 100  # for each row
Product = Callable[[np.ndarray], np.ndarray]


def graph_product(graph: Graph) -> Product:
    """Product of D^-1/2 W D^-1/2 with vectors (n, k)."""
    root = inverse_roots(graph.degrees)

    def product(vectors: np.ndarray) -> np.ndarray:
        return np.asarray(root[:, None] * (graph.weights @ (root[:, None] * vectors)))

    return product


def inverse_roots(degrees: np.ndarray) -> np.ndarray:
    """(n,) 1 / sqrt(degree), 0 for rows without an edge."""
    return np.where(degrees > 0, 1 / np.sqrt(np.where(degrees > 0, degrees, 1.0)), 0.0)


def smooth_vectors(
    product: Product, degrees: np.ndarray, components: np.ndarray, k: int, work: Work
) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvectors of the normalised Laplacian that are constant on no connected part.

    The eigenvalue 0 has an eigenvector for each part, which says nothing else; these are left out.  Signs: the largest
    entry is positive, the first of several.

    Shapes: `degrees` (n,); `components` (n,); returns values (k,), vectors (n, k).
    """
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

    n = len(degrees)
    parts = int(components.max()) + 1
    k = min(k, n - parts)
    if k < 1:
        return np.zeros(0), np.zeros((n, 0))
    sizes = np.sqrt(np.where(degrees > 0, degrees, 1.0))
    sizes /= np.sqrt(np.bincount(components, sizes**2))[components]
    trivial = sparse.csr_array((sizes, (np.arange(n), components)), shape=(n, parts))
    back = trivial.T.tocsr()

    def deflated(vectors: np.ndarray) -> np.ndarray:
        """All eigenvalues of what is trivial become -1, the least that there are."""
        work.tick()
        return np.asarray(product(vectors) - 2 * (trivial @ (back @ vectors)))

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
    values, vectors = 1 - values[order], vectors[:, order]
    length = np.abs(vectors)
    first = np.argmax(length >= length.max(axis=0) * (1 - 1e-6), axis=0)
    return values, vectors * np.where(vectors[first, np.arange(k)] < 0, -1.0, 1.0)
