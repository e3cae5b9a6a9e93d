"""Predictions from neighbours: the most frequent class, or the mean."""

from typing import cast

import numpy as np
from scipy import sparse

from ..checks import whole
from ..data.arrays import cells, floats
from ..data.indices import csr

MAX_CLASSES = 2**31  # codes of classes have 32 bits


def vote(codes: object, near: np.ndarray, default: int = -1) -> np.ndarray:
    """Find the most frequent class (m,) among neighbours, the smallest of equally frequent ones.

    Parameters
    ----------
    codes : (n,) int array
        Classes of all rows; negative ones are unknown and do not vote.
    near : (m, k) int array
        Neighbours.
    default : int
        Class where nobody votes.
    """
    codes = cells(codes, "codes")
    default = whole("default", default, -MAX_CLASSES, MAX_CLASSES)
    if codes.dtype.kind not in "iub" or codes.ndim != 1:
        raise ValueError(f"codes must be (n,) integers, not of shape {codes.shape} and type {codes.dtype}")
    near = _checked(near, len(codes))
    m = len(near)
    votes = codes[near].astype(np.intp)
    is_known = votes >= 0
    n_classes = max(int(votes.max(initial=0)), 0) + 1
    cell_of_vote = votes + n_classes * np.arange(m)[:, None]
    counts = np.bincount(cell_of_vote[is_known], minlength=m * n_classes).reshape(m, n_classes)
    return np.where(is_known.any(axis=1), counts.argmax(axis=1), default)


def mean(values: object, near: np.ndarray) -> np.ndarray:
    """Average values (n,) or (n, t), dense or CSR, over neighbours near (m, k): (m,) or (m, t).

    Unknown values (NaN) do not count; the mean is NaN where all are unknown.  Of labels (0 and 1) it is their share.
    """
    values = csr(values, "values") if sparse.issparse(values) else floats(values, "values")
    if values.ndim not in (1, 2):
        raise ValueError(f"values must be (n,) or (n, t), not of shape {values.shape}")
    n = values.shape[0]
    near = _checked(near, n)
    m, k = near.shape
    chosen = sparse.csr_array((np.ones(m * k), near.ravel(), np.arange(0, m * k + 1, k)), shape=(m, n))
    if sparse.issparse(values):
        return cast("np.ndarray", (chosen @ values).toarray() / k)
    is_missing = np.isnan(values)
    if not is_missing.any():
        return cast("np.ndarray", chosen @ values / k)
    counts = chosen @ (~is_missing).astype(float)
    sums = chosen @ np.where(is_missing, 0.0, values)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _checked(near: object, n: int) -> np.ndarray:
    """Read indices (m, k) of n rows, since SciPy would follow any; raises ValueError for anything else."""
    near = cells(near, "near")
    if near.ndim != 2 or near.dtype.kind not in "iu" or not near.shape[1]:
        raise ValueError(f"near must be (m, k) integers, not of shape {near.shape} and type {near.dtype}")
    if near.size and (near.min() < 0 or near.max() >= n):
        raise ValueError(f"near must be indices of rows, from 0 to {n - 1}")
    return near
