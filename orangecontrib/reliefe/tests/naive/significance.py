"""Significance by plain loops: the spread of a score over all orders, p from pooled shuffles."""

from itertools import permutations
from math import sqrt

import numpy as np


def diff(x, y, nominal, power):
    return float(x != y) if nominal else abs(x - y) ** power


def score(V, column, nominal=False, power=1):
    """Sum over pairs of weight times diff."""
    n = len(column)
    return sum(V[i][j] * diff(column[i], column[j], nominal, power) for i in range(n) for j in range(n) if i != j)


def spread(V, column, nominal=False, power=1):
    """Mean and standard deviation of the score over all orders of the column."""
    found = [score(V, order, nominal, power) for order in permutations(column)]
    mean = sum(found) / len(found)
    return mean, sqrt(sum((s - mean) ** 2 for s in found) / len(found))


def closed_form(V, column, nominal=False, power=1):
    """The same by moments of weights and of diffs, for any number of rows; unknown values scale the latter up.

    Mantel (1967), Cancer Research 27:209.
    """
    n, known = len(column), [value for value in column if value == value]
    share, m = n / len(known), len(known)
    d = np.array([[diff(x, y, nominal, power) for y in known] for x in known])
    mean = d.sum() / (m * (m - 1))
    b = np.where(np.eye(m, dtype=bool), 0, d - mean)
    t, r = (b**2).sum() * share**2, (b.sum(axis=1) ** 2).sum() * share**3
    u = np.array(V) + np.array(V).T
    S, E, Q = u.sum() / 2, (u**2).sum() / 2, (u.sum(axis=1) ** 2).sum()
    # Means of the products of b for the same pair, for pairs with one common row, and for pairs with none
    same = t / (n * (n - 1))
    one = (r - t) / (n * (n - 1) * (n - 2))
    none = (2 * t - 4 * r) / (n * (n - 1) * (n - 2) * (n - 3))
    return mean * S, sqrt(E * same + (Q - 2 * E) * one + (S**2 - Q + E) * none)


def pooled(true, shuffled):
    """p of each feature: share of all features' z in shuffled targets that reach its own, itself counted."""
    out = []
    for z in true:
        reached = sum(other >= z for row in shuffled for other in row if other > -np.inf)
        size = sum(other > -np.inf for row in shuffled for other in row)
        out.append((1 + reached) / (1 + size) if z > -np.inf else 1.0)
    return out


def own_spread(scores, shuffled):
    """z of the scores by mean and deviation of the shuffles, and of every shuffle by those of the others."""

    def z(value, others, largest):
        deviation = np.std(others, ddof=1) * sqrt(1 + 1 / len(others))
        return (value - np.mean(others)) / deviation if deviation > 1e-12 * largest else -np.inf

    columns = list(zip(*shuffled, strict=True))
    largest = [max(abs(value) for value in (s, *column)) for s, column in zip(scores, columns, strict=True)]
    true = [z(s, column, size) for s, column, size in zip(scores, columns, largest, strict=True)]
    null = []
    for b in range(len(shuffled)):
        null.append([z(c[b], c[:b] + c[b + 1 :], size) for c, size in zip(columns, largest, strict=True)])
    return true, null


def benjamini_hochberg(p):
    m, out = len(p), []
    for value in p:
        larger = [other for other in p if other >= value]
        out.append(min(1.0, min(other * m / sum(q <= other for q in p) for other in larger)))
    return out
