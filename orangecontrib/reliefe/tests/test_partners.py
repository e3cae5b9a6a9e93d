"""Partners: strengths against loops and golden data, networks that are there, and none where nothing interacts."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core import Interrupted, partners
from orangecontrib.reliefe.core.interactions import PairSample, standardised
from orangecontrib.reliefe.core.parallel import Work
from orangecontrib.reliefe.core.partners import KeptPairs, _within
from orangecontrib.reliefe.core.request import Request
from orangecontrib.reliefe.tests.naive import partners as naive

GOLDEN = json.loads((Path(__file__).parent / "golden" / "significance.json").read_text())["partners"]


def xor(seed=0, n=150, p=8, of=2):
    X = np.random.default_rng(seed).integers(0, 2, (n, p)).astype(float)
    return X, X[:, :of].sum(axis=1) % 2


@pytest.mark.parametrize("nominal", [False, True])
def test_strengths_equal_loops(nominal):
    rng = np.random.default_rng(1)
    columns = rng.integers(0, 3, (3, 10)) / (1 if nominal else 2)
    pairs = [(i, j, float(rng.normal())) for i in range(10) for j in range(i + 1, 10)]
    sums = PairSample.of(*map(np.array, zip(*pairs, strict=True))).sums(columns, np.full(3, nominal), np.zeros(3))
    for a in range(3):
        for b in range(3):
            found = sums.gain()[a, b], sums.synergy()[a, b]
            expected = (
                [0, 0] if a == b else [f(pairs, columns[a], columns[b], nominal) for f in (naive.gain, naive.synergy)]
            )
            np.testing.assert_allclose(found, expected, atol=1e-12)


def test_alone_is_the_score_of_a_single_feature():
    """Mean diff over misses less that over hits: without another feature, loops over one."""
    pairs = [(0, 1, 2.0), (0, 2, -1.0), (1, 2, 1.0), (1, 3, -3.0)]
    column = np.array([0.0, 1, 0.5, 0.25])
    sums = PairSample.of(*map(np.array, zip(*pairs))).sums(column[None], np.zeros(1, bool), np.zeros(1))
    assert sums.alone()[0] == pytest.approx((2 * 1 + 0.5) / 3 - (0.5 + 3 * 0.75) / 4)


@pytest.mark.parametrize("numbers", [False, True])
def test_thorough(numbers):
    """Zones of MultiSURF: XOR is found, rows keep their targets, and more rows are sampled."""
    X, y = xor(6)
    y = y + np.random.default_rng(0).normal(size=len(y)) * 0.1 if numbers else y.astype(int)
    found = partners(X, y, nominal=np.ones(8, bool), features=range(8), thorough=True)
    assert found.edges[0][:2] == (0, 1)
    assert [edge[:2] for edge in partners(X, y, features=range(8), thorough=True, n_jobs=2).edges][:1] == [(0, 1)]
    two = [partners(X, y, features=range(8), thorough=True, n_jobs=jobs).synergy for jobs in (1, 2)]
    np.testing.assert_array_equal(*two)


def test_thorough_keeps_rows_and_pairs_apart():
    X, y = np.random.default_rng(7).normal(size=(60, 3)), np.arange(60) % 3
    request, watch = Request.check(X, y, "multisurf"), KeptPairs()
    list(request.method.run(replace(request.input(Work(2)), watch=watch)))
    values = watch.features.values[:, np.argsort(watch.features.columns)[0]]
    scaled = (X[:, 0] - X[:, 0].min()) / np.ptp(X[:, 0])
    np.testing.assert_allclose(values, scaled[watch.ids], atol=1e-6)
    assert (watch.sample.i < watch.sample.j).all()
    differ = y[watch.ids][watch.sample.i] != y[watch.ids][watch.sample.j]
    np.testing.assert_array_equal(watch.sample.miss > 0, differ)
    np.testing.assert_array_equal(watch.sample.hit > 0, ~differ)


def test_thorough_samples_many_rows_and_refuses_label_sets(monkeypatch):
    X, y = xor(8, 300)
    monkeypatch.setattr(sys.modules[KeptPairs.__module__], "MAX_ROWS", 100)
    found = partners(X, y.astype(int), nominal=np.ones(8, bool), features=range(8), thorough=True)
    assert found.edges[0][:2] == (0, 1)
    with pytest.raises(ValueError, match="classes and for numbers only"):
        partners(X, np.c_[y, 1 - y].astype(int), task="multi-label", features=range(8), thorough=True)
    X[::9, 2] = np.nan
    assert partners(X, y.astype(int), features=range(8), thorough=True).edges[0][:2] == (0, 1)


def test_golden():
    """Pairs of MultiSURF's zones, as the golden data have them."""

    class Keep:
        def tile(self, V, where):
            self.V, self.where = V[: where[1], : where[3]].copy(), where

        def absorb(self, other):
            if hasattr(other, "V"):  # all rows are in one tile, and other parts have none
                self.V, self.where = other.V, other.where

        def finish(self, features, ids):
            self.features = features

    X, y = np.array(GOLDEN["X"]), np.array(GOLDEN["y"])
    request, keep = Request.check(X, y, "multisurf", nominal=np.ones(4, bool)), Keep()
    list(request.method.run(replace(request.input(Work(1)), watch=keep)))
    i, j = np.nonzero(np.triu(keep.V, 1))
    columns = keep.features.values[:, :4].T.astype(float)
    sums = PairSample.of(i, j, keep.V[i, j].astype(float)).sums(columns, np.ones(4, bool), np.zeros(4))
    np.testing.assert_allclose(sums.gain(), GOLDEN["gain"], atol=1e-6)
    np.testing.assert_allclose(sums.synergy(), GOLDEN["synergy"], atol=1e-6)


