"""Orange's learners and scorers inside folds: a failure costs only the results that depend on it.

Knows nothing of widgets.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import scipy.sparse as sp
from Orange.base import Learner, Model
from Orange.data import Domain, Table
from Orange.data.table import DomainTransformationError
from Orange.preprocess.score import Scorer

from ...core.words import counted, percent
from ...orange.problem import SURVIVAL
from ..utils.task import raise_if_stopped
from .gather import NamedScores, finite, title_of

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


def in_fold(learner: Learner, table: Table, predictor, fold) -> Callable[[np.ndarray], float]:
    """Quality of predictions of test rows from some features of a table (indices), learned from training rows;
    predictor: a `Predictor` of the core."""
    train, test = (np.asarray(rows, np.intp) for rows in fold)
    train, test = train[predictor.complete[train]], test[predictor.known[test]]
    domain = table.domain

    def quality(features: np.ndarray) -> float:
        if not len(train) or not len(test):
            return float("nan")
        chosen = Domain([domain.attributes[j] for j in features], domain.class_vars)
        model = learner(table[train].transform(chosen))
        return float(predictor.quality(predictor.truth[test], _predicted(model, table[test].transform(chosen))))

    def _predicted(model: Model, rows: Table) -> np.ndarray:
        truth = predictor.truth[test]
        if predictor.measure == "auprc":
            return np.asarray(model(rows, Model.Probs), float)[:, :, 1].reshape(truth.shape)
        found = np.asarray(model(rows), float)
        if predictor.task == SURVIVAL:  # a risk of each row
            return found.reshape(len(truth), -1)[:, 0]
        if predictor.task != "classification":
            return found.reshape(truth.shape)
        values = np.unique(table.Y[~np.isnan(table.Y)])
        return np.searchsorted(values, found)

    return quality


ROUNDS = 3, 10, 25, 50  # pairs of halves after which there is something to show
THRESHOLD = 0.75  # share of the halves from which on a feature counts as stable


@dataclass(frozen=True, eq=False)
class Scored:
    """For the number of a scorer its ranking, or why it has none."""

    columns: dict[int, NamedScores] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)

    def __contains__(self, number: int) -> bool:
        return number in self.columns or number in self.failures


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


def stable(table: Table, scorers: Sequence[Scorer], n_best: int, group: str, state) -> Stable:
    """Shares in which each feature is among the n_best when halves of the rows are ranked; by several scorers: by
    the mean of their ranks.  Rows with the same value of a group are in the same half.  Partial results are of fewer
    halves.  Raises ValueError as `core.evaluation` does."""
    from ...core.evaluation import aggregate, stability_selection
    from ...orange.conversion import group_codes

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


def scores_or_reason(scorer: Scorer, table: Table) -> np.ndarray:
    """(p,) finite scores; ValueError says which scorer failed."""
    try:
        return finite(scores_of(scorer, table))
    except FAILURES as error:
        raise ValueError(f"{title_of(scorer)} cannot rank {counted(len(table), 'row')}: {error}") from error


def _strata(table: Table) -> np.ndarray | None:
    """Classes, or else whether the target is known; None without one target."""
    target = table.domain.class_var
    if target is None:
        return None
    values = table.get_column(target)
    return np.where(np.isnan(values), -1, values) if target.is_discrete else np.isnan(values)
