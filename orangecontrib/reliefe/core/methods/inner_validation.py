"""Inner cross-validation: choice of parameters by how well a model predicts labelled rows that were left out.

`tuned_neighbours` (SSL-Relief) and `tuned_supervision` (trees) call `cross_validated` with a function that trains on
some rows and tests on others. The labelled rows are cut into four folds. A model of three folds, with all unlabelled
rows, predicts the fourth. Its quality is macro F1 of classes, the negative relative root mean squared error of numbers,
or the area under the pooled precision-recall curve of labels.

References
----------
Petkovic, Dzeroski and Kocev (2023), Feature ranking for semi-supervised learning, section 6.
"""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from ..evaluation import MEASURES, folds, mean, vote
from ..targets.targets import Target
from ..work.threads import Work

MIN_LABELLED = 20  # labelled rows below which nothing can be chosen; chosen by eye
N_FOLDS = 4  # of the paper
MACRO_F1 = MEASURES["macro_f1"].function
AUPRC = MEASURES["auprc"].function
RRMSE = MEASURES["rrmse"].function

Choice = TypeVar("Choice")
Tried = tuple[tuple[Choice, float], ...]  # choices with their quality, higher is better


def cross_validated(
    target: Target,
    qualities: Callable[[np.ndarray, np.ndarray], np.ndarray],
    random_state: int,
    work: Work,
    groups: np.ndarray | None = None,
) -> np.ndarray:
    """Qualities of c choices in each fold of the labelled rows.

    Parameters
    ----------
    target : Target
        Target of n rows, by whose classes folds are stratified.
    qualities : callable
        Called with indices of training rows and of test rows; returns the qualities (c,) of the choices.
    random_state : int
        Seed of the folds.
    work : Work
        Its present stage is divided by the folds.
    groups : (n,) array, optional
        Codes of groups, whose rows are in one fold.

    Returns
    -------
    (folds, c) float64 array
        Qualities; empty, of shape (0, 0), if there are too few labelled rows or groups.
    """
    rows = np.flatnonzero(target.labelled)
    classes = None if target.inner.groups is None else target.inner.groups[rows]
    groups_of_rows = None if groups is None else groups[rows]
    has_few_groups = groups_of_rows is not None and len(np.unique(groups_of_rows)) < N_FOLDS
    if len(rows) < MIN_LABELLED or has_few_groups:
        return np.empty((0, 0))
    splits = folds(len(rows), N_FOLDS, random_state, classes, groups_of_rows)
    by_fold = []
    for fold in work.split(N_FOLDS):
        train, test = splits[fold]
        by_fold.append(qualities(rows[train], rows[test]))
    return np.array(by_fold)


def quality(truth: Target, predicted: np.ndarray) -> float:
    """Quality of predictions (n, t) of the t columns of a target; higher is better.

    It is the mean over the columns; unknown and unpredicted values are left out.
    """
    if truth.label_matrix is not None:
        return float(np.nan_to_num(AUPRC(truth.label_matrix, np.nan_to_num(predicted))))
    qualities = []
    columns, are_nominal = truth.columns
    for column, is_nominal, prediction in zip(columns.T, are_nominal, predicted.T, strict=True):
        rows = ~np.isnan(column) & ~np.isnan(prediction)
        if rows.any() and is_nominal:
            qualities.append(MACRO_F1(column[rows], prediction[rows]))
        elif rows.any():
            qualities.append(-RRMSE(column[rows], prediction[rows]))
    return float(np.nanmean(qualities)) if qualities and not np.isnan(qualities).all() else 0.0


def predicted_by_neighbours(target: Target, neighbours: np.ndarray) -> np.ndarray:
    """Predictions (m, t): the vote of neighbours for classes, and their mean for numbers and labels.

    Parameters
    ----------
    target : Target
        Target of n rows.
    neighbours : (m, k) int array
        Indices of the neighbours of m rows.
    """
    if target.label_matrix is not None:
        return mean(target.label_matrix, neighbours)
    predictions = []
    columns, are_nominal = target.columns
    for column, is_nominal in zip(columns.T, are_nominal, strict=True):
        if is_nominal:
            codes = vote(np.where(np.isnan(column), -1, column).astype(int), neighbours)
            predictions.append(np.where(codes < 0, np.nan, codes))
        else:
            predictions.append(mean(column, neighbours))
    return np.column_stack(predictions)


def too_few(parameters: str) -> str:
    """Message for users if parameters could not be chosen."""
    return f"fewer than {MIN_LABELLED} rows are labelled: too few to choose {parameters} by cross-validation"
