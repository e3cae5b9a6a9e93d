"""Weights of stumps whose order is given: one pass of boosting without selection.

`methods/learned.py` uses them as weights of features in a distance.
"""

import numpy as np

from .boosting import MAX_STEP, add_step, derivatives


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
    out = np.zeros(len(stumps))
    h = np.zeros(len(shares))
    for f, stump in enumerate(stumps):
        slope, curvature = derivatives(stump, shares, 1 / (1 + np.exp(h)))
        if curvature > 0:
            out[f] = eta * min(max(slope / curvature, 0.0), MAX_STEP)
        add_step(stump, out[f], h)
    return out
