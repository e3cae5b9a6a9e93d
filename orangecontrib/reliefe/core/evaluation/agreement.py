"""Agreement of rankings of the same features.

    scores -> Listed, once for each ranking  ->  a curve over the numbers of best features  ->  its area

Every function takes scores (p,), finite, higher is better, or anything that has such `scores`.  Scores that differ by
at most 1e-12 of the largest one are equal; of equal ones the lower index comes first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, cast

import numpy as np

from ..checks import inside, one_of, several
from ..data.arrays import cells, floats
from ..words import shown

TIE = 1e-12  # of the largest score: what rounding may make of equal ones
PERSISTENCE = 0.9  # of rank-biased overlap: the first 10 features have 86 % of the weight


@dataclass(frozen=True)
class Listed:
    """scores (p,): as given.  places (p,): of every feature, 0 for the best.  fair (p,): not negative, in units of the
    largest score, never rising with the place."""

    scores: np.ndarray
    places: np.ndarray
    fair: np.ndarray

    @classmethod
    def read(cls, ranking: object) -> "Listed":
        """Raises ValueError unless there are (p,) finite scores, p > 0."""
        scores = floats(getattr(ranking, "scores", ranking), "a ranking")
        if scores.ndim != 1 or not len(scores) or not np.isfinite(scores).all():
            raise ValueError(f"a ranking must be (p,) finite scores, p > 0, not of shape {scores.shape} or unknown")
        largest = np.abs(scores).max()
        units = scores / largest if largest > 0 else scores
        order = np.argsort(-units, kind="stable")
        groups = np.r_[0, np.cumsum(-np.diff(units[order]) > TIE)]
        order = order[np.lexsort((order, groups))]
        places, fair = np.empty(len(order), np.intp), np.empty(len(order))
        places[order] = np.arange(len(order))
        fair[order] = np.minimum.accumulate(np.maximum(units[order], 0))
        return cls(scores, places, fair)


def fuji(a: object, b: object, sizes: object = None) -> float:
    """Fuzzy Jaccard index of two rankings in [0, 1]: a feature that only one of them has among its best ones counts by
    how nearly the other one has it, too.

    a, b: scores (p,); negative ones count as 0 once the features are in order.  sizes: one number of best features;
    several: the mean of the averages of each two that follow each other; None: 1, 2, ..., p, the area under the curve.
    For two curves of quality over the same numbers of features, a and b are their values.
    Raises ValueError for lengths that differ and sizes outside 1 .. p.

    Petkovic, Skrlj, Kocev and Simidjievski (2021), Fuzzy Jaccard index, definition 2.
    """
    return _area("fuji", a, b, sizes)


def jaccard(a: object, b: object, sizes: object = None) -> float:
    """Share of the features among the best of either ranking that are among the best of both; else as `fuji`."""
    return _area("jaccard", a, b, sizes)


def overlap(a: object, b: object, sizes: object = None) -> float:
    """Share of the best features that both rankings have in common; else as `fuji`."""
    return _area("overlap", a, b, sizes)


def kuncheva(a: object, b: object, sizes: object = None) -> float:
    """The overlap corrected for chance: 0 for random rankings, 1 for equal sets, above -1; else as `fuji`.

    Kuncheva (2007), A stability index for feature selection, equation 3.
    """
    return _area("kuncheva", a, b, sizes)


def rbo(a: object, b: object, sizes: int | None = None, persistence: float = PERSISTENCE) -> float:
    """Rank-biased overlap in [0, 1], extrapolated from the best `sizes` features, None: all.

    persistence in (0, 1): weight of a place relative to the one before it.  Raises ValueError as `fuji` does.
    Webber, Moffat and Zobel (2010), A similarity measure for indefinite rankings, equation 32.
    """
    persistence = inside("persistence", persistence)
    first, second = _read([a, b])
    return float(_rbo(first, second, _sizes(len(first.scores) if sizes is None else sizes, first), persistence)[-1])


def spearman(a: object, b: object) -> float:
    """Correlation of the ranks in [-1, 1], equal scores share theirs; NaN where one ranking has only equal scores."""
    from scipy.stats import spearmanr

    return _correlation(spearmanr, a, b)


def kendall(a: object, b: object) -> float:
    """tau-b in [-1, 1]: pairs of features in the same order less those in another one; NaN as in `spearman`."""
    from scipy.stats import kendalltau

    return _correlation(kendalltau, a, b)


def weighted_kendall(a: object, b: object) -> float:
    """tau in [-1, 1] where pairs of good features count more, 1 / place each; NaN as in `spearman`.

    Vigna (2015), A weighted correlation index for rankings with ties.
    """
    from scipy.stats import weightedtau

    return _correlation(weightedtau, a, b)


Curve = Callable[..., np.ndarray]  # two rankings, sizes -> agreement at each of them


@dataclass(frozen=True)
class Agreement:
    """function (a, b) -> float; curve (Listed, Listed, sizes) -> (sizes,), None for what has no number of features."""

    name: str
    function: Callable[..., float]
    curve: Curve | None = None


def compare(rankings: Sequence[object], measure: str = "fuji", sizes: object = None) -> np.ndarray:
    """(m, m) agreement of every two of m rankings of the same features: symmetric, 1 on the diagonal.

    measure: of AGREEMENTS.  sizes: as that measure takes them, None: all features.
    Raises ValueError for an unknown measure, sizes where it has none, and as `fuji` does.
    """
    known = _measure(measure)
    lists = _read(rankings)
    if known.curve is None:
        if sizes is not None:
            raise ValueError(f"{measure} is of all features; those that take sizes are {', '.join(_with_sizes())}")
        return _matrix(lists, known.function)
    if not lists:
        return np.empty((0, 0))
    if measure == "rbo":
        chosen = _sizes(len(lists[0].scores) if sizes is None else sizes, lists[0])[-1:]
    else:
        chosen = _sizes(sizes, lists[0])
    return _matrix(lists, lambda a, b: mean_of_steps(cast("Curve", known.curve)(a, b, chosen)))


def compare_sizes(rankings: Sequence[object], measure: str = "fuji", sizes: object = None) -> np.ndarray:
    """(len(sizes), m, m): how the agreement of every two of m rankings changes with the number of best features.

    measure: one of AGREEMENTS that has a curve.  sizes: ascending; None: 1, 2, ..., p.  Raises as `compare` does.
    """
    known = _measure(measure)
    if known.curve is None:
        raise ValueError(f"{measure} is of all features; those that take sizes are {', '.join(_with_sizes())}")
    lists = _read(rankings)
    if not lists:
        raise ValueError("there are no rankings to compare")
    chosen = _sizes(sizes, lists[0])
    out = np.ones((len(chosen), len(lists), len(lists)))
    for i, j in combinations(range(len(lists)), 2):
        out[:, i, j] = out[:, j, i] = known.curve(lists[i], lists[j], chosen)
    return out


def mean_of_steps(values: np.ndarray) -> float:
    """Mean of the averages of each two values that follow each other; of one value: itself."""
    return float((values[1:] + values[:-1]).mean() / 2) if len(values) > 1 else float(values[0])


def _fuji(a: Listed, b: Listed, sizes: np.ndarray) -> np.ndarray:
    """What only one list has counts what the other one scores it, in units of that one's worst among its best."""
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
    return cast(
        "np.ndarray", np.cumsum(np.bincount(np.maximum(a.places, b.places), minlength=len(a.places)))[sizes - 1]
    )


