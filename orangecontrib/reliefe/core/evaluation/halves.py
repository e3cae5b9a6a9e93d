"""Certainty of a place among the best features: rankings of bootstrap samples of the rows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import function, generator, number, whole
from ..data.arrays import chosen_from, floats, groups_of, is_frame, matrix, take
from ..work.cluster import evaluation_work
from .folds import MAX_ROWS, folds


def distinct_rows(n: int, random_state: int = 0, strata: object = None) -> np.ndarray:
    """Indices of the rows that a bootstrap sample of n rows has at least once: about 63 % of them.

    A row's copies would be its own nearest neighbours, and tell nothing; so each counts once.

    Parameters
    ----------
    n : int
        Rows, 1 or more.
    random_state : int
        Seed, 0 or more.
    strata : (n,) array, optional
        Values of which each keeps its number of draws, and so never vanishes; None: all rows are alike.

    Returns
    -------
    (m,) int array
        Ascending.

    References
    ----------
    Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 6; sections of rows as in 8.3.
    """
    n, rng = whole("the number of rows", n, 1, MAX_ROWS), generator(random_state)
    kinds = np.zeros(n, int) if strata is None else groups_of(strata, n, "strata")
    drawn = np.zeros(n, bool)
    for kind in range(kinds.max() + 1):
        own = np.flatnonzero(kinds == kind)
        drawn[own[rng.integers(len(own), size=len(own))]] = True
    return np.flatnonzero(drawn)


@dataclass(frozen=True, eq=False)
class TopChances:
    """Chances of features to be among the best.

    ``TopChances.of(scores)(10)`` is the probability of each feature to be among the 10 best.

    Attributes
    ----------
    above : (m, p) int array
        In each of m rankings, how many features are better than each one.
    level : (m, p) int array
        Features that are as good, itself among them.
    """

    above: np.ndarray
    level: np.ndarray

    @classmethod
    def of(cls, scores: object) -> "TopChances":
        """Count places in rankings.

        Parameters
        ----------
        scores : (m, p) array
            Of m rankings, higher is better, unknown ones (NaN) are last.

        Returns
        -------
        TopChances
            Of the p features.
        """
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

    Attributes
    ----------
    frequencies : (p,) array
        Share of the halves of the data whose best features have this one.
    selected : (s,) int array
        Indices of those that reach the threshold, most frequent first.
    bound : float
        On the expected number of features selected though they are no better than random ones.
    scores : (halves, p) array
        Of the ranker.
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
) -> StableSelection:
    """Features that are often among the best when halves of the data are ranked.

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
        Values that both halves have equally often, such as classes, or whether the target is known.
    random_state : int
        Seed, 0 or more.
    n_jobs : int or None
        Threads; in the context of a cluster (see `rank`) halves go to its workers.
    progress : callable, optional
        Gets the share that is done.

    Returns
    -------
    StableSelection
        Its bound is n_best^2 / ((2 threshold - 1) p).

    References
    ----------
    Meinshausen and Buehlmann (2010), Stability selection, theorem 1; Shah and Samworth (2013), Variable selection with
    error control, section 2: pairs of halves.
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
    halves = [half for seed in seeds for half, _ in folds(n, 2, int(seed), cast("np.ndarray | None", strata))]
    work.plan(len(halves))

    def scores_of(rows: np.ndarray) -> np.ndarray:
        found = checked(ranker(take(X, rows), None if y is None else take(y, rows)), p)
        work.tick(1)
        return found

    scores = np.array(work.spread(scores_of, halves))
    work.finish()
    frequencies = np.round(TopChances.of(scores)(n_best), 12)
    order = np.argsort(-frequencies, kind="stable")
    bound = n_best**2 / ((2 * threshold - 1) * p)
    return StableSelection(frequencies, order[frequencies[order] >= threshold], bound, scores)


def checked(scores: object, p: int) -> np.ndarray:
    """Scores that a ranker gave, checked."""
    scores = floats(getattr(scores, "scores", scores), "scores")
    if scores.shape != (p,) or np.isnan(scores).any():
        raise ValueError(f"the ranker must give one known score for each of {p} features, not shape {scores.shape}")
    return scores
