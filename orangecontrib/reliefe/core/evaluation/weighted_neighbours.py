"""Nearest neighbours when every feature counts as much as a ranking says.

    Space.fit: rows -> points, once  ->  neighbours: weights -> the nearest rows, many times  ->  vote or mean

The squared distance of two rows is the weighted sum of squared diffs. It is Euclidean between the encoded points, so
one product of matrices has all pairs of a block.
"""

from typing import Any, cast

import numpy as np
from scipy import sparse

from ..data.arrays import chosen_from, groups_of, matrix, unknown
from ..data.frames import is_frame
from .neighbour_votes import mean, vote
from .space import Space


def weighted_knn(
    X_train: Any, Y_train: Any, X_test: Any, weights: Any, k: int, nominal: object = None, ranges: object = None
) -> np.ndarray:
    """Predictions by the k nearest training rows: means (m, ...), or most frequent classes (m,), None where nobody
    votes.

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
        As in `Space.fit`.
    """
    X_train, X_test, Y_train = matrix(X_train, "X_train"), matrix(X_test, "X_test"), chosen_from(Y_train, "Y_train")
    (n, p), shapes = X_train.shape, (X_train.shape, Y_train.shape, X_test.shape)
    if shapes[2][1:] != (p,) or shapes[1][:1] != (n,):
        raise ValueError("X_train (n, p), Y_train (n, ...) and X_test (m, p) do not fit: {}, {}, {}".format(*shapes))
    stack = sparse.vstack if sparse.issparse(X_train) or sparse.issparse(X_test) else np.vstack
    train = np.arange(n)
    space = Space.fit(stack([X_train, X_test]), nominal, train, ranges)
    near = space.neighbours(train, np.arange(n, n + X_test.shape[0]), weights, k)
    if sparse.issparse(Y_train) or is_frame(Y_train) or Y_train.ndim > 1 or Y_train.dtype.kind == "f":
        return mean(Y_train, near)
    codes = groups_of(Y_train, n, "Y_train")
    gaps = unknown(Y_train) if Y_train.dtype.kind == "O" else np.zeros(n, bool)
    classes = np.unique(Y_train[~gaps])
    if gaps.any():
        classes, codes[gaps] = np.append(classes, cast("Any", None)), -1  # the last one: where nobody votes
    return cast("np.ndarray", classes[vote(codes, near)])
