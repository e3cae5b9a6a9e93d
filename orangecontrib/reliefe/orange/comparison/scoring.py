"""Rankings by connected scorers: a failure of one costs only its own ranking."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from Orange.base import Learner
from Orange.data import Table
from Orange.data.table import DomainTransformationError
from Orange.preprocess.score import Scorer

from ...core.words import counted
from .named_scores import NamedScores, finite, title_of

# What learners and scorers of all kinds raise for data that they cannot take.
FAILURES = (
    ValueError, TypeError, ArithmeticError, LookupError, AttributeError, RuntimeError, MemoryError, ImportError,
    OSError, DomainTransformationError,
)  # fmt: skip


def scores_of(scorer: Scorer, table: Table) -> np.ndarray:
    """(p,) scores of the features of a table; unknown ones are the worst; the mean where there are several rows."""
    found = scorer.score_data(table) if isinstance(scorer, Learner) else scorer(table)
    found = np.asarray(found, float)
    found = found.mean(axis=0) if found.ndim == 2 else found
    if found.shape != (len(table.domain.attributes),):
        raise ValueError(f"{found.shape} scores for {len(table.domain.attributes)} features")
    return np.where(np.isnan(found), -np.inf, found)


@dataclass(frozen=True, eq=False)
class Scored:
    """For the number of a scorer its ranking, or why it has none."""

    columns: dict[int, NamedScores] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)

    def __contains__(self, number: int) -> bool:
        return number in self.columns or number in self.failures


def rank_by(table: Table, scorers: Sequence[Scorer], numbers: Sequence[int], known: Scored, state) -> Scored:
    """Rank by those of the scorers whose numbers are given; one that fails is noted, and the others go on."""
    result = known
    names = tuple(v.name for v in table.domain.attributes)
    todo = [number for number in numbers if number not in known]
    for count, number in enumerate(todo):
        if state.is_interruption_requested():
            return result
        scorer, title = scorers[number], title_of(scorers[number])
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
    """(p,) finite scores; ValueError says which scorer failed."""
    try:
        return finite(scores_of(scorer, table))
    except FAILURES as error:
        raise ValueError(f"{title_of(scorer)} cannot rank {counted(len(table), 'row')}: {error}") from error
