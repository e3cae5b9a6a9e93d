"""Residuals of classes and numbers: what covariates leave of them.

`study.py` takes those of a target beside covariates, `methods/recipe.py` those of several targets or weighted rows.
"""

import numpy as np

from ..targets.targets import CLASSIFICATION, Target
from .logistic import shares
from .projection import DEPENDENT, Projection

TINY = 1e-300


def of_classes(codes: np.ndarray, Z: np.ndarray, G: int) -> np.ndarray:
    """Residuals (n, G) of classes, over the roots of their shares; of two classes (n, 1), which says the same."""
    share = np.bincount(codes, minlength=G) / len(codes)
    r: np.ndarray = (np.eye(G)[codes] - shares(codes, Z, G)) / np.sqrt(np.where(share > 0, share, 1))
    return r[:, 1:] if G == 2 else r


def normal_scores(values: np.ndarray) -> np.ndarray:
    """Quantiles of the normal distribution at the places of values (n,), mean ranks for ties."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    return np.asarray(ndtri((rankdata(values) - 0.5) / len(values)))


def of_numbers(values: np.ndarray, projection: Projection) -> np.ndarray:
    """Residuals (n,) of the normal scores of numbers, of mean square 1."""
    scores = normal_scores(values)
    r = projection.rest(scores)
    size = np.sqrt(np.mean(r * r))
    return r / size if size > DEPENDENT * np.abs(scores).max() else np.zeros_like(r)


def of_weighted_rows(target: Target, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Residuals (n, G) and their sizes (n,) of classes or numbers, without covariates, of rows with weights (n,).

    Those of `of_classes` and `of_numbers` if each row were given as often as it weighs: shares of classes, mean ranks,
    means and mean squares are weighted.  Sizes are None for classes.
    """
    from scipy.special import ndtri

    total = weights.sum()
    if target.task == CLASSIFICATION:
        share = np.bincount(target.classes, weights) / total
        of_each = (np.eye(len(share))[target.classes] - share) / np.sqrt(np.where(share > 0, share, 1))
        return (of_each[:, 1:] if len(share) == 2 else of_each), None
    _, at = np.unique(target.columns[0][:, 0], return_inverse=True)
    of_level = np.bincount(at, weights)
    below = np.cumsum(of_level) - of_level
    scores = ndtri(((below + of_level / 2) / total)[at])
    r = scores - np.average(scores, weights=weights)
    size = np.sqrt(np.average(r * r, weights=weights))
    r = r / size if size > DEPENDENT * np.abs(scores).max() else np.zeros_like(r)
    return r[:, None], np.abs(r) - np.average(np.abs(r), weights=weights)


def of_columns(columns: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Residuals (n, G) of several targets (n, t), each of mean square 1 in all; 0 where a target is unknown."""
    found = []
    for column, coded in zip(columns.T, nominal, strict=True):
        known = ~np.isnan(column)
        values, none = column[known], np.empty((int(known.sum()), 0))
        if coded:
            codes = np.unique(values, return_inverse=True)[1]
            r = of_classes(codes, none, int(codes.max(initial=0)) + 1)
        else:
            r = of_numbers(values, Projection.on(none))[:, None]
        size = np.sqrt((r * r).sum() / max(len(r), 1))
        of_rows = np.zeros((len(column), r.shape[1]))
        of_rows[known] = r / (size if size > TINY else 1)
        found.append(of_rows)
    return np.hstack(found)
