"""Columns that regressions on covariates take: splines of numbers, indicators of classes.

`study.py` calls `basis` with the covariates of a target.
"""

from collections.abc import Sequence

import numpy as np

from ..structure.additive import FEW_VALUES, KNOTS, natural
from ..work.threads import SERIAL_ALGEBRA
from .covariates import Covariate

ROWS_PER_COLUMN = 20  # of the whole basis, from which on numbers are splines
SPLINE_COLUMNS = 3  # of a number with four knots


def basis(covariates: Sequence[Covariate], n: int) -> np.ndarray:
    """Make the columns on which targets are regressed.

    More columns than rows are replaced by the n principal components of the rows, on which a regression with a ridge
    has the same fit (Hastie and Tibshirani 2004, Biostatistics 5:329).

    Harrell (2001), Regression Modeling Strategies, section 2.4.5.

    Parameters
    ----------
    covariates : sequence of Covariate
    n : int
        Number of rows.

    Returns
    -------
    (n, q) array
        Standardised columns.
    """
    most_columns = sum(_most_columns(covariate) for covariate in covariates)
    has_splines = n >= ROWS_PER_COLUMN * (most_columns + 1)
    columns: list[np.ndarray] = []
    for covariate in covariates:
        if covariate.is_class:
            columns += [(covariate.values == code).astype(float) for code in range(1, int(covariate.values.max()) + 1)]
        else:
            columns += _of_numbers(covariate.values, has_splines and not covariate.straight)
    Z = np.array(columns, float).reshape(len(columns), n).T
    Z = Z - Z.mean(axis=0)
    deviation = Z.std(axis=0)
    varies = deviation > 0
    Z = np.ascontiguousarray(Z[:, varies] / deviation[varies])
    if Z.shape[1] <= n:
        return Z
    with SERIAL_ALGEBRA:
        left_vectors, lengths, _ = np.linalg.svd(Z, full_matrices=False)
    return np.ascontiguousarray(left_vectors * lengths)


def _most_columns(covariate: Covariate) -> int:
    """Number of columns that a covariate has at most, without that of unknown values."""
    if covariate.is_class:
        return int(covariate.values.max())
    return 1 if covariate.straight else SPLINE_COLUMNS


def _of_numbers(values: np.ndarray, has_splines: bool) -> list[np.ndarray]:
    """Columns of numbers (n,): the number, its spline if it has one, and an indicator of unknown values."""
    n = len(values)
    is_unknown = np.isnan(values)
    scale = np.abs(values[~is_unknown]).max(initial=0) or 1.0  # so that no square overflows
    x = values / scale
    mean = x[~is_unknown].mean()
    x = np.where(is_unknown, mean, x) - mean
    x = x / (x.std() or 1)
    columns = [x]
    ordered = np.sort(x)
    if has_splines and np.count_nonzero(np.diff(ordered)) >= FEW_VALUES:
        quantiles = np.interp(np.multiply(KNOTS, n - 1), np.arange(n), ordered)  # a tenth of NumPy's time for them
        columns += natural(x, quantiles)
    if is_unknown.any():
        columns.append(is_unknown.astype(float))
    return columns
