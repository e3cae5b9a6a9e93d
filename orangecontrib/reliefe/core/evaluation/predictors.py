"""Predictions by a few features: of all features, by the nearest row, or of a target, by a model.

Also whether near rows have similar targets, without which unlabelled rows cannot help."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from scipy import sparse
from scipy.sparse import issparse

from ..checks import function, one_of, several, switch, whole
from ..data.arrays import floats, matrix, rows_of
from ..data.table import DataTable
from ..points.nearest import nearest_of
from ..studies.residuals import martingale
from ..targets.reader import read_column, read_numbers
from ..targets.targets import (
    CLASSIFICATION,
    HIERARCHICAL,
    MULTILABEL,
    MULTITARGET,
    REGRESSION,
    SURVIVAL,
    TASKS,
    UNSUPERVISED,
)
from ..targets.times import read_times
from ..words import shown
from .folds import Fold, blocks, parts_of
from .measures import MEASURES, f1
from .neighbours import Space

N_FEATURES = 16  # of the published comparison
DIGITS = 12  # of distances of sparse rows: products of matrices are not exact


def rmse_1nn(
    X: object,
    order: Callable[[np.ndarray], np.ndarray],
    sizes: Sequence[int] = (N_FEATURES,),
    parts: Sequence[Fold] | None = None,
    last: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Errors (folds, sizes) of reconstruction by the best features of a ranking: as they are, and scale-free.

    The published tables have the mean over the folds of the first array, and call it MSE.
    Petkovic et al. (2021), Ensemble- and distance-based feature ranking for unsupervised learning, section 5.2.

    Parameters
    ----------
    X : (n, p) array
        Complete numbers.
    order : callable
        Training rows (m, p) -> indices of features, best first.
    sizes : sequence of int
        Numbers of features, 1 or more, cut to p.
    parts : sequence of (training rows, test rows), optional
        Folds; None: the ten of `blocks`.
    last : bool
        Of equally near rows the last one predicts instead of the first.
    """
    X, order = floats(X, "X"), function("order", order)
    if X.ndim != 2 or not np.isfinite(X).all():
        raise ValueError(f"X must be (rows, features) of finite numbers without missing ones; its shape is {X.shape}")
    sizes = [whole("sizes", size, 1) for size in several("sizes", sizes)]
    if not sizes:
        raise ValueError("sizes must be at least one number")
    parts = blocks(len(X)) if parts is None else parts_of(parts, len(X))
    found = np.empty((2, len(parts), len(sizes)))
    for f, (train, test) in enumerate(parts):
        features = rows_of(order(X[train]), X.shape[1], "the features of an order")
        for s, size in enumerate(sizes):
            found[:, f, s] = reconstruction(X[train], X[test], features[:size], last)
    return found[0], found[1]


def reconstruction(
    train: np.ndarray, test: np.ndarray, features: np.ndarray, last: bool = False
) -> tuple[float, float]:
    """Errors of all features when each test row is predicted by the training row that is nearest in some features.

    The first is the root mean squared error, mean over the features; the second is in standard deviations among the
    training rows.  It leaves out constant features, and is NaN if all are constant.

    Parameters
    ----------
    train, test : (m, p) and (l, p) arrays, or CSR
        m >= 1 training rows, and rows that are predicted.
    features : (s,) int array
        Features of the Euclidean distance.
    last : bool
        Of equally near rows the last one predicts instead of the first.
    """
    train, test, last = matrix(train, "train"), matrix(test, "test"), switch("last", last)
    if train.shape[1] != test.shape[1] or issparse(train) != issparse(test) or not train.shape[0]:
        raise ValueError(f"train and test must be (m, p) and (l, p), m > 0, not {train.shape} and {test.shape}")
    features = rows_of(features, train.shape[1], "features")
    some: Any = train[:, features]
    own: Any = test[:, features]
    if issparse(train):
        lengths, turned = some.multiply(some).sum(axis=1), some.T

        def distances(block: slice) -> np.ndarray:
            return cast("np.ndarray", np.round(lengths - 2 * (own[block] @ turned).toarray(), DIGITS))
    else:
        from scipy.spatial.distance import cdist

        def distances(block: slice) -> np.ndarray:
            return cast("np.ndarray", cdist(own[block], some, "sqeuclidean"))

    near = nearest_of(distances, (test.shape[0], train.shape[0]), last=last)[:, 0]
    return errors(train, test, train[near])


