"""Scores of all trees of a forest in flat arrays, with means and standard errors over the trees.

`Forest.pooled_scores` makes them; `methods/pct.py` and the chart of convergence read means over the first trees.
"""

from typing import NamedTuple

import numpy as np

MIN_ERROR = 0.01  # smallest error of a tree that is divided by, as a share of the mean error; chosen by eye


class PooledTreeScores(NamedTuple):
    """Scores of all trees of a forest in flat arrays, so that means and standard errors are one bincount.

    p: number of features.
    counted (trees + 1,): number of the first 0, 1 ... trees that have a score; others are in none of the arrays below.
    starts (m + 1,): where each of the m trees with a score begins in `features` and `values`.
    features (e,): features that the trees test.
    values (1 + t, e): their scores, of all targets together and then of each.
    plain_errors (1 + t, m): errors out of the bag, which values are divided by; None: values are not divided.
    """

    p: int
    counted: np.ndarray
    starts: np.ndarray
    features: np.ndarray
    values: np.ndarray
    plain_errors: np.ndarray | None

    def terms(self, n: int, pooled: bool, target: int) -> tuple[int, np.ndarray, np.ndarray]:
        """Select the terms of the sums over the first n trees.

        pooled: divide by the mean error of all trees instead of that of each tree; target: 0 for all together.
        Returns the number of trees with a score, features (u,) and terms (u,).
        """
        m = self.counted[n]
        end = self.starts[m]
        features = self.features[:end]
        values = self.values[target, :end]
        if self.plain_errors is None or not m:
            return m, features, values
        errors = self.plain_errors[target, :m]
        mean = float(np.mean(errors))
        if mean == 0:
            return m, features, values
        if pooled:
            return m, features, values / mean
        divisors = np.repeat(np.maximum(errors, MIN_ERROR * mean), np.diff(self.starts[: m + 1]))
        return m, features, values / divisors

    def means(self, n: int, pooled: bool = True, target: int = 0) -> np.ndarray:
        """Average the scores (p,) over the first n trees; 0 without a tree that has a score."""
        m, features, values = self.terms(n, pooled, target)
        return np.bincount(features, values, self.p) / max(m, 1)

    def errors(self, n: int, pooled: bool = True, target: int = 0) -> np.ndarray:
        """Compute the standard errors (p,) of these means; 0 for fewer than two trees."""
        m, features, values = self.terms(n, pooled, target)
        if m < 2:
            return np.zeros(self.p)
        mean = np.bincount(features, values, self.p) / m
        # Trees that do not test a feature have the score 0.
        squares_tested = np.bincount(features, (values - mean[features]) ** 2, self.p)
        n_untested = m - np.bincount(features, minlength=self.p)
        squares = squares_tested + n_untested * mean**2
        return np.sqrt(squares / (m - 1) / m)
