"""Linear part of the conditional test: how far residuals of the target follow those of a feature.

`one_conditional_test.py` calls `target_residuals` for the remaining features, and `linear_sums` for a feature and its
draws.
"""

import numpy as np

from ..structure.column_axes import ColumnAxes
from ..structure.ridge_regression import RidgeRegression
from ..studies.cox_model import martingale
from ..studies.residuals import normal_scores, of_classes
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, SURVIVAL
from .other_features import OtherFeatures
from .regression_columns import MAX_CANDIDATES

ROWS_PER_LOGISTIC_LINE = 5  # at least; with fewer, classes have a ridge regression, which serves any number of columns


def target_residuals(target: Target, other_features: OtherFeatures, Z: np.ndarray) -> np.ndarray:
    """Compute what lines of the remaining features and the covariates leave of a target.

    Classes have a logistic regression if there are enough rows for one. Otherwise there is a ridge regression whose
    penalty cross-validation chooses, for each column of the target: a normal score, an indicator of a class, a label,
    or the martingale residuals of times. With more than 200 features, they are those that are most correlated with the
    target. A row without a target has the residual 0.

    Parameters
    ----------
    target : Target
        Target of n rows.
    other_features : OtherFeatures
        Remaining features.
    Z : (n, q) array
        Columns of the covariates.

    Returns
    -------
    (n, G) array
    """
    columns = _target_columns(target)
    centred = np.nan_to_num(columns - np.nanmean(columns, axis=0))
    features = other_features.most_correlated(np.arange(other_features.n_features), centred, MAX_CANDIDATES)
    lines = np.hstack([Z, other_features.lines(features)])
    residuals = np.zeros_like(columns)
    if target.task == CLASSIFICATION and lines.shape[1] <= len(lines) // ROWS_PER_LOGISTIC_LINE:
        is_known = target.labelled
        codes = np.unique(target.columns.values[is_known, 0], return_inverse=True)[1]
        residuals[is_known] = of_classes(codes, lines[is_known], int(codes.max()) + 1)
        return residuals
    for k, column in enumerate(columns.T):
        is_known = ~np.isnan(column)
        regression = RidgeRegression(ColumnAxes.of(lines[is_known]), column[is_known])
        residuals[is_known, k] = regression.residuals[:, 0]
    return residuals


def _target_columns(target: Target) -> np.ndarray:
    """Columns (n, G) of a target as ridge regressions take them, NaN where unknown."""
    values, nominal = target.columns
    if target.task == SURVIVAL:
        return martingale(values[:, 0], values[:, 1])[:, None]
    columns: list[np.ndarray] = []
    for column, is_nominal in zip(values.T, nominal, strict=True):
        is_known = ~np.isnan(column)
        if is_nominal:
            columns += _class_indicators(column, is_known)
        elif target.label_matrix is not None:
            columns.append(column)
        else:
            scored = np.full(len(column), np.nan)
            scored[is_known] = normal_scores(column[is_known])
            columns.append(scored)
    return np.column_stack(columns)


def _class_indicators(column: np.ndarray, is_known: np.ndarray) -> list[np.ndarray]:
    """Indicators of the classes of a column (n,) of codes, NaN where unknown; of two classes one says all."""
    codes = np.unique(column[is_known])
    indicators = [np.where(is_known, column == code, np.nan) for code in codes]
    return indicators[1:] if len(codes) <= len((0, 1)) else indicators


def linear_sums(target_residuals: np.ndarray, residuals: np.ndarray) -> np.ndarray:
    """Sum how far residuals of the target follow those of a feature and of its draws.

        L_b = sum_g (r_g' e_b)^2 / |r_g|^2

    It is not divided by |e_b|^2, which made .25 of a nominal level of .05 for few values.

    Parameters
    ----------
    target_residuals : (n, G) array
        Residuals r of the target.
    residuals : (n, 1 + B) array
        Residuals e of the feature and of its draws.

    Returns
    -------
    (1 + B,) array
    """
    lengths = (target_residuals**2).sum(axis=0)
    r = target_residuals[:, lengths > 0]
    return np.asarray(((r.T @ residuals) ** 2 / lengths[lengths > 0, None]).sum(axis=0))
