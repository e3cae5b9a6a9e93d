"""Twins of the methods with a fixed number of neighbours."""

import numpy as np


def nearest(d, rows, k):
    """The k of the rows with the least distance; ties go to the lowest row."""
    return sorted(rows, key=lambda j: (d[j], j))[:k]


def mean(diffs):
    """(r, p) -> (p,): over the observed rows of each column, NaN where there are none."""
    observed = ~np.isnan(diffs)
    count = observed.sum(axis=0)
    return np.where(count > 0, np.where(observed, diffs, 0).sum(axis=0) / np.maximum(count, 1), np.nan)


def weighted(means, weights):
    """Means (g, p) by weights (g,), renormalised over the means that exist; NaN where none does."""
    present = ~np.isnan(means)
    total = (present * weights[:, None]).sum(axis=0)
    value = (np.where(present, means, 0) * weights[:, None]).sum(axis=0)
    return np.where(total > 0, value / np.where(total > 0, total, 1), np.nan)


def others(i, n):
    return [j for j in range(n) if j != i]


def relief(D, d, y, targets):
    hits, misses = [], []
    for i in targets:
        for same, means in ((True, hits), (False, misses)):
            rows = [j for j in others(i, len(y)) if (y[j] == y[i]) == same]
            near = nearest(d[i], rows, 1)
            means.append(mean(D[i, near]))
    return np.nan_to_num(mean(np.array(misses))) - np.nan_to_num(mean(np.array(hits)))


def relieff(D, d, y, targets, n_neighbors=10, scheme="F", sigma=None):
    hits, misses = [], []
    for i in targets:

        def near(rows):
            rows = nearest(d[i], rows, n_neighbors)
            return weighted(D[i, rows], influence(d[i, rows], sigma)) if rows else np.full(D.shape[2], np.nan)

        hits.append(near([j for j in others(i, len(y)) if y[j] == y[i]]))
        if scheme == "E":
            misses.append(near([j for j in range(len(y)) if y[j] != y[i]]))
        else:
            classes = sorted(set(y) - {y[i]})
            means = [near([j for j in range(len(y)) if y[j] == c]) for c in classes]
            prior = np.array([np.mean(y == c) for c in classes])
            misses.append(weighted(np.array(means).reshape(len(classes), D.shape[2]), prior))
    return np.nan_to_num(mean(np.array(misses))) - np.nan_to_num(mean(np.array(hits)))


def influence(d, sigma):
    """Weights of neighbours at distances d, summing to 1; equal distances share the lowest rank."""
    rank = np.array([1 + np.sum(d < own) for own in d])
    e = np.ones(len(d)) if sigma is None else np.exp((1 - rank**2) / sigma**2)
    return e / e.sum()


def rrelieff(D, d, y, targets, n_neighbors=70, sigma=20):
    span = max(y) - min(y)
    t = np.array([[abs(u - v) / span if span > 0 else 0 for v in y] for u in y])
    return probabilities(D, d, t, targets, n_neighbors, sigma)


def probabilities(D, d, t, targets, n_neighbors=70, sigma=20):
    """t (n, n): differences of the targets, in [0, 1]."""
    n_changed, n_diff, n_both, m = np.zeros((4, D.shape[2]))
    for i in targets:
        rows = nearest(d[i], others(i, len(d)), n_neighbors)
        observed = ~np.isnan(D[i, rows])
        w = influence(d[i, rows], sigma)[:, None] * observed
        w = w / np.where(w.sum(axis=0) > 0, w.sum(axis=0), 1)
        diff, changed = np.where(observed, D[i, rows], 0), t[i, rows][:, None]
        n_changed += (w * changed).sum(axis=0)
        n_diff += (w * diff).sum(axis=0)
        n_both += (w * changed * diff).sum(axis=0)
        m += observed.any(axis=0)
    return np.array([quotients(*channel) for channel in zip(n_changed, n_diff, n_both, m)])


def quotients(n_changed, n_diff, n_both, m):
    """P(diff | target differs) - P(diff | target alike) of one feature."""
    if n_changed < 1e-12:
        return 0.0
    alike = m - n_changed
    return n_both / n_changed - ((n_diff - n_both) / alike if alike > 1e-12 else 0)
