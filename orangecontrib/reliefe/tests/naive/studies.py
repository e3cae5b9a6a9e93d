"""Scores by products of residuals, pair by pair, with groups and with missing values that are ignored."""

import numpy as np


def diffs(X, nominal):
    """Diffs (p, n, n), NaN where unknown; numbers over their range."""
    found = []
    for x, codes in zip(np.asarray(X, float).T, nominal, strict=True):
        d = np.abs(x[:, None] - x)
        span = np.nanmax(x) - np.nanmin(x)
        found.append(np.where(np.isnan(d), np.nan, d > 0) if codes else d / (span if span > 0 else 1))
    return np.array(found, float)


def distances(d, groups):
    """Distances (n, n) over the features that two rows share, scaled up to all; infinite within groups."""
    shared = (~np.isnan(d)).sum(axis=0)
    D = np.nansum(d, axis=0) / np.maximum(shared, 1) * len(d)
    D[groups[:, None] == groups] = np.inf
    return D


def zones(D, whole=False, width=0.5):
    """Weights (n, n): equal in the zone of a row, 1 in all."""
    W, n = np.zeros(D.shape), len(D)
    every = [D[i][np.isfinite(D[i])] for i in range(n)]
    for i in range(n):
        own = np.concatenate(every) if whole else every[i]
        near = D[i] < own.mean() - width * own.std()
        W[i] = near / max(near.sum(), 1)
    return W


def nearest(D, k, sigma=None):
    """Weights (n, n) of the k nearest rows, equal or by rank, 1 in all."""
    W = np.zeros(D.shape)
    for i in range(len(D)):
        order = np.argsort(D[i], kind="stable")[: min(k, int(np.isfinite(D[i]).sum()))]
        w = np.exp(-((np.arange(1, len(order) + 1) / sigma) ** 2)) if sigma else np.ones(len(order))
        W[i, order] = w / w.sum() if len(order) else 0
    return W


def place(W, d, r):
    """Scores (p,): unlike less alike in the neighbourhood of each row, over the pairs that have a feature."""
    out = []
    for own in d:
        known, total, weight = ~np.isnan(own), 0.0, 0.0
        for i in range(len(W)):
            w = W[i] * known[i]
            if w.sum() == 0:
                continue
            t = np.array([-np.dot(r[i], r[j]) for j in range(len(W))])
            total += (w * (t - (w * t).sum() / w.sum()) * np.nan_to_num(own[i])).sum()
            weight += w.sum()
        out.append(2 * total / weight / np.mean((r * r).sum(axis=1)))
    return np.array(out)


def spread(W, d, a):
    """Scores (p,) by sums of sizes, less their mean over all pairs that have a feature."""
    out = []
    for own in d:
        w, t = W * ~np.isnan(own), a[:, None] + a
        out.append((w * (t - (w * t).sum() / w.sum()) * np.nan_to_num(own)).sum())
    return np.array(out)


def residualrelief(X, y, nominal):
    """Scores (p,) for classes, without covariates, by the zones of MultiSURF."""
    d = diffs(X, nominal)
    r = np.zeros((len(y), len(np.unique(y))))
    for c, value in enumerate(np.unique(y)):
        share = sum(v == value for v in y) / len(y)
        for i, v in enumerate(y):
            r[i, c] = ((v == value) - share) / share**0.5
    return place(zones(distances(d, np.arange(len(y)))), d, r)


def score_test(X, r, variances, Z):
    """Statistic of columns X (n, m) beside covariates Z (n, q), with residuals (n, g) of variances (n, g, g)."""
    A, m = np.column_stack([X, np.ones(len(X)), Z]), X.shape[1] * r.shape[1]
    U, V = 0.0, 0.0
    for row, residual, variance in zip(A, r, variances, strict=True):
        U, V = U + np.kron(row, residual), V + np.kron(np.outer(row, row), variance)
    beside = V[:m, m:] @ np.linalg.inv(V[m:, m:])
    rest = U[:m] - beside @ U[m:]
    return rest @ np.linalg.solve(V[:m, :m] - beside @ V[m:, :m], rest)


def multinomial(codes, Z, G, ridge_of_constant, ridge):
    """Probabilities (n, G) that maximise the likelihood of classes with a ridge, by Newton's method with the whole
    matrix; the last class is the reference."""
    A, Y = np.column_stack([np.ones(len(Z)), Z]), np.eye(G)[codes]
    penalty = np.kron(np.diag([ridge_of_constant] + [ridge] * Z.shape[1]), np.eye(G - 1))

    def probabilities(b):
        u = np.exp(np.column_stack([A @ b.reshape(A.shape[1], G - 1), np.zeros(len(A))]))
        return u / u.sum(axis=1, keepdims=True)

    b = np.zeros(A.shape[1] * (G - 1))
    for _ in range(60):
        P, slope, H = probabilities(b), -penalty @ b, penalty.copy()
        for a, y, p in zip(A, Y, P, strict=True):
            slope += np.kron(a, (y - p)[:-1])
            H += np.kron(np.outer(a, a), (np.diag(p) - np.outer(p, p))[:-1, :-1])
        step = np.linalg.solve(H, slope)
        b = b + step * min(1, 1 / np.abs(step).max())
    return probabilities(b)


def cox_coefficients(time, event, Z, ridge):
    """Coefficients (q,) that maximise the partial likelihood of Breslow with a ridge, by 200 short steps of Newton."""
    n, q = np.shape(Z)
    b = np.zeros(q)
    for _ in range(200):
        risk = [np.exp(Z[i] @ b) for i in range(n)]
        slope, H = -ridge * b, ridge * np.eye(q)
        for i in range(n):
            if event[i]:
                watched = [j for j in range(n) if time[j] >= time[i]]
                total = sum(risk[j] for j in watched)
                mean = sum(risk[j] * Z[j] for j in watched) / total
                slope += Z[i] - mean
                H += sum(risk[j] * np.outer(Z[j] - mean, Z[j] - mean) for j in watched) / total
        step = np.linalg.solve(H, slope)
        if np.abs(step).max() < 1e-10:
            break
        b = b + step * min(1, 0.3 / np.abs(step).max())
    return b


def deviance(time, event, risk):
    """Deviance residuals of times, events and risks (n,), less their mean, row by row."""
    residuals = []
    for t, e in zip(time, event):
        i = len(residuals)
        expected = 0.0
        for s in sorted({s for s, is_event in zip(time, event) if is_event and s <= t}):
            n_events = sum(is_event for u, is_event in zip(time, event) if u == s)
            expected += risk[i] * n_events / sum(r for u, r in zip(time, risk) if u >= s)
        m = e - expected
        log_term = np.log(expected) if e else 0.0
        residuals.append(np.sign(m) * np.sqrt(-2 * (m + log_term)))
    return np.array(residuals) - np.mean(residuals)
