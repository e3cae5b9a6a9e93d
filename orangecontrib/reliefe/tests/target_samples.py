"""For the tests of many targets, label sets, hierarchies and partly labelled rows: data of every kind, and what is
compared with what."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.tests.naive import targets as twins
from orangecontrib.reliefe.tests.naive import unlabelled as naive
from orangecontrib.reliefe.tests.samples import Data, examples, make

GOLDEN = json.loads((Path(__file__).parent / "golden" / "sslrelief.json").read_text())
SEEDS = st.integers(0, 2**32 - 1)
EXAMPLES = examples(8)
TASKS = "classification", "regression", "multi-target", "multi-label", "hierarchical"
MANY = TASKS[2:]
MISSING = "clus", "ignore", "uniform", "separate", "class-conditional"
DAG = ((), (0,), (0,), (1, 2), (), (4, 1))
TREE = ((), (0,), (0,), (2,), (), (4,))
FLAT = ((),) * 6
TARGET = "target_distance", "label_weights", "label_decay", "gamma"  # parameters of the target, not of the method


@dataclass(frozen=True)
class Sample(Data):
    """y in the form that `rank` takes; values (n, t): the same as floats, NaN = unknown."""

    values: np.ndarray
    hierarchy: tuple | None = None

    def rows(self, rows):
        return replace(self, X=self.X[rows], y=self.y[rows], values=self.values[rows])

    def differences(self, target_distance="hamming", label_weights="mean", label_decay=0.75, gamma="sum"):
        """(n, n): of the twin; NaN where nothing is known in both rows."""
        if self.task == "multi-label":
            return twins.labels(self.values, target_distance)
        if self.task == "hierarchical":
            return twins.hierarchy(self.values, self.hierarchy, label_weights, label_decay, gamma, target_distance)
        nominal = {"classification": [True], "regression": [False]}.get(self.task, [False, False, True])
        return twins.several(self.values, nominal)


def sample(seed, task, n=24, p=8, *, labelled=1.0, partly=0.0, hierarchy=DAG, **arguments):
    """labelled: share of the rows with a target; partly: share of unknown components where there are several."""
    data = make(seed, "regression", n=n, p=p, **arguments)
    rng = np.random.default_rng([seed, 5])
    values = _values(task, data.y, rng, len(hierarchy))
    if task in MANY:
        values[rng.random(values.shape) < partly] = np.nan
    keep = rng.permutation(n) < round(labelled * n)
    values[~keep] = np.nan
    parents = hierarchy if task == "hierarchical" else None
    return Sample(data.X, _given(task, values), data.nominal, task, values, parents)


def _values(task, signal, rng, n_labels):
    """(n, t) floats."""
    n = len(signal)
    if task == "classification":
        return np.floor(3 * np.argsort(np.argsort(signal)) / n)[:, None]
    if task == "regression":
        return signal[:, None].copy()
    if task == "multi-target":
        return np.stack([signal, rng.normal(size=n) * 40 - signal, rng.integers(0, 3, n)], axis=1)
    share = 0.1 if task == "hierarchical" else 0.3  # of the labels before they are closed
    labels = (rng.random((n, n_labels)) < share).astype(float)
    labels[:, 0] = signal > np.median(signal)
    labels[np.arange(n_labels) % n, np.arange(n_labels)] = 1
    return labels


def _given(task, values):
    """As a caller has them: classes and components that are categories as texts."""
    if task == "regression":
        return values[:, 0]
    if task == "classification":
        return np.array([None if np.isnan(v) else "abc"[int(v)] for v in values[:, 0]], object)
    if task == "multi-target":
        out = values.astype(object)
        out[:, 2] = [None if np.isnan(v) else "abc"[int(v)] for v in values[:, 2]]
        return out
    return values


def run(data, method, **parameters):
    """The product."""
    return rank(data.X, data.y, method, nominal=data.nominal, task=data.task, hierarchy=data.hierarchy, **parameters)


def scores(data, method, **parameters):
    """Scores (p,) of the product."""
    return run(data, method, **parameters).scores


def fixed(**parameters):
    """Parameters of SSL-Relief with which nothing is tuned."""
    return {"n_neighbors": 5, "w0": 0.25, "w1": 0.75} | parameters


def expected(data, method, **parameters):
    """Scores (p,) of the twins."""
    target = {name: parameters.pop(name) for name in TARGET if name in parameters}
    labelled = ~np.isnan(data.values).all(axis=1)
    return getattr(naive, method)(data.X, data.differences(**target), data.nominal, labelled=labelled, **parameters)


def check(data, method, like=None, atol=1e-9, **parameters):
    """The product on `data` = the twin on `like` (by default the same)."""
    close(scores(data, method, **parameters), expected(like or data, method, **parameters), atol)


def close(a, b, atol=1e-9):
    """Equal but for rounding."""
    np.testing.assert_allclose(a, b, rtol=0, atol=atol)
