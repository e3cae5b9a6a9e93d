"""Predictions by a few features: of all features, by the nearest row, or of a target, by a model.

Also whether near rows have similar targets, without which unlabelled rows cannot help."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import one_of
from ..data.table import DataTable
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
from .class_measures import f1
from .measures import MEASURES
from .reconstruction import errors, reconstruction
from .space import Space

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
