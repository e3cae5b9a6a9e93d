"""Recipes of the Relief family for features that are ranked as one: `feature_groups` of `rank`.

`check_call` replaces the method of a call by `with_groups` where features have groups.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from ..data.feature_groups import ARGUMENT, FeatureGroups
from ..relief.formats.distance import MANHATTAN
from ..targets.targets import Target
from .base import CONVERGE, Method, MethodInput, MethodResult, TargetResult
from .recipe import Recipe
from .registry import METHODS
from .traits import Traits

ERRORS = "standard_errors"  # entry of `info`, which has one for each feature


@dataclass(frozen=True, kw_only=True)
class GroupedRecipe(Recipe):
    """A recipe whose scores are those of groups of features.

    The difference of rows i and j in a group G of s_G features is the mean of those in its features, and their distance
    is the sum over the groups, so that each group counts as one:

        diff_G(i, j) = 1 / s_G  sum over f in G of diff_f(i, j),      d(i, j) = sum over G of diff_G(i, j).

    This is the sum over the features with weights 1 / s_G.  The score of the recipe is linear in the differences, if
    the pairs that count and their weights are given.  So the score of a group is the mean of the scores of its features
    under this distance.  If missing values are ignored, d is the weighted mean over the features that both rows have,
    times the number of groups, and each feature is scored by the pairs that have it, before the mean is taken.

    `ResidualProducts` balances its two parts by a sample of features, where groups count by their size.

    Parameters
    ----------
    groups : FeatureGroups
        Groups of the features.
    """

    groups: FeatureGroups

    @classmethod
    def of(cls, recipe: Recipe, groups: FeatureGroups) -> "GroupedRecipe":
        """Recipe that ranks groups by the pairs and the weights of another one."""
        content = {field.name: getattr(recipe, field.name) for field in fields(recipe)}
        return cls(**content, groups=groups)

    @cached_property
    def traits(self) -> Traits:
        """Traits of the recipe; features with weights are not of few bytes."""
        return replace(super().traits, narrow=False)

    def check(self, options: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        parameters = super().check(options, known)
        if parameters.get("distance", MANHATTAN) != MANHATTAN:
            raise ValueError(
                f'{ARGUMENT} and distance="{parameters["distance"]}" exclude each other: use "{MANHATTAN}"'
            )
        if parameters.get("n_instances") == CONVERGE:
            raise ValueError(f'{ARGUMENT} and n_instances="{CONVERGE}" exclude each other: give a number of rows')
        return parameters

    def run(self, data: MethodInput[Any]) -> Iterator[MethodResult]:
        for result in super().run(self._with_weights(data)):
            yield self._of_groups(result)

    def for_targets(self, data: MethodInput[Any], targets: Iterable[Target]) -> Iterator[TargetResult]:
        """Yield the result for each target. Spreads over random orders have no closed form for groups."""
        for_groups = (target.for_features(len(self.groups.names)) for target in targets)
        for scored in super().for_targets(self._with_weights(data), for_groups):
            yield TargetResult(self._of_groups(scored.result))

    def adds_up(self, parameters: Mapping[str, Any], target: Target | None = None) -> bool:
        return False

    def has_every_k(self, parameters: Mapping[str, Any]) -> bool:
        return False

    def _with_weights(self, data: MethodInput[Any]) -> MethodInput[Any]:
        """Return the input whose features have the weights of groups that count as one each."""
        target = data.target.for_features(len(self.groups.names))
        return replace(data, target=target, feature_weights=self.groups.feature_weights)

    def _of_groups(self, result: MethodResult) -> MethodResult:
        """Return the result with the means of the scores over the features of each group."""
        per_target = None if result.per_target is None else self.groups.means(result.per_target)
        info = {name: value for name, value in result.info.items() if name != ERRORS}
        return replace(result, scores=self.groups.means(result.scores), per_target=per_target, info=info, quantities=())


def takes_feature_groups(method: object) -> bool:
    """True for recipes whose scores are linear in the differences, once the pairs and their weights are given.

    Not so if a difference counts above the mean of its pair (ReliefMSS), if neighbours count by the number of the
    features that they share with the row (EReliefF), and if each feature has its own number of neighbours (ReliefSeq).
    """
    return type(method) is Recipe and method.update.is_linear_in_diffs


def with_groups(method: Method[Any], groups: FeatureGroups, task: str) -> Method[Any]:
    """Return a method that ranks groups of features; the same one if each group has one feature.

    Raises ValueError for a method whose scores are not linear in the differences of features.
    """
    check_takes_groups(method, task)
    return method if groups.are_single else GroupedRecipe.of(cast("Recipe", method), groups)


def check_takes_groups(method: Method[Any], task: str | None = None) -> None:
    """Raise ValueError for a method that cannot rank groups of features, with those for a task, or any, that can."""
    if takes_feature_groups(method):
        return
    able = [
        name
        for name, candidate in METHODS.items()
        if takes_feature_groups(candidate) and (task is None or task in candidate.tasks)
    ]
    advice = f"rank by one of {', '.join(able)}" if able else "leave them out"
    raise ValueError(f"{method.title} takes no {ARGUMENT}: {advice}")
