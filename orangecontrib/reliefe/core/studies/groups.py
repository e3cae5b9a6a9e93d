"""Groups of rows as callers give them.

`study.py` calls `read_groups` with the argument `groups` of `rank`.
"""

from typing import Any

import numpy as np

from ..data.arrays import cells, groups_of, unknown
from ..words import counted


def read_groups(given: Any, known: np.ndarray) -> np.ndarray:
    """Codes of the groups of the rows that are used; known: (rows,) bool, which of the caller's rows these are."""
    values = cells(given, "groups")
    values = values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
    if values.shape != known.shape:
        raise ValueError(f"groups must be one value for each of {len(known)} rows, not of shape {values.shape}")
    values = values[known]
    gaps = np.flatnonzero(unknown(values))
    if len(gaps):
        row = np.flatnonzero(known)[gaps[0]] + 1
        raise ValueError(f"groups have {counted(len(gaps), 'unknown value')} (row {row:,}): name the group of each row")
    codes = groups_of(values.astype(str) if values.dtype.kind == "O" else values, len(values), "groups")
    if len(codes) and codes.max() == 0:
        raise ValueError("all rows are in one group: there is nobody to compare with; leave groups out")
    return codes
