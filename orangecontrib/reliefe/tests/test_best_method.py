"""The best of several methods: against plain loops, against rankings of permuted targets, and its level."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import best_of_methods, rank, significance
from orangecontrib.reliefe.core.inference.best_method import _tested
from orangecontrib.reliefe.tests.naive import best_method as naive
from orangecontrib.reliefe.tests.naive.significance import benjamini_hochberg, own_spread

METHODS = ["relieff", "multisurf"]


def data(seed=0, n=60, p=8, effect=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, (effect * X[:, 0] + rng.logistic(size=n) > 0).astype(int)


@pytest.mark.parametrize("seed", range(6))
def test_p_values_are_those_of_plain_loops(seed):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(3, 5)).round(1) + 1
    z_permuted = rng.normal(size=(3, 7, 5)).round(1)
    z[:, 4] = -np.inf
    z_permuted[:, :, 4] = -np.inf
    z[1, 2] = -np.inf
    result = _tested((), z, z_permuted)
    p, family_wise = naive.tested(z.tolist(), z_permuted.tolist())
    assert result.p == pytest.approx(p)
    assert result.family_wise == pytest.approx(family_wise)
    assert result.q == pytest.approx(benjamini_hochberg(p))


def test_family_wise_p_can_be_the_smallest_of_all():
    """A feature beyond all permuted targets has 1 / (1 + B) by any one method, however many there are."""
    rng = np.random.default_rng(0)
    z, z_permuted = rng.normal(size=(5, 30)), rng.normal(size=(5, 19, 30))
    z[2, 7] = 40
    result = _tested((), z, z_permuted)
    assert result.family_wise[7] == 1 / 20
    assert np.delete(result.family_wise, 7).min() > 1 / 20
    units = np.array([1, 7, 1, 0.1, 1])  # of each method's z, which do not matter, as a method without spread
    same = _tested((), z * units[:, None], z_permuted * units[:, None, None])
    assert np.array_equal(same.family_wise, result.family_wise)
    z[0], z_permuted[0] = -np.inf, -np.inf
    without = _tested((), z[1:], z_permuted[1:])
    assert np.array_equal(_tested((), z, z_permuted).family_wise, without.family_wise)


def test_family_wise_level_is_exact():
    """With B = 19 and nothing relevant, the smallest p is <= .05 in one of 20 sets, for heavy and for light tails."""
    rng = np.random.default_rng(1)
    n_sets = 500
    z = rng.normal(size=(n_sets, 3, 20, 10))
    z[:, 1] = rng.standard_t(2, size=(n_sets, 20, 10))
    z[:, 2] = z[:, 0] + 0.1 * z[:, 2]
    n_found = sum((_tested((), of_set[:, 0], of_set[:, 1:]).family_wise <= 0.05).any() for of_set in z)
    assert 0.05 - 0.03 < n_found / n_sets < 0.05 + 0.03  # three standard errors


def test_methods_rank_the_same_permuted_targets():
    X, y = data(n=40, p=4, effect=2)
    methods = ["boostedrelief", "vlsrelief"]  # their spread has no closed form, so that public scores suffice
    result = best_of_methods(X, y, methods, n_shuffles=5)
    orders = [np.random.default_rng([0, b]).permutation(len(y)) for b in range(5)]
    true, permuted = [], []
    for name in methods:
        of_permuted = [rank(X, y[order], name).scores.tolist() for order in orders]
        z, z_permuted = own_spread(rank(X, y, name).scores, of_permuted)
        true.append(z)
        permuted.append(z_permuted)
    p, family_wise = naive.tested(true, permuted)
    assert result.p == pytest.approx(p)
    assert result.family_wise == pytest.approx(family_wise)


def test_methods_may_have_parameters():
    X, y = data(effect=3)
    few_and_many = [("relieff", {"n_neighbors": 3}), ("relieff", {"n_neighbors": 15})]
    result = best_of_methods(X, y, few_and_many, n_shuffles=10)
    for (name, parameters), ranking in zip(few_and_many, result.rankings, strict=True):
        assert ranking.parameters["n_neighbors"] == parameters["n_neighbors"]
        assert np.array_equal(ranking.significance.p, significance(X, y, name, n_shuffles=10, **parameters).p)
    with pytest.raises(ValueError, match="named twice"):
        best_of_methods(X, y, few_and_many[:1] * 2)


def test_rankings_are_those_of_each_method_alone():
    X, y = data(effect=3)
    shares = []
    result = best_of_methods(X, y, METHODS, n_shuffles=20, progress=shares.append)
    for name, ranking in zip(METHODS, result.rankings, strict=True):
        alone = significance(X, y, name, n_shuffles=20)
        assert ranking.method == name
        assert np.array_equal(ranking.scores, rank(X, y, name).scores)
        assert np.array_equal(ranking.significance.p, alone.p)
    assert result.discoveries().tolist() == [0]
    assert result.n_shuffles == 20
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert repr(result) == "BestOfMethods(relieff, multisurf; 8 features)"
    threaded = best_of_methods(X, y, METHODS, n_shuffles=20, n_jobs=2)
    assert np.array_equal(threaded.p, result.p)


def test_p_of_the_best_is_not_below_that_of_a_single_method():
    X, y = data(seed=3)
    result = best_of_methods(X, y, METHODS, n_shuffles=30)
    smallest = np.min([ranking.significance.p for ranking in result.rankings], axis=0)
    assert (result.p >= smallest - 0.01).all()
    assert result.p.mean() > smallest.mean()


def test_covariates_and_defaults():
    X, y = data(n=40, effect=3)
    result = best_of_methods(X, y, ["multisurf", "surf"], covariates=X[:, 1])
    assert result.n_shuffles == 199
    assert result.best[0] in (0, 1)
    assert result.p[0] < 0.05


@pytest.mark.parametrize(
    ("methods", "options", "text"),
    [
        (["relieff"], {}, "at least two methods, not 1"),
        (["relieff", "relieff"], {}, "methods must differ"),
        ("relieff", {}, "methods must be a sequence"),
        (["relieff", "nothing"], {}, "unknown method"),
        (METHODS, {"n_shuffles": 2}, "n_shuffles must be at least 3"),
    ],
)
def test_refusals(methods, options, text):
    with pytest.raises((ValueError, TypeError), match=text):
        best_of_methods(*data(), methods, **options)


def test_a_target_is_needed():
    with pytest.raises(ValueError, match="no target to shuffle"):
        best_of_methods(data()[0], None, ["urelief", "laplacian"])
