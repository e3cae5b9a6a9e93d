"""Features that repeat a covariate, whose scores are noise beside it.

`study.py` calls `repeated_features` to warn of them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .covariates import Covariate

SAME = 1e-10  # distance of a squared correlation from 1 at which a feature is a covariate
FEW_ROWS = 32  # that features are compared with covariates in, before all rows are
VALUES_AT_ONCE = 2**20  # of features, or of correlations, where features are compared with covariates


def repeated_features(values: Any, covariates: Sequence[Covariate]) -> np.ndarray:
    """Indices of the features that are a covariate, or a line of one; values (n, p): dense, or CSR.

    All rows are compared only if some rows do not distinguish them.
    """
    columns = [c.values for c in covariates if not np.isnan(c.values).any()]
    if not columns:
        return np.zeros(0, int)
    C, n = np.array(columns, float).T, len(columns[0])
    rows = np.unique(np.linspace(0, n - 1, FEW_ROWS).astype(int))
    found = np.flatnonzero(~(_alike(C[rows], values[rows]) < 1 - SAME))
    step = max(VALUES_AT_ONCE // n, 1)
    pieces = [found[start : start + step] for start in range(0, len(found), step)]
    return np.concatenate([found[:0], *(some[_alike(C, values[:, some]) >= 1 - SAME] for some in pieces)])


def _alike(C: np.ndarray, X: Any) -> np.ndarray:
    """Largest squared correlation (p,) with any column of C (n, q), NaN if undefined; X (n, p)."""
    found = []
    with np.errstate(all="ignore"):
        for x in C, np.asarray(X.toarray() if hasattr(X, "toarray") else X, np.float64):
            x = x / np.abs(x).max(axis=0, initial=0)
            x -= x.mean(axis=0)
            found.append(x / np.sqrt((x * x).sum(axis=0)))
        largest = np.full(X.shape[1], np.nan)
        step = max(VALUES_AT_ONCE // max(X.shape[1], 1), 1)
        for start in range(0, C.shape[1], step):
            squares = (found[0][:, start : start + step].T @ found[1]) ** 2
            largest = np.fmax(largest, np.fmax.reduce(squares, axis=0))
    return largest
