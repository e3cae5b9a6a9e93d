"""Job of the quality view: in each fold, rankings of the training rows and predictions of the test rows.

The view runs `run` in a thread. A ranking with a scorer is computed inside the training rows; one without has seen the
test rows.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from Orange.data import Table
from Orange.data.util import get_unique_names
from Orange.preprocess.score import Scorer

from ...core.targets.facts import nothing_known, one_class, titled
from ...core.words import sentence
from ..jobs.progress import raise_if_stopped, tell_loading
from ..problem import MULTI_TARGET, SURVIVAL, UNSUPERVISED, problem, task_of
from .comparison import ComparedRankings
from .learner_quality import in_fold
from .quality import INSIDE, REFERENCE, SEEN, Failure, Quality, QualityLine
from .scoring import FAILURES, scores_of

if TYPE_CHECKING:
    from ...core.evaluation import Trial

Fold: TypeAlias = tuple[np.ndarray, np.ndarray]  # indices of training rows and of test rows
Result = TypeVar("Result")

MIN_DRAWS = 10  # random rankings in all folds, at least; chosen by eye
MIN_ROWS = 4  # of the data
TITLES = {"random": "Random ranking", "f-score": "F-score", "random-forest": "Forest importance"}
# Measures by task, the default first
MEASURES_OF = {
    "classification": ("accuracy", "f1", "macro_f1"),
    "regression": ("rrmse",),
    "multi-target": ("rrmse",),
    "multi-label": ("auprc", "micro_f1"),
    "hierarchical": ("auprc", "micro_f1"),
    "unsupervised": ("reconstruction",),
    "survival": ("concordance",),
}
NEAREST = "nearest row"  # model that predicts all features, without a target


class QualityRequest(NamedTuple):
    """Request of the user.

    Attributes
    ----------
    n_folds : int
        Number of folds of a cross-validation.
    n_repeats : int
        Number of cross-validations.
    measure : str
        Name of the measure; empty: the default of the task.
    seed : int
        Seed of the folds.
    """

    n_folds: int = 5
    n_repeats: int = 2
    measure: str = ""
    seed: int = 0


def refusal(comparison: ComparedRankings | None) -> str:
    """Return the reason why quality cannot be measured; empty if it can."""
    if comparison is None or not comparison.titles:
        return "Connect rankings: tables of scores, or scorers"
    if not comparison.features:
        return "The rankings have no feature in common"
    table = comparison.table
    if table is None:
        return "Connect data to see how well the best features of each ranking predict"
    if len(table) < MIN_ROWS:
        return f"The data have only {len(table)} rows. Connect data with at least {MIN_ROWS}"
    targets = table.domain.class_vars
    if task_of(table.domain) == MULTI_TARGET and not all(target.is_continuous for target in targets):
        return "Quality needs one target, or several of one kind: all numbers, or all labels with two values"
    if targets and np.isnan(_dense(table.Y)).all():
        return sentence(nothing_known())
    only = problem(table).only_class
    if only:
        return f"{sentence(one_class(only, titled(targets[0].name)))}, so there is nothing to predict"
    return ""


@dataclass(frozen=True, eq=False)
class _Ranker:
    """A ranking that is measured.

    Attributes
    ----------
    title : str
        Title of the ranking.
    kind : str
        One of `KINDS`.
    scores : callable
        From a fold, a pair of training and test rows, and its number to scores (p,), or (draws, p).
    """

    title: str
    kind: str
    scores: Callable[[Fold, int], np.ndarray]


def run(comparison: ComparedRankings, request: QualityRequest, known: Quality | None, state: Any) -> Quality:
    """Measure all rankings of a comparison, and reference rankings; each fold is a partial result.

    Parameters
    ----------
    comparison : ComparedRankings
        Rankings and data, for which `refusal` is empty.
    request : QualityRequest
        What the user asks for.
    known : Quality, optional
        Quality in earlier folds of the same comparison and request, which are not computed again.
    state : TaskState
        Task of the widget.

    Returns
    -------
    Quality
        Quality in all folds.

    Raises
    ------
    ValueError
        If the data cannot be evaluated.
    """
    if comparison.table is None:
        raise ValueError("there are no data")
    return _Run(comparison, comparison.table, request, state).all_folds(known)


class _Run:
    """Data, rankings and predictor that all folds share, and the failures so far.

    Parameters
    ----------
    comparison : ComparedRankings
        Rankings.
    table : Table
        Data with the compared features.
    request : QualityRequest
        What the user asks for.
    state : TaskState
        Task of the widget.
    """

    def __init__(self, comparison: ComparedRankings, table: Table, request: QualityRequest, state: Any):
        tell_loading(state)
        # Imported here, so that Orange starts without numba and scikit-learn.
        from ...core.evaluation.setting import Setting
        from ..conversion import arrays, group_codes

        self.comparison = comparison
        self.table = table
        self.request = request
        self.state = state
        self.task = task_of(table.domain)
        data = arrays(
            table,
            task=None if self.task == SURVIVAL else self.task,
            method="urelief" if self.task == UNSUPERVISED else None,
        )
        self.groups = group_codes(table, comparison.group)
        y: Any = data.y
        y = y.to_numpy(float) if hasattr(y, "to_numpy") else y
        measure = request.measure or None
        self.setting = Setting.read(data.X, y, self.task, None, measure, data.nominal, random_state=request.seed)
        self.predictor = self.setting.predictor
        self.sizes = self.setting.sizes
        self.failed: dict[tuple[str, str], set[int]] = {}  # folds by title and message
        self.rankers = [*self._compared(), *self._references()]

    def all_folds(self, known: Quality | None) -> Quality:
        """Measure the folds that are not known yet."""
        folds = self._folds()
        result = self._without_folds() if known is None else known
        self.failed = {(failure.who, failure.why): set(failure.folds) for failure in result.failures}
        for number in range(len(result.whole), len(folds)):
            self.state.set_status(f"Fold {number + 1} of {len(folds)}")
            result = self._with_fold(result, folds[number], number, len(folds))
            self.state.set_partial_result(result)
        return result

    def _with_fold(self, result: Quality, fold: Fold, number: int, n_folds: int) -> Quality:
        """Quality with one more fold."""
        measured = self._measured(fold, number, n_folds)
        lines = []
        for line, values in zip(result.lines, measured.values, strict=True):
            lines.append(replace(line, values=np.vstack([line.values, values])))
        _, test = fold
        n_rows = np.count_nonzero(self.predictor.known[test])
        return replace(
            result,
            lines=tuple(lines),
            whole=np.r_[result.whole, measured.whole],
            n_rows=np.r_[result.n_rows, n_rows],
            failures=tuple(Failure(who, why, tuple(sorted(folds))) for (who, why), folds in self.failed.items()),
        )

    def _without_folds(self) -> Quality:
        """Quality before the first fold."""
        learner = self.comparison.learner
        notes = []
        if self.task == UNSUPERVISED:
            name = NEAREST
            if learner is not None:
                notes.append("The learner is not used. Without a target, the nearest row predicts all features")
        else:
            name = learner.name if learner is not None else _name(self.setting.model)
        if self.task == SURVIVAL and learner is None:
            notes.append("The model learns martingale residuals")
        if self.groups is not None:
            notes.append(f"Folds keep rows with the same {self.comparison.group} together")
        no_values = np.empty((0, len(self.sizes)))
        return Quality(
            sizes=self.sizes,
            lines=tuple(QualityLine(ranker.title, ranker.kind, no_values) for ranker in self.rankers),
            whole=np.empty(0),
            n_rows=np.empty(0),
            n_folds=self._n_folds(),
            measure=self.predictor.measure,
            learner=name,
            name=self.table.name,
            notes=tuple(notes),
        )

    def _n_folds(self) -> int:
        """Number of folds of a cross-validation, at most one for each row or group."""
        n = len(self.table) if self.groups is None else int(self.groups.max()) + 1
        return max(min(self.request.n_folds, n), 2)

    def _folds(self) -> list[Fold]:
        """Training and test rows of all folds of all cross-validations."""
        from ...core.evaluation import folds

        all_folds: list[Fold] = []
        for seed in range(self.request.seed, self.request.seed + self.request.n_repeats):
            all_folds += folds(
                len(self.table), self._n_folds(), seed, classes=self.predictor.strata, groups=self.groups
            )
        return all_folds

    def _compared(self) -> list[_Ranker]:
        """Rankings of the comparison."""
        rankers = []
        for title, scores in zip(self.comparison.titles, self.comparison.scores, strict=True):
            scorer = self.comparison.scorer(title)
            if scorer is None:
                rankers.append(_Ranker(title, SEEN, partial(_same_scores, scores)))
            else:
                rankers.append(_Ranker(title, INSIDE, partial(self._scores_inside, scorer)))
        return rankers

    def _scores_inside(self, scorer: Scorer, fold: Fold, number: int) -> np.ndarray:
        """Scores by the training rows of a fold."""
        train, _ = fold
        return scores_of(scorer, self.table[train])

    def _references(self) -> list[_Ranker]:
        """Reference rankings, whose titles differ from those of the comparison."""
        from ...core.evaluation import references

        titles = list(self.comparison.titles)
        rankers = []
        for name in references(self.task):
            title = get_unique_names(titles, TITLES[name])
            titles.append(title)
            rankers.append(_Ranker(title, REFERENCE, partial(self._reference_scores, name)))
        return rankers

    def _reference_scores(self, name: str, fold: Fold, number: int) -> np.ndarray:
        """Scores by a reference ranking in a fold."""
        from ...core.evaluation import references

        n_folds = self._n_folds() * self.request.n_repeats
        n_draws = math.ceil(MIN_DRAWS / n_folds)
        rankers = references(self.task, self.setting.table.nominal, self.request.seed + number, n_draws)
        return np.asarray(rankers[name](*self.setting.training(fold)))

    def _measured(self, fold: Fold, number: int, n_folds: int) -> "_MeasuredFold":
        """Quality of all rankings in a fold."""
        from ...core.evaluation import Trial
        from ...core.evaluation import in_fold as model_in_fold

        learner = self.comparison.learner if self.task != UNSUPERVISED else None
        if learner is None:
            quality = model_in_fold(self.setting.table, self.predictor, self.setting.model, fold)
            who = _name(self.setting.model)
        else:
            quality = in_fold(learner, self.table, self.predictor, fold)
            who = learner.name

        def guarded(features: np.ndarray) -> float:
            value = self._tried(who, number, lambda: quality(features))
            return float("nan") if value is None else value

        trial = Trial(guarded, len(self.comparison.features), self.sizes)
        values = []
        for k, ranker in enumerate(self.rankers):
            self.state.set_progress_value(100 * (number + k / len(self.rankers)) / n_folds)
            measured = self._tried(ranker.title, number, partial(_measure, trial, ranker, fold, number))
            values.append(np.full(len(self.sizes), np.nan) if measured is None else measured)
        return _MeasuredFold(values, trial.whole)

    def _tried(self, who: str, number: int, work: Callable[[], Result]) -> Result | None:
        """Result of work in a fold; None if it fails, which is noted."""
        raise_if_stopped(self.state)
        try:
            return work()
        except FAILURES as error:
            message = str(error).strip() or type(error).__name__
            self.failed.setdefault((who, message), set()).add(number)
            return None


class _MeasuredFold(NamedTuple):
    """Quality in a fold.

    Attributes
    ----------
    values : list of (s,) float64 array
        Quality of each ranking with each number of features.
    whole : float
        Quality with all features.
    """

    values: list[np.ndarray]
    whole: float


def _measure(trial: "Trial", ranker: _Ranker, fold: Fold, number: int) -> np.ndarray:
    """Quality (s,) of a ranking in a fold."""
    return trial.values(ranker.scores(fold, number))


def _same_scores(scores: np.ndarray, fold: Fold, number: int) -> np.ndarray:
    """Scores of a ranking that does not depend on the fold."""
    return scores


def _name(model: object) -> str:
    """Name of a model in words: "logistic regression" for LogisticRegression; None is the nearest row."""
    return NEAREST if model is None else re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(model).__name__).lower()


def _dense(values: Any) -> np.ndarray:
    """Values as a dense array."""
    return values.toarray() if hasattr(values, "toarray") else np.asarray(values, float)
