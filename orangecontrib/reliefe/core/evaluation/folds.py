"""Random folds of rows for cross-validation: plain, stratified by class, or by groups of rows.

scikit-learn's StratifiedKFold refuses classes that have fewer rows than there are folds.  Its StratifiedGroupKFold is
as even (classes differ by 7 % between folds in 400 random tables, as here), but rounding decides between equal folds.
"""

import numpy as np

from ..checks import generator, whole
from ..data.chosen_rows import groups_of
from ..targets.strata import strata_of
from ..words import shown

TIE = 1e-12  # difference of unevenness that is only rounding
MAX_ROWS = 2**31 - 1  # rows: the largest index of 32 bits
Fold = tuple[np.ndarray, np.ndarray]  # indices of training rows, of test rows


def folds(n: int, n_folds: int, random_state: int = 0, classes: object = None, groups: object = None) -> list[Fold]:
    """Split n rows into random folds, whose sizes differ by at most 1, or which consist of whole groups of rows.

    Parameters
    ----------
    n : int
        Number of rows.
    n_folds : int
        Number of folds, 2 <= n_folds <= n.
    random_state : int
        Seed.
    classes : (n,) array or Survival, optional
        Folds are stratified: per class, fold sizes differ by at most one row.  The classes of times are those with an
        event and those without.
    groups : (n,) array, optional
        Rows of one group stay together.  Groups with uneven classes, and then large ones, are assigned first.  Each
        goes to the fold where the classes are the most even afterwards.

    Returns
    -------
    list of (training rows, test rows)
        For each fold the indices of the other rows, and of its own, both ascending.

    Raises
    ------
    ValueError
        If there are fewer rows, or fewer groups, than folds.
    """
    check_counts(n, n_folds)
    order = generator(random_state).permutation(n)
    if groups is not None:
        fold_of_row = _assign_groups(n, n_folds, order, classes, groups)
    else:
        if classes is not None:
            order = order[np.argsort(strata_of(classes, n, "classes")[order], kind="stable")]
        fold_of_row = np.empty(n, np.intp)
        fold_of_row[order] = np.arange(n) % n_folds
    return [(np.flatnonzero(fold_of_row != f), np.flatnonzero(fold_of_row == f)) for f in range(n_folds)]


def _assign_groups(n: int, n_folds: int, order: np.ndarray, classes: object, groups: object) -> np.ndarray:
    """Assign a fold (n,) to each row, the same one within a group.

    order (n,): random order of the rows; groups with equal counts are assigned in the order of their first rows there.
    """
    group_of_row = groups_of(groups, n, "groups")
    codes = np.zeros(n, int) if classes is None else strata_of(classes, n, "classes")
    counts = np.zeros((group_of_row.max() + 1, codes.max() + 1))  # rows of each group by class
    np.add.at(counts, (group_of_row, codes), 1)
    if len(counts) < n_folds:
        raise ValueError(f"there are {len(counts)} groups for {n_folds} folds: take at most as many folds as groups")
    # Uneven groups first, then large ones.
    first_row = np.unique(group_of_row[order], return_index=True)[1]
    sequence = np.lexsort((first_row, -counts.sum(axis=1), -counts.std(axis=1)))
    filled = np.zeros((n_folds, counts.shape[1]))  # rows of each fold by class
    total = counts.sum(axis=0)
    fold_of_group = np.empty(len(counts), np.intp)
    for group in sequence:
        # Each group goes where the classes are the most even afterwards; of equally good folds to the smallest one.
        unevenness = []
        for f in range(n_folds):
            is_fold = np.arange(n_folds) == f
            shares = (filled + counts[group] * is_fold[:, None]) / total
            unevenness.append(np.std(shares, axis=0).mean())
        best_folds = np.flatnonzero(np.isclose(unevenness, np.min(unevenness), rtol=0, atol=TIE))
        fold_of_group[group] = best_folds[filled[best_folds].sum(axis=1).argmin()]
        filled[fold_of_group[group]] += counts[group]
    return np.asarray(fold_of_group[group_of_row])


def check_counts(n: int, n_folds: int) -> None:
    """Raise ValueError unless there are 2 to n folds."""
    whole("the number of rows", n, 0, MAX_ROWS)
    if not 2 <= whole("n_folds", n_folds) <= n:
        raise ValueError(f"n_folds must be at least 2 and at most the {n} rows, not {shown(n_folds)}")
