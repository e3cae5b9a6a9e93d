"""Measures of predicted classes: accuracy and F1."""

import numpy as np

from ..data.arrays import cells, unknown
from ..data.chosen_rows import groups_of
from ..words import shown


def accuracy(truth: object, predicted: object) -> float:
    """Compute the share of the rows whose class is predicted.

    Parameters: those of `f1`.
    """
    truth, predicted = _classes(truth, predicted)
    return float((truth == predicted).mean())


def f1(truth: object, predicted: object, positive: object = None) -> float:
    """Compute F1 of one class: 2 tp / (2 tp + fp + fn), and 0 for 0 / 0.

    With more than two classes, and none given, it is `macro_f1`.

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
    is_true = truth == positive
    is_predicted = predicted == positive
    n_hits = np.count_nonzero(is_true & is_predicted)
    n_both = np.count_nonzero(is_true) + np.count_nonzero(is_predicted)
    return 2 * n_hits / n_both if n_both else 0.0


def macro_f1(truth: object, predicted: object) -> float:
    """Average F1 over the classes that occur in truth or among the predictions.

    Parameters: those of `f1`.
    """
    truth, predicted = _classes(truth, predicted)
    values, codes = np.unique(np.concatenate([truth, predicted]), return_inverse=True)
    codes = codes.ravel()
    true_codes = codes[: len(truth)]
    predicted_codes = codes[len(truth) :]
    n_hits = np.bincount(true_codes[true_codes == predicted_codes], minlength=len(values))
    return float((2 * n_hits / np.bincount(codes)).mean())


def _classes(truth: object, predicted: object) -> tuple[np.ndarray, np.ndarray]:
    """Read known classes of the same rows; raises ValueError for others."""
    truth = cells(truth, "truth")
    predicted = cells(predicted, "predicted")
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
