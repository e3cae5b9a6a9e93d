"""Iterations of weights that are the positive margins under their own distance."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from .space import Space


@dataclass(frozen=True, eq=False)
class State:
    """Scores after an iteration."""

    scores: np.ndarray  # (p,): as the run orders features
    n_iter: int  # number of iterations so far
    change: float  # change of the scores or weights in this iteration, which the method compares with its tolerance
    has_converged: bool = False  # whether that is below the tolerance
    final: bool = False  # whether this is the last one


def unit(nu: np.ndarray) -> np.ndarray:
    """Positive part of nu (p,), with a Euclidean norm of 1; zeros where nothing is positive."""
    positive = np.maximum(nu, 0)
    norm = float(np.linalg.norm(positive))
    return positive / norm if norm > 0 else np.zeros(len(nu))


def damped(weights: np.ndarray, new: np.ndarray, beta: float, first: bool) -> np.ndarray:
    """A step of a share `beta` from the weights to new ones; the first step goes all the way."""
    return new if first else weights + beta * (new - weights)


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
    """States on the way to weights, with a norm of 1, that are the positive margins under their own distance.

    by_largest: margins are weights of any norm, whose change is that of their shares of the largest.

    Shapes: `weights` (p,).
    """
    for number in range(max_iter):
        with space.iteration(number, passes):
            new = margin(weights) if by_largest else unit(margin(weights))
        if not new.any():
            yield State(new, number + 1, np.inf, final=True)
            return
        step = new / new.max() - weights / weights.max() if by_largest else new - weights
        change, weights = float(np.linalg.norm(step)), damped(weights, new, beta, first=number == 0)
        weights = weights if by_largest else unit(weights)
        converged = change < tol
        yield State(weights, number + 1, change, converged, converged or number + 1 == max_iter)
        if converged:
            return
