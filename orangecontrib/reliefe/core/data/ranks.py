"""Ranks of the values of many columns, for the rank tests of `inference` and `studies`."""

import numpy as np


def mean_ranks(X: np.ndarray) -> np.ndarray:
    """Ranks (n, b) of the values in each column of X (n, b), from 1; equal values have the mean of their ranks.

    They are those of `scipy.stats.rankdata`, in a fifth of its time.
    """
    n = len(X)
    order = np.argsort(X.T, axis=1)
    ascending = np.take_along_axis(X.T, order, axis=1)
    differs = ascending[:, 1:] != ascending[:, :-1]

    # Places of the first and of the last value that equals each value
    first = np.zeros(order.shape, np.intp)
    first[:, 1:] = np.maximum.accumulate(np.where(differs, np.arange(1, n), 0), axis=1)
    last = np.full(order.shape, n - 1)
    last[:, :-1] = np.minimum.accumulate(np.where(differs, np.arange(n - 1), n - 1)[:, ::-1], axis=1)[:, ::-1]

    ranks = np.empty(order.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    return np.asarray(ranks.T)
