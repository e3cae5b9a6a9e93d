"""Every method has a twin: an independent slow computation, and tests that compare the two."""

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from orangecontrib.reliefe.core import METHODS, methods, rank
from orangecontrib.reliefe.core.methods.registry import details_of
from orangecontrib.reliefe.tests import naive
from orangecontrib.reliefe.tests.naive import boosted, filters, reliefe, reweighting, studies, unlabelled, wrappers
from orangecontrib.reliefe.tests.naive.twins import TWINS
from orangecontrib.reliefe.tests.samples import few, make, times

ROOT = Path(__file__).parent
METHOD = pytest.mark.parametrize("method", [m.name for m in methods()])
FILTERS = {
    "ndfs": {"n_clusters": 2},
    "agnoss": {"dimension": 2, "max_iter": 40},
    "randomforest": {"min_leaf": 4},
}  # parameters of the twins
SIGMA = {name: {"sigma": "median"} for name in ("irelief", "ireliefonline", "logo")}  # the default of the product
PCT = ROOT / "forest" / "test_trees.py"  # where trees are compared with their twin


def twin(method, data):
    """Scores (p,) of the twin, and the parameters with which the method must give the same."""
    X, y, nominal = data.X, data.y, data.nominal
    if method in naive.TWINS:
        return naive.rank(X, y, method, nominal, data.task, **few(method)), few(method)
    if method == "urelief":
        return unlabelled.urelief(X, nominal, n_neighbors=5), {"n_neighbors": 5}
    if method == "residualrelief":
        return studies.residualrelief(X, y, nominal), {}
    if method == "sslrelief":
        t = np.where(np.isnan(y[:, None] + y), np.nan, y[:, None] != y)
        parameters = {"n_neighbors": 5, "w0": 0.2, "w1": 0.7}
        return unlabelled.sslrelief(X, t, nominal, **parameters), parameters
    if METHODS[method].family == "reweighting":
        parameters = {"max_iter": 4} | ({"penalty": 0.05} if method == "logo" else {})
        return reweighting.rank(X, y, method, nominal, **parameters, **SIGMA.get(method, {})), parameters
    if method == "reliefe":
        return reliefe.rank(X, y, None, nominal, n_neighbors=5), {"n_neighbors": 5, "embedding": None}
    if method in filters.TWINS:
        own = FILTERS.get(method, {})
        if method == "coxscore":
            return filters.coxscore(X, np.column_stack([times(y).time, times(y).event]), nominal), own
        more = {"classes": True} if METHODS[method].tasks != ("unsupervised",) else {}
        found = filters.TWINS[method](X, *([y] if more else []), nominal, **more, **own)
        tree = {"n_trees": 1, "max_features": None, "bootstrap": False} if method == "randomforest" else {}
        return found, own | tree
    if METHODS[method].family == "wrapper":
        return wrapped(method, data)
    if TWINS[method] is boosted.rank:
        return boosted.rank(X, y, nominal, method, n_neighbors=3), {"n_neighbors": 3}
    raise NotImplementedError(f"say here how the twin of {method} is called")


def wrapped(method, data):
    """As `twin`, of wrappers of ReliefF."""
    p, core = data.X.shape[1], {"core": ("relieff", {"n_neighbors": 3})}
    score = wrappers.core(data.X, data.y, data.nominal, n_neighbors=3)
    removal = {"n_keep": 2, "share": 0.4}
    if method == "turf":
        return wrappers.turf(p, score, **removal)[0], core | removal
    if method == "vlsrelief":
        drawn = wrappers.subsets(p, 3, 7, np.random.default_rng([0, 0]))
        return wrappers.vls(p, score, drawn), {**core, "subset_size": 3, "n_subsets": 7}
    if method == "ivlsrelief":
        return wrappers.ivls(p, score, size=3, n=7, **removal)[0], {**core, **removal, "subset_size": 3, "n_subsets": 7}
    parameters = {"n_keep": 2, "temperature": 0.5, "step": 1}
    main = rank(data.X, data.y, "mutualinfo", nominal=data.nominal).scores  # which has a twin of its own
    return wrappers.cooling(p, score, main, **parameters)[0], core | parameters


def sample(method):
    """Data of the first task of a method; for the semi-supervised ones with rows that have no target."""
    numbers = METHODS[method].tasks[0] in ("regression", "survival")
    data = make(31, "regression" if numbers else "classification", n=26, n_classes=3)
    if method in ("sslrelief", "ssllaplacian"):
        data = replace(data, y=np.where(np.arange(26) % 3 == 1, np.nan, data.y))
    return data


def test_every_method_has_a_twin():
    """Whoever adds a method adds its twin to the table."""
    assert set(TWINS) == {method.name for method in methods()}


def test_twins_are_slow_computations_of_their_own():
    """In the room where a rule of the house forbids to import anything of ours."""
    for method in methods():
        assert TWINS[method.name].__module__.startswith(naive.__name__), method.name


@METHOD
def test_methods_agree_with_their_twins(method):
    if method == "pct":
        calls = [node for node in ast.walk(ast.parse(PCT.read_text())) if isinstance(node, ast.Call)]
        assert sum(ast.unparse(call.func) == "twin_of" for call in calls) >= 3
        return
    data = sample(method)
    expected, parameters = twin(method, data)
    y, task = (None, "unsupervised") if METHODS[method].tasks == ("unsupervised",) else (data.y, data.task)
    y, task = (times(y), None) if METHODS[method].tasks == ("survival",) else (y, task)
    found = rank(data.X, y, method, nominal=data.nominal, task=task, **parameters)
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=1e-9)
    assert found.scores.any()
    assert set(found.info) <= {detail.name for detail in details_of(METHODS[method])}
