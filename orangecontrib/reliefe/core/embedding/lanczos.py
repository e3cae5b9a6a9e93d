"""Largest eigenvalues of a symmetric matrix by Lanczos iterations, which can be stopped between two products.

`principal` calls `largest` with the Gram matrix of many rows and many columns, which is never stored.

Wu and Simon (2000), Thick-restart Lanczos method for large symmetric eigenvalue problems.
"""

from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np

from ..work.threads import Work

SPARE_VECTORS = 20  # vectors that are iterated beyond twice as many as are asked for; chosen by eye
MAX_RESTARTS = 1000  # restarts at most; chosen by eye
MAX_ERROR = 1e-15  # error of an eigenvector, as a share of the largest eigenvalue, that ends the iterations
MIN_NORM_SHARE = 1e-14  # length of a residual, as a share of the largest product, below which it is only rounding
Product = Callable[[np.ndarray], np.ndarray]


class Eigenpairs(NamedTuple):
    """Eigenvalues and eigenvectors.

    values (k,): eigenvalues, descending.
    vectors (k, size): their eigenvectors, of length 1.
    """

    values: np.ndarray
    vectors: np.ndarray


def largest(product: Product, size: int, k: int, work: Work) -> Eigenpairs:
    """Compute the k largest eigenvalues of a symmetric matrix (size, size).

    All Lanczos vectors are kept orthogonal.  When there are as many as fit, the best combinations of them go on.

    Parameters
    ----------
    product : callable
        Multiplies the matrix with a vector (size,).
    size : int
        Number of rows of the matrix.
    k : int
        Number of eigenvalues.
    work : Work
        Ticks at each product; raises an exception to stop.

    Returns
    -------
    Eigenpairs
    """
    m = min(2 * k + SPARE_VECTORS, size)
    n_restarted = min(k + (m - k) // 2, m - 1)
    random = np.random.default_rng(0)
    basis = np.empty((m, size))  # Lanczos vectors, row by row
    projected = np.zeros((m, m))  # the matrix in their coordinates
    n_done = 0
    residual = random.uniform(-1, 1, size)
    for _ in range(MAX_RESTARTS):
        # Fill up the basis.
        for j in range(n_done, m):
            basis[j] = _unit(residual, basis[:j], random)
            work.tick()
            residual = product(basis[j])
            shares = _orthogonalise(residual, basis[: j + 1])
            projected[: j + 1, j] = shares
            projected[j, : j + 1] = shares
            if np.linalg.norm(residual) <= MIN_NORM_SHARE * np.abs(projected).max():
                residual[:] = 0
        # Eigenvectors in the basis, and their errors.
        ascending, rotations = work.aside(np.linalg.eigh, projected)
        values = ascending[::-1]
        rotations = rotations[:, ::-1]
        errors = np.linalg.norm(residual) * np.abs(rotations[-1, :k])
        is_exact = m == size or (errors <= MAX_ERROR * np.abs(values[0])).all()
        # Begin again with the best ones, or end.
        n_done = k if is_exact else n_restarted
        basis[:n_done] = rotations[:, :n_done].T @ basis
        if is_exact:
            break
        projected[:] = 0
        projected[range(n_done), range(n_done)] = values[:n_done]
    return Eigenpairs(values[:k], basis[:k])


def _unit(vector: np.ndarray, basis: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Scale a vector to length 1; where it is 0, draw another one that is orthogonal to the rows of the basis."""
    length = np.linalg.norm(vector)
    while not length:
        vector = random.uniform(-1, 1, len(vector))
        _orthogonalise(vector, basis)
        length = np.linalg.norm(vector)
    return cast("np.ndarray", vector / length)


def _orthogonalise(vector: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Subtract from a vector, in place, its shares of the rows of the basis, and return them; twice is enough."""
    total = np.zeros(len(basis))
    for _ in range(2):
        shares = basis @ vector
        vector -= shares @ basis
        total += shares
    return total
