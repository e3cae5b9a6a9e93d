"""Recipes that choose the number of neighbours of each feature, as ReliefSeq does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from ..relief.diagnostics import describe_run
from ..relief.every_k import scores_of_every_k
from ..relief.neighbourhoods.k_nearest import KNearest
from ..result import Detail, Info
from ..targets.targets import Target
from .base import MethodInput, MethodResult
from .details import OF_PAIRS, OF_TARGET_ROWS
from .recipe import Recipe
from .row_method import RowMethod
from .traits import Traits

EQUAL = 1e-12  # difference of two scores that is rounding


@dataclass(frozen=True)
class BestK(Recipe):
    """A recipe whose scores are the largest over several numbers of neighbours, feature by feature."""

    @property
    def details(self) -> tuple[Detail, ...]:
        return (
            *OF_TARGET_ROWS,
            *OF_PAIRS,
            Detail("best_k", list[int], "number of neighbours with the best score, for each feature"),
            Detail("k_max", int, "largest number of neighbours that was tried"),
        )

    @cached_property
    def traits(self) -> Traits:
        return replace(super().traits, complexity="n^2 p + C k_max n p", shares_pairs=False)

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        parameters = super().check(given, known)
        k_min, k_max = parameters["k_min"], parameters["k_max"]
        if k_max is not None and k_min > k_max:
            raise ValueError(f"k_min must be at most k_max, not {k_min} and {k_max}")
        return parameters

    def scores(self, data: MethodInput[Any]) -> MethodResult:
        """The result of the chosen rows, with the best number of neighbours of each feature, the least of equal
        ones."""
        k_min, asked = data.parameters["k_min"], data.parameters["k_max"]
        smallest = int(np.bincount(cast("np.ndarray", data.target.groups)).min())
        most = max(smallest - 1, 1)
        if k_min > most:
            raise ValueError(
                f"k_min = {k_min} needs classes of more than {k_min} rows; the smallest one has {smallest}"
            )
        k_max = min(asked or most, most)
        run, _ = self._start(data, data.target_rows)
        data.work.plan(run.n_pairs)
        near = run.find(KNearest(k_max), ordered=True)
        best, best_k = np.full(run.p, -np.inf), np.zeros(run.p, np.int64)
        for k, scores in enumerate(scores_of_every_k(run, near), 1):
            if k >= k_min:
                best_k[scores > best + EQUAL] = k
                best = np.maximum(scores, best)
        info: dict[str, Any] = {**describe_run(run), "best_k": best_k.tolist(), "k_max": k_max, "information": []}
        if asked is not None and asked > k_max:
            text = f"at most {k_max} neighbours are tried, since the smallest class has {smallest} rows"
            info["information"] = [text]
        return MethodResult(best, None, info)

    def growing(self, data: MethodInput[Any], levels: Sequence[int]) -> None:
        """Nothing is kept: scores of each number of neighbours are computed again."""

    for_targets = RowMethod.for_targets  # the best of many scores is no sum over pairs

    def adds_up(self, parameters: Mapping[str, Any], target: Target | None = None) -> bool:
        return False

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [f"k = {parameters['k_min']} to {info['k_max']}"]
