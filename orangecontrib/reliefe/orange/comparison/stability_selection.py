"""Stability selection by scorers of Orange: how often each feature is among the best of half of the rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from Orange.data import Table
from Orange.preprocess.score import Scorer

from ...core.words import percent
from ..jobs.progress import raise_if_stopped
from .scoring import scores_or_reason

ROUNDS = 3, 10, 25, 50  # pairs of halves after which there is something to show
THRESHOLD = 0.75  # share of the halves from which on a feature counts as stable


@dataclass(frozen=True, eq=False)
class Stable:
    """scores (p,): share of the halves; bound: on the expected number of features above the threshold by chance;
    n_best, pairs: of halves; done: no more halves are to come."""

    scores: np.ndarray
    bound: float
    n_best: int
    pairs: int
    done: bool

    def summary(self) -> str:
        many, halves = int((self.scores >= THRESHOLD).sum()), 2 * self.pairs
        are = "feature is" if many == 1 else "features are"
        often = f"{many:,} {are} among the best {self.n_best:,} in {percent(THRESHOLD)} of {halves} halves"
        chance = "by chance perhaps all" if self.bound >= many > 0 else f"by chance at most {self.bound:.2g}"
        return f"{often}, {chance}"


def stable(table: Table, scorers: Sequence[Scorer], n_best: int, group: str, state) -> Stable:
    """Shares in which each feature is among the n_best when halves of the rows are ranked; by several scorers: by
    the mean of their ranks.  Rows with the same value of a group are in the same half.  Partial results are of fewer
    halves.  Raises ValueError as `core.evaluation` does."""
    from ...core.evaluation import aggregate, stability_selection
    from ..conversion import group_codes

    found: dict[bytes, np.ndarray] = {}
    halves = 2 * ROUNDS[-1]

    def ranker(_, rows):
        raise_if_stopped(state)
        if rows.tobytes() not in found:
            half = table[rows]
            found[rows.tobytes()] = aggregate([scores_or_reason(scorer, half) for scorer in scorers]).scores
            state.set_progress_value(100 * len(found) / halves)
        return found[rows.tobytes()]

    n, p = len(table), len(table.domain.attributes)
    nothing, n_best = sp.csr_array((n, p)), min(n_best, p)  # the target identifies rows by their numbers
    how = {"strata": _strata(table), "groups": group_codes(table, group)}
    for pairs in ROUNDS:
        state.set_status(f"Ranking halves of the rows: {len(found)} of {halves} done")
        selection = stability_selection(ranker, nothing, np.arange(n), n_best, THRESHOLD, n_pairs=pairs, **how)
        result = Stable(selection.frequencies, selection.bound, n_best, pairs, pairs == ROUNDS[-1])
        state.set_partial_result(result)
    return result


def _strata(table: Table) -> np.ndarray | None:
    """Classes, or else whether the target is known; None without one target."""
    target = table.domain.class_var
    if target is None:
        return None
    values = table.get_column(target)
    return np.where(np.isnan(values), -1, values) if target.is_discrete else np.isnan(values)
