"""Partners: residuals and strengths against loops, networks that are there, and none where effects add up."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import Interrupted, Partners, partners
from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.inference.empirical_null import standardised
from orangecontrib.reliefe.core.inference.kept_pairs import KeptPairs
from orangecontrib.reliefe.core.inference.pair_strengths import PairSample
from orangecontrib.reliefe.core.structure.additive import additive_basis
from orangecontrib.reliefe.core.structure.additive_model import AdditiveModel
from orangecontrib.reliefe.core.targets.classes import Classes
from orangecontrib.reliefe.core.targets.multi import MultiTarget
from orangecontrib.reliefe.core.targets.numbers import Numbers
from orangecontrib.reliefe.core.work.threads import Work
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
    two = [partners(X, y, features=range(8), thorough=True, n_shuffles=2, n_jobs=jobs).synergy for jobs in (1, 2)]
    np.testing.assert_array_equal(*two)


def test_thorough_keeps_rows_and_pairs_apart():
    X, y = np.random.default_rng(7).normal(size=(60, 3)), np.arange(60) % 3
    request = check_call(X, y, "multisurf")
    (found,) = request.method.run(replace(request.input(Work(2)), outputs=(KeptPairs(),)))
    ((features, ids, pairs),) = found.quantities
    sample = PairSample.of(*pairs)
    values = features.values[:, np.argsort(features.columns)[0]]
    scaled = (X[:, 0] - X[:, 0].min()) / np.ptp(X[:, 0])
    np.testing.assert_allclose(values, scaled[ids], atol=1e-6)
    assert (sample.i < sample.j).all()
    differ = y[ids][sample.i] != y[ids][sample.j]
    np.testing.assert_array_equal(sample.miss > 0, differ)
    np.testing.assert_array_equal(sample.hit > 0, ~differ)


def test_thorough_samples_many_rows_and_refuses_label_sets(monkeypatch):
    X, y = xor(8, 300)
    monkeypatch.setattr(sys.modules[Partners.__module__], "MAX_ROWS", 100)
    found = partners(X, y.astype(int), nominal=np.ones(8, bool), features=range(8), thorough=True)
    assert found.edges[0][:2] == (0, 1)
    with pytest.raises(ValueError, match="classes and for numbers only"):
        partners(X, np.c_[y, 1 - y].astype(int), task="multi-label", features=range(8), thorough=True)
    X[::9, 2] = np.nan
    assert partners(X, y.astype(int), features=range(8), thorough=True).edges[0][:2] == (0, 1)


def test_golden():
    """Pairs of MultiSURF's zones, as the golden data have them."""
    X, y = np.array(GOLDEN["X"]), np.array(GOLDEN["y"])
    found = partners(X, y, nominal=np.ones(4, bool), features=range(4), thorough=True)
    np.testing.assert_allclose(found.gain, GOLDEN["gain"], atol=1e-6)
    np.testing.assert_allclose(found.synergy, GOLDEN["synergy"], atol=1e-6)


def test_standardised_by_hand():
    scores, shuffled = np.array([[0.0, 3], [3, 0]]), np.array([[[0.0, 1], [1, 0]], [[0, 2], [2, 0]], [[0, 3], [3, 0]]])
    z, level = standardised(scores, shuffled, np.eye(len(scores), dtype=bool))
    assert z[0, 1] == pytest.approx((3 - 2) / (1 * np.sqrt(1 + 1 / 3)))
    assert level == pytest.approx((3 - 1.5) / (1 * np.sqrt(1 + 1 / 2)))
    z, level = standardised(scores, np.ones((3, 2, 2)), np.eye(2, dtype=bool))
    assert level == np.inf
    assert not z.any()


@pytest.mark.parametrize("features, factor, spread", [(30, 1.2, 1.2), (30, 0.5, 1), (30, 4, 1.5), (8, 1.2, 1)])
def test_spread_of_chosen_features_is_taken_out(features, factor, spread):
    """z is in units of its own spread, where many pairs vary more than those of drawn targets do."""
    rng, size = np.random.default_rng(0), features * (features - 1) // 2
    drawn = np.zeros((200, features, features))
    upper = np.triu_indices(features, 1)
    for one in drawn:
        one[upper] = rng.normal(size=size)
    scores = np.zeros((features, features))
    scores[upper] = factor * rng.normal(size=size)
    scores[0, 1] = 100
    z, _ = standardised(scores + scores.T, drawn + drawn.transpose(0, 2, 1), np.eye(len(scores), dtype=bool))
    assert z[0, 1] == pytest.approx(100 / spread, rel=0.1)


