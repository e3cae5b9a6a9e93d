"""Conditional p-values: whether a feature adds to what the remaining features say."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import Interrupted, Packed, Survival, conditional_significance, rank
from orangecontrib.reliefe.tests.naive.conditional import p_value


def copies(seed, n=150, p=8):
    """Numbers: feature 0 acts on two classes, 1 is a noisy copy of it, and the rest are useless."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X[:, 1] = 0.8 * X[:, 0] + 0.6 * X[:, 1]
    return X, (2 * X[:, 0] + rng.logistic(size=n) > 0).astype(int)


def test_p_of_numbers_is_that_of_the_twin():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=60), rng.integers(0, 2, (60, 4))])
    X[:, 0] += X[:, 1] + X[:, 2] * X[:, 3]
    y = (X[:, 0] + rng.normal(size=60) > 1).astype(int)
    found = conditional_significance(X, y, "relieff", n_neighbors=5, features=[0], n_draws=50, random_state=3)
    assert found.p[0] == pytest.approx(p_value(X, y, 0, 5, 50, 3))
    assert 1 / 51 <= found.p[0] < 1


def test_p_of_two_values_is_that_of_the_twin():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (60, 5)).astype(float)
    X[:, 4] = np.where(rng.random(60) < 0.8, X[:, 3], X[:, 4])
    y = ((X[:, 3] + X[:, 1] > 1) ^ (rng.random(60) < 0.1)).astype(int)
    found = conditional_significance(X, y, "relieff", n_neighbors=5, features=[3, 4], n_draws=50)
    assert found.p == pytest.approx([p_value(X, y, f, 5, 50, 0) for f in (3, 4)], abs=1 / 51)  # a draw on the edge


def test_a_copy_adds_nothing_and_its_source_does():
    p_values = [conditional_significance(*copies(seed), "multisurf", features=[0, 1]).p for seed in range(10)]
    share = np.mean(np.array(p_values) <= 0.05, axis=0)
    assert share[0] >= 0.8
    assert share[1] <= 0.2
    assert np.mean([rank(*copies(seed), "multisurf", significance=20).significance.p[1] <= 0.05 for seed in range(3)])


@pytest.mark.parametrize("target", ["numbers", "times", "three classes"])
def test_targets(target):
    X, _ = copies(0, 200)
    rng = np.random.default_rng(0)
    y = 3 * X[:, 0] + rng.normal(size=200)
    if target == "times":
        y = Survival(np.exp(-y), rng.random(200) < 0.8)
    elif target == "three classes":
        y = np.digitize(y, [-1, 1])
    found = conditional_significance(X, y, "multisurf", features=[0, 1, 5])
    assert found.p[0] <= 0.05
    assert (found.p[1:] > 0.05).all()
    assert found.explained[1] > 0.4


def test_determined_features_have_p_1_and_a_note():
    X, y = copies(0)
    X[:, 3] = 2 * X[:, 0] - X[:, 2]
    X[:, 4] = X[:, 1] > 0
    X[:, 5] = 1 - X[:, 4]
    found = conditional_significance(X, y, "multisurf", features=[0, 4, 6])
    assert found.p[:2].tolist() == [1, 1]
    assert found.explained[:2] == pytest.approx([1, 1])
    assert found.p[2] < 1
    assert "number 1, number 5: determined" in found.notes[0]


def test_constant_features_and_few_values_have_p_1():
    X, y = copies(0)
    X[:, 3] = 1
    X[10:, 4] = np.nan
    assert conditional_significance(X, y, "relieff", features=[3, 4]).p.tolist() == [1, 1]


def test_q_is_of_the_tested_features():
    X, y = copies(0)
    found = conditional_significance(X, y, "multisurf", n_draws=49)
    assert found.features.tolist() == list(range(8))
    assert (found.q >= found.p).all()
    assert found.p.min() >= 1 / 50


def test_more_features_than_rows_missing_and_nominal_values():
    X, y = copies(0, 100, 260)
    X[:, 2] = np.random.default_rng(0).integers(0, 3, 100)
    X[::7, :4] = np.nan
    found = conditional_significance(X, y, "relieff", nominal=[2], features=[0, 1, 2, 5])
    assert found.p[0] <= 0.05
    assert np.isfinite(found.p).all()


def test_dense_sparse_and_threads_give_the_same():
    X, y = copies(0)
    X[np.abs(X) < 0.5] = 0
    found = conditional_significance(X, y, "multisurf", features=[0, 1, 2], n_jobs=1)
    for other in (sparse.csr_array(X), X):
        np.testing.assert_array_equal(conditional_significance(other, y, "multisurf", features=[0, 1, 2]).p, found.p)


