"""Standard errors of scores of some target rows: what each row adds, by loops over plain Python lists."""

import math


def _differences(X):
    spans = [max(column) - min(column) or 1.0 for column in zip(*X)]
    return lambda i, j: [abs(a - b) / s for a, b, s in zip(X[i], X[j], spans)]


def _nearest(diff, i, candidates, k):
    return sorted((round(sum(diff(i, j)), 9), j) for j in candidates if j != i)[:k]


def _mean(rows, p):
    return [sum(row[f] for row in rows) / len(rows) for f in range(p)] if rows else [0.0] * p


def relieff(X, y, rows, k):
    """Parts of the mean over rows that each row adds: (rows, p) lists."""
    diff, n, p, out = _differences(X), len(X), len(X[0]), []
    classes = sorted(set(y))
    share = {c: y.count(c) / n for c in classes}
    for i in rows:
        total = [0.0] * p
        for c in classes:
            near = _nearest(diff, i, [j for j in range(n) if y[j] == c], k)
            factor = -1.0 if c == y[i] else share[c] / (1 - share[y[i]])
            total = [t + factor * m for t, m in zip(total, _mean([diff(i, j) for _, j in near], p))]
        out.append(total)
    return out


def of_mean(added, n):
    """Standard errors of the mean of rows that are drawn without replacement from n."""
    m, out = len(added), []
    for column in zip(*added):
        mean = sum(column) / m
        out.append(math.sqrt((1 - m / n) / m * sum((c - mean) ** 2 for c in column) / (m - 1)))
    return out


def rrelieff(X, y, rows, k, sigma, weights):
    """Scores (p,) when each row counts `weights` times."""
    diff, n, p = _differences(X), len(X), len(X[0])
    span = max(y) - min(y)
    changed, every = 0.0, 0.0
    both, diffs = [0.0] * p, [0.0] * p
    for u, i in zip(weights, rows):
        near = _nearest(diff, i, range(n), k)
        parts = [math.exp(-((r / sigma) ** 2)) for r in range(1, len(near) + 1)]
        for part, (_, j) in zip(parts, near):
            w, t = u * part / sum(parts), abs(y[i] - y[j]) / span
            changed, every = changed + w * t, every + w
            for f, d in enumerate(diff(i, j)):
                both[f], diffs[f] = both[f] + w * t * d, diffs[f] + w * d
    return [b / changed - (d - b) / (every - changed) for b, d in zip(both, diffs)]


def of_rrelieff(X, y, rows, k, sigma, step=1e-5):
    """Standard errors by how the scores change when a row counts a little more or less."""
    m, n, squares = len(rows), len(X), [0.0] * len(X[0])
    for number in range(m):
        less, more = ([1.0 + s * (i == number) for i in range(m)] for s in (-step, step))
        low, high = (rrelieff(X, y, rows, k, sigma, weights) for weights in (less, more))
        squares = [s + ((b - a) / (2 * step)) ** 2 for s, a, b in zip(squares, low, high)]
    return [math.sqrt((1 - m / n) * m / (m - 1) * s) for s in squares]
