"""Twins of the relatives of ReliefF."""

import numpy as np

from .nearest import mean, nearest, others, relieff, weighted


def reliefa(D, d, y, targets, n_neighbors=10):
    return relieff(D, d, y, targets, n_neighbors, scheme="E")


def by_class(D, d, y, targets, near):
    """near(i, rows) -> (p,) mean diffs of row i to those of the rows that count, NaN where there are none."""
    hits, misses = [], []
    for i in targets:
        hits.append(near(i, [j for j in others(i, len(y)) if y[j] == y[i]]))
        classes = sorted(set(y) - {y[i]})
        means = [near(i, [j for j in range(len(y)) if y[j] == c]) for c in classes]
        prior = np.array([np.mean(y == c) for c in classes])
        misses.append(weighted(np.array(means).reshape(len(classes), D.shape[2]), prior))
    return np.nan_to_num(mean(np.array(misses))) - np.nan_to_num(mean(np.array(hits)))


def shares(diffs, weights):
    """Means (p,) of diffs (r, p) by weights (r,), NaN where no row has a feature."""
    found = (~np.isnan(diffs) * weights[:, None]).sum(axis=0)
    total = (np.nan_to_num(diffs) * weights[:, None]).sum(axis=0)
    return np.where(found > 0, total / np.where(found > 0, found, 1), np.nan)


def erelieff(D, d, y, targets, n_neighbors=10):
    """A neighbour weighs the share of the features that both rows have."""

    def near(i, rows):
        rows = nearest(d[i], rows, n_neighbors)
        return shares(D[i, rows], (~np.isnan(D[i, rows])).mean(axis=1))

    return by_class(D, d, y, targets, near)


def relievedf(D, d, y, targets, n_neighbors=10):
    """Rows at the k-th distance share the places that are left."""

    def near(i, rows):
        k = min(n_neighbors, len(rows))
        last = sorted(d[i, rows])[k - 1] if rows else 0
        inside, tied = [[j for j in rows if test(d[i, j])] for test in (lambda v: v < last, lambda v: v == last)]
        weights = [1.0] * len(inside) + [(k - len(inside)) / max(len(tied), 1)] * len(tied)
        return shares(D[i, inside + tied], np.array(weights))

    return by_class(D, d, y, targets, near)


def reliefmss(D, d, y, targets, n_neighbors=10):
    """Diffs count as far as they are above the mean diff of the other features that both rows have."""
    p = (~np.isnan(D)).sum(axis=2, keepdims=True)
    others_mean = np.where(p > 1, (p * d[:, :, None] - D) / np.maximum(p - 1, 1), 0)  # d: mean diffs
    above = np.where(np.isnan(D), np.nan, np.maximum(D - others_mean, 0))
    return relieff(above, d, y, targets, n_neighbors)


def reliefseq(D, d, y, targets, k_min=1, k_max=50):
    """The largest score over the numbers of neighbours."""
    most = min(k_max or len(y), max(min(np.sum(y == c) for c in set(y)) - 1, 1))
    return np.max([relieff(D, d, y, targets, k) for k in range(k_min, most + 1)], axis=0)
