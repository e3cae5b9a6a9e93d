"""Rows without their duplicates.

`embedding/dimension.py` and `methods/agnos.py` estimate a dimension from these rows.
"""

from typing import cast

import numpy as np
from scipy import sparse


def distinct(X: np.ndarray | sparse.csr_array) -> np.ndarray:
    """Return the indices, ascending, of the rows of X (n, p) that are equal to no row before them."""
    rows_by_hash: dict[int, list[int]] = {}
    distinct_rows = []
    for i in range(X.shape[0]):
        if sparse.issparse(X):
            stored = cast("sparse.csr_array", X)
            span = slice(stored.indptr[i], stored.indptr[i + 1])
            key = stored.indices[span].tobytes() + stored.data[span].tobytes()
        else:
            key = (X[i] + 0.0).tobytes()  # -0 is 0
        same_hash = rows_by_hash.setdefault(hash(key), [])
        if not any(_equal(X, i, j) for j in same_hash):
            same_hash.append(i)
            distinct_rows.append(i)
    return np.array(distinct_rows, dtype=np.intp)


def _equal(X: np.ndarray | sparse.csr_array, i: int, j: int) -> bool:
    """True if the rows i and j are equal."""
    if not sparse.issparse(X):
        return np.array_equal(X[i], X[j])
    stored = cast("sparse.csr_array", X)
    span_i = slice(stored.indptr[i], stored.indptr[i + 1])
    span_j = slice(stored.indptr[j], stored.indptr[j + 1])
    return all(np.array_equal(array[span_i], array[span_j]) for array in (stored.indices, stored.data))
