"""Measures of predictions by their names, as `quality_curve` takes them; those of classes are scikit-learn's.

`Predictor` reads one of `MEASURES`.  scikit-learn is imported when one of its measures is computed.
"""

from collections.abc import Callable
from dataclasses import dataclass

from .label_measures import auprc, micro_f1
from .number_measures import rrmse
from .survival_measures import concordance


@dataclass(frozen=True)
class Measure:
    """Measure of predictions: ``function(truth, predicted)`` -> float."""

    function: Callable[..., float]
    higher_is_better: bool


def accuracy(truth: object, predicted: object) -> float:
    """Compute the share of the rows whose class is predicted."""
    from sklearn.metrics import accuracy_score

    return float(accuracy_score(truth, predicted))


def f1(truth: object, predicted: object, positive: object = None) -> float:
    """Compute F1 of one class, 2 tp / (2 tp + fp + fn), or the mean F1 of all classes; that of 0 / 0 is 0.

    Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.

    Parameters
    ----------
    truth, predicted : (n,) arrays
        Classes.
    positive : object, optional
        The class that counts.  None: each class that occurs in truth or among the predictions.
    """
    from sklearn.metrics import f1_score

    labels = None if positive is None else [positive]
    return float(f1_score(truth, predicted, labels=labels, average="macro", zero_division=0))


MEASURES = {
    "accuracy": Measure(accuracy, True),
    "f1": Measure(f1, True),
    "macro_f1": Measure(f1, True),
    "rrmse": Measure(rrmse, False),
    "auprc": Measure(auprc, True),
    "micro_f1": Measure(micro_f1, True),
    "concordance": Measure(lambda truth, risk: concordance(truth[:, 0], truth[:, 1], risk), True),
}
