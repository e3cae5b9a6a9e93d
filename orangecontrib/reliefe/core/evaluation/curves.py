"""Quality of predictions by the best features of a ranking, which is computed in each training fold.

Curves are over the number of features; learning curves over the number of rows, or of trees of a forest.

rows -> folds -> ranker(training rows) -> best 1, 2, 4, ... features -> model(training rows) -> quality on test rows
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ..checks import function, one_of, switch, whole
from ..data.arrays import cells, chosen_from, floats, take
from ..data.table import DataTable
from ..targets.targets import CLASSIFICATION, SURVIVAL
from ..words import shown
from ..work.cluster import evaluation_work
from ..work.threads import Work
from .agreement import checked_sizes, fuji
from .corrected import resampled_error
from .folds import Fold, Ranker, folds, parts_of
from .predictors import EVALUATED, Predictor, doublings
from .trials import Trial, in_fold

N_FOLDS = 10
MAX_SEED = 2**32 - 1  # seeds that scikit-learn takes


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


def curve_area(sizes: Any, values: Any) -> float:
    """Area under a curve of values (s,) at ascending sizes (s,) from 1, over its width, so that a constant has itself.

    Integrated by Simpson's rule, on the sizes if they are evenly spaced, else on their logarithms. Unevenly spaced
    logarithms are integrated by trapezoids.  Of one point the area is its value.
    Skrlj et al. (2022), ReliefE, section 5, where it is divided by the number of points: 1 would not be reached.
    """
    from scipy.integrate import simpson, trapezoid

    sizes, values = floats(sizes, "sizes"), floats(values, "values")
    if sizes.ndim != 1 or sizes.shape != values.shape or not len(sizes):
        raise ValueError(f"sizes and values must be both (s,), s > 0, not {sizes.shape} and {values.shape}")
    if sizes[0] < 1 or (np.diff(sizes) <= 0).any():
        raise ValueError("sizes must be at least 1 and ascend")
    if len(sizes) == 1:
        return float(values[0])
    x = sizes if _even(sizes) else np.log2(sizes)
    if _even(x):
        area = simpson(values, x=x)
    elif _even(x[:-1]):
        area = simpson(values[:-1], x=x[:-1]) + trapezoid(values[-2:], x[-2:])
    else:
        area = trapezoid(values, x)
    return float(area / (x[-1] - x[0]))


def enough(sizes: Any, values: Any, n_folds: int, higher_is_better: bool = True) -> int | None:
    """Least size whose mean is within one standard error of the best mean: as many features as matter.

    None if no size is left, or of fewer than two folds.
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, section 3.4.3.

    Parameters
    ----------
    sizes : (s,) array
        Ascending.
    values : (m, s) array
        On m test folds of one or more cross-validations; sizes that are unknown (NaN) in a fold do not count.
    n_folds : int
        Parts of each of them, 2 or more.  The error is that of the best size, corrected as in `corrected_t`.
    higher_is_better : bool
        False for errors.
    """
    sizes, values = floats(sizes, "sizes"), floats(values, "values")
    values = values if switch("higher_is_better", higher_is_better) else -values
    n_folds = whole("n_folds", n_folds, 2)
    if sizes.ndim != 1 or values.shape[1:] != sizes.shape:
        raise ValueError(f"sizes and values must be (s,) and (m, s), not {sizes.shape} and {values.shape}")
    if not np.isfinite(sizes).all():
        raise ValueError("sizes must be known numbers")
    usable = ~np.isnan(values).any(axis=0)
    if len(values) < 2 or not usable.any():
        return None
    sizes, values = sizes[usable], values[:, usable]
    means = values.mean(axis=0)
    best = int(np.argmax(means))
    error = resampled_error(values[:, best], n_folds)
    return int(sizes[np.argmax(means >= means[best] - error - 1e-12)])


def _even(x: np.ndarray) -> bool:
    return bool(np.ptp(np.diff(x)) < 1e-9) if len(x) > 1 else True


def _fold_mean(values: np.ndarray, n_rows: np.ndarray) -> np.ndarray:
    weights = np.where(np.isnan(values), 0.0, n_rows[:, None])
    total = weights.sum(axis=0)
    return np.where(total > 0, (weights * np.nan_to_num(values)).sum(axis=0) / np.maximum(total, 1), np.nan)


N_FEATURES = 100  # best ones that are looked at
FEW_FOLDS = 3  # of a learning curve


@dataclass(frozen=True)
class Convergence:
    """Quality of rankings that are made from more and more.

    amounts (a,): of rows or trees.
    curves: a `Curve` for each amount, the quality of the rankings made from as many, in the same folds.
    agreement (a,): area under the fuzzy Jaccard index with the ranking from the most, mean of the folds; 1 is the same
    ranking.
    """

    amounts: np.ndarray
    curves: tuple[Curve, ...]
    agreement: np.ndarray

    @property
    def areas(self) -> np.ndarray:
        """(a,) under the relative curves, or where less is better under the curves."""
        return np.array([curve.relative_area if curve.higher_is_better else curve.area for curve in self.curves])


def convergence(
    ranker: Callable[[int, object, object], object],
    amounts: Sequence[int] | np.ndarray,
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
    progress: Callable[[float], object] | None = None,
) -> Convergence:
    """Quality of rankings that are made from more and more: a curve for each amount.

    Skrlj et al. (2022), ReliefE, section 5.

    Parameters
    ----------
    ranker : callable
        ``ranker(amount, X, y)`` -> scores (p,), higher is better, otherwise as in `quality_curve`.
    amounts : sequence of int
        Ascending, for example `doublings` of the rows.
    sizes : sequence of int, optional
        Numbers of best features; None: 1, 2, 4, ..., 100.
    parts : sequence of (training rows, test rows), optional
        Folds; None: three.
    X, y, task, estimator, measure, nominal, random_state, progress
        As in `quality_curve`.
    """
    ranker, work, amounts = function("ranker", ranker), Work(1, progress), cells(amounts, "amounts")
    if amounts.ndim != 1 or not len(amounts) or amounts.dtype.kind not in "iu" or (np.diff(amounts) <= 0).any():
        raise ValueError(f"amounts must be ascending integers, not {shown(amounts.tolist())}")
    table = DataTable.read(X, nominal)
    p = table.shape[1]
    sizes = doublings(min(p, N_FEATURES)) if sizes is None else sizes
    setting = Setting.read(table, y, task, estimator, measure, None, sizes, parts, random_state, FEW_FOLDS)
    work.plan(len(setting.parts) * len(amounts))
    values = np.empty((len(amounts), len(setting.parts), len(setting.sizes)))
    whole, agreement = np.empty(len(setting.parts)), np.empty((len(amounts), len(setting.parts)))
    for f, fold in enumerate(setting.parts):
        trial, scores = setting.trial(fold), []
        for a, amount in enumerate(amounts):
            found = ranker(int(amount), *setting.training(fold))
            scores.append(floats(getattr(found, "scores", found), "scores"))
            values[a, f] = trial.values(scores[-1])
            work.tick(1)
        whole[f] = trial.whole
        agreement[:, f] = [fuji(own, scores[-1], doublings(p)) for own in scores]
    work.finish()
    return Convergence(amounts, tuple(setting.curve(own, whole) for own in values), agreement.mean(axis=1))
