"""Wide data and rankings of them, for the tests of memory."""

import numpy as np

from orangecontrib.reliefe.core import methods, rank
from orangecontrib.reliefe.tests.samples import times

N, P = 200, 6000  # rows, features
FEW = "few labels"
QUICK = {
    "pct": {"n_trees": 2},
    "reliefe": {"embedding": None},
    "agnoss": {"max_iter": 2, "dimension": 3},
    "ndfs": {"max_iter": 2},
    "mcfs": {"n_selected": 5},
    "randomforest": {"n_trees": 2},
}
QUICK |= {method.name: {"max_iter": 2} for method in methods() if method.traits.refines == "iterations"}


def wide(share_missing=0.0, n=N, p=P):
    rng = np.random.default_rng(0)
    X = rng.random((n, p))
    hidden = X[:, :4] + 0.2 * rng.random((n, 4))
    X[rng.random((n, p)) < share_missing] = np.nan
    return X, hidden


def target(task, hidden):
    above = hidden > np.median(hidden, axis=0)
    few = np.where(np.arange(len(hidden)) % 2, above[:, 0], np.nan)
    made = {"regression": hidden[:, 0], "multi-target": hidden, "multi-label": above.astype(int), FEW: few}
    if task == "survival":
        return times(hidden[:, 0])
    return None if task == "unsupervised" else made.get(task, above[:, 0].astype(int))


def ranking(X, hidden, name, task, **parameters):
    kind = None if task == FEW else task
    if name == "sslrelief" and task != "regression":  # which tunes
        parameters = {"w0": 0.5, "w1": 1.0} | parameters
    return rank(X, target(task, hidden), name, task=kind, n_jobs=1, **QUICK.get(name, {}), **parameters)
