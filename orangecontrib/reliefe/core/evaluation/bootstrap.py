"""Certainty of a place among the best features: rankings of bootstrap samples of the rows."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import generator, whole
from ..data.arrays import floats, groups_of
from .folds import MOST


def distinct_rows(n: int, random_state: int = 0, strata: object = None) -> np.ndarray:
    """Indices of the rows that a bootstrap sample of n rows has at least once, ascending: about 63 % of them.

    A row's copies would be its own nearest neighbours, and tell nothing; so each counts once.
    strata (n,): values of which each keeps its number of draws, and so never vanishes; None: all rows are alike.
    Raises ValueError for no rows, or strata of another length.

    Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 6; sections of rows as in 8.3.
    """
    n, rng = whole("the number of rows", n, 1, MOST), generator(random_state)
    kinds = np.zeros(n, int) if strata is None else groups_of(strata, n, "strata")
    drawn = np.zeros(n, bool)
    for kind in range(kinds.max() + 1):
        own = np.flatnonzero(kinds == kind)
        drawn[own[rng.integers(len(own), size=len(own))]] = True
    return np.flatnonzero(drawn)


@dataclass(frozen=True, eq=False)
class TopChances:
    """above, level (m, p): in each of m rankings, how many features are better than each one, and how many as good,
    itself among them.  ``TopChances.of(scores)(10)`` is the probability of each feature to be among the 10 best."""

    above: np.ndarray
    level: np.ndarray

    @classmethod
    def of(cls, scores: object) -> "TopChances":
        """scores (m, p): of m rankings, higher is better, unknown ones (NaN) are last.

        Raises ValueError for another shape.
        """
        from scipy.stats import rankdata

        scores = floats(scores, "scores")
        if scores.ndim != 2 or not scores.size:
            raise ValueError(f"scores must be (rankings, features), at least one of each, not of shape {scores.shape}")
        falling = np.where(np.isnan(scores), np.inf, -scores)
        first, last = (rankdata(falling, method=method, axis=-1).astype(np.int32) for method in ("min", "max"))
        return cls(first - 1, last - first + 1)

    def joined(self, other: "TopChances") -> "TopChances":
        """Counts of the rankings of both; the features are the same."""
        return TopChances(np.concatenate([self.above, other.above]), np.concatenate([self.level, other.level]))

    def __len__(self) -> int:
        """The number of rankings."""
        return len(self.above)

    def __call__(self, n_best: int) -> np.ndarray:
        """(p,) shares of the rankings that have each feature among their n_best; equally good ones at the end of these
        count by their chance."""
        n_best = min(whole("n_best", n_best, 0), self.above.shape[1])
        return cast("np.ndarray", np.clip((n_best - self.above) / self.level, 0, 1).mean(axis=0))
