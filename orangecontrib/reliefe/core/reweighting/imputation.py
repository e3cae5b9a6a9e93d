"""Imputation of missing values by the mean or the most frequent value of a feature.

`methods/reweighting.py` fills a table by it, for methods whose distances need complete values.
"""

from dataclasses import replace

import numpy as np

from ..data.table import DataTable
from ..points.column_scales import mode


def complete(table: DataTable) -> DataTable:
    """Return a table without missing values.

    They become the mean of the feature, or the most frequent value of a nominal one, the least of several.
    """
    if not table.missing_share:
        return table
    if table.is_sparse:
        values = table.values.copy()
        is_missing = np.isnan(values.data)
        columns = values.tocsc()
        fill = np.zeros(table.shape[1])
        for f in np.unique(values.indices[is_missing]):
            stored = columns.data[columns.indptr[f] : columns.indptr[f + 1]]
            fill[f] = _usual_value(stored, table.shape[0] - len(stored), bool(table.nominal[f]))
        values.data[is_missing] = fill[values.indices[is_missing]]
        return replace(table, values=values)
    values = np.array(table.values)
    for f in np.flatnonzero(np.isnan(values).any(axis=0)):
        values[np.isnan(values[:, f]), f] = _usual_value(values[:, f], 0, bool(table.nominal[f]))
    return replace(table, values=values)


def _usual_value(column: np.ndarray, zeros: int, nominal: bool) -> float:
    """Return the mean of the known numbers of a column, or the most frequent code.

    zeros: number of values that are 0 and not in the column.
    """
    if nominal:
        return mode(column, zeros)
    known_values = np.concatenate([column[~np.isnan(column)], np.zeros(zeros)])
    if not len(known_values):
        return 0.0
    scale = float(np.abs(known_values).max()) or 1.0  # the sum of very large values would be infinite
    return float((known_values / scale).mean() * scale)