@pytest.mark.parametrize("strength", ["synergy", "gain"])
def test_xor_is_an_edge(strength):
    X, y = xor()
    found = partners(X, y.astype(int), nominal=np.ones(8, bool), features=range(8), strength=strength)
    assert [edge[:2] for edge in found.edges] == [(0, 1)]
    assert found.edges[0][2] == found.z[0, 1] > found.level
    assert found.gain[0, 1] > 0.1
    assert found.n_shuffles == 20


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
    """The same features in another order are the same network."""
    X, y = np.random.default_rng(9).normal(size=(80, 6)), np.arange(80) % 3
    one, order = partners(X, y, features=range(6)), [3, 5, 0, 1, 4, 2]
    other = partners(X, y, features=order)
    np.testing.assert_allclose(other.z, one.z[np.ix_(order, order)], atol=1e-9)
    assert other.level == pytest.approx(one.level)


def mixed(target, seed=11, n=48):
    """Numbers, genotypes and bits, whose effects are curved and of a pair."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n, 2)), rng.integers(0, 3, n), rng.integers(0, 2, n)]).astype(float)
    y = X[:, 0] ** 2 + X[:, 2] + 2 * X[:, 0] * X[:, 3] + rng.normal(size=n)
    return X, y if target == "number" else np.digitize(y, np.quantile(y, [0.5] if target == "two" else [0.3, 0.7]))


@pytest.mark.parametrize("target", ["number", "two", "three"])
def test_residuals_and_their_strengths_equal_loops(target):
    X, y = mixed(target, n=32)
    Z = naive.basis(X.T)
    np.testing.assert_allclose(additive_basis(X, np.zeros(4, bool)), Z, atol=1e-9)
    residuals = naive.ridge(Z, y) if target == "number" else naive.classes(Z, y.tolist(), 3)
    measured = Numbers.measure(y) if target == "number" else Classes(y.astype(np.int32))
    found = AdditiveModel(Z, measured, 3).residuals()[0]
    np.testing.assert_allclose(found / found.std(), residuals / residuals.std(), atol=1e-5)
    pairs, network = naive.residual_pairs(X, residuals), partners(X, y, features=range(4), random_state=3)
    scaled = ((X - X.min(axis=0)) / np.ptp(X, axis=0)).T
    for a, b in [(0, 3), (1, 2), (2, 0)]:
        assert network.gain[a, b] == pytest.approx(naive.gain(pairs, scaled[a], scaled[b], False), abs=1e-5)
        assert network.synergy[a, b] == pytest.approx(naive.synergy(pairs, scaled[a], scaled[b], False), abs=1e-4)


def test_basis_of_unknown_rare_and_constant_values():
    nan = np.nan
    X = np.array([[1.0, 5, 0, nan], [nan, 5, 1, nan], [3, 5, 1, nan]] + [[2.0, 5, 1, nan]] * 3 + [[2.0, 5, 2, nan]] * 6)
    found = additive_basis(X, np.array([False, False, True, False]))
    mean, few = [1, 2, 3] + [2] * 9, [0] + [1] * 5 + [0] * 6
    assert found.shape == (12, 3)  # the constant and the unknown number add nothing, the value of one row is no column
    np.testing.assert_allclose(found[:, 0], (mean - np.mean(mean)) / np.std(mean))
    np.testing.assert_allclose(found[:, 2], (few - np.mean(few)) / np.std(few))
    assert additive_basis(X[:, [1, 3]], np.zeros(2, bool)).shape == (12, 0)
    curved = np.arange(30.0)[:, None]
    assert additive_basis(curved, np.zeros(1, bool)).shape == (30, 3)
    assert additive_basis(np.r_[np.zeros(25), 1:6][:, None], np.zeros(1, bool)).shape == (30, 2)  # knots coincide


def test_drawn_targets():
    """Classes are shuffled where nothing is relevant; targets that agree do so in every draw."""
    rng = np.random.default_rng(0)
    Z, codes = np.zeros((40, 0)), np.repeat([0, 1], [30, 10]).astype(np.int32)
    drawn = [AdditiveModel(Z, Classes(codes), 0).drawn(b)[0] for b in range(3)]
    for one in drawn:
        np.testing.assert_allclose(np.sort(one[:, 0]), [-0.25] * 30 + [0.75] * 10, atol=1e-6)
    assert (drawn[0] != drawn[1]).any()
    Z = rng.normal(size=(40, 2))
    labels = np.tile(codes[:, None], 2).astype(float)
    labels[3, 1] = np.nan
    both = AdditiveModel(Z, MultiTarget.measure(labels[:, [0, 0]], np.ones(2, bool)), 0)
    assert np.corrcoef(np.hstack(both.drawn(0)).T)[0, 1] > 0.7
    second = AdditiveModel(Z, MultiTarget.measure(labels, np.ones(2, bool)), 0).drawn(1)[1]
    assert np.flatnonzero(np.isnan(second[:, 0])).tolist() == [3]


def test_additive_effects_without_noise_leave_no_residuals():
    X = np.random.default_rng(1).normal(size=(100, 5))
    found = partners(X, X[:, :4].sum(axis=1), features=range(5))
    assert found.level == np.inf
    assert not found.edges
    small = X[:, 3] * X[:, 4]
    assert [edge[:2] for edge in partners(X, 1000 * X[:, 0] + small, features=range(5)).edges] == [(3, 4)]


@pytest.mark.parametrize("seed", range(3))
def test_sums_have_no_edges(seed):
    """A number, and two strong effects on classes: shuffles within classes found edges in all of these."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 12))
    assert not partners(X, X[:, :4].sum(axis=1) + rng.normal(size=300), features=range(12)).edges
    odds = 6 * X[:, 0] + 3 * X[:, 1] + rng.logistic(size=300)
    assert not partners(X, (odds > 0).astype(int), features=range(12)).edges


