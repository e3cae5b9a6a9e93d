"""LOGO: local learning of weights with an l1 penalty, by Sun, Todorovic and Goodison (2010).

`methods/reweighting.py` iterates it with the parameters of the method LOGO.
"""

from collections.abc import Iterator

import numpy as np

from ..work.threads import PARTS
from .iterations import State, approach, unit
from .margins import Rows
from .space import Space

MAX_STEPS = 2000  # of the minimisation
MAX_CORRECTIONS = 20  # steps of its refinement
MAX_FREE = 500  # weights above 0 that a refinement takes
ROUNDING = 1e-12  # change of a weight, as a share of the largest, that is rounding
# Slopes at which a minimisation ends; the next one is tried only if the result cannot be refined
END_SLOPES = (1e-3, 1e-6, 1e-9)
ZERO_SLOPE = 1e-8  # slope that counts as 0


def logo(space: Space, sigma: float | str, penalty: float, beta: float, max_iter: int, tol: float) -> Iterator[State]:
    """Iterate over the weights of local learning.

    Parameters
    ----------
    space : Space
        Rows.
    sigma : float or str
        Width of the kernel, see `Space.width`.
    penalty : float
        Weight of the l1 penalty.
    beta, max_iter, tol
        As of `approach`.
    """
    run = space.run
    rows = Rows(run)
    weights = unit(space.equal_shares())
    width = space.width(sigma, weights)
    Z = np.empty((run.n, run.p))

    def take(first: int, margins: np.ndarray) -> None:
        Z[first::PARTS] = margins

    def learn(weights: np.ndarray) -> np.ndarray:
        run.work.plan(run.n)

        def margins_from(first: int) -> np.ndarray:
            margins = np.empty((len(range(first, run.n, PARTS)), run.p))
            for position, i in enumerate(range(first, run.n, PARTS)):
                margins[position] = rows.margin(i, weights, width).margin
                run.work.tick(1)
            return margins

        run.work.deliver(margins_from, range(PARTS), take)
        return least_loss(Z, penalty)

    yield from approach(space, learn, weights, beta, max_iter, tol, by_largest=True)


def least_loss(Z: np.ndarray, penalty: float) -> np.ndarray:
    """Find weights w (p,), at least 0, with the least sum_i log(1 + exp(-Z_i w)) + penalty * sum w.

    The search begins at 0, so that features with equal margins get equal weights.

    Parameters
    ----------
    Z : (n, p) array
        Margins of the rows.
    penalty : float
        Weight of the l1 penalty.
    """
    from scipy.optimize import minimize

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        margins = Z @ w
        share = np.exp(-np.logaddexp(0, margins))
        return float(np.logaddexp(0, -margins).sum() + penalty * w.sum()), penalty - share @ Z

    bounds = [(0, None)] * Z.shape[1]
    weights = np.zeros(Z.shape[1])
    for slope in END_SLOPES:
        options = {"maxiter": MAX_STEPS, "maxfun": 2 * MAX_STEPS, "ftol": 0.0, "gtol": slope}
        weights = np.asarray(minimize(loss, weights, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x)
        refined = _refined(Z, penalty, weights)
        if refined is not None:
            return refined
    return weights


def _refined(Z: np.ndarray, penalty: float, w: np.ndarray) -> np.ndarray | None:
    """Compute weights w (p,) to more digits, by Newton's method on those that are above 0.

    Returns None where it fails, as it does if other weights should be above 0.
    """
    is_positive = w > 0
    if not 0 < is_positive.sum() <= MAX_FREE:
        return None if is_positive.any() else w
    A = Z[:, is_positive]
    refined = w.copy()
    for _ in range(MAX_CORRECTIONS):
        share = np.exp(-np.logaddexp(0, A @ refined[is_positive]))
        hessian = (A * (share * (1 - share))[:, None]).T @ A
        step = np.linalg.lstsq(hessian, penalty - share @ A, rcond=1e-10)[0]
        new_positive = refined[is_positive] - step
        if not (new_positive > 0).all():
            return None
        refined[is_positive] = new_positive
        if np.abs(step).max() < ROUNDING * refined.max():
            slopes = penalty - np.exp(-np.logaddexp(0, A @ refined[is_positive])) @ Z
            return refined if (slopes >= -ZERO_SLOPE * max(penalty, 1)).all() else None
    return None
