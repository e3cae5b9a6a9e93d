"""Reconstruction of all features by a few of them: the nearest row by these predicts every feature."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from scipy.sparse import issparse

from ..checks import function, several, switch, whole
from ..data.arrays import floats, matrix, rows_of
from ..points.nearest import nearest_of
from .folds import Fold, blocks, parts_of

N_FEATURES = 16  # of the published comparison
DIGITS = 12  # of distances of sparse rows: products of matrices are not exact


def rmse_1nn(
    X: object,
    order: Callable[[np.ndarray], np.ndarray],
    sizes: Sequence[int] = (N_FEATURES,),
    parts: Sequence[Fold] | None = None,
    last: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Errors of reconstruction by the best features of a ranking: as they are, and scale-free.

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
    errors, scaled : (folds, sizes) arrays
        The published tables have the mean over the folds of the first array, and call it MSE.

    Raises
    ------
    ValueError
        For missing or infinite values and for sizes below 1.

    References
    ----------
    Petkovic et al. (2021), Ensemble- and distance-based feature ranking for unsupervised learning, section 5.2.
    """
    X, order = floats(X, "X"), function("order", order)
    if X.ndim != 2 or not np.isfinite(X).all():
        raise ValueError(f"X must be (rows, features) of finite numbers without missing ones; its shape is {X.shape}")
    sizes = [whole("sizes", size, 1) for size in several("sizes", sizes)]
    if not sizes:
        raise ValueError("sizes must be at least one number")
    parts = blocks(len(X)) if parts is None else parts_of(parts, len(X))
    found = np.empty((2, len(parts), len(sizes)))
    for f, (train, test) in enumerate(parts):
        features = rows_of(order(X[train]), X.shape[1], "the features of an order")
        for s, size in enumerate(sizes):
            found[:, f, s] = reconstruction(X[train], X[test], features[:size], last)
    return found[0], found[1]


def reconstruction(
    train: np.ndarray, test: np.ndarray, features: np.ndarray, last: bool = False
) -> tuple[float, float]:
    """Errors of all features when each test row is predicted by the training row that is nearest in some features.

    Parameters
    ----------
    train, test : (m, p) and (l, p) arrays, or CSR
        m >= 1 training rows, and rows that are predicted.
    features : (s,) int array
        Features of the Euclidean distance.
    last : bool
        Of equally near rows the last one predicts instead of the first.

    Returns
    -------
    error, scaled : float
        Mean over the features of the root mean squared error; and the same with every feature divided by its standard
        deviation among the training rows, without those that have none (NaN if all do).

    Raises
    ------
    ValueError
        For shapes that do not fit.
    """
    train, test, last = matrix(train, "train"), matrix(test, "test"), switch("last", last)
    if train.shape[1] != test.shape[1] or issparse(train) != issparse(test) or not train.shape[0]:
        raise ValueError(f"train and test must be (m, p) and (l, p), m > 0, not {train.shape} and {test.shape}")
    features = rows_of(features, train.shape[1], "features")
    if issparse(train):
        return _sparse_errors(train, test, train[_sparse_nearest(train[:, features], test[:, features], last)])
    from scipy.spatial.distance import cdist

    some, own = train[:, features], test[:, features]
    shape = len(test), len(train)
    near = nearest_of(lambda block: cdist(own[block], some, "sqeuclidean"), shape, last=last)[:, 0]
    return errors(train, test, train[near])


def errors(train: np.ndarray, test: np.ndarray, predicted: np.ndarray) -> tuple[float, float]:
    """The two errors of `reconstruction` for any predictions (l, p) of the test rows (l, p)."""
    roots = np.sqrt(((test - predicted) ** 2).mean(axis=0))
    deviations = train.std(axis=0)
    varied = np.ptp(train, axis=0) > 0
    scaled = (roots[varied] / deviations[varied]).mean() if varied.any() else np.nan
    return float(roots.mean()), float(scaled)


def _sparse_nearest(train: Any, test: Any, last: bool) -> np.ndarray:
    """(l,) the nearest training row of each test row, of those that are so but for rounding the first or the last."""
    lengths, turned = train.multiply(train).sum(axis=1), train.T

    def distances(block: slice) -> np.ndarray:
        return cast("np.ndarray", np.round(lengths - 2 * (test[block] @ turned).toarray(), DIGITS))

    return nearest_of(distances, (test.shape[0], train.shape[0]), last=last)[:, 0]


def _sparse_errors(train: Any, test: Any, predicted: Any) -> tuple[float, float]:
    """`errors` of CSR matrices."""
    gaps = test - predicted
    roots = np.sqrt(gaps.multiply(gaps).mean(axis=0))
    varied = (train.max(axis=0) - train.min(axis=0)).toarray().ravel() > 0
    variances = train.multiply(train).mean(axis=0) - train.mean(axis=0) ** 2
    scaled = (roots[varied] / np.sqrt(variances[varied])).mean() if varied.any() else np.nan
    return float(roots.mean()), float(scaled)


def doublings(p: int) -> list[int]:
    """1, 2, 4, ... up to p, and p: numbers of features at which curves of errors are drawn."""
    p = whole("the number of features", p, 0)
    return sorted({*(2**j for j in range(p.bit_length())), p})
