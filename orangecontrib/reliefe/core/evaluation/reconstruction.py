"""Reconstruction of all features by the nearest row in a few."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from scipy.sparse import issparse

from ..checks import function, several, switch, whole
from ..data.arrays import floats, matrix, rows_of
from ..points.nearest import nearest_of
from .checked_folds import parts_of
from .clus_folds import blocks
from .folds import Fold

N_FEATURES = 16  # of the published comparison
DIGITS = 12  # of distances of sparse rows: products of matrices are not exact


def rmse_1nn(
    X: object,
    order: Callable[[np.ndarray], np.ndarray],
    sizes: Sequence[int] = (N_FEATURES,),
    parts: Sequence[Fold] | None = None,
    last: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Errors (folds, sizes) of reconstruction by the best features of a ranking: as they are, and scale-free.

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

    The first is the root mean squared error, mean over the features; the second is in standard deviations among the
    training rows.  It leaves out constant features, and is NaN if all are constant.

    Parameters
    ----------
    train, test : (m, p) and (l, p) arrays, or CSR
        m >= 1 training rows, and rows that are predicted.
    features : (s,) int array
        Features of the Euclidean distance.
    last : bool
        Of equally near rows the last one predicts instead of the first.
    """
    train, test, last = matrix(train, "train"), matrix(test, "test"), switch("last", last)
    if train.shape[1] != test.shape[1] or issparse(train) != issparse(test) or not train.shape[0]:
        raise ValueError(f"train and test must be (m, p) and (l, p), m > 0, not {train.shape} and {test.shape}")
    features = rows_of(features, train.shape[1], "features")
    some: Any = train[:, features]
    own: Any = test[:, features]
    if issparse(train):
        lengths, turned = some.multiply(some).sum(axis=1), some.T

        def distances(block: slice) -> np.ndarray:
            return cast("np.ndarray", np.round(lengths - 2 * (own[block] @ turned).toarray(), DIGITS))
    else:
        from scipy.spatial.distance import cdist

        def distances(block: slice) -> np.ndarray:
            return cast("np.ndarray", cdist(own[block], some, "sqeuclidean"))

    near = nearest_of(distances, (test.shape[0], train.shape[0]), last=last)[:, 0]
    return errors(train, test, train[near])


def errors(train: Any, test: Any, predicted: Any) -> tuple[float, float]:
    """The two errors of `reconstruction` for any predictions (l, p) of the test rows (l, p), dense or CSR."""
    gaps = test - predicted
    if issparse(train):
        roots = np.sqrt(gaps.multiply(gaps).mean(axis=0))
        varied = (train.max(axis=0) - train.min(axis=0)).toarray().ravel() > 0
        variances = train.multiply(train).mean(axis=0) - train.mean(axis=0) ** 2
        deviations = np.sqrt(variances, where=varied, out=np.ones(len(varied)))
    else:
        roots = np.sqrt((gaps**2).mean(axis=0))
        varied, deviations = np.ptp(train, axis=0) > 0, train.std(axis=0)
    scaled = (roots[varied] / deviations[varied]).mean() if varied.any() else np.nan
    return float(roots.mean()), float(scaled)
