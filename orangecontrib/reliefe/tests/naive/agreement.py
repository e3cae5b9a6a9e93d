"""Twins of agreement, stability and aggregation: sets and loops, straight from the definitions."""

from itertools import combinations

import numpy as np


def best(scores, size):
    """The set of the best features; of equal ones the first."""
    return set(sorted(range(len(scores)), key=lambda f: (-scores[f], f))[:size])


def fuji(r, s, size):
    r, s = ([float(v) for v in scores] for scores in (r, s))
    A, B = best(r, size), best(s, size)
    r, s = ([max(v, 0.0) for v in scores] for scores in (r, s))

    def degree(scores, f, chosen):
        least = min(scores[g] for g in chosen)
        return min(1.0, scores[f] / least) if least > 0 else 1.0

    return (len(A & B) + sum(min(degree(r, f, A), degree(s, f, B)) for f in A ^ B)) / len(A | B)


def jaccard(r, s, size):
    A, B = best(r, size), best(s, size)
    return len(A & B) / len(A | B)


def overlap(r, s, size):
    return len(best(r, size) & best(s, size)) / size


def kuncheva(r, s, size):
    p = len(r)
    return 1.0 if size == p else (len(best(r, size) & best(s, size)) * p - size**2) / (size * (p - size))


def rbo(r, s, size, persistence=0.9):
    shares = [overlap(r, s, d) for d in range(1, size + 1)]
    rest = sum(x * persistence**d for d, x in enumerate(shares, 1))
    return shares[-1] * persistence**size + (1 - persistence) / persistence * rest


def kendall(r, s):
    signs = [(np.sign(r[i] - r[j]), np.sign(s[i] - s[j])) for i, j in combinations(range(len(r)), 2)]
    both = np.sqrt(sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs))
    return sum(a * b for a, b in signs) / both if both else np.nan


def weighted_kendall(r, s):
    """Mean of the two weightings, by the order of the one list (equal ones by the other one), and the reverse."""
    taus = []
    for first, second in ((r, s), (s, r)):
        order = sorted(range(len(r)), key=lambda f: (first[f], second[f]), reverse=True)
        weight = {f: 1 / (place + 1) for place, f in enumerate(order)}
        total = [0.0, 0.0, 0.0]
        for i, j in combinations(range(len(r)), 2):
            w, a, b = weight[i] + weight[j], np.sign(r[i] - r[j]), np.sign(s[i] - s[j])
            total = [t + w * x for t, x in zip(total, (a * b, a != 0, b != 0))]
        taus.append(total[0] / np.sqrt(total[1] * total[2]) if total[1] * total[2] else np.nan)
    return sum(taus) / 2


def spearman(r, s):
    a, b = ranks(r), ranks(s)
    a, b = [v - np.mean(a) for v in a], [v - np.mean(b) for v in b]
    both = np.sqrt(sum(v * v for v in a) * sum(v * v for v in b))
    return sum(x * y for x, y in zip(a, b)) / both if both else np.nan


def nogueira(selections):
    """(value, variance) of the rows of 0 and 1."""
    m, p = len(selections), len(selections[0])
    share = [sum(row[f] for row in selections) / m for f in range(p)]
    k = [sum(row) for row in selections]
    mean = sum(k) / m
    chance = mean / p * (1 - mean / p)
    value = 1 - sum(m / (m - 1) * s * (1 - s) for s in share) / p / chance
    phi = []
    for row, size in zip(selections, k):
        own = sum(z * s for z, s in zip(row, share)) / p - size * mean / p**2
        phi.append((own + value / 2 * (2 * mean * size / p**2 - size / p - mean / p + 1)) / chance)
    return value, 4 / m**2 * sum((x - sum(phi) / m) ** 2 for x in phi)


def ranks(scores):
    """1 for the best; equal ones, and unknown ones at the end, share theirs."""
    keys = [-np.inf if np.isnan(s) else s for s in scores]
    return [sum(other > key for other in keys) + (sum(other == key for other in keys) + 1) / 2 for key in keys]


def mean_rank(scores):
    return [len(column) and float(np.mean(column)) for column in np.transpose([ranks(row) for row in scores])]


def median_rank(scores):
    return [float(np.median(column)) for column in np.transpose([ranks(row) for row in scores])]


def tail(n, k, r):
    """Probability that k or more of n uniform numbers are at most r."""
    total, choose = 0.0, 1.0
    for j in range(n + 1):
        total += choose * r**j * (1 - r) ** (n - j) * (j >= k)
        choose = choose * (n - j) / (j + 1)
    return total


def robust(scores):
    """Corrected p-values of robust rank aggregation."""
    m, p = len(scores), len(scores[0])
    columns = np.transpose([ranks(row) for row in scores]) / p
    return [min(1.0, m * min(tail(m, k, r) for k, r in enumerate(sorted(column), 1))) for column in columns]


def chance_of_best(scores, size):
    """Share of the orders of equal scores in which a feature is among the best, by counting."""
    out = []
    for s in scores:
        above, equal = sum(o > s for o in scores), sum(o == s for o in scores)
        out.append(min(max((size - above) / equal, 0.0), 1.0))
    return out


def changes(before, now, n):
    """Sets of (feature, place before, place now): new, gone and moved, from the definition."""

    def place(feature, names):
        return names.index(feature) + 1 if feature in names else None

    def triples(features):
        return {(feature, place(feature, before), place(feature, now)) for feature in features}

    old, new = set(before[:n]), set(now[:n])
    moved = {feature for feature in old & new if before.index(feature) != now.index(feature)}
    return triples(new - old), triples(old - new), triples(moved)
