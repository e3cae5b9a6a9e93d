"""Columns on which a feature is regressed, made of the remaining features.

`conditional.py` calls `regression_columns` and `plain_columns` for each feature that is tested.
"""

from itertools import combinations
from typing import Any

import numpy as np

from ..data.table import DataTable, refuse_infinite
from ..structure.additive import FEW_VALUES, additive_basis, natural
from ..studies.projection import Projection
from ..studies.residuals import normal_scores

MAX_CANDIDATES = 200  # features that the regression chooses from
MAX_BEST = 6  # features with the best scores, which have products; with 3, p <= .05 for .17 of products at level .05
FINE_KNOTS = 0.02, 0.2, 0.4, 0.6, 0.8, 0.98  # quantiles, of splines of the best features beside those of all
COLUMNS_OF_NUMBER = 7  # of natural splines with four knots and with six
SHARE_OF_BEST = 2 / 3  # of all columns, at most
COLUMNS_AT_ONCE = 1000  # of a table that are dense at a time
N_FOLDS = 5  # of the cross-validation of the lasso
PENALTIES = np.logspace(0, -2, 20)  # of the lasso, as shares of the smallest one without any column


def regression_columns(
    others: DataTable,
    scores: np.ndarray,
    indicators: np.ndarray,
    Z: np.ndarray,
    most_columns: int,
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
    others : DataTable
        Remaining features (n, p - 1).
    scores : (p - 1,) array
        Their scores without the feature.
    indicators : (n, g) array
        Feature that is regressed: centred numbers (g = 1), or centred indicators of its values.
    Z : (n, q) array
        Columns of the covariates.
    most_columns : int
        Largest number of columns; covariates may have more.
    rng : np.random.Generator
        Source of the folds of the lasso.

    Returns
    -------
    (n, c) array
        Standardised columns.
    """
    best = np.argsort(-scores, kind="stable")[: _n_best(most_columns - Z.shape[1], len(scores))]

    rest = _most_correlated(others, np.setdiff1d(np.arange(len(scores)), best), indicators, MAX_CANDIDATES)
    best_values = dense_values(others, best)
    nominal = others.nominal[best]
    numbers = _centred(_scored_numbers(best_values, nominal)[:, ~nominal])
    always = np.hstack([Z, _basis(best_values, nominal), _fine_splines(numbers), _products(numbers)])
    optional = _basis(dense_values(others, rest), others.nominal[rest])
    n_optional = max(most_columns - always.shape[1], 0)
    if optional.shape[1] > n_optional:
        optional = optional[:, _lasso(optional, indicators, always, n_optional, rng)]
    return np.hstack([always, optional])


def plain_columns(others: DataTable, indicators: np.ndarray) -> np.ndarray:
    """Take the values (n, c) of the features that may determine another one, of up to half as many as there are rows.

    They are those that are most correlated with its indicators (n, g), centred, and 0 where unknown.
    """
    n_most = min(len(indicators) // 2, MAX_CANDIDATES)
    features = _most_correlated(others, np.arange(others.shape[1]), indicators, n_most)
    return _centred(dense_values(others, features))


def _n_best(most_columns: int, n_features: int) -> int:
    """Number of the best features whose splines and products fit into their share of the columns."""
    n_best = min(MAX_BEST, n_features)
    while COLUMNS_OF_NUMBER * n_best + n_best * (n_best - 1) // 2 > SHARE_OF_BEST * max(most_columns, 0):
        n_best -= 1
    return n_best


def dense_values(table: DataTable, features: np.ndarray) -> np.ndarray:
    """Values (n, c) of some features; raises ValueError where they are infinite."""
    stored: Any = table.columns(features).unpacked().wide().values
    values: np.ndarray = stored.toarray() if table.is_sparse else stored
    refuse_infinite(features[np.isinf(values).any(axis=0)])
    return values


def _most_correlated(table: DataTable, features: np.ndarray, indicators: np.ndarray, n_most: int) -> np.ndarray:
    """Choose the features whose absolute correlation with any column of the indicators (n, g) is largest."""
    if len(features) <= n_most:
        return features
    lengths = np.sqrt((indicators**2).sum(axis=0))
    correlations = []
    for start in range(0, len(features), COLUMNS_AT_ONCE):
        centred = _centred(dense_values(table, features[start : start + COLUMNS_AT_ONCE]))
        deviations = np.sqrt((centred**2).sum(axis=0))
        centred /= np.where(deviations > 0, deviations, 1)
        correlations.append(np.abs(centred.T @ (indicators / lengths)).max(axis=1))
    order = np.argsort(-np.concatenate(correlations), kind="stable")
    return np.asarray(np.sort(features[order[:n_most]]))


def _centred(values: np.ndarray) -> np.ndarray:
    """Values (n, c) less the mean of their column, 0 where unknown."""
    n_known = np.maximum((~np.isnan(values)).sum(axis=0), 1)
    centred: np.ndarray = np.nan_to_num(values - np.nansum(values, axis=0) / n_known)
    return centred


def _scored_numbers(values: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Copy values (n, c) with the normal scores of numbers of more than four values, as long tails make bad columns."""
    scored: np.ndarray = values.copy()
    for column, is_nominal in zip(scored.T, nominal, strict=True):
        is_known = ~np.isnan(column)
        if not is_nominal and len(np.unique(column[is_known])) > FEW_VALUES:
            column[is_known] = normal_scores(column[is_known])
    return scored


def _basis(values: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Columns of any sum of smooth effects of the features (n, c)."""
    return additive_basis(_scored_numbers(values, nominal), nominal)


def _fine_splines(numbers: np.ndarray) -> np.ndarray:
    """Standardised columns of natural splines with six knots of numbers (n, c) that have more than four values."""
    splines: list[np.ndarray] = []
    for column in numbers.T:
        if len(np.unique(column)) > FEW_VALUES:
            splines += natural(column, np.quantile(column, FINE_KNOTS))
    return _standardised(splines, len(numbers))


def _products(numbers: np.ndarray) -> np.ndarray:
    """Standardised products of each two of numbers (n, c)."""
    pairs = combinations(range(numbers.shape[1]), 2)
    return _standardised([numbers[:, a] * numbers[:, b] for a, b in pairs], len(numbers))


def _standardised(columns: list[np.ndarray], n: int) -> np.ndarray:
    """Columns (n,) side by side, with mean 0 and standard deviation 1, without constant ones."""
    stacked = np.array(columns).reshape(len(columns), n).T
    centred = stacked - stacked.mean(axis=0)
    deviations = centred.std(axis=0)
    varies = deviations > 0
    return np.asarray(centred[:, varies] / deviations[varies])


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
    left_columns = projection.rest(columns)
    left_columns /= np.maximum(left_columns.std(axis=0), 1e-9)
    largest = np.zeros(columns.shape[1])
    folds = KFold(N_FOLDS, shuffle=True, random_state=int(rng.integers(2**31)))
    for left in projection.rest(indicators).T:
        strongest = np.abs(left_columns.T @ left).max() / len(left)
        if strongest > 0:
            lasso = LassoCV(alphas=strongest * PENALTIES, cv=folds, max_iter=2000, tol=1e-3)
            largest = np.maximum(largest, np.abs(lasso.fit(left_columns, left).coef_))
    order = np.argsort(-largest, kind="stable")[:n_most]
    return np.sort(order[largest[order] > 0])
