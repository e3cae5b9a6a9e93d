"""The update for residuals: features score where unlike rows differ in them more than alike rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

import numpy as np

from ..forms.lists import BOTH, CHANGED, DIFF, WEIGHT, Neighbours, RowMeans
from ..neighbourhoods.base import (
    EMPTY_AS_ZERO,
    GROUPS,
    GROUPS_BEFORE_SEARCH,
    SIGNS,
    Products,
    Relation,
)
from ..targets.residuals import BOTH as BOTH_PARTS
from ..targets.residuals import PLACE, Residuals
from ..targets.targets import Target
from .base import Means, Update, no_class

TINY = 1e-300  # mean square of residuals below which nothing is left of the target
RESIDUALS_AT_ONCE = 2**18  # of the rows of pairs: they stay in the cache of a processor


@dataclass(frozen=True)
class Alike(Update):
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

    needs_totals = only_residuals = True

    @classmethod
    def of(cls, target: Residuals) -> "Alike":
        """Update of the parts that a target asks for."""
        if target.a is None or target.parts == PLACE:
            return cls()
        return cls(balances=True) if target.parts == BOTH_PARTS else cls(0.0, 1.0)

    def weighted(self, row_weights: np.ndarray) -> "Alike":
        return replace(self, row_weights=row_weights)

    def _mean_square(self, target: Residuals) -> float:
        """Mean square of the residuals of a row, v, by the weights of rows."""
        if self.row_weights is None:
            return target.size
        return float(np.average((target.r * target.r).sum(axis=1), weights=self.row_weights))

    def parts(self) -> tuple["Alike", "Alike"]:
        return replace(self, balances=False), replace(self, place=0.0, spread=1.0, balances=False)

    def balanced(self, moments: Any, sums: Sequence[Any]) -> "Alike":
        place, spread = (float(moments.spread(of_part)[1][0]) if moments.n >= 4 else 0.0 for of_part in sums)
        return replace(self, spread=place / spread if spread > 0 else 0.0, balances=False)

    def offers(self, task: str) -> frozenset[str]:
        return frozenset({GROUPS, GROUPS_BEFORE_SEARCH, SIGNS, EMPTY_AS_ZERO})

    def relation(self, target: Target) -> Relation:
        target = cast("Residuals", target)
        lines = [*target.r.T, *([target.a] if self.spread and target.a is not None else []), np.ones(target.n)]
        right = np.ascontiguousarray(lines, np.float64)
        return Relation(1, True, no_class, products=Products(right, partial(self._left, target, right)))

    def _left(self, target: Residuals, right: np.ndarray, sums: np.ndarray) -> np.ndarray:
        """Numbers (q, n) of the rows whose zones have these sums (q, n), the last of which count rows."""
        G, some = target.r.shape[1], sums[-1] > 0
        share = np.where(some, 1 / np.maximum(sums[-1], 1), 0)
        mean, factor, out = sums * share, self._factor(target, some.sum()), np.zeros_like(sums)
        out[:G] = -factor * right[:G]
        out[-1] = factor * (right[:G] * mean[:G]).sum(axis=0)
        if self.spread:
            everywhere = ((right[G] + mean[G]) * some).sum() / max(some.sum(), 1)
            out[G] = self.spread
            out[-1] += self.spread * (right[G] - everywhere)
        return np.ascontiguousarray(out * share)

    def _factor(self, target: Residuals, total: float) -> float:
        size = self._mean_square(target)
        return self.place * 2 / (size * total) if size > TINY and total > 0 else 0.0

    @staticmethod
    def differences(near: Neighbours, target: Target) -> np.ndarray:
        """Less the products (b, 1, k) of the residuals of pairs."""
        r, cols = cast("Residuals", target).r, near.cols[:, 0]
        out = np.empty(cols.shape)
        step = max(RESIDUALS_AT_ONCE // max(cols.shape[1] * r.shape[1], 1), 1)
        for start in range(0, len(out), step):
            block = slice(start, start + step)
            out[block] = -np.einsum("bg,bkg->bk", r[near.rows[block]], r[cols[block]])
        return out[:, None]

    @staticmethod
    def _sizes(near: Neighbours, target: Target) -> np.ndarray:
        """Sums (b, 1, k) of the sizes of the residuals of pairs."""
        a = cast("np.ndarray", cast("Residuals", target).a)
        return cast("np.ndarray", a[near.rows][:, None, None] + a[near.cols])

    def totals(self, near: Neighbours, target: Target) -> np.ndarray:
        """Sums (2,) of weights, and of weights times sizes."""
        sizes = (near.shares * self._sizes(near, target)).sum() if self.spread else 0.0
        return np.array([near.shares.sum(), sizes])

    def coefficients(self, near: Neighbours, target: Target, m: int, totals: np.ndarray | None = None) -> np.ndarray:
        W, t = near.shares, self.differences(near, target)
        total, sizes = self.totals(near, target) if totals is None else totals
        own = (W * t).sum(axis=2, keepdims=True) / np.maximum(W.sum(axis=2, keepdims=True), TINY)
        found = W * (t - own) * self._factor(cast("Residuals", target), total)
        if self.spread:
            found += self.spread * W * (self._sizes(near, target) - sizes / max(total, TINY))
        return cast("np.ndarray", found)

    def from_means(self, near: Neighbours, means: Means, target: Target) -> np.ndarray:
        """Sums (5, p) over the pairs that have a feature: of the place, of weights, and for the spread of weights times
        diffs, sizes, and both; the first of them over v / 2."""
        of_rows, size = cast("RowMeans", means), self._mean_square(cast("Residuals", target))
        sums = of_rows.sums(near, self.differences(near, target))[:, :, 0]
        some = sums[WEIGHT] > 0
        own = np.where(some, sums[CHANGED] * sums[DIFF] / np.where(some, sums[WEIGHT], 1), 0)
        place = (sums[BOTH] - own).sum(axis=0) * (2 / size if size > TINY else 0)
        out = np.array([place, sums[WEIGHT].sum(axis=0), *np.zeros((3, len(place)))])
        if self.spread:
            sums = of_rows.sums(near, self._sizes(near, target))[:, :, 0].sum(axis=1)
            out[2:] = sums[[DIFF, CHANGED, BOTH]]
        return out

    def scores(self, totals: np.ndarray, m: int) -> np.ndarray:
        place, weight, diff, sizes, both = totals
        some = weight > 0
        weight = np.where(some, weight, 1)
        return np.where(some, self.place * place / weight + self.spread * (both - sizes * diff / weight), 0)