def errors(train: Any, test: Any, predicted: Any) -> tuple[float, float]:
    """The two errors of `reconstruction` for any predictions (l, p) of the test rows (l, p), dense or CSR."""
    gaps = test - predicted
    if issparse(train):
        roots = np.sqrt(gaps.multiply(gaps).mean(axis=0))
        varied = (train.max(axis=0) - train.min(axis=0)).toarray().ravel() > 0
        variances = train.multiply(train).mean(axis=0) - train.mean(axis=0) ** 2
        deviations = np.sqrt(variances, where=varied, out=np.ones(len(varied)))
    else:
        roots = np.sqrt((gaps**2).mean(axis=0))
        varied, deviations = np.ptp(train, axis=0) > 0, train.std(axis=0)
    scaled = (roots[varied] / deviations[varied]).mean() if varied.any() else np.nan
    return float(roots.mean()), float(scaled)


def doublings(p: int) -> list[int]:
    """1, 2, 4, ... up to p, and p: numbers of features at which curves of errors are drawn."""
    p = whole("the number of features", p, 0)
    return sorted({*(2**j for j in range(p.bit_length())), p})


N_TREES = 100
ALLOWED = {  # the first one unless another is asked for
    CLASSIFICATION: ("accuracy", "f1", "macro_f1"),
    REGRESSION: ("rrmse",),
    MULTITARGET: ("rrmse",),
    MULTILABEL: ("auprc",),
    HIERARCHICAL: ("auprc",),
    SURVIVAL: ("concordance",),
}
EVALUATED = (*TASKS, SURVIVAL)
RECONSTRUCTION = "reconstruction"


