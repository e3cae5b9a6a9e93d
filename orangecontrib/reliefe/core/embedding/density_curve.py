"""Density of a sparsified matrix against the accuracy epsilon: which epsilons make data sparse.

Figure 14 of the paper on ReliefE draws such curves. `sparsify` draws one matrix of a given epsilon.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.arrays import floats
from .sparsify import stored

# Epsilons by default, chosen by eye
SPREAD = 100.0  # factor from the epsilon whose threshold is the mean of |x| to the largest one, and from the smallest
STEPS = 81


@dataclass(frozen=True, eq=False)
class DensityCurve:
    """Expected density of a matrix (m, n) that is sparsified with several accuracies.

    epsilons (s,): accuracies, in units of the values.
    thresholds (s,): sizes of entries up to which they are drawn, epsilon / sqrt(m + n).
    densities (s,): expected share of the entries that are not zero, in [0, 1].
    before: share of the entries of the matrix that are not zero, in [0, 1].
    """

    epsilons: np.ndarray
    thresholds: np.ndarray
    densities: np.ndarray
    before: float


def density_curve(
    X: np.ndarray | sparse.sparray | sparse.spmatrix, epsilons: Sequence[float] | None = None
) -> DensityCurve:
    """Compute the expected density of a sparsified matrix for many epsilons, without drawing it.

    With the threshold t = epsilon / sqrt(m + n), an entry x remains with probability min(1, abs(x) / t), so that

        density = sum over entries of min(1, abs(x) / t) / (m n).

    Skrlj et al. (2022), ReliefE, Algorithm 1 and figure 14.

    Parameters
    ----------
    X : (m, n) array or sparse matrix
        Numbers.
    epsilons : sequence of float, optional
        Accuracies above 0. None: 81 in equal ratios, from 1 / 100 of a middle one to 100 times that. The middle one has
        the mean of all entries that are not zero as its threshold.

    Returns
    -------
    DensityCurve

    Raises
    ------
    ValueError
        If an epsilon is not above 0, or X has missing or infinite values.
    """
    if epsilons is not None:
        chosen = floats(epsilons, "epsilons")
        if chosen.ndim != 1 or not (np.isfinite(chosen) & (chosen > 0)).all():
            raise ValueError("epsilons must be a sequence of numbers above 0")
    entries = stored(X)
    m, n = entries.shape
    root = np.sqrt(max(m + n, 1))
    largest = float(np.abs(entries.data).max(initial=0)) or 1.0
    sizes = np.sort(np.abs(entries.data) / largest)  # so that no sum is too large
    if epsilons is None:
        middle = sizes.mean() if len(sizes) else 1.0
        scaled_thresholds = np.geomspace(middle / SPREAD, middle * SPREAD, STEPS)
        chosen = scaled_thresholds * largest * root
    else:
        scaled_thresholds = chosen / root / largest

    sums = np.append(0.0, np.cumsum(sizes))
    n_small = np.searchsorted(sizes, scaled_thresholds, side="right")
    small = np.divide(sums[n_small], scaled_thresholds, out=np.zeros(len(chosen)), where=sums[n_small] > 0)
    n_cells = max(m * n, 1)
    densities = (len(sizes) - n_small + small) / n_cells
    return DensityCurve(chosen, scaled_thresholds * largest, densities, len(sizes) / n_cells)
