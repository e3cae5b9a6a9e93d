"""Features as trees read them: one after the other."""

from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

MAX_CACHED_BYTES = 2**22  # of values that the cache of a processor holds


class Columns(NamedTuple):
    """Features, one after the other.

    values (p, n): NaN = missing; codes (p, n): ranks among the distinct values, or (p, 0) where nothing is sorted;
    missing: the code of a missing value; nominal (p,) bool; table (n, p): the values once more, row by row, where they
    are many, for nodes of few rows; else (0, p).

    Of sparse data only what is stored, values and codes (1, stored): of feature f at starts[f] : starts[f + 1], starts
    (p + 1,), in `rows` (stored,), ascending for each; the others are 0, whose codes are zeros (p,).
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
        """Read X (n, p), dense or CSR; nominal (p,) bool; ranks: for trees that try all thresholds."""
        nominal, kind = np.array(nominal, bool), np.uint16 if X.shape[0] < np.iinfo(np.uint16).max else np.uint32
        if sparse.issparse(X):
            stored, p = cast("sparse.csr_array", X).tocsc(), X.shape[1]
            stored.sort_indices()
            starts, table = stored.indptr.astype(np.int64), np.empty((0, p))
            codes, zeros = np.empty((1, stored.nnz if ranks else 0), kind), np.zeros(p, kind)
            for f in range(p if ranks else 0):
                a, b = starts[f], starts[f + 1]
                found = _ranks(np.append(stored.data[a:b], 0.0), codes.dtype)
                codes[0, a:b], zeros[f] = found[:-1], found[-1]
            values, rows = stored.data.astype(np.float64)[None], stored.indices.astype(np.uint32)
            return cls(values, codes, np.iinfo(kind).max, nominal, table, starts, rows, zeros)
        values = np.array(X.T, np.float64, order="C")
        X = np.ascontiguousarray(X, np.float64)  # the caller's own: nobody writes to it
        codes = np.empty(values.shape if ranks else (len(values), 0), kind)
        for f in range(len(values) if ranks else 0):
            codes[f] = _ranks(values[f], codes.dtype)
        table = X if values.nbytes > MAX_CACHED_BYTES else X[:0]
        return cls(values, codes, np.iinfo(kind).max, nominal, table)


def _ranks(values: np.ndarray, kind: np.dtype) -> np.ndarray:
    """Ranks (n,) among the distinct values; the largest number of the kind where missing."""
    out = np.unique(values, return_inverse=True)[1].ravel().astype(kind)
    out[np.isnan(values)] = np.iinfo(kind).max
    return out
