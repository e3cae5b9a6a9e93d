"""Gain and synergy of two features by plain loops over pairs of rows, and the residuals that make the pairs."""

from math import sqrt

import numpy as np

from .nearest import influence


def diff(a, b, nominal):
    return float(a != b) if nominal else abs(a - b)


def parts(pairs):
    """(i, j, weight) -> misses and hits with weights that add up to 1."""
    miss = [(i, j, u) for i, j, u in pairs if u > 0]
    hit = [(i, j, -u) for i, j, u in pairs if u < 0]
    return [[(i, j, u / sum(v for *_, v in part)) for i, j, u in part] for part in (miss, hit)]


def gain(pairs, A, B, nominal):
    def held(part):
        rest = sum(u * (1 - diff(B[i], B[j], nominal)) for i, j, u in part)
        return sum(u * diff(A[i], A[j], nominal) * (1 - diff(B[i], B[j], nominal)) for i, j, u in part) / rest

    def score(part):
        return sum(u * diff(A[i], A[j], nominal) for i, j, u in part)

    miss, hit = parts(pairs)
    return held(miss) - held(hit) - (score(miss) - score(hit))


def synergy(pairs, A, B, nominal):
    miss, hit = parts(pairs)

    def moments(column):
        values = [(u / 2, diff(column[i], column[j], nominal)) for i, j, u in miss + hit]
        mean = sum(u * d for u, d in values)
        return mean, sqrt(sum(u * (d - mean) ** 2 for u, d in values))

    (a, sd_a), (b, sd_b) = moments(A), moments(B)

    def covariance(part):
        x = [((diff(A[i], A[j], nominal) - a) / sd_a, (diff(B[i], B[j], nominal) - b) / sd_b, u) for i, j, u in part]
        return sum(p * q * u for p, q, u in x) - sum(p * u for p, _, u in x) * sum(q * u for _, q, u in x)

    return covariance(hit) - covariance(miss)


def spline(x):
    """A number as three columns, or as itself and indicators of the values between its lowest and highest."""
    low, high = min(x), max(x)
    x = [(value - low) / (high - low) for value in x]
    found = sorted(set(x))
    if len(found) <= 4:
        return [x, *([float(value == one) for value in x] for one in found[1:-1])]
    knots = np.quantile(x, [0.05, 0.35, 0.65, 0.95])
    *inner, a, b = knots

    def column(knot):
        def cube(u):
            return max(u, 0) ** 3

        return [cube(v - knot) - cube(v - a) * (b - knot) / (b - a) + cube(v - b) * (a - knot) / (b - a) for v in x]

    return [x, *map(column, inner)]


def basis(columns):
    """(n, q), every column with mean 0 and standard deviation 1."""
    out = np.array([column for x in columns for column in spline(x)]).T
    return (out - out.mean(axis=0)) / out.std(axis=0)


def ridge(Z, y):
    """Residuals by the penalty of the least generalised cross-validation."""
    n, best = len(y), (np.inf, None)
    for penalty in np.logspace(-7, 3, 11):
        H = Z @ np.linalg.inv(Z.T @ Z + penalty * np.eye(Z.shape[1])) @ Z.T
        rest = y - y.mean() - H @ (y - y.mean())
        free = 1 - (1 + np.trace(H)) / n
        if free > 0.1:
            best = min(best, (rest @ rest / free**2, penalty, rest), key=lambda one: one[0])
    return best[-1][:, None]


def logistic(Z, codes, loose):
    """Coefficients (1 + q, G) of the multinomial model by Newton's method on all of them at once."""
    A, G = np.column_stack([np.ones(len(Z)), Z]), max(codes) + 1
    r, B = A.shape[1], np.zeros((A.shape[1], G))
    penalty = np.tile([1e-9] + [1 / loose] * (r - 1), G)  # almost none of the first, which all classes could share
    slope = np.ones(1)
    while np.abs(slope).max() > 1e-6:
        P = shares(A, B)
        slope = (A.T @ (P - np.eye(G)[codes])).T.ravel() + penalty * B.T.ravel()
        H = np.diag(penalty)
        for g in range(G):
            for h in range(G):
                weight = P[:, g] * ((g == h) - P[:, h])
                H[g * r : (g + 1) * r, h * r : (h + 1) * r] += (A * weight[:, None]).T @ A
        B = B - np.linalg.solve(H, slope).reshape(G, r).T
    return B


def shares(A, B):
    E = np.exp(A @ B)
    return E / E.sum(axis=1, keepdims=True)


def classes(Z, codes, seed):
    """Residuals by the penalty under which rows that are left out are the most likely."""
    codes = [list(dict.fromkeys(codes)).index(code) for code in codes]
    rows = sorted(np.random.default_rng(seed).permutation(len(codes)).tolist(), key=lambda row: codes[row])
    chosen, least = None, np.inf
    for loose in (1e-4, 1e-2, 1, 1e2, 1e4):
        loss = 0
        for fold in range(4):
            train = [row for place, row in enumerate(rows) if place % 4 != fold]
            B = logistic(Z[train], [codes[row] for row in train], loose)
            for row in rows[fold::4]:
                loss -= np.log(shares(np.append(1, Z[row])[None], B)[0, codes[row]])
        if loss >= least:
            break
        chosen, least = loose, loss
    P = shares(np.column_stack([np.ones(len(Z)), Z]), logistic(Z, codes, chosen))
    found = np.eye(max(codes) + 1)[codes] - P
    return found[:, 1:] if found.shape[1] == 2 else found


def residual_pairs(X, residuals, k=30, sigma=20):
    """(i, j, weight) of RReliefF for the mean difference of the columns of residuals."""
    n, spans = len(X), np.ptp(residuals, axis=0)
    scaled, pairs = (X - X.min(axis=0)) / np.ptp(X, axis=0), []
    for i in range(n):
        d = np.abs(scaled - scaled[i]).sum(axis=1)
        near = sorted((j for j in range(n) if j != i), key=lambda j: (d[j], j))[:k]
        influences = influence(d[near], sigma)
        pairs += [(i, j, w, np.mean(abs(residuals[i] - residuals[j]) / spans)) for j, w in zip(near, influences)]
    changed = sum(w * t for *_, w, t in pairs)
    found = {}
    for i, j, w, t in pairs:
        key = min(i, j), max(i, j)
        found[key] = found.get(key, 0) + w * (t / changed - (1 - t) / (n - changed))
    return [(i, j, weight) for (i, j), weight in found.items()]
