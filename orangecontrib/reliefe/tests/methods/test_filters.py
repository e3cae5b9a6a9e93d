"""Filters: the golden vectors, what must hold for any data, and what other programs get wrong."""

import json
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, DegenerateGraph, Interrupted, Survival, null_level, rank
from orangecontrib.reliefe.tests.naive import filters as naive
from orangecontrib.reliefe.tests.samples import make, times

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "filters.json").read_text())
FILTERS = [name for name, method in METHODS.items() if method.family == "filter"]
UNSUPERVISED = [name for name in FILTERS if METHODS[name].tasks == ("unsupervised",)]
METHOD = pytest.mark.parametrize("method", FILTERS)
QUICK = {"agnoss": {"max_iter": 60}, "randomforest": {"n_trees": 7}, "ndfs": {"n_clusters": 3}}
DATA = make(3, n=30, p=7, n_classes=3, nominal=(1, 4), missing=0.05, zeros=0.3)


def target(method, task="classification"):
    if METHODS[method].tasks == ("unsupervised",):
        return None
    y = DATA.y if task == "classification" else DATA.y + np.arange(30) / 50
    if METHODS[method].tasks == ("survival",):
        return times(y)
    return np.where(np.arange(30) % 3 == 1, np.nan, y) if method == "ssllaplacian" else y


def scores(method, X=DATA.X, nominal=DATA.nominal, y=None, **more):
    y = target(method) if y is None else y
    return rank(X, y, method, nominal=nominal, **{**QUICK.get(method, {}), **more}).scores


def close(found, expected, tolerance=1e-9):
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array], ids=["dense", "csr"])
@pytest.mark.parametrize("method", ["laplacian", "spec"])
def test_golden(method, form):
    """Small is good there; here it is mirrored between the least and the largest."""
    for case in GOLDEN[method]:
        s = np.array(case["smoothness"])
        found = rank(form(np.array(GOLDEN["X"])), None, method, scaling="none", **case["parameters"])
        close(found.scores, s.max() + s.min() - s)


@METHOD
def test_dense_and_sparse(method):
    X = np.where(np.isnan(DATA.X), 0, DATA.X)
    close(scores(method, sparse.csr_array(X)), scores(method, X))
    close(scores(method, sparse.csr_array(DATA.X)), scores(method))


@METHOD
def test_same_bits_for_any_number_of_threads(method):
    expected = scores(method, n_jobs=1)
    assert METHODS[method].cost(DATA.X.shape, rank(DATA.X, target(method), method).parameters) > 0
    work = scores(method, n_jobs=2)
    assert work.tobytes() == expected.tobytes()
    assert scores(method, n_jobs=1).tobytes() == expected.tobytes()


@METHOD
def test_permuted_rows_and_columns(method):
    """Trees draw rows by their place, and equal values are told apart by noise in the estimator of information.  Trees
    and networks begin with numbers drawn for each column by its place."""
    if method not in ("randomforest", "mutualinfo"):
        order = np.random.default_rng(0).permutation(30)
        y = target(method)
        if METHODS[method].tasks == ("survival",):
            moved = Survival(y.time[order], y.event[order])
        else:
            moved = None if y is None else y[order]
        close(scores(method, DATA.X[order], y=moved), scores(method), 1e-8)
    if method not in ("randomforest", "agnoss"):
        order = np.random.default_rng(1).permutation(7)
        close(scores(method, DATA.X[:, order], DATA.nominal[order]), scores(method)[order])


@METHOD
def test_scaled_and_relabelled_features(method):
    """A maximum of signed coefficients, as in a program that is often used for MCFS, would change with the sign.
    Trees and networks begin with other numbers for columns of nominal features."""
    signs = {"randomforest": [1, 1, 4, 0.5, 1, 8, 2], "agnoss": [1, 1, 4, 0.5, 1, 8, 2]}
    if method != "mutualinfo":  # noise that is added depends on the mean
        factors = np.array(signs.get(method, [-1, 1, 4, -0.5, 1, 8, -2]))
        X = DATA.X * np.where(DATA.nominal, 1, factors) + np.where(DATA.nominal, 0, np.arange(7) * 0.25)
        close(scores(method, X), scores(method), 1e-8)
    if method not in ("randomforest", "agnoss"):
        close(scores(method, np.where(DATA.nominal, 9 - DATA.X, DATA.X)), scores(method))


