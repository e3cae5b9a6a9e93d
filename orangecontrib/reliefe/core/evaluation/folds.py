"""Folds of rows for cross-validation: random, stratified, by groups, or those of the authors of CLUS."""

import numpy as np

from ..checks import generator, whole
from ..data.arrays import groups_of
from ..targets.times import strata_of
from ..words import shown

MAX_ROWS = 2**31 - 1  # rows
Fold = tuple[np.ndarray, np.ndarray]  # indices of training rows, of test rows


def folds(n: int, n_folds: int, random_state: int = 0, classes: object = None, groups: object = None) -> list[Fold]:
    """Random parts of n rows, whose sizes differ by at most 1, or of whole groups of rows.

    For each part there are the indices of the other rows, and its own, both ascending.

    Parameters
    ----------
    n, n_folds : int
        Rows and parts, 2 <= n_folds <= n.
    classes : (n,) array or Survival, optional
        Of each class, too, the parts have equally many rows or 1 more or less.  The classes of times are those with an
        event and those without.
    groups : (n,) array, optional
        Rows of one group stay together.  Groups with uneven classes, and then large ones, come first.  Each goes to the
        part where the classes are the most even afterwards.
    """
    check_counts(n, n_folds)
    order = generator(random_state).permutation(n)
    if groups is not None:
        part = _of_groups(n, n_folds, order, classes, groups)
        return [(np.flatnonzero(part != f), np.flatnonzero(part == f)) for f in range(n_folds)]
    if classes is not None:
        order = order[np.argsort(strata_of(classes, n, "classes")[order], kind="stable")]
    part = np.empty(n, np.intp)
    part[order] = np.arange(n) % n_folds
    return [(np.flatnonzero(part != f), np.flatnonzero(part == f)) for f in range(n_folds)]


def _of_groups(n: int, n_folds: int, order: np.ndarray, classes: object, groups: object) -> np.ndarray:
    """Part (n,) of each row; groups of equal counts come in a random order (n,)."""
    of_rows = groups_of(groups, n, "groups")
    codes = np.zeros(n, int) if classes is None else strata_of(classes, n, "classes")
    counts = np.zeros((of_rows.max() + 1, codes.max() + 1))
    np.add.at(counts, (of_rows, codes), 1)
    if len(counts) < n_folds:
        raise ValueError(f"there are {len(counts)} groups for {n_folds} folds: take at most as many folds as groups")
    first = np.unique(of_rows[order], return_index=True)[1]
    each = np.lexsort((first, -counts.sum(axis=1), -counts.std(axis=1)))
    filled, part, total = np.zeros((n_folds, counts.shape[1])), np.empty(len(counts), np.intp), counts.sum(axis=0)
    for group in each:
        uneven = [
            np.std((filled + counts[group] * (np.arange(n_folds) == f)[:, None]) / total, axis=0).mean()
            for f in range(n_folds)
        ]
        best = np.flatnonzero(np.isclose(uneven, np.min(uneven), rtol=0, atol=1e-12))
        part[group] = best[filled[best].sum(axis=1).argmin()]
        filled[part[group]] += counts[group]
    return np.asarray(part[of_rows])


def check_counts(n: int, n_folds: int) -> None:
    """Raise ValueError unless there are 2 to n folds."""
    whole("the number of rows", n, 0, MAX_ROWS)
    if not 2 <= whole("n_folds", n_folds) <= n:
        raise ValueError(f"n_folds must be at least 2 and at most the {n} rows, not {shown(n_folds)}")
