"""Iterative Relief: neighbours inside a ball count by a parabola of their distance.

`methods/reweighting.py` iterates it with the parameters of the method Iterative Relief.
"""

from collections.abc import Iterator

import numpy as np

from .influence import PARABOLA, Influence, Step
from .iterations import State
from .space import Space

NO_RADIUS = 1e300  # 1 / radius^2 of a ball without a radius: only rows that are equal are inside


def iterative_relief(space: Space, n_min: int, beta: float, max_iter: int, tol: float) -> Iterator[State]:
    """Iterate over the scores of Iterative Relief.

    The neighbours of a row are those in the smallest ball with `n_min` hits and as many misses; they count the less,
    the farther they are.  Positive scores over the largest weigh the features in the distance.

    Draper, Kaito and Bins (2003); the step is that of Widrow and Hoff, which keeps weights from being negative.

    Parameters
    ----------
    space : Space
        Rows.
    n_min : int
        Number of hits, and of misses, in the ball of a row.
    beta : float
        Share of the way to the new weights that a step goes.
    max_iter : int
        Largest number of iterations.
    tol : float
        Change of the scores below which they have converged.
    """
    run = space.run
    weights = np.ones(run.p)
    before = np.full(run.p, np.inf)
    signs = np.array([-1.0, 1.0])[:, None]  # of hits and misses
    for number in range(max_iter):
        with space.iteration(number):
            step = Step(space.at(weights))
            nearest = step.nearest(n_min)
            space.forget()
            radius = np.where(np.isfinite(nearest), nearest, 0).max(axis=(0, 2))
            a = np.divide(1, radius * radius, out=np.full(run.n, NO_RADIUS), where=radius > 0)
            influence = Influence(PARABOLA, np.stack([a, a]))
            totals = step.totals(influence)
            factors = np.divide(signs, totals * run.n, out=np.zeros_like(totals), where=totals > 0)
            scores = step.scores(influence, factors)
        positive = np.maximum(scores, 0)
        new_weights = positive / positive.max() if positive.any() else np.ones(run.p)
        weights = weights + beta * (new_weights - weights)
        change = float(np.abs(scores - before).max())
        before = scores
        converged = change < tol
        yield State(scores, number + 1, change, converged, converged or number + 1 == max_iter)
        if converged:
            return
