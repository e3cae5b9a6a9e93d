"""Bootstrap samples of rows, and the probability of being among the best."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from orangecontrib.reliefe.core.evaluation import TopChances, distinct_rows, stability_selection

few_scores = arrays(float, (2, 4), elements=st.sampled_from([0.0, 0.5, 1.0, np.nan]))


def chance_by_orders(scores, n_best):
    """Share of all orders in which equally good features may stand."""
    p = len(scores)
    keys = np.where(np.isnan(scores), -np.inf, scores)
    orders = [order for order in permutations(range(p)) if all(keys[a] >= keys[b] for a, b in pairwise(order))]
    return np.array([np.mean([f in order[:n_best] for order in orders]) for f in range(p)])


@given(few_scores, st.integers(1, 4))
def test_chances_are_those_of_all_orders(scores, n_best):
    expected = np.mean([chance_by_orders(row, n_best) for row in scores], axis=0)
    chances = TopChances.of(scores)
    np.testing.assert_allclose(chances(n_best), expected, atol=1e-12)
    assert len(chances) == 2
    assert chances(n_best).sum() == pytest.approx(n_best)


def test_chances_grow_with_the_number_and_reach_one():
    chances = TopChances.of(np.random.default_rng(0).normal(size=(20, 30)))
    shares = np.array([chances(n) for n in range(31)])
    assert (np.diff(shares, axis=0) >= 0).all()
    assert (shares[0] == 0).all()
    assert (shares[30] == 1).all()


def test_joined_chances_are_those_of_all_rankings():
    scores = np.random.default_rng(2).integers(0, 4, size=(7, 12)).astype(float)
    parts = TopChances.of(scores[:2]).joined(TopChances.of(scores[2:]))
    np.testing.assert_array_equal(parts(5), TopChances.of(scores)(5))


def test_samples_have_two_thirds_of_the_rows_once():
    rows = [distinct_rows(2000, seed) for seed in range(20)]
    assert all((np.diff(own) > 0).all() and own[0] >= 0 and own[-1] < 2000 for own in rows)
    assert np.mean([len(own) for own in rows]) / 2000 == pytest.approx(1 - np.exp(-1), abs=0.01)
    assert not np.array_equal(rows[0], rows[1])
    np.testing.assert_array_equal(rows[3], distinct_rows(2000, 3))


def test_no_stratum_vanishes():
    strata = np.array([0.0] * 50 + [1.0] + [np.nan] * 3)
    for seed in range(30):
        rows = distinct_rows(54, seed, strata)
        assert 50 in rows
        assert (rows > 50).any()
        assert (rows < 50).any()


@pytest.mark.parametrize("n, strata", [(0, None), (3, [1, 2])])
def test_bad_samples(n, strata):
    with pytest.raises(ValueError, match="rows"):
        distinct_rows(n, 0, strata)


@pytest.mark.parametrize("scores", [[1.0, 2.0], np.empty((0, 3)), np.empty((3, 0))])
def test_bad_scores(scores):
    with pytest.raises(ValueError, match="shape"):
        TopChances.of(scores)


def test_stability_selection_counts_the_same_way():
    X = np.random.default_rng(1).normal(size=(40, 5))
    found = stability_selection(lambda part, _: np.abs(part.mean(axis=0)).round(1), X, n_best=2, n_pairs=4)
    np.testing.assert_allclose(found.frequencies, TopChances.of(found.scores)(2), atol=1e-12)
