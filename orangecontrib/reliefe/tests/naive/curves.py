"""Weights of pairs for a number of neighbours, by plain loops: of them the spread of every score is made."""

from .nearest import influence, nearest


def relieff_weights(d, y, k, sigma=None):
    """(n, n) nested lists of weights that the diff of a row and its neighbour has in the score of ReliefF."""
    n, classes = len(y), sorted(set(y))
    V = [[0.0] * n for _ in range(n)]
    with_hits = sum(list(y).count(c) for c in classes if list(y).count(c) > 1)
    for i in range(n):
        others = sum(y[j] != y[i] for j in range(n))
        for c in classes:
            near = nearest(d[i], [j for j in range(n) if y[j] == c and j != i], k)
            shares = influence(d[i, near], sigma) if near else []
            for j, share in zip(near, shares, strict=True):
                size = list(y).count(c)
                V[i][j] = -share / sum(shares) / with_hits if c == y[i] else share / sum(shares) * size / others / n
    return V


def rrelieff_weights(d, y, k, sigma=None):
    """The same of RReliefF: y are numbers."""
    n, span = len(y), max(y) - min(y)
    pairs = {}
    for i in range(n):
        near = nearest(d[i], [j for j in range(n) if j != i], k)
        shares = influence(d[i, near], sigma)
        for j, share in zip(near, shares, strict=True):
            pairs[i, j] = share / sum(shares), abs(y[i] - y[j]) / span
    changed = sum(w * t for w, t in pairs.values())
    V = [[0.0] * n for _ in range(n)]
    for (i, j), (w, t) in pairs.items():
        V[i][j] = w * (t / changed - (1 - t) / (n - changed))
    return V
