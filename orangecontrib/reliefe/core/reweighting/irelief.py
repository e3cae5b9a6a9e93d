"""I-RELIEF in batches: margins of all rows, weighed by an exponential function of the distance."""

from collections.abc import Iterator

import numpy as np

from .influence import EXPONENTIAL, HIT, MISS, Influence, Step
from .iterations import State, approach
from .space import Space


def irelief(space: Space, sigma: float | str, beta: float, max_iter: int, tol: float) -> Iterator[State]:
    """Weights of I-RELIEF in batches, iteration by iteration.

    Sun (2007), I-RELIEF-1; hits and misses of a row are shifted by their nearest one, so that no kernel is all zero.
    """
    run = space.run
    weights = space.equal_shares()
    width = space.width(sigma, weights)

    def margin(weights: np.ndarray) -> np.ndarray:
        """Mean margins (p,) of all rows, each by the probability that it is no outlier."""
        step = Step(space.at(weights))
        near = step.nearest(1)[:, :, 0]
        space.forget()
        influence = Influence(EXPONENTIAL, np.where(np.isfinite(near), near, 0), width)
        totals = step.totals(influence)
        factors = np.zeros((2, run.n))
        some = (totals > 0).all(axis=0)  # a row that is alone in its class is an outlier for sure
        with np.errstate(over="ignore"):
            odds = np.exp(near[HIT, some] / width - near[MISS, some] / width) * totals[MISS, some] / totals[HIT, some]
        share = 1 / (1 + odds) / run.n
        factors[HIT, some], factors[MISS, some] = -share / totals[HIT, some], share / totals[MISS, some]
        return step.scores(influence, factors)

    yield from approach(space, margin, weights, beta, max_iter, tol)
