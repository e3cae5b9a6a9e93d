"""Columns on which a feature is regressed, made of the remaining features.

`one_conditional_test.py` calls `lean_columns` for numbers, `regression_columns` for categories and numbers of few
values, and `plain_columns` for both. `grown_regression.py` adds further columns.
"""

from itertools import combinations

import numpy as np

from ..structure.additive import FEW_VALUES, natural
from ..studies.projection import Projection
from .other_features import OtherFeatures, standardised

MAX_CANDIDATES = 200  # features that the regression chooses from
MAX_BEST = 6  # features with the best scores, which have products; with 3, p <= .05 for .17 of products at level .05
FINE_KNOTS = 0.02, 0.2, 0.4, 0.6, 0.8, 0.98  # quantiles, of splines of the best features beside those of all
COLUMNS_OF_NUMBER = 7  # of natural splines with four knots and with six
SHARE_OF_BEST = 2 / 3  # of all columns, at most
N_FOLDS = 5  # of the cross-validation of the lasso
PENALTIES = np.logspace(0, -2, 20)  # of the lasso, as shares of the smallest one without any column

# Rows for each column of a linear regression, at least. With fewer rows, draws hardly differ from the feature
ROWS_PER_COLUMN = 2
# Limits of the columns before a regression grows. They were chosen on 4 to 12 sets of each of the designs of
# benchmarks/conditional.py. With n / 2 columns, .65 instead of .80 of five lines were found for numbers of 200 rows
ROWS_PER_LINE = 3  # for each line of a remaining feature, if all of them are columns
ROWS_PER_LEAN_COLUMN = 4  # for each column, lines included
ROWS_PER_SPLINE = 8  # for each further column, where lines leave fewer
MAX_SPARSE_LINES = 3  # that a lasso takes where a feature surely depends on few others; see `depends_on_many`
MIN_LEFT_DEVIATION = 0.05  # of a standardised column less its regression on lines, below which it says nothing new


