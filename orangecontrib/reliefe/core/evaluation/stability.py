"""Stability selection: features that are often among the best when halves of the rows are ranked."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..checks import function, number, whole
from ..data.arrays import floats, matrix
from ..data.chosen_rows import chosen_from, take
from ..data.frames import is_frame
from ..words import counted
from ..work.cluster import evaluation_work
from .folds import folds
from .top_chances import TopChances

DEFAULT_BEST = 16  # features that a half selects; chosen by eye
MAX_HALVINGS = 10**6  # times that rows are halved: more are a mistake

Ranker = Callable[[object, object], object]  # (X, y) of some rows -> scores (p,), higher is better


@dataclass(frozen=True, repr=False)
class StableSelection:
    """Features that halves of the data select.

    Attributes
    ----------
    frequencies : (p,) array
        Share of the halves of the data whose best features have this one.
    selected : (s,) array
        Indices of those that reach the threshold, most frequent first.
    bound : float
        Bound of the expected number of selected features that are no better than random ones. It is
        n_best^2 / ((2 threshold - 1) p).
    scores : (halves, p) array
        Scores of the ranker.
    """

    frequencies: np.ndarray
    selected: np.ndarray
    bound: float
    scores: np.ndarray

    def __repr__(self) -> str:
        by_chance = f"at most {self.bound:.2g} of them by chance"
        return f"StableSelection({counted(len(self.selected), 'feature')}, {by_chance}, {len(self.scores)} halves)"


def stability_selection(
    ranker: Ranker,
    X: object,
    y: object = None,
    n_best: int | None = None,
    threshold: float = 0.75,
    n_pairs: int = 50,
    strata: object = None,
    random_state: int = 0,
    n_jobs: int | None = 1,
    progress: Callable[[float], object] | None = None,
    groups: object = None,
) -> StableSelection:
    """Find features that are often among the best when halves of the data are ranked.

    Meinshausen and Buehlmann (2010), Stability selection, theorem 1; Shah and Samworth (2013), Variable selection with
    error control, section 2: pairs of halves.

    Parameters
    ----------
    ranker : callable
        ``ranker(X, y)`` of a half -> scores (p,), higher is better.
    X, y : (n, p) and (n, ...) arrays, sparse matrices or of pandas
        At least 4 rows; y may be None.
    n_best : int, optional
        Features that a half selects, from 1 to p; of equally good ones at the end each counts its chance. None: 16, or
        half of the features if they are fewer than 32.
    threshold : float
        Frequency from which on a feature is selected, in (0.5, 1].
    n_pairs : int
        Times that the rows are halved, 1 or more.
    strata : (n,) array, optional
        Values that both halves have equally often, for example classes, or whether the target is known.
    groups : (n,) array, optional
        Rows of one group are in the same half.
    """
    ranker = function("ranker", ranker)
    work = evaluation_work(n_jobs, progress)
    X = X if is_frame(X) else matrix(X, "X")
    y = None if y is None else chosen_from(y, "y")
    n, p = X.shape
    if n < 4:
        raise ValueError(f"rows must be at least 4, not {n}")
    if y is not None and y.shape[:1] != (n,):
        raise ValueError(f"X has {n} rows but y has shape {y.shape}")
    n_best = min(DEFAULT_BEST, (p + 1) // 2) if n_best is None else whole("n_best", n_best, 1, p)
    n_pairs = whole("n_pairs", n_pairs, 1, MAX_HALVINGS)
    if not 0.5 < number("threshold", threshold) <= 1:
        raise ValueError(f"threshold must be above 0.5 and at most 1, not {threshold}")
    seeds = np.random.SeedSequence(whole("random_state", random_state, 0)).generate_state(n_pairs)
    halves = [half for seed in seeds for half, _ in folds(n, 2, int(seed), strata, groups)]
    work.plan(len(halves))

    def rank_half(rows: np.ndarray) -> np.ndarray:
        """Rank a half of the rows: scores (p,)."""
        ranking = ranker(take(X, rows), None if y is None else take(y, rows))
        scores = floats(getattr(ranking, "scores", ranking), "scores")
        if scores.shape != (p,) or np.isnan(scores).any():
            raise ValueError(f"the ranker must give one known score for each of {p} features, not shape {scores.shape}")
        work.tick(1)
        return scores

    scores = np.array(work.spread(rank_half, halves))
    work.finish()
    frequencies = np.round(TopChances.of(scores)(n_best), 12)
    order = np.argsort(-frequencies, kind="stable")
    bound = n_best**2 / ((2 * threshold - 1) * p)
    return StableSelection(frequencies, order[frequencies[order] >= threshold], bound, scores)
