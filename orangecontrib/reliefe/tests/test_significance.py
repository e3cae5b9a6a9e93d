"""Significance: closed forms against all orders, shared searches against single rankings, and its level."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse, stats

from orangecontrib.reliefe.core import Interrupted, Packed, SignificanceTest, rank, significance
from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.inference.null_pool import pooled_by_own_spread
from orangecontrib.reliefe.core.inference.null_scores import NullScores, standardised
from orangecontrib.reliefe.core.work.threads import PAUSE, Work
from orangecontrib.reliefe.tests.naive import significance as naive
from orangecontrib.reliefe.tests.naive.curves import relieff_weights
from orangecontrib.reliefe.tests.naive.diffs import differences, distances

GOLDEN = json.loads((Path(__file__).parent / "golden" / "significance.json").read_text())
SINGLE = 2e-6  # the golden scores were summed in single precision


class TestClosedForm:
    """z of a score, by its mean and its spread over all orders of the values of a feature."""

    def check(self, X, y, method, spread, k, nominal=False, forms=(np.asarray, sparse.csr_array), **options):
        p = X.shape[1]
        D = differences(X, [nominal] * p, y, "uniform", power=options.get("power", 1))
        V = np.array(relieff_weights(np.round(distances(D) / p, 12), y, k))
        scaled = X if nominal else (X - np.nanmin(X, axis=0)) / (np.nanmax(X, axis=0) - np.nanmin(X, axis=0))
        expected = [spread(V, column.tolist(), nominal, options.get("power", 1)) for column in scaled.T]
        for form in forms:
            given = {"nominal": [nominal] * p, "missing": "uniform", **options}
            scores = rank(form(X), y, method, **given).scores
            found = significance(form(X), y, method, n_shuffles=2, **given).z
            z = [(score - mean) / deviation for score, (mean, deviation) in zip(scores, expected, strict=True)]
            np.testing.assert_allclose(found, z, rtol=1e-6, atol=1e-9)

    @pytest.mark.parametrize("nominal, method, options", [
        (False, "relieff", {"n_neighbors": 2}), (True, "relieff", {"n_neighbors": 2}), (False, "relief", {"power": 2}),
    ])  # fmt: skip
    @pytest.mark.parametrize("seed", [0, 1])
    def test_equals_all_orders(self, nominal, method, options, seed):
        X = np.random.default_rng(seed).integers(0, 4, (6, 3)).astype(float)
        X[:, 2] = [0, 0, 0, 0, 0, 3]
        y = np.array([0, 1, 1, 0, 0, 1])
        self.check(X, y, method, naive.spread, options.get("n_neighbors", 1), nominal, **options)

    @pytest.mark.parametrize("nominal", [False, True])
    @pytest.mark.parametrize("unknown", [0, 4])
    def test_unknown_values_count_for_as_many_rows_as_are_known(self, nominal, unknown):
        X = np.random.default_rng(3).integers(0, 3, (12, 3)).astype(float)
        X[12 - unknown :, 0] = np.nan
        y = np.arange(12) % 3
        self.check(X, y, "relieff", naive.closed_form, 2, nominal, n_neighbors=2)


class TestSharedSearch:
    CASES = (
        ("relief", {}), ("relieff", {}), ("relieff", {"sigma": 3.0}), ("relieff", {"scheme": "E"}),
        ("relieff", {"n_instances": 0.5}), ("surf", {}), ("surfstar", {}), ("multisurf", {}), ("multisurfstar", {}),
        ("multisurf", {"n_instances": 0.5}), ("swrfstar", {}), ("reliefe", {"embedding": "pca"}), ("sslrelief", {}),
        ("pct", {"n_trees": 5}), ("learnedrelief", {}),
    )  # fmt: skip

    def same(self, X, y, method, n_jobs=1, **parameters):
        request = check_call(X, y, method, **parameters).prepare(Work(1))
        requests = [request, *(request.permuted(b) for b in range(3))]
        targets = [r.target for r in requests]
        shared = [s.result.scores for s in request.method.for_targets(request.input(Work(n_jobs)), targets)]
        alone = [r.rank(Work(1)).scores for r in requests]
        np.testing.assert_array_equal(shared[0], alone[0])
        np.testing.assert_allclose(shared, alone, rtol=0, atol=1e-7)  # those of shuffles are added up together

    @pytest.mark.parametrize("method, parameters", CASES)
    def test_classes(self, method, parameters):
        rng = np.random.default_rng(5)
        X = rng.normal(size=(60, 8))
        self.same(X, (X[:, 0] > 0).astype(int), method, 2, **parameters)

    @pytest.mark.parametrize("method", ["relieff", "multisurf", "relief"])
    def test_ties_and_a_rare_class(self, method):
        rng = np.random.default_rng(6)
        X = rng.integers(0, 3, (70, 6)).astype(float)
        self.same(X, np.arange(70) < 4, method)
        self.same(X, rng.integers(0, 4, 70), method)

    def test_a_list_that_ends_before_a_class_is_found(self):
        y = np.arange(120) < 60
        X = np.random.default_rng(7).normal(size=(120, 5)) + 9 * y[:, None]  # all near rows are of one class
        self.same(X, y, "relieff", n_neighbors=3)

    @pytest.mark.parametrize("method", ["rrelieff", "multisurf", "sslrelief"])
    def test_numbers(self, method):
        X = np.random.default_rng(8).normal(size=(50, 6))
        self.same(X, X[:, 0] + X[:, 1], method)

    @pytest.mark.parametrize("method", ["rrelieff", "reliefe", "sslrelief"])
    def test_label_sets_and_sparse_data(self, method):
        rng = np.random.default_rng(9)
        X, Y = rng.random((40, 9)) * (rng.random((40, 9)) < 0.4), rng.integers(0, 2, (40, 3))
        self.same(sparse.csr_array(X), Y, method)
        self.same(X, Y, method)

    @pytest.mark.parametrize("method", ["multisurf", "multisurfstar", "relieff"])
    def test_zones_and_lists_of_sparse_and_packed_data(self, method):
        rng = np.random.default_rng(12)
        codes, y = rng.integers(0, 3, (150, 12)), rng.integers(0, 3, 150)
        own = {"n_neighbors": 2} if method == "relieff" else {}
        for X in (sparse.csr_array(codes * (rng.random(codes.shape) < 0.4)), Packed.of(codes)):
            self.same(X, y, method, **own)

    def test_single_precision(self):
        rng = np.random.default_rng(10)
        X = np.round(rng.normal(size=(150, 4500)), 2)
        self.same(X, rng.random(150) < 0.5, "relieff")
        self.same(X, rng.random(150) < 0.5, "multisurf")

    def test_missing_values(self):
        rng = np.random.default_rng(11)
        X = np.where(rng.random((50, 6)) < 0.1, np.nan, rng.normal(size=(50, 6)))
        for missing in ("class-conditional", "ignore", "uniform"):
            self.same(X, X[:, 0] > 0, "relieff", missing=missing)
            self.same(X, np.nan_to_num(X[:, 0]), "rrelieff", missing=missing)

    @pytest.mark.parametrize("method", ["relieff", "multisurf", "rrelieff"])
    def test_orders_that_change_nothing_reach_the_true_scores(self, method):
        rng = np.random.default_rng(3)
        X, y = rng.normal(size=(90, 4)), np.arange(90) % 2
        own = {} if method == "multisurf" else {"n_neighbors": 4}
        request = check_call(X, y + X[:, 0] if method == "rrelieff" else y, method, **own)
        first, *rest = request.method.for_targets(request.input(Work(1)), [request.target] * 4)
        null = NullScores(first)
        for scored in rest:
            null.add(scored)
        assert null.n_reaching.tolist() == [3] * 4
        assert null.pool.reached.min() >= 3


class TestPValues:
    def test_golden(self):
        data = GOLDEN["shuffles"]
        for name, method, y, parameters in (
            ("relieff k=3", "relieff", data["classes"], {"n_neighbors": 3}),
            ("multisurf", "multisurf", data["classes"], {}),
            ("rrelieff k=6 sigma=4", "rrelieff", data["numbers"], {"n_neighbors": 6, "sigma": 4.0}),
        ):
            request = check_call(np.array(data["X"]), np.array(y), method, **parameters)
            targets = [request.target, *(request.target.take(np.array(order)) for order in data["orders"])]
            true, *shuffled = request.method.for_targets(request.input(Work(1)), targets)
            null = NullScores(true)
            for scored in shuffled:
                null.add(scored)
            found, expected = null.significance(14), data[name]
            np.testing.assert_allclose(true.result.scores, expected["score"], atol=SINGLE)
            np.testing.assert_allclose(found.z, expected["z"], atol=SINGLE)
            np.testing.assert_allclose([standardised(s) for s in shuffled], expected["z_shuffled"], atol=SINGLE)
            np.testing.assert_allclose(found.p, expected["p"], atol=1e-12)
            np.testing.assert_allclose(found.q, expected["q"], atol=1e-12)
            np.testing.assert_allclose(found.p, naive.pooled(found.z, [standardised(s) for s in shuffled]))

    def test_own_spread_equals_loops(self):
        rng = np.random.default_rng(0)
        scores, shuffled = rng.normal(size=4), rng.normal(size=(6, 4))
        shuffled[:, 3] = scores[3] = 0
        z, null = naive.own_spread(scores.tolist(), shuffled.tolist())
        pool = pooled_by_own_spread(scores, shuffled)
        np.testing.assert_allclose(pool.z, z)
        np.testing.assert_allclose((1 + pool.reached[:3]) / (1 + pool.size), naive.pooled(z, null)[:3])
        np.testing.assert_allclose(pool.maxima, np.max(null, axis=1))
        assert not np.isfinite(pooled_by_own_spread(scores, shuffled[:2]).z).any()

    @pytest.mark.parametrize("seed", range(5))
    def test_scores_clipped_at_0_have_no_spread_of_rounding_errors(self, seed):
        rng = np.random.default_rng(seed)
        shuffled = np.maximum(rng.normal(size=(50, 40)) - 2, 0)  # most columns have no, one or two scores above 0
        shuffled[:, 0] = rng.normal(size=50)
        shuffled[:, 1] = 1e-17 * rng.normal(size=50)
        scores = np.append([4.0, 0.2], np.zeros(38))
        z, null = naive.own_spread(scores.tolist(), shuffled.tolist())
        pool = pooled_by_own_spread(scores, shuffled)
        np.testing.assert_allclose(pool.z, z)
        assert pool.z[1] == -np.inf
        assert pool.size == np.isfinite(null).sum()
        assert pool.reached[0] == np.sum(np.array(null) >= z[0])
        np.testing.assert_allclose(pool.maxima, np.max(null, axis=1))

    def test_invariances(self):
        rng = np.random.default_rng(2)
        X, rows, columns = rng.normal(size=(40, 6)), rng.permutation(40), rng.permutation(6)
        y = X[:, 0] > 0.4
        z = significance(X, y, "relieff", n_shuffles=3).z
        for other in (
            significance(X * [1, 2, 3, -1, 0.5, 7] - 3, y, "relieff", n_shuffles=3).z,
            significance(sparse.csr_array(X), y, "relieff", n_shuffles=3, n_jobs=2).z,
            significance(X[rows], y[rows], "relieff", n_shuffles=3).z,
        ):
            np.testing.assert_allclose(other, z, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(significance(X[:, columns], y, "relieff", n_shuffles=3).z, z[columns], atol=1e-9)

    @pytest.mark.parametrize("method", ["relieff", "multisurf", "pct"])
    def test_constant_features_and_threads(self, method):
        rng = np.random.default_rng(3)
        X = rng.normal(size=(40, 5))
        X[:, 2] = 1
        options = {"n_trees": 4} if method == "pct" else {}
        one, two = (significance(X, X[:, 0] > 0, method, n_shuffles=5, n_jobs=j, **options) for j in (1, 2))
        assert one.p[2] == one.q[2] == one.family_wise[2] == one.own_p[2] == 1
        assert "own_p counts each alone" in one.notes[0]
        for name in ("z", "p", "q", "family_wise", "own_p"):
            np.testing.assert_array_equal(getattr(one, name), getattr(two, name))

    def test_xor_is_found(self):
        rng = np.random.default_rng(4)
        X = rng.normal(size=(150, 12))
        found = rank(X, (X[:, 0] > 0) != (X[:, 1] > 0), "multisurf", significance=True).significance
        assert set(found.discoveries(0.05)) == {0, 1}
        assert found.n_shuffles == 167
        assert found.smallest == 1 / (1 + 167 * 12)
        assert found.closed_form

    def test_more_shuffles_keep_the_first(self):
        rng = np.random.default_rng(5)
        X, y = rng.normal(size=(40, 6)), rng.random(40) < 0.5
        test = SignificanceTest.of(X, y, "relieff")
        assert list(test.shuffle(4)) == [0, 1, 2, 3, 4]
        first = test.result()
        assert list(test.shuffle(9)) == [4, 5, 6, 7, 8, 9]
        once = significance(X, y, "relieff", n_shuffles=9)
        np.testing.assert_array_equal(test.result().p, once.p)
        np.testing.assert_array_equal(first.p, significance(X, y, "relieff", n_shuffles=4).p)
        np.testing.assert_array_equal(test.ranking.scores, rank(X, y, "relieff").scores)
        assert test.ranking.info["instances"] == 40

    def test_what_is_there_stays_when_it_is_stopped(self):
        rng = np.random.default_rng(6)
        X, y = rng.normal(size=(40, 6)), rng.random(40) < 0.5
        test = SignificanceTest.of(X, y, "relieff")

        def stop(share):
            if test.n_shuffles == 3:
                raise Interrupted

        shuffles = (time.sleep(PAUSE) for _ in test.shuffle(10, progress=stop))  # so that progress is reported
        with pytest.raises(Interrupted):
            list(shuffles)
        assert test.n_shuffles == 3
        np.testing.assert_array_equal(test.result().p, significance(X, y, "relieff", n_shuffles=test.n_shuffles).p)

    def test_blocks_keep_their_targets(self):
        rng = np.random.default_rng(7)
        blocks = np.repeat(["a", "b", "c"], 10)
        y = blocks == "a"
        test = SignificanceTest.of(rng.normal(size=(30, 4)), y, "relieff", blocks=blocks)
        shuffled = test.request.permuted(0, test.blocks).target
        np.testing.assert_array_equal(shuffled.codes, test.request.target.codes)
        y[::2] = ~y[::2]
        test = SignificanceTest.of(rng.normal(size=(30, 4)), y, "relieff", blocks=blocks)
        shuffled = test.request.permuted(0, test.blocks).target
        for block in "abc":
            assert sum(shuffled.codes[blocks == block]) == sum(y[blocks == block])
        assert (shuffled.codes != y).any()

    def test_convergence_decides_once(self):
        rng = np.random.default_rng(8)
        X = rng.normal(size=(60, 5))
        found = SignificanceTest.of(X, X[:, 0] > 0, "relieff", n_instances="converge")
        list(found.shuffle(2))
        assert found.request.parameters["n_instances"] == 60

    def test_too_little_data(self):
        three = significance(np.arange(6.0).reshape(3, 2), [0, 1, 1], "relieff", n_shuffles=5)
        assert three.p.tolist() == three.q.tolist() == [1, 1]
        assert "3 rows are too few" in three.notes[0]
        constant = significance(np.random.default_rng(0).normal(size=(20, 2)), np.ones(20), "rrelieff", n_shuffles=5)
        assert constant.p.tolist() == [1, 1]
        assert "no permutation changes" in constant.notes[0]
        same = significance(np.ones((20, 2)), np.arange(20) % 2, "relieff", n_shuffles=5)
        assert same.p.tolist() == [1, 1]
        assert "no score differs" in same.notes[0]

    @pytest.mark.parametrize("blocks", [np.repeat(np.arange(8), 5), np.arange(40)])
    def test_blocks_that_no_shuffle_changes(self, blocks):
        X, y = np.random.default_rng(9).normal(size=(40, 30)), np.arange(40) >= 20
        X[:, 0] += 5 * y
        found = significance(X, y, "relieff", blocks=blocks)
        for values in (found.p, found.q, found.family_wise, found.own_p):
            assert (values == 1).all()
        assert np.isnan(found.columns["z"]).all()
        assert found.smallest == 1
        assert "no permutation changes" in found.notes[0]

    @pytest.mark.parametrize(
        "y, method, blocks, orders",
        [
            ([0, 0, 1, 1, 1], "relieff", None, 10),
            ([1.0, 2.0, 3.0, 3.0], "rrelieff", None, 12),
            ([0, 1] * 3, "relieff", [0, 0, 1, 1, 2, 2], 8),
            (np.array([[1, 0], [1, 0], [0, 1], [1, 1], [0, 1]]), "rrelieff", None, 30),
        ],
    )
    def test_no_p_is_below_what_different_orders_allow(self, y, method, blocks, orders):
        X = np.random.default_rng(10).normal(size=(len(y), 40))
        found = significance(X, y, method, blocks=blocks, n_shuffles=60)
        for values in (found.p, found.family_wise, found.own_p):
            assert values.min() >= 1 / orders
        assert found.smallest == found.p.min() == 1 / orders
        assert f"only {orders} different orders" in found.notes[-1]

    def test_bad_input(self):
        X, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) < 10
        with pytest.raises(ValueError, match="no target to shuffle"):
            significance(X, None, "urelief")
        with pytest.raises(ValueError, match="n_shuffles"):
            significance(X, y, n_shuffles=0)
        with pytest.raises(ValueError, match="20 rows"):
            significance(X, y, blocks=[1, 2])
        with pytest.raises(ValueError, match="level"):
            significance(X, y, n_shuffles=2).discoveries(1)
        with pytest.raises(ValueError, match="shuffle first"):
            SignificanceTest.of(X, y).result()
        with pytest.raises(TypeError, match="significance"):
            rank(X, y, significance="yes")


def stir(X, y, k):
    """p of Le et al. (2019): t of the diffs of the k nearest hits and misses, as if pairs were independent."""
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    D = np.abs(X[:, None] - X).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    pairs = {True: [], False: []}
    for i in range(len(X)):
        for hit in pairs:
            others = np.flatnonzero((y == y[i]) == hit)
            pairs[hit] += [np.abs(X[i] - X[j]) for j in others[np.argsort(D[i, others], kind="stable")][:k] if j != i]
    return stats.ttest_ind(pairs[False], pairs[True], alternative="greater").pvalue


@pytest.mark.slow
@pytest.mark.parametrize("design", ["normal", "log-normal, 10 % in a class"])
def test_level_holds_without_any_signal(design):
    """30 sets: p are uniform, and discoveries are as rare as they should be; STIR makes them in most sets."""
    found, theirs = {"relieff": [], "multisurf": [], "rrelieff": []}, []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(100, 200))
        X, share = (X, 50) if design == "normal" else (np.exp(X), 10)
        y, numbers = rng.permutation(100) < share, rng.normal(size=100)
        for method in found:
            options = {"n_neighbors": 33} if method == "rrelieff" else {}
            result = significance(X, numbers if method == "rrelieff" else y, method, random_state=seed, **options)
            found[method].append([(result.p <= 0.05).mean(), (result.p <= 0.001).mean(), (result.q <= 0.1).any()])
        theirs.append((stats.false_discovery_control(stir(X, y, 10)) <= 0.1).any())
    for method, rates in found.items():
        at_5, at_01, discoveries = np.mean(rates, axis=0)
        assert 0.04 <= at_5 <= 0.06, method
        assert at_01 < 0.002, method
        assert discoveries <= 0.2, method
    assert np.mean(theirs) > 0.3


@pytest.mark.slow
def test_two_of_fifty_in_xor_are_found():
    hits = {"relieff": 0, "multisurf": 0}
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(400, 50))
        for method in hits:
            hits[method] += (significance(X, (X[:, 0] > 0) != (X[:, 1] > 0), method).q[:2] <= 0.05).all()
    assert min(hits.values()) >= 9
