"""Stability selection by scorers of Orange: how often features are among the best of random halves of the rows.

The view of aggregated rankings runs `stable` in a thread.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from Orange.data import Table
from Orange.preprocess.score import Scorer

from ...core.words import percent
from ...core.work.cluster import using
from ..jobs.progress import raise_if_stopped
from .scoring import scores_or_reason

ROUNDS = (3, 10, 25, 50)  # pairs of halves after which there is a result
THRESHOLD = 0.75  # share of the halves from which a feature is stable: of 0.6 to 0.9, Meinshausen and Buehlmann (2010)


@dataclass(frozen=True, eq=False)
class Stable:
    """Result of stability selection.

    Attributes
    ----------
    scores : (p,) float64 array
        Share of the halves in which each feature is among the best.
    bound : float
        Bound of the expected number of features above the threshold by chance.
    n_best : int
        Number of best features of a half.
    pairs : int
        Number of pairs of halves.
    done : bool
        Whether no more halves follow.
    """

    scores: np.ndarray
    bound: float
    n_best: int
    pairs: int
    done: bool

    def summary(self) -> str:
        """Sentence on the number of stable features."""
        n_stable = int((self.scores >= THRESHOLD).sum())
        n_halves = 2 * self.pairs
        are = "feature is" if n_stable == 1 else "features are"
        stable_features = (
            f"{n_stable:,} {are} among the best {self.n_best:,} in {percent(THRESHOLD)} of {n_halves} halves"
        )
        by_chance = "by chance perhaps all" if self.bound >= n_stable > 0 else f"by chance at most {self.bound:.2g}"
        return f"{stable_features}, {by_chance}"


def stable(table: Table, scorers: Sequence[Scorer], n_best: int, group: str, state: Any) -> Stable:
    """Measure how often features are among the best when halves of the rows are ranked.

    Parameters
    ----------
    table : Table
        The data.
    scorers : sequence of Scorer
        Scorers; of several, the mean of the ranks counts.
    n_best : int
        Number of best features of a half.
    group : str
        Name of the variable of groups, whose rows are in the same half; empty: none.
    state : TaskState
        Task of the widget, which gets partial results of fewer halves.

    Returns
    -------
    Stable
        The shares.

    Raises
    ------
    ValueError
        If a scorer fails, or there are too few rows.
    """
    from ...core.evaluation import aggregate, stability_selection
    from ..conversion import group_codes

    scores_of_halves: dict[bytes, np.ndarray] = {}  # by the indices of the rows: later rounds repeat the earlier ones
    n_halves = 2 * ROUNDS[-1]

    def ranker(_: object, rows: np.ndarray) -> np.ndarray:
        raise_if_stopped(state)
        key = rows.tobytes()
        if key not in scores_of_halves:
            half = table[rows]
            scores_of_halves[key] = aggregate([scores_or_reason(scorer, half) for scorer in scorers]).scores
            state.set_progress_value(100 * len(scores_of_halves) / n_halves)
        return scores_of_halves[key]

    n = len(table)
    p = len(table.domain.attributes)
    n_best = min(n_best, p)
    no_values = sp.csr_array((n, p))
    row_numbers = np.arange(n)  # as the target, so that the ranker gets the rows of a half
    strata = _strata(table)
    groups = group_codes(table, group)
    for pairs in ROUNDS:
        state.set_status(f"Ranking halves of the rows: {len(scores_of_halves)} of {n_halves} done")
        with using(None):  # halves are ranked here, also beside a cluster: the ranker knows the task of the widget
            selection = stability_selection(
                ranker, no_values, row_numbers, n_best, THRESHOLD, n_pairs=pairs, strata=strata, groups=groups
            )
        result = Stable(selection.frequencies, selection.bound, n_best, pairs, pairs == ROUNDS[-1])
        state.set_partial_result(result)
    return result


def _strata(table: Table) -> np.ndarray | None:
    """Classes (n,), or whether a number is known; None without one target."""
    target = table.domain.class_var
    if target is None:
        return None
    values = table.get_column(target)
    return np.where(np.isnan(values), -1, values) if target.is_discrete else np.isnan(values)
