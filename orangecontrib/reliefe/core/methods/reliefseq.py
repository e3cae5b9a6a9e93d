"""ReliefSeq: for each feature the number of neighbours with which it scores best."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ..neighbourhoods.k_nearest import KNearest
from ..relief.every_k import scores_of_every_k
from ..result import Info
from ..targets.targets import CLASSIFICATION, Target
from ..updates.rules import HitMiss
from .base import Found, MethodInput, Scored
from .relief_family import Recipe
from .row_method import Spread

EQUAL = 1e-12  # difference of two scores that is rounding


@dataclass(frozen=True)
class BestK(Recipe):
    """A recipe whose scores are the largest over several numbers of neighbours, feature by feature."""

    complexity = "n^2 p + C k_max n p"

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        """All parameters, those given checked; ValueError where no number of neighbours is left."""
        parameters = super().check(given, known)
        k_min, k_max = parameters["k_min"], parameters["k_max"]
        if k_max is not None and k_min > k_max:
            raise ValueError(f"k_min must be at most k_max, not {k_min} and {k_max}")
        return parameters

    def scores(self, data: MethodInput[Any]) -> Found:
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
        run, _ = self._start(data, cast("np.ndarray", data.chosen))
        data.work.plan(run.sweep.pairs)
        near = run.find(KNearest(k_max), ordered=True)
        best, best_k = np.full(run.p, -np.inf), np.zeros(run.p, np.int64)
        for k, scores in enumerate(scores_of_every_k(run, near), 1):
            if k >= k_min:
                best_k[scores > best + EQUAL] = k
                best = np.maximum(scores, best)
        info: dict[str, Any] = {**run.diagnostics(), "best_k": best_k.tolist(), "k_max": k_max, "information": []}
        if asked is not None and asked > k_max:
            text = f"at most {k_max} neighbours are tried, since the smallest class has {smallest} rows"
            info["information"] = [text]
        return Found(best, None, cast("Info", info))

    def growing(self, data: MethodInput[Any], levels: Sequence[int]) -> None:
        """Nothing is kept: scores of each number of neighbours are made anew."""

    def for_targets(self, data: MethodInput[Any], targets: Iterable[Target]) -> Iterator[Scored]:
        """The result of the chosen rows for one target after another; the best of many scores is no sum over pairs."""
        chosen, spread = self.chosen(data), Spread()
        for target in targets:
            asked = replace(data, target=target, chosen=chosen)
            yield spread.scored(self.scores(asked), asked)

    def adds_up(self, parameters: Mapping[str, Any], target: Target | None = None) -> bool:
        """False: the best of many scores is no sum over rows."""
        return False

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """The numbers of neighbours that were tried."""
        return [f"k = {parameters['k_min']} to {info['k_max']}"]


RELIEFSEQ = BestK(
    "reliefseq",
    "ReliefSeq",
    "best k for each feature",
    "As ReliefF, but each feature has the number of neighbours with which it scores best: few for interactions, many "
    "for main effects; for rankings only, since the largest of many scores is high by chance, too",
    "McKinney et al. 2013, PLoS ONE 8:e81527",
    KNearest(10),
    HitMiss("F"),
    (CLASSIFICATION,),
    ("k_min", "k_max"),
)
