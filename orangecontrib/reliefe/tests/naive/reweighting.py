"""Twins of the methods that weigh the features of the distance by the scores, again and again.

D (n, n, p): diffs, NaN where a pair is ignored; y (n,): classes.
"""

import itertools
import math

import numpy as np

from .diffs import differences


def weighted_distances(D, w):
    """(n, n): sums of weighted diffs; ignored pairs are made up for in proportion to the weights."""
    n = len(D)
    out = np.zeros((n, n))
    for i, j in itertools.permutations(range(n), 2):
        seen = ~np.isnan(D[i, j])
        whole, shared = w.sum(), w[seen].sum()
        if seen.all():
            out[i, j] = w @ D[i, j]
        else:
            out[i, j] = w[seen] @ D[i, j][seen] * whole / shared if shared > 1e-9 * whole else whole
    return out


def weighted_mean(diffs, weights):
    """Means (p,) of diffs (r, p) by weights (r,) over the rows that have a feature, 0 where there are none."""
    found = (~np.isnan(diffs) * weights[:, None]).sum(axis=0)
    return (np.nan_to_num(diffs) * weights[:, None]).sum(axis=0) / np.where(found > 0, found, 1) * (found > 0)


def halves(y, i):
    """Hits and misses of row i."""
    return [j for j in range(len(y)) if y[j] == y[i] and j != i], [j for j in range(len(y)) if y[j] != y[i]]


def iterativerelief(D, y, n_min=3, beta=0.1, max_iter=100, tol=1e-3):
    n, p = len(D), D.shape[2]
    phi, scores = np.ones(p), None
    for _ in range(max_iter):
        d, before = weighted_distances(D, phi), scores
        scores = np.zeros(p)
        for i in range(n):
            sides = halves(y, i)
            # a side without enough rows is taken whole
            ends = [sorted(d[i, rows])[min(n_min, len(rows)) - 1] for rows in sides if rows]
            radius = max(ends)
            for rows, sign in zip(sides, (-1, 1)):
                u = np.array([float(d[i, j] == 0) if radius == 0 else 1 - (d[i, j] / radius) ** 2 for j in rows])
                u = np.where(u > 1e-9, u, 0)  # on the sphere
                scores += sign * weighted_mean(D[i, rows], u) / n
        change = np.inf if before is None else np.abs(scores - before).max()
        positive = np.maximum(scores, 0)
        new = positive / positive.max() if positive.any() else np.ones(p)
        phi = phi + beta * (new - phi)
        if change < tol:
            break
    return scores


def margins(D, y, i, d, sigma):
    """Mean diffs (p,) of row i to its misses less those to its hits, by exp(-d / sigma), and the share of the hits."""
    hits, misses = halves(y, i)

    def mean(rows):
        if not rows:
            return np.zeros(D.shape[2])
        near = min(d[i, j] for j in rows)
        return weighted_mean(D[i, rows], np.array([math.exp(-(d[i, j] - near) / sigma) for j in rows]))

    nearest = min(d[i, j] for j in hits + misses)
    f = {j: math.exp(-(d[i, j] - nearest) / sigma) for j in hits + misses}
    gamma = 1 - sum(f[j] for j in misses) / sum(f.values())
    return mean(misses) - mean(hits), gamma


def unit(nu):
    positive = np.maximum(nu, 0).astype(float)
    return positive / np.linalg.norm(positive) if positive.any() else positive


def equal_shares(D):
    """First weights (p,) by the diffs D (n, n, p): constant features have none."""
    varies = (np.nan_to_num(D) > 0).any(axis=(0, 1))
    return varies / max(varies.sum(), 1)


def width(D, sigma, w):
    """sigma, or for "median" the median distance."""
    if sigma != "median":
        return sigma
    return float(np.median(weighted_distances(D, w)[np.triu_indices(len(D), 1)]))


def irelief(D, y, sigma=2.0, beta=0.3, max_iter=1000, tol=1e-3):
    n = len(D)
    w = equal_shares(D)
    sigma = width(D, sigma, w)
    for number in range(max_iter):
        d = weighted_distances(D, w)
        nu = sum(gamma * z for z, gamma in (margins(D, y, i, d, sigma) for i in range(n))) / n
        new = unit(nu)
        if not new.any():
            return new
        change, w = np.linalg.norm(new - w), unit(damped(w, new, beta, first=number == 0))
        if change < tol:
            break
    return w


def damped(w, new, beta, first):
    """A step of a share `beta` towards the new weights; the first one goes all the way."""
    return new if first else w + beta * (new - w)


