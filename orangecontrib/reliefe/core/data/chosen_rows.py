"""Rows as callers choose them, by masks, indices or groups."""

from typing import Any

import numpy as np
from scipy import sparse

from ..words import shown
from . import frames
from .arrays import cells, plain, unknown
from .frames import is_frame
from .indices import csr


def chosen_from(values: object, name: str) -> Any:
    """Return values as `plain` does, and sparse matrices as CSR, so that rows can be taken.

    Raises ValueError as `plain` and `csr` do.
    """
    return csr(values, name) if sparse.issparse(values) else plain(values, name)


def take(values: Any, rows: np.ndarray) -> Any:
    """Return the rows (a mask or indices) of a frame, an array or CSR."""
    return frames.take(values, rows) if is_frame(values) else values[rows]


def rows_of(rows: object, n: int, name: str) -> np.ndarray:
    """Read indices of rows.

    Parameters
    ----------
    rows : array-like
        Indices from 0 to n - 1, or a mask (n,).
    n : int
        Number of rows.
    name : str
        What messages call them.

    Raises
    ------
    ValueError
        For anything else.
    """
    values = cells(rows, name)
    if values.dtype == bool and values.shape == (n,):
        return np.flatnonzero(values)
    if values.size == 0 and values.ndim == 1:
        return np.zeros(0, np.intp)
    if values.ndim != 1 or values.dtype.kind not in "iu" or values.min() < 0 or values.max() >= n:
        raise ValueError(f"{name} must be indices from 0 to {n - 1}, or a mask of length {n}, not {shown(rows)}")
    return values.astype(np.intp, copy=False)


def groups_of(values: object, n: int, name: str) -> np.ndarray:
    """Number the groups of rows.

    Parameters
    ----------
    values : array-like, shape (n,)
        Rows with the same value are a group.
    n : int
        Number of rows.
    name : str
        What messages call the values.

    Returns
    -------
    (n,) int array
        Index of the value of each row in the sorted values; rows with a missing value have the last one.

    Raises
    ------
    ValueError
        For another shape, and for values that cannot be sorted.
    """
    values = cells(values, name)
    if values.shape != (n,):
        raise ValueError(f"{name} must be one value for each of {n} rows, not of shape {values.shape}")
    is_known = ~unknown(values) if values.dtype.kind == "O" else np.ones(n, bool)
    try:
        levels, codes = np.unique(values[is_known], return_inverse=True)
    except (TypeError, ValueError):  # arrays among them
        raise ValueError(f"{name} must be values of one kind, which can be sorted") from None
    groups = np.full(n, len(levels))
    groups[is_known] = codes.ravel()
    return groups
