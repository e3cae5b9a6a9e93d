"""Scores on a cluster have the bits of those of one thread, for every method and every form of the data."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import (
    METHODS,
    Survival,
    grow,
    neighbour_curves,
    null_level,
    partners,
    rank,
    refine,
    significance,
)
from orangecontrib.reliefe.core.estimators import ReliefRanker
from orangecontrib.reliefe.core.evaluation import quality_curve, stability_selection
from orangecontrib.reliefe.core.work import delivery
from orangecontrib.reliefe.tests.limits import lower, search_twice

QUICK = ("multisurf", "relieff", "relievedf", "reliefa", "pct", "sslrelief", "vlsrelief", "logo")
SMALL = {name: {"max_iter": 2} for name in ("iterativerelief", "irelief", "lhrelief", "logo")}


def data(n=150, p=6, seed=0):
    """Rows with a nominal-looking feature, and the classes of an interaction."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X[:, -1] = np.round(X[:, -1])
    return X, (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)


def target_for(method, X, y):
    """A target that a method takes."""
    task = METHODS[method].tasks[0]
    if method == "sslrelief":
        return np.where(np.arange(len(y)) % 3 == 0, np.nan, X[:, 0])
    if task == "survival":
        return Survival(np.exp(X[:, 0]), y == 1)
    return {"classification": y, "regression": X[:, 0] * X[:, 1], "unsupervised": None}[task]


@pytest.fixture
def deliveries(monkeypatch):
    """Numbers of parts of what was sent."""
    found, run = [], delivery.Delivery.run
    monkeypatch.setattr(delivery.Delivery, "run", lambda self: (found.append(len(self.parts)), run(self))[1])
    return found


