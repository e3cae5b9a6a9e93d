"""mRMR and JMI: features selected one by one by mutual information, as references for comparisons.

`filters` lists both methods for the registry. Numbers are categories here, see `core/points/categories.py`.
"""

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ..info import Info
from ..points.categories import MISSING, Categories, categories_of, codes_of_numbers
from ..points.information import mutual_information
from ..targets.tasks import CLASSIFICATION, REGRESSION
from ..words import counted
from ..work.threads import Work
from .base import MethodInput
from .parameters import INTEGER, Parameter
from .supervised_filters import FilterTarget, SupervisedFilter
from .traits import Traits

DECIMALS = 12  # of a criterion, in nats: smaller differences are rounding, and the first of equal features is selected
CELLS_PER_BLOCK = 2**18  # values that are counted between two checks for interruption; chosen by eye
COST_OF_COUNT = 2.0  # of a value, relative to a comparison in Relief; a rough measurement
CATEGORIES = "categories"  # nominal features
LEFT_OUT = "left out in pairs"  # missing values


class GreedyInformation(SupervisedFilter):
    """A method that adds one feature at a time, the one with the largest criterion beside those selected before.

    A subclass defines `pair_information`, of a feature and a selected one, and `criterion`, which combines the
    relevance of a feature with the mean of this information over the selected features.
    """

    tasks = (CLASSIFICATION, REGRESSION)
    own_parameters = (
        Parameter("n_greedy", "Selected one by one", INTEGER, 128, low=1, high=100_000,
                  tooltip="Number of features that are selected one by one; the rest follows in the order of the "
                          "criterion beside these. Integer, at least 1. Time grows with it"),
        Parameter("n_bins", "Bins", INTEGER, 5, low=2, high=100, more=True,
                  tooltip="Number of bins of equal frequency into which numbers fall. Integer, at least 2. More bins "
                          "show finer relations, but need more rows"),
    )  # fmt: skip

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.own_parameters

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        n, p = shape
        return float(COST_OF_COUNT * n * p * min(p, parameters["n_greedy"]))

    def encoded(self, data: MethodInput[None]) -> Categories:
        return categories_of(data.table, data.parameters["n_bins"], data.work.tick)

    def scores(self, data: MethodInput[None], X: Categories, target: FilterTarget) -> np.ndarray:
        """Return (q - r) / q for the feature at place r = 0, 1, ... of the q that have two values, and 0 for others."""
        p = data.table.shape[1]
        codes = target.values if target.is_nominal else codes_of_numbers(target.values, data.parameters["n_bins"])
        targets = np.full(data.table.shape[0], MISSING)
        targets[target.rows] = codes
        varying = np.flatnonzero(X.n_codes > 1)
        order = self._order(X, varying, targets, data.parameters["n_greedy"], data.work)
        scores = np.zeros(p)
        scores[order] = np.arange(len(order), 0, -1) / max(len(order), 1)
        return scores

    def _order(self, X: Categories, varying: np.ndarray, targets: np.ndarray, n_greedy: int, work: Work) -> np.ndarray:
        """Return the indices of the varying features in the order of their selection, then of their criterion.

        targets (n,): codes of the target.
        """
        q = len(varying)
        n_greedy = min(n_greedy, q)
        # All features once, then those that are left after each selection: q + (q - 1) + ... + (q - n_greedy)
        work.plan(q * (n_greedy + 1) - n_greedy * (n_greedy + 1) // 2)
        nothing = np.zeros(len(targets), np.int64)
        relevance = _in_blocks(X, varying, nothing, targets, work)
        criterion = relevance
        information_sums = np.zeros(q)
        is_left = np.ones(q, bool)
        selected: list[int] = []
        while len(selected) < n_greedy:
            remaining = np.flatnonzero(is_left)
            best = remaining[np.round(criterion[remaining], DECIMALS).argmax()]
            selected.append(int(best))
            is_left[best] = False
            remaining = np.flatnonzero(is_left)
            if len(remaining):
                information_sums[remaining] += self.pair_information(
                    X, varying[remaining], X.of_feature(varying[best]), targets, work
                )
                criterion = self.criterion(relevance, information_sums / len(selected))
        remaining = np.flatnonzero(is_left)
        unselected = remaining[np.argsort(-np.round(criterion[remaining], DECIMALS), kind="stable")]
        order: np.ndarray = varying[np.concatenate([np.array(selected, np.int64), unselected])]
        return order

    @abstractmethod
    def pair_information(
        self, X: Categories, features: np.ndarray, selected: np.ndarray, targets: np.ndarray, work: Work
    ) -> np.ndarray:
        """Return the information (k,) of each of some features paired with one selected feature, in nats.

        Parameters
        ----------
        X : Categories
            All features.
        features : (k,) int array
            Indices of the features.
        selected : (n,) int array
            Codes of the selected feature.
        targets : (n,) int array
            Codes of the target.
        work : Work
            Threads, progress and interruption.
        """

    @abstractmethod
    def criterion(self, relevance: np.ndarray, mean_information: np.ndarray) -> np.ndarray:
        """Return the criterion (q,) from I(f; target) and the mean of `pair_information` over the selected features."""

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [f"{parameters['n_greedy']} one by one", counted(parameters["n_bins"], "bin")]


class Mrmr(GreedyInformation):
    """Maximum relevance, minimum redundancy: I(f; y) - 1 / |S| sum over s in S of I(f; s), S the selected features.

    Peng, Long and Ding (2005), the difference of relevance and redundancy in their incremental search.
    """

    name = "mrmr"
    title = "mRMR"
    about = "relevant, not redundant"
    idea = (
        "Selects one by one the feature with the largest mutual information with the target, less the mean one with "
        "the features selected before"
    )
    citation = "Peng, Long and Ding 2005, IEEE Transactions on Pattern Analysis and Machine Intelligence 27:1226-1238"
    traits = Traits(
        interactions=False,
        redundancy=True,
        sparse=True,
        nominal=CATEGORIES,
        missing=LEFT_OUT,
        complexity="s n p",
        stays_local="counting the values of a feature takes no longer than sending them",
    )

    def pair_information(
        self, X: Categories, features: np.ndarray, selected: np.ndarray, targets: np.ndarray, work: Work
    ) -> np.ndarray:
        """Return the redundancy I(f; s). Overrides GreedyInformation.pair_information."""
        return _in_blocks(X, features, np.zeros(len(targets), np.int64), selected, work)

    def criterion(self, relevance: np.ndarray, mean_information: np.ndarray) -> np.ndarray:
        """Return relevance less mean redundancy. Overrides GreedyInformation.criterion."""
        difference: np.ndarray = relevance - mean_information
        return difference


class Jmi(GreedyInformation):
    """Joint mutual information: sum over s in S of I(f, s; y), S the selected features.

    The first feature has the largest I(f; y). Yang and Moody (1999); Brown, Pocock, Zhao and Lujan (2012) write the
    criterion as this sum.
    """

    name = "jmi"
    title = "JMI"
    about = "relevant in pairs"
    idea = (
        "Selects one by one the feature that, together with each of those selected before, has the largest mutual "
        "information with the target"
    )
    citation = (
        "Yang and Moody 1999, Advances in Neural Information Processing Systems 12:687-693; Brown, Pocock, Zhao and "
        "Lujan 2012, Journal of Machine Learning Research 13:27-66"
    )
    traits = Traits(
        interactions=False,
        redundancy=True,
        sparse=True,
        nominal=CATEGORIES,
        missing=LEFT_OUT,
        complexity="s n p",
        stays_local="counting the values of a feature takes no longer than sending them",
    )

    def pair_information(
        self, X: Categories, features: np.ndarray, selected: np.ndarray, targets: np.ndarray, work: Work
    ) -> np.ndarray:
        """Return the joint information I(f, s; y). Overrides GreedyInformation.pair_information."""
        return _in_blocks(X, features, selected, targets, work)

    def criterion(self, relevance: np.ndarray, mean_information: np.ndarray) -> np.ndarray:
        """Return the mean joint information, in the order of the sum. Overrides GreedyInformation.criterion."""
        return mean_information


def _in_blocks(
    X: Categories, features: np.ndarray, other_features: np.ndarray, targets: np.ndarray, work: Work
) -> np.ndarray:
    """Return `mutual_information` of features (k,), computed in blocks of them by the threads of `work`."""
    size = max(CELLS_PER_BLOCK // len(targets), 1)
    blocks = [features[start : start + size] for start in range(0, len(features), size)]

    def of_block(block: np.ndarray) -> np.ndarray:
        work.tick(len(block))
        return mutual_information(X, block, other_features, targets)

    return np.concatenate([np.zeros(0), *work.map(of_block, blocks)])
