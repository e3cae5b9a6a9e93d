"""Agreement of rankings, over the numbers of their best features, and stability of selections from sample to sample."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple, cast

import numpy as np

from ..checks import inside, one_of, several, whole
from ..data.arrays import cells, floats
from ..words import shown

TIE = 1e-12  # of the largest score: what rounding may make of equal ones
PERSISTENCE = 0.9  # of rank-biased overlap: the first 10 features have 86 % of the weight


@dataclass(frozen=True)
class Listed:
    """A ranking, read once for all its curves."""

    scores: np.ndarray  # as given
    places: np.ndarray  # of every feature, 0 for the best
    fair: np.ndarray  # scores that are not negative, in units of the largest one, never rising with the place

    @classmethod
    def read(cls, ranking: object) -> "Listed":
        """Read scores, or anything that has them; raises ValueError unless they are (p,), p > 0, and finite."""
        if isinstance(ranking, Listed):
            return ranking
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


def checked_sizes(sizes: object, p: int, one: bool = False) -> np.ndarray:
    """Numbers (s,) of best features of p, ascending; raises ValueError for others.  one: a single number is allowed."""
    found = cells(sizes, "sizes")
    found = np.atleast_1d(found) if one else found
    ascending = found.ndim == 1 and len(found) and found.dtype.kind in "iu" and (found[1:] > found[:-1]).all()
    if not ascending or found[0] < 1 or found[-1] > p:
        raise ValueError(f"sizes must be ascending integers from 1 to the {p} features, not {shown(sizes)}")
    return found.astype(np.intp)


def mean_of_steps(values: np.ndarray) -> float:
    """Mean of the averages of each two values that follow each other; of one value: itself."""
    return float((values[1:] + values[:-1]).mean() / 2) if len(values) > 1 else float(values[0])


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


Curve = Callable[..., np.ndarray]  # two rankings, sizes -> agreement at each of them


def _area(curve: Curve, a: object, b: object, sizes: object) -> float:
    first, second = read_all([a, b])
    return mean_of_steps(curve(first, second, sizes_of(sizes, first)))


def _correlation(function: Callable[..., Any], a: object, b: object) -> float:
    x, y = (listed.scores for listed in read_all([a, b]))
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


@dataclass(frozen=True)
class Agreement:
    """Measure of agreement.

    name: for people.
    function: ``function(a, b)`` -> float.
    curve: ``curve(Listed, Listed, sizes)`` -> (sizes,); None if it has no number of features.
    """

    name: str
    function: Callable[..., float]
    curve: Curve | None = None


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
    lists, sized = read_all(rankings), () if sizes is None else (sizes,)
    if lists and sized:
        sizes_of(sizes, lists[0])  # refuses sizes also where nothing is compared
    out = np.eye(len(lists))
    for i, j in combinations(range(len(lists)), 2):
        out[i, j] = out[j, i] = function(lists[i], lists[j], *sized)
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
    curve = cast("Curve", _measure(measure, sized=True).curve)
    lists = read_all(rankings)
    if not lists:
        raise ValueError("there are no rankings to compare")
    chosen = sizes_of(sizes, lists[0])
    out = np.ones((len(chosen), len(lists), len(lists)))
    for i, j in combinations(range(len(lists)), 2):
        out[:, i, j] = out[:, j, i] = curve(lists[i], lists[j], chosen)
    return out


def _measure(name: str, sized: bool) -> Agreement:
    known = AGREEMENTS[one_of("measure", name, AGREEMENTS)]
    if sized and known.curve is None:
        allowed = ", ".join(name for name, other in AGREEMENTS.items() if other.curve is not None)
        raise ValueError(f"{name} compares all features; measures that take sizes are {allowed}")
    return known


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


class Move(NamedTuple):
    """A feature and its places in two lists, from 1; None where a list does not have it."""

    feature: str | int
    before: int | None
    now: int | None


@dataclass(frozen=True)
class Changes:
    """Features that came, went or moved between two lists.

    new: features that are among the best now, but were not before, best first.
    gone: features that were among the best before, but are not now, best first.
    moved: features that are among the best of both lists, at different places: the largest moves first, of equal ones
    the better place now.
    """

    new: tuple[Move, ...]
    gone: tuple[Move, ...]
    moved: tuple[Move, ...]


def changes(before: object, now: object, n: int | None = None) -> Changes:
    """Compare the best features of two lists, perhaps of different data: which are new, which are gone, which moved.

    Places are those in the whole lists, which have each feature once.

    Parameters
    ----------
    before, now : sequences of str or int, or Rankings
        Names of features, best first, or their indices where the data had no names; not some of each.
    n : int, optional
        Number of best features of each list, from 1; a shorter list counts whole.  None: both lists are whole.
    """
    old, new = _places("before", before), _places("now", now)
    if len({isinstance(feature, str) for feature in (*old, *new)}) > 1:
        raise ValueError("before and now must both have names of features, or both indices, not some of each")
    most = max(len(old), len(new)) if n is None else whole("n", n, 1)
    was_best, is_best = ({feature for feature in places if places[feature] <= most} for places in (old, new))
    came, went, both = is_best - was_best, was_best - is_best, was_best & is_best
    moved = [feature for feature in new if feature in both and old[feature] != new[feature]]
    moved.sort(key=lambda feature: -abs(old[feature] - new[feature]))
    kinds = [f for f in new if f in came], [f for f in old if f in went], moved
    return Changes(*(tuple(Move(feature, old.get(feature), new.get(feature)) for feature in kind) for kind in kinds))


def _places(name: str, ranking: Any) -> dict[str | int, int]:
    """Places of the features of a list, from 1."""
    if hasattr(ranking, "best"):
        ranking = [getattr(feature, "name", feature) for feature in ranking.best(len(ranking.scores))]
    features = [f if isinstance(f, str) else whole(f"each feature of {name}", f) for f in several(name, ranking)]
    places = {feature: place for place, feature in enumerate(features, 1)}
    twice = [feature for place, feature in enumerate(features, 1) if places[feature] != place]
    if twice or not places:
        raise ValueError(f"{name} has {shown(twice[0])} twice" if twice else f"{name} must have at least one feature")
    return places
