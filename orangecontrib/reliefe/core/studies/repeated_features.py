"""Features that repeat a covariate, whose scores are noise beside it.

`study.py` calls `repeated_features` to warn of them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .covariates import Covariate

EQUAL = 1e-10  # distance of a squared correlation from 1 at which a feature is a covariate
FEW_ROWS = 32  # that features are compared with covariates in, before all rows are
VALUES_AT_ONCE = 2**20  # of features, or of correlations, where features are compared with covariates


def repeated_features(values: Any, covariates: Sequence[Covariate]) -> np.ndarray:
    """Find the features that are a covariate, or a linear function of one.

    All rows are compared only if some rows do not distinguish them.

    Parameters
    ----------
    values : (n, p) array or CSR
        Features.
    covariates : sequence of Covariate
        Those with unknown values are not compared.

    Returns
    -------
    int array
        Indices of the features.
    """
    columns = [c.values for c in covariates if not np.isnan(c.values).any()]
    if not columns:
        return np.zeros(0, int)
    C = np.array(columns, float).T
    n = len(C)
    rows = np.unique(np.linspace(0, n - 1, FEW_ROWS).astype(int))
    candidates = np.flatnonzero(~(_largest_correlations(C[rows], values[rows]) < 1 - EQUAL))
    step = max(VALUES_AT_ONCE // n, 1)
    repeated = [candidates[:0]]
    for start in range(0, len(candidates), step):
        features = candidates[start : start + step]
        repeated.append(features[_largest_correlations(C, values[:, features]) >= 1 - EQUAL])
    return np.concatenate(repeated)


def _largest_correlations(C: np.ndarray, X: Any) -> np.ndarray:
    """Largest squared correlation (p,) of columns of X (n, p) with any column of C (n, q), NaN if undefined."""
    p = X.shape[1]
    with np.errstate(all="ignore"):
        covariates = _standardised(C)
        features = _standardised(np.asarray(X.toarray() if hasattr(X, "toarray") else X, np.float64))
        largest = np.full(p, np.nan)
        step = max(VALUES_AT_ONCE // max(p, 1), 1)
        for start in range(0, C.shape[1], step):
            squares = (covariates[:, start : start + step].T @ features) ** 2
            largest = np.fmax(largest, np.fmax.reduce(squares, axis=0))
    return largest


def _standardised(X: np.ndarray) -> np.ndarray:
    """Columns (n, p) with mean 0 and length 1."""
    X = X / np.abs(X).max(axis=0, initial=0)
    X -= X.mean(axis=0)
    return np.asarray(X / np.sqrt((X * X).sum(axis=0)))
