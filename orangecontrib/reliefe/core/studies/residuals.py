"""Residuals of classes and numbers: what covariates leave of them.

`study.py` takes those of a target beside covariates, `methods/recipe_run.py` those of several targets or weighted rows.
"""

import numpy as np

from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION
from .logistic import shares
from .projection import DEPENDENT, Projection

TINY = 1e-300  # size of residuals up to which they are none


def of_classes(codes: np.ndarray, Z: np.ndarray, G: int) -> np.ndarray:
    """Compute residuals of classes beside covariates.

    r_ic = (1[row i has class c] - p_ic) / sqrt(share of class c), with the probabilities p of a logistic regression.

    Parameters
    ----------
    codes : (n,) int array
        Classes from 0 to G - 1.
    Z : (n, q) array
        Columns of the covariates.
    G : int
        Number of classes.

    Returns
    -------
    (n, G) array
        Of two classes (n, 1), as the other column says the same.
    """
    share = np.bincount(codes, minlength=G) / len(codes)
    r: np.ndarray = (np.eye(G)[codes] - shares(codes, Z, G)) / np.sqrt(np.where(share > 0, share, 1))
    return r[:, 1:] if G == 2 else r


def normal_scores(values: np.ndarray) -> np.ndarray:
    """Quantiles (n,) of the normal distribution at (rank - 1/2) / n of values (n,), with mean ranks for ties."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    return np.asarray(ndtri((rankdata(values) - 0.5) / len(values)))


def of_numbers(values: np.ndarray, projection: Projection) -> np.ndarray:
    """Compute residuals (n,) of the normal scores of numbers (n,), of mean square 1; 0 where nothing is left."""
    scores = normal_scores(values)
    r = projection.rest(scores)
    size = np.sqrt(np.mean(r * r))
    return r / size if size > DEPENDENT * np.abs(scores).max() else np.zeros_like(r)


def of_weighted_rows(target: Target, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Compute residuals of rows with weights, without covariates.

    They are those of `of_classes` and `of_numbers` if each row were given as often as it weighs: shares of classes,
    mean ranks, means and mean squares are weighted.

    Parameters
    ----------
    target : Target
        Classes or numbers of n rows.
    weights : (n,) array

    Returns
    -------
    residuals : (n, G) array
    sizes : (n,) array or None
        How much larger residuals of numbers are than their mean size; None for classes.
    """
    from scipy.special import ndtri

    total = weights.sum()
    if target.task == CLASSIFICATION:
        share = np.bincount(target.classes, weights) / total
        r = (np.eye(len(share))[target.classes] - share) / np.sqrt(np.where(share > 0, share, 1))
        return (r[:, 1:] if len(share) == 2 else r), None
    levels = np.unique(target.columns[0][:, 0], return_inverse=True)[1]
    level_weights = np.bincount(levels, weights)
    weights_below = np.cumsum(level_weights) - level_weights
    scores = ndtri(((weights_below + level_weights / 2) / total)[levels])
    r = scores - np.average(scores, weights=weights)
    size = np.sqrt(np.average(r * r, weights=weights))
    r = r / size if size > DEPENDENT * np.abs(scores).max() else np.zeros_like(r)
    return r[:, None], np.abs(r) - np.average(np.abs(r), weights=weights)


def of_columns(columns: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Compute residuals of several targets, without covariates.

    Parameters
    ----------
    columns : (n, t) array
        Targets, NaN where unknown.
    nominal : (t,) bool array
        Columns of codes of classes.

    Returns
    -------
    (n, G) array
        Columns of each target, whose squares have the mean 1 in sum; 0 where the target is unknown.
    """
    residuals = []
    for column, is_nominal in zip(columns.T, nominal, strict=True):
        is_known = ~np.isnan(column)
        values = column[is_known]
        no_covariates = np.empty((len(values), 0))
        if is_nominal:
            codes = np.unique(values, return_inverse=True)[1]
            r = of_classes(codes, no_covariates, int(codes.max(initial=0)) + 1)
        else:
            r = of_numbers(values, Projection.on(no_covariates))[:, None]
        size = np.sqrt((r * r).sum() / max(len(r), 1))
        of_all_rows = np.zeros((len(column), r.shape[1]))
        of_all_rows[is_known] = r / (size if size > TINY else 1)
        residuals.append(of_all_rows)
    return np.hstack(residuals)
