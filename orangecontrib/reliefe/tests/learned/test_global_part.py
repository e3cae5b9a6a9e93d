"""Global part of margins: its formula, its gate, what it leaves alone, and the weights for neighbours."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse, stats

from orangecontrib.reliefe.core import Interrupted, rank
from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.learned.global_part import GlobalPart
from orangecontrib.reliefe.core.learned.stump_weights import steps
from orangecontrib.reliefe.core.relief.comparison import Comparison
from orangecontrib.reliefe.core.relief.run import Run
from orangecontrib.reliefe.core.relief.updates.hit_miss import HitMiss
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.naive import boosted as naive
from orangecontrib.reliefe.tests.naive import global_part as twin
from orangecontrib.reliefe.tests.naive.diffs import differences, distances
from orangecontrib.reliefe.tests.samples import SMALL, examples, make

BOOSTED = pytest.mark.parametrize("method", ["boostedrelief", "boostedlearnedrelief"])
FORM = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "csr"])

pytestmark = pytest.mark.usefixtures("no_warnings")


def ranked(X, y, nominal=None, moved=None, chosen=None, n_jobs=1):
    """The global part of all features, and the features as the run orders them."""
    made = check_call(X, y, "relieff", nominal=nominal)
    chosen = np.ones(len(y), bool) if chosen is None else chosen
    run = Run.start(Comparison(made.table, strategy="class-conditional"), made.target, HitMiss(), chosen, Work(n_jobs))
    return replace(GlobalPart.of(run), donors=moved).ranked(np.arange(run.p)), run


def margins(X, y, nominal=None, **options):
    """Margins (p, n, C - 1) before the gate is applied and gates (p,), rows and features as the caller numbers them."""
    found, run = ranked(X, y, nominal, **options)
    open_ = np.flatnonzero(found.gates > 0)
    M = np.zeros((run.p, run.m, run.n_groups - 1))
    M[open_] = found.margins(open_).reshape(len(open_), run.m, -1) / found.gates[open_, None, None]
    out, gates = np.empty_like(M), np.empty(run.p)
    out[np.ix_(run.features.columns, run.ids[: run.m])] = M
    gates[run.features.columns] = found.gates
    return out, gates


def mixed(seed, n=30, missing=0.1):
    """Numbers with ties, nominal features, missing values; three classes, one of one row and one of two."""
    rng = np.random.default_rng(seed)
    y = np.array([0, 1, 1, *rng.integers(2, 4, n - 3)])
    X = np.c_[rng.integers(0, 4, (n, 2)) + y[:, None], rng.random((n, 2)) + y[:, None], rng.integers(0, 3, (n, 2))]
    X[:, 4] = (X[:, 4] + y) % 3
    X[rng.random(X.shape) < missing] = np.nan
    return X.astype(float), y, np.arange(6) >= 4


@FORM
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_margins_are_those_of_plain_loops(form, missing):
    X, y, nominal = mixed(0, missing=missing)
    M, gates = margins(form(X), y, nominal)
    assert (gates > 0).sum() >= 4
    for f in range(6):
        own = (twin.of_shares if nominal[f] else twin.of_means)(X[:, f], y)
        assert gates[f] == pytest.approx(twin.gate(X[:, f], y, nominal[f], 6), abs=1e-9)
        if gates[f] > 0:
            np.testing.assert_allclose(M[f].ravel(), own, rtol=0, atol=1e-9)


@FORM
def test_sizes_are_those_of_all_margins(form):
    """Also of features whose gate is shut, and where not all rows are targets."""
    X, y, nominal = mixed(1)
    found, run = ranked(form(X), y, nominal, chosen=np.arange(30) % 3 > 0)
    for place, f in enumerate(run.features.columns):
        own = np.reshape((twin.of_shares if nominal[f] else twin.of_means)(X[:, f], y), (30, -1))[run.ids[: run.m]]
        assert found.sizes[place] == pytest.approx((own**2).sum(), abs=1e-9)


@FORM
def test_the_gate_is_by_kruskal_wallis_and_chi_square(form):
    X, y, nominal = mixed(2)
    found, run = ranked(form(X), y, nominal)
    for (H, freedom), f in zip(found.statistics, run.features.columns, strict=True):
        known = ~np.isnan(X[:, f])
        x, c = X[known, f], y[known]
        if nominal[f]:
            table = np.array([[np.sum((x == v) & (c == k)) for k in np.unique(c)] for v in np.unique(x)])
            expected = stats.chi2_contingency(table, correction=False)
            assert (H, freedom) == (pytest.approx(expected.statistic), expected.dof)
        else:
            assert pytest.approx(stats.kruskal(*[x[c == k] for k in np.unique(c)]).statistic) == H
            assert freedom == len(np.unique(c)) - 1


def test_the_gate_is_shut_for_what_the_best_of_as_many_useless_features_reaches():
    rng = np.random.default_rng(0)
    n, p = (40, 20) if SMALL else (200, 400)
    found, _ = ranked(rng.random((n, p)), np.arange(n) % 2)
    assert (found.gates > 0).sum() <= 4
    assert found.gates.max() < 0.5
    alone, _ = ranked(np.arange(n)[:, None] * 1.0, np.arange(n) >= n // 2)
    limit = stats.chi2.isf(0.5, 1)  # one feature: probability one half
    assert alone.gates[0] == pytest.approx(1 - limit / alone.statistics[0, 0])


def test_monotone_transforms_and_new_codes_change_nothing():
    X, y, nominal = mixed(3)
    other = X.copy()
    other[:, :4] = np.exp(X[:, :4])
    other[:, 4:] = np.array([5.0, 0.0, 7.0, np.nan])[np.where(np.isnan(X[:, 4:]), 3, X[:, 4:]).astype(int)]
    (M, gates), (M2, gates2) = margins(X, y, nominal), margins(other, y, nominal)
    np.testing.assert_allclose(gates2, gates, rtol=0, atol=1e-12)
    np.testing.assert_allclose(M2, M, rtol=0, atol=1e-9)


def xor(n=64, p=20):
    """Two of p features that decide together, neither alone; every value of both is as frequent in both classes."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (n, p)).astype(float)
    X[:, 0], X[:, 1] = np.arange(n) % 2, np.arange(n) // 2 % 2
    return X, (X[:, 0] != X[:, 1]).astype(int)


