"""Online I-RELIEF: the mean of the margins of one row after another."""

from collections.abc import Iterator

import numpy as np

from .iterations import State, damped, unit
from .margins import Rows
from .space import Space

ROWS_BETWEEN = 100  # visited rows between two results


def irelief_online(
    space: Space, order: np.ndarray, sigma: float | str, beta: float, max_iter: int, tol: float
) -> Iterator[State]:
    """Weights of I-RELIEF from one row after another, every hundred rows.

    Sun (2007), online I-RELIEF: the mean of all margins so far, 1 / t for the t-th.
    """
    run, rows = space.run, Rows(space.run)
    places = np.argsort(run.ids)[order[:max_iter]]
    weights = space.equal_shares()
    nu = np.zeros(run.p)
    before = np.zeros(run.p)
    width = space.width(sigma, weights)
    run.work.plan(len(places))
    for t, i in enumerate(places, 1):
        margin, gamma = rows.margin(int(i), weights, width)
        run.work.tick(1)
        nu += (gamma * margin - nu) / t
        new = unit(nu)
        weights = damped(weights, new, beta, first=False)
        last = t == len(places)
        if last or t % ROWS_BETWEEN == 0:
            change = float(np.linalg.norm(new - before))
            before, converged = new, change < tol and new.any()
            yield State(new, t, change, bool(converged), bool(last or converged))
            if converged:
                return
