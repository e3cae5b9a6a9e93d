"""Measures of the agreement of two rankings of the same features.

Most of them average a curve over the numbers of best features; correlations compare all features.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..checks import inside
from .agreement_curves import (
    PERSISTENCE,
    AgreementCurve,
    fuji_curve,
    jaccard_curve,
    kuncheva_curve,
    overlap_curve,
    rbo_curve,
)
from .ranking_lists import read_all, sizes_of


def mean_of_steps(values: np.ndarray) -> float:
    """Compute the mean of the averages of neighbouring values, the area under the curve; of one value: itself."""
    return float((values[1:] + values[:-1]).mean() / 2) if len(values) > 1 else float(values[0])


def fuji(a: object, b: object, sizes: object = None) -> float:
    """Fuzzy Jaccard index: a feature that one ranking only has among its best counts by how nearly the other has it.

    In [0, 1].  For two curves of quality over the same numbers of features, a and b are their values.
    Petkovic, Skrlj, Kocev and Simidjievski (2021), Fuzzy Jaccard index, definition 2.

    Parameters
    ----------
    a, b : (p,) arrays, or objects with `scores`
        Finite, higher is better; negative ones count as 0 once the features are in order.
    sizes : int or sequence of int, optional
        Numbers of best features, ascending, from 1 to p.  One number: the index there. Several: the mean of the
        averages of neighbouring indices. None: 1, 2, ..., p, the area under the curve.
    """
    return _area(fuji_curve, a, b, sizes)


def jaccard(a: object, b: object, sizes: object = None) -> float:
    """Share of the features among the best of either ranking that are among the best of both, from 0 to 1.

    Parameters: those of `fuji`.
    """
    return _area(jaccard_curve, a, b, sizes)


def overlap(a: object, b: object, sizes: object = None) -> float:
    """Share of the best features that both rankings have in common, from 0 to 1.

    Parameters: those of `fuji`.
    """
    return _area(overlap_curve, a, b, sizes)


def kuncheva(a: object, b: object, sizes: object = None) -> float:
    """Overlap corrected for chance: 0 for random rankings, 1 for equal sets, above -1.

    Parameters: those of `fuji`.  Kuncheva (2007), A stability index for feature selection, equation 3.
    """
    return _area(kuncheva_curve, a, b, sizes)


def rbo(a: object, b: object, sizes: int | None = None, persistence: float = PERSISTENCE) -> float:
    """Rank-biased overlap, in [0, 1], extrapolated from some best features.

    Webber, Moffat and Zobel (2010), A similarity measure for indefinite rankings, equation 32.

    Parameters
    ----------
    a, b : (p,) arrays, or objects with `scores`
        As in `fuji`.
    sizes : int, optional
        Number of best features, from 1 to p; None: all.
    persistence : float
        Weight of a place relative to the one before it, in (0, 1).
    """
    persistence = inside("persistence", persistence)
    first, second = read_all([a, b])
    chosen = sizes_of(len(first.scores) if sizes is None else sizes, first)
    return float(rbo_curve(first, second, chosen, persistence)[-1])


def spearman(a: object, b: object) -> float:
    """Correlation of the ranks, in [-1, 1], of two rankings a and b, (p,) finite scores or objects with `scores`.

    Equal scores share their rank.  It is NaN where one ranking has only equal scores.
    """
    from scipy.stats import spearmanr

    return _correlation(spearmanr, a, b)


def kendall(a: object, b: object) -> float:
    """Kendall's tau-b: pairs of features in the same order less those in another one.

    Parameters and range: those of `spearman`.
    """
    from scipy.stats import kendalltau

    return _correlation(kendalltau, a, b)


def weighted_kendall(a: object, b: object) -> float:
    """Kendall's tau where pairs of good features count more, 1 / place each.

    Parameters and range: those of `spearman`.  Vigna (2015), A weighted correlation index for rankings with ties.
    """
    from scipy.stats import weightedtau

    return _correlation(weightedtau, a, b)


def _area(curve: AgreementCurve, a: object, b: object, sizes: object) -> float:
    """Average a curve of two rankings over the sizes."""
    first, second = read_all([a, b])
    return mean_of_steps(curve(first, second, sizes_of(sizes, first)))


def _correlation(function: Callable[..., Any], a: object, b: object) -> float:
    """Apply a correlation of SciPy to the scores of two rankings; NaN if one has only equal scores."""
    x, y = (listed.scores for listed in read_all([a, b]))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(function(x, y).statistic)