def _jaccard(a: Listed, b: Listed, sizes: np.ndarray) -> np.ndarray:
    common = _common(a, b, sizes)
    return cast("np.ndarray", common / (2 * sizes - common))


def _overlap(a: Listed, b: Listed, sizes: np.ndarray) -> np.ndarray:
    return cast("np.ndarray", _common(a, b, sizes) / sizes)


def _kuncheva(a: Listed, b: Listed, sizes: np.ndarray) -> np.ndarray:
    p, rest = len(a.places), len(a.places) - sizes
    chance = np.where(rest > 0, (_common(a, b, sizes) * p - sizes**2.0) / (sizes * np.maximum(rest, 1)), 1.0)
    return np.where(rest > 0, chance, 1.0)


def _rbo(a: Listed, b: Listed, sizes: np.ndarray, persistence: float = PERSISTENCE) -> np.ndarray:
    depths = np.arange(1, sizes.max() + 1)
    shares = _common(a, b, depths) / depths
    terms = shares * persistence**depths
    return cast("np.ndarray", (terms + (1 - persistence) * np.cumsum(shares * persistence ** (depths - 1)))[sizes - 1])


def _area(measure: str, a: object, b: object, sizes: object) -> float:
    first, second = _read([a, b])
    return mean_of_steps(cast("Curve", AGREEMENTS[measure].curve)(first, second, _sizes(sizes, first)))


def _correlation(function: Callable[..., Any], a: object, b: object) -> float:
    first, second = ((item,) if isinstance(item, Listed) else _read([item]) for item in (a, b))
    x, y = first[0].scores, second[0].scores
    if len(x) != len(y):
        raise ValueError(f"rankings must have the same features, not {len(x)} and {len(y)}")
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(function(x, y).statistic)


def _read(rankings: Sequence[object]) -> list[Listed]:
    lists = [Listed.read(ranking) for ranking in several("rankings", rankings)]
    counts = sorted({len(listed.scores) for listed in lists})
    if len(counts) > 1:
        raise ValueError(f"rankings must have the same features, not {' and '.join(map(str, counts))}")
    return lists


def _sizes(sizes: object, listed: Listed) -> np.ndarray:
    p = len(listed.scores)
    found = np.arange(1, p + 1) if sizes is None else np.atleast_1d(cells(sizes, "sizes"))
    ascending = found.ndim == 1 and len(found) and found.dtype.kind in "iu" and (np.diff(found.astype(int)) > 0).all()
    if not ascending or found[0] < 1 or found[-1] > p:
        raise ValueError(f"sizes must be ascending integers from 1 to the {p} features, not {shown(sizes)}")
    return found.astype(np.intp)


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
    "fuji": Agreement("FUJI", fuji, _fuji),
    "jaccard": Agreement("Jaccard", jaccard, _jaccard),
    "overlap": Agreement("Overlap", overlap, _overlap),
    "kuncheva": Agreement("Kuncheva", kuncheva, _kuncheva),
    "rbo": Agreement("Rank-biased overlap", rbo, _rbo),
    "spearman": Agreement("Spearman", spearman),
    "kendall": Agreement("Kendall", kendall),
    "weighted_kendall": Agreement("Weighted Kendall", weighted_kendall),
}
