"""Twin of rankings of groups of features: the mean of diffs by plain loops, without weights of features.

X (n, p) -> diffs (n, n, p) -> diffs (n, n, g) of groups -> distances (n, n) -> scores (g,)
"""

import numpy as np

from . import DECIMALS, OF_NUMBERS, SURF, SWRF, TWINS, target_rows
from .diffs import differences, instead
from .unlabelled import estimate


def group_diffs(D, members):
    """Diff of each pair in each group: the mean of its features' diffs; NaN where none is known."""
    n = len(D)
    out = np.empty((n, n, len(members)))
    for i in range(n):
        for j in range(n):
            for g, features in enumerate(members):
                known = [D[i, j, f] for f in features if D[i, j, f] == D[i, j, f]]
                out[i, j, g] = sum(known) / len(known) if known else np.nan
    return out


def group_distances(D, members):
    """Sum of the diffs of the groups.  Where features are unknown, the known ones stand for all groups."""
    n = len(D)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            total, share = 0.0, 0.0
            for features in members:
                known = [D[i, j, f] for f in features if D[i, j, f] == D[i, j, f]]
                total += sum(known) / len(features)
                share += len(known) / len(features)
            if i != j:
                out[i, j] = len(members) * (total / share if share > 0 else 1)
    return out


def rank(X, y, method, members, nominal, task="classification", *, missing=None, diff="range", power=1, ramp=False,
         n_instances=None, bounds=None, **parameters):  # fmt: skip
    """Scores (g,) of groups with members (g lists of features); y None: URelief.  bounds: as of `differences`."""
    X = np.asarray(X, float)
    usual = {"classification": "class-conditional", "unsupervised": "clus"}.get(task, "ignore")
    missing = missing or ("separate" if method == "relievedf" else usual)
    classes = y if task == "classification" else None
    D = differences(instead(X, nominal, diff), nominal, classes, missing, ramp, power, bounds)
    d = group_distances(D, members)
    targets = target_rows(len(X), n_instances)
    if method in OF_NUMBERS:
        parameters["numbers"] = task == "regression"
    if method not in (*SURF, *SWRF):
        d = np.round(d / len(members), DECIMALS)

    def scores(D):
        if method == "urelief":
            return estimate(D, d, d, np.ones(len(d)), parameters["n_neighbors"], targets)
        return TWINS[method](D, d, y, targets, **parameters)

    if np.isnan(D).any():  # each feature is scored by the pairs that have it
        of_features = scores(D)
        return np.array([sum(of_features[f] for f in features) / len(features) for features in members])
    return scores(group_diffs(D, members))
