"""Agreement of two rankings at several numbers of best features, by sets of the best and by their scores.

`agreement` averages the curves; `compared_rankings` has a table of them.
"""

from collections.abc import Callable
from typing import cast

import numpy as np

from .ranking_lists import ListedRanking

PERSISTENCE = 0.9  # of rank-biased overlap: the first 10 features have 86 % of the weight (Webber et al. 2010)
AgreementCurve = Callable[..., np.ndarray]  # two rankings, sizes -> agreement at each of them


def fuji_curve(a: ListedRanking, b: ListedRanking, sizes: np.ndarray) -> np.ndarray:
    """Compute the fuzzy Jaccard index (s,) at numbers of best features (s,).

    A feature among the best of one list only counts in part: its score in the other list, divided by the lowest score
    among the best features there.
    """
    n_common = _n_common(a, b, sizes)
    n_single = sizes - n_common
    partial = _partial_matches(a, b, sizes, n_single) + _partial_matches(b, a, sizes, n_single)
    return cast("np.ndarray", np.minimum((n_common + partial) / (sizes + n_single), 1))


def _partial_matches(a: ListedRanking, b: ListedRanking, sizes: np.ndarray, n_single: np.ndarray) -> np.ndarray:
    """Sum the relative scores in `b` over the best features of `a` that are not among the best of `b`.

    n_single (s,): the number of these features, an upper bound of the sum.
    """
    # A feature is such a one from the size where it enters the best of `a` to that where it enters those of `b`.
    enters_a = np.searchsorted(sizes, a.places, side="right")
    enters_b = np.searchsorted(sizes, b.places, side="right")
    sums = _interval_sums(enters_a, enters_b, b.fair, len(sizes))
    by_place = np.empty(len(b.fair))
    by_place[b.places] = b.fair
    lowest = by_place[sizes - 1]
    return np.where(lowest > 0, np.minimum(sums / np.where(lowest > 0, lowest, 1), n_single), n_single)


def _interval_sums(begin: np.ndarray, end: np.ndarray, values: np.ndarray, n: int) -> np.ndarray:
    """Sum for each i < n the values whose interval begin <= i < end contains i.

    A segment tree adds each value to the nodes that make up its interval.  Differences of running sums would lose all
    digits of small values that come after large ones.
    """
    width = 1 << max(n - 1, 0).bit_length()
    tree = np.zeros(2 * width)  # node i has the children 2 i and 2 i + 1; leaves begin at `width`
    is_open = begin < end
    begin = begin[is_open] + width
    end = end[is_open] + width
    values = values[is_open]
    # From the leaves up: ends that are right children stick out of the parent's interval.
    while len(begin):
        is_right = begin % 2 == 1
        tree += np.bincount(begin[is_right], values[is_right], 2 * width)
        begin = (begin + is_right) // 2
        is_right = end % 2 == 1
        tree += np.bincount(end[is_right] - 1, values[is_right], 2 * width)
        end = end // 2
        is_open = begin < end
        begin = begin[is_open]
        end = end[is_open]
        values = values[is_open]
    # From the root down: children get the sums of their parents.
    level = 1
    while level < width:
        tree[2 * level : 4 * level] += np.repeat(tree[level : 2 * level], 2)
        level *= 2
    return tree[width : width + n]


def _n_common(a: ListedRanking, b: ListedRanking, sizes: np.ndarray) -> np.ndarray:
    """Count the features (s,) that both lists have among their best ones."""
    counts = np.bincount(np.maximum(a.places, b.places), minlength=len(a.places))
    return cast("np.ndarray", np.cumsum(counts)[sizes - 1])


def jaccard_curve(a: ListedRanking, b: ListedRanking, sizes: np.ndarray) -> np.ndarray:
    """Compute the Jaccard index (s,) at numbers of best features (s,)."""
    n_common = _n_common(a, b, sizes)
    return cast("np.ndarray", n_common / (2 * sizes - n_common))


def overlap_curve(a: ListedRanking, b: ListedRanking, sizes: np.ndarray) -> np.ndarray:
    """Compute the share (s,) of the best features that both lists have, at numbers of them (s,)."""
    return cast("np.ndarray", _n_common(a, b, sizes) / sizes)


def kuncheva_curve(a: ListedRanking, b: ListedRanking, sizes: np.ndarray) -> np.ndarray:
    """Compute Kuncheva's index (s,): (common p - size^2) / (size (p - size)), and 1 for all p features."""
    p = len(a.places)
    n_rest = p - sizes
    index = (_n_common(a, b, sizes) * p - sizes**2.0) / (sizes * np.maximum(n_rest, 1))
    return np.where(n_rest > 0, index, 1.0)


def rbo_curve(a: ListedRanking, b: ListedRanking, sizes: np.ndarray, persistence: float = PERSISTENCE) -> np.ndarray:
    """Compute rank-biased overlap (s,), extrapolated from numbers of best features (s,).

    share_d q^d + (1 - q) sum_i^d share_i q^(i - 1), where q is the persistence and share_i the overlap at depth i.
    """
    depths = np.arange(1, sizes.max() + 1)
    shares = _n_common(a, b, depths) / depths
    extrapolated = shares * persistence**depths
    seen = (1 - persistence) * np.cumsum(shares * persistence ** (depths - 1))
    return cast("np.ndarray", (extrapolated + seen)[sizes - 1])
