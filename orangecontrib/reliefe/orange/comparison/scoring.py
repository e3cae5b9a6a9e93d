"""Rankings by the scorers on the input of *Ranking Comparison*. If a scorer fails, only its ranking is missing.

The widget runs `rank_by` in a thread; `quality_job` and `stability_selection` call `scores_of` and `scores_or_reason`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from Orange.base import Learner
from Orange.data import Table
from Orange.data.table import DomainTransformationError
from Orange.preprocess.score import Scorer

from ...core.words import counted
from .named_scores import NamedScores, finite, title_of

# Errors that learners and scorers of other packages raise for data that they cannot take
FAILURES = (
    ValueError, TypeError, ArithmeticError, LookupError, AttributeError, RuntimeError, MemoryError, ImportError,
    OSError, DomainTransformationError,
)  # fmt: skip


def scores_of(scorer: Scorer, table: Table) -> np.ndarray:
    """Compute the scores of the features of a table by a scorer.

    Parameters
    ----------
    scorer : Scorer
        Scorer, or learner with scores; of several rows of scores, the mean counts.
    table : Table
        The data.

    Returns
    -------
    (p,) float64 array
        Scores, -inf where unknown.

    Raises
    ------
    ValueError
        If the scorer returns another number of scores.
    """
    raw = scorer.score_data(table) if isinstance(scorer, Learner) else scorer(table)
    scores = np.asarray(raw, float)
    if scores.ndim == 2:
        scores = scores.mean(axis=0)
    p = len(table.domain.attributes)
    if scores.shape != (p,):
        raise ValueError(f"{scores.shape} scores for {p} features")
    return np.where(np.isnan(scores), -np.inf, scores)


@dataclass(frozen=True, eq=False)
class ScoredRankings:
    """Rankings by scorers, which have numbers.

    Attributes
    ----------
    columns : dict of int to NamedScores
        Rankings.
    failures : dict of int to str
        Messages of scorers that failed.
    """

    columns: dict[int, NamedScores] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)

    def __contains__(self, number: int) -> bool:
        return number in self.columns or number in self.failures


def rank_by(
    table: Table, scorers: Sequence[Scorer], numbers: Sequence[int], known: ScoredRankings, state: Any
) -> ScoredRankings:
    """Rank by some of the scorers.

    Parameters
    ----------
    table : Table
        The data.
    scorers : sequence of Scorer
        All scorers.
    numbers : sequence of int
        Numbers of those to rank by.
    known : ScoredRankings
        Rankings so far, which are not computed again.
    state : TaskState
        Task of the widget, which gets partial results.

    Returns
    -------
    ScoredRankings
        Rankings, and messages of scorers that failed.
    """
    result = known
    names = tuple(v.name for v in table.domain.attributes)
    todo = [number for number in numbers if number not in known]
    for count, number in enumerate(todo):
        if state.is_interruption_requested():
            return result
        scorer = scorers[number]
        title = title_of(scorer)
        state.set_status(f"{title}: ranking")
        state.set_progress_value(100 * count / len(todo))
        try:
            column = NamedScores(title, names, finite(scores_of(scorer, table)), scorer)
        except FAILURES as error:
            text = str(error) if str(error).startswith(title) else f"{title}: {error}"
            result = replace(result, failures={**result.failures, number: text})
        else:
            result = replace(result, columns={**result.columns, number: column})
        state.set_partial_result(result)
    return result


def scores_or_reason(scorer: Scorer, table: Table) -> np.ndarray:
    """Compute finite scores (p,) by a scorer; raises ValueError, with its title, if it fails."""
    try:
        return finite(scores_of(scorer, table))
    except FAILURES as error:
        raise ValueError(f"{title_of(scorer)} cannot rank {counted(len(table), 'row')}: {error}") from error
