"""Descriptive data in CSR as kernels read them."""

import numpy as np
from scipy import sparse

from ..jit import kernel
from .expected import MISSING
from .scaling import check_finite, scaling
from .table import EXACT, DataTable


def pack_sparse(
    table: DataTable, rows: np.ndarray, columns: np.ndarray, dtype: type | None
) -> tuple[sparse.csr_array, int, np.ndarray, np.ndarray, bool]:
    """Columns that have zeros are divided by their range; those without are shifted as well, so that all lie in [-1,
    1].

    In double precision: the index takes more room than the values, and more time.
    """
    nominal, (n, p) = table.nominal, (len(rows), table.shape[1])
    X = table.values[rows]
    low, high, stored = np.full(p, np.inf), np.full(p, -np.inf), np.bincount(X.indices, minlength=p)
    unknown = _ranges_sparse(X.indices, X.data, low, high)
    check_finite(low, high)
    zeros = stored < n
    low[zeros], high[zeros] = np.minimum(low[zeros], 0), np.maximum(high[zeros], 0)
    if nominal.any() and ((low[nominal] < 0) | (high[nominal] >= EXACT)).any():
        raise ValueError(f"nominal columns of sparse data must hold codes from 0 to {EXACT - 1:.0f}")
    constant, (low, scale) = ~(low < high), scaling(low, high, nominal)
    low[zeros] = 0
    place = np.empty(p, np.int32)
    place[columns] = np.arange(p)
    _scale_sparse(X.data, X.indices, place, low, scale, MISSING)  # in place: these are copies
    values = sparse.csr_array((X.data.astype(dtype or np.float64, copy=False), X.indices, X.indptr), shape=(n, p))
    values.sort_indices()
    return values, int((~nominal).sum()), scale, constant, unknown


@kernel
def _ranges_sparse(indices, data, low, high):
    missing = 0
    for t in range(len(data)):
        f, x = indices[t], data[t]
        low[f] = x if x < low[f] else low[f]
        high[f] = x if x > high[f] else high[f]
        missing += x != x
    return missing > 0


@kernel
def _scale_sparse(data, indices, place, low, scale, unknown):
    """Scaled, in place, and the columns in the order of the run."""
    for t in range(len(data)):
        f, x = indices[t], data[t]
        data[t], indices[t] = (x - low[f]) * scale[f] if x == x else unknown, place[f]
