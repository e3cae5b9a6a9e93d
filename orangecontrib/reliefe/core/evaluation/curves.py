"""Quality of predictions by the best features of a ranking, which is computed in each training fold.

rows -> folds -> ranker(training rows) -> best 1, 2, 4, ... features -> model(training rows) -> quality on test rows
"""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from ..checks import function
from ..targets.tasks import CLASSIFICATION
from ..work.cluster import evaluation_work
from .curve import QualityCurve
from .folds import Fold
from .setting import Setting
from .stability import Ranker


def quality_curve(
    ranker: Ranker,
    X: object,
    y: object = None,
    task: str = CLASSIFICATION,
    *,
    estimator: object = None,
    measure: str | None = None,
    nominal: object = None,
    sizes: Sequence[int] | None = None,
    parts: Sequence[Fold] | None = None,
    random_state: int = 0,
    n_jobs: int | None = 1,
    progress: Callable[[float], object] | None = None,
) -> QualityCurve:
    """Measure the quality of the best features of a ranking, by cross-validation.

    Parameters
    ----------
    ranker : callable
        ``ranker(X, y)`` of the training rows, as they are, unknown targets too -> scores (p,), or (d, p) of d rankings
        whose qualities are averaged.  Its errors are passed on.
    X, nominal : (n, p) array, and (p,) mask or indices
        As `DataTable.read` takes them.
    y : array, optional
        (n,) classes of any type, (n,) or (n, t) numbers, (n, L) labels 0 or 1; NaN or None where missing. Omit it if
        the task is unsupervised.
    task : str
        One of `core.TASKS`, or "survival": y is then times with censoring, as `rank` takes them.
    estimator : object, optional
        Of scikit-learn, cloned; it sees features as `Space` makes them: in units of their training range, values of
        nominal ones as columns, gaps filled.  None: logistic regression, a random forest, for no target the nearest
        row, which then predicts all features (those of a sparse table nothing else does).
    measure : str, optional
        "accuracy" (micro F1), "f1" or "macro_f1" of classes, "rrmse" of numbers, "auprc" or "micro_f1" of labels,
        "concordance" of times. "reconstruction" needs no target; it is in standard deviations of the training rows.
        None: by the task.
    sizes : sequence of int, optional
        Ascending, from 1 to p; None: `doublings`.
    parts : sequence of (training rows, test rows), optional
        Folds; None: ten, stratified by class.
    random_state, n_jobs, progress
        As in all functions of the package `evaluation`.

    Returns
    -------
    QualityCurve
        Quality for each number of features.
    """
    ranker = function("ranker", ranker)
    work = evaluation_work(n_jobs, progress)
    setting = Setting.read(X, y, task, estimator, measure, nominal, sizes, parts, random_state)
    work.plan(len(setting.parts))

    def measure_fold(fold: Fold) -> np.ndarray:
        """Measure the quality (s + 1,) in a fold; the last one is that of all features."""
        trial = setting.trial(fold)
        values = np.r_[trial.values(ranker(*setting.training(fold))), trial.whole]
        work.tick(1)
        return cast("np.ndarray", values)

    qualities = np.array(work.spread(measure_fold, setting.parts))
    work.finish()
    return setting.curve(qualities[:, :-1], qualities[:, -1])
