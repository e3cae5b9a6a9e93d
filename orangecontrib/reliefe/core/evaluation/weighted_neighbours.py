"""Predictions by the k nearest training rows when every feature counts as much as a ranking says."""

from typing import Any, cast

import numpy as np
from scipy import sparse

from ..data.arrays import matrix, unknown
from ..data.chosen_rows import chosen_from, groups_of
from ..data.frames import is_frame
from .neighbour_votes import mean, vote
from .space import RowSpace


def weighted_knn(
    X_train: Any, Y_train: Any, X_test: Any, weights: Any, k: int, nominal: object = None, ranges: object = None
) -> np.ndarray:
    """Predict by the k nearest training rows.

    Parameters
    ----------
    X_train, X_test : (n, p) and (m, p) arrays, or CSR
        Numbers, NaN = missing.
    Y_train : (n,) or (n, t) array
        Floats or several numbers, dense or CSR, are averaged. (n,) values of any other type are classes. Missing
        classes do not vote.
    weights : (p,) array
        Scores of a ranking.
    k : int
        1 or more, cut to n.
    nominal, ranges
        As in `RowSpace.fit`.

    Returns
    -------
    (m, ...) array
        Means, or most frequent classes (m,), None where no neighbour votes.
    """
    X_train = matrix(X_train, "X_train")
    X_test = matrix(X_test, "X_test")
    Y_train = chosen_from(Y_train, "Y_train")
    n, p = X_train.shape
    if X_test.shape[1:] != (p,) or Y_train.shape[:1] != (n,):
        shapes = f"{X_train.shape}, {Y_train.shape}, {X_test.shape}"
        raise ValueError(f"X_train (n, p), Y_train (n, ...) and X_test (m, p) do not fit: {shapes}")
    stack = sparse.vstack if sparse.issparse(X_train) or sparse.issparse(X_test) else np.vstack
    train = np.arange(n)
    space = RowSpace.fit(stack([X_train, X_test]), nominal, train, ranges)
    near = space.neighbours(train, np.arange(n, n + X_test.shape[0]), weights, k)
    if sparse.issparse(Y_train) or is_frame(Y_train) or Y_train.ndim > 1 or Y_train.dtype.kind == "f":
        return mean(Y_train, near)
    codes = groups_of(Y_train, n, "Y_train")
    is_missing = unknown(Y_train) if Y_train.dtype.kind == "O" else np.zeros(n, bool)
    classes = np.unique(Y_train[~is_missing])
    if is_missing.any():
        codes[is_missing] = -1
        classes = np.append(classes, cast("Any", None))  # the last one, -1, is for rows without a vote
    return cast("np.ndarray", classes[vote(codes, near)])
