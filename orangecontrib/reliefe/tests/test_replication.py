"""Replication of two rankings: against its definition, on rankings with p-values, and its refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core import Ranking, Replication, rank, replicate
from orangecontrib.reliefe.tests.naive import replication as naive

P = st.sampled_from([0.0, 0.001, 0.003, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0])
PAIRS = st.lists(st.tuples(P, P), min_size=1, max_size=8)


def named(values, first="f"):
    return {f"{first}{j}": p for j, p in enumerate(values)}


@given(PAIRS, st.sampled_from([0.01, 0.05, 0.5]))
def test_symmetric_r_values_are_the_smallest_levels(pairs, select):
    p_a, p_b = map(list, zip(*pairs, strict=True))
    result = replicate(named(p_a), named(p_b), select=select)
    assert result.r == pytest.approx(naive.symmetric(p_a, p_b, select))
    swapped = replicate(named(p_b), named(p_a), select=select)
    assert np.array_equal(result.r, swapped.r)


@given(PAIRS)
def test_adafilter_has_the_smallest_levels(pairs):
    p_a, p_b = map(list, zip(*pairs, strict=True))
    result = replicate(named(p_a), named(p_b), method="adafilter")
    assert result.r == pytest.approx(naive.adafilter(p_a, p_b))
    assert np.array_equal(result.r, replicate(named(p_b), named(p_a), method="adafilter").r)


def test_adafilter_by_hand():
    a = {"x": 0.001, "y": 0.02, "z": 0.04, "u": 0.5, "v": 0.9}
    b = {"z": 0.03, "y": 0.6, "x": 0.002, "u": 0.001, "v": 0.8}
    result = replicate(a, b, method="adafilter")
    # x: .002 times 2 filters (x, u) for 1 discovery.  z: .04 times 4 for 2.  u and y: .6 times 4 for 4
    expected = {"x": 0.004, "y": 0.6, "z": 0.08, "u": 0.6, "v": 0.9}
    assert dict(zip(result.features, result.r, strict=True)) == pytest.approx(expected)
    assert result.replicated() == ("x", "z")
    assert (result.method, result.design, result.is_candidate.all()) == ("adafilter", "symmetric", True)


@given(PAIRS, st.lists(P, max_size=4), st.sampled_from([0.0137, 0.0521, 0.531]))  # no q is equal to them
def test_follow_up_counts_all_features_of_the_primary_cohort(pairs, only_a, select):
    p_a, p_b = map(list, zip(*pairs, strict=True))
    result = replicate(named(p_a) | named(only_a, "g"), named(p_b), design="follow-up", select=select)
    assert result.r == pytest.approx(naive.follow_up(p_a, p_b, only_a, select))
    assert result.only_a == tuple(named(only_a, "g"))


def test_example_by_hand():
    a = {"x": 0.001, "y": 0.02, "z": 0.04, "u": 0.5, "only a": 0.001}
    b = {"z": 0.03, "y": 0.6, "x": 0.002, "u": 0.001, "only b": 0.2}
    result = replicate(a, b)
    # Selected: x, y, z in A and x, z, u in B.  x: max(3 * .001, 3 * .002) / .5 / 1;  z: max(3 * .04, 3 * .03) / .5 / 2
    assert dict(zip(result.features, result.r, strict=True)) == pytest.approx({"x": 0.012, "y": 1, "z": 0.12, "u": 1})
    assert (result.only_a, result.only_b) == (("only a",), ("only b",))
    assert result.replicated() == ("x",)
    assert result.replicated(0.2) == ("x", "z")
    frame = result.to_frame()
    assert frame["feature"].tolist() == ["x", "z", "u", "y"]
    assert frame.columns.tolist() == ["feature", "r", "p_a", "p_b"]
    assert repr(result) == "Replication(4 features, 2 candidates)"


def cohort(seed, method, relevant, **options):
    """Ranking of 200 rows of twelve features, of which some decide between two classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 12))
    y = (X[:, relevant].sum(axis=1) + 0.5 * rng.normal(size=200) > 0).astype(int)
    order = rng.permutation(12)
    names = [f"g{j}" for j in order]
    return rank(X[:, order], y, method, significance=20, names=names, **options)


def test_rankings_by_different_methods_and_with_covariates():
    age = np.random.default_rng(9).normal(size=200)
    a = cohort(1, "multisurf", [0, 1, 2], covariates=age)
    b = cohort(2, "relieff", [0, 1, 7], groups=np.repeat(np.arange(100), 2))
    result = replicate(a, b)
    assert isinstance(result, Replication)
    assert set(result.replicated()) == {"g0", "g1"}
    assert set(replicate(a, b, design="follow-up").replicated()) == {"g0", "g1"}
    assert result.features == a.names
    assert np.array_equal(result.p_b, [b.significance.p[b.names.index(name)] for name in a.names])


def test_features_without_names_are_matched_by_index():
    rng = np.random.default_rng(0)
    rankings = [rank(rng.normal(size=(40, p)), np.arange(40) % 2, "relieff", significance=5) for p in (3, 4)]
    result = replicate(*rankings)
    assert result.features == (0, 1, 2)
    assert result.only_b == (3,)


@pytest.mark.parametrize(
    ("a", "b", "options", "text"),
    [
        (Ranking(np.ones(2), "relieff"), {"x": 1.0}, {}, "ranking_a has no p-values: rank with significance=True"),
        ({"x": 1.0}, [0.1], {}, "ranking_b has no p-values"),
        ({"x": 1.0}, {}, {}, "ranking_b has no features"),
        ({"x": 1.5}, {"x": 1.0}, {}, "p of 'x' in ranking_a must be from 0 to 1, not 1.5"),
        ({"x": float("nan")}, {"x": 1.0}, {}, "must be from 0 to 1, not nan"),
        ({"x": "1"}, {"x": 1.0}, {}, "must be a number, not '1'"),
        ({"x": 1.0}, {"y": 1.0}, {}, "no feature in common: 'x' ..., and 'y' ..."),
        ({"x": 1.0}, {0: 1.0}, {}, "both have names"),
        ({"x": 1.0}, {"x": 1.0}, {"design": "both"}, "unknown design 'both'; choose from symmetric, follow-up"),
        ({"x": 1.0}, {"x": 1.0}, {"method": "bh"}, "unknown method 'bh'; choose from r-value, adafilter"),
        ({"x": 1.0}, {"x": 1.0}, {"method": "adafilter", "design": "follow-up"}, "AdaFilter treats both cohorts alike"),
        ({"x": 1.0}, {"x": 1.0}, {"method": "adafilter", "select": 0.05}, "AdaFilter selects no candidates"),
        ({"x": 1.0}, {"x": 1.0}, {"select": 1}, "select must be between 0 and 1"),
    ],
)
def test_refusals(a, b, options, text):
    with pytest.raises((ValueError, TypeError), match=text):
        replicate(a, b, **options)


def test_names_that_occur_twice_are_refused():
    ranking = rank(np.eye(40, 3), np.arange(40) % 2, "relieff", significance=5, names=["x", "y", "x"])
    with pytest.raises(ValueError, match="ranking_b has 'x' twice"):
        replicate({"x": 0.1}, ranking)
