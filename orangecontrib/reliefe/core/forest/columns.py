"""Features as the kernels of trees read them: column by column, with ranks.

`methods/pct.py` reads them from a table, once for all trees of an ensemble.
"""

from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

MAX_CACHED_BYTES = 2**22  # bytes of values that the cache of a processor holds


class Columns(NamedTuple):
    """Features, column by column.

    Dense data:

    values (p, n): values, NaN = missing.
    codes (p, n): ranks among the distinct values; (p, 0) where nothing is sorted.
    missing: the code of a missing value.
    nominal (p,) bool: True for nominal features.
    table (n, p): the values once more, row by row, if they are many, for nodes of few rows; else (0, p).

    Sparse data, of which only stored values are read:

    values, codes (1, stored): those of feature f are at starts[f]:starts[f + 1].
    starts (p + 1,): where each feature begins.
    rows (stored,): their rows, ascending for each feature.
    zeros (p,): codes of 0, the value in all other rows.
    """

    values: np.ndarray
    codes: np.ndarray
    missing: int
    nominal: np.ndarray
    table: np.ndarray
    starts: np.ndarray | None = None
    rows: np.ndarray | None = None
    zeros: np.ndarray | None = None

    @classmethod
    def read(cls, X: np.ndarray | sparse.csr_array, nominal: np.ndarray, ranks: bool = True) -> "Columns":
        """Read X (n, p), dense or CSR.

        nominal (p,) bool: nominal features; ranks: True for trees that try all thresholds.
        """
        nominal = np.array(nominal, bool)
        kind = np.uint16 if X.shape[0] < np.iinfo(np.uint16).max else np.uint32
        if sparse.issparse(X):
            stored = cast("sparse.csr_array", X).tocsc()
            stored.sort_indices()
            p = X.shape[1]
            starts = stored.indptr.astype(np.int64)
            codes = np.empty((1, stored.nnz if ranks else 0), kind)
            zeros = np.zeros(p, kind)
            for f in range(p if ranks else 0):
                start, stop = starts[f], starts[f + 1]
                codes_and_zero = _ranks(np.append(stored.data[start:stop], 0.0), codes.dtype)
                codes[0, start:stop] = codes_and_zero[:-1]
                zeros[f] = codes_and_zero[-1]
            values = stored.data.astype(np.float64)[None]
            rows = stored.indices.astype(np.uint32)
            return cls(values, codes, np.iinfo(kind).max, nominal, np.empty((0, p)), starts, rows, zeros)
        values = np.array(X.T, np.float64, order="C")
        X = np.ascontiguousarray(X, np.float64)  # the caller's own: nobody writes to it
        codes = np.empty(values.shape if ranks else (len(values), 0), kind)
        for f in range(len(values) if ranks else 0):
            codes[f] = _ranks(values[f], codes.dtype)
        table = X if values.nbytes > MAX_CACHED_BYTES else X[:0]
        return cls(values, codes, np.iinfo(kind).max, nominal, table)


def _ranks(values: np.ndarray, kind: np.dtype) -> np.ndarray:
    """Rank values (n,) among the distinct ones; the largest number of the kind stands for a missing value."""
    ranks = np.unique(values, return_inverse=True)[1].ravel().astype(kind)
    ranks[np.isnan(values)] = np.iinfo(kind).max
    return ranks
