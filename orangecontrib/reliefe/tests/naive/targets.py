"""Twins of the targets of every kind: how much two rows differ in what is predicted.

Every function gives t (n, n) in [0, 1], NaN where no component is known in both rows; NaN in a target is unknown.
"""

import numpy as np

from .reliefe import accuracy, f1, subset

SETS = {"f1": f1, "accuracy": accuracy, "subset": subset}


def several(Y, nominal=None):
    """Y (n, t): mean over the components known in both rows; 0 or 1 of a nominal one, |dy| / range of a number."""
    Y = np.asarray(Y, float)
    nominal = [False] * Y.shape[1] if nominal is None else nominal
    span = [np.ptp(column[~np.isnan(column)]) if not np.isnan(column).all() else 0 for column in Y.T]

    def rule(a, b, known):
        return np.mean([float(a[j] != b[j]) if nominal[j] else abs(a[j] - b[j]) / (span[j] or 1) for j in known])

    return compared(Y, rule)


def numbers(y):
    """y (n,)"""
    return several(np.asarray(y, float)[:, None])


def classes(y):
    """y (n,): codes."""
    return several(np.asarray(y, float)[:, None], [True])


def labels(Y, distance="hamming"):
    """Y (n, L) of 0 and 1: by the labels that are known in both rows."""

    def rule(a, b, known):
        if distance == "hamming":
            return sum(a[j] != b[j] for j in known) / len(known)
        return SETS[distance](*(frozenset(j for j in known if row[j]) for row in (a, b)))

    return compared(Y, rule)


def hierarchy(Y, parents, how="mean", decay=0.75, gamma="sum", distance="hamming"):
    """Y (n, L) of 0 and 1, parents (L,) tuples: weighted share of the labels that occur, of those known in both rows.

    Labels of weight 0 count in no distance.  gamma "max": over the largest one of two rows; the other distances have
    their own scale.
    """
    Y = closed(Y, parents)
    weights = alphas(parents, decay, how)
    occur = [j for j in range(Y.shape[1]) if (Y[:, j] == 1).any() and weights[j] > 0]

    def weigh(labels):
        return sum(weights[j] for j in labels)

    def rule(a, b, known):
        seen = [j for j in known if j in occur]
        if not seen:
            return np.nan
        both, either = [j for j in seen if a[j] and b[j]], [j for j in seen if a[j] or b[j]]
        if distance == "hamming":
            return (weigh(either) - weigh(both)) / weigh(seen)
        if distance == "subset" or not either:
            return both != either
        share = weigh(both) / weigh(either)
        return 1 - (share if distance == "accuracy" else 2 * share / (1 + share))

    t = compared(Y, rule)
    largest = np.nanmax(t) if gamma == "max" and distance == "hamming" and not np.isnan(t).all() else 1
    return t / (largest or 1)


def alphas(parents, decay=0.75, how="mean"):
    """(L,) weights: 1 at the top, decay times the mean, sum or maximum of the parents' below; "none": 1 each."""
    if how == "none":
        return [1.0] * len(parents)
    gather = {"mean": np.mean, "sum": np.sum, "max": np.max}[how]

    def weight(j):
        return decay * float(gather([weight(parent) for parent in parents[j]])) if parents[j] else 1.0

    return [weight(j) for j in range(len(parents))]


def closed(Y, parents):
    """The same sets with all ancestors of the labels in them; a copy."""
    Y = np.array(Y, float)

    def add(row, j):
        row[j] = 1
        for parent in parents[j]:
            add(row, parent)

    for row in Y:
        for j in np.flatnonzero(row == 1):
            add(row, j)
    return Y


def compared(Y, rule):
    """rule(row, other row, components known in both) for all pairs of rows."""
    Y = np.asarray(Y, float)
    out = np.full((len(Y), len(Y)), np.nan)
    for a, first in enumerate(Y):
        for b, second in enumerate(Y):
            known = [j for j in range(Y.shape[1]) if first[j] == first[j] and second[j] == second[j]]
            if known:
                out[a, b] = rule(first, second, known)
    return out