@dataclass(frozen=True)
class Predictor:
    """truth (n, ...): the target as models take it, None without one.  known (n,) bool: rows whose target is known.
    complete (n,) bool: and without a gap.  measure: its name, and quality (truth, predicted) -> float."""

    task: str
    truth: np.ndarray | None
    known: np.ndarray
    complete: np.ndarray
    measure: str
    quality: Callable[..., float] | None

    @classmethod
    def read(cls, y: Any, task: str, n: int, measure: str | None) -> "Predictor":
        """Raises ValueError for an unknown task, a target of another shape, or a measure that is not of the task."""
        task = one_of("task", task, EVALUATED)
        if task == UNSUPERVISED:
            if measure is not None and not (isinstance(measure, str) and measure == RECONSTRUCTION):
                raise ValueError(f"without a target the measure is {RECONSTRUCTION}, not {shown(measure)}")
            return cls(task, None, np.ones(n, bool), np.ones(n, bool), RECONSTRUCTION, None)
        measure = ALLOWED[task][0] if measure is None else measure
        if not (isinstance(measure, str) and measure in ALLOWED[task]):
            raise ValueError(f"measures of {task} are {', '.join(ALLOWED[task])}, not {shown(measure)}")
        read = {SURVIVAL: _times, CLASSIFICATION: _classes}.get(task)
        truth = read(y, n) if read else read_numbers(y)
        if truth.shape[:1] != (n,) or truth.ndim != (1 if task in (CLASSIFICATION, REGRESSION) else 2):
            raise ValueError(f"y of {task} does not fit {n} rows: its shape is {np.shape(y)}")
        quality = MEASURES[measure].function
        if task == CLASSIFICATION:
            known = truth >= 0
            counts = np.bincount(truth[known])
            if measure == "f1" and len(counts) == 2:  # the same class for all folds
                quality = partial(f1, positive=int(counts[1] <= counts[0]))
            return cls(task, truth, known, known, measure, quality)
        gaps = np.isnan(truth).reshape(n, -1)
        return cls(task, truth, ~gaps.all(axis=1), ~gaps.any(axis=1), measure, quality)

    @property
    def strata(self) -> np.ndarray | None:
        """Codes (n,) that folds have equally often: classes, or whether there was an event; None: there are none."""
        truth = cast("np.ndarray", self.truth)
        return truth[:, 1] if self.task == SURVIVAL else truth if self.task == CLASSIFICATION else None

    def learned(self, rows: np.ndarray) -> np.ndarray:
        """The target of complete rows as models take it: of times, the martingale residuals."""
        truth: np.ndarray = cast("np.ndarray", self.truth)[rows]
        truth = truth[:, 0] if truth.shape[1:] == (1,) else truth  # models warn of a single column
        return martingale(truth[:, 0], truth[:, 1]) if self.task == SURVIVAL else truth

    @property
    def higher_is_better(self) -> bool:
        return self.measure != RECONSTRUCTION and MEASURES[self.measure].higher_is_better

    def model(self, random_state: int) -> Any:
        """Default model, unless an estimator is given; None: the nearest row."""
        if self.task == UNSUPERVISED:
            return None
        if self.task == CLASSIFICATION:
            from sklearn.linear_model import LogisticRegression

            return LogisticRegression(max_iter=1000)
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        kind = RandomForestClassifier if self.measure == "auprc" else RandomForestRegressor
        return kind(N_TREES, max_features="sqrt", random_state=random_state)

    def score(self, model: object, points: Any, columns: np.ndarray, train: np.ndarray, test: np.ndarray) -> float:
        """Quality of predictions of test rows by a clone of the model, learned from the training rows; NaN if nothing
        is known. It uses some columns of the points (n, q), dense or CSR."""
        from sklearn.base import clone

        if self.task == UNSUPERVISED:
            if model is None:
                return reconstruction(points[train], points[test], columns)[1]
            if sparse.issparse(points):
                raise ValueError("all features of a sparse table can be predicted by the nearest row only")
            fitted = clone(model).fit(_cells(points, train, columns), points[train])
            found = np.asarray(fitted.predict(_cells(points, test, columns)), float).reshape(len(test), -1)
            return errors(points[train], points[test], found)[1]
        train, test = train[self.complete[train]], test[self.known[test]]
        if not len(train) or not len(test):
            return float("nan")
        of_all, quality = cast("np.ndarray", self.truth), cast("Callable[..., float]", self.quality)
        truth = of_all[test]
        if self.task == CLASSIFICATION and (of_all[train] == of_all[train[0]]).all():
            return float(quality(truth, np.full(len(test), of_all[train[0]])))
        target = self.learned(train)
        target = target if self.measure != "auprc" else target.astype(int)
        fitted = clone(model).fit(_cells(points, train, columns), target)
        rows = _cells(points, test, columns)
        found = _label_scores(fitted, rows, truth.shape) if self.measure == "auprc" else fitted.predict(rows)
        shape = truth.shape[: 1 if self.task == SURVIVAL else None]
        return float(quality(truth, np.asarray(found).reshape(shape)))


def encoded(table: DataTable, rows: np.ndarray | None = None) -> tuple[Any, np.ndarray]:
    """Points (n, q), dense or CSR, and the features (q,) they belong to, see `Space.fit`, as all models take them."""
    space = Space.fit(table, rows=rows)
    points: Any = space.points
    if sparse.issparse(points) and points.nnz < 2**31:  # many models know no other indices
        indices = points.indices.astype(np.int32), points.indptr.astype(np.int32)
        points = sparse.csr_array((points.data, *indices), shape=points.shape)
    return points, space.owners


def _cells(points: Any, rows: np.ndarray, columns: np.ndarray) -> Any:
    """Some rows and columns; of dense points nothing else is copied."""
    return points[rows][:, columns] if sparse.issparse(points) else points[rows[:, None], columns]


def _times(y: object, n: int) -> np.ndarray:
    """Times and events (n, 2), NaN where they are unknown."""
    times, known = cast("tuple[Any, np.ndarray]", read_times(y, n, SURVIVAL))
    found = np.full((n, 2), np.nan)
    found[known] = times.columns[0]
    return found


def _classes(y: object, n: int) -> np.ndarray:
    """(n,) codes, -1 where y is unknown."""
    column = read_column(y, n)
    if not column.known.any():
        raise ValueError("y is unknown in all rows")
    return column.coded()[1]


