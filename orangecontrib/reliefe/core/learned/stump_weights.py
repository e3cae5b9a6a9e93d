"""Weights of stumps whose order is given."""

import numpy as np

from ..kernels.jit import kernel
from .boosting import MAX_STEP, MAX_SUM


def steps(stumps: np.ndarray, shares: np.ndarray, eta: float) -> np.ndarray:
    """Walk along features in their order, from the first one, each by as much as lowers the loss."""
    out = np.empty(len(stumps))
    _walk(stumps, shares, np.zeros(len(shares)), eta, MAX_STEP, MAX_SUM, out)
    return out


@kernel
def _walk(stumps, shares, h, eta, most, far, out):
    """Fill out (S,); h (R,): the sum so far."""
    for f in range(len(stumps)):
        stump, first, second = stumps[f], 0.0, 0.0
        for r in range(len(shares)):
            wrong, x = 1 / (1 + np.exp(h[r])), np.float64(stump[r])
            first += shares[r] * wrong * x
            second += shares[r] * wrong * (1 - wrong) * x * x
        out[f] = eta * min(max(first / second, 0.0), most) if second > 0 else 0.0
        for r in range(len(shares)):
            h[r] = min(max(h[r] + out[f] * np.float64(stump[r]), -far), far)
