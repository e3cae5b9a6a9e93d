"""Agreement of two rankings at several numbers of best features."""

from collections.abc import Callable
from typing import cast

import numpy as np

from .ranking_lists import Listed

PERSISTENCE = 0.9  # of rank-biased overlap: the first 10 features have 86 % of the weight
AgreementCurve = Callable[..., np.ndarray]  # two rankings, sizes -> agreement at each of them


def fuji_curve(a: Listed, b: Listed, sizes: np.ndarray) -> np.ndarray:
    """Fuzzy Jaccard: a feature of one list only counts its score in the other list, over the lowest of the best scores
    there."""
    common = _common(a, b, sizes)
    alone = sizes - common
    nearly = _nearly(a, b, sizes, alone) + _nearly(b, a, sizes, alone)
    return cast("np.ndarray", np.minimum((common + nearly) / (sizes + alone), 1))


def _nearly(a: Listed, b: Listed, sizes: np.ndarray, alone: np.ndarray) -> np.ndarray:
    """Sums over the best features of `a` that are not among those of `b`."""
    begin, end = (np.searchsorted(sizes, listed.places, side="right") for listed in (a, b))
    sums = _covered(begin, end, b.fair, len(sizes))
    by_place = np.empty(len(b.fair))
    by_place[b.places] = b.fair
    least = by_place[sizes - 1]
    return np.where(least > 0, np.minimum(sums / np.where(least > 0, least, 1), alone), alone)


def _covered(begin: np.ndarray, end: np.ndarray, values: np.ndarray, n: int) -> np.ndarray:
    """(n,) sums of the values whose interval begin <= i < end has i, by a tree of sums: differences of running sums
    would lose all digits of small values that come after large ones."""
    width = 1 << max(n - 1, 0).bit_length()
    tree = np.zeros(2 * width)
    some = begin < end
    begin, end, values = begin[some] + width, end[some] + width, values[some]
    while len(begin):
        odd = begin % 2 == 1
        tree += np.bincount(begin[odd], values[odd], 2 * width)
        begin = (begin + odd) // 2
        odd = end % 2 == 1
        tree += np.bincount(end[odd] - 1, values[odd], 2 * width)
        end = end // 2
        some = begin < end
        begin, end, values = begin[some], end[some], values[some]
    level = 1
    while level < width:
        tree[2 * level : 4 * level] += np.repeat(tree[level : 2 * level], 2)
        level *= 2
    return tree[width : width + n]


def _common(a: Listed, b: Listed, sizes: np.ndarray) -> np.ndarray:
    """Number of features that both lists have among their best ones."""
    counts = np.bincount(np.maximum(a.places, b.places), minlength=len(a.places))
    return cast("np.ndarray", np.cumsum(counts)[sizes - 1])


def jaccard_curve(a: Listed, b: Listed, sizes: np.ndarray) -> np.ndarray:
    """Jaccard index (s,) at numbers of best features (s,)."""
    common = _common(a, b, sizes)
    return cast("np.ndarray", common / (2 * sizes - common))


def overlap_curve(a: Listed, b: Listed, sizes: np.ndarray) -> np.ndarray:
    """Share (s,) of the best features that both lists have, at numbers of them (s,)."""
    return cast("np.ndarray", _common(a, b, sizes) / sizes)


def kuncheva_curve(a: Listed, b: Listed, sizes: np.ndarray) -> np.ndarray:
    """Kuncheva's index (s,) at numbers of best features (s,)."""
    p, rest = len(a.places), len(a.places) - sizes
    chance = np.where(rest > 0, (_common(a, b, sizes) * p - sizes**2.0) / (sizes * np.maximum(rest, 1)), 1.0)
    return np.where(rest > 0, chance, 1.0)


def rbo_curve(a: Listed, b: Listed, sizes: np.ndarray, persistence: float = PERSISTENCE) -> np.ndarray:
    """Rank-biased overlap (s,), extrapolated from numbers of best features (s,)."""
    depths = np.arange(1, sizes.max() + 1)
    shares = _common(a, b, depths) / depths
    terms = shares * persistence**depths
    return cast("np.ndarray", (terms + (1 - persistence) * np.cumsum(shares * persistence ** (depths - 1)))[sizes - 1])
