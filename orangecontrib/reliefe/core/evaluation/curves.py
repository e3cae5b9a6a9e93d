"""Quality of predictions by the best features of a ranking, which is computed in each training fold.

Curves are over the number of features; learning curves over the number of rows, or of trees of a forest.

rows -> folds -> ranker(training rows) -> best 1, 2, 4, ... features -> model(training rows) -> quality on test rows
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import function, one_of, switch, whole
from ..data.arrays import cells, chosen_from, floats, take
from ..data.table import DataTable
from ..targets.targets import CLASSIFICATION, SURVIVAL, UNSUPERVISED
from ..words import shown
from ..work.cluster import evaluation_work
from ..work.threads import Work
from .agreement import checked_sizes, fuji
from .corrected import resampled_error
from .folds import Fold, folds, parts_of
from .predictors import EVALUATED, N_TREES, Predictor, doublings, encoded
from .stability import Ranker

Quality = Callable[[np.ndarray], float]  # indices of features, ascending -> how well they predict


class Trial:
    """Asks for the quality of features; each set of them once, however many rankings have it as their best ones."""

    def __init__(self, quality: Quality, p: int, sizes: np.ndarray):
        """p: features; sizes (s,): numbers of the best ones that are tried."""
        self._known: dict[bytes | None, float]
        self._quality, self._p, self._sizes, self._known = quality, p, sizes, {}

    @property
    def whole(self) -> float:
        return self._of(np.arange(self._p))

    def values(self, scores: object) -> np.ndarray:
        """Quality (s,) of the best features of a ranking, scores (p,), or the means for several, (d, p)."""
        each = [[self._of(order[:size]) for size in self._sizes] for order in orders(scores, self._p)]
        return np.asarray(np.mean(each, axis=0))

    def _of(self, features: np.ndarray) -> float:
        features = np.sort(features)
        key = features.tobytes() if len(features) < self._p else None
        if key not in self._known:
            self._known[key] = self._quality(features)
        return self._known[key]


def in_fold(table: DataTable, predictor: Predictor, model: object, fold: Fold) -> Quality:
    """The quality on the test rows of a fold, of a clone of the model that has learned from its training rows."""
    train, test = (np.asarray(rows, np.intp) for rows in fold)
    points, owners = encoded(table, rows=train)

    def quality(features: np.ndarray) -> float:
        columns = np.arange(len(owners)) if len(features) == table.shape[1] else np.isin(owners, features).nonzero()[0]
        return predictor.score(model, points, columns, train, test)

    return quality


def orders(scores: object, p: int) -> np.ndarray:
    """(d, p) features of each ranking, best first, ties by index."""
    scores = np.atleast_2d(floats(getattr(scores, "scores", scores), "scores"))
    if scores.ndim != 2 or scores.shape[1] != p or not len(scores) or np.isnan(scores).any():
        raise ValueError(f"the ranker must give a known score for each of {p} features, not shape {scores.shape}")
    return np.argsort(-scores, axis=1, kind="stable")


N_DRAWS = 10  # random rankings
MAX_DRAWS, MAX_SEED = 10**6, 2**32 - 1  # random rankings; seeds that scikit-learn takes
MAX_F_SCORE = 1e12  # F-score of a feature that leaves nothing unexplained


def references(
    task: str = CLASSIFICATION, nominal: object = None, random_state: int = 0, n_draws: int = N_DRAWS
) -> dict[str, Ranker]:
    """Rankers to compare with; the quality of all features is in every `Curve`.

    They are for `quality_curve`: "random" and, if there is a target, "f-score" and "random-forest".  Of several
    targets the F-scores are averaged.  A nominal feature has the largest F-score of its values and the sum of
    their importances.

    Parameters
    ----------
    task : str
        One of `core.TASKS`, or "survival".
    nominal : (p,) mask or indices, optional
        As `DataTable.read` takes it.
    n_draws : int
        Random rankings, 1 or more.
    """

    task, n_draws = one_of("task", task, EVALUATED), whole("n_draws", n_draws, 1, MAX_DRAWS)
    random_state = whole("random_state", random_state, 0, MAX_SEED)

    def random(X: object, y: object) -> np.ndarray:
        return np.random.default_rng(random_state).random((n_draws, DataTable.read(X, nominal).shape[1]))

    def by_columns(scorer: Callable[[Any, np.ndarray, bool], np.ndarray], join: np.ufunc) -> Ranker:
        """Ranker by the scores of the columns that each feature is encoded as."""

        def ranker(X: object, y: object) -> np.ndarray:
            table = DataTable.read(X, nominal)
            predictor = Predictor.read(y, task, table.shape[0], None)
            rows = np.flatnonzero(predictor.complete)
            out = np.zeros(table.shape[1])
            if len(rows):
                (points, owners), target = encoded(table), predictor.learned(rows)
                by_class = task == CLASSIFICATION or set(np.unique(target)) <= {0, 1}
                join.at(out, owners, scorer(points[rows], target, by_class))
            return out

        return ranker

    def importances(points: Any, target: np.ndarray, by_class: bool) -> np.ndarray:
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        kind = RandomForestClassifier if by_class else RandomForestRegressor
        model = kind(N_TREES, max_features="sqrt", random_state=random_state)
        return cast("np.ndarray", model.fit(points, target).feature_importances_)

    found: dict[str, Ranker] = {"random": random}
    if task == UNSUPERVISED:
        return found
    return found | {"f-score": by_columns(_f_scores, np.maximum), "random-forest": by_columns(importances, np.add)}


def _f_scores(points: Any, target: np.ndarray, by_class: bool) -> np.ndarray:
    """Mean over the targets that are not constant; 0 for columns that are."""
    from sklearn.feature_selection import f_classif, f_regression

    if sparse.issparse(points):
        varied = (points.max(axis=0) - points.min(axis=0)).toarray().ravel() > 0
    else:
        varied = np.ptp(points, axis=0) > 0
    columns = target.reshape(len(target), -1).T
    columns = [column for column in columns if np.ptp(column) > 0 and len(column) > len(np.unique(column)) * by_class]
    total = np.zeros(points.shape[1])
    if varied.any() and len(target) > 2:
        for column in columns:
            with np.errstate(all="ignore"):
                found = (f_classif if by_class else f_regression)(points[:, varied], column)[0]
            total[varied] += np.clip(np.nan_to_num(found, nan=0.0, posinf=MAX_F_SCORE), 0, MAX_F_SCORE)
    return total / max(len(columns), 1)


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
