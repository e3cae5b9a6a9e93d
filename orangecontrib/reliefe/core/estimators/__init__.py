"""The methods behind scikit-learn's interface: rankers that select features, and forests that predict."""

from .forests import ForestClassifier, ForestRegressor
from .rankers import ForestRanker, ReliefRanker

__all__ = ["ForestClassifier", "ForestRanker", "ForestRegressor", "ReliefRanker"]
