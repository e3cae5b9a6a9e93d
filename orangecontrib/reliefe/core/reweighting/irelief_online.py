"""Online I-RELIEF: the mean of the margins of one row after another.

`methods/reweighting.py` iterates it with the parameters of the method online I-RELIEF.
"""

from collections.abc import Iterator

import numpy as np

from .iterations import State, damped, unit
from .margins import Rows
from .space import Space

ROWS_PER_STATE = 100  # visited rows between two states


def irelief_online(
    space: Space, order: np.ndarray, sigma: float | str, beta: float, max_iter: int, tol: float
) -> Iterator[State]:
    """Iterate over the weights of I-RELIEF from one row after another, with a state every hundred rows.

    Sun (2007), online I-RELIEF: the mean of all margins so far, 1 / t for the t-th.

    Parameters
    ----------
    space : Space
        Rows.
    order : int array
        Rows of the data in the order in which they are visited.
    sigma : float or str
        Width of the kernel, see `Space.width`.
    beta : float
        Share of the way to the new weights that a step goes, see `damped`.
    max_iter : int
        Largest number of visits.
    tol : float
        Change below which weights have converged.
    """
    run = space.run
    rows = Rows(run)
    visited = np.argsort(run.ids)[order[:max_iter]]
    weights = space.equal_shares()
    nu = np.zeros(run.p)
    before = np.zeros(run.p)
    width = space.width(sigma, weights)
    run.work.plan(len(visited))
    for t, i in enumerate(visited, 1):
        row = rows.margin(int(i), weights, width)
        run.work.tick(1)
        nu += (row.gamma * row.margin - nu) / t
        new_weights = unit(nu)
        weights = damped(weights, new_weights, beta, first=False)
        is_last = t == len(visited)
        if is_last or t % ROWS_PER_STATE == 0:
            change = float(np.linalg.norm(new_weights - before))
            before = new_weights
            converged = change < tol and new_weights.any()
            yield State(new_weights, t, change, bool(converged), bool(is_last or converged))
            if converged:
                return
