"""Agreement of every two of several rankings, by any of the measures in `AGREEMENTS`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import cast

import numpy as np

from ..checks import one_of
from .agreement import fuji, jaccard, kendall, kuncheva, overlap, rbo, spearman, weighted_kendall
from .agreement_curves import AgreementCurve, fuji_curve, jaccard_curve, kuncheva_curve, overlap_curve, rbo_curve
from .ranking_lists import read_all, sizes_of


@dataclass(frozen=True)
class Agreement:
    """Measure of agreement.

    Attributes
    ----------
    name : str
        Name for people.
    function : callable
        ``function(a, b)`` -> float.
    curve : AgreementCurve, optional
        ``curve(Listed, Listed, sizes)`` -> (sizes,); None if it has no number of features.
    """

    name: str
    function: Callable[..., float]
    curve: AgreementCurve | None = None


def compare(rankings: Sequence[object], measure: str = "fuji", sizes: object = None) -> np.ndarray:
    """Agreement of every two of several rankings of the same features: a symmetric (m, m) matrix, 1 on the diagonal.

    Parameters
    ----------
    rankings : sequence of (p,) arrays
        Scores of m rankings.
    measure : str
        One of `AGREEMENTS`.
    sizes : int or sequence of int, optional
        As that measure takes them; None: all features.
    """
    function = _measure(measure, sized=sizes is not None).function
    lists = read_all(rankings)
    size_arguments = () if sizes is None else (sizes,)
    if lists and size_arguments:
        sizes_of(sizes, lists[0])  # refuses sizes also where nothing is compared
    out = np.eye(len(lists))
    for i, j in combinations(range(len(lists)), 2):
        out[i, j] = function(lists[i], lists[j], *size_arguments)
        out[j, i] = out[i, j]
    return out


def compare_sizes(rankings: Sequence[object], measure: str = "fuji", sizes: object = None) -> np.ndarray:
    """Agreement of every two of m >= 1 rankings at each of s numbers of best features: symmetric matrices (s, m, m).

    Parameters
    ----------
    rankings, measure
        As in `compare`; the measure has a curve.
    sizes : sequence of int, optional
        Ascending; None: 1, 2, ..., p.
    """
    curve = cast("AgreementCurve", _measure(measure, sized=True).curve)
    lists = read_all(rankings)
    if not lists:
        raise ValueError("there are no rankings to compare")
    chosen = sizes_of(sizes, lists[0])
    out = np.ones((len(chosen), len(lists), len(lists)))
    for i, j in combinations(range(len(lists)), 2):
        out[:, i, j] = curve(lists[i], lists[j], chosen)
        out[:, j, i] = out[:, i, j]
    return out


def _measure(name: str, sized: bool) -> Agreement:
    """Look up a measure; raises ValueError for an unknown one, and, if sizes are given, for one that has no sizes."""
    measure = AGREEMENTS[one_of("measure", name, AGREEMENTS)]
    if sized and measure.curve is None:
        allowed = ", ".join(name for name, other in AGREEMENTS.items() if other.curve is not None)
        raise ValueError(f"{name} compares all features; measures that take sizes are {allowed}")
    return measure


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
