"""Updates that relate the diff of a pair to the difference of its targets, in [0, 1].

Recipes in `core/methods/relief_family.py`, ReliefE and SSL-Relief choose them; they weigh pairs.
"""

from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from ...targets.targets import Target
from ..formats.lists import Neighbours
from ..formats.row_means import RowMeans
from ..neighbourhoods.base import (
    EQUAL_WEIGHTS,
    LISTS,
)
from .base import Means, Update

MIN_SHARE = 1e-300  # a share below this cannot be divided by
NO_REST = 1e-12  # share of the influence that is none but for rounding


@dataclass(frozen=True)
class Probability(Update):
    """P(diff | target differs) - P(diff | target same) over weighted pairs.

    With strategy "ignore" the influence of a row's neighbours is shared by those that have the feature, so that all
    three probabilities of the rule belong to one feature; without missing values nothing changes.

    Robnik-Sikonja and Kononenko (1997), RReliefF.

    Attributes
    ----------
    strict : bool
        True if scores are 0 where no pair has similar targets, instead of the first term alone, which is positive for
        every feature.
    row_weights : (n,) array, optional
        Weights of the rows in run order; None: all 1.
    """

    strict: bool = False
    row_weights: np.ndarray | None = field(default=None, compare=False)

    requires = frozenset({LISTS})
    n_channels = 2
    is_linear_in_shares = True

    def weighted(self, row_weights: np.ndarray) -> "Probability":
        return replace(self, row_weights=row_weights)

    def pairs(self, neighbours: Neighbours) -> Neighbours:
        """Lists with the weight of each pair."""
        return neighbours

    def channels(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        """Weights (2, b, 1, k) of the pairs times their target diffs, and by themselves."""
        weights = self.pairs(neighbours).shares
        return np.array([weights * self.differences(neighbours, target), weights])

    def totals(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        """Sums (2,) of weights times target diffs, N_dC, and of all weights."""
        of_change, everything = self.channels(neighbours, target)
        return np.array([of_change.sum(), everything.sum()])

    def factors(self, totals: np.ndarray, m: int) -> np.ndarray:
        """Factors (2, ...) of N_dCdA and N_dA in  N_dCdA / N_dC - (N_dA - N_dCdA) / (N - N_dC).

        Where no pair has similar targets, the first term alone; 0 if `strict`, and where no targets differ.
        """
        changed, everything = totals
        rest = everything - changed
        has_rest = rest > NO_REST * everything
        is_defined = (changed > MIN_SHARE * everything) & (has_rest | (not self.strict))
        of_changed = is_defined / np.where(is_defined, changed, 1)
        of_rest = (is_defined & has_rest) / np.where(has_rest, rest, 1)
        return np.array([of_changed + of_rest, -of_rest])

    def from_means(self, neighbours: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        """N_dCdA and N_dA, (2, p), N_dC and the number of rows, (2, p), each over the pairs that have a feature.

        Rows with weights are summed, and counted, by these.
        """
        diff, both, t = means.with_target(neighbours, self.differences(neighbours, target))
        counted: np.ndarray = ~np.isnan(diff)
        if self.row_weights is not None:
            of_rows = self.row_weights[neighbours.rows][:, None, None]
            diff, both, t, counted = (a * of_rows for a in (diff, both, t, counted))
        sums = [np.nan_to_num(values).sum(axis=(0, 1)) for values in (both, diff)]
        totals = [np.nan_to_num(t).sum(axis=(0, 1)), counted.sum(axis=(0, 1))]
        return np.array(sums), np.array(totals)


@dataclass(frozen=True)
class Covariance(Probability):
    """`Probability` over pairs that weigh the product of both rows' influence (URelief, SSL-Relief).

    With shares C of the target and A of a feature that change this is Cov(A, C) / (C (1 - C)).  With strategy "ignore"
    all sums of a feature run over the pairs in which it is known.

    Petkovic, Dzeroski and Kocev (2020), Algorithm 3, with S = sum of the weights.
    """

    influence: np.ndarray | None = None  # (n,): influence of the rows in run order, from 0 to 1; None: all 1

    requires = frozenset({LISTS, EQUAL_WEIGHTS})
    is_linear_in_shares = False  # weights are 1, or the influence of both rows

    def pairs(self, neighbours: Neighbours) -> Neighbours:
        weights = (neighbours.cols >= 0).astype(float)
        if self.influence is not None:
            weights *= self.influence[neighbours.rows][:, None, None] * self.influence[neighbours.cols]
        return Neighbours(neighbours.rows, neighbours.cols, neighbours.distances, weights)

    def channels(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        weights = super().channels(neighbours, target)
        return weights if target.n > 2 else np.zeros_like(weights)  # the only pair, twice: nothing varies

    def from_means(self, neighbours: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        of_rows = cast("RowMeans", means)  # others are of methods that have no influence
        sums = of_rows.sums(self.pairs(neighbours), self.differences(neighbours, target)).sum(axis=(1, 2))
        weight, diff, both, changed = sums if target.n > 2 else np.zeros_like(sums)
        return np.array([both, diff]), np.array([changed, weight])


@dataclass(frozen=True)
class QuotientPerRow(Update):
    """The quotient of `Probability` taken row by row and averaged: TD / T - (D - TD) / (1 - T).

    Rows whose neighbours all have the same labels, or all quite different ones, add nothing.

    Skrlj et al. (2022), Algorithm 3, line 34; Equation 1 has (D - T) / (1 - TD) there, with which a constant feature
    would score.
    """

    requires = frozenset({LISTS})
    n_channels = 1
    is_mean_over_rows = True

    def channels(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        """Weights (1, b, 1, k): share_j (t_ij / T_i - (1 - t_ij) / (1 - T_i)), where T_i = sum_j share_j t_ij."""
        t = self.differences(neighbours, target)
        changed = (neighbours.shares * t).sum(axis=2, keepdims=True)
        inside = _inside(changed)
        c = np.where(inside, changed, 0.5)
        return np.where(inside, neighbours.shares * (t / c - (1 - t) / (1 - c)), 0)[None]

    def totals(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        """Nothing (0,)."""
        return np.empty(0)

    def factors(self, totals: np.ndarray, m: int) -> np.ndarray:
        """Share (1,) of a row in the mean over all rows."""
        return np.array([1 / m])

    def from_means(self, neighbours: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        """Sum (1, p) of the rows' quotients, each over the pairs in which the feature is known."""
        diff, both, changed = means.with_target(neighbours, self.differences(neighbours, target))
        inside = _inside(changed)
        c = np.where(inside, changed, 0.5)
        quotients = np.where(inside, both / c - (diff - both) / (1 - c), 0)
        return quotients.sum(axis=(0, 1))[None], np.empty((0, quotients.shape[2]))

    def skipped(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        return ~_inside((neighbours.shares * self.differences(neighbours, target)).sum(axis=(1, 2)))


def _inside(changed: np.ndarray) -> np.ndarray:
    return cast("np.ndarray", (changed > NO_REST) & (changed < 1 - NO_REST))
