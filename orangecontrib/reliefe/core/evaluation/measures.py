"""Table of the measures of predictions by their names, as `quality_curve` takes them."""

from collections.abc import Callable
from dataclasses import dataclass

from .class_measures import accuracy, f1, macro_f1
from .label_measures import auprc, micro_f1
from .number_measures import rrmse
from .survival_measures import concordance


@dataclass(frozen=True)
class Measure:
    """Measure of predictions: ``function(truth, predicted)`` -> float."""

    function: Callable[..., float]
    higher_is_better: bool


MEASURES = {
    "accuracy": Measure(accuracy, True),
    "f1": Measure(f1, True),
    "macro_f1": Measure(macro_f1, True),
    "rrmse": Measure(rrmse, False),
    "auprc": Measure(auprc, True),
    "micro_f1": Measure(micro_f1, True),
    "concordance": Measure(lambda truth, risk: concordance(truth[:, 0], truth[:, 1], risk), True),
}