def marked(names, quick):
    """Those that are not quick are marked as slow."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.slow) for name in names]


@pytest.mark.parametrize("form", ["numbers", "category", "missing", "sparse"])
@pytest.mark.parametrize("method", ["multisurf", pytest.param("relieff", marks=pytest.mark.slow)])
def test_groups_of_features(method, form, on, deliveries):
    X, y = data()
    if form == "missing":
        X[::7, 1] = np.nan
    table = sparse.csr_array(X) if form == "sparse" else X
    options = {"feature_groups": ["a", "a", None, "b", "b", "b"], "nominal": [5] if form == "category" else None}
    if form == "category":
        X[:, 5] = np.abs(X[:, 5])
    one = rank(table, y, method, significance=4, n_jobs=1, **options)
    with on():
        there = rank(table, y, method, significance=4, **options)
    np.testing.assert_array_equal(there.scores, one.scores)
    np.testing.assert_array_equal(there.significance.p, one.significance.p)
    assert deliveries


@pytest.mark.parametrize("method", marked(METHODS, QUICK))
def test_every_method(method, on, deliveries):
    X, y = data()
    y, options = target_for(method, X, y), SMALL.get(method, {})
    one = rank(X, y, method, n_jobs=1, **options)
    with on():
        many = rank(X, y, method, **options)
    np.testing.assert_array_equal(one.scores, many.scores)
    own = {"seconds", "compile_seconds", "summary"}
    assert {k: repr(v) for k, v in one.info.items() if k not in own} == {
        k: repr(v) for k, v in many.info.items() if k not in own
    }
    assert bool(deliveries) != bool(METHODS[method].traits.stays_local), "sent, or a reason why not"


FORMS = {
    "settled": (3000, 20),  # float32, and pairs at a threshold are looked at again
    "not settled": (5930, 4),  # more pairs than that; no multiple of 64
}


def formed(form):
    """Data in one of several forms."""
    X, y = data(*FORMS.get(form, (700, 5)))
    if form == "sparse":
        X = sparse.csr_array(np.where(np.random.default_rng(1).random(X.shape) < 0.2, X, 0))
    if form == "missing":
        X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    if form == "ties":
        X = np.round(X)
    return X, y


@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("form", marked(["sparse", "missing", "ties", *FORMS], ["sparse"]))
def test_forms_of_the_data(form, twice, on, monkeypatch):
    """Both forms of the search for neighbours, and thresholds."""
    search_twice(monkeypatch, twice)
    lower(monkeypatch, MIN_TASK_ROWS=100)
    X, y = formed(form)
    for method, options in (("relieff", {}), ("relieff", {"n_instances": 123}), ("multisurf", {}))[: 2 if twice else 3]:
        one = rank(X, y, method, n_jobs=1, **options)
        with on():
            np.testing.assert_array_equal(rank(X, y, method, **options).scores, one.scores)


def test_more_neighbours_than_rows_of_a_class(on):
    X, y = data()
    y[:] = 0
    y[:4] = 1
    one = rank(X, y, "relieff", n_neighbors=30, n_jobs=1)
    with on():
        np.testing.assert_array_equal(rank(X, y, "relieff", n_neighbors=30).scores, one.scores)


FUNCTIONS = {
    "refine": lambda X, y: [r.scores for r in refine(X, y, "pct", n_trees=20)][-1],
    "null_level": lambda X, y: null_level(X, y, "relieff", n_shuffles=3).maxima,
    "null_level, prepared": lambda X, y: null_level(X, y, "reliefe", n_shuffles=3).maxima,
    "significance": lambda X, y: significance(X, y, "multisurf", n_shuffles=3).z,
    "partners": lambda X, y: partners(X, y, n_shuffles=2).z,
    "thorough": lambda X, y: partners(X, y, n_shuffles=2, thorough=True).z,
    "grow": lambda X, y: grow(X, y, n_trees=20).ranking().scores,
    "model": lambda X, y: grow(X, y, n_trees=20).model().predict(X[:50]),
    "neighbour_curves": lambda X, y: neighbour_curves(X, y, "relieff").scores(5),
    "quality_curve": lambda X, y: quality_curve(ranked, X, y, "classification").values,
    "stability_selection": lambda X, y: stability_selection(ranked, X, y, 3, n_pairs=2).scores,
    "weights": lambda X, y: [
        rank(X, y, method, sample_weight=np.linspace(0.2, 3, len(X))).scores
        for method in ("multisurf", "surf", "relieff", "residualrelief")
    ],
    "estimator": lambda X, y: ReliefRanker(n_features_to_select=3).fit(X, y).scores_,
}


def ranked(X, y):
    """A ranker as callers write them."""
    return rank(X, y, "relieff")


@pytest.mark.parametrize(
    "name", marked(FUNCTIONS, ["null_level", "grow", "partners", "stability_selection", "weights"])
)
def test_all_functions(name, on):
    """Functions of the core besides `rank`, and the estimators."""
    X, y = data(200)
    one = FUNCTIONS[name](X, y)
    with on():
        np.testing.assert_array_equal(FUNCTIONS[name](X, y), one)


@pytest.mark.slow
@pytest.mark.parametrize("workers, threads", [(1, 1), (4, 1), (1, 2)])
def test_any_number_of_workers(workers, threads):
    """Processes, with one thread and with several."""
    import joblib
    from distributed import Client, LocalCluster

    X, y = data(2500, 20)
    one = {method: rank(X, y, method, n_jobs=1).scores for method in ("relieff", "surf", "swrfstar", "pct")}
    with (
        LocalCluster(n_workers=workers, threads_per_worker=threads, dashboard_address=None) as cluster,
        Client(cluster) as client,
        joblib.parallel_config(backend="dask", client=client),
    ):
        for method, scores in one.items():
            np.testing.assert_array_equal(rank(X, y, method).scores, scores, err_msg=method)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["settled", "sparse"])
def test_growth(form, on, monkeypatch):
    """Lists that are kept while target rows grow."""
    lower(monkeypatch, MIN_TASK_ROWS=100)
    X, y = formed(form)
    for options in ({"n_instances": "converge"}, {}):
        one = [r.scores for r in refine(X, y, "relieff", n_jobs=1, **options)]
        with on():
            many = [r.scores for r in refine(X, y, "relieff", **options)]
        np.testing.assert_array_equal(one, many)
