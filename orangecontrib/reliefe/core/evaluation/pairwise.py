"""Agreement of every two of several rankings, by any measure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import cast

import numpy as np

from ..checks import one_of
from .agreement import (
    Curve,
    fuji,
    jaccard,
    kendall,
    kuncheva,
    overlap,
    rbo,
    read_all,
    sizes_of,
    spearman,
    weighted_kendall,
)
from .listed import Listed, fuji_curve, jaccard_curve, kuncheva_curve, mean_of_steps, overlap_curve, rbo_curve


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

    Raises
    ------
    ValueError
        As `compare` does, and without rankings.
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