def test_standardised_by_hand():
    scores, shuffled = np.array([[0.0, 3], [3, 0]]), np.array([[[0.0, 1], [1, 0]], [[0, 2], [2, 0]], [[0, 3], [3, 0]]])
    z, level = standardised(scores, shuffled)
    assert z[0, 1] == pytest.approx((3 - 2) / (1 * np.sqrt(1 + 1 / 3)))
    assert level == pytest.approx((3 - 1.5) / (1 * np.sqrt(1 + 1 / 2)))
    z, level = standardised(scores, np.ones((3, 2, 2)))
    assert level == np.inf
    assert not z.any()


@pytest.mark.parametrize("strength", ["synergy", "gain"])
def test_xor_is_an_edge(strength):
    X, y = xor()
    found = partners(X, y.astype(int), nominal=np.ones(8, bool), features=range(8), strength=strength)
    assert [edge[:2] for edge in found.edges] == [(0, 1)]
    assert found.edges[0][2] == found.z[0, 1] > found.level
    assert found.gain[0, 1] > 0.1
    assert found.n_shuffles == 10


def test_three_way():
    X, y = xor(2, 300, 12, 3)
    found = partners(X, y.astype(int), nominal=np.ones(12, bool), features=range(12))
    assert {edge[:2] for edge in found.edges[:3]} == {(0, 1), (0, 2), (1, 2)}


def test_best_by_a_method_and_order_of_columns():
    X, y = xor(3)
    order = np.array([5, 0, 3, 2, 1, 4, 6, 7])
    one = partners(X, y.astype(int), "multisurf", n_features=4)
    other = partners(X[:, order], y.astype(int), "multisurf", n_features=4, n_jobs=2)
    assert {0, 1} <= set(one.features)
    assert one.edges[0][:2] == (0, 1)
    assert sorted(order[list(other.edges[0][:2])]) == [0, 1]
    assert min(one.edges[0][2], other.edges[0][2]) > 30


def test_order_of_the_features():
    """The same features in another order are the same network: each has shuffles of its own."""
    X, y = np.random.default_rng(9).normal(size=(80, 6)), np.arange(80) % 3
    one, order = partners(X, y, features=range(6)), [3, 5, 0, 1, 4, 2]
    other = partners(X, y, features=order)
    np.testing.assert_allclose(other.z, one.z[np.ix_(order, order)], atol=1e-9)
    assert other.level == pytest.approx(one.level)


@given(st.integers(0, 2**32), st.integers(1, 4))
def test_shuffles_within_groups(seed, k):
    rng = np.random.default_rng(seed)
    columns, groups = rng.normal(size=(3, 20)), rng.integers(0, k, 20)
    found = _within(columns, groups, [(seed, f) for f in range(3)])
    for group in range(k):
        np.testing.assert_array_equal(np.sort(found[:, groups == group]), np.sort(columns[:, groups == group]))
    np.testing.assert_array_equal(found, _within(columns, groups, [(seed, f) for f in range(3)]))
    np.testing.assert_array_equal(found[::-1], _within(columns[::-1], groups, [(seed, f) for f in (2, 1, 0)]))


def test_numbers_and_label_sets():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 5))
    y = X[:, 0] * X[:, 1]
    assert partners(X, y, features=range(5)).edges[0][:2] == (0, 1)
    labels = np.c_[y > 0, X[:, 2] > 0].astype(int)
    assert partners(X, labels, features=range(5)).edges[0][:2] == (0, 1)


def test_sparse_and_unknown_values():
    X, y = xor(5)
    dense = partners(X, y.astype(int), features=range(8))
    same = partners(sparse.csr_array(X), y.astype(int), features=range(8))
    np.testing.assert_allclose(same.synergy, dense.synergy, atol=1e-9)
    X[::7, 3] = np.nan
    assert [edge[:2] for edge in partners(X, y.astype(int), features=range(8)).edges] == [(0, 1)]
    assert np.isfinite(partners(X, y + 0.5 * X[:, 2], features=range(8)).synergy).all()


def test_stops_and_bad_input():
    X, y = xor()

    def stop(share):
        raise Interrupted

    with pytest.raises(Interrupted):
        partners(X, y.astype(int), progress=stop)
    with pytest.raises(ValueError, match="need a target"):
        partners(X, None, "urelief")
    with pytest.raises(ValueError, match="2 to 200 different"):
        partners(X, y.astype(int), features=[1, 1])
    with pytest.raises(ValueError, match="at most 7"):
        partners(X, y.astype(int), features=[1, 8])
    with pytest.raises(ValueError, match="synergy, gain"):
        partners(X, y.astype(int), strength="both")
    with pytest.raises(ValueError, match="n_shuffles"):
        partners(X, y.astype(int), n_shuffles=1)


@pytest.mark.slow
def test_networks_of_ten_seeds():
    """XOR of two and of three are found; four additive main effects give no edge."""
    hits = {"pair": 0, "triple": 0, "additive": 0}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, nominal = rng.integers(0, 2, (400, 30)).astype(float), np.ones(30, bool)
        for name, of in (("pair", 2), ("triple", 3)):
            found = partners(X, (X[:, :of].sum(axis=1) % 2).astype(int), nominal=nominal, features=range(30))
            wanted = {(a, b) for a in range(of) for b in range(a + 1, of)}
            hits[name] += wanted <= {edge[:2] for edge in found.edges}
        X = rng.normal(size=(500, 30))
        y = X[:, :4].sum(axis=1) + rng.logistic(size=500) > 0
        hits["additive"] += not partners(X, y.astype(int), features=range(30)).edges
    assert min(hits["pair"], hits["triple"]) >= 9
    assert hits["additive"] >= 8
