"""Residual Relief beyond classes: numbers, several targets, label sets, forms of data, wrappers."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse, stats

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.tests.naive import studies as naive


def of_number(y):
    r = stats.norm.ppf((stats.rankdata(y) - 0.5) / len(y))
    r -= r.mean()
    return r / np.sqrt((r * r).mean())


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 5))
    d = naive.diffs(X, [False] * 5)
    return X, d, naive.zones(naive.distances(d, np.arange(40)))


def test_several_targets_join_their_residuals(data):
    X, d, W = data
    Y = np.c_[X[:, 0] + X[:, 1] ** 2, np.exp(X[:, 2])]
    expected = naive.place(W, d, np.c_[of_number(Y[:, 0]), of_number(Y[:, 1])])
    np.testing.assert_allclose(rank(X, Y, "residualrelief").scores, expected, atol=1e-9)


def test_label_sets_are_classes_side_by_side(data):
    X, d, W = data
    Y = np.c_[X[:, 0] > 0.5, X[:, 1] > 0].astype(float)
    r = (Y - Y.mean(axis=0)) / Y.std(axis=0)
    found = rank(X, Y, "residualrelief", task="multi-label").scores
    np.testing.assert_allclose(found, naive.place(W, d, r), atol=1e-9)


def test_unknown_targets_are_as_expected(data):
    X, d, W = data
    Y = np.c_[X[:, 0], X[:, 1]]
    Y[::7, 1] = np.nan
    r = np.c_[of_number(Y[:, 0]), np.zeros(40)]
    known = ~np.isnan(Y[:, 1])
    r[known, 1] = of_number(Y[known, 1])
    np.testing.assert_allclose(rank(X, Y, "residualrelief").scores, naive.place(W, d, r), atol=1e-9)


def test_numbers_count_by_their_order_alone(data):
    X = data[0]
    y = X[:, 0] * X[:, 1]
    np.testing.assert_array_equal(rank(X, y, "residualrelief").scores, rank(X, np.exp(y), "residualrelief").scores)


def test_forms_of_data_agree(data):
    X = np.where(data[0] > 0.5, data[0], 0)
    y = data[0][:, 0] > 0
    dense = rank(X, y, "residualrelief").scores
    np.testing.assert_allclose(rank(sparse.csr_array(X), y, "residualrelief").scores, dense, atol=1e-9)
    np.testing.assert_allclose(rank(X, y, "turf", core="residualrelief", n_keep=5).scores, dense, atol=1e-9)


def test_it_finds_main_effects_of_rare_classes():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 200))
    noisy = 0.9 * X[:, :10].sum(axis=1) + rng.logistic(size=300)
    y = noisy > np.quantile(noisy, 0.8)
    own = set(rank(X, y, "residualrelief", significance=20).significance.discoveries(0.1))
    usual = set(rank(X, y, "multisurf", significance=20).significance.discoveries(0.1))
    assert len(own & set(range(10))) >= 3
    assert len(usual & set(range(10))) <= 1
    assert len(own - set(range(10))) <= 1


@pytest.mark.parametrize("unknown", [0.0, 0.1])
def test_memory_of_pairs_does_not_grow_with_targets(unknown):
    """Residuals of both rows of each pair would be n^2 G numbers, by zones and by lists."""
    rng = np.random.default_rng(0)
    n, G = 200, 100
    X, Y = rng.random((n, 3)), rng.normal(size=(n, G))
    X[rng.random(X.shape) < unknown] = np.nan
    rank(X[:30], Y[:30], "residualrelief")
    tracemalloc.start()
    rank(X, Y, "residualrelief", n_jobs=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < n * n * G * 8 / 4
