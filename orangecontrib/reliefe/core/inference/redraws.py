"""Draws of a feature from its regression on the remaining features.

`conditional.py` calls `redraw` with the columns that `regression_columns.py` makes.
"""

import numpy as np

from ..studies.projection import Projection

LEAST_FREEDOM = 0.05  # of a row, 1 - leverage, so that no residual is divided by 0; chosen by eye
INVERSE_PENALTY = 1.0  # C of scikit-learn's logistic regression: its default
DETERMINED = 1e-9  # share of the variation that is left where the remaining features determine a feature


def left_share(indicators: np.ndarray, columns: np.ndarray) -> float:
    """Compute the share of the variation of a feature that a linear regression on columns leaves.

    Parameters
    ----------
    indicators : (n, g) array
        Centred numbers (g = 1), or centred indicators of values.
    columns : (n, q) array
        Columns of the regression.

    Returns
    -------
    float
        Largest share of the g columns, from 0 to 1.
    """
    rest = Projection.on(columns).rest(indicators)
    return float(((rest**2).sum(axis=0) / (indicators**2).sum(axis=0)).max())


def redraw_numbers(x: np.ndarray, columns: np.ndarray, n_draws: int, rng: np.random.Generator) -> np.ndarray:
    """Draw numbers from a linear regression, whose residuals are permuted.

    With the fit H x, the residuals e = x - H x and the leverages h_ii, a draw is

        x* = H x + |e| u / |u|,    u = (I - H) (permuted e_i / sqrt(1 - h_ii)).

    So a draw has the fit and the sum of squared residuals of the feature itself. With normal residuals, and u of a
    random direction, draws are exact although the regression is estimated (Langsrud 2005, Stat. Comput. 15:53). Here u
    comes from permuted residuals, which keep their distribution where it is not normal (Freedman and Lane 1983, J. Bus.
    Econ. Stat. 1:292).

    Parameters
    ----------
    x : (n,) array
        Values.
    columns : (n, q) array
        Columns of the regression, to which a constant is added.
    n_draws : int
        Number of draws.
    rng : np.random.Generator
        Source of the permutations.

    Returns
    -------
    (n, n_draws) array
    """
    projection = Projection.on(columns)
    residuals = projection.rest(x)
    leverages = (projection.Q**2).sum(axis=1)
    scaled = residuals / np.sqrt(np.maximum(1 - leverages, LEAST_FREEDOM))
    permuted = rng.permuted(np.repeat(scaled[:, None], n_draws, axis=1), axis=0)
    noise = projection.rest(permuted)
    noise *= np.sqrt((residuals**2).sum() / (noise**2).sum(axis=0))
    return np.asarray((x - residuals)[:, None] + noise)


def redraw_values(codes: np.ndarray, columns: np.ndarray, n_draws: int, rng: np.random.Generator) -> np.ndarray:
    """Draw categories, or few different numbers, by their probabilities in a logistic regression.

    Parameters
    ----------
    codes : (n,) int array
        Values from 0 to G - 1, at least two of them.
    columns : (n, q) array
        Columns of the regression.
    n_draws : int
        Number of draws.
    rng : np.random.Generator
        Source of the draws.

    Returns
    -------
    (n, n_draws) int array
        Codes.
    """
    from sklearn.linear_model import LogisticRegression

    n = len(codes)
    regression = LogisticRegression(C=INVERSE_PENALTY, max_iter=1000)
    with_constant = np.column_stack([np.zeros(n), columns])  # so that there is a column
    probabilities = regression.fit(with_constant, codes).predict_proba(with_constant)
    upper_bounds = np.cumsum(probabilities, axis=1)[:, :-1]
    uniform = rng.random((n, n_draws))
    return np.asarray((uniform[:, :, None] > upper_bounds[:, None]).sum(axis=2))
