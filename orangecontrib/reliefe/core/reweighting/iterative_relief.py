"""Iterative Relief: neighbours by a parabola inside a ball, and steps of weights."""

from collections.abc import Iterator

import numpy as np

from .influence import PARABOLA, Influence, Step
from .iterations import State
from .space import Space

AT_ZERO = 1e300  # of a sphere without a radius: only rows that are equal are inside


def iterative_relief(space: Space, n_min: int, beta: float, max_iter: int, tol: float) -> Iterator[State]:
    """Scores of Iterative Relief, iteration by iteration.

    The neighbours of a row are those in the smallest ball with `n_min` hits and as many misses; they count the less,
    the farther they are.  Positive scores over the largest weigh the features in the distance.

    Draper, Kaito and Bins (2003); the step is that of Widrow and Hoff, which keeps weights from being negative.
    """
    run = space.run
    weights, before, signs = np.ones(run.p), np.full(run.p, np.inf), np.array([-1.0, 1.0])[:, None]
    for number in range(max_iter):
        with space.iteration(number):
            step = Step(space.at(weights))
            near = step.nearest(n_min)
            space.forget()
            radius = np.where(np.isfinite(near), near, 0).max(axis=(0, 2))
            a = np.divide(1, radius * radius, out=np.full(run.n, AT_ZERO), where=radius > 0)
            influence = Influence(PARABOLA, np.stack([a, a]))
            totals = step.totals(influence)
            factors = np.divide(signs, totals * run.n, out=np.zeros_like(totals), where=totals > 0)
            scores = step.scores(influence, factors)
        positive = np.maximum(scores, 0)
        new = positive / positive.max() if positive.any() else np.ones(run.p)
        weights = weights + beta * (new - weights)
        change, before = float(np.abs(scores - before).max()), scores
        converged = change < tol
        yield State(scores, number + 1, change, converged, converged or number + 1 == max_iter)
        if converged:
            return
