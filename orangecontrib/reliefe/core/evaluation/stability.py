"""Stability of a selection of features from sample to sample."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import cast

import numpy as np

from ..checks import inside, one_of, several
from ..data.arrays import floats
from .agreement import (
    Curve,
    Listed,
    fuji,
    fuji_curve,
    jaccard,
    jaccard_curve,
    kendall,
    kuncheva,
    kuncheva_curve,
    mean_of_steps,
    overlap,
    overlap_curve,
    rbo,
    rbo_curve,
    read_all,
    sizes_of,
    spearman,
    weighted_kendall,
)


@dataclass(frozen=True)
class Stability:
    """Stability of selections.

    Attributes
    ----------
    value : float
        1 for selections that never change, about 0 for random ones.
    low, high : float
        Confidence interval.
    variance : float
        Of the value.
    """

    value: float
    low: float
    high: float
    variance: float


def nogueira(selections: object, level: float = 0.95) -> Stability:
    """Stability of selections of any sizes, with a confidence interval.

    Parameters
    ----------
    selections : (m, p) array
        What is not 0 is selected, one row for each of m >= 2 samples.
    level : float
        Of the interval, in (0, 1).

    Returns
    -------
    Stability
        1 where nobody selects anything, or everybody everything.

    References
    ----------
    Nogueira, Sechidis and Brown (2018), On the stability of feature selection algorithms, definition 4, theorem 7.
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
    """Mean of Kuncheva's index over every two of several rankings.

    Parameters
    ----------
    rankings : sequence of (p,) arrays
        Scores of at least 2 rankings.
    size : int
        Number of best features, from 1 to p.

    Returns
    -------
    float
        As `kuncheva`.
    """
    pairs = list(combinations(several("rankings", rankings), 2))
    if not pairs:
        raise ValueError("stability needs at least 2 rankings")
    return float(np.mean([kuncheva(a, b, size) for a, b in pairs]))


@dataclass(frozen=True)
class Agreement:
    """Measure of agreement.

    Attributes
    ----------
    name : str
        For people.
    function : callable
        ``function(a, b)`` -> float.
    curve : callable or None
        ``curve(Listed, Listed, sizes)`` -> (sizes,); None for what has no number of features.
    """

    name: str
    function: Callable[..., float]
    curve: Curve | None = None


def compare(rankings: Sequence[object], measure: str = "fuji", sizes: object = None) -> np.ndarray:
    """Agreement of every two of several rankings of the same features.

    Parameters
    ----------
    rankings : sequence of (p,) arrays
        Scores of m rankings.
    measure : str
        One of `AGREEMENTS`.
    sizes : int or sequence of int, optional
        As that measure takes them; None: all features.

    Returns
    -------
    (m, m) array
        Symmetric, 1 on the diagonal.

    Raises
    ------
    ValueError
        For an unknown measure, sizes where it has none, and as `fuji` does.
    """
    known = _measure(measure)
    lists = read_all(rankings)
    if known.curve is None:
        if sizes is not None:
            raise ValueError(f"{measure} is of all features; those that take sizes are {', '.join(_with_sizes())}")
        return _matrix(lists, known.function)
    if not lists:
        return np.empty((0, 0))
    if measure == "rbo":
        chosen = sizes_of(len(lists[0].scores) if sizes is None else sizes, lists[0])[-1:]
    else:
        chosen = sizes_of(sizes, lists[0])
    return _matrix(lists, lambda a, b: mean_of_steps(cast("Curve", known.curve)(a, b, chosen)))


def compare_sizes(rankings: Sequence[object], measure: str = "fuji", sizes: object = None) -> np.ndarray:
    """Agreement of every two of several rankings at each of several numbers of best features.

    Parameters
    ----------
    rankings : sequence of (p,) arrays
        Scores of m >= 1 rankings.
    measure : str
        One of `AGREEMENTS` that has a curve.
    sizes : sequence of int, optional
        Ascending; None: 1, 2, ..., p.

    Returns
    -------
    (s, m, m) array
        For each of the s sizes a symmetric matrix.
    """
    known = _measure(measure)
    if known.curve is None:
        raise ValueError(f"{measure} is of all features; those that take sizes are {', '.join(_with_sizes())}")
    lists = read_all(rankings)
    if not lists:
        raise ValueError("there are no rankings to compare")
    chosen = sizes_of(sizes, lists[0])
    out = np.ones((len(chosen), len(lists), len(lists)))
    for i, j in combinations(range(len(lists)), 2):
        out[:, i, j] = out[:, j, i] = known.curve(lists[i], lists[j], chosen)
    return out


def _matrix(lists: Sequence[Listed], function: Callable[[Listed, Listed], float]) -> np.ndarray:
    out = np.eye(len(lists))
    for i, j in combinations(range(len(lists)), 2):
        out[i, j] = out[j, i] = function(lists[i], lists[j])
    return out


def _measure(name: str) -> Agreement:
    return AGREEMENTS[one_of("measure", name, AGREEMENTS)]


def _with_sizes() -> list[str]:
    return [name for name, known in AGREEMENTS.items() if known.curve is not None]


AGREEMENTS = {
    "fuji": Agreement("FUJI", fuji, fuji_curve),
    "jaccard": Agreement("Jaccard", jaccard, jaccard_curve),
    "overlap": Agreement("Overlap", overlap, overlap_curve),
    "kuncheva": Agreement("Kuncheva", kuncheva, kuncheva_curve),
    "rbo": Agreement("Rank-biased overlap", rbo, rbo_curve),
    "spearman": Agreement("Spearman", spearman),
    "kendall": Agreement("Kendall", kendall),
    "weighted_kendall": Agreement("Weighted Kendall", weighted_kendall),
}
