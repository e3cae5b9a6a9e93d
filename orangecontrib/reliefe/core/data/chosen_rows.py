"""Rows as callers choose and group them."""

from typing import Any

import numpy as np
from scipy import sparse

from ..words import shown
from . import frames
from .arrays import cells, plain, unknown
from .frames import is_frame
from .indices import csr


def chosen_from(values: object, name: str) -> Any:
    """`plain`, and sparse matrices as CSR: rows of the result can be taken."""
    return csr(values, name) if sparse.issparse(values) else plain(values, name)


def take(values: Any, rows: np.ndarray) -> Any:
    """Some rows of a DataFrame, an array or CSR."""
    return frames.take(values, rows) if is_frame(values) else values[rows]


def rows_of(rows: object, n: int, name: str) -> np.ndarray:
    """Indices from 0 to n - 1, given as such or as a mask (n,).  Raises ValueError for anything else."""
    found = cells(rows, name)
    if found.dtype == bool and found.shape == (n,):
        return np.flatnonzero(found)
    if found.size == 0 and found.ndim == 1:
        return np.zeros(0, np.intp)
    if found.ndim != 1 or found.dtype.kind not in "iu" or found.min() < 0 or found.max() >= n:
        raise ValueError(f"{name} must be indices from 0 to {n - 1}, or a mask of length {n}, not {shown(rows)}")
    return found.astype(np.intp, copy=False)


def groups_of(values: object, n: int, name: str) -> np.ndarray:
    """(n,) numbers 0, 1, ... of the sorted values that occur; those that are missing are the last group.

    Raises ValueError for another shape, and for values that cannot be sorted.
    """
    values = cells(values, name)
    if values.shape != (n,):
        raise ValueError(f"{name} must be one value for each of {n} rows, not of shape {values.shape}")
    known = ~unknown(values) if values.dtype.kind == "O" else np.ones(n, bool)
    try:
        found, codes = np.unique(values[known], return_inverse=True)
    except (TypeError, ValueError):  # arrays among them
        raise ValueError(f"{name} must be values of one kind, which can be sorted") from None
    out = np.full(n, len(found))
    out[known] = codes.ravel()
    return out
