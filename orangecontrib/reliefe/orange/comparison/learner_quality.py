"""Quality of the predictions of a learner of Orange in one fold; `quality_job` calls it if a learner is connected."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from Orange.base import Learner, Model
from Orange.data import Domain, Table

from ..problem import SURVIVAL

if TYPE_CHECKING:
    from ...core.evaluation.predictors import Predictor


def in_fold(
    learner: Learner, table: Table, predictor: "Predictor", fold: tuple[np.ndarray, np.ndarray]
) -> Callable[[np.ndarray], float]:
    """Make a function that measures features in a fold.

    Parameters
    ----------
    learner : Learner
        Learner of Orange.
    table : Table
        The data.
    predictor : Predictor
        Target and measure.
    fold : (int array, int array)
        Indices of training rows and of test rows.

    Returns
    -------
    callable
        From indices of features to the quality of predictions of the test rows.
    """
    train = np.asarray(fold[0], np.intp)
    test = np.asarray(fold[1], np.intp)
    train = train[predictor.complete[train]]
    test = test[predictor.known[test]]
    domain = table.domain

    def quality(features: np.ndarray) -> float:
        if not len(train) or not len(test):
            return float("nan")
        chosen = Domain([domain.attributes[j] for j in features], domain.class_vars)
        model = learner(table[train].transform(chosen))
        return float(predictor.quality(predictor.truth[test], _predicted(model, table[test].transform(chosen))))

    def _predicted(model: Model, rows: Table) -> np.ndarray:
        """Predictions in the form of the truth."""
        truth = predictor.truth[test]
        if predictor.has_labels:
            probabilities: np.ndarray = np.asarray(model(rows, Model.Probs), float)[:, :, 1]
            return probabilities.reshape(truth.shape)
        predicted: np.ndarray = np.asarray(model(rows), float)
        if predictor.task == SURVIVAL:  # risks of the rows
            risks: np.ndarray = predicted.reshape(len(truth), -1)[:, 0]
            return risks
        if predictor.task != "classification":
            return predicted.reshape(truth.shape)
        occurring = np.unique(table.Y[~np.isnan(table.Y)])
        return np.searchsorted(occurring, predicted)

    return quality
