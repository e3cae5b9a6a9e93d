"""Logistic regression of classes on covariates, and its score tests, for many classes and many covariates."""

import tracemalloc

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank, significance
from orangecontrib.reliefe.core.studies import score_tests
from orangecontrib.reliefe.core.studies.covariate_basis import basis
from orangecontrib.reliefe.core.studies.covariates import read_covariates
from orangecontrib.reliefe.core.studies.logistic import RIDGE, RIDGE_OF_CONSTANT, shares
from orangecontrib.reliefe.core.studies.score_tests import LogisticTests
from orangecontrib.reliefe.tests.naive import studies as naive


def sample(n, G, q, effect=1.0, seed=0):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, q))
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    utility = effect * Z @ rng.normal(size=(q, G)) + rng.gumbel(size=(n, G))
    return np.unique(utility.argmax(axis=1), return_inverse=True)[1], Z


@pytest.mark.parametrize(("n", "G", "q"), [(60, 2, 3), (90, 5, 2), (40, 3, 39)])
def test_probabilities_are_those_of_the_twin(n, G, q):
    codes, Z = sample(n, G, q)
    found = shares(codes, Z, G)
    np.testing.assert_allclose(found, naive.multinomial(codes, Z, G, RIDGE_OF_CONSTANT, RIDGE), rtol=0, atol=1e-7)


def test_steps_do_not_diverge_where_covariates_tell_classes_apart():
    """Full steps of Newton's method end in coefficients of a million here."""
    codes, Z = sample(120, 12, 119)
    found = shares(codes, Z, int(codes.max()) + 1)
    assert found[np.arange(120), codes].min() > 0.7
    # At the maximum the constant's slope is its tiny ridge: as many rows of each class are expected as there are
    np.testing.assert_allclose(found.sum(axis=0), np.bincount(codes), atol=1e-3)


def test_memory_is_linear_in_classes():
    n, G = 500, 250
    codes, Z = np.arange(n) % G, np.random.default_rng(0).normal(size=(n, 2))
    X = np.random.default_rng(1).normal(size=(n, 3, 1))
    tracemalloc.start()
    LogisticTests.of(codes, Z).tests(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50 * n * G * 8  # the variances of the residuals of all rows alone are 250 n G


def test_few_iterations_are_needed_for_many_classes_beside_many_columns(monkeypatch):
    """77 products of the information were needed if all rows were taken to have the same probabilities."""
    n_products = []
    solve = score_tests.conjugate_gradients

    def count(product, *arguments):
        def counted(V):
            n_products[-1] += 1
            return product(V)

        n_products.append(0)
        return solve(counted, *arguments)

    rng = np.random.default_rng(0)
    Z = rng.normal(size=(400, 38))
    classes = np.argsort(np.argsort(Z[:, 0] + rng.normal(size=400))) * 80 // 400
    tests = LogisticTests.of(classes, (Z - Z.mean(axis=0)) / Z.std(axis=0))
    monkeypatch.setattr(score_tests, "conjugate_gradients", count)
    X = rng.normal(size=(400, 5, 1))
    statistics = tests.tests(X)[0]
    assert max(n_products) <= 45
    monkeypatch.setattr(score_tests, "MAX_BLOCK_VALUES", 1)  # without room for the blocks, the same in more steps
    again = LogisticTests.of(classes, (Z - Z.mean(axis=0)) / Z.std(axis=0)).tests(X)[0]
    np.testing.assert_allclose(again, statistics, rtol=1e-8)


def test_score_tests_of_many_classes_are_those_of_the_twin():
    rng = np.random.default_rng(3)
    codes, Z = sample(120, 6, 2)
    X = rng.normal(size=(120, 3)) + Z[:, :1]
    levels = (rng.integers(0, 4, size=120)[:, None] == np.arange(1, 4)).astype(float)
    tests = LogisticTests.of(codes, Z)
    e = shares(codes, Z, 6)[:, 1:]
    r, variances = np.eye(6)[codes][:, 1:] - e, [np.diag(p) - np.outer(p, p) for p in e]
    for sets in [*X.T[:, :, None], levels]:
        (statistic,), (freedom,) = tests.tests(sets[:, None])
        assert freedom == 5 * sets.shape[1]
        np.testing.assert_allclose(statistic, naive.score_test(sets, r, variances, Z), rtol=1e-8)
    together = tests.tests(X[:, :, None])[0]
    np.testing.assert_allclose(together, [tests.tests(X[:, [j], None])[0][0] for j in range(3)], rtol=1e-10)


def test_a_feature_that_is_known_in_one_class_only_has_no_test():
    rng = np.random.default_rng(0)
    X, y, c = rng.normal(size=(40, 4)), np.arange(40) % 2, rng.normal(size=40)
    X[y == 1, 2] = np.nan
    assert significance(X, y, "multisurf", covariates=c, n_shuffles=3).alone[2] == 1


def test_more_covariates_than_rows_are_as_many_columns_as_rows():
    rng = np.random.default_rng(2)
    n, y = 40, np.arange(40) % 3
    C = rng.normal(size=(n, 100))
    read = read_covariates(C, np.ones(n, bool), {"warnings": [], "information": []})
    Z = basis(read, n)
    assert Z.shape == (n, n)
    every = (C - C.mean(axis=0)) / C.std(axis=0)
    np.testing.assert_allclose(Z @ Z.T, every @ every.T, atol=1e-9)
    np.testing.assert_allclose(shares(y, Z, 3), naive.multinomial(y, every, 3, RIDGE_OF_CONSTANT, RIDGE), atol=1e-7)
    X = rng.normal(size=(n, 4))
    assert np.isfinite(rank(X, y, "multisurf", covariates=C).scores).all()
    assert (significance(X, y, "multisurf", covariates=C, n_shuffles=3).alone == 1).all()
