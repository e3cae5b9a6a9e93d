"""Choice of the weight of the target in the clustering space by inner cross-validation."""

from collections.abc import Callable

import numpy as np

from ..data.labels import Labels
from ..data.multi_target import Components
from ..data.table import DataTable
from ..data.targets import MULTITARGET, Classes, Numbers, Target
from ..evaluation import auprc, folds, macro_f1, rrmse
from ..forest.models import Model
from ..parallel import Work

FEW = 20  # labelled rows below which nothing can be chosen
N_FOLDS = 4
N_TREES = 50  # at most, of each forest
WEIGHTS = tuple(round(0.1 * k, 1) for k in range(11))

Tried = tuple[tuple[float, float], ...]


def tune(table: DataTable, target: Target, n_trees: int, start: Callable, random_state: int, work: Work) -> Tried:
    """Weights 0, 0.1 ... 1 with the quality of forests grown with them; none where fewer than `FEW` rows are labelled.

    The labelled rows are cut into four; forests of three quarters, with all rows that have no label (but for weight 1),
    predict the last quarter: macro F1, relative root mean squared error (the less the better), or area under the pooled
    precision-recall curve.  Semi-supervised paper, section 6.

    start(table, target, weight): makes the Forest before its first tree.
    """
    inner, rows = getattr(target, "target", target), np.flatnonzero(target.labelled)
    if len(rows) < FEW:
        return ()
    parts = folds(len(rows), N_FOLDS, random_state, inner.codes[rows] if isinstance(inner, Classes) else None)
    quality = np.zeros(len(WEIGHTS))
    for fold in work.split(N_FOLDS):
        train, test = (rows[part] for part in parts[fold])
        for number in work.split(len(WEIGHTS)):
            weight = WEIGHTS[number]
            kept = train if weight == 1 else np.setdiff1d(np.arange(table.shape[0]), test)
            forest = start(table.take(kept), target.take(kept), weight)
            with work.part(0, 0.5):
                forest.more(min(n_trees, N_TREES), work)
            with work.part(0.5, 1):
                levels = levels_of(target.take(kept))
                model = Model.of(forest, levels, np.ones(len(levels)), work)
            quality[number] += _quality(inner.take(test), model, model.predict(table.values[test]))
    return tuple(zip(WEIGHTS, (quality / N_FOLDS).tolist(), strict=True))


def levels_of(target: Target) -> list[tuple[int, ...] | None]:
    """Of each target the codes of its classes that occur, or None where it is a number or a label."""
    inner, known = getattr(target, "target", target), target.labelled
    if isinstance(inner, Classes):
        return [tuple(np.unique(inner.codes[known]).tolist())]
    if isinstance(inner, Components):
        return [
            tuple(np.unique(column[~np.isnan(column)]).astype(int).tolist()) if nominal else None
            for column, nominal in zip(inner.values.T, inner.nominal, strict=True)
        ]
    return [None] * (1 if isinstance(inner, Numbers) else len(inner.names))


def _quality(target: Target, model: Model, found: np.ndarray) -> float:
    """Of predictions (n, K) for the n rows of a target; higher is better, 0 where it cannot be told."""
    if isinstance(target, Labels):
        return float(np.nan_to_num(auprc(target.matrix, found)))
    truth = np.asarray(target.codes if isinstance(target, Classes) else target.values, float).reshape(len(found), -1)
    if not isinstance(target, Classes | Numbers) and target.task != MULTITARGET:
        return float(np.nan_to_num(auprc(truth, found)))
    each = []
    for column, levels, a, b in zip(truth.T, model.levels, model.starts[:-1], model.starts[1:], strict=True):
        known = ~np.isnan(column)
        if not known.any():
            continue
        if levels is None:
            each.append(-rrmse(column[known], found[known, a]))
        else:
            each.append(macro_f1(column[known], np.array(levels, float)[found[known, a:b].argmax(axis=1)]))
    return float(np.nanmean(each)) if each and not np.isnan(each).all() else 0.0
