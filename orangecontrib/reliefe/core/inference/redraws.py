"""Draws of a feature from its regression on the remaining features.

`one_conditional_test.py` draws features, and `grown_regression.py` compares a feature with its draws.
"""

from typing import NamedTuple

import numpy as np

from ..studies.projection import Projection

MIN_FREEDOM = 0.05  # of a row, 1 - leverage, so that no residual is divided by 0; chosen by eye
# C of scikit-learn's logistic regression, hardly any penalty. With its default of 1, draws follow the remaining
# features less than the feature does: a nearly determined feature of 80 rows that adds nothing had p <= .05 in .20 of
# 25 sets, and in none of them with 1e4
INVERSE_PENALTY = 1e4
MAX_ITERATIONS = 3000  # of that regression
DETERMINED = 1e-9  # share of the variation that is left where the remaining features determine a feature


class DrawnValues(NamedTuple):
    """Draws of categories or of few different numbers."""

    codes: np.ndarray  # (n, B) int: a code of each row in each draw
    probabilities: np.ndarray  # (n, G): of the codes of each row


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


def freed_residuals(residuals: np.ndarray, projection: Projection) -> np.ndarray:
    """Divide residuals (n,) by sqrt(1 - h_ii), with the leverages h_ii of a regression, so that all vary alike."""
    leverages = (projection.Q**2).sum(axis=1)
    return np.asarray(residuals / np.sqrt(np.maximum(1 - leverages, MIN_FREEDOM)))


def redraw_numbers(
    x: np.ndarray, projection: Projection, n_draws: int, rng: np.random.Generator, spread: np.ndarray | None = None
) -> np.ndarray:
    """Draw numbers from a linear regression, whose residuals are permuted.

    With the fit H x, the residuals e = x - H x, the leverages h_ii and the spread s_i of a row, a draw is

        x* = H x + |e| u / |u|,    u = (I - H) (s_i times the permuted e_i / (s_i sqrt(1 - h_ii))).

    So a draw has the fit and the sum of squared residuals of the feature itself. With normal residuals, and u of a
    random direction, draws are exact although the regression is estimated (Langsrud 2005, Stat. Comput. 15:53). Here u
    comes from permuted residuals, which keep their distribution where it is not normal (Freedman and Lane 1983, J. Bus.
    Econ. Stat. 1:292).

    Parameters
    ----------
    x : (n,) array
        Values.
    projection : Projection
        On the columns of the regression, and a constant.
    n_draws : int
        Number of draws.
    rng : np.random.Generator
        Source of the permutations.
    spread : (n,) array, optional
        Spread of the residual of each row; None: all are equal.

    Returns
    -------
    (n, n_draws) array
    """
    residuals = projection.rest(x)
    scaled = freed_residuals(residuals, projection)
    if spread is not None:
        scaled = scaled / spread
    permuted = rng.permuted(np.repeat(scaled[:, None], n_draws, axis=1), axis=0)
    if spread is not None:
        permuted *= spread[:, None]
    noise = projection.rest(permuted)
    noise *= np.sqrt((residuals**2).sum() / (noise**2).sum(axis=0))
    return np.asarray((x - residuals)[:, None] + noise)


def values_at_scores(draws: np.ndarray, scores: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Take values at draws (n, B) of the normal scores (n,) of values x (n,).

    They are linear between neighbouring scores. Beyond the outermost scores the outermost value is taken.
    """
    return np.asarray(np.interp(draws, np.sort(scores), np.sort(x)))


def redraw_values(codes: np.ndarray, columns: np.ndarray, n_draws: int, rng: np.random.Generator) -> DrawnValues:
    """Draw categories, or few different numbers, by their probabilities in a logistic regression.

    The number of columns protects from overfitting. Where the fit separates the values, draws equal the feature, so
    that p is near 1.

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
    DrawnValues
    """
    from sklearn.linear_model import LogisticRegression

    n = len(codes)
    regression = LogisticRegression(C=INVERSE_PENALTY, max_iter=MAX_ITERATIONS)
    with_constant = np.column_stack([np.zeros(n), columns])  # so that there is a column
    probabilities = regression.fit(with_constant, codes).predict_proba(with_constant)
    upper_bounds = np.cumsum(probabilities, axis=1)[:, :-1]
    uniform = rng.random((n, n_draws))
    drawn = np.zeros((n, n_draws), np.intp)
    for bound in upper_bounds.T:
        drawn += uniform > bound[:, None]
    return DrawnValues(drawn, probabilities)
