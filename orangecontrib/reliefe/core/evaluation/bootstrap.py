"""Bootstrap samples of rows, in which each row counts once."""

import numpy as np

from ..checks import generator, whole
from ..data.chosen_rows import groups_of
from ..targets.strata import strata_of
from .folds import MAX_ROWS


def distinct_rows(n: int, random_state: int = 0, strata: object = None, groups: object = None) -> np.ndarray:
    """Draw a bootstrap sample of n rows, and list those that it has at least once: about 63 % of them.

    Each counts once, since copies of a row would be its nearest neighbours and bias the scores.
    Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 6; sections of rows as in 8.3.

    Parameters
    ----------
    n : int
        Number of rows, 1 or more.
    random_state : int
        Seed.
    strata : (n,) array, optional
        Values that keep their frequencies, so that none disappears; None: one stratum.
    groups : (n,) array, optional
        Groups are drawn, with all their rows, instead of rows; then strata are those of their first rows.

    Returns
    -------
    (m,) int array
        Indices of the rows, ascending.
    """
    n = whole("the number of rows", n, 1, MAX_ROWS)
    rng = generator(random_state)
    if groups is not None:
        group_of_row = groups_of(groups, n, "groups")
        first_rows = np.unique(group_of_row, return_index=True)[1]
        group_strata = None if strata is None else strata_of(strata, n, "strata")[first_rows]
        drawn_groups = distinct_rows(len(first_rows), random_state, group_strata)
        return np.flatnonzero(np.isin(group_of_row, drawn_groups))
    stratum_of_row = np.zeros(n, int) if strata is None else strata_of(strata, n, "strata")
    is_drawn = np.zeros(n, bool)
    for stratum in range(stratum_of_row.max() + 1):
        rows = np.flatnonzero(stratum_of_row == stratum)
        is_drawn[rows[rng.integers(len(rows), size=len(rows))]] = True
    return np.flatnonzero(is_drawn)
