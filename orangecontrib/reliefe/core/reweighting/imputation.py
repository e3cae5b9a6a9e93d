"""Imputation of missing values by the mean or the most frequent value of a feature."""

import numpy as np

from ..data.table import DataTable
from ..points.sparse_encoding import mode


def complete(table: DataTable) -> DataTable:
    """The table with the mean of a feature (nominal: the most frequent value, the least of several) for unknown
    values."""
    if not table.missing_share:
        return table
    if table.is_sparse:
        values = table.values.copy()
        unknown = np.isnan(values.data)
        columns = values.tocsc()
        fill = np.zeros(table.shape[1])
        for f in np.unique(values.indices[unknown]):
            stored = columns.data[columns.indptr[f] : columns.indptr[f + 1]]
            fill[f] = _usual(stored, table.shape[0] - len(stored), bool(table.nominal[f]))
        values.data[unknown] = fill[values.indices[unknown]]
        return DataTable(values, table.nominal, table.names)
    values = np.array(table.values)
    for f in np.flatnonzero(np.isnan(values).any(axis=0)):
        values[np.isnan(values[:, f]), f] = _usual(values[:, f], 0, bool(table.nominal[f]))
    return DataTable(values, table.nominal, table.names)


def _usual(column: np.ndarray, zeros: int, nominal: bool) -> float:
    """Mean of the known numbers, or the most frequent code; `zeros` more of them are 0."""
    if nominal:
        return mode(column, zeros)
    known = np.concatenate([column[~np.isnan(column)], np.zeros(zeros)])
    if not len(known):
        return 0.0
    scale = float(np.abs(known).max()) or 1.0  # the sum of what is very large would be infinite
    return float((known / scale).mean() * scale)