@METHOD
def test_constant_and_empty_features_come_last(method):
    """A program that is often used for SPEC puts them first."""
    X = np.c_[np.full(30, 3.0), DATA.X, np.full(30, np.nan), np.zeros(30)]
    found = scores(method, X, np.r_[False, DATA.nominal, False, False])
    assert np.isfinite(found).all()
    assert (found[[0, 8, 9]] == found.min()).all()
    if method not in ("agnoss", "randomforest"):
        close(found[1:8], scores(method))


@pytest.mark.parametrize("total", ["sum", "mean"])
@METHOD
def test_no_feature_has_a_value(method, total):
    if "nominal_score" not in {parameter.name for parameter in METHODS[method].parameters}:
        pytest.skip("it has no columns of nominal features")
    X, y = np.full((12, 3), np.nan), np.arange(12) % 2
    y = None if METHODS[method].tasks == ("unsupervised",) else times(y) if method == "coxscore" else y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateGraph)
        found = rank(X, y, method, nominal=[0], nominal_score=total).scores
    assert found.dtype == np.float64
    assert found.tolist() == [0, 0, 0]


@METHOD
def test_few_rows(method):
    X = np.array([[0.0, 1.0, 5.0], [1.0, 3.0, 5.0], [2.0, -1.0, 5.0]])
    y = None if METHODS[method].tasks == ("unsupervised",) else [0, 1, 0]
    y = times(y) if METHODS[method].tasks == ("survival",) else y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateGraph)
        assert np.isfinite(rank(X, y, method, **QUICK.get(method, {})).scores).all()


@METHOD
def test_infinite_values(method):
    X = DATA.X.copy()
    X[2, 0] = np.inf
    begun = []
    with pytest.raises(ValueError, match="infinite"):
        rank(X, target(method), method, progress=begun.append)
    assert not begun


@METHOD
def test_stopping(method):
    def stop(share):
        raise Interrupted

    with pytest.raises(Interrupted):
        scores(method, progress=stop)


def test_stops_on_other_threads():
    """Work that cannot be cut is left to a thread of its own."""
    calls = []

    def stop(share):
        calls.append(threading.current_thread())
        if len(calls) > 2:
            raise Interrupted

    with pytest.raises(Interrupted):
        rank(DATA.X, DATA.y, "randomforest", nominal=DATA.nominal, n_trees=10**5, progress=stop)


def test_seeds():
    for method in ("randomforest", "agnoss"):
        assert (scores(method, random_state=1) != scores(method)).any()


@pytest.mark.parametrize("method", UNSUPERVISED)
def test_null_level(method):
    assert np.isfinite(null_level(DATA.X, None, method, n_shuffles=2, **QUICK.get(method, {})).level)


def test_degenerate_graph():
    """With a fixed bandwidth on raw values, all weights between rows vanish, and a ranking is the order of the columns:
    published comparisons have been made with such lists."""
    X = np.random.default_rng(0).normal(size=(20, 5)) * 1000
    for method, parameters in (("laplacian", {"bandwidth": 1}), ("spec", {"gamma": 1}), ("spec", {"gamma": 1e308})):
        with pytest.warns(DegenerateGraph, match="same score"):
            found = rank(X, None, method, scaling="none", **parameters)
        assert found.ranking.tolist() == list(range(5))
        assert "same score" in found.info["warnings"][0]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert not rank(X, None, method).info["warnings"]
    for method in UNSUPERVISED:
        with pytest.warns(DegenerateGraph, match="constant"):
            assert not rank(np.ones((5, 3)), None, method).scores.any()


def test_smooth_features_come_first():
    """By the definition; a program that is often used for SPEC ranks the wrong way round."""
    rng = np.random.default_rng(0)
    clusters = np.arange(40) % 2
    X = np.c_[rng.normal(size=(40, 2)), clusters[:, None] * 8.0 + rng.normal(size=(40, 3))]
    assert set(rank(X, None, "spec").select(3)) == {2, 3, 4}
    assert set(rank(X, None, "laplacian").select(3)) == {2, 3, 4}


