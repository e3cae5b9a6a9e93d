"""Parts of a score of ReliefF, the share of each row in it, and the interval of their difference, pair by pair."""

import numpy as np


def relieff_parts(X, y, f, k):
    """Mean difference of feature f to near rows of another and of the same class, and shares (n,) of the rows."""
    apart, alike, rows = 0.0, 0.0, np.zeros(len(X))
    for i, j, weight, diff in relieff_pairs(X, y, f, k):
        apart, alike = apart + max(weight, 0) * diff, alike + max(-weight, 0) * diff
        rows[[i, j]] += weight * diff / 2
    return apart, alike, rows


def difference(pairs):
    """Mean difference of the pairs with positive weights, less that of those with negative ones."""
    means = []
    for sign in (1, -1):
        side = [(sign * weight, diff) for _, _, weight, diff in pairs if sign * weight > 0]
        means.append(sum(weight * diff for weight, diff in side) / sum(weight for weight, _ in side))
    return means[0] - means[1]


def half_width(X, y, f, k, seed, quantile):
    """Half of the width of the interval of the difference, by 40 samples of three quarters of the rows.

    All of ReliefF is done again for each sample: its ranges, priors and neighbours. `quantile` is .975 of Student's
    distribution with 39 degrees of freedom.
    """
    n = len(X)
    m = 3 * n // 4
    rng = np.random.default_rng(seed)
    thetas = []
    for _ in range(40):
        rows = sorted(rng.choice(n, m, replace=False))
        thetas.append(difference(relieff_pairs(X[rows], y[rows], f, k)))
    mean = sum(thetas) / 40
    variance = sum((theta - mean) ** 2 for theta in thetas) / 39
    return quantile * (variance * m / (n - m)) ** 0.5


def relieff_pairs(X, y, f, k):
    """Pairs of ReliefF: row, neighbour, weight, and diff of feature f."""
    n, scaled = len(X), (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    priors = {c: np.mean(y == c) for c in set(y)}
    pairs = []
    for i in range(n):
        for c in priors:
            others = [j for j in range(n) if j != i and y[j] == c]
            near = sorted(others, key=lambda j: (np.abs(scaled[i] - scaled[j]).sum(), j))[:k]
            for j in near:
                diff = abs(scaled[i, f] - scaled[j, f])
                weight = (-1 if c == y[i] else priors[c] / (1 - priors[y[i]])) / len(near) / n
                pairs.append((i, j, weight, diff))
    return pairs
