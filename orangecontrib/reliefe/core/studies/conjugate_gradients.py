"""Conjugate gradients, which solve systems of linear equations by products with their matrices alone.

`logistic.py` and `score_tests.py` solve systems of the information of a logistic regression by it.
"""

from collections.abc import Callable

import numpy as np

MAX_ITERATIONS = 1000  # of conjugate gradients; up to 150 were needed in the same data
Map = Callable[[np.ndarray], np.ndarray]


def conjugate_gradients(product: Map, precondition: Map, right: np.ndarray, tolerance: float) -> np.ndarray:
    """Solve b symmetric, positive definite systems at once.

    Hestenes and Stiefel (1952), J. Res. Nat. Bur. Stand. 49:409, with a preconditioner.

    Parameters
    ----------
    product : callable
        Maps arguments (b, k, g) to the left sides (b, k, g) of the systems.
    precondition : callable
        The inverse of a map that is near `product`.
    right : np.ndarray, shape (b, k, g)
        Right sides.
    tolerance : float
        Size of the remainder, in the norm of the preconditioner, relative to the size of the right side.

    Returns
    -------
    np.ndarray, shape (b, k, g)
        The solutions.
    """
    solution = np.zeros_like(right)
    remainder = right.copy()
    direction = precondition(remainder)
    size = inner_products(remainder, direction)
    small = tolerance**2 * size
    for _ in range(MAX_ITERATIONS):
        unsolved = size > small  # a solved system keeps its solution, whichever systems it is solved with
        if not unsolved.any():
            break
        image = product(direction)
        curvature = inner_products(direction, image)
        length = np.divide(size, curvature, out=np.zeros_like(size), where=unsolved & (curvature > 0))[:, None, None]
        solution += length * direction
        remainder -= length * image
        preconditioned = precondition(remainder)
        next_size = inner_products(remainder, preconditioned)
        ratio = np.divide(next_size, size, out=np.zeros_like(size), where=size > 0)[:, None, None]
        direction = preconditioned + ratio * direction
        size = next_size
    return solution


def inner_products(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Inner product (b,) of each pair of matrices of x and y (b, k, g)."""
    return np.asarray(np.einsum("bkg,bkg->b", x, y))
