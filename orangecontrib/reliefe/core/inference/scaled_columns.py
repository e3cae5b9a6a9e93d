"""Columns of a few features, scaled as a method compares them.

`residual_sums.py` and `score_parts.py` call `scaled_columns` with the features of a scoring.
"""

from typing import Any, NamedTuple

import numpy as np

from ..data.expected import MISSING
from ..relief.diff_moments import mean_diffs
from ..relief.formats.features import Features


class ScaledColumns(NamedTuple):
    """Values of m features in n rows."""

    columns: np.ndarray  # (m, n): scaled numbers or codes, NaN where unknown
    nominal: np.ndarray  # (m,) bool: features whose diff is 0 or 1
    mean_diffs: np.ndarray  # (m,): mean diff of two random rows


def scaled_columns(features: Features, chosen: np.ndarray) -> ScaledColumns:
    """Take the columns of chosen features.

    Parameters
    ----------
    features : Features
        All features in the order in which a scoring has them.
    chosen : (m,) int array
        Indices of features in the table.

    Returns
    -------
    ScaledColumns
    """
    positions = np.argsort(features.columns)[chosen]
    if features.packed:
        n = features.shape[0]
        m = len(positions)
        values = features.packed.columns(positions).span(0, m, np.arange(n), MISSING, np.empty((n, m)))
    else:
        stored: Any = features.values[:, positions]
        values = stored.toarray() if features.is_sparse else stored
    nominal = positions >= features.n_numeric
    means = np.zeros(len(chosen))
    for is_nominal in (False, True):
        is_kind = nominal == is_nominal
        if is_kind.any():
            means[is_kind] = mean_diffs(values[:, is_kind], is_nominal)
    columns = np.ascontiguousarray(values.T, dtype=np.float64)
    columns[columns == MISSING] = np.nan
    return ScaledColumns(columns, nominal, means)
