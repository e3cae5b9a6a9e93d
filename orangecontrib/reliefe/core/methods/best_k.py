"""Recipes that choose the number of neighbours of each feature, as ReliefSeq does; `relief_family` lists them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from ..info import Info, InfoEntry
from ..relief.diagnostics import describe_run
from ..relief.every_k import scores_of_every_k
from ..relief.neighbourhoods.k_nearest import KNearest
from ..targets.targets import Target
from .base import MethodInput, MethodResult
from .details import OF_PAIRS, OF_TARGET_ROWS
from .recipe import Recipe
from .row_method import RowMethod
from .traits import Traits

MAX_ROUNDING = 1e-12  # difference of two scores that is rounding


@dataclass(frozen=True)
class BestK(Recipe):
    """A recipe whose scores are the largest over several numbers of neighbours, feature by feature."""

    @property
    def details(self) -> tuple[InfoEntry, ...]:
        return (
            *OF_TARGET_ROWS,
            *OF_PAIRS,
            InfoEntry("best_k", list[int], "number of neighbours with the best score, for each feature"),
            InfoEntry("k_max", int, "largest number of neighbours that was tried"),
        )

    @cached_property
    def traits(self) -> Traits:
        return replace(super().traits, complexity="n^2 p + C k_max n p", shares_pairs=False)

    def check(self, options: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        parameters = super().check(options, known)
        k_min = parameters["k_min"]
        k_max = parameters["k_max"]
        if k_max is not None and k_min > k_max:
            raise ValueError(f"k_min must be at most k_max, not {k_min} and {k_max}")
        return parameters

    def scores(self, data: MethodInput[Any]) -> MethodResult:
        """Largest score of each feature over the numbers of neighbours; of equal ones the least number counts."""
        k_min = data.parameters["k_min"]
        requested = data.parameters["k_max"]
        smallest_class = int(np.bincount(cast("np.ndarray", data.target.groups)).min())
        limit = max(smallest_class - 1, 1)
        if k_min > limit:
            raise ValueError(
                f"k_min = {k_min} needs classes of more than {k_min} rows; the smallest one has {smallest_class}"
            )
        k_max = min(requested or limit, limit)
        run, _ = self._start(data, data.target_rows)
        data.work.plan(run.n_pairs)
        neighbours = run.find(KNearest(k_max), ordered=True)
        best = np.full(run.p, -np.inf)
        best_k = np.zeros(run.p, np.int64)
        for k, scores in enumerate(scores_of_every_k(run, neighbours), 1):
            if k >= k_min:
                best_k[scores > best + MAX_ROUNDING] = k
                best = np.maximum(scores, best)
        info: dict[str, Any] = {**describe_run(run), "best_k": best_k.tolist(), "k_max": k_max, "information": []}
        if requested is not None and requested > k_max:
            text = f"at most {k_max} neighbours are tried, since the smallest class has {smallest_class} rows"
            info["information"] = [text]
        return MethodResult(best, None, info)

    def growing(self, data: MethodInput[Any], levels: Sequence[int]) -> None:
        """None, as scores for all numbers of neighbours are computed from scratch."""

    for_targets = RowMethod.for_targets  # a maximum of scores is no sum over pairs

    def adds_up(self, parameters: Mapping[str, Any], target: Target | None = None) -> bool:
        return False

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [f"k = {parameters['k_min']} to {info['k_max']}"]
