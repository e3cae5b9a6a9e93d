"""Choice of the weight of the target in the clustering space of trees, by inner cross-validation.

`pct` calls `tune_supervision` for semi-supervised ensembles: weight 1 is supervised, 0 unsupervised.
"""

from collections.abc import Callable

import numpy as np

from ..data.table import DataTable
from ..forest.ensembles import Forest
from ..forest.models import Model
from ..targets.targets import Target
from ..work.threads import Work
from .inner_validation import Tried, cross_validated, quality

MAX_TREES = 50  # of each forest; chosen by eye
WEIGHTS = tuple(round(0.1 * k, 1) for k in range(11))  # of the paper: 0, 0.1 ... 1


def tune_supervision(
    table: DataTable,
    target: Target,
    n_trees: int,
    start: Callable[[DataTable, Target, float], Forest],
    random_state: int,
    work: Work,
) -> Tried[float]:
    """Measure how well forests predict for each weight of the target.

    Parameters
    ----------
    table : DataTable
        Table of n rows.
    target : Target
        Target of the n rows.
    n_trees : int
        Number of trees of the ensemble; at most `MAX_TREES` of them are grown here.
    start : callable
        Makes an empty forest for a table, its target and a weight.
    random_state : int
        Seed of the folds.
    work : Work
        Threads and progress.

    Returns
    -------
    tuple of (float, float)
        Weights with their mean quality; empty if there are too few labelled rows.
    """

    def qualities(train: np.ndarray, test: np.ndarray) -> np.ndarray:
        by_weight = np.empty(len(WEIGHTS))
        for number in work.split(len(WEIGHTS)):
            weight = WEIGHTS[number]
            # Trees of weight 1 do not use unlabelled rows.
            rows = train if weight == 1 else np.setdiff1d(np.arange(table.shape[0]), test)
            target_of_rows = target.take(rows)
            forest = start(table.take(rows), target_of_rows, weight)
            with work.part(0, 0.5):
                forest.more(min(n_trees, MAX_TREES), work)
            with work.part(0.5, 1):
                levels = target_of_rows.levels
                model = Model.of(forest, levels, np.ones(len(levels)), work)
            predicted = _predicted(model, table.values[test])
            by_weight[number] = quality(target.inner.take(test), predicted)
        return by_weight

    by_fold = cross_validated(target, qualities, random_state, work)
    return tuple((weight, float(of_weight.mean())) for weight, of_weight in zip(WEIGHTS, by_fold.T, strict=False))


def _predicted(model: Model, X: np.ndarray) -> np.ndarray:
    """Predictions (m, t) of a model: means of numeric targets, and the most probable levels of nominal ones."""
    means = model.predict(X)
    columns = []
    for levels, first, last in zip(model.levels, model.starts[:-1], model.starts[1:], strict=True):
        if levels is None:
            columns.append(means[:, first])
        else:
            codes = np.array(levels, float)
            columns.append(codes[means[:, first:last].argmax(axis=1)])
    return np.column_stack(columns)
