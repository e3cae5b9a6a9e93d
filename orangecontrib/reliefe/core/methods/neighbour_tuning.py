"""Choice of the number of neighbours and of the influence of unlabelled rows by inner cross-validation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..data.labels import Labels
from ..data.multi_target import Components
from ..data.table import DataTable
from ..data.targets import MULTITARGET, Classes, Numbers, Target
from ..evaluation import Space, auprc, folds, macro_f1, mean, rrmse, vote
from ..parallel import Work

FEW = 20  # labelled rows below which nothing can be chosen
N_FOLDS = 4
N_NEIGHBORS = (15, 20, 30)  # of SSL-Relief, to choose from
VOTERS = 20  # neighbours that predict
MANY = 2048  # target rows, and labelled ones that are predicted, above which a sample of them decides


@dataclass(frozen=True)
class Setting:
    """k neighbours; influence from w1 (nearest to a labelled row) down to w0."""

    k: int
    w0: float
    w1: float


@dataclass(frozen=True)
class Tuned:
    """setting: what was chosen; tried: all settings with their quality, higher is better; nearest (n,): distances of
    the rows to labelled ones; few: there were too few labelled rows to choose."""

    setting: Setting
    tried: tuple[tuple[Setting, float], ...]
    nearest: np.ndarray
    few: bool


def tune(
    table: DataTable,
    target: Target,
    settings: Sequence[Setting],
    start: Callable,
    random_state: int,
    work: Work,
) -> tuple[tuple[Setting, float], ...]:
    """Settings with their quality; none where fewer than `FEW` rows are labelled.

    The labelled rows are cut into four; rankings from three quarters, with all rows that have no label, weigh the
    features in a vote of 20 nearest labelled neighbours on the last quarter: macro F1, relative root mean squared error
    (the less the better), or area under the pooled precision-recall curve.  Semi-supervised paper, section 6.

    start(kept, target, chosen, k): makes what has `scores(setting)`, for up to k neighbours, of the rows `kept` (m,) of
    the table; target and chosen (m,) are of these.
    """
    inner, rows = getattr(target, "target", target), np.flatnonzero(target.labelled)
    if len(rows) < FEW:
        return ()
    rng, n = np.random.default_rng(random_state), table.shape[0]
    parts = folds(len(rows), N_FOLDS, random_state, inner.codes[rows] if isinstance(inner, Classes) else None)
    quality, largest = np.zeros(len(settings)), max(setting.k for setting in settings)
    for fold in work.split(N_FOLDS):
        ranker = None  # of the last fold: no two at a time
        train, test = (rows[part] for part in parts[fold])
        kept = np.setdiff1d(np.arange(n), test)
        chosen = np.zeros(len(kept), bool)
        chosen[rng.permutation(len(kept))[:MANY]] = True
        with work.part(0, 0.4):
            ranker = start(kept, target.take(kept), chosen, largest)
        train, test = (part[np.sort(rng.permutation(len(part))[:MANY])] for part in (train, test))
        space = Space.fit(table, rows=kept)
        with work.part(0.4, 1):
            for number in work.split(len(settings)):
                near = space.neighbours(train, test, ranker.scores(settings[number]), VOTERS)
                quality[number] += _quality(inner, test, near)
    return tuple(zip(settings, (quality / N_FOLDS).tolist(), strict=True))


def _quality(target: Target, test: np.ndarray, near: np.ndarray) -> float:
    """Of the predictions that neighbours make for test rows; higher is better, 0 where it cannot be told."""
    if isinstance(target, Classes):
        return macro_f1(target.codes[test], vote(target.codes, near))
    if isinstance(target, Numbers):
        found = -rrmse(target.values[test], mean(target.values, near))
    elif isinstance(target, Labels):
        found = auprc(target.matrix[test], mean(target.matrix, near))
    elif target.task != MULTITARGET:
        found = auprc(target.values[test], np.nan_to_num(mean(target.values, near)))
    else:
        found = _of_components(target, test, near)
    return float(np.nan_to_num(found))


def _of_components(target: Components, test: np.ndarray, near: np.ndarray) -> float:
    """Mean over the targets of macro F1 or of the error, negative, where a row to be predicted is known."""
    found = []
    for values, nominal in zip(target.values.T, target.nominal, strict=True):
        rows = ~np.isnan(values[test]) & ~np.isnan(values[near]).all(axis=1)
        if not rows.any():
            continue
        if nominal:
            codes = np.where(np.isnan(values), -1, values).astype(int)
            found.append(macro_f1(codes[test][rows], vote(codes, near[rows])))
        else:
            found.append(-rrmse(values[test][rows], mean(values, near[rows])))
    return float(np.nanmean(found)) if found and not np.isnan(found).all() else 0.0
