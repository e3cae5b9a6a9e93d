"""Iterative Relief and I-RELIEF: weights of features that are the scores under their own distance."""

from collections.abc import Iterator

import numpy as np

from .influence import EXPONENTIAL, HIT, MISS, PARABOLA, Influence, Step
from .space import Space, State, approach

AT_ZERO = 1e300  # of a sphere without a radius: only rows that are equal are inside


def iterative_relief(space: Space, n_min: int, beta: float, max_iter: int, tol: float) -> Iterator[State]:
    """Scores of Iterative Relief, iteration by iteration.

    The neighbours of a row are those in the smallest ball with `n_min` hits and as many misses; they count the less,
    the farther they are.  Positive scores over the largest weigh the features in the distance.

    References
    ----------
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


def irelief(space: Space, sigma: float | str, beta: float, max_iter: int, tol: float) -> Iterator[State]:
    """Weights of I-RELIEF in batches, iteration by iteration.

    References
    ----------
    Sun (2007), I-RELIEF-1; hits and misses of a row are shifted by their nearest one, so that no kernel is all zero.
    """
    run = space.run
    weights = np.full(run.p, 1 / run.p)
    width = space.width(sigma, weights)

    def margin(weights: np.ndarray) -> np.ndarray:
        return _margin(Step(space.at(weights)), space, width)

    yield from approach(space, margin, weights, beta, max_iter, tol)


def _margin(step: Step, space: Space, width: float) -> np.ndarray:
    """Mean margins (p,) of all rows, each by the probability that it is no outlier."""
    n = step.run.n
    near = step.nearest(1)[:, :, 0]
    space.forget()
    influence = Influence(EXPONENTIAL, np.where(np.isfinite(near), near, 0), width)
    totals = step.totals(influence)
    factors = np.zeros((2, n))
    some = (totals > 0).all(axis=0)  # a row that is alone in its class is an outlier for sure
    with np.errstate(over="ignore"):
        odds = np.exp(near[HIT, some] / width - near[MISS, some] / width) * totals[MISS, some] / totals[HIT, some]
    share = 1 / (1 + odds) / n
    factors[HIT, some], factors[MISS, some] = -share / totals[HIT, some], share / totals[MISS, some]
    return step.scores(influence, factors)
