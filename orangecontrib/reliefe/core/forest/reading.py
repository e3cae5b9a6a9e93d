"""Reading of one feature in the rows of a node: kernels for dense and for sparse columns.

`growth` reads each feature that it draws, before `feature_tests` tries its thresholds or values.
"""

import numpy as np

from ..kernels.jit import kernel
from .kernel_options import INLINED
from .sparse_reading import FeatureRead, StoredValues, read_stored

MIN_COLUMNWISE = 200  # rows from which on values are read along the feature, not along the rows; chosen by eye


@kernel(**INLINED)
def _read_dense(source, rows, missing, known_rows, out):
    """Copy source[rows] to out, without missing values; returns `FeatureRead`.

    known_rows: gets the rows that have a value, if not all have one.
    """
    m = len(rows)
    n_known = 0
    low = source[rows[0]]
    high = source[rows[0]]
    for i in range(m):  # without a branch, since nearly all features are complete
        value = source[rows[i]]
        out[i] = value
        n_known = n_known + (value == value and value != missing)
        low = min(low, value)
        high = max(high, value)
    if n_known < m:
        n_known = 0
        for i in range(m):
            value = source[rows[i]]
            if value == value and value != missing:
                low = min(low, value) if n_known else value
                high = max(high, value) if n_known else value
                out[n_known] = value
                known_rows[n_known] = rows[i]
                n_known += 1
    return FeatureRead(n_known, n_known, np.float64(low), np.float64(high))


@kernel(**INLINED)
def read_feature(columns, starts, codes, table, f, rows, reading):
    """Read the values of feature f that the rows of a node have; returns `FeatureRead`.

    codes: `Columns.codes`, or None; they are read into reading.keys.
    table: `Columns.table`, or None; where there are no codes, values are read into reading.values.
    rows (m,): rows of the node.
    reading: `Reading`; reading.known_rows gets the rows that have a value, if not all have one.
    """
    if codes is not None:
        if starts is not None:
            stored_codes = StoredValues(codes[0], columns.zeros[f], columns.missing)
            return read_stored(columns, starts, stored_codes, f, rows, reading, reading.keys)
        return _read_dense(codes[f], rows, columns.missing, reading.known_rows, reading.keys)
    if table is not None:
        if starts is not None:
            stored_values = StoredValues(columns.values[0], 0.0, np.inf)
            return read_stored(columns, starts, stored_values, f, rows, reading, reading.values)
        if len(rows) < MIN_COLUMNWISE and len(table):
            return _read_dense(table[:, f], rows, np.inf, reading.known_rows, reading.values)
        return _read_dense(columns.values[f], rows, np.inf, reading.known_rows, reading.values)
    return FeatureRead(np.int64(0), np.int64(0), 0.0, 0.0)
