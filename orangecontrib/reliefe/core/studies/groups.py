"""Groups of rows as callers give them.

`study.py` calls `read_groups` with the argument `groups` of `rank`.
"""

from typing import Any

import numpy as np

from ..data.arrays import cells, unknown
from ..data.chosen_rows import groups_of
from ..words import counted


def read_groups(groups: Any, is_used: np.ndarray) -> np.ndarray:
    """Check the groups of the rows that are used.

    Parameters
    ----------
    groups : array-like of shape (rows,) or (rows, 1)
        Group of each of the caller's rows.
    is_used : (rows,) bool array
        Rows that are ranked.

    Returns
    -------
    (n,) int array
        Codes of the groups of the n used rows, from 0.

    Raises
    ------
    ValueError
        For another number of rows, unknown groups, or a single one.
    """
    values = cells(groups, "groups")
    values = values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
    if values.shape != is_used.shape:
        raise ValueError(f"groups must be one value for each of {len(is_used)} rows, not of shape {values.shape}")
    values = values[is_used]
    unknown_rows = np.flatnonzero(unknown(values))
    if len(unknown_rows):
        first_row = np.flatnonzero(is_used)[unknown_rows[0]] + 1
        n_unknown = counted(len(unknown_rows), "unknown value")
        raise ValueError(f"groups have {n_unknown} (row {first_row:,}): name the group of each row")
    codes = groups_of(values.astype(str) if values.dtype.kind == "O" else values, len(values), "groups")
    if len(codes) and codes.max() == 0:
        raise ValueError("all rows are in one group: there is nobody to compare with; leave groups out")
    return codes
