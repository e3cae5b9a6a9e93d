"""Standardised midranks of numeric features, codes of nominal ones: how the global part reads values."""

from typing import cast

import numpy as np
from scipy import sparse

from ..data.expected import MISSING
from ..kernels.jit import kernel
from ..relief.formats.features import Features


def columns(features: Features, chosen: np.ndarray) -> np.ndarray | sparse.csc_array:
    """Values of features (c,), ascending."""
    whole = len(chosen) > 0 and chosen[-1] - chosen[0] + 1 == len(chosen)
    values = features.values[:, chosen[0] : chosen[-1] + 1] if whole else features.values[:, chosen]
    return cast("sparse.csr_array", values).tocsc() if features.is_sparse else np.ascontiguousarray(values.T)


def standardised(values: np.ndarray | sparse.csc_array, here: slice, nominal: bool, out: np.ndarray) -> None:
    """Rank the values of some features."""
    if not sparse.issparse(values):
        own = cast("np.ndarray", values)[here]
        order = np.argsort(own, axis=1)
        data = np.take_along_axis(own, order, axis=1).ravel()
        _rank(data, order.ravel(), np.arange(len(own) + 1) * own.shape[1], nominal, MISSING, out)
        return
    stored = cast("sparse.csc_array", values)
    starts = stored.indptr[here.start : here.stop + 1].astype(np.int64)
    data, rows = stored.data[starts[0] : starts[-1]], stored.indices[starts[0] : starts[-1]].astype(np.int64)
    starts = starts - starts[0]
    order = np.lexsort((data, np.repeat(np.arange(len(starts) - 1), np.diff(starts))))
    _rank(data[order], rows[order], starts, nominal, MISSING, out)


@kernel
def _rank(data, rows, starts, nominal, unknown, out):
    """Fill out (c, n), see `standardised`.

    data, rows (e,): values, ascending, and their rows, feature by feature; starts (c + 1,): of each.  Rows that a
    feature does not name have the value 0.
    """
    n = out.shape[1]
    for f in range(len(out)):
        s, stop, z = starts[f], starts[f + 1], out[f]
        hidden = n - (stop - s)
        z[:] = np.nan if hidden == 0 else -1.0  # of rows that are not named
        known, code, squares, zero = 0, 0, 0.0, -1.0
        while s < stop or hidden > 0:
            x = float(data[s]) if s < stop else 0.0
            equal = 0
            if hidden > 0 and x >= 0:  # the rows that are not named come here
                x, equal, hidden = 0.0, hidden, 0
            last = s
            while last < stop and data[last] == x:
                last += 1
            if x != unknown:
                equal += last - s
                rank = float(code) if nominal else known + (equal + 1) / 2
                zero = rank if x == 0 else zero
                known, code, squares = known + equal, code + 1, squares + equal * rank * rank
                for t in range(s, last):
                    z[rows[t]] = rank
            else:
                for t in range(s, last):
                    z[rows[t]] = np.nan
            s = last
        mean = (known + 1) / 2
        over = 1 / np.sqrt(squares / known - mean * mean) if code > 1 and not nominal else 0.0
        for i in range(n):
            x = zero if z[i] == -1.0 else z[i]
            z[i] = x if nominal else (x - mean) * over
