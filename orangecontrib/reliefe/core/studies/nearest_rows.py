"""Test of residuals beside covariates: whether rows with similar values of the covariates have similar residuals.

`covariate_regression.py` adds columns of a kernel if they have (`kernel_columns.py`), and warns if they still do.
Products and cells have tests of their own in `joint_effects.py` and `cells.py`.
"""

import numpy as np

from ..points.nearest import nearest_by_tree

N_NEIGHBORS = 5  # rows that predict a residual; 3 to 10 find about as many effects of 120 rows
MIN_ROWS = 50  # fewer have no near rows
MAX_INPUTS = 10  # covariates, with an indicator for each class; neighbours in more dimensions are hardly near


def largest_z(z: np.ndarray) -> float:
    """Largest of z (G,), as a z that a standard normal number exceeds as often as the largest of G such numbers does.

    Phi(largest_z) = Phi(max z)^G. Without this, residuals of many classes would always have a predictable column.
    Sidak (1967), J. Am. Stat. Assoc. 62:626.
    """
    from scipy.special import log_ndtr, ndtri_exp

    return float(ndtri_exp(len(z) * log_ndtr(z.max())))


def neighbour_z(inputs: np.ndarray, residuals: np.ndarray) -> np.ndarray:
    """Measure how well the covariates predict residuals: the residual of a row by those of rows with like covariates.

    z = sqrt(n) cor(r_i, mean of r_j over the `N_NEIGHBORS` nearest other rows j), which is about standard normal if no
    effect remains.

    Parameters
    ----------
    inputs : (n, d) array
        Standardised columns of the covariates.
    residuals : (n, G) array
        Residuals of a target.

    Returns
    -------
    (G,) array
        z of each column; 0 for constant ones, for few rows, and for more than `MAX_INPUTS` inputs.
    """
    n = len(inputs)
    z = np.zeros(residuals.shape[1])
    if n < MIN_ROWS or not 0 < inputs.shape[1] <= MAX_INPUTS:
        return z
    predictions = residuals[nearest_by_tree(inputs, N_NEIGHBORS)].mean(axis=1)
    for column, (predicted, actual) in enumerate(zip(predictions.T, residuals.T, strict=True)):
        size = np.sqrt(predicted.var() * actual.var())
        if size > 0:
            covariance = ((predicted - predicted.mean()) * (actual - actual.mean())).mean()
            z[column] = covariance / size * np.sqrt(n)
    return z
