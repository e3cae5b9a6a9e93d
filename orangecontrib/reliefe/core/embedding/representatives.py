"""Rows that stand for all rows: as many of every class as there are places for."""

from typing import cast

import numpy as np

from ..checks import generator, whole
from ..data.arrays import cells


def representatives(groups: np.ndarray, size: int = 2048, random_state: int = 0) -> np.ndarray:
    """(min(size, n),) ascending rows, taken from the groups in turn, one each, until there are `size`.

    groups (n,) int: codes of classes or of label sets, in the order of their values; exhausted groups are passed over.
    The order within a group is random.  With more groups than places the first `size` groups have one row each.
    Rare groups are over-represented by design.  Raises ValueError for a size below 1 or groups that are no (n,) ints.

    Skrlj et al. (2022), ReliefE, section 3.8.2.
    """
    groups, size, rng = cells(groups, "groups"), whole("size", size, 1), generator(random_state)
    if groups.ndim != 1 or groups.dtype.kind not in "iu":
        raise ValueError(f"groups must be one integer for each row, not shape {groups.shape} of type {groups.dtype}")
    if len(groups) <= size:
        return np.arange(len(groups))
    return np.sort(cyclic(groups, rng.permutation(len(groups)))[:size])


def cyclic(groups: np.ndarray, order: np.ndarray) -> np.ndarray:
    """(n,) rows as they are taken: by their place among the rows of their group, `order` (n,), then by group."""
    by_group = order[np.argsort(groups[order], kind="stable")]
    sorted_groups = groups[by_group]
    starts = np.flatnonzero(np.r_[True, sorted_groups[1:] != sorted_groups[:-1]])
    place = np.arange(len(groups)) - np.repeat(starts, np.diff(np.r_[starts, len(groups)]))
    return cast("np.ndarray", by_group[np.lexsort((sorted_groups, place))])