def test_packed_genotypes():
    rng = np.random.default_rng(0)
    G = rng.binomial(2, 0.4, (200, 12)).astype(np.int8)
    G[:, 1] = np.where(rng.random(200) < 0.8, G[:, 0], G[:, 1])
    y = (2 * (G[:, 0] - 0.8) + rng.logistic(size=200) > 0).astype(int)
    found = conditional_significance(Packed.of(G), y, "multisurf", features=[0, 1])
    assert found.p[0] <= 0.05 < found.p[1]


def test_covariates_are_part_of_the_regression():
    rng = np.random.default_rng(0)
    X, age = rng.normal(size=(200, 6)), rng.normal(size=200)
    X[:, 2] += 2 * age
    y = 2 * X[:, 0] + 3 * age + rng.normal(size=200)
    found = conditional_significance(X, y, "rrelieff", features=[0, 2], covariates=age)
    assert found.p[0] <= 0.05 < found.p[1]
    assert found.explained[1] > 0.6


def test_many_rows_are_sampled():
    X, y = copies(0, 2100, 3)
    found = conditional_significance(X, y, "relieff", features=[0], n_draws=19)
    assert found.p[0] == 1 / 20
    assert "2,000 rows" in found.notes[0]


def test_progress_and_interruption():
    shares = []
    X, y = copies(0)
    conditional_significance(X, y, "multisurf", features=[0, 1], progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def stop(_):
        raise Interrupted

    with pytest.raises(Interrupted):
        conditional_significance(X, y, "multisurf", features=[0, 1], progress=stop)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y": None, "method": "auto"}, "need a target"),
        ({"method": "boostedrelief"}, "no conditional p-values, as its scores are no sums"),
        ({"groups": np.arange(150) // 3}, "take no groups"),
        ({"sample_weight": np.ones(150) * 2}, "take no weights"),
        ({"features": [8]}, "features must be"),
        ({"features": ["age"]}, "unknown feature"),
        ({"n_draws": 0}, "n_draws must be"),
    ],
)
def test_bad_input(options, message):
    X, y = copies(0)
    with pytest.raises(ValueError, match=message):
        conditional_significance(**{"X": X, "y": y, "method": "multisurf"} | options)


def test_one_feature_has_no_others():
    X, y = copies(0)
    with pytest.raises(ValueError, match="two features or more"):
        conditional_significance(X[:, :1], y, "multisurf")


def test_a_ranking_has_p_of_its_discoveries():
    X, y = copies(0)
    ranking = rank(X, y, "multisurf", significance=20, conditional=True, n_jobs=1)
    tests = ranking.significance
    discoveries = np.sort(tests.discoveries(0.1))
    assert np.flatnonzero(~np.isnan(tests.conditional)).tolist() == discoveries.tolist()
    expected = conditional_significance(X, y, "multisurf", features=discoveries.tolist()).p
    np.testing.assert_array_equal(tests.conditional[discoveries], expected)
    assert "adds to the others" in ranking.to_frame()
    assert "2 features drawn 199 times" in tests.notes[-1]


def test_a_ranking_has_p_of_named_features_and_implies_significance():
    X, y = copies(0)
    shares = []
    names = [f"x{f}" for f in range(8)]
    ranking = rank(X, y, "multisurf", conditional=["x3", "x0"], names=names, progress=shares.append)
    assert np.flatnonzero(~np.isnan(ranking.significance.conditional)).tolist() == [0, 3]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert rank(X, y, conditional=[0], significance=19).method == "multisurf"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"conditional": ["age"]}, "conditional has an unknown feature"),
        ({"conditional": True, "method": "boostedrelief"}, "no conditional p-values"),
    ],
)
def test_bad_input_of_a_ranking(options, message):
    X, y = copies(0)
    with pytest.raises(ValueError, match=message):
        rank(**{"X": X, "y": y, "method": "multisurf"} | options)


def test_tests_that_were_made_one_by_one_are_joined():
    X, y = copies(0)
    first, second = (conditional_significance(X, y, "relieff", features=[f], n_draws=50) for f in (4, 0))
    joined = first.joined(second)
    together = conditional_significance(X, y, "relieff", features=[0, 4], n_draws=50)
    assert joined.features.tolist() == [0, 4]
    assert joined.p.tolist() == together.p.tolist()
    assert joined.q.tolist() == together.q.tolist()
    assert joined.explained.tolist() == together.explained.tolist()
