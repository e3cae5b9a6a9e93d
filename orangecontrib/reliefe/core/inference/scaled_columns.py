"""Columns of a few features, scaled as a method compares them.

`residual_sums.py` and `explanation.py` call `scaled_columns` with the features of a scoring.
"""

from typing import Any

import numpy as np

from ..data.expected import MISSING
from ..relief.diff_moments import mean_diffs
from ..relief.formats.features import Features


def scaled_columns(features: Features, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values (m, n) of some features, scaled or codes, NaN where unknown; which are nominal; their mean diffs (m,)."""
    place = np.argsort(features.columns)[chosen]
    if features.packed:
        n, m = features.shape[0], len(place)
        values = features.packed.columns(place).span(0, m, np.arange(n), MISSING, np.empty((n, m)))
    else:
        some: Any = features.values[:, place]
        values = some.toarray() if features.is_sparse else some
    nominal, means = place >= features.n_numeric, np.zeros(len(chosen))
    for kind in (False, True):
        if (nominal == kind).any():
            means[nominal == kind] = mean_diffs(values[:, nominal == kind], kind)
    columns = np.ascontiguousarray(values.T, dtype=np.float64)
    columns[columns == MISSING] = np.nan
    return columns, nominal, means