def lean_columns(
    other_features: OtherFeatures, scores: np.ndarray, z: np.ndarray, Z: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Choose the columns of the regression of a number, to which more are added where they are needed.

    All remaining features and covariates have a line, if these are q <= n / 3 columns. The rest of the budget of
    max(n / 4 - q, n / 8) columns goes to splines and products of the best features, of which the lasso chooses. With
    more lines, the columns are the n / 2 of `regression_columns`.

    Parameters
    ----------
    other_features, scores, Z, rng
        As of `regression_columns`.
    z : (n, 1) array
        Centred values or normal scores of the feature.

    Returns
    -------
    (n, c) array
        Standardised columns.
    """
    n = len(z)
    if has_many_lines(other_features, Z):
        return regression_columns(other_features, scores, z, Z, n // ROWS_PER_COLUMN, rng)
    lines = other_features.lines(np.arange(other_features.n_features))
    n_lines = Z.shape[1] + lines.shape[1]
    if n_lines > n // ROWS_PER_LINE:  # indicators of categories
        return regression_columns(other_features, scores, z, Z, n // ROWS_PER_COLUMN, rng)

    # Fine splines and products of the best features
    budget = max(n // ROWS_PER_LEAN_COLUMN - n_lines, n // ROWS_PER_SPLINE)
    best = best_features(scores, _n_best(budget, len(scores)))
    numbers = other_features.numbers(best)
    always = np.hstack([Z, lines, _fine_splines(numbers), _products(numbers)])

    # Splines of all features, by the lasso
    n_optional = max(budget - (always.shape[1] - n_lines), 0)
    if not n_optional:
        return always
    optional = other_features.basis(other_features.most_correlated(np.arange(len(scores)), z, MAX_CANDIDATES))
    remainder = Projection.on(always).rest(optional)
    optional = optional[:, remainder.std(axis=0) > MIN_LEFT_DEVIATION]
    if optional.shape[1] > n_optional:
        optional = optional[:, _lasso(optional, z, always, n_optional, rng)]
    return np.hstack([always, optional])


def regression_columns(
    other_features: OtherFeatures,
    scores: np.ndarray,
    indicators: np.ndarray,
    Z: np.ndarray,
    max_columns: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Choose the columns of the regression of a feature on the remaining features.

    These are natural splines of numbers, or of their normal scores, and indicators of categories (`additive_basis`). Of
    the features with the best scores, and of covariates, all columns are taken, with finer splines and products of two
    features, as an error in their regression would be taken for an effect (as in the double selection of Belloni,
    Chernozhukov and Hansen 2014, Rev. Econ. Stud. 81:608). If there are too many columns, a lasso of what these leave
    chooses the rest. If there are more than 200 features, they are those that are most correlated with the
    feature (Fan and Lv 2008, J. R. Stat. Soc. B 70:849).

    Parameters
    ----------
    other_features : OtherFeatures
        Remaining features.
    scores : (p - 1,) array
        Their scores without the feature.
    indicators : (n, g) array
        Feature that is regressed: centred numbers (g = 1), or centred indicators of its values.
    Z : (n, q) array
        Columns of the covariates.
    max_columns : int
        Largest number of columns; covariates may have more.
    rng : np.random.Generator
        Source of the folds of the lasso.

    Returns
    -------
    (n, c) array
        Standardised columns.
    """
    best = best_features(scores, _n_best(max_columns - Z.shape[1], len(scores)))
    correlated = other_features.most_correlated(np.setdiff1d(np.arange(len(scores)), best), indicators, MAX_CANDIDATES)
    numbers = other_features.numbers(best)
    always = np.hstack([Z, other_features.basis(best), _fine_splines(numbers), _products(numbers)])
    optional = other_features.basis(correlated)
    n_optional = max(max_columns - always.shape[1], 0)
    if optional.shape[1] > n_optional:
        optional = optional[:, _lasso(optional, indicators, always, n_optional, rng)]
    return np.hstack([always, optional])


def depends_on_many(
    other_features: OtherFeatures, indicators: np.ndarray, Z: np.ndarray, rng: np.random.Generator
) -> bool:
    """Return True if a feature depends on so many remaining ones that a regression on so few rows may lack some.

    This is so if there are more lines than n / 3, and a lasso of lines takes more than three of them. Features that
    were means of 12 of 200, with 100 rows, had 2 to 77, and more than three in 22 of 24 cases in which p was too small.
    So the number of lines does not say how many are missing.

    Parameters
    ----------
    other_features, indicators, Z, rng
        As of `regression_columns`.
    """
    if not has_many_lines(other_features, Z):
        return False
    candidates = other_features.most_correlated(np.arange(other_features.n_features), indicators, MAX_CANDIDATES)
    return len(_lasso(other_features.lines(candidates), indicators, Z, MAX_SPARSE_LINES + 1, rng)) > MAX_SPARSE_LINES


def has_many_lines(other_features: OtherFeatures, Z: np.ndarray) -> bool:
    """True if the remaining features and the covariates Z (n, q) are more than a third of the rows."""
    return bool(other_features.n_features + Z.shape[1] > len(Z) // ROWS_PER_LINE)


def best_features(scores: np.ndarray, n_best: int) -> np.ndarray:
    """Indices of the features with the best of scores (p,)."""
    return np.argsort(-scores, kind="stable")[:n_best]


def best_numbers(other_features: OtherFeatures, scores: np.ndarray, n_best: int) -> np.ndarray:
    """Standardised normal scores (n, c) of the numbers with the best of scores (p - 1,), 0 where unknown."""
    order = best_features(scores, len(scores))
    numbers = other_features.numbers(order[~other_features.nominal[order]][:n_best])
    return standardised(list(numbers.T), other_features.n_rows)


def plain_columns(other_features: OtherFeatures, indicators: np.ndarray) -> np.ndarray:
    """Take the values (n, c) of the features that may determine another one, of up to half as many as there are rows.

    They are those that are most correlated with its indicators (n, g), centred, and 0 where unknown.
    """
    max_features = min(len(indicators) // 2, MAX_CANDIDATES)
    features = other_features.most_correlated(np.arange(other_features.n_features), indicators, max_features)
    return other_features.centred_values(features)


def _n_best(max_columns: int, n_features: int) -> int:
    """Number of the best features whose splines and products fit into their share of the columns."""
    n_best = min(MAX_BEST, n_features)
    while COLUMNS_OF_NUMBER * n_best + n_best * (n_best - 1) // 2 > SHARE_OF_BEST * max(max_columns, 0):
        n_best -= 1
    return n_best


def _fine_splines(numbers: np.ndarray) -> np.ndarray:
    """Standardised columns of natural splines with six knots of numbers (n, c) that have more than four values."""
    splines: list[np.ndarray] = []
    for column in numbers.T:
        if len(np.unique(column)) > FEW_VALUES:
            splines += natural(column, np.quantile(column, FINE_KNOTS))
    return standardised(splines, len(numbers))


def _products(numbers: np.ndarray) -> np.ndarray:
    """Standardised products of each two of numbers (n, c)."""
    pairs = combinations(range(numbers.shape[1]), 2)
    return standardised([numbers[:, a] * numbers[:, b] for a, b in pairs], len(numbers))


def _lasso(
    columns: np.ndarray, indicators: np.ndarray, always: np.ndarray, n_most: int, rng: np.random.Generator
) -> np.ndarray:
    """Choose columns by the lasso.

    Parameters
    ----------
    columns : (n, c) array
        Columns to choose from.
    indicators : (n, g) array
        Feature that is regressed.
    always : (n, a) array
        Columns that are chosen already. The lasso is of what they leave, of the feature and of the columns.
    n_most : int
        Largest number of columns.
    rng : np.random.Generator
        Source of the folds.

    Returns
    -------
    int array
        Indices of the chosen columns, sorted.
    """
    from sklearn.linear_model import LassoCV
    from sklearn.model_selection import KFold

    projection = Projection.on(always)
    unexplained_columns = projection.rest(columns)
    unexplained_columns /= np.maximum(unexplained_columns.std(axis=0), 1e-9)
    largest = np.zeros(columns.shape[1])
    folds = KFold(N_FOLDS, shuffle=True, random_state=int(rng.integers(2**31)))
    for unexplained in projection.rest(indicators).T:
        strongest = np.abs(unexplained_columns.T @ unexplained).max() / len(unexplained)
        if strongest > 0:
            lasso = LassoCV(alphas=strongest * PENALTIES, cv=folds, max_iter=2000, tol=1e-3)
            largest = np.maximum(largest, np.abs(lasso.fit(unexplained_columns, unexplained).coef_))
    order = np.argsort(-largest, kind="stable")[:n_most]
    return np.sort(order[largest[order] > 0])
