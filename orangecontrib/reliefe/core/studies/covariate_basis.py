"""Columns that regressions on covariates take: splines of numbers, indicators of classes.

`study.py` calls `basis` with the covariates of a target.
"""

from collections.abc import Sequence

import numpy as np

from ..structure.additive import FEW_VALUES, KNOTS, natural
from ..work.threads import SERIAL_ALGEBRA
from .covariates import Covariate

ROWS_PER_COLUMN = 20  # of the whole basis, from which on numbers are splines


def basis(covariates: Sequence[Covariate], n: int) -> np.ndarray:
    """Columns (n, q), standardised, on which targets are regressed.

    More columns than rows are replaced by the n principal components of the rows, on which a regression with a ridge
    has the same fit (Hastie and Tibshirani 2004, Biostatistics 5:329).

    Harrell (2001), Regression Modeling Strategies, section 2.4.5.
    """
    most = sum(int(c.values.max()) if c.is_class else 1 if c.straight else 3 for c in covariates)
    curved = n >= ROWS_PER_COLUMN * (most + 1)
    columns: list[np.ndarray] = []
    for covariate in covariates:
        if covariate.is_class:
            columns += [(covariate.values == code).astype(float) for code in range(1, int(covariate.values.max()) + 1)]
            continue
        gaps = np.isnan(covariate.values)
        scale = np.abs(covariate.values[~gaps]).max(initial=0) or 1.0  # so that no square overflows
        x = covariate.values / scale
        mean = x[~gaps].mean()
        x = np.where(gaps, mean, x) - mean
        x = x / (x.std() or 1)
        columns.append(x)
        ordered = np.sort(x)
        if curved and not covariate.straight and np.count_nonzero(np.diff(ordered)) >= FEW_VALUES:
            quantiles = np.interp(np.multiply(KNOTS, n - 1), np.arange(n), ordered)  # a tenth of NumPy's time for them
            columns += natural(x, quantiles)
        if gaps.any():
            columns.append(gaps.astype(float))
    Z = np.array(columns, float).reshape(len(columns), n).T
    Z = Z - Z.mean(axis=0)
    deviation = Z.std(axis=0)
    some_spread = deviation > 0
    Z = np.ascontiguousarray(Z[:, some_spread] / deviation[some_spread])
    if Z.shape[1] <= n:
        return Z
    with SERIAL_ALGEBRA:
        left, lengths, _ = np.linalg.svd(Z, full_matrices=False)
    return np.ascontiguousarray(left * lengths)
