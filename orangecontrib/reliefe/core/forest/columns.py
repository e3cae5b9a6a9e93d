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


UNLIMITED = 2**30


class Rule(NamedTuple):
    """Rule by which a tree grows."""

    n_candidates: int  # features tried in a node, 1 or more; more are drawn while none gives a test
    random: bool = False  # one random threshold of each feature instead of all
    min_leaf: float = 1  # smallest weight of the rows in a leaf
    max_depth: int = UNLIMITED  # largest number of tests on the way to a leaf
    # Shares of its impurity that a test must take from a node of weight 0, 1 ..., the last one from all that weigh more
    shares: np.ndarray = np.zeros(1)
    fractional: bool = False  # rows that lack the tested feature go both ways, in part


def significant(level: float | None, n: int) -> np.ndarray:
    """Shares of the impurity of a node that a test must take away to be significant by an F-test.

    F = h / (SS - h) (weight - 2) with 1 and weight - 2 degrees of freedom, where h of the sum of squares SS goes away.
    CLUS takes several attributes together, so that this is only a rule of thumb.
    """
    if level is None:
        return np.zeros(1)
    from scipy.stats import f

    rest = np.arange(n + 1.0) - 2
    with np.errstate(divide="ignore"):  # F is infinite at level 0, where only all of SS will do, and 0 at level 1
        share = 1 / (1 + np.maximum(rest, 1) / f.isf(level, 1, np.maximum(rest, 1)))
    return np.where(rest > 0, share, np.inf)
