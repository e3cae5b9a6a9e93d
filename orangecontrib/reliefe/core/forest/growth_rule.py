"""Rule by which a tree grows: what a node tries, and when it becomes a leaf.

`methods/pct.py` makes it of the parameters, and the kernels of `growth` follow it.
"""

from typing import NamedTuple

import numpy as np

UNLIMITED = 2**30  # depth that no tree reaches


class GrowthRule(NamedTuple):
    """Rule by which a tree grows.

    n_candidates: number of features tried in a node, 1 or more; more are drawn while none gives a test.
    random: True to try one random threshold of each feature instead of all.
    min_leaf: smallest weight of the rows in a leaf.
    max_depth: largest number of tests on the way to a leaf.
    shares (w,): share of its impurity that a test must remove from a node of weight 0, 1, ...; the last one is for all
        larger weights.
    fractional: True to send rows that lack the tested feature both ways, in part.
    """

    n_candidates: int
    random: bool = False
    min_leaf: float = 1
    max_depth: int = UNLIMITED
    shares: np.ndarray = np.zeros(1)
    fractional: bool = False


def significant(level: float | None, n: int) -> np.ndarray:
    """Compute shares (n + 1,) of the impurity of a node that a test must remove to be significant by an F-test.

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
