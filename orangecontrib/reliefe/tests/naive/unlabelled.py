"""Twins of URelief, SSL-Relief and RReliefF with a target of any kind: pairs of near rows, some of them labelled.

diffs (n, n, p) -> distances (n, n) -> influence of each row (n,) -> sums over pairs -> scores (p,)
"""

import numpy as np

from . import target_rows
from .diffs import cosines, differences, distances, instead
from .nearest import others, probabilities

DECIMALS = 12  # mean distances that agree in them are ties, which go to the lower row


def urelief(X, nominal=None, *, n_neighbors=30, missing="clus", ramp=False, diff="range", distance="manhattan",
            n_instances=None, random_state=0):  # fmt: skip
    """Scores (p,) of the columns of X (n, p), NaN = missing."""
    D, d = compared(X, nominal, missing, ramp, diff, distance)
    return estimate(D, d, d, np.ones(len(d)), n_neighbors, target_rows(len(d), n_instances, random_state))


def sslrelief(X, t, nominal=None, *, n_neighbors=15, w0=0.0, w1=0.0, missing="clus", ramp=False, diff="range",
              distance="manhattan", labelled=None, n_instances=None, random_state=0):  # fmt: skip
    """t (n, n): target differences, NaN where nothing is known in both rows; labelled (n,) bool: which rows know a
    component, by default those that are comparable with themselves."""
    D, d = compared(X, nominal, missing, ramp, diff, distance)
    labelled = ~np.isnan(np.diag(t)) if labelled is None else labelled
    if not labelled.any():
        return urelief(X, nominal, n_neighbors=n_neighbors, missing=missing, ramp=ramp, diff=diff, distance=distance,
                       n_instances=n_instances, random_state=random_state)  # fmt: skip
    weights = influences(d, labelled, w0, w1)
    targets = target_rows(len(d), n_instances, random_state)
    return estimate(D, d, np.where(np.isnan(t), d, t), weights, n_neighbors, targets)


def rrelieff(X, t, nominal=None, *, n_neighbors=70, sigma=20, missing=None, ramp=False, labelled=None,
             n_instances=None, random_state=0):  # fmt: skip
    """The same for rows that know a component; those that do not are left out."""
    known = np.flatnonzero(~np.isnan(np.diag(t)) if labelled is None else labelled)
    D, d = compared(np.asarray(X, float)[known], nominal, missing or "ignore", ramp)
    t = t[np.ix_(known, known)]
    targets = target_rows(len(d), n_instances, random_state)
    return probabilities(D, np.round(d, DECIMALS), np.where(np.isnan(t), d, t), targets, n_neighbors, sigma)


def compared(X, nominal, missing, ramp=False, diff="range", distance="manhattan"):
    """D (n, n, p) and their means d (n, n), or the cosines."""
    X = np.asarray(X, float)
    nominal = np.zeros(X.shape[1], bool) if nominal is None else np.asarray(nominal, bool)
    D = differences(instead(X, nominal, diff), nominal, None, missing, ramp)
    return D, distances(D) / X.shape[1] if distance == "manhattan" else cosines(X, nominal)


def influences(d, labelled, w0, w1):
    """(n,): 1 of labelled rows; of the others w1 for the one nearest to a labelled row ... w0 for the farthest."""
    alone = [i for i in range(len(d)) if not labelled[i]]
    away = {i: min(d[i, j] for j in range(len(d)) if labelled[j]) for i in alone}
    out = np.ones(len(d))
    if alone:
        low, high = min(away.values()), max(away.values())
        for i in alone:
            out[i] = w1 + (w0 - w1) * (away[i] - low) / (high - low) if high > low else (w0 + w1) / 2
    return out


def neighbours(d, i, k):
    """The k rows nearest to row i, with ties that rounding hides."""
    return sorted(others(i, len(d)), key=lambda j: (round(d[i, j], DECIMALS), j))[:k]


def estimate(D, d, changed, influence, k, targets):
    """P(diff | target differs) - P(diff | target alike) over the pairs in which the feature is known."""
    sums = np.zeros((4, D.shape[2]))
    if len(d) <= 2:  # one pair, twice: nothing varies
        return sums[0]
    for r in targets:
        for q in neighbours(d, r, k):
            weight, t = influence[r] * influence[q], changed[r, q]
            for a, diff in enumerate(D[r, q]):
                if diff == diff:
                    sums[:, a] += [weight, weight * t, weight * diff, weight * t * diff]
    return np.array([score(*channel) for channel in sums.T])


def score(S, C, A, AC):
    """Sums of weights, target differences, diffs and their products -> score of one feature."""
    if C <= 0:
        return 0.0
    return AC / C - ((A - AC) / (S - C) if S - C > 1e-12 * S else 0)


def covariance_score(D, d, changed, influence, k, targets):
    """The same by another way: weighted Cov(diff, t) / (C (1 - C)), for complete diffs."""
    pairs = [(r, q) for r in targets for q in neighbours(d, r, k)]
    weight = np.array([influence[r] * influence[q] for r, q in pairs])
    t = np.array([changed[r, q] for r, q in pairs])
    diffs = np.array([D[r, q] for r, q in pairs])
    C, A = np.average(t, weights=weight), np.average(diffs, weights=weight, axis=0)
    return np.average((t - C)[:, None] * (diffs - A), weights=weight, axis=0) / (C * (1 - C))
