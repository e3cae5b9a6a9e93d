"""Features that are ranked as one: whether the method can do so.

The step of `Request.check` between the choice of the method and the problem.
"""

from dataclasses import replace
from typing import Any, cast

from ..data.feature_groups import ARGUMENT, FeatureGroups
from ..methods.base import Method
from ..methods.grouped import GroupedRecipe, takes_feature_groups
from ..methods.recipe import Recipe
from ..methods.registry import METHODS
from .problem import Choice


def group_features(choice: Choice, groups: FeatureGroups | None) -> Choice:
    """Replace the method by one that ranks groups of features, if there are any of two features or more.

    Raises ValueError for a method whose scores are not linear in the differences of features.
    """
    if groups is None:
        return choice
    method = choice.method
    check_takes_groups(method, choice.read.target.task)
    if groups.are_single:
        return choice
    return replace(choice, method=GroupedRecipe.of(cast("Recipe", method), groups))


def check_takes_groups(method: Method[Any], task: str | None = None) -> None:
    """Raise ValueError for a method that cannot rank groups of features, with those for a task, or any, that can."""
    if takes_feature_groups(method):
        return
    able = [
        name for name, other in METHODS.items() if takes_feature_groups(other) and (task is None or task in other.tasks)
    ]
    advice = f"rank by one of {', '.join(able)}" if able else "leave them out"
    raise ValueError(f"{method.title} takes no {ARGUMENT}: {advice}")