@BOOSTED
def test_interactions_have_their_neighbours_alone(method):
    X, y = xor(64 if SMALL else 256)
    found = rank(X, y, method, nominal=np.ones(20, bool), n_neighbors=10)
    assert set(found.ranking[:2]) == {0, 1}
    assert found.info["gates"][:2] == [0, 0]
    part, run = ranked(X, y, np.ones(20, bool))
    shut = run.features.columns[part.gates == 0]
    assert len(shut) >= 15
    old = rank(X, y, method, nominal=np.ones(20, bool), n_neighbors=10, global_part=False)
    np.testing.assert_allclose(found.scores[shut], old.scores[shut], rtol=0, atol=1e-3)  # the quantile of all spreads


@BOOSTED
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_old_list_can_be_had(method, task):
    data = make(4, task, n=26, n_classes=3)
    given_ = {"nominal": data.nominal, "task": task, "n_neighbors": 3}
    old, new = (rank(data.X, data.y, method, global_part=on, **given_) for on in (False, True))
    t = None if task == "classification" else np.abs(data.y[:, None] - data.y) / np.ptp(data.y)
    y = data.y if t is None else None
    expected = naive.rank(data.X, y, data.nominal, method, t=t, n_neighbors=3, global_part=False)
    np.testing.assert_allclose(old.scores, expected, rtol=0, atol=1e-9)
    assert "gates" not in old.info
    assert not np.array_equal(old.scores, new.scores)
    assert len(new.info["gates"]) == len(new.info["selected"])


@BOOSTED
@FORM
def test_missing_values_of_all_features_and_small_classes(method, form):
    X, y, nominal = mixed(5, n=24, missing=0.2)
    found = rank(form(X), y, method, nominal=nominal, n_neighbors=3)
    expected = naive.rank(X, y, nominal, method, n_neighbors=3)
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=1e-9)


@BOOSTED
def test_a_feature_given_twice_comes_later_again(method):
    data = make(6, n=40, p=6, nominal=(), n_classes=2)
    signal = data.y + np.random.default_rng(0).normal(0, 0.5, 40)
    X = np.c_[data.X, signal, signal]
    found = rank(X, data.y, method, n_neighbors=5)
    places = found.info["selected"]
    assert places.index(6) < places.index(7)
    M, gates = margins(X, data.y)
    assert gates[6] == gates[7] > 0
    np.testing.assert_array_equal(M[6], M[7])


@BOOSTED
def test_the_order_of_columns_does_not_matter(method):
    data = make(7, n=40, p=9, nominal=(1, 4), n_classes=3)
    order = np.random.default_rng(1).permutation(9)
    a = rank(data.X, data.y, method, nominal=data.nominal, n_neighbors=4).scores
    b = rank(data.X[:, order], data.y, method, nominal=data.nominal[order], n_neighbors=4).scores
    np.testing.assert_allclose(b, a[order], rtol=0, atol=1e-9)


@BOOSTED
@FORM
def test_bits_do_not_depend_on_threads(method, form):
    X, y, nominal = mixed(8, n=40)
    one, two = (rank(form(X), y, method, nominal=nominal, n_neighbors=4, n_jobs=jobs) for jobs in (1, 3))
    assert np.array_equal(one.scores, two.scores)
    assert one.info["weights"] == two.info["weights"]
    assert one.info["null_gain"] == two.info["null_gain"]


