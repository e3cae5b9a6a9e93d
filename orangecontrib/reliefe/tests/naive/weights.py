"""Twins of the Relief family for rows with weights: plain loops over the definition.

A row weighs w_i in the mean over rows, and w_j among neighbours: as w_i rows that are no neighbours of each other.
"""

from math import erf, sqrt

import numpy as np

from .diffs import differences, distances

ON = 1e-12  # of the mean: distances that are no farther than this from a limit are on it


def others(i, n):
    return [j for j in range(n) if j != i]


def mean(diffs, counts):
    """Mean (p,) of diffs (r, p), each known one weighted by its count (r,); NaN where none is known."""
    known = ~np.isnan(diffs)
    total = (known * np.reshape(counts, (-1, 1))).sum(axis=0)
    sums = (np.where(known, diffs, 0) * np.reshape(counts, (-1, 1))).sum(axis=0)
    return np.where(total > 0, sums / np.where(total > 0, total, 1), np.nan)


def taken(d, rows, w, k, sigma=None):
    """Counts of some rows, by distances d (n,), until their weights reach k."""
    left, counts = k, {}
    for j in sorted(rows, key=lambda j: (d[j], j)):
        counts[j] = min(w[j], max(left, 0))
        left -= w[j]
    for j in rows:
        rank = 1 + sum(w[s] for s in rows if d[s] < d[j])
        counts[j] *= 1 if sigma is None else np.exp((1 - rank**2) / sigma**2)
    return [counts[j] for j in rows]


def hits_and_misses(D, labels, i, w, counted, scheme="F", prior=None):
    """Mean diffs (p,) to hits and to misses; counted(rows): how much each of the rows counts."""
    rows = {c: [j for j in others(i, len(labels)) if labels[j] == c] for c in sorted(set(labels))}
    hit = mean(D[i, rows[labels[i]]], counted(rows[labels[i]]))
    if scheme == "E":
        misses = [j for j in range(len(labels)) if labels[j] != labels[i]]
        return hit, mean(D[i, misses], counted(misses))
    classes = [c for c in rows if c != labels[i]]
    means = np.array([mean(D[i, rows[c]], counted(rows[c])) for c in classes]).reshape(len(classes), -1)
    return hit, mean(means, [prior[c] for c in classes]) if classes else hit * np.nan


def priors(labels, w):
    return {c: sum(w[labels == c]) / sum(w) for c in set(labels)}


def relieff(D, d, y, w, n_neighbors=10, sigma=None, scheme="F"):
    d = np.round(d / D.shape[2], 12)
    found = [
        hits_and_misses(D, y, i, w, lambda rows, i=i: taken(d[i], rows, w, n_neighbors, sigma), scheme, priors(y, w))
        for i in range(len(y))
    ]
    hits, misses = (np.array(part) for part in zip(*found, strict=True))
    return np.nan_to_num(mean(misses, w)) - np.nan_to_num(mean(hits, w))


def reliefa(D, d, y, w, n_neighbors=10):
    return relieff(D, d, y, w, n_neighbors, scheme="E")


def rrelieff(D, d, y, w, n_neighbors=70, sigma=20):
    d, span = np.round(d / D.shape[2], 12), np.ptp(y)
    scores = []
    for a in range(D.shape[2]):
        changed, diff, both, total = 0.0, 0.0, 0.0, 0.0
        for i in range(len(y)):
            rows = others(i, len(y))
            counts = np.array(taken(d[i], rows, w, n_neighbors, sigma)) * ~np.isnan(D[i, rows, a])
            if counts.sum() == 0:
                continue
            share, t = w[i] * counts / counts.sum(), np.abs(y[i] - y[rows]) / span
            changed += (share * t).sum()
            diff += (share * np.nan_to_num(D[i, rows, a])).sum()
            both += (share * t * np.nan_to_num(D[i, rows, a])).sum()
            total += w[i]
        scores.append(both / changed - (diff - both) / (total - changed))
    return np.array(scores)


