"""Quality of predictions by the best features of a ranking, which is computed in each training fold.

rows -> folds -> ranker(training rows) -> best 1, 2, 4, ... features -> model(training rows) -> quality on test rows
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import function, one_of, whole
from ..data.arrays import chosen_from, take
from ..data.table import DataTable
from ..targets.targets import CLASSIFICATION, SURVIVAL
from ..words import shown
from ..work.cluster import evaluation_work
from .agreement import checked_sizes
from .curve_area import _fold_mean, curve_area
from .folds import Fold, folds, parts_of
from .predictors import EVALUATED, Predictor, doublings
from .references import MAX_SEED
from .stability import Ranker
from .trial import Trial, in_fold

N_FOLDS = 10


@dataclass(frozen=True)
class Curve:
    """Quality of the best features of a ranking, for several numbers of them.

    sizes (s,): numbers of best features.
    values (folds, s): quality with these; NaN where a fold has nothing known.
    whole (folds,): quality with all features.
    n_rows (folds,): test rows.
    measure: its name.
    """

    sizes: np.ndarray
    values: np.ndarray
    whole: np.ndarray
    n_rows: np.ndarray
    measure: str
    higher_is_better: bool

    @property
    def mean(self) -> np.ndarray:
        """(s,) means over the folds, by their test rows."""
        return _fold_mean(self.values, self.n_rows)

    @property
    def relative(self) -> np.ndarray:
        """(s,) the means divided by that of all features (rF1); NaN if that is 0.  Skrlj et al. (2022), section 5."""
        whole = float(_fold_mean(self.whole[:, None], self.n_rows)[0])
        return self.mean / whole if whole else np.full(len(self.sizes), np.nan)

    @property
    def area(self) -> float:
        """Area under the mean curve, see `curve_area`."""
        return curve_area(self.sizes, self.mean)

    @property
    def relative_area(self) -> float:
        """Under the relative curve (AUrF1): 1 if any number of features is as good as all of them."""
        return curve_area(self.sizes, self.relative)


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
) -> Curve:
    """Quality of the best features of a ranking.

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
        "accuracy" (micro F1), "f1" or "macro_f1" of classes, "rrmse" of numbers, "auprc" of labels, "concordance" of
        times. "reconstruction" needs no target; it is in standard deviations of the training rows. None: by the task.
    sizes : sequence of int, optional
        Ascending, from 1 to p; None: `doublings`.
    parts : sequence of (training rows, test rows), optional
        Folds; None: ten, stratified by class.
    """
    ranker, work = function("ranker", ranker), evaluation_work(n_jobs, progress)
    setting = Setting.read(X, y, task, estimator, measure, nominal, sizes, parts, random_state)
    work.plan(len(setting.parts))

    def of_fold(fold: Fold) -> np.ndarray:
        trial = setting.trial(fold)
        values = np.r_[trial.values(ranker(*setting.training(fold))), trial.whole]
        work.tick(1)
        return cast("np.ndarray", values)

    found = np.array(work.spread(of_fold, setting.parts))
    work.finish()
    return setting.curve(found[:, :-1], found[:, -1])


@dataclass(frozen=True)
class Setting:
    """Setting that all compared rankings share: data, target, model, numbers of features, folds."""

    table: DataTable
    target: object
    predictor: Predictor
    model: object
    sizes: np.ndarray
    parts: Sequence[Fold]

    @classmethod
    def read(
        cls,
        X: object,
        y: object,
        task: str,
        estimator: object = None,
        measure: str | None = None,
        nominal: object = None,
        sizes: Sequence[int] | np.ndarray | None = None,
        parts: Sequence[Fold] | None = None,
        random_state: int = 0,
        n_folds: int = N_FOLDS,
    ) -> "Setting":
        """Read the arguments of `quality_curve`, with its defaults and its errors."""
        table, task = DataTable.of(X, nominal), one_of("task", task, EVALUATED)
        n, p = table.shape
        predictor = Predictor.read(y, task, n, measure)
        sizes = checked_sizes(doublings(p) if sizes is None else sizes, p)
        random_state = whole("random_state", random_state, 0, MAX_SEED)
        if parts is None:
            parts = folds(n, min(n_folds, n), random_state, predictor.strata)
        model = predictor.model(random_state) if estimator is None else estimator
        if not (model is None or hasattr(model, "fit")):
            raise TypeError(f"estimator must be one of scikit-learn's, not {shown(estimator)}")
        target = predictor.truth if predictor.truth is None or task == SURVIVAL else chosen_from(y, "y")
        return cls(table, target, predictor, model, sizes, parts_of(parts, n))

    def training(self, fold: Fold) -> tuple[object, object]:
        """X and y of the training rows of a fold, as a ranker gets them."""
        train = np.asarray(fold[0], np.intp)
        return self.table.values[train], None if self.target is None else take(self.target, train)

    def trial(self, fold: Fold) -> Trial:
        return Trial(in_fold(self.table, self.predictor, self.model, fold), self.table.shape[1], self.sizes)

    def curve(self, values: np.ndarray, whole: np.ndarray) -> Curve:
        """Curve of the values (folds, s) and those of all features (folds,)."""
        n_rows = np.array([np.count_nonzero(self.predictor.known[test]) for _, test in self.parts])
        return Curve(self.sizes, values, whole, n_rows, self.predictor.measure, self.predictor.higher_is_better)
