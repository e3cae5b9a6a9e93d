"""The update for residuals: features score where unlike rows differ in them more than alike rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

import numpy as np

from ...targets.residuals import BOTH as BOTH_PARTS
from ...targets.residuals import PLACE, Residuals
from ...targets.targets import Target
from ..formats.lists import Neighbours
from ..formats.row_means import BOTH, CHANGED, DIFF, WEIGHT, RowMeans
from ..neighbourhoods.base import (
    EMPTY_AS_ZERO,
    GROUPS,
    GROUPS_BEFORE_SEARCH,
    SIGNS,
)
from ..neighbourhoods.relations import ProductRelation
from .base import Means, Update

TINY = 1e-300  # mean square of residuals below which nothing is left of the target
RESIDUALS_AT_ONCE = 2**18  # of the rows of pairs: they stay in the cache of a processor


@dataclass(frozen=True)
class ResidualProducts(Update):
    """Products of residuals, "place", and sums of their sizes, "spread".

    With W_ij the weight of row j for row i, 1 in all for each row, t_ij = -r_i . r_j, t_i its mean over the row's
    neighbours and v the mean of r_i . r_i, a pair weighs W_ij (t_ij - t_i) 2 / (v sum W) for the place, and
    W_ij (a_i + a_j - their mean) for the spread.

    Liu, Ghosh and Lin (2008), BMC Bioinformatics 9:292, and Cai, Tonini and Lin (2011), Biometrics 67:975: the score
    statistic of a kernel machine, of whose kernel each diff is a part.
    """

    place: float = 1.0  # factors of both parts
    spread: float = 0.0
    balances: bool = False
    row_weights: np.ndarray | None = field(default=None, compare=False)  # (n,): of the rows in run order; None: all 1

    only_residuals = True

    @property
    def n_channels(self) -> int:  # type: ignore[override]
        """One for the place, two more for the spread."""
        return 3 if self.spread else 1

    @classmethod
    def of(cls, target: Residuals) -> "ResidualProducts":
        """Update of the parts that a target asks for."""
        if target.a is None or target.parts == PLACE:
            return cls()
        return cls(balances=True) if target.parts == BOTH_PARTS else cls(0.0, 1.0)

    def weighted(self, row_weights: np.ndarray) -> "ResidualProducts":
        return replace(self, row_weights=row_weights)

    def _mean_square(self, target: Residuals) -> float:
        """Mean square of the residuals of a row, v, by the weights of rows."""
        if self.row_weights is None:
            return target.size
        return float(np.average((target.r * target.r).sum(axis=1), weights=self.row_weights))

    def parts(self) -> tuple["ResidualProducts", "ResidualProducts"] | None:
        if not self.balances:
            return None
        return replace(self, balances=False), replace(self, place=0.0, spread=1.0, balances=False)

    def balanced(self, moments: Any, sums: Sequence[Any]) -> "ResidualProducts":
        place, spread = (float(moments.spread(of_part)[1][0]) if moments.n >= 4 else 0.0 for of_part in sums)
        return replace(self, spread=place / spread if spread > 0 else 0.0, balances=False)

    def offers(self, task: str) -> frozenset[str]:
        return frozenset({GROUPS, GROUPS_BEFORE_SEARCH, SIGNS, EMPTY_AS_ZERO})

    def relation(self, target: Target) -> ProductRelation:
        target = cast("Residuals", target)
        lines = [*target.r.T]
        if self.spread and target.a is not None:
            lines.append(target.a)
        lines.append(np.ones(target.n))
        right = np.ascontiguousarray(lines, np.float64)
        return ProductRelation(right, partial(self._left, target, right))

    def _left(self, target: Residuals, right: np.ndarray, sums: np.ndarray) -> np.ndarray:
        """Numbers (q, n) of the rows whose zones have these sums (q, n), the last of which count rows."""
        G = target.r.shape[1]
        has_rows = sums[-1] > 0
        n_rows = has_rows.sum()
        share = np.where(has_rows, 1 / np.maximum(sums[-1], 1), 0)
        mean = sums * share
        factor = self._factor(target, n_rows)
        left = np.zeros_like(sums)
        left[:G] = -factor * right[:G]
        left[-1] = factor * (right[:G] * mean[:G]).sum(axis=0)
        if self.spread:
            mean_size = ((right[G] + mean[G]) * has_rows).sum() / max(n_rows, 1)
            left[G] = self.spread
            left[-1] += self.spread * (right[G] - mean_size)
        return np.ascontiguousarray(left * share)

    def _factor(self, target: Residuals, total: float) -> float:
        """Factor of the products of residuals: 2 / v over the sum of the weights of pairs."""
        return self.place * self._over_variance(target) / total if total > 0 else 0.0

    def _over_variance(self, target: Target) -> float:
        """2 / v, with v the mean square of the residuals; 0 where nothing is left of the target."""
        size = self._mean_square(cast("Residuals", target))
        return 2 / size if size > TINY else 0.0

    @staticmethod
    def differences(neighbours: Neighbours, target: Target) -> np.ndarray:
        """Less the products (b, 1, k) of the residuals of pairs."""
        r = cast("Residuals", target).r
        cols = neighbours.cols[:, 0]
        differences = np.empty(cols.shape)
        step = max(RESIDUALS_AT_ONCE // max(cols.shape[1] * r.shape[1], 1), 1)
        for start in range(0, len(differences), step):
            block = slice(start, start + step)
            differences[block] = -np.einsum("bg,bkg->bk", r[neighbours.rows[block]], r[cols[block]])
        return differences[:, None]

    @staticmethod
    def _sizes(neighbours: Neighbours, target: Target) -> np.ndarray:
        """Sums (b, 1, k) of the sizes of the residuals of pairs."""
        a = cast("np.ndarray", cast("Residuals", target).a)
        return cast("np.ndarray", a[neighbours.rows][:, None, None] + a[neighbours.cols])

    def channels(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        """Weights (C, b, 1, k): W_ij (t_ij - t_i) 2 / v; for the spread W_ij (a_i + a_j), and W_ij, too."""
        W = neighbours.shares
        t = self.differences(neighbours, target)
        own_mean = (W * t).sum(axis=2, keepdims=True) / np.maximum(W.sum(axis=2, keepdims=True), TINY)
        of_place: np.ndarray = W * (t - own_mean) * self._over_variance(target)
        if not self.spread:
            return of_place[None]
        return np.array([of_place, W * self._sizes(neighbours, target), W])

    def totals(self, neighbours: Neighbours, target: Target) -> np.ndarray:
        """Sums (2,) of weights, and of weights times sizes."""
        sizes = (neighbours.shares * self._sizes(neighbours, target)).sum() if self.spread else 0.0
        return np.array([neighbours.shares.sum(), sizes])

    def factors(self, totals: np.ndarray, m: int) -> np.ndarray:
        """Factors (C, ...): 1 / sum W for the place; for the spread, a size counts less the mean size."""
        weight, sizes = totals
        has_pairs = weight > 0
        of_place = self.place * has_pairs / np.where(has_pairs, weight, 1)
        if not self.spread:
            return cast("np.ndarray", of_place)[None]
        of_sizes = self.spread * has_pairs
        return np.array([of_place, of_sizes, -of_sizes * sizes / np.where(has_pairs, weight, 1)])

    def from_means(self, neighbours: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        """Sums (C, p) of the channels, and sums (2, p) of weights, and of weights times sizes, over the pairs that
        have a feature."""
        of_rows = cast("RowMeans", means)
        sums = of_rows.sums(neighbours, self.differences(neighbours, target))[:, :, 0]
        is_observed = sums[WEIGHT] > 0
        own_mean = np.where(is_observed, sums[CHANGED] * sums[DIFF] / np.where(is_observed, sums[WEIGHT], 1), 0)
        of_place = (sums[BOTH] - own_mean).sum(axis=0) * self._over_variance(target)
        weight = sums[WEIGHT].sum(axis=0)
        if not self.spread:
            return of_place[None], np.array([weight, np.zeros_like(weight)])
        of_sizes = of_rows.sums(neighbours, self._sizes(neighbours, target))[:, :, 0].sum(axis=1)
        return np.array([of_place, of_sizes[BOTH], of_sizes[DIFF]]), np.array([weight, of_sizes[CHANGED]])