def _label_scores(model: Any, points: object, shape: tuple[int, int]) -> np.ndarray:
    """Certainty of a model about every label: probabilities, decisions, or else predictions."""
    if not hasattr(model, "predict_proba"):
        found = model.decision_function(points) if hasattr(model, "decision_function") else model.predict(points)
        return np.asarray(found, float).reshape(shape)
    found = model.predict_proba(points)
    if not isinstance(found, list):
        if shape[1] > 1:
            return np.asarray(found, float)
        found, classes = [found], [model.classes_]
    else:
        classes = model.classes_
    out = np.zeros(shape)
    for label, (chances, values) in enumerate(zip(found, classes, strict=True)):
        out[:, label] = chances[:, np.asarray(values) == 1].sum(axis=1)
    return out


MAX_RUNS = 10**6  # runs
N_CLUSTERS = 8  # unless there are classes


def clustering_hypothesis(
    X: object,
    y: object,
    task: str = CLASSIFICATION,
    nominal: object = None,
    weights: object = None,
    n_runs: int = 5,
    random_state: int = 0,
) -> float:
    """Agreement of clusters of the rows with the target: about 0 not at all, 1 completely.

    For classes it is the adjusted Rand index of as many clusters as classes, which can be slightly negative. For
    numbers it is the share of variance that 8 clusters explain, the mean over several targets.  Features are
    standardized, values of nominal ones are columns.  It is NaN where no row has a target.
    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 7.

    Parameters
    ----------
    X, y, task, nominal
        As in `quality_curve`; rows with a gap in the target are clustered, but do not count.
    weights : (t,) array, optional
        Of several targets, 0 or more; None: equal.
    n_runs : int
        Number of runs of k-means, at least 1; the best run counts.
    """
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score
    from sklearn.preprocessing import StandardScaler

    if one_of("task", task, TASKS) == UNSUPERVISED:
        raise ValueError("there must be a target")
    n_runs, random_state = whole("n_runs", n_runs, 1, MAX_RUNS), whole("random_state", random_state, 0)
    table = DataTable.read(X, nominal)
    predictor = Predictor.read(y, task, table.shape[0], None)
    points, rows = encoded(table)[0], np.flatnonzero(predictor.complete)
    # k-means does not mind means, and sparse columns stay sparse.
    points = StandardScaler(with_mean=not sparse.issparse(points)).fit_transform(points)
    truth = cast("np.ndarray", predictor.truth)[rows].reshape(len(rows), -1)
    weights = np.ones(truth.shape[1]) if weights is None else floats(weights, "weights")
    if weights.shape != truth.shape[1:] or not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError(
            f"weights must be one number from 0 for each of {truth.shape[1]} targets, not {shown(weights)}"
        )
    if not len(rows):
        return float("nan")
    k = len(np.unique(truth)) if task == CLASSIFICATION else N_CLUSTERS
    found = []
    for seed in np.random.SeedSequence(random_state).generate_state(n_runs):
        seed = int(seed) % 2**31
        clusters = KMeans(min(k, points.shape[0]), n_init=1, random_state=seed).fit_predict(points)[rows]
        if task == CLASSIFICATION:
            found.append(float(adjusted_rand_score(truth[:, 0], clusters)))
        else:
            found.append(explained(truth, clusters, weights))
    return max(found)


def explained(values: np.ndarray, clusters: np.ndarray, weights: np.ndarray) -> float:
    """Share of the variance of the values (n, t) that lies between clusters (n,): mean by the weights (t,) over the
    columns that have any; NaN if none has."""
    varied = (np.ptp(values, axis=0) > 0) & (weights > 0)
    if not varied.any():
        return float("nan")
    values, weights = values[:, varied], weights[varied]
    rest = np.zeros(len(weights))
    for cluster in np.unique(clusters):
        own = values[clusters == cluster]
        rest += ((own - own.mean(axis=0)) ** 2).sum(axis=0)
    shares = 1 - rest / ((values - values.mean(axis=0)) ** 2).sum(axis=0)
    return float(shares @ weights / weights.sum())