@given(seed=st.integers(0, 10**6), missing=st.sampled_from([0.0, 0.2]))
@examples(15)
def test_dense_and_sparse_agree(seed, missing):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((25, 8)) < 0.6, 0, rng.integers(-3, 4, (25, 8)).astype(float))
    X[:, 6:] = np.abs(X[:, 6:])
    X[rng.random(X.shape) < missing] = np.nan
    y = np.r_[0, 1, 2, rng.integers(0, 3, 22)]
    moved, nominal = rng.permutation(25), np.arange(8) >= 6
    a, b = (ranked(form(X), y, nominal, moved)[0] for form in (np.asarray, sparse.csr_array))
    np.testing.assert_allclose(a.statistics, b.statistics, rtol=0, atol=1e-9)
    np.testing.assert_allclose(a.sizes, b.sizes, rtol=0, atol=1e-9)
    open_ = np.flatnonzero(a.gates > 0)
    np.testing.assert_allclose(a.margins(open_), b.margins(open_), rtol=0, atol=1e-9)


def test_shuffled_targets_have_margins_and_gates_of_their_own():
    """Rows that have the values of others: as if these had been in the data."""
    X, y, nominal = mixed(9)
    _, run = ranked(X, y, nominal)
    moved = np.random.default_rng(0).permutation(30)
    found, _ = ranked(X, y, nominal, moved)
    other = X.copy()
    other[run.ids] = X[run.ids[moved]]
    expected, _ = ranked(other, y, nominal)
    np.testing.assert_allclose(found.gates, expected.gates, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.sizes, expected.sizes, rtol=0, atol=1e-9)


@BOOSTED
def test_weights_of_distances_are_by_neighbours_alone(method):
    """Found again along the list, by margins without the global part."""
    data = make(10, n=30, p=8, n_classes=3)
    more = {"rounds": 0} if "learned" in method else {}
    found = rank(data.X, data.y, method, nominal=data.nominal, n_neighbors=4, **more)
    D = differences(data.X, data.nominal, data.y)
    M = naive.margins(D, [np.round(distances(D), 11)] * 8, data.y, None, 4)
    M, rho = twin.over_its_size(M), naive.shares(data.y, 30, None)
    s = np.sqrt(rho @ M**2)
    divisors, h, expected = s + np.quantile(s[s > 0], 0.25), np.zeros(len(M)), []
    for f in found.info["selected"]:
        B, q = M[:, f] / divisors[f], 1 / (1 + np.exp(h))
        alpha = 0.25 * np.clip((rho * q) @ B / ((rho * q * (1 - q)) @ B**2), 0, 2)
        h += alpha * B
        expected.append(alpha / divisors[f])
    np.testing.assert_allclose(found.info["weights"], expected, rtol=0, atol=1e-9)
    assert min(found.info["weights"]) >= 0


def test_steps_are_within_bounds():
    """A stump that is wrong everywhere, one that is right, and one that says nothing."""
    stumps = np.array([np.full(4, -1.0), np.full(4, 0.01), np.zeros(4)])
    assert steps(stumps, np.full(4, 0.25), 0.5).tolist() == [0, 1, 0]


@BOOSTED
def test_prediction_first_is_a_step_of_one_half(method):
    data = make(11, n=30, p=8)
    word, number = (rank(data.X, data.y, method, eta=eta, n_neighbors=4) for eta in ("prediction-first", 0.5))
    assert np.array_equal(word.scores, number.scores)
    with pytest.raises(TypeError, match="'prediction-first'"):
        rank(data.X, data.y, method, eta="prediction")


@BOOSTED
def test_it_reports_and_can_be_stopped(method):
    data = make(12, n=40, p=30)
    shares = []
    rank(data.X, data.y, method, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def stop(share):
        raise Interrupted

    with pytest.raises(Interrupted):
        rank(data.X, data.y, method, progress=stop)


@pytest.mark.parametrize("step", ["ranked", "margins"])
def test_its_parts_look_whether_to_stop(step):
    X, y, nominal = mixed(12)
    found, run = ranked(X, y, nominal)
    run.work._stopped = True
    with pytest.raises(Interrupted):
        found.margins(np.arange(6)) if step == "margins" else found.part.ranked(np.arange(6))


@pytest.mark.slow
@pytest.mark.skipif(SMALL, reason="many rows")
@pytest.mark.parametrize("seed", [0, 1])
def test_features_that_add_up_are_counted(seed):
    """In a learned space, where rows of another class are rare nearby and so farther in every feature."""
    rng = np.random.default_rng(seed)
    X = (rng.random((1000, 20)) < 0.2).astype(float) + (rng.random((1000, 20)) < 0.2)
    y = X[:, :4].sum(axis=1) + rng.normal(0, 0.7, 1000)
    found = rank(X, (y > np.median(y)).astype(int), "boostedlearnedrelief", nominal=np.ones(20, bool))
    assert set(found.ranking[:4]) == {0, 1, 2, 3}
    assert 4 <= found.info["stopped"] <= 6
