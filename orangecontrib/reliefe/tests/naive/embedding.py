"""Twins of what comes before ReliefE: representatives, sparsification, intrinsic dimension, the matrix of a table."""

import numpy as np


def cyclic(groups, order):
    """Rows one by one from the groups in turn, within a group as in `order`."""
    waiting = {g: [i for i in order if groups[i] == g] for g in sorted(set(groups))}
    taken = []
    while len(taken) < len(groups):
        for rows in waiting.values():
            if rows:
                taken.append(rows.pop(0))
    return taken


def block_epsilon(B):
    """Largest absolute row sum of [[0, B], [B', 0]] over the number of its rows."""
    m, n = len(B), len(B[0])
    A = np.zeros((m + n, m + n))
    for i in range(m):
        for j in range(n):
            A[i, m + j] = A[m + j, i] = B[i][j]
    return max(sum(abs(v) for v in row) for row in A) / (m + n)


def threshold(B, epsilon=None):
    return (block_epsilon(B) if epsilon is None else epsilon) / np.sqrt(len(B) + len(B[0]))


def prms(B, uniforms, t):
    """uniforms (m, n): one for every entry."""
    out = np.zeros(np.shape(B))
    for i, row in enumerate(B):
        for j, v in enumerate(row):
            if abs(v) > t:
                out[i, j] = v
            elif v != 0 and uniforms[i][j] < abs(v) / t:
                out[i, j] = t if v > 0 else -t
    return out


def in_order(B, uniforms):
    """Uniforms in the order of drawing -> one for every entry that is not zero, row by row."""
    out, drawn = np.ones(np.shape(B)), iter(uniforms)
    for i, row in enumerate(B):
        for j, v in enumerate(row):
            if v != 0:
                out[i, j] = next(drawn)
    return out


def distance(a, b):
    return float(np.sqrt(sum((u - v) ** 2 for u, v in zip(a, b))))


def neighbour_distances(X, dedupe=True):
    """For every row the ascending positive distances to others."""
    rows = [tuple(row) for row in X]
    rows = list(dict.fromkeys(rows)) if dedupe else rows
    return [sorted(r for j, b in enumerate(rows) if j != i and (r := distance(a, b)) > 0) for i, a in enumerate(rows)]


def twonn(X, discard=0.0, strict=False, dedupe=True):
    near = [r for r in neighbour_distances(X, dedupe) if len(r) >= 2]
    mu = sorted(r[1] / r[0] for r in near)
    points = []
    for i, value in enumerate(mu, start=1):
        F = (i - 1 if strict else i) / len(mu)
        if F < 1 and i <= np.floor(len(mu) * (1 - discard) + 1e-9):
            points.append((np.log(value), -np.log(1 - F)))
    return sum(x * y for x, y in points) / sum(x * x for x, _ in points)


def mle(X, k=10):
    """Mean of the inverse estimates of all rows, inverted."""
    inverse = []
    for r in neighbour_distances(X):
        m = min(k, len(r))
        inverse.append(sum(np.log(r[m - 1] / r[j]) for j in range(m - 1)) / (m - 1))
    return 1 / np.mean(inverse)


def matrix(X, nominal):
    """Numeric columns over their range, from 0 on if they do not reach it; nominal ones as indicators."""
    columns = []
    for a in range(X.shape[1]):
        known = [v for v in X[:, a] if not np.isnan(v)]
        if nominal[a]:
            values = sorted(set(known))
            common = max(values, key=lambda v: (known.count(v), -v))
            column = [common if np.isnan(v) else v for v in X[:, a]]
            columns += [[float(v == value) for v in column] for value in values]
        else:
            span, mean = max(known) - min(known), sum(known) / len(known)
            start = 0 if min(known) <= 0 <= max(known) else min(known)
            columns.append([((mean if np.isnan(v) else v) - start) / span for v in X[:, a]])
    return np.array(columns).T
