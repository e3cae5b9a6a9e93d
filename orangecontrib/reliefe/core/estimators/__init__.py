"""The methods behind scikit-learn's interface: rankers that select features, and forests that predict.

Each method is a ranker of its own, too, with its parameters as arguments: ``ReliefF(n_neighbors=20)``, ``MultiSURF()``,
``SSLRelief()``.  `fit` raises ValueError or TypeError as `rank` does.
"""

from typing import Any

from ..methods.registry import METHODS, method_of_class
from ..words import class_name
from .forests import ForestClassifier, ForestRegressor
from .named import expected_failed_checks, ranker_class
from .rankers import ForestRanker, ReliefRanker

__all__ = [
    "ForestClassifier",
    "ForestRanker",
    "ForestRegressor",
    "ReliefRanker",
    "expected_failed_checks",
    *(class_name(method.title) for method in METHODS.values()),
]


def __getattr__(name: str) -> Any:
    """The ranker of a method, made when it is first asked for; pickles find it under its name."""
    globals()[name] = ranker_class(method_of_class(name, __name__), __name__)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*__all__, *(class_name(method.title) for method in METHODS.values())})
