"""Weights of stumps whose order is given: one pass of boosting without selection.

`methods/learned.py` uses them as weights of features in a distance.
"""

import numpy as np

from ..kernels.jit import kernel
from .boosting import MAX_STEP, MAX_SUM


def steps(stumps: np.ndarray, shares: np.ndarray, eta: float) -> np.ndarray:
    """Compute the step along each stump, in their order: eta times that of Newton's method.

    Parameters
    ----------
    stumps : (S, R) array
        Standardised margins.
    shares : (R,) array
        Weights of the margins.
    eta : float
        Share of a step that is taken.

    Returns
    -------
    (S,) array
        Steps from 0 to eta * `MAX_STEP`.
    """
    out = np.empty(len(stumps))
    _walk(stumps, shares, np.zeros(len(shares)), eta, MAX_STEP, MAX_SUM, out)
    return out


@kernel
def _walk(stumps, shares, h, eta, max_step, max_sum, out):
    """Fill out (S,): step_f = eta * min(max(first / second, 0), max_step).

    first and second are the derivatives of the loss along stump f, as in `boosting`; then h += step_f * stump_f, within
    max_sum.  h (R,): sum of margins, at first 0.
    """
    for f in range(len(stumps)):
        stump = stumps[f]
        first = 0.0
        second = 0.0
        for r in range(len(shares)):
            wrong = 1 / (1 + np.exp(h[r]))
            x = np.float64(stump[r])
            first += shares[r] * wrong * x
            second += shares[r] * wrong * (1 - wrong) * x * x
        out[f] = eta * min(max(first / second, 0.0), max_step) if second > 0 else 0.0
        for r in range(len(shares)):
            h[r] = min(max(h[r] + out[f] * np.float64(stump[r]), -max_sum), max_sum)
