"""Computation of the quality view, in a thread: fold after fold, each ranking inside its training rows."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from Orange.data.util import get_unique_names

from ..jobs.loading import tell_loading
from ..jobs.progress import raise_if_stopped
from ..problem import MULTI_TARGET, SURVIVAL, UNSUPERVISED, task_of
from .comparison import Comparison
from .learner_quality import in_fold
from .quality import INSIDE, REFERENCE, SEEN, Failure, Line, Quality
from .scoring import FAILURES, scores_of

MIN_DRAWS = 10  # random rankings in all folds together, at least
LEAST_ROWS = 4
TITLES = {"random": "Random ranking", "f-score": "F-score", "random-forest": "Forest importance"}
MEASURES_OF = {  # the first one is the default
    "classification": ("accuracy", "f1", "macro_f1"),
    "regression": ("rrmse",),
    "multi-target": ("rrmse",),
    "multi-label": ("auprc",),
    "hierarchical": ("auprc",),
    "unsupervised": ("reconstruction",),
    "survival": ("concordance",),
}
NEAREST = "nearest row"  # what predicts all features


class Request(NamedTuple):
    """Request of the user; measure: empty for the default of the task."""

    n_folds: int = 5
    n_repeats: int = 2
    measure: str = ""
    seed: int = 0


def refusal(comparison: Comparison | None) -> str:
    """Reason for which no quality can be measured; empty if it can."""
    if comparison is None or not comparison.titles:
        return "Connect rankings: tables of scores, or scorers"
    if not comparison.features:
        return "The rankings have no feature in common"
    table = comparison.table
    if table is None:
        return "Connect data to see how well the best features of each ranking predict"
    if len(table) < LEAST_ROWS:
        return f"The data have only {len(table)} rows. Connect data with at least {LEAST_ROWS}"
    targets = table.domain.class_vars
    if task_of(table.domain) == MULTI_TARGET and not all(target.is_continuous for target in targets):
        return "Quality needs one target, or several of one kind: all numbers, or all labels with two values"
    if targets and np.isnan(_dense(table.Y)).all():
        return "The target is unknown in all rows"
    if task_of(table.domain) == "classification" and len(np.unique(table.Y[~np.isnan(table.Y)])) < 2:
        return f"All rows have the same class in {targets[0].name}, so there is nothing to predict"
    return ""


@dataclass(frozen=True, eq=False)
class _Ranker:
    """ranks (fold, number of the fold) -> scores (p,), or (d, p), by its training rows."""

    title: str
    kind: str
    ranks: Callable


def run(comparison: Comparison, request: Request, known: Quality | None, state) -> Quality:
    """Measure all rankings of a comparison and the references; each fold is a partial result.

    known: earlier folds of the same comparison and request, which need not be computed again.
    """
    return _Run(comparison, request, state)(known)


class _Run:
    """State that all folds share, and which rankings failed."""

    def __init__(self, comparison: Comparison, request: Request, state):
        tell_loading(state)
        # Here, and not above: neither numba nor scikit-learn is to be loaded when Orange starts.
        from ...core.evaluation.setting import Setting
        from ..conversion import arrays, group_codes

        self.comparison, self.request, self.state = comparison, request, state
        self.table, self.task = comparison.table, task_of(comparison.table.domain)
        task, method = None if self.task == SURVIVAL else self.task, "urelief" if self.task == UNSUPERVISED else None
        data, self.groups = arrays(self.table, task=task, method=method), group_codes(self.table, comparison.group)
        y = data.y.to_numpy(float) if hasattr(data.y, "to_numpy") else data.y
        measure, seed = request.measure or None, request.seed
        self.setting = Setting.read(data.X, y, self.task, None, measure, data.nominal, random_state=seed)
        self.predictor, self.sizes = self.setting.predictor, self.setting.sizes
        self.failed: dict[tuple[str, str], set[int]] = {}
        self.rankers = [*self._compared(), *self._references()]

    def __call__(self, known: Quality | None) -> Quality:
        parts, result = self._parts(), self._begin() if known is None else known
        self.failed = {(failure.who, failure.why): set(failure.folds) for failure in result.failures}
        for number in range(len(result.whole), len(parts)):
            self.state.set_status(f"Fold {number + 1} of {len(parts)}")
            values, whole = self._fold(parts[number], number, len(parts))
            lines = [
                replace(line, values=np.vstack([line.values, own]))
                for line, own in zip(result.lines, values, strict=True)
            ]
            n_rows = np.count_nonzero(self.predictor.known[parts[number][1]])
            failures = tuple(Failure(*key, tuple(sorted(folds))) for key, folds in self.failed.items())
            whole, n_rows = np.r_[result.whole, whole], np.r_[result.n_rows, n_rows]
            result = replace(result, lines=tuple(lines), whole=whole, n_rows=n_rows, failures=failures)
            self.state.set_partial_result(result)
        return result

    def _begin(self) -> Quality:
        lines = tuple(Line(r.title, r.kind, np.empty((0, len(self.sizes)))) for r in self.rankers)
        none, learner = np.empty(0), self.comparison.learner
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
        measure, folds = self.predictor.measure, self._n_folds()
        return Quality(self.sizes, lines, none, none, folds, measure, name, self.table.name, (), tuple(notes))

    def _n_folds(self) -> int:
        n = len(self.table) if self.groups is None else int(self.groups.max()) + 1
        return max(min(self.request.n_folds, n), 2)

    def _parts(self) -> list:
        from ...core.evaluation import folds

        how = {"classes": self.predictor.strata, "groups": self.groups}
        seeds = range(self.request.seed, self.request.seed + self.request.n_repeats)
        return [fold for seed in seeds for fold in folds(len(self.table), self._n_folds(), seed, **how)]

    def _compared(self) -> list[_Ranker]:
        out = []
        for title, scores in zip(self.comparison.titles, self.comparison.scores, strict=True):
            scorer = self.comparison.scorer(title)
            if scorer is None:
                out.append(_Ranker(title, SEEN, lambda fold, number, scores=scores: scores))
            else:
                out.append(_Ranker(title, INSIDE, lambda fold, number, s=scorer: scores_of(s, self.table[fold[0]])))
        return out

    def _references(self) -> list[_Ranker]:
        from ...core.evaluation import references

        taken, out = list(self.comparison.titles), []
        for name in references(self.task):
            title = get_unique_names(taken, TITLES[name])
            taken.append(title)
            out.append(_Ranker(title, REFERENCE, lambda fold, number, name=name: self._reference(name, fold, number)))
        return out

    def _reference(self, name, fold, number) -> np.ndarray:
        from ...core.evaluation import references

        draws = -(-MIN_DRAWS // (self._n_folds() * self.request.n_repeats))
        rankers = references(self.task, self.setting.table.nominal, self.request.seed + number, draws)
        return rankers[name](*self.setting.training(fold))

    def _fold(self, fold, number, n_folds) -> tuple[list[np.ndarray], float]:
        """Values (s,) of each ranker, and that of all features."""
        from ...core.evaluation import Trial
        from ...core.evaluation import in_fold as of_model

        learner = self.comparison.learner if self.task != UNSUPERVISED else None
        if learner is None:
            quality = of_model(self.setting.table, self.predictor, self.setting.model, fold)
        else:
            quality = in_fold(learner, self.table, self.predictor, fold)
        who = _name(self.setting.model) if learner is None else learner.name

        def guarded(features: np.ndarray) -> float:
            found = self._tried(who, number, lambda: quality(features))
            return float("nan") if found is None else found

        trial = Trial(guarded, len(self.comparison.features), self.sizes)
        values = []
        for place, ranker in enumerate(self.rankers):
            self.state.set_progress_value(100 * (number + place / len(self.rankers)) / n_folds)
            of_ranker = self._tried(ranker.title, number, lambda r=ranker: trial.values(r.ranks(fold, number)))
            values.append(np.full(len(self.sizes), np.nan) if of_ranker is None else of_ranker)
        return values, trial.whole

    def _tried(self, who: str, number: int, work: Callable[[], object]) -> object:
        """Result of some work; None where it fails, which is noted."""
        raise_if_stopped(self.state)
        try:
            return work()
        except FAILURES as error:
            self.failed.setdefault((who, str(error).strip() or type(error).__name__), set()).add(number)
            return None


def _name(model: object) -> str:
    """LogisticRegression -> "logistic regression"; None is the nearest row."""
    return NEAREST if model is None else re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(model).__name__).lower()


def _dense(values: object) -> np.ndarray:
    return values.toarray() if hasattr(values, "toarray") else np.asarray(values, float)