def ireliefonline(D, y, order, sigma=2.0, beta=1.0):
    p = D.shape[2]
    w, nu = equal_shares(D), np.zeros(p)
    sigma = width(D, sigma, w)
    for t, i in enumerate(order, 1):
        z, gamma = margins(D, y, i, weighted_distances(D, w), sigma)
        nu += (gamma * z - nu) / t
        w = w + beta * (unit(nu) - w)
    return unit(nu)


def logo(D, y, sigma=2.0, penalty=1.0, beta=0.3, max_iter=10, tol=0.01):
    n = len(D)
    w = unit(equal_shares(D))
    sigma = width(D, sigma, w)
    for number in range(max_iter):
        d = weighted_distances(D, w)
        new = least_loss(np.array([margins(D, y, i, d, sigma)[0] for i in range(n)]), penalty)
        if not new.any():
            return new
        before, w = w, damped(w, new, beta, first=number == 0)
        if np.linalg.norm(new / new.max() - before / before.max()) < tol:
            break
    return w


def least_loss(Z, penalty):
    """The weights (p,) >= 0 with the least sum over rows of log(1 + exp(-Z w)) + penalty * w, by accelerated steps
    against the gradient: where several are as good, features that tell the same share alike."""
    step = 4 / max(np.linalg.norm(Z, 2) ** 2, 1e-300)
    w = ahead = np.zeros(Z.shape[1])
    t = 1.0
    for _ in range(200_000):
        slope = penalty - Z.T @ (1 / (1 + np.exp(Z @ ahead)))
        before, w = w, np.maximum(ahead - step * slope, 0)
        if np.abs(w - ahead).max() < 1e-15:
            break
        following = (1 + math.sqrt(1 + 4 * t * t)) / 2
        restart = (ahead - w) @ (w - before) > 0
        ahead = w if restart else w + (t - 1) / following * (w - before)
        t = 1.0 if restart else following
    return w


def lhrelief(X, owner, y, n_neighbors=3, beta=0.3, max_iter=10, tol=1e-3):
    """X (n, D) in [0, 1]; owner (D,): feature of each column, several where values of a nominal one have their own."""
    n, p = len(X), max(owner) + 1
    classes = sorted(set(y))
    prior = {c: np.mean(y == c) for c in classes}
    w = unit(np.bincount(owner, np.ptp(X, axis=0)) > 0)
    for number in range(max_iter):
        of_column = w[owner]
        total = np.zeros(p)
        for i in range(n):
            d = np.abs(X - X[i]) @ of_column
            for c in classes:
                rows = sorted((j for j in range(n) if y[j] == c and j != i), key=lambda j: (round(d[j], 12), j))
                rows = rows[:n_neighbors]
                if not rows:
                    continue
                centre = X[rows].mean(axis=0)
                V = (X[rows] - centre).T
                A = V.T @ (of_column[:, None] * V) + np.eye(len(rows))
                alpha = np.linalg.solve(A, V.T @ (of_column * (X[i] - centre)))
                away = np.abs(X[i] - centre - V @ alpha)
                sign = -1 if c == y[i] else prior[c] / (1 - prior[y[i]])
                total += sign * np.bincount(owner, away, p)
        new = unit(total)
        if not new.any():
            return new
        change, w = np.linalg.norm(new - w), unit(damped(w, new, beta, first=number == 0))
        if change < tol:
            break
    return w


def rank(X, y, method, nominal=None, missing=None, ramp=False, random_state=0, **parameters):
    """Scores (p,) of the columns of X (n, p), NaN = missing, by a method's name and the parameters of the product."""
    X, y = np.asarray(X, float), np.asarray(y)
    nominal = np.zeros(X.shape[1], bool) if nominal is None else np.asarray(nominal, bool)
    if method == "lhrelief":
        return lhrelief(*coordinates(X, nominal), y, **parameters)
    D = differences(X, nominal, y, missing or "class-conditional", ramp)
    if method == "ireliefonline":
        order = np.random.default_rng(random_state).permutation(len(y))
        return ireliefonline(D, y, order[: parameters.pop("max_iter", 1000)], **parameters)
    return {"iterativerelief": iterativerelief, "irelief": irelief, "logo": logo}[method](D, y, **parameters)


def coordinates(X, nominal):
    """Columns in [0, 1], two of them 1/2 for each nominal value, and the feature of each; unknown values are means, or
    the most frequent value."""
    columns, owner = [], []
    for a, x in enumerate(X.T):
        known = x[~np.isnan(x)]
        if nominal[a]:
            found, counts = np.unique(known, return_counts=True)
            x = np.where(np.isnan(x), found[counts.argmax()], x)
            columns += [(x == value) / 2 for value in np.unique(x)]
            owner += [a] * len(np.unique(x))
        else:
            x = np.where(np.isnan(x), known.mean(), x)
            columns.append((x - x.min()) / (np.ptp(x) or 1))
            owner.append(a)
    return np.array(columns).T, np.array(owner)
