"""Twins of the methods whose neighbours are within a radius, or far from the mean distance, and of SWRF*."""

import numpy as np

from .nearest import mean, others, weighted

ON = 1e-12  # of the mean: distances that are no farther than this from a limit are on it
NEXT_TO = 1e-6  # the same where rows next to a limit have next to no influence


def hit_or_miss(y, i):
    """(n,): 0 for the rows whose numbers are within a standard deviation of row i, 1 for the others."""
    width = np.std(y, ddof=1)
    return np.array([0 if width - abs(v - y[i]) > ON * width else 1 for v in y])


def zone(diffs, labels, own, rows, prior):
    """Mean diff to the misses among the rows minus that to the hits; an empty half is 0."""
    hit = mean(diffs[[j for j in rows if labels[j] == own]])
    classes = sorted(set(labels) - {own})
    means = np.array([mean(diffs[[j for j in rows if labels[j] == c]]) for c in classes]).reshape(-1, diffs.shape[1])
    miss = weighted(means, np.array([prior[c] for c in classes]))
    return np.nan_to_num(miss) - np.nan_to_num(hit)


def by_radius(D, d, y, targets, bounds, far, numbers):
    """bounds(i) -> radius below which a row is near, radius above which it is far, how close to them is on them."""
    total = np.zeros(D.shape[2])
    for i in targets:
        labels, own = (hit_or_miss(y, i), 0) if numbers else (y, y[i])
        prior = {c: np.mean(labels == c) for c in set(labels)}
        low, high, on = bounds(i)
        near = [j for j in others(i, len(y)) if low - d[i, j] > on]
        total += zone(D[i], labels, own, near, prior)
        if far:
            away = [j for j in others(i, len(y)) if d[i, j] - high > on]
            total -= zone(D[i], labels, own, away, prior)
    return total / len(targets) / (2 if far else 1)


def target_pairs(d, targets):
    return np.array([d[i, j] for i in targets for j in others(i, len(d))])


def surf(D, d, y, targets, far=False, numbers=False):
    T = target_pairs(d, targets).mean()
    return by_radius(D, d, y, targets, lambda i: (T, T, ON * T), far, numbers)


def surfstar(D, d, y, targets, numbers=False):
    return surf(D, d, y, targets, far=True, numbers=numbers)


def multisurf(D, d, y, targets, far=False, numbers=False):
    def bounds(i):
        own = d[i, others(i, len(d))]
        return own.mean() - own.std() / 2, own.mean() + own.std() / 2, ON * own.mean()

    return by_radius(D, d, y, targets, bounds, far, numbers)


def multisurfstar(D, d, y, targets, numbers=False):
    return multisurf(D, d, y, targets, far=True, numbers=numbers)


def swrfstar(D, d, y, targets, numbers=False):
    pairs = target_pairs(d, targets)
    T, S = pairs.mean(), pairs.std()
    total = np.zeros(D.shape[2])
    for i in targets:
        rows = others(i, len(y))
        f = np.tanh(4 * (T - d[i, rows]) / (2 * S)) if S > 1e-6 * T else np.zeros(len(rows))
        labels, own = (hit_or_miss(y, i), 0) if numbers else (y, y[i])
        sign = np.where(labels[rows] == own, -1, 1)
        observed = ~np.isnan(D[i, rows])
        size = (np.abs(f)[:, None] * observed).sum(axis=0)
        value = ((sign * f)[:, None] * np.where(observed, D[i, rows], 0)).sum(axis=0)
        total += value / np.where(size > 0, size, 1)
    return total / len(targets)


def influenced(diffs, labels, own, f, prior, by_number):
    """Scores of `zone` over rows with an influence f above 0; by_number: sums of f * diff over their number."""
    hit = influenced_mean(diffs, f * (labels == own), by_number)
    classes = sorted(set(labels) - {own})
    means = np.array([influenced_mean(diffs, f * (labels == c), by_number) for c in classes])
    miss = weighted(means.reshape(-1, diffs.shape[1]), np.array([prior[c] for c in classes]))
    return np.nan_to_num(miss) - np.nan_to_num(hit)


def influenced_mean(diffs, f, by_number):
    """(r, p), (r,) -> (p,): over the observed rows of each column, NaN where there are none."""
    observed = ~np.isnan(diffs) & (f[:, None] > 0)
    size = ((1.0 if by_number else f[:, None]) * observed).sum(axis=0)
    value = (f[:, None] * np.where(observed, diffs, 0)).sum(axis=0)
    return np.where(size > 0, value / np.where(size > 0, size, 1), np.nan)


def by_influence(D, d, y, targets, moments, width, far, numbers, by_number=False):
    """moments(i) -> mean and standard deviation of distances."""
    total = np.zeros(D.shape[2])
    for i in targets:
        labels, own = (hit_or_miss(y, i), 0) if numbers else (y, y[i])
        prior = {c: np.mean(labels == c) for c in set(labels)}
        rows = others(i, len(y))
        T, S = moments(i)
        for side, limit in ((1, T - width * S), (-1, T + width * S))[: 1 + far]:
            f = np.zeros(len(y))
            for j in rows:
                depth = side * (limit - d[i, j])
                if depth > NEXT_TO * T and S > NEXT_TO * T:
                    f[j] = 2 / (1 + np.exp(-4 * depth / S)) - 1
            total += side * influenced(D[i], labels, own, f, prior, by_number)
    return total / len(targets) / (2 if far else 1)


def swrf(D, d, y, targets, numbers=False, by_number=False):
    pairs = target_pairs(d, targets)
    moments = pairs.mean(), pairs.std()
    return by_influence(D, d, y, targets, lambda _: moments, 0, False, numbers, by_number)


def multiswrf(D, d, y, targets, width=0, far=False, numbers=False, by_number=False):
    def moments(i):
        own = d[i, others(i, len(d))]
        return own.mean(), own.std()

    return by_influence(D, d, y, targets, moments, width, far, numbers, by_number)


def multiswrfstar(D, d, y, targets, **parameters):
    return multiswrf(D, d, y, targets, far=True, **parameters)


def multiswrfdb(D, d, y, targets, **parameters):
    return multiswrf(D, d, y, targets, width=0.5, **parameters)


def multiswrfdbstar(D, d, y, targets, **parameters):
    return multiswrf(D, d, y, targets, width=0.5, far=True, **parameters)


def murelief(D, d, y, targets, n_neighbors=10, numbers=False):
    total = np.zeros(D.shape[2])
    for i in targets:
        labels, own = (hit_or_miss(y, i), 0) if numbers else (y, y[i])
        prior = {c: np.mean(labels == c) for c in set(labels)}
        chosen = []
        for c in sorted(set(labels)):
            rows = [j for j in others(i, len(y)) if labels[j] == c]
            away = {j: round(abs(d[i, j] - np.mean(d[i, rows])), 9) for j in rows}
            chosen += sorted(rows, key=lambda j: (-away[j], j))[:n_neighbors]
        total += zone(D[i], labels, own, chosen, prior)
    return total / len(targets)