def test_pair_beside_strong_main_effects():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 12))
    odds = 3 * np.sign(X[:, 0] * X[:, 1]) + 3 * X[:, 2] + rng.logistic(size=300)
    assert [edge[:2] for edge in partners(X, (odds > 0).astype(int), features=range(12)).edges] == [(0, 1)]
    y = 1.5 * X[:, 0] * X[:, 1] + X[:, 2:5].sum(axis=1) + rng.normal(size=300)
    assert [edge[:2] for edge in partners(X, y, features=range(12)).edges] == [(0, 1)]


@pytest.mark.parametrize("thorough", [False, True])
def test_names_of_classes_and_scales_do_not_matter(thorough):
    X, y = mixed("three")
    one = partners(X, y, features=range(4), thorough=thorough)
    names, scales = np.array(["z", "a", "m"]), np.array([10, 0.1, 3, 7])
    other = partners(X * scales - 5, names[y], features=range(4), thorough=thorough)
    np.testing.assert_allclose(other.z, one.z, atol=1e-4)
    assert [edge[:2] for edge in other.edges] == [edge[:2] for edge in one.edges]


def test_golden_network():
    """z and the level as they were computed first; strengths have a twin."""
    X, y = mixed("number")
    found = partners(X, y, features=range(4), n_shuffles=5)
    golden = [0.590324, 0.756934, 2.128895, 0.700308, -0.103570, -0.898181]
    np.testing.assert_allclose(found.z[np.triu_indices(4, 1)], golden, atol=1e-3)
    assert found.level == pytest.approx(1.855098, abs=1e-3)
    assert [edge[:2] for edge in found.edges] == [(0, 3)]


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


@pytest.mark.parametrize("share", [0.01, 0.3, 0.7, 0.95])
def test_stops_in_every_part(share):
    X, y = xor(n=60)
    seen = []

    def stop(now):
        seen.append(now)
        if now > share:
            raise Interrupted

    with pytest.raises(Interrupted):
        partners(X, y.astype(int), features=range(8), progress=stop)
    assert seen == sorted(seen)


@pytest.mark.parametrize("thorough", [False, True])
@pytest.mark.parametrize("strength", ["synergy", "gain"])
def test_features_that_tell_the_same_do_not_act_together(thorough, strength):
    """Copies, mirrored ones, and those in other units; by chance each would be an edge in one of 21 cases."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        x, letters = rng.normal(size=60), rng.integers(0, 2, 60)
        equal = np.column_stack([x, x, -x, 1e9 * x, x])
        for X, nominal in ((equal, None), (np.ones((60, 3)), None), (np.column_stack([letters, 1 - letters]), [0, 1])):
            for y in (letters, rng.integers(0, 2, 60)):
                found = partners(X, y, nominal=nominal, thorough=thorough, strength=strength, n_shuffles=2)
                assert found.edges == []
                assert not found.z.any()


def test_stops_and_bad_input():
    X, y = xor()

    def stop(share):
        raise Interrupted

    with pytest.raises(Interrupted):
        partners(X, y.astype(int), progress=stop)
    with pytest.raises(ValueError, match="no target, which partners need"):
        partners(X, None, "urelief")
    with pytest.raises(ValueError, match="2 to 200 different"):
        partners(X, y.astype(int), features=[1, 1])
    with pytest.raises(ValueError, match="far too large values in feature 3"):
        partners(np.where(np.arange(8) == 3, 1e308 * (2 * y[:, None] - 1), X), y, features=[2, 3, 4])
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
