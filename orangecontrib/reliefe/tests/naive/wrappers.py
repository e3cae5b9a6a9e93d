"""Twins of the wrappers: of lists of columns, and a function that scores the columns of such a list."""

from math import floor

import numpy as np

from . import rank as by_relief


def core(X, y, nominal, task="classification", **parameters):
    """ReliefF as a function: columns -> their scores."""
    return lambda columns: list(by_relief(X[:, columns], y, "relieff", nominal[columns], task, **parameters))


def turf(p, score, n_keep, share=0.5, step=None):
    """Scores (p,), and the columns as they were removed, those that are left at the end."""
    left, removed = list(range(p)), []
    while True:
        last = score(left)
        ranked = [left[at] for at in sorted(range(len(left)), key=lambda at: (last[at], -left[at]))]
        if len(left) <= n_keep:
            break
        known = dict(zip(left, last, strict=True))
        drop = max(1, floor(share * len(left))) if step is None else step
        gone = ranked[: min(drop, len(left) - n_keep)]
        removed.append([(column, known[column]) for column in gone])
        left = [column for column in left if column not in gone]
    scores = dict(zip(left, last, strict=True))
    low, spread = min(last), (max(last) - min(last)) or 1
    for tier, gone in enumerate(reversed(removed), start=1):
        for column, _ in gone:
            scores[column] = low - tier * 0.01 * spread
    order = [column for gone in removed for column, _ in gone] + ranked
    return np.array([scores[column] for column in range(p)]), order


def subsets(p, size, n, rng):
    """Columns of n subsets, dealt from shuffled decks; the last of a deck is filled with its first columns."""
    found = []
    while len(found) < n:
        deck = [int(column) for column in rng.permutation(p)]
        for begin in range(0, p, size):
            found.append(sorted((deck + deck)[begin : begin + size]))
    return found[:n]


def vls(p, score, drawn):
    """Largest score of each of p columns in the subsets."""
    found = [[] for _ in range(p)]
    for columns in drawn:
        for column, value in zip(columns, score(columns), strict=True):
            found[column].append(value)
    return np.array([max(values) for values in found])


def ivls(p, score, n_keep, share, size, n, random_state=0):
    """TuRF of VLS: each pass has subsets of its own."""
    passes = []

    def by_subsets(left):
        rng, few = np.random.default_rng([random_state, len(passes)]), min(size, len(left))
        passes.append(left)
        drawn = [left] if few == len(left) else [[left[c] for c in s] for s in subsets(len(left), few, n, rng)]
        best = [-np.inf] * len(left)
        for columns in drawn:
            for column, value in zip(columns, score(columns), strict=True):
                best[left.index(column)] = max(best[left.index(column)], value)
        return best

    return turf(p, by_subsets, n_keep, share)


def cooling(p, score, main, n_keep, temperature, step):
    """TuRF of free energy; main (p,): main effects."""

    def unit(values):
        low, high = min(values), max(values)
        return [(value - low) / (high - low) if high > low else 0 for value in values]

    def energy(left):
        parts = zip(unit(score(left)), unit([main[column] for column in left]), strict=True)
        return [relief + temperature * alone for relief, alone in parts]

    return turf(p, energy, n_keep, step=step)
