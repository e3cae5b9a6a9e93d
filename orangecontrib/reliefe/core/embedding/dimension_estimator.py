"""Estimators of an intrinsic dimension from distances to the nearest rows: TwoNN and maximum likelihood.

`dimension` fits one to all rows and to halves of them; `methods/agnos.py` fits one to choose a number of hidden units.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

TWONN = "twonn"
MLE = "mle"
METHODS = (TWONN, MLE)
# Distribution function of the i-th of n ratios
INCLUSIVE = "i/n"  # i / n, without the largest ratio
STRICT = "strict"  # (i - 1) / n
ECDF = (INCLUSIVE, STRICT)
MIN_ROWS = 3  # rows with enough neighbours below which nothing is estimated
COUNT_ROUNDING = 1e-9  # added to a number of rows before it is rounded down, as products of shares are inexact


class DimensionFit(NamedTuple):
    """Estimate of a dimension.

    estimate: the dimension; NaN if unknown.
    x (points,): ln mu, ascending, of the TwoNN line.
    y (points,): -ln(1 - F(mu)).
    """

    estimate: float
    x: np.ndarray
    y: np.ndarray


@dataclass(frozen=True)
class Estimator:
    """Estimator of a dimension from distances (n, k) to the nearest rows, ascending, infinite where none is left.

    method: `TWONN` or `MLE`.
    k: number of neighbours.
    discard: share of the largest ratios that TwoNN leaves out, in [0, 1).
    ecdf: distribution function of the ratios, `INCLUSIVE` or `STRICT`.
    """

    method: str
    k: int
    discard: float = 0.0
    ecdf: str = INCLUSIVE

    def usable(self, distances: np.ndarray) -> np.ndarray:
        """Select the rows (m, k') with k neighbours, or with as many as any row has; two are needed at least."""
        most = int(np.isfinite(distances).sum(axis=1).max(initial=0))
        n_needed = min(self.k, max(2, most))
        return distances[np.isfinite(distances[:, n_needed - 1]), :n_needed]

    def fit(self, distances: np.ndarray) -> DimensionFit:
        """Estimate the dimension.

        TwoNN: slope of y over x through the origin.  Maximum likelihood: 1 / mean of ln(r_k / r_j), j < k.
        """
        distances = self.usable(distances)
        x, y = self._line(distances)
        if len(distances) < MIN_ROWS:
            return DimensionFit(float("nan"), x, y)
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.method == TWONN:
                estimate = np.float64(x @ y) / (x @ x)
            else:
                estimate = 1 / np.mean(np.log(distances[:, -1:] / distances[:, :-1]))
        return DimensionFit(float(estimate) if np.isfinite(estimate) else float("nan"), x, y)

    def _line(self, distances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Compute the points of the TwoNN line: ln mu, ascending, and -ln(1 - F(mu)), where mu = r_2 / r_1."""
        n = len(distances)
        is_inclusive = self.ecdf == INCLUSIVE
        x = np.sort(np.log(distances[:, 1] / distances[:, 0]))
        ranks = np.arange(n) + (1 if is_inclusive else 0)
        n_left = int(np.floor(n * (1 - self.discard) + COUNT_ROUNDING))
        n_points = max(min(n_left, n - 1 if is_inclusive else n), 0)
        return x[:n_points], -np.log1p(-ranks[:n_points] / max(n, 1))