def test_spec():
    close(scores("spec"), naive.spec(DATA.X, DATA.nominal))
    close(scores("spec", gamma=0.3), naive.spec(DATA.X, DATA.nominal, gamma=0.3))
    close(scores("spec", sparse.csr_array(DATA.X), scaling="none"), scores("spec", scaling="none"))


@pytest.mark.parametrize(
    "parameters",
    [{"n_neighbors": 2}, {"bandwidth": 0.7}, {"nominal_score": "sum"}, {"n_neighbors": 100}],
    ids=str,
)
def test_laplacian_score(parameters):
    close(scores("laplacian", **parameters), naive.laplacian(DATA.X, DATA.nominal, **parameters))


def test_cosine():
    """The length of rows does not matter; tables of the caller stay as they are."""
    X = np.random.default_rng(5).random((25, 6)) * (np.random.default_rng(6).random((25, 6)) < 0.6)
    before = X.copy()
    lengths = np.linspace(1, 9, 25)[:, None]
    unit = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
    for form in (np.array, sparse.csr_array):
        found = [
            rank(form(Z), None, "laplacian", distance="cosine", scaling="none", bandwidth=0.5).info["components"]
            for Z in (X, X * lengths)
        ]
        assert found[0] == found[1]
        a, b = (rank(form(Z), None, "laplacian", distance=d, scaling="none")
                for Z, d in ((unit, "cosine"), (unit, "euclidean")))  # fmt: skip
        close(a.scores, b.scores)
    close(*(rank(form(X), None, "mcfs", distance="cosine").scores for form in (np.array, sparse.csr_array)))
    np.testing.assert_array_equal(X, before)


