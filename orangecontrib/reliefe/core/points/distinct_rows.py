"""Rows that are equal to no row before them."""

from typing import cast

import numpy as np
from scipy import sparse


def distinct(X: np.ndarray | sparse.csr_array) -> np.ndarray:
    """Ascending indices of the rows that are equal to no row before them."""
    seen: dict[int, list[int]] = {}  # rows by the hash of what is in them
    kept = []
    for i in range(X.shape[0]):
        if sparse.issparse(X):
            stored = cast("sparse.csr_array", X)
            span = slice(stored.indptr[i], stored.indptr[i + 1])
            key = stored.indices[span].tobytes() + stored.data[span].tobytes()
        else:
            key = (X[i] + 0.0).tobytes()  # -0 is 0
        alike = seen.setdefault(hash(key), [])
        if not any(_equal(X, i, j) for j in alike):
            alike.append(i)
            kept.append(i)
    return np.array(kept, dtype=np.intp)


def _equal(X: np.ndarray | sparse.csr_array, i: int, j: int) -> bool:
    """True if two rows are equal."""
    if not sparse.issparse(X):
        return np.array_equal(X[i], X[j])
    stored = cast("sparse.csr_array", X)
    own, other = (slice(stored.indptr[row], stored.indptr[row + 1]) for row in (i, j))
    return all(np.array_equal(part[own], part[other]) for part in (stored.indices, stored.data))
