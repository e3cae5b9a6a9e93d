"""Columns of a kernel for effects of covariates that no other columns follow: waves, and curves of few rows.

`covariate_regression.py` adds `effect_columns` where nearest rows still predict what the regression leaves.
"""

import warnings
from typing import Any

import numpy as np

from .nearest_rows import neighbour_z

MAX_LANDMARKS = 200  # rows that the kernel is fitted to; its time grows with their cube, .1 s for 200
ROWS_PER_COLUMN = 5  # of the regression with the columns of the kernel
LENGTHS = (0.1, 20.0)  # bounds of the kernel's lengths, in standard deviations of a covariate
NOISE = (0.05, 5.0)  # bounds of the variance of noise; that of the residuals is 1
MIN_EIGENVALUE = (
    0.1  # share of the noise; with 1, confounded features had p <= .05 in .24 (product, 120 rows), with .1 in .12
)
JITTER = 1e-10  # share of the largest eigenvalue up to which an eigenvalue is rounding


def effect_columns(inputs: np.ndarray, residuals: np.ndarray, n_columns: int) -> np.ndarray:
    """Make columns that follow the remaining effect of the covariates.

    A Gaussian process with a squared exponential kernel is fitted to the residuals of at most `MAX_LANDMARKS` rows by
    its marginal likelihood (Rasmussen and Williams 2006, section 5.4.1). Columns are the eigenvectors of the kernel
    whose eigenvalues are above `MIN_EIGENVALUE` times the variance of the noise; they are extended to further rows
    (Nyström; Williams and Seeger 2001). The regression takes them without a penalty, where the mean of the process
    would shrink them: so permuted residuals are projected as before.

    Parameters
    ----------
    inputs : (n, d) array
        Standardised columns of the covariates.
    residuals : (n, G) array
        Residuals of a target; the most predictable column is fitted.
    n_columns : int
        Number of columns of the regression so far.

    Returns
    -------
    (n, m) array
        Standardised columns; at most one for each `ROWS_PER_COLUMN` rows with those that there are.
    """
    n = len(inputs)
    max_new_columns = max(n // ROWS_PER_COLUMN - n_columns, 0)
    column = residuals[:, neighbour_z(inputs, residuals).argmax()]
    # Landmarks are chosen by their values, so that the order of the rows does not matter.
    order = np.lexsort((column, *inputs.T))
    landmarks = order[np.linspace(0, n - 1, min(n, MAX_LANDMARKS)).round().astype(int)]
    kernel, noise = _fitted_kernel(inputs[landmarks], column[landmarks] / column.std())
    eigenvalues, vectors = np.linalg.eigh(kernel(inputs[landmarks]))
    # Eigenvalues grow with the number of rows.
    is_kept = eigenvalues * (n / len(landmarks)) > max(MIN_EIGENVALUE * noise, JITTER * eigenvalues[-1])
    chosen = np.flatnonzero(is_kept)[::-1][:max_new_columns]
    columns = kernel(inputs, inputs[landmarks]) @ (vectors[:, chosen] / eigenvalues[chosen])
    columns -= columns.mean(axis=0)
    deviations = columns.std(axis=0)
    varies = deviations > 0
    return np.ascontiguousarray(columns[:, varies] / deviations[varies])


def _fitted_kernel(inputs: np.ndarray, values: np.ndarray) -> tuple[Any, float]:
    """Kernel with amplitude and lengths, and variance of the noise, of the largest marginal likelihood."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    shape = ConstantKernel(1.0) * RBF(np.ones(inputs.shape[1]), LENGTHS)
    process = GaussianProcessRegressor(shape + WhiteKernel(0.5, NOISE))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of a length at its bound: a covariate without an effect
        process.fit(inputs, values)
    return process.kernel_.k1, float(process.kernel_.k2.noise_level)
