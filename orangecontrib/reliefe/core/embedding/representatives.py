"""Sample of rows that represents all classes: as many rows of each class as there is room for.

`methods/reliefe.py` calls `representatives` with the classes, or label sets, of the rows.
"""

from typing import cast

import numpy as np

from ..checks import generator, whole
from ..data.arrays import cells


def representatives(groups: np.ndarray, size: int = 2048, random_state: int = 0) -> np.ndarray:
    """Draw rows from the groups in turn, one from each group, until there are `size`.

    Groups without rows left are passed over.  The order in a group is random.  With more groups than `size`, the first
    `size` groups have one row each.  Rare groups are over-represented by design.

    Skrlj et al. (2022), ReliefE, section 3.8.2.

    Parameters
    ----------
    groups : (n,) int array
        Codes of classes or of label sets, in the order of their values.
    size : int
        Number of rows, at least 1.
    random_state : int
        Seed of the order in the groups.

    Returns
    -------
    (min(size, n),) int array
        The rows, ascending.

    Raises
    ------
    ValueError
        If size is below 1, or groups are no (n,) integers.
    """
    groups = cells(groups, "groups")
    size = whole("size", size, 1)
    rng = generator(random_state)
    if groups.ndim != 1 or groups.dtype.kind not in "iu":
        raise ValueError(f"groups must be one integer for each row, not shape {groups.shape} of type {groups.dtype}")
    if len(groups) <= size:
        return np.arange(len(groups))
    return np.sort(cyclic(groups, rng.permutation(len(groups)))[:size])


def cyclic(groups: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Order rows as they are taken from the groups in turn: the first of each group, then the second, and so on.

    Parameters
    ----------
    groups : (n,) int array
        Group of each row.
    order : (n,) int array
        Rows in the order in which a group gives them.

    Returns
    -------
    (n,) int array
    """
    by_group = order[np.argsort(groups[order], kind="stable")]
    sorted_groups = groups[by_group]
    is_first = np.r_[True, sorted_groups[1:] != sorted_groups[:-1]]
    starts = np.flatnonzero(is_first)
    sizes = np.diff(np.r_[starts, len(groups)])
    turns = np.arange(len(groups)) - np.repeat(starts, sizes)  # number of each row in its group
    return cast("np.ndarray", by_group[np.lexsort((sorted_groups, turns))])
