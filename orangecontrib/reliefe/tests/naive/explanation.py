"""Parts of a score of ReliefF, and the share of each row in it, pair by pair."""

import numpy as np


def relieff_parts(X, y, f, k):
    """Mean difference of feature f to near rows of another and of the same class, and shares (n,) of the rows."""
    n, scaled = len(X), (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    priors = {c: np.mean(y == c) for c in set(y)}
    apart, alike, rows = 0.0, 0.0, np.zeros(n)
    for i in range(n):
        for c in priors:
            others = [j for j in range(n) if j != i and y[j] == c]
            near = sorted(others, key=lambda j: (np.abs(scaled[i] - scaled[j]).sum(), j))[:k]
            for j in near:
                diff = abs(scaled[i, f] - scaled[j, f])
                weight = (-1 if c == y[i] else priors[c] / (1 - priors[y[i]])) / len(near) / n
                apart, alike = apart + max(weight, 0) * diff, alike + max(-weight, 0) * diff
                rows[[i, j]] += weight * diff / 2
    return apart, alike, rows
