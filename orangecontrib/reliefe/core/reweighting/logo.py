"""LOGO: local learning with an l1 penalty."""

from collections.abc import Iterator

import numpy as np

from ..work.threads import PARTS
from .iterations import State, approach, unit
from .margins import Rows
from .space import Space

MAX_STEPS, MAX_CORRECTIONS = 2000, 20  # of the minimisation, and of its refinement
MAX_FREE = 500  # weights above 0 that a refinement takes
STEEP = 1e-12  # change of a weight, as a share of the largest, that is rounding
SLOPES = 1e-3, 1e-6, 1e-9  # at which a minimisation ends; the next one only if its result cannot be refined
LEVEL = 1e-8  # slope that is none


def logo(space: Space, sigma: float | str, penalty: float, beta: float, max_iter: int, tol: float) -> Iterator[State]:
    """Weights of local learning with an l1 penalty, iteration by iteration.

    Sun, Todorovic and Goodison (2010).
    """
    run, rows = space.run, Rows(space.run)
    weights = unit(space.equal_shares())
    width = space.width(sigma, weights)
    Z = np.empty((run.n, run.p))

    def take(which: int, found: np.ndarray) -> None:
        Z[which::PARTS] = found

    def learn(weights: np.ndarray) -> np.ndarray:
        run.work.plan(run.n)

        def part(which: int) -> np.ndarray:
            found = np.empty((len(range(which, run.n, PARTS)), run.p))
            for place, i in enumerate(range(which, run.n, PARTS)):
                found[place] = rows.margin(i, weights, width)[0]
                run.work.tick(1)
            return found

        run.work.deliver(part, range(PARTS), take)
        return least_loss(Z, penalty)

    yield from approach(space, learn, weights, beta, max_iter, tol, by_largest=True)


def least_loss(Z: np.ndarray, penalty: float) -> np.ndarray:
    """Weights (p,), at least 0, with the least ``sum_i log(1 + exp(-Z_i w)) + penalty * sum w``.

    The search begins at 0, so that features that tell the same share alike.

    Shapes: `Z` (n, p).
    """
    from scipy.optimize import minimize

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        margins = Z @ w
        share = np.exp(-np.logaddexp(0, margins))
        return float(np.logaddexp(0, -margins).sum() + penalty * w.sum()), penalty - share @ Z

    bounds = [(0, None)] * Z.shape[1]
    found, refined = np.zeros(Z.shape[1]), None
    for slope in SLOPES:
        options = {"maxiter": MAX_STEPS, "maxfun": 2 * MAX_STEPS, "ftol": 0.0, "gtol": slope}
        found = np.asarray(minimize(loss, found, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x)
        refined = _refined(Z, penalty, found)
        if refined is not None:
            break
    return found if refined is None else refined


def _refined(Z: np.ndarray, penalty: float, w: np.ndarray) -> np.ndarray | None:
    """The same weights to more digits, by Newton's method on those that are above 0; None where it fails, as it does
    if others belong to them."""
    free = w > 0
    if not 0 < free.sum() <= MAX_FREE:
        return None if free.any() else w
    A, out = Z[:, free], w.copy()
    for _ in range(MAX_CORRECTIONS):
        share = np.exp(-np.logaddexp(0, A @ out[free]))
        curve = (A * (share * (1 - share))[:, None]).T @ A
        step = np.linalg.lstsq(curve, penalty - share @ A, rcond=1e-10)[0]
        new = out[free] - step
        if not (new > 0).all():
            return None
        out[free] = new
        if np.abs(step).max() < STEEP * out.max():
            slopes = penalty - np.exp(-np.logaddexp(0, A @ out[free])) @ Z
            return out if (slopes >= -LEVEL * max(penalty, 1)).all() else None
    return None
