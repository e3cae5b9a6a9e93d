"""Reconstruction: how well the nearest training row in a few features predicts all features.

It measures rankings that need no target.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from scipy.sparse import issparse

from ..checks import function, several, switch, whole
from ..data.arrays import floats, matrix
from ..data.chosen_rows import rows_of
from ..points.nearest import nearest_of
from ..points.squared_distances import SquaredDistances, exponent_of
from .checked_folds import parts_of
from .clus_folds import blocks
from .folds import Fold

N_FEATURES = 16  # best features of the published comparison (Petkovic et al. 2021)


def rmse_1nn(
    X: object,
    order: Callable[[np.ndarray], np.ndarray],
    sizes: Sequence[int] = (N_FEATURES,),
    parts: Sequence[Fold] | None = None,
    last: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Compute errors (folds, sizes) of reconstruction by the best features of a ranking: absolute, and scale-free.

    The published tables have the mean over the folds of the first array, and call it MSE.
    Petkovic et al. (2021), Ensemble- and distance-based feature ranking for unsupervised learning, section 5.2.

    Parameters
    ----------
    X : (n, p) array
        Complete numbers.
    order : callable
        Training rows (m, p) -> indices of features, best first.
    sizes : sequence of int
        Numbers of features, 1 or more, cut to p.
    parts : sequence of (training rows, test rows), optional
        Folds; None: the ten of `blocks`.
    last : bool
        Of equally near rows the last one predicts instead of the first.

    Returns
    -------
    absolute, scale_free : (folds, sizes) arrays
        The two errors of `reconstruction`.
    """
    X = floats(X, "X")
    order = function("order", order)
    if X.ndim != 2 or not np.isfinite(X).all():
        raise ValueError(f"X must be (rows, features) of finite numbers without missing ones; its shape is {X.shape}")
    sizes = [whole("sizes", size, 1) for size in several("sizes", sizes)]
    if not sizes:
        raise ValueError("sizes must be at least one number")
    parts = blocks(len(X)) if parts is None else parts_of(parts, len(X))
    both_errors = np.empty((2, len(parts), len(sizes)))
    for f, (train, test) in enumerate(parts):
        features = rows_of(order(X[train]), X.shape[1], "the features of an order")
        for s, size in enumerate(sizes):
            both_errors[:, f, s] = reconstruction(X[train], X[test], features[:size], last)
    absolute, scale_free = both_errors
    return absolute, scale_free


def reconstruction(
    train: np.ndarray, test: np.ndarray, features: np.ndarray, last: bool = False
) -> tuple[float, float]:
    """Compute errors of all features when each test row is predicted by the training row nearest in some features.

    The first is the root mean squared error, mean over the features; the second is in standard deviations among the
    training rows.  It leaves out constant features, and is NaN if all are constant.

    Parameters
    ----------
    train, test : (m, p) and (l, p) arrays, or CSR
        m >= 1 training rows, and rows that are predicted, of complete numbers.
    features : (s,) int array
        Features of the Euclidean distance.
    last : bool
        Of equally near rows the last one predicts instead of the first.
    """
    train = _complete(train, "train")
    test = _complete(test, "test")
    last = switch("last", last)
    if train.shape[1] != test.shape[1] or issparse(train) != issparse(test) or not train.shape[0]:
        raise ValueError(f"train and test must be (m, p) and (l, p), m > 0, not {train.shape} and {test.shape}")
    features = rows_of(features, train.shape[1], "features")
    exponent = exponent_of(train, test)
    if exponent:
        train, test = (_times_power(rows, -exponent) for rows in (train, test))
    columns = np.sort(features)
    squares = SquaredDistances(train[:, columns])
    test_points: Any = test[:, columns]
    shape = test.shape[0], train.shape[0]
    nearest = nearest_of(lambda block: squares.of(test_points[block]), shape, last=last).rows[:, 0]
    absolute, scale_free = errors(train, test, train[nearest])
    return float(np.ldexp(absolute, exponent)), scale_free


def _complete(rows: Any, name: str) -> Any:
    """Read rows, dense or CSR, as float64; raises ValueError for missing or infinite values."""
    rows = matrix(rows, name).astype(np.float64, copy=False)
    if not np.isfinite(rows.data if issparse(rows) else rows).all():
        raise ValueError(f"{name} must hold finite numbers without missing ones")
    return rows


def _times_power(rows: Any, exponent: int) -> Any:
    """Multiply rows, dense or CSR, by 2^exponent."""
    if not issparse(rows):
        return np.ldexp(rows, exponent)
    out = rows.copy()
    out.data = np.ldexp(out.data, exponent)
    return out


def errors(train: Any, test: Any, predicted: Any) -> tuple[float, float]:
    """Compute the two errors of `reconstruction` for any predictions (l, p) of the test rows (l, p), dense or CSR."""
    differences = test - predicted
    if issparse(train):
        roots = np.sqrt(differences.multiply(differences).mean(axis=0))
        is_varied = (train.max(axis=0) - train.min(axis=0)).toarray().ravel() > 0
        deviations = _sparse_deviations(train)
    else:
        roots = np.sqrt((differences**2).mean(axis=0))
        is_varied = np.ptp(train, axis=0) > 0
        deviations = train.std(axis=0)
    scale_free = (roots[is_varied] / deviations[is_varied]).mean() if is_varied.any() else np.nan
    return float(roots.mean()), float(scale_free)


def _sparse_deviations(X: Any) -> np.ndarray:
    """Compute the standard deviations (p,) of the columns of CSR; no sums of squares cancel."""
    n, p = X.shape
    means = np.bincount(X.indices, X.data, p) / n
    n_stored = np.bincount(X.indices, minlength=p)
    squares = np.bincount(X.indices, (X.data - means[X.indices]) ** 2, p) + (n - n_stored) * means**2
    return cast("np.ndarray", np.sqrt(squares / n))
