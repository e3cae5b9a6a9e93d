"""Agreement of rankings of the same features.

    scores -> Listed, once for each ranking  ->  a curve over the numbers of best features  ->  its area

Every function takes scores (p,), finite, higher is better, or anything that has such `scores`.  Scores that differ by
at most 1e-12 of the largest one are equal; of equal ones the lower index comes first.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..checks import inside, several
from .listed import (
    PERSISTENCE,
    Listed,
    checked_sizes,
    fuji_curve,
    jaccard_curve,
    kuncheva_curve,
    mean_of_steps,
    overlap_curve,
    rbo_curve,
)


def fuji(a: object, b: object, sizes: object = None) -> float:
    """Fuzzy Jaccard index: a feature that one ranking only has among its best counts by how nearly the other has it.

    For two curves of quality over the same numbers of features, a and b are their values.

    Parameters
    ----------
    a, b : (p,) arrays, or objects with `scores`
        Finite, higher is better; negative ones count as 0 once the features are in order.
    sizes : int or sequence of int, optional
        Numbers of best features, ascending from 1 to p.  One number: the index there; several: the mean of the averages
        of each two that follow each other; None: 1, 2, ..., p, the area under the curve.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        For lengths that differ and other sizes.

    References
    ----------
    Petkovic, Skrlj, Kocev and Simidjievski (2021), Fuzzy Jaccard index, definition 2.
    """
    return _area(fuji_curve, a, b, sizes)


def jaccard(a: object, b: object, sizes: object = None) -> float:
    """Share of the features among the best of either ranking that are among the best of both.

    Parameters
    ----------
    a, b, sizes
        As in `fuji`.

    Returns
    -------
    float
        In [0, 1].
    """
    return _area(jaccard_curve, a, b, sizes)


def overlap(a: object, b: object, sizes: object = None) -> float:
    """Share of the best features that both rankings have in common.

    Parameters
    ----------
    a, b, sizes
        As in `fuji`.

    Returns
    -------
    float
        In [0, 1].
    """
    return _area(overlap_curve, a, b, sizes)


def kuncheva(a: object, b: object, sizes: object = None) -> float:
    """Overlap corrected for chance.

    Parameters
    ----------
    a, b, sizes
        As in `fuji`.

    Returns
    -------
    float
        0 for random rankings, 1 for equal sets, above -1.

    References
    ----------
    Kuncheva (2007), A stability index for feature selection, equation 3.
    """
    return _area(kuncheva_curve, a, b, sizes)


def rbo(a: object, b: object, sizes: int | None = None, persistence: float = PERSISTENCE) -> float:
    """Rank-biased overlap, extrapolated from some best features.

    Parameters
    ----------
    a, b : (p,) arrays, or objects with `scores`
        As in `fuji`.
    sizes : int, optional
        Number of best features, from 1 to p; None: all.
    persistence : float
        Weight of a place relative to the one before it, in (0, 1).

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        As `fuji` does.

    References
    ----------
    Webber, Moffat and Zobel (2010), A similarity measure for indefinite rankings, equation 32.
    """
    persistence = inside("persistence", persistence)
    first, second = read_all([a, b])
    return float(
        rbo_curve(first, second, sizes_of(len(first.scores) if sizes is None else sizes, first), persistence)[-1]
    )


def spearman(a: object, b: object) -> float:
    """Correlation of the ranks; equal scores share theirs.

    Parameters
    ----------
    a, b : (p,) arrays, or objects with `scores`
        Finite.

    Returns
    -------
    float
        In [-1, 1]; NaN where one ranking has only equal scores.
    """
    from scipy.stats import spearmanr

    return _correlation(spearmanr, a, b)


def kendall(a: object, b: object) -> float:
    """Kendall's tau-b: pairs of features in the same order less those in another one.

    Parameters
    ----------
    a, b : (p,) arrays, or objects with `scores`
        Finite.

    Returns
    -------
    float
        In [-1, 1]; NaN as in `spearman`.
    """
    from scipy.stats import kendalltau

    return _correlation(kendalltau, a, b)


def weighted_kendall(a: object, b: object) -> float:
    """Kendall's tau where pairs of good features count more, 1 / place each.

    Parameters
    ----------
    a, b : (p,) arrays, or objects with `scores`
        Finite.

    Returns
    -------
    float
        In [-1, 1]; NaN as in `spearman`.

    References
    ----------
    Vigna (2015), A weighted correlation index for rankings with ties.
    """
    from scipy.stats import weightedtau

    return _correlation(weightedtau, a, b)


Curve = Callable[..., np.ndarray]  # two rankings, sizes -> agreement at each of them


def _area(curve: Curve, a: object, b: object, sizes: object) -> float:
    first, second = read_all([a, b])
    return mean_of_steps(curve(first, second, sizes_of(sizes, first)))


def _correlation(function: Callable[..., Any], a: object, b: object) -> float:
    first, second = ((item,) if isinstance(item, Listed) else read_all([item]) for item in (a, b))
    x, y = first[0].scores, second[0].scores
    if len(x) != len(y):
        raise ValueError(f"rankings must have the same features, not {len(x)} and {len(y)}")
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(function(x, y).statistic)


def read_all(rankings: Sequence[object]) -> list[Listed]:
    """Lists of rankings, of the same features."""
    lists = [Listed.read(ranking) for ranking in several("rankings", rankings)]
    counts = sorted({len(listed.scores) for listed in lists})
    if len(counts) > 1:
        raise ValueError(f"rankings must have the same features, not {' and '.join(map(str, counts))}")
    return lists


def sizes_of(sizes: object, listed: Listed) -> np.ndarray:
    """Numbers (s,) of best features, ascending; None: all."""
    p = len(listed.scores)
    return np.arange(1, p + 1) if sizes is None else checked_sizes(sizes, p, one=True)
