"""Bootstrap samples of rows, in which each row counts once."""

import numpy as np

from ..checks import generator, whole
from ..data.arrays import groups_of
from ..targets.times import strata_of
from .folds import MAX_ROWS


def distinct_rows(n: int, random_state: int = 0, strata: object = None, groups: object = None) -> np.ndarray:
    """Indices (m,), ascending, of the rows that a bootstrap sample of n rows has at least once: about 63 % of them.

    Each counts once, since copies of a row would be its nearest neighbours and bias the scores.
    Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 6; sections of rows as in 8.3.

    Parameters
    ----------
    n : int
        Rows, 1 or more.
    strata : (n,) array, optional
        Values that keep their frequencies, so that none disappears; None: all rows are alike.
    groups : (n,) array, optional
        Groups are drawn, with all their rows, instead of rows; then strata are those of their first rows.
    """
    n, rng = whole("the number of rows", n, 1, MAX_ROWS), generator(random_state)
    if groups is not None:
        of_rows = groups_of(groups, n, "groups")
        first = np.unique(of_rows, return_index=True)[1]
        own = None if strata is None else strata_of(strata, n, "strata")[first]
        return np.flatnonzero(np.isin(of_rows, distinct_rows(len(first), random_state, own)))
    kinds = np.zeros(n, int) if strata is None else strata_of(strata, n, "strata")
    drawn = np.zeros(n, bool)
    for kind in range(kinds.max() + 1):
        own = np.flatnonzero(kinds == kind)
        drawn[own[rng.integers(len(own), size=len(own))]] = True
    return np.flatnonzero(drawn)
