"""Rule by which a tree grows."""

from typing import NamedTuple

import numpy as np

UNLIMITED = 2**30


class Rule(NamedTuple):
    """Rule by which a tree grows."""

    n_candidates: int  # features tried in a node, 1 or more; more are drawn while none gives a test
    random: bool = False  # one random threshold of each feature instead of all
    min_leaf: float = 1  # smallest weight of the rows in a leaf
    max_depth: int = UNLIMITED  # largest number of tests on the way to a leaf
    # Shares of its impurity that a test must take from a node of weight 0, 1 ..., the last one from all that weigh more
    shares: np.ndarray = np.zeros(1)
    fractional: bool = False  # rows that lack the tested feature go both ways, in part


def significant(level: float | None, n: int) -> np.ndarray:
    """Shares of the impurity of a node that a test must take away to be significant by an F-test.

    F = h / (SS - h) (weight - 2) with 1 and weight - 2 degrees of freedom, where h of the sum of squares SS goes away.
    CLUS takes several attributes together, so that this is only a rule of thumb.
    """
    if level is None:
        return np.zeros(1)
    from scipy.stats import f

    rest = np.arange(n + 1.0) - 2
    with np.errstate(divide="ignore"):  # F is infinite at level 0, where only all of SS will do, and 0 at level 1
        share = 1 / (1 + np.maximum(rest, 1) / f.isf(level, 1, np.maximum(rest, 1)))
    return np.where(rest > 0, share, np.inf)
