"""Stability of selections of features from sample to sample."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..checks import inside, several
from ..data.arrays import floats
from .agreement import kuncheva


@dataclass(frozen=True)
class Stability:
    """Stability of selections.

    Attributes
    ----------
    value : float
        Stability: 1 for selections that never change, about 0 for random ones.
    low, high : float
        Confidence interval of the value.
    variance : float
        Variance of the value.
    """

    value: float
    low: float
    high: float
    variance: float


def nogueira(selections: object, level: float = 0.95) -> Stability:
    """Measure the stability of selections of any sizes, with a confidence interval.

    It is 1 where nobody selects anything, or everybody everything.
    Nogueira, Sechidis and Brown (2018), On the stability of feature selection algorithms, definition 4, theorem 7.

    Parameters
    ----------
    selections : (m, p) array
        Nonzero where a feature is selected; one row for each of m >= 2 samples.
    level : float
        Level of the interval, in (0, 1).
    """
    from scipy.special import ndtri

    cells = floats(selections, "selections")
    if cells.ndim != 2 or cells.shape[0] < 2 or not cells.shape[1] or np.isnan(cells).any():
        raise ValueError(f"selections must be (samples, features) without unknown values, not {cells.shape}")
    level = inside("level", level)
    selected = (cells != 0).astype(float)
    m, p = selected.shape
    if (selected == selected[0, 0]).all():
        return Stability(1.0, 1.0, 1.0, 0.0)
    # Definition 4: observed over expected variance of a selection.
    frequencies = selected.mean(axis=0)
    sizes = selected.sum(axis=1) / p
    mean_size = frequencies.mean()
    by_chance = mean_size * (1 - mean_size)
    value = 1 - (m / (m - 1) * frequencies * (1 - frequencies)).mean() / by_chance
    # Theorem 7: its asymptotic variance.
    correction = value / 2 * (2 * mean_size * sizes - sizes - mean_size + 1)
    terms = selected @ frequencies / p - sizes * mean_size + correction
    variance = 4 / m * np.var(terms / by_chance)
    half_width = ndtri((1 + level) / 2) * np.sqrt(variance)
    return Stability(float(value), float(value - half_width), float(value + half_width), float(variance))


def mean_kuncheva(rankings: object, size: int) -> float:
    """Average `kuncheva` at a number of best features over every two of several rankings, (p,) scores each."""
    pairs = list(combinations(several("rankings", rankings), 2))
    if not pairs:
        raise ValueError("stability needs at least 2 rankings")
    return float(np.mean([kuncheva(a, b, size) for a, b in pairs]))
