"""Orange's learners and scorers inside folds: whatever they do wrong costs what it touches, and is told.

Knows nothing of widgets.
"""

from collections.abc import Callable

import numpy as np
from Orange.base import Learner, Model
from Orange.data import Domain, Table
from Orange.data.table import DomainTransformationError
from Orange.preprocess.score import Scorer

# What learners and scorers of all kinds raise for data that they cannot take.
FAILURES = (
    ValueError, TypeError, ArithmeticError, LookupError, AttributeError, RuntimeError, MemoryError, ImportError,
    OSError, DomainTransformationError,
)  # fmt: skip


def scores_of(scorer: Scorer, table: Table) -> np.ndarray:
    """(p,) scores of the features of a table; unknown ones are the worst; the mean where there are several rows."""
    found = scorer.score_data(table) if isinstance(scorer, Learner) else scorer(table)
    found = np.asarray(found, float)
    found = found.mean(axis=0) if found.ndim == 2 else found
    if found.shape != (len(table.domain.attributes),):
        raise ValueError(f"{found.shape} scores for {len(table.domain.attributes)} features")
    return np.where(np.isnan(found), -np.inf, found)


def in_fold(learner: Learner, table: Table, predictor, fold) -> Callable[[np.ndarray], float]:
    """Quality of predictions of test rows by some features of a table (indices), after learning from training
    rows; predictor: a `Predictor` of the core that has read the target."""
    train, test = (np.asarray(rows, np.intp) for rows in fold)
    train, test = train[predictor.complete[train]], test[predictor.known[test]]
    domain = table.domain

    def quality(features: np.ndarray) -> float:
        if not len(train) or not len(test):
            return float("nan")
        chosen = Domain([domain.attributes[j] for j in features], domain.class_vars)
        model = learner(table[train].transform(chosen))
        return float(predictor.quality(predictor.truth[test], _predicted(model, table[test].transform(chosen))))

    def _predicted(model: Model, rows: Table) -> np.ndarray:
        truth = predictor.truth[test]
        if predictor.measure == "auprc":
            return np.asarray(model(rows, Model.Probs), float)[:, :, 1].reshape(truth.shape)
        found = np.asarray(model(rows), float)
        if predictor.task != "classification":
            return found.reshape(truth.shape)
        values = np.unique(table.Y[~np.isnan(table.Y)])
        return np.searchsorted(values, found)

    return quality
