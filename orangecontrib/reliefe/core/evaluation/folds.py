"""Folds of rows, the choice of those that show their target, and halves and bootstrap samples of rows, whose rankings
show how certain a place among the best features is."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import function, generator, number, several, whole
from ..data.arrays import chosen_from, floats, groups_of, matrix, rows_of, take
from ..data.frames import is_frame
from ..targets.times import strata_of
from ..words import shown
from ..work.cluster import evaluation_work

MAX_ROWS = 2**31 - 1  # rows
Fold = tuple[np.ndarray, np.ndarray]  # indices of training rows, of test rows


def folds(n: int, n_folds: int, random_state: int = 0, classes: object = None, groups: object = None) -> list[Fold]:
    """Random parts of n rows, whose sizes differ by at most 1, or of whole groups of rows.

    For each part there are the indices of the other rows, and its own, both ascending.

    Parameters
    ----------
    n, n_folds : int
        Rows and parts, 2 <= n_folds <= n.
    classes : (n,) array or Survival, optional
        Of each class, too, the parts have equally many rows or 1 more or less.  The classes of times are those with an
        event and those without.
    groups : (n,) array, optional
        Rows of one group stay together.  Groups with uneven classes, and then large ones, come first.  Each goes to the
        part where the classes are the most even afterwards.
    """
    _check(n, n_folds)
    order = generator(random_state).permutation(n)
    if groups is not None:
        part = _of_groups(n, n_folds, order, classes, groups)
        return [(np.flatnonzero(part != f), np.flatnonzero(part == f)) for f in range(n_folds)]
    if classes is not None:
        order = order[np.argsort(strata_of(classes, n, "classes")[order], kind="stable")]
    part = np.empty(n, np.intp)
    part[order] = np.arange(n) % n_folds
    return [(np.flatnonzero(part != f), np.flatnonzero(part == f)) for f in range(n_folds)]


def blocks(n: int, n_folds: int = 10, random_state: int = 123) -> list[Fold]:
    """The folds of the authors: rows shuffled by the generator of Python, cut into consecutive parts.

    The first n mod n_folds parts have one row more; indices are in the order of the shuffle.  Parameters: those of
    `folds`.
    Petkovic et al. (2021), Ensemble- and distance-based feature ranking for unsupervised learning, section 5.2.
    """
    _check(n, n_folds)
    order = list(range(n))
    random.Random(whole("random_state", random_state)).shuffle(order)
    parts = np.array_split(np.array(order), n_folds)
    return [(np.concatenate(parts[:f] + parts[f + 1 :]), parts[f]) for f in range(n_folds)]


def labelled(parts: Sequence[Fold], n_labelled: int, random_state: int = 0, classes: object = None) -> np.ndarray:
    """Mask (n,) of the rows that keep their targets, about n_labelled of the training rows of each fold.

    Of x parts, each keeps n_labelled // (x - 1) random rows; the first n_labelled mod (x - 1) parts keep one more. If a
    part is smaller, the first parts with room keep the rest.  Every fold trains with n_labelled rows, or one less. Rows
    chosen for a smaller number are among those for a larger one.
    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.

    Parameters
    ----------
    parts : sequence of (training rows, test rows)
        At least 2 folds of n rows.
    n_labelled : int
        0 or more.
    classes : (n,) array, optional
        Classes, in proportion even among the first rows chosen; None: rows are chosen at random.
    """
    n_labelled, rng, parts = whole("n_labelled", n_labelled, 0), generator(random_state), parts_of(parts)
    if len(parts) < 2:
        raise ValueError(f"parts must be at least 2 folds, not {len(parts)}")
    sizes, n_labelled = np.array([len(test) for _, test in parts]), min(n_labelled, MAX_ROWS)
    quotas = np.full(len(sizes), n_labelled // (len(sizes) - 1))
    quotas[: n_labelled % (len(sizes) - 1)] += 1
    excess = int(np.maximum(quotas - sizes, 0).sum())
    quotas = np.minimum(quotas, sizes)
    for j in range(len(sizes)):
        more = min(excess, sizes[j] - quotas[j])
        quotas[j] += more
        excess -= more
    mask = np.zeros(sizes.sum(), bool)
    groups = None if classes is None else strata_of(classes, len(mask), "classes")
    for (_, test), quota in zip(parts, quotas, strict=True):
        order = rng.permutation(np.sort(test))
        if groups is not None:
            order = order[np.argsort(_turns(groups[order]), kind="stable")]
        mask[order[:quota]] = True
    return mask


def _of_groups(n: int, n_folds: int, order: np.ndarray, classes: object, groups: object) -> np.ndarray:
    """Part (n,) of each row; groups of equal counts come in a random order (n,)."""
    of_rows = groups_of(groups, n, "groups")
    codes = np.zeros(n, int) if classes is None else strata_of(classes, n, "classes")
    counts = np.zeros((of_rows.max() + 1, codes.max() + 1))
    np.add.at(counts, (of_rows, codes), 1)
    if len(counts) < n_folds:
        raise ValueError(f"there are {len(counts)} groups for {n_folds} folds: take at most as many folds as groups")
    first = np.unique(of_rows[order], return_index=True)[1]
    each = np.lexsort((first, -counts.sum(axis=1), -counts.std(axis=1)))
    filled, part, total = np.zeros((n_folds, counts.shape[1])), np.empty(len(counts), np.intp), counts.sum(axis=0)
    for group in each:
        uneven = [
            np.std((filled + counts[group] * (np.arange(n_folds) == f)[:, None]) / total, axis=0).mean()
            for f in range(n_folds)
        ]
        best = np.flatnonzero(np.isclose(uneven, np.min(uneven), rtol=0, atol=1e-12))
        part[group] = best[filled[best].sum(axis=1).argmin()]
        filled[part[group]] += counts[group]
    return np.asarray(part[of_rows])


def _check(n: int, n_folds: int) -> None:
    whole("the number of rows", n, 0, MAX_ROWS)
    if not 2 <= whole("n_folds", n_folds) <= n:
        raise ValueError(f"n_folds must be at least 2 and at most the {n} rows, not {shown(n_folds)}")


def parts_of(parts: object, n: int | None = None) -> list[Fold]:
    """Folds as they are used, checked."""
    pairs = [several("a fold", fold) for fold in several("parts", parts)]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise ValueError("parts must be at least 1 fold, each of them training rows and test rows")
    n = sum(np.size(test) for _, test in pairs) if n is None else n
    return [cast("Fold", tuple(rows_of(rows, n, "the rows of a fold") for rows in pair)) for pair in pairs]


def _turns(classes: np.ndarray) -> np.ndarray:
    """(n,) when each row has its turn, in (0, 1): the rows of a class are spread evenly."""
    turns = np.empty(len(classes))
    for value in np.unique(classes):
        own = np.flatnonzero(classes == value)
        turns[own] = (np.arange(len(own)) + 0.5) / len(own)
    return turns


def distinct_rows(n: int, random_state: int = 0, strata: object = None, groups: object = None) -> np.ndarray:
    """Indices (m,), ascending, of the rows that a bootstrap sample of n rows has at least once: about 63 % of them.

    Each counts once, since copies of a row would be its nearest neighbours and bias the scores.
    Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 6; sections of rows as in 8.3.

    Parameters
    ----------
    n : int
        Rows, 1 or more.
    strata : (n,) array, optional
        Values that keep their frequencies, so that none disappears; None: all rows are alike.
    groups : (n,) array, optional
        Groups are drawn, with all their rows, instead of rows; then strata are those of their first rows.
    """
    n, rng = whole("the number of rows", n, 1, MAX_ROWS), generator(random_state)
    if groups is not None:
        of_rows = groups_of(groups, n, "groups")
        first = np.unique(of_rows, return_index=True)[1]
        own = None if strata is None else strata_of(strata, n, "strata")[first]
        return np.flatnonzero(np.isin(of_rows, distinct_rows(len(first), random_state, own)))
    kinds = np.zeros(n, int) if strata is None else strata_of(strata, n, "strata")
    drawn = np.zeros(n, bool)
    for kind in range(kinds.max() + 1):
        own = np.flatnonzero(kinds == kind)
        drawn[own[rng.integers(len(own), size=len(own))]] = True
    return np.flatnonzero(drawn)


@dataclass(frozen=True, eq=False)
class TopChances:
    """Chances of features to be among the best.

    ``TopChances.of(scores)(10)`` is the probability of each feature to be among the 10 best.
    above (m, p): in each of m rankings, how many features are better than each one.
    level (m, p): features that are as good, itself among them.
    """

    above: np.ndarray
    level: np.ndarray

    @classmethod
    def of(cls, scores: object) -> "TopChances":
        """Count places in m rankings of scores (m, p), higher is better, unknown ones (NaN) are last."""
        from scipy.stats import rankdata

        scores = floats(scores, "scores")
        if scores.ndim != 2 or not scores.size:
            raise ValueError(f"scores must be (rankings, features), at least one of each, not of shape {scores.shape}")
        falling = np.where(np.isnan(scores), np.inf, -scores)
        first, last = (rankdata(falling, method=method, axis=-1).astype(np.int32) for method in ("min", "max"))
        return cls(first - 1, last - first + 1)

    def joined(self, other: "TopChances") -> "TopChances":
        """Counts of the rankings of both; the features are the same."""
        return TopChances(np.concatenate([self.above, other.above]), np.concatenate([self.level, other.level]))

    def __len__(self) -> int:
        return len(self.above)

    def __call__(self, n_best: int) -> np.ndarray:
        """(p,) shares of the rankings that have each feature among their n_best; equally good ones at the end of these
        count by their chance."""
        n_best = min(whole("n_best", n_best, 0), self.above.shape[1])
        return cast("np.ndarray", np.clip((n_best - self.above) / self.level, 0, 1).mean(axis=0))


MAX_HALVINGS = 10**6  # times that rows are halved
Ranker = Callable[[object, object], object]  # (X, y) of some rows -> scores (p,), higher is better


@dataclass(frozen=True)
class StableSelection:
    """Features that halves of the data select.

    frequencies (p,): share of the halves of the data whose best features have this one.
    selected (s,): indices of those that reach the threshold, most frequent first.
    bound: on the expected number of selected features that are no better than random ones,
    n_best^2 / ((2 threshold - 1) p).
    scores (halves, p): of the ranker.
    """

    frequencies: np.ndarray
    selected: np.ndarray
    bound: float
    scores: np.ndarray


def stability_selection(
    ranker: Ranker,
    X: object,
    y: object = None,
    n_best: int = 16,
    threshold: float = 0.75,
    n_pairs: int = 50,
    strata: object = None,
    random_state: int = 0,
    n_jobs: int | None = 1,
    progress: Callable[[float], object] | None = None,
    groups: object = None,
) -> StableSelection:
    """Features that are often among the best when halves of the data are ranked.

    Meinshausen and Buehlmann (2010), Stability selection, theorem 1; Shah and Samworth (2013), Variable selection with
    error control, section 2: pairs of halves.

    Parameters
    ----------
    ranker : callable
        ``ranker(X, y)`` of a half -> scores (p,), higher is better.
    X, y : (n, p) and (n, ...) arrays, sparse matrices or of pandas
        At least 4 rows; y may be None.
    n_best : int
        Features that a half selects, from 1 to p; of equally good ones at the end each counts its chance.
    threshold : float
        Frequency from which on a feature is selected, in (0.5, 1].
    n_pairs : int
        Times that the rows are halved, 1 or more.
    strata : (n,) array, optional
        Values that both halves have equally often, for example classes, or whether the target is known.
    groups : (n,) array, optional
        Rows of one group are in the same half.
    """
    ranker, work = function("ranker", ranker), evaluation_work(n_jobs, progress)
    X, y = X if is_frame(X) else matrix(X, "X"), None if y is None else chosen_from(y, "y")
    n, p = X.shape
    if n < 4:
        raise ValueError(f"rows must be at least 4, not {n}")
    if y is not None and y.shape[:1] != (n,):
        raise ValueError(f"X has {n} rows but y has shape {y.shape}")
    n_best, n_pairs = whole("n_best", n_best, 1, p), whole("n_pairs", n_pairs, 1, MAX_HALVINGS)
    if not 0.5 < number("threshold", threshold) <= 1:
        raise ValueError(f"threshold must be above 0.5 and at most 1, not {threshold}")
    seeds = np.random.SeedSequence(whole("random_state", random_state, 0)).generate_state(n_pairs)
    halves = [half for seed in seeds for half, _ in folds(n, 2, int(seed), strata, groups)]
    work.plan(len(halves))

    def scores_of(rows: np.ndarray) -> np.ndarray:
        found = ranker(take(X, rows), None if y is None else take(y, rows))
        scores = floats(getattr(found, "scores", found), "scores")
        if scores.shape != (p,) or np.isnan(scores).any():
            raise ValueError(f"the ranker must give one known score for each of {p} features, not shape {scores.shape}")
        work.tick(1)
        return scores

    scores = np.array(work.spread(scores_of, halves))
    work.finish()
    frequencies = np.round(TopChances.of(scores)(n_best), 12)
    order = np.argsort(-frequencies, kind="stable")
    bound = n_best**2 / ((2 * threshold - 1) * p)
    return StableSelection(frequencies, order[frequencies[order] >= threshold], bound, scores)
