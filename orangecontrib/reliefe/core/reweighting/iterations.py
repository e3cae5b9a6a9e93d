"""Iterations towards weights that are the positive margins under their own distance.

Methods of this room call `approach`, and yield a `State` after each iteration.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from .space import Space


@dataclass(frozen=True, eq=False)
class State:
    """Scores after an iteration.

    scores (p,): as the run orders features.
    n_iter: number of iterations so far.
    change: change of the scores or weights in this iteration, which the method compares with its tolerance.
    has_converged: True if the change is below the tolerance.
    final: True if this is the last iteration.
    """

    scores: np.ndarray
    n_iter: int
    change: float
    has_converged: bool = False
    final: bool = False


def unit(nu: np.ndarray) -> np.ndarray:
    """Scale the positive part of nu (p,) to a Euclidean norm of 1; return zeros if nothing is positive."""
    positive = np.maximum(nu, 0)
    norm = float(np.linalg.norm(positive))
    return positive / norm if norm > 0 else np.zeros(len(nu))


def damped(weights: np.ndarray, new_weights: np.ndarray, beta: float, first: bool) -> np.ndarray:
    """Step from weights (p,) by a share `beta` of the way to new ones; the first step goes all the way."""
    return new_weights if first else weights + beta * (new_weights - weights)


def approach(
    space: Space,
    margin: Callable[[np.ndarray], np.ndarray],
    weights: np.ndarray,
    beta: float,
    max_iter: int,
    tol: float,
    passes: float = 3,
    by_largest: bool = False,
) -> Iterator[State]:
    """Iterate over the states on the way to weights that are the positive margins under their own distance.

    Parameters
    ----------
    space : Space
        Rows, for the progress of an iteration.
    margin : callable
        Returns the margins (p,) under the distance with weights (p,).
    weights : (p,) array
        Weights of the first distance.
    beta : float
        Share of the way to the margins that a step goes, see `damped`.
    max_iter : int
        Largest number of iterations.
    tol : float
        Change below which weights have converged.
    passes : float
        Number of passes over all pairs of rows in an iteration, for the progress.
    by_largest : bool
        True if margins are weights of any norm, whose change is that of their shares of the largest; False if weights
        have a norm of 1.
    """
    for number in range(max_iter):
        with space.iteration(number, passes):
            new_weights = margin(weights) if by_largest else unit(margin(weights))
        if not new_weights.any():
            yield State(new_weights, number + 1, np.inf, final=True)
            return
        step = new_weights / new_weights.max() - weights / weights.max() if by_largest else new_weights - weights
        change = float(np.linalg.norm(step))
        weights = damped(weights, new_weights, beta, first=number == 0)
        if not by_largest:
            weights = unit(weights)
        converged = change < tol
        yield State(weights, number + 1, change, converged, converged or number + 1 == max_iter)
        if converged:
            return
