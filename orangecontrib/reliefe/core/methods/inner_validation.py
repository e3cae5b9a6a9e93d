"""Inner cross-validation: choice of parameters by how well a ranking, or a forest, predicts labelled rows left out.

The labelled rows are cut into four parts. A model of three parts, with all unlabelled rows, predicts the fourth. Its
quality is macro F1 of classes, the negative relative root mean squared error of numbers, or the area under the pooled
precision-recall curve of labels.

References
----------
Petkovic, Dzeroski and Kocev (2023), Feature ranking for semi-supervised learning, section 6.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TypeVar

import numpy as np

from ..data.table import DataTable
from ..evaluation import Space, auprc, folds, macro_f1, mean, rrmse, vote
from ..forest.ensembles import Forest
from ..forest.models import Model
from ..targets.targets import Target
from ..work.threads import Work

MIN_LABELLED = 20  # labelled rows below which nothing can be chosen
N_FOLDS = 4
PAPER_NEIGHBORS = (15, 20, 30)  # numbers of neighbours of SSL-Relief to choose from
N_NEIGHBORS = (20, 50, 100)  # with unlabelled rows: few of the nearest rows are labelled
N_VOTERS = 20  # neighbours that predict a row
MAX_ROWS = 2048  # target rows, and labelled ones that are predicted, above which a sample of them decides
MAX_TREES = 50  # trees of each forest
WEIGHTS = tuple(round(0.1 * k, 1) for k in range(11))  # of the target in the clustering space, to choose from

Choice = TypeVar("Choice")
Tried = tuple[tuple[Choice, float], ...]  # choices with their quality, higher is better


@dataclass(frozen=True)
class Setting:
    """Neighbours and influence of SSL-Relief, or neighbours among the labelled rows alone."""

    k: int
    w0: float
    w1: float
    alone: bool = False


@dataclass(frozen=True)
class Tuned:
    """Setting chosen for SSL-Relief."""

    setting: Setting
    tried: Tried[Setting]
    nearest: np.ndarray
    few: bool
    alone: float | None  # quality by the labelled rows alone, if they predict as well


def tune_neighbours(
    table: DataTable,
    target: Target,
    settings: Sequence[Setting],
    start: Callable[[np.ndarray, Target, np.ndarray, int], Callable[[Setting], np.ndarray]],
    random_state: int,
    work: Work,
    groups: np.ndarray | None,
) -> tuple[tuple[Setting, np.ndarray], ...]:
    """Qualities (folds,) of settings of SSL-Relief: rankings weigh the features in a vote of the 20 nearest labelled
    rows.

    `start` looks up neighbours, and returns the scores (p,) by a setting of up to as many.  Rows of one of the groups
    (n,) are in one fold.  Settings by which all features score the same are left out, unless there are no others.
    """
    rng, n, k = np.random.default_rng(random_state), table.shape[0], max(setting.k for setting in settings)
    ranked = np.ones(len(settings), bool)

    def qualities(train: np.ndarray, test: np.ndarray) -> np.ndarray:
        kept = np.setdiff1d(np.arange(n), test)
        chosen = np.zeros(len(kept), bool)
        chosen[rng.permutation(len(kept))[:MAX_ROWS]] = True
        with work.part(0, 0.35):
            by_all = by_labelled = start(kept, target.take(kept), chosen, k)
        train, test = (part[np.sort(rng.permutation(len(part))[:MAX_ROWS])] for part in (train, test))
        if settings[-1].alone:
            with work.part(0.35, 0.4):
                by_labelled = start(train, target.take(train), np.ones(len(train), bool), k)
        space, found = work.aside(Space.fit, table, None, kept), np.empty(len(settings))
        with work.part(0.4, 1):
            for number in work.split(len(settings)):
                scores = (by_labelled if settings[number].alone else by_all)(settings[number])
                ranked[number] &= np.ptp(scores) > 0
                near = work.aside(space.neighbours, train, test, scores, N_VOTERS)
                found[number] = quality(target.inner.take(test), neighbours_predict(target.inner, near))
        return found

    tried = tuple(zip(settings, _cross_validated(target, qualities, random_state, work, groups).T, strict=False))
    left = tuple(compress(tried, ranked))
    return tried if all(setting.alone for setting, _ in left) else left


def tune_supervision(
    table: DataTable,
    target: Target,
    n_trees: int,
    start: Callable[[DataTable, Target, float], Forest],
    random_state: int,
    work: Work,
) -> Tried[float]:
    """Quality of weights 0, 0.1 ... 1 of the target in the clustering space: forests predict."""

    def qualities(train: np.ndarray, test: np.ndarray) -> np.ndarray:
        found = np.empty(len(WEIGHTS))
        for number in work.split(len(WEIGHTS)):
            weight = WEIGHTS[number]
            kept = train if weight == 1 else np.setdiff1d(np.arange(table.shape[0]), test)
            known = target.take(kept)
            forest = start(table.take(kept), known, weight)
            with work.part(0, 0.5):
                forest.more(min(n_trees, MAX_TREES), work)
            with work.part(0.5, 1):
                model = Model.of(forest, known.levels, np.ones(len(known.levels)), work)
            means, columns = model.predict(table.values[test]), []
            for levels, first, last in zip(model.levels, model.starts[:-1], model.starts[1:], strict=True):
                codes = None if levels is None else np.array(levels, float)
                columns.append(means[:, first] if codes is None else codes[means[:, first:last].argmax(axis=1)])
            found[number] = quality(target.inner.take(test), np.column_stack(columns))
        return found

    found = _cross_validated(target, qualities, random_state, work).T
    return tuple((weight, float(each.mean())) for weight, each in zip(WEIGHTS, found, strict=False))


def quality(truth: Target, predicted: np.ndarray) -> float:
    """Quality of predictions; higher is better."""
    if truth.label_matrix is not None:
        return float(np.nan_to_num(auprc(truth.label_matrix, np.nan_to_num(predicted))))
    each, (values, kinds) = [], truth.columns
    for column, nominal, found in zip(values.T, kinds, predicted.T, strict=True):
        rows = ~np.isnan(column) & ~np.isnan(found)
        if rows.any():
            each.append(macro_f1(column[rows], found[rows]) if nominal else -rrmse(column[rows], found[rows]))
    return float(np.nanmean(each)) if each and not np.isnan(each).all() else 0.0


def neighbours_predict(target: Target, near: np.ndarray) -> np.ndarray:
    """Votes and means of neighbours."""
    if target.label_matrix is not None:
        return mean(target.label_matrix, near)
    found, (values, kinds) = [], target.columns
    for column, nominal in zip(values.T, kinds, strict=True):
        if nominal:
            codes = vote(np.where(np.isnan(column), -1, column).astype(int), near)
            found.append(np.where(codes < 0, np.nan, codes))
        else:
            found.append(mean(column, near))
    return np.column_stack(found)


def too_few(parameters: str) -> str:
    """Message for the user where some parameters could not be chosen."""
    return f"fewer than {MIN_LABELLED} rows are labelled: too few to choose {parameters} by cross-validation"


def _cross_validated(
    target: Target,
    qualities: Callable[[np.ndarray, np.ndarray], np.ndarray],
    random_state: int,
    work: Work,
    groups: np.ndarray | None = None,
) -> np.ndarray:
    """(folds, choices) of what qualities (training rows, test rows) -> (choices,) gives; (0, 0) with too few rows."""
    rows = np.flatnonzero(target.labelled)
    classes, whole = (None if codes is None else codes[rows] for codes in (target.inner.groups, groups))
    if len(rows) < MIN_LABELLED or (whole is not None and len(np.unique(whole)) < N_FOLDS):
        return np.empty((0, 0))
    parts = folds(len(rows), N_FOLDS, random_state, classes, whole)
    return np.array([qualities(*(rows[part] for part in parts[fold])) for fold in work.split(N_FOLDS)])
