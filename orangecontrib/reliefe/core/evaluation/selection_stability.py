"""Stability of selections from sample to sample."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..checks import inside, several
from ..data.arrays import floats
from .agreement import kuncheva


@dataclass(frozen=True)
class Stability:
    """Stability of selections.

    value: 1 for selections that never change, about 0 for random ones.
    low, high: confidence interval of the value.
    variance: of the value.
    """

    value: float
    low: float
    high: float
    variance: float


def nogueira(selections: object, level: float = 0.95) -> Stability:
    """Stability of selections of any sizes, with a confidence interval.

    It is 1 where nobody selects anything, or everybody everything.
    Nogueira, Sechidis and Brown (2018), On the stability of feature selection algorithms, definition 4, theorem 7.

    Parameters
    ----------
    selections : (m, p) array
        Nonzero where a feature is selected; one row for each of m >= 2 samples.
    level : float
        Of the interval, in (0, 1).
    """
    from scipy.special import ndtri

    given = floats(selections, "selections")
    if given.ndim != 2 or given.shape[0] < 2 or not given.shape[1] or np.isnan(given).any():
        raise ValueError(f"selections must be (samples, features) without unknown values, not {given.shape}")
    level = inside("level", level)
    chosen = (given != 0).astype(float)
    m, p = chosen.shape
    shares, sizes = chosen.mean(axis=0), chosen.sum(axis=1) / p
    size = shares.mean()
    if (chosen == chosen[0, 0]).all():
        return Stability(1.0, 1.0, 1.0, 0.0)
    by_chance = size * (1 - size)
    value = 1 - (m / (m - 1) * shares * (1 - shares)).mean() / by_chance
    terms = chosen @ shares / p - sizes * size + value / 2 * (2 * size * sizes - sizes - size + 1)
    variance = 4 / m * np.var(terms / by_chance)
    reach = ndtri((1 + level) / 2) * np.sqrt(variance)
    return Stability(float(value), float(value - reach), float(value + reach), float(variance))


def mean_kuncheva(rankings: object, size: int) -> float:
    """Mean of `kuncheva` at a number of best features over every two of several rankings, (p,) scores each."""
    pairs = list(combinations(several("rankings", rankings), 2))
    if not pairs:
        raise ValueError("stability needs at least 2 rankings")
    return float(np.mean([kuncheva(a, b, size) for a, b in pairs]))
