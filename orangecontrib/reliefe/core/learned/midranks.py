"""Standardised midranks of numeric features, and codes of nominal ones: the values that the global part reads."""

from typing import cast

import numpy as np
from scipy import sparse

from ..data.expected import MISSING
from ..kernels.jit import kernel
from ..relief.formats.features import Features


def values_of_features(features: Features, chosen: np.ndarray) -> np.ndarray | sparse.csc_array:
    """Copy the values of some features: (c, n) if they are dense, else CSC (n, c).

    chosen (c,): the features, ascending.
    """
    is_range = len(chosen) > 0 and chosen[-1] - chosen[0] + 1 == len(chosen)
    values = features.values[:, chosen[0] : chosen[-1] + 1] if is_range else features.values[:, chosen]
    return cast("sparse.csr_array", values).tocsc() if features.is_sparse else np.ascontiguousarray(values.T)


def standardised(values: np.ndarray | sparse.csc_array, block: slice, nominal: bool, out: np.ndarray) -> None:
    """Rank the values of a block of features.

    Parameters
    ----------
    values : (c, n) array, or CSC (n, c)
        Values of all features.
    block : slice
        The features to rank.
    nominal : bool
        Give codes from 0 in the order of the values instead of standardised midranks.
    out : (features of the block, n) array
        The results; NaN where a value is missing.
    """
    if not sparse.issparse(values):
        dense = cast("np.ndarray", values)[block]
        order = np.argsort(dense, axis=1)
        data = np.take_along_axis(dense, order, axis=1).ravel()
        starts = np.arange(len(dense) + 1) * dense.shape[1]
        _rank(data, order.ravel(), starts, nominal, MISSING, out)
        return
    stored = cast("sparse.csc_array", values)
    starts = stored.indptr[block.start : block.stop + 1].astype(np.int64)
    data = stored.data[starts[0] : starts[-1]]
    rows = stored.indices[starts[0] : starts[-1]].astype(np.int64)
    starts = starts - starts[0]
    order = np.lexsort((data, np.repeat(np.arange(len(starts) - 1), np.diff(starts))))
    _rank(data[order], rows[order], starts, nominal, MISSING, out)


@kernel
def _rank(data, rows, starts, nominal, missing, out):
    """Fill out (c, n) with standardised midranks (rank - mean) / deviation, or with codes.

    The midrank of equal values is (number of smaller ones) + (number of equal ones + 1) / 2.

    data, rows (e,): values, ascending, and their rows, feature by feature.
    starts (c + 1,): where each feature begins in them.  A row that a feature does not list has the value 0.
    missing: the number that stands for a missing value.
    """
    n = out.shape[1]
    for f in range(len(out)):
        s = starts[f]
        stop = starts[f + 1]
        z = out[f]
        n_implicit = n - (stop - s)  # rows that are not listed
        z[:] = np.nan if n_implicit == 0 else -1.0  # -1: not listed
        n_ranked = 0
        code = 0
        squares = 0.0
        rank_of_zero = -1.0
        while s < stop or n_implicit > 0:
            # A run of equal values, in rows s to last - 1; implicit zeros come where the listed values turn positive.
            x = float(data[s]) if s < stop else 0.0
            equal = 0
            if n_implicit > 0 and x >= 0:
                x = 0.0
                equal = n_implicit
                n_implicit = 0
            last = s
            while last < stop and data[last] == x:
                last += 1
            if x != missing:
                equal += last - s
                rank = float(code) if nominal else n_ranked + (equal + 1) / 2
                rank_of_zero = rank if x == 0 else rank_of_zero
                n_ranked += equal
                code += 1
                squares += equal * rank * rank
                for t in range(s, last):
                    z[rows[t]] = rank
            else:
                for t in range(s, last):
                    z[rows[t]] = np.nan
            s = last
        # Standardise.
        mean = (n_ranked + 1) / 2
        over = 1 / np.sqrt(squares / n_ranked - mean * mean) if code > 1 and not nominal else 0.0
        for i in range(n):
            x = rank_of_zero if z[i] == -1.0 else z[i]
            z[i] = x if nominal else (x - mean) * over
