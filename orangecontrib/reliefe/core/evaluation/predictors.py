"""Predictions of a target by a model, as they measure the best features of a ranking.

`setting` reads a `Predictor`, and `trial` scores features by it.  Without a target all features are reconstructed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import one_of
from ..data.table import DataTable
from ..studies.cox_model import martingale
from ..targets.columns import read_column, read_numbers
from ..targets.facts import nothing_known
from ..targets.tasks import (
    CLASSIFICATION,
    HIERARCHICAL,
    MULTILABEL,
    MULTITARGET,
    REGRESSION,
    SURVIVAL,
    TASKS,
    UNSUPERVISED,
)
from ..targets.times_reader import read_times
from ..words import shown
from .measures import MEASURES, f1
from .reconstruction import errors, reconstruction
from .space import RowSpace

N_TREES = 100  # trees of a random forest, as is the default of scikit-learn
LABEL_MEASURES = ("auprc", "micro_f1")  # of certainties of labels
# Measures of each task; the first one is the default
ALLOWED = {
    CLASSIFICATION: ("accuracy", "f1", "macro_f1"),
    REGRESSION: ("rrmse",),
    MULTITARGET: ("rrmse",),
    MULTILABEL: LABEL_MEASURES,
    HIERARCHICAL: LABEL_MEASURES,
    SURVIVAL: ("concordance",),
}
EVALUATED = (*TASKS, SURVIVAL)
RECONSTRUCTION = "reconstruction"  # measure without a target


@dataclass(frozen=True)
class Predictor:
    """Target of a task, and how predictions of it are measured.

    Attributes
    ----------
    task : str
        One of `EVALUATED`.
    truth : (n, ...) array, optional
        The target as models take it; None without one.
    known : (n,) bool array
        Rows with a known target; with several targets at least one is known.
    complete : (n,) bool array
        Rows whose targets are all known.
    measure : str
        Name of the measure.
    quality : callable, optional
        ``quality(truth, predicted)`` -> float; None without a target.
    """

    task: str
    truth: np.ndarray | None
    known: np.ndarray
    complete: np.ndarray
    measure: str
    quality: Callable[..., float] | None

    @classmethod
    def read(cls, y: Any, task: str, n: int, measure: str | None) -> "Predictor":
        """Read the target y of n rows; measure: None for the default of the task.

        Raises ValueError for an unknown task, a target of another shape, or a measure that is not of the task.
        """
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
            is_known = truth >= 0
            counts = np.bincount(truth[is_known])
            if measure == "f1" and len(counts) == 2:  # the same class for all folds
                quality = partial(f1, positive=int(counts[1] <= counts[0]))
            return cls(task, truth, is_known, is_known, measure, quality)
        is_missing = np.isnan(truth).reshape(n, -1)
        return cls(task, truth, ~is_missing.all(axis=1), ~is_missing.any(axis=1), measure, quality)

    @property
    def strata(self) -> np.ndarray | None:
        """Codes (n,) by which folds are stratified: classes, or events; None for other tasks."""
        truth = cast("np.ndarray", self.truth)
        if self.task == SURVIVAL:
            return truth[:, 1]
        return truth if self.task == CLASSIFICATION else None

    def learned(self, rows: np.ndarray) -> np.ndarray:
        """Select the target of complete rows as models learn it: of times, the martingale residuals."""
        truth: np.ndarray = cast("np.ndarray", self.truth)[rows]
        truth = truth[:, 0] if truth.shape[1:] == (1,) else truth  # models warn of a single column
        return martingale(truth[:, 0], truth[:, 1]) if self.task == SURVIVAL else truth

    @property
    def has_labels(self) -> bool:
        """True if certainties of labels are measured."""
        return self.measure in LABEL_MEASURES

    @property
    def higher_is_better(self) -> bool:
        """False for errors."""
        return self.measure != RECONSTRUCTION and MEASURES[self.measure].higher_is_better

    def model(self, random_state: int) -> Any:
        """Make the default model of the task; None: the nearest row."""
        if self.task == UNSUPERVISED:
            return None
        if self.task == CLASSIFICATION:
            from sklearn.linear_model import LogisticRegression

            return LogisticRegression(max_iter=1000)
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        kind = RandomForestClassifier if self.has_labels else RandomForestRegressor
        return kind(N_TREES, max_features="sqrt", random_state=random_state)

    def score(self, model: object, points: Any, columns: np.ndarray, train: np.ndarray, test: np.ndarray) -> float:
        """Measure the predictions of the test rows by a clone of the model, fitted to the training rows.

        Parameters
        ----------
        model : estimator or None
            Model of scikit-learn; None: the nearest row, without a target.
        points : (n, q) array, or CSR
            All rows as points.
        columns : (c,) int array
            The columns that predict.
        train, test : int arrays
            Rows.

        Returns
        -------
        float
            The quality; NaN if the targets of all training rows, or of all test rows, are unknown.
        """
        from sklearn.base import clone

        if self.task == UNSUPERVISED:
            return _reconstruct(model, points, columns, train, test)
        train = train[self.complete[train]]
        test = test[self.known[test]]
        if not len(train) or not len(test):
            return float("nan")
        target = cast("np.ndarray", self.truth)
        quality = cast("Callable[..., float]", self.quality)
        truth = target[test]
        if self.task == CLASSIFICATION and (target[train] == target[train[0]]).all():
            return float(quality(truth, np.full(len(test), target[train[0]])))
        learned = self.learned(train)
        if self.has_labels:
            learned = learned.astype(int)
        fitted = clone(model).fit(_cells(points, train, columns), learned)
        rows = _cells(points, test, columns)
        predicted = _label_scores(fitted, rows, truth.shape) if self.has_labels else fitted.predict(rows)
        shape = truth.shape[:1] if self.task == SURVIVAL else truth.shape
        return float(quality(truth, np.asarray(predicted).reshape(shape)))


def _reconstruct(model: object, points: Any, columns: np.ndarray, train: np.ndarray, test: np.ndarray) -> float:
    """Measure the scale-free error of all columns of the test rows; parameters as in `Predictor.score`."""
    from sklearn.base import clone

    if model is None:
        return reconstruction(points[train], points[test], columns)[1]
    if sparse.issparse(points):
        raise ValueError("all features of a sparse table can be predicted by the nearest row only")
    fitted = clone(model).fit(_cells(points, train, columns), points[train])
    predicted = np.asarray(fitted.predict(_cells(points, test, columns)), float).reshape(len(test), -1)
    return errors(points[train], points[test], predicted)[1]


def encoded(table: DataTable, rows: np.ndarray | None = None) -> tuple[Any, np.ndarray]:
    """Encode all rows as points (n, q), dense or CSR, as models take them; also returns the feature of each column.

    rows: those whose means and ranges are used, see `RowSpace.fit`.
    """
    space = RowSpace.fit(table, rows=rows)
    points: Any = space.points
    if sparse.issparse(points) and points.nnz < 2**31:  # many models know no other indices
        indices = points.indices.astype(np.int32)
        indptr = points.indptr.astype(np.int32)
        points = sparse.csr_array((points.data, indices, indptr), shape=points.shape)
    return points, space.owners


def _cells(points: Any, rows: np.ndarray, columns: np.ndarray) -> Any:
    """Copy some rows and columns of points; of dense ones nothing else is copied."""
    return points[rows][:, columns] if sparse.issparse(points) else points[rows[:, None], columns]


def _times(y: object, n: int) -> np.ndarray:
    """Read times and events (n, 2), NaN where they are unknown."""
    times, is_known = cast("tuple[Any, np.ndarray]", read_times(y, n, SURVIVAL))
    table = np.full((n, 2), np.nan)
    table[is_known] = times.columns[0]
    return table


def _classes(y: object, n: int) -> np.ndarray:
    """Read classes as codes (n,), -1 where y is unknown."""
    column = read_column(y, n)
    if not column.known.any():
        raise ValueError(nothing_known())
    return column.coded()[1]


def _label_scores(model: Any, points: object, shape: tuple[int, int]) -> np.ndarray:
    """Compute the certainty (m, L) of a model about every label: probabilities, decisions, or else predictions."""
    if not hasattr(model, "predict_proba"):
        scores = model.decision_function(points) if hasattr(model, "decision_function") else model.predict(points)
        return np.asarray(scores, float).reshape(shape)
    probabilities = model.predict_proba(points)
    if isinstance(probabilities, list):
        # One table for each label, as of random forests.
        by_label = probabilities
        classes_by_label = model.classes_
    elif shape[1] > 1:
        # One column for each label, as of multi-layer perceptrons.
        return np.asarray(probabilities, float)
    else:
        by_label = [probabilities]
        classes_by_label = [model.classes_]
    certainties = np.zeros(shape)
    for label, (table, classes) in enumerate(zip(by_label, classes_by_label, strict=True)):
        certainties[:, label] = table[:, np.asarray(classes) == 1].sum(axis=1)
    return certainties
