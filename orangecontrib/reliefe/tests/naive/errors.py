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
