"""p-values of a feature among its draws, by two sums and by the product of their tail probabilities.

`one_conditional_test.py` calls `p_values_among_draws` with the sums over neighbours and the linear sums.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr

ROUNDING = 1e-12  # of a sum, as a share of the largest one, up to which two sums are equal
TINY = 1e-300


class TailPValues(NamedTuple):
    """p-values of a feature among its draws."""

    combined: float
    by_neighbours: float
    by_line: float


def p_values_among_draws(neighbour_sums: np.ndarray, line_sums: np.ndarray) -> TailPValues:
    """Count the draws that reach the feature, by T, by L, and by both.

    With T standardised to t by its mean and deviation, and a = sqrt(L / mean L), both are in

        S = -log Phi(-t) - log(2 Phi(-a)).

    Means and deviations are of the feature and its draws. So T, L and S treat all of them alike, and each p is exact if
    the feature and its draws are exchangeable. Phi only gives a scale.

    Parameters
    ----------
    neighbour_sums : (1 + B,) array
        Sums T over neighbours of the feature, then of its draws.
    line_sums : (1 + B,) array
        Linear sums L.

    Returns
    -------
    TailPValues
    """
    deviation = neighbour_sums.std()
    varies = deviation > ROUNDING * np.abs(neighbour_sums).max()
    t = (neighbour_sums - neighbour_sums.mean()) / (deviation if varies else 1)
    a = np.sqrt(line_sums / max(line_sums.mean(), TINY))
    combined = -log_ndtr(-t) - np.log(2) - log_ndtr(-a)
    return TailPValues(*map(_share_reaching_first, (combined, neighbour_sums, line_sums)))


def _share_reaching_first(sums: np.ndarray) -> float:
    """Share of sums (1 + B,) that are at least as large as the first, apart from rounding."""
    tolerance = ROUNDING * np.abs(sums).max()
    return float(np.count_nonzero(sums >= sums[0] - tolerance) / len(sums))
