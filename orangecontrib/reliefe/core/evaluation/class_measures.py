"""Measures of predicted classes."""

import numpy as np

from ..data.arrays import cells, groups_of, unknown
from ..words import shown


def accuracy(truth: object, predicted: object) -> float:
    """Share of the rows whose class is predicted.

    Parameters: those of `f1`.
    """
    truth, predicted = _classes(truth, predicted)
    return float((truth == predicted).mean())


def f1(truth: object, predicted: object, positive: object = None) -> float:
    """F1 of one class: 2 tp / (2 tp + fp + fn), 0 for 0 / 0; with more than two classes, and none given, `macro_f1`.

    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.

    Parameters
    ----------
    truth, predicted : (n,) arrays
        Classes, any values that can be sorted.
    positive : object, optional
        The class that counts; None: the one that is rarer in truth, the last of equally rare ones.  Folds should all be
        given the same one.
    """
    truth, predicted = _classes(truth, predicted)
    if np.ndim(cells(positive, "positive")):
        raise TypeError(f"positive must be one class, not {shown(positive)}")
    if positive is not None and unknown(np.array([positive], object)).any():
        raise ValueError("positive must be a known class")
    if positive is None:
        values, codes = np.unique(np.concatenate([truth, predicted]), return_inverse=True)
        if len(values) > 2:
            return macro_f1(truth, predicted)
        counts = np.bincount(codes.ravel()[: len(truth)], minlength=len(values))
        positive = values[len(values) - 1 - counts[::-1].argmin()]
    true, found = truth == positive, predicted == positive
    both, each = np.count_nonzero(true & found), np.count_nonzero(true) + np.count_nonzero(found)
    return 2 * both / each if each else 0.0


def macro_f1(truth: object, predicted: object) -> float:
    """Mean of F1 over the classes that occur in truth or among the predictions.

    Parameters: those of `f1`.
    """
    truth, predicted = _classes(truth, predicted)
    values, codes = np.unique(np.concatenate([truth, predicted]), return_inverse=True)
    a, b = codes.ravel()[: len(truth)], codes.ravel()[len(truth) :]
    both = np.bincount(a[a == b], minlength=len(values))
    return float((2 * both / np.bincount(codes.ravel())).mean())


def _classes(truth: object, predicted: object) -> tuple[np.ndarray, np.ndarray]:
    truth, predicted = cells(truth, "truth"), cells(predicted, "predicted")
    if truth.ndim != 1 or truth.shape != predicted.shape or not len(truth):
        raise ValueError(f"truth and predicted must be (n,), n > 0, not {truth.shape} and {predicted.shape}")
    for name, values in (("truth", truth), ("predicted", predicted)):
        if values.dtype.kind in "fO" and unknown(values).any():
            raise ValueError(f"{name} has unknown values")
    kinds = {truth.dtype.kind, predicted.dtype.kind}
    if len(kinds) == 2 and kinds & set("mM"):
        raise ValueError(f"truth and predicted must be of one kind, not {truth.dtype} and {predicted.dtype}")
    groups_of(np.concatenate([truth, predicted]), 2 * len(truth), "classes")
    return truth, predicted
