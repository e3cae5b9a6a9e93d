"""Quality of the predictions of a learner of Orange in one fold."""

from collections.abc import Callable

import numpy as np
from Orange.base import Learner, Model
from Orange.data import Domain, Table

from ..problem import SURVIVAL


def in_fold(learner: Learner, table: Table, predictor, fold) -> Callable[[np.ndarray], float]:
    """Quality of predictions of test rows from some features of a table (indices), learned from training rows;
    predictor: a `Predictor` of the core."""
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
        if predictor.task == SURVIVAL:  # a risk of each row
            return found.reshape(len(truth), -1)[:, 0]
        if predictor.task != "classification":
            return found.reshape(truth.shape)
        values = np.unique(table.Y[~np.isnan(table.Y)])
        return np.searchsorted(values, found)

    return quality
