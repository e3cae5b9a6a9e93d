"""Certainty of a place among the best features: rankings of bootstrap samples of the rows."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import generator, whole
from ..data.arrays import floats, groups_of
from .folds import MAX_ROWS


def distinct_rows(n: int, random_state: int = 0, strata: object = None) -> np.ndarray:
    """Indices of the rows that a bootstrap sample of n rows has at least once: about 63 % of them.

    A row's copies would be its own nearest neighbours, and tell nothing; so each counts once.

    Parameters
    ----------
    n : int
        Rows, 1 or more.
    random_state : int
        Seed, 0 or more.
    strata : (n,) array, optional
        Values of which each keeps its number of draws, and so never vanishes; None: all rows are alike.

    Returns
    -------
    (m,) int array
        Ascending.

    Raises
    ------
    ValueError
        For no rows, or strata of another length.

    References
    ----------
    Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 6; sections of rows as in 8.3.
    """
    n, rng = whole("the number of rows", n, 1, MAX_ROWS), generator(random_state)
    kinds = np.zeros(n, int) if strata is None else groups_of(strata, n, "strata")
    drawn = np.zeros(n, bool)
    for kind in range(kinds.max() + 1):
        own = np.flatnonzero(kinds == kind)
        drawn[own[rng.integers(len(own), size=len(own))]] = True
    return np.flatnonzero(drawn)


@dataclass(frozen=True, eq=False)
class TopChances:
    """Chances of features to be among the best.

    ``TopChances.of(scores)(10)`` is the probability of each feature to be among the 10 best.

    Attributes
    ----------
    above : (m, p) int array
        In each of m rankings, how many features are better than each one.
    level : (m, p) int array
        Features that are as good, itself among them.
    """

    above: np.ndarray
    level: np.ndarray

    @classmethod
    def of(cls, scores: object) -> "TopChances":
        """Count places in rankings.

        Parameters
        ----------
        scores : (m, p) array
            Of m rankings, higher is better, unknown ones (NaN) are last.

        Returns
        -------
        TopChances
            Of the p features.

        Raises
        ------
        ValueError
            For another shape.
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