def test_disconnected_graph():
    """Trivial eigenvectors, one for each part, are passed over."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 6)) + 100 * (np.arange(30) % 3)[:, None]
    found = rank(X, None, "mcfs", n_neighbors=3)
    assert found.info["components"] == 3
    close(found.scores, naive.mcfs(X, n_neighbors=3))


@pytest.mark.parametrize("shape", [(30, 6), (12, 25)], ids=str)
@pytest.mark.parametrize("n_selected", [None, 4])
def test_mcfs(shape, n_selected):
    X = np.random.default_rng(2).normal(size=shape)
    close(rank(X, None, "mcfs", n_selected=n_selected, n_eigenvectors=3).scores,
          naive.mcfs(X, n_selected=n_selected, n_eigenvectors=3), 1e-7 if shape[0] < shape[1] else 1e-9)  # fmt: skip


def test_fewer_eigenvectors_than_asked_for():
    found = rank(np.random.default_rng(2).normal(size=(6, 4)), None, "mcfs", n_eigenvectors=50)
    assert "5 eigenvectors, fewer than 50" in found.info["information"][0]


@pytest.mark.parametrize("shape", [(25, 6), (10, 16)], ids=str)
def test_ndfs(shape):
    """More rows than columns, and fewer: the two ways to invert the same."""
    X = np.random.default_rng(4).normal(size=shape) + 9 * (np.arange(shape[0]) % 2)[:, None] * (np.arange(shape[1]) < 5)
    parameters = {"n_clusters": 2, "alpha": 2.0, "beta": 0.5, "max_iter": 6}
    close(rank(X, None, "ndfs", **parameters).scores, naive.ndfs(X, **parameters))
    assert set(rank(X, None, "ndfs", n_clusters=2).select(3)) <= set(range(5))


def test_agnos_takes_the_dimension_of_the_data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 6))
    found = rank(X, None, "agnoss", max_iter=3)
    assert found.info["dimension"] == 2
    assert found.info["n_iter"] == 3
    assert not found.info["has_converged"]
    close(found.scores, naive.agnoss(X, dimension=2, max_iter=3))


@pytest.mark.parametrize("parameters", [{}, {"bandwidth": 0.2, "labelled_weight": 2.0}], ids=str)
def test_semi_supervised(parameters):
    y = np.where(np.arange(30) % 3 == 1, np.nan, np.random.default_rng(0).normal(size=30))
    several = np.c_[y, np.where(np.arange(30) % 4 == 1, np.nan, np.random.default_rng(1).normal(size=30))]
    for given in (y, several):
        close(
            scores("ssllaplacian", y=given, **parameters), naive.ssllaplacian(DATA.X, given, DATA.nominal, **parameters)
        )
    codes = target("ssllaplacian")
    close(scores("ssllaplacian", y=codes, task="classification", **parameters),
          naive.ssllaplacian(DATA.X, codes, DATA.nominal, True, **parameters))  # fmt: skip


def test_semi_supervised_without_labels():
    """The targets do not matter, and nothing fails."""
    found = rank(DATA.X, None, "ssllaplacian", nominal=DATA.nominal)
    assert (found.info["task"], found.info["labelled"]) == ("unsupervised", 0)
    unknown = rank(DATA.X, np.full(30, np.nan), "ssllaplacian", nominal=DATA.nominal)
    assert (unknown.scores == found.scores).all()
    close(found.scores, naive.ssllaplacian(DATA.X, np.full(30, np.nan), DATA.nominal))


@pytest.mark.parametrize("method", ["mutualinfo", "randomforest"])
def test_several_targets(method):
    """Scores are means over the targets, each by the rows in which it is known."""
    X, y = np.nan_to_num(DATA.X), np.random.default_rng(0).random((30, 2))
    y[:2] = [[0, 0], [1, 1]]  # targets of a range of 1 are the same beside others
    known = np.arange(30) % 5 != 4
    y[~known, 1] = np.nan
    own = [scores(method, X, y=y[:, 0]), scores(method, X[known], y=y[known, 1])]
    both = rank(X, y, method, nominal=DATA.nominal, per_target=True, **QUICK.get(method, {}))
    close(both.per_target[0], own[0])
    if method == "mutualinfo":  # trees see numbers over the range of all rows
        close(both.per_target[1], own[1])
    close(both.scores, (both.per_target[0] + both.per_target[1]) / 2)
    labels = np.c_[DATA.y > 0, DATA.y > 1].astype(int)
    sets = rank(
        DATA.X, labels, method, nominal=DATA.nominal, task="multi-label", per_target=True, **QUICK.get(method, {})
    )
    close(sets.per_target[1], scores(method, y=labels[:, 1]))


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_mutual_information(task):
    X = np.where(DATA.nominal, np.nan_to_num(DATA.X), np.random.default_rng(7).normal(size=DATA.X.shape))
    y = DATA.y if task == "classification" else X[:, 0] + np.random.default_rng(8).normal(size=30)
    classes = task == "classification"
    for k in (2, 3):
        close(scores("mutualinfo", X, y=y, n_neighbors=k), naive.mutualinfo(X, y, DATA.nominal, classes, k))


def test_mutual_information_of_many_classes_takes_one_search(monkeypatch):
    """Those of the twin in classes of few rows, too, where scikit-learn rounds distances; no search for each class."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(90, 3)), np.arange(90) % 31
    expected = naive.mutualinfo(X, y)
    fits = []
    monkeypatch.setattr("sklearn.neighbors.NearestNeighbors.fit", lambda *data: fits.append(data))
    close(rank(X, y, "mutualinfo", task="classification").scores, expected)
    coded, nominal = np.column_stack([y, y % 7, y % 3]).astype(float), [True] * 3
    expected = naive.mutualinfo(coded, X[:, 0], nominal, classes=False)
    close(rank(coded, X[:, 0], "mutualinfo", nominal=nominal).scores, expected)
    assert not fits


def test_mutual_information_is_that_of_scikit_learn():
    from sklearn.feature_selection import mutual_info_classif

    rng = np.random.default_rng(2)
    X, y = np.round(rng.normal(size=(80, 3)), 1), np.arange(80) % 3
    expected = [mutual_info_classif(X[:, [j]], y, discrete_features=False, random_state=0)[0] for j in range(3)]
    np.testing.assert_array_equal(rank(X, y, "mutualinfo").scores, expected)


def test_classes_of_one_row():
    """Nothing is known of numbers within them."""
    assert not rank(np.random.default_rng(0).normal(size=(6, 2)), list("abcdef"), "mutualinfo").scores.any()


def test_forest_of_numbers():
    y = target("randomforest", "regression")
    one = {"n_trees": 1, "max_features": None, "bootstrap": False, "min_leaf": 4}
    close(scores("randomforest", y=y, **one), naive.randomforest(DATA.X, y, DATA.nominal, classes=False, min_leaf=4))
    assert scores("randomforest", y=y).sum() == pytest.approx(1)
