"""The methods behind scikit-learn's interface: rankers that select features, and forests that predict.

Each method is a ranker of its own, too, with its parameters as arguments: ``ReliefF(n_neighbors=20)``, ``MultiSURF()``,
``SSLRelief()``.  `fit` raises ValueError or TypeError as `rank` does.
"""

from typing import Any

from ..methods.registry import METHODS, make_class, method_of_class
from ..words import class_name
from .forests import ForestClassifier, ForestRegressor
from .rankers import ForestRanker, MethodRanker, ReliefRanker

__all__ = ["ForestClassifier", "ForestRanker", "ForestRegressor", "ReliefRanker"]

SETTINGS = {"n_features_to_select": None, "nominal": None, "task": None, "random_state": 0, "n_jobs": None}


def __getattr__(name: str) -> Any:
    """The ranker of a method, made when it is first asked for; pickles find it under its name."""
    globals()[name] = make_class(method_of_class(name, __name__), MethodRanker, __name__, SETTINGS)
    return globals()[name]


def __dir__() -> list[str]:
    return [*__all__, *(class_name(method.title) for method in METHODS.values())]