def by_radius(D, d, y, w, limits, far, numbers):
    """Mean over rows; limits(i) -> radius below which a row is near, above which it is far, how close is on it."""
    total = np.zeros(D.shape[2])
    centre = np.sum(w * y) / np.sum(w) if numbers else 0
    width = np.sqrt(np.sum(w * (y - centre) ** 2) / (np.sum(w) - 1)) if numbers else 0
    for i in range(len(y)):
        labels = np.array([int(abs(v - y[i]) >= width * (1 - ON)) for v in y]) if numbers else y
        prior = priors(labels, w) if not numbers else {0: 1.0, 1: 1.0}
        low, high, on = limits(i)
        zones = [(1, lambda j: low - d[i, j] > on)] + [(-1, lambda j: d[i, j] - high > on)] * far
        for side, inside in zones:
            found = hits_and_misses(
                D, labels, i, w, lambda rows, inside=inside: [w[j] * inside(j) for j in rows], "F", prior
            )
            total += w[i] * side * (np.nan_to_num(found[1]) - np.nan_to_num(found[0])) / len(zones)
    return total / np.sum(w)


def moments(values, weights):
    centre = np.average(values, weights=weights)
    return centre, np.sqrt(np.average((values - centre) ** 2, weights=weights))


def surf(D, d, y, w, far=False, numbers=False):
    pairs = [(i, j) for i in range(len(y)) for j in others(i, len(y))]
    T, _ = moments(np.array([d[pair] for pair in pairs]), [w[i] * w[j] for i, j in pairs])
    return by_radius(D, d, y, w, lambda i: (T, T, ON * T), far, numbers)


def multisurf(D, d, y, w, far=False, numbers=False):
    def limits(i):
        rows = others(i, len(y))
        T, S = moments(d[i, rows], w[rows])
        return T - S / 2, T + S / 2, ON * T

    return by_radius(D, d, y, w, limits, far, numbers)


TWINS = {
    "reliefa": reliefa,
    "relieff": relieff,
    "rrelieff": rrelieff,
    "surf": surf,
    "surfstar": lambda *data, **more: surf(*data, far=True, **more),
    "multisurf": multisurf,
    "multisurfstar": lambda *data, **more: multisurf(*data, far=True, **more),
}


def rank(X, y, w, method, nominal, **parameters):
    """Scores (p,) of the columns of X (n, p), NaN = missing, whose pairs are ignored; w (n,) above 0."""
    D = differences(X, nominal, None, "ignore")
    return TWINS[method](D, distances(D), np.asarray(y), np.asarray(w, float), **parameters)


def quantile(q):
    """Quantile of the normal distribution, by bisection."""
    low, high = -40.0, 40.0
    for _ in range(100):
        middle = (low + high) / 2
        below = (1 + erf(middle / sqrt(2))) / 2 < q
        low, high = (middle, high) if below else (low, middle)
    return low


def weighted_residuals(y, w, numbers):
    """Residuals (n, G) of classes, or (n, 1) of numbers, and their sizes (n,), None for classes."""
    if not numbers:
        share = priors(y, w)
        return np.array([[((v == c) - share[c]) / share[c] ** 0.5 for c in sorted(share)] for v in y]), None
    place = [(sum(w[y < v]) + sum(w[y == v]) / 2) / sum(w) for v in y]
    r = np.array([quantile(q) for q in place])
    r = r - np.average(r, weights=w)
    r = r / np.sqrt(np.average(r * r, weights=w))
    return r[:, None], np.abs(r) - np.average(np.abs(r), weights=w)


def residualrelief(X, y, w, nominal, numbers=False, part="place"):
    """Scores (p,) of one part by the zones of MultiSURF; pairs in which a feature is missing are left out."""
    D = differences(X, nominal, None, "ignore")
    d, (r, a) = distances(D), weighted_residuals(y, w, numbers)
    W = np.zeros(d.shape)
    for i in range(len(y)):
        rows = others(i, len(y))
        T, S = moments(d[i, rows], w[rows])
        W[i, rows] = w[rows] * (T - S / 2 - d[i, rows] > ON * T)
        W[i] *= w[i] / (W[i].sum() or 1)
    t = -r @ r.T if part == "place" else a[:, None] + a
    scores = []
    for own in D.transpose(2, 0, 1):
        known = W * ~np.isnan(own)
        of_rows = known.sum(axis=1, keepdims=True)
        centre = (known * t).sum(axis=1, keepdims=True) / np.where(of_rows > 0, of_rows, 1)
        if part == "spread":
            centre = (known * t).sum() / known.sum()
        total = (known * (t - centre) * np.nan_to_num(own)).sum()
        factor = 2 / known.sum() / np.average((r * r).sum(axis=1), weights=w) if part == "place" else 1
        scores.append(factor * total)
    return np.array(scores)
