"""Scores of all trees of a forest."""

from typing import NamedTuple

import numpy as np

MIN_ERROR = 0.01  # of a tree when it is divided by, as a share of the mean error


class PooledTreeScores(NamedTuple):
    """Scores of all trees of a forest in flat arrays, so that means and standard errors are one bincount."""

    p: int  # number of features
    # How many of the first 0, 1 ... trees have a score; the others are left out of the arrays below
    counted: np.ndarray
    starts: np.ndarray  # where each tree begins in `features` and `values`
    features: np.ndarray  # features that the trees test
    values: np.ndarray  # their scores, of all targets together and then of each
    own: np.ndarray | None  # errors out of the bag that values are divided by; None: by none

    def terms(self, n: int, pooled: bool, target: int) -> tuple[int, np.ndarray, np.ndarray]:
        """Number of the first n trees that count, features (u,), and terms (u,) of the sums over these trees."""
        m = self.counted[n]
        end = self.starts[m]
        features, values = self.features[:end], self.values[target, :end]
        if self.own is None or not m:
            return m, features, values
        own = self.own[target, :m]
        mean: float | np.ndarray = float(np.mean(own))
        if mean == 0:
            return m, features, values
        if not pooled:
            mean = np.repeat(np.maximum(own, MIN_ERROR * mean), np.diff(self.starts[: m + 1]))
        return m, features, values / mean

    def means(self, n: int, pooled: bool = True, target: int = 0) -> np.ndarray:
        """Scores (p,) by the first n trees; 0 where none counts."""
        m, features, values = self.terms(n, pooled, target)
        return np.bincount(features, values, self.p) / max(m, 1)

    def errors(self, n: int, pooled: bool = True, target: int = 0) -> np.ndarray:
        """Standard errors (p,) of these; 0 where fewer than two trees count."""
        m, features, values = self.terms(n, pooled, target)
        if m < 2:
            return np.zeros(self.p)
        mean = np.bincount(features, values, self.p) / m
        apart = np.bincount(features, (values - mean[features]) ** 2, self.p)
        squares = apart + (m - np.bincount(features, minlength=self.p)) * mean**2
        return np.sqrt(squares / (m - 1) / m)
