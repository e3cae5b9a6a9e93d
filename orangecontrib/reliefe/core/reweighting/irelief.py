"""I-RELIEF in batches: margins of all rows, weighed by an exponential function of the distance.

`methods/reweighting.py` iterates it with the parameters of the method I-RELIEF.
"""

from collections.abc import Iterator

import numpy as np

from .influence import EXPONENTIAL, HIT, MISS, Influence, Step
from .iterations import State, approach
from .space import Space


def irelief(space: Space, sigma: float | str, beta: float, max_iter: int, tol: float) -> Iterator[State]:
    """Iterate over the weights of I-RELIEF in batches.

    Sun (2007), I-RELIEF-1; hits and misses of a row are shifted by their nearest one, so that no kernel is all zero.

    Parameters
    ----------
    space : Space
        Rows.
    sigma : float or str
        Width of the kernel, see `Space.width`.
    beta, max_iter, tol
        As of `approach`.
    """
    run = space.run
    weights = space.equal_shares()
    width = space.width(sigma, weights)

    def margin(weights: np.ndarray) -> np.ndarray:
        """Average the margins (p,) of all rows, weighted by the probability that a row is no outlier."""
        step = Step(space.at(weights))
        nearest = step.nearest(1)[:, :, 0]
        space.forget()
        influence = Influence(EXPONENTIAL, np.where(np.isfinite(nearest), nearest, 0), width)
        totals = step.totals(influence)
        factors = np.zeros((2, run.n))
        has_both = (totals > 0).all(axis=0)  # a row that is alone in its class is an outlier
        hit_totals = totals[HIT, has_both]
        miss_totals = totals[MISS, has_both]
        with np.errstate(over="ignore"):
            odds = np.exp(nearest[HIT, has_both] / width - nearest[MISS, has_both] / width) * miss_totals / hit_totals
        share = 1 / (1 + odds) / run.n
        factors[HIT, has_both] = -share / hit_totals
        factors[MISS, has_both] = share / miss_totals
        return step.scores(influence, factors)

    yield from approach(space, margin, weights, beta, max_iter, tol)
