"""Global part of margins: its formula, its gate, what it leaves alone, and the weights for neighbours."""

import numpy as np
import pytest
from scipy import sparse, stats

from orangecontrib.reliefe.core import Interrupted, rank
from orangecontrib.reliefe.tests.naive import boosted as naive
from orangecontrib.reliefe.tests.naive import global_part as twin
from orangecontrib.reliefe.tests.naive.diffs import differences, distances
from orangecontrib.reliefe.tests.samples import SMALL, make

BOOSTED = pytest.mark.parametrize("method", ["boostedrelief", "boostedlearnedrelief"])
FORM = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "csr"])

pytestmark = pytest.mark.usefixtures("no_warnings")


def mixed(seed, n=30, missing=0.1):
    """Numbers with ties, nominal features, missing values; three classes, one of one row and one of two."""
    rng = np.random.default_rng(seed)
    y = np.array([0, 1, 1, *rng.integers(2, 4, n - 3)])
    X = np.c_[rng.integers(0, 4, (n, 2)) + y[:, None], rng.random((n, 2)) + y[:, None], rng.integers(0, 3, (n, 2))]
    X[:, 4] = (X[:, 4] + y) % 3
    X[rng.random(X.shape) < missing] = np.nan
    return X.astype(float), y, np.arange(6) >= 4


def numbers(seed, n=30, missing=0.0):
    """Numeric features with ties and nominal ones, two numbers as targets, missing values among all."""
    X, y, nominal = mixed(seed, n, missing)
    rng = np.random.default_rng(seed)
    Y = np.column_stack([np.round(y + rng.normal(0, 0.5, n), 1), rng.random(n) + np.nan_to_num(X[:, 2])])
    Y[rng.random(n) < missing, 1] = np.nan
    return X, Y, nominal


def gates(X, y, nominal, method="boostedrelief", **options):
    """Gates (p,) of all features, which is what one is told of those that are kept."""
    info = rank(X, y, method, nominal=nominal, keep=range(X.shape[1]), **options).info
    return np.array(info["gates"])[np.argsort(info["selected"])]


def gate(statistic, freedom, p):
    """Share of the global part that counts, by a statistic that chi-square exceeds with probability 1 / p."""
    return max(0.0, 1 - stats.chi2.isf(min(1 / p, 0.5), freedom) / statistic)


@FORM
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_the_gate_of_classes_is_by_kruskal_wallis_and_chi_square(form, missing):
    X, y, nominal = mixed(2, missing=missing)
    expected = []
    for f in range(6):
        known = ~np.isnan(X[:, f])
        x, c = X[known, f], y[known]
        if nominal[f]:
            table = np.array([[np.sum((x == v) & (c == k)) for k in np.unique(c)] for v in np.unique(x)])
            found = stats.chi2_contingency(table, correction=False)
            expected.append(gate(found.statistic, found.dof, 6))
        else:
            groups = [x[c == k] for k in np.unique(c)]
            expected.append(gate(stats.kruskal(*groups).statistic, len(groups) - 1, 6))
    assert np.count_nonzero(expected) >= 3
    np.testing.assert_allclose(gates(form(X), y, nominal), expected, rtol=0, atol=1e-9)


@FORM
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_the_gate_of_numbers_is_by_rank_correlation_and_kruskal_wallis(form, missing):
    """The largest one of two targets; ranks are those of all known values of a feature, or of a target."""
    X, Y, nominal = numbers(21, missing=missing)
    expected = []
    for f in range(6):
        by_target = []
        for u in Y.T:
            known = ~np.isnan(X[:, f]) & ~np.isnan(u)
            x, ranks = X[known, f], stats.rankdata(u, nan_policy="omit")[known]
            if nominal[f]:
                values = np.unique(x)
                z = (ranks - ranks.mean()) / ranks.std()
                H = (len(x) - 1) / len(x) * sum(z[x == v].sum() ** 2 / np.sum(x == v) for v in values)
                by_target.append(gate(H, len(values) - 1, 6))
            else:
                own_ranks = stats.rankdata(X[:, f], nan_policy="omit")[known]
                r = np.corrcoef(own_ranks, ranks)[0, 1]
                by_target.append(gate((len(x) - 1) * r**2, 1, 6))
        expected.append(max(by_target))
    assert np.count_nonzero(expected) >= 3
    found = gates(form(X), Y, nominal, task="multi-target")
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_the_gate_is_shut_for_what_the_best_of_as_many_useless_features_reaches():
    rng = np.random.default_rng(0)
    n, p = (40, 20) if SMALL else (200, 400)
    found = gates(rng.random((n, p)), np.arange(n) % 2, None)
    assert (found > 0).sum() <= 4
    assert found.max() < 0.5
    x, y = np.arange(n) * 1.0, np.arange(n) >= n // 2
    H = stats.kruskal(x[y], x[~y]).statistic
    assert gates(x[:, None], y, None) == pytest.approx(gate(H, 1, 1))  # one feature: probability one half


def test_monotone_transforms_and_new_codes_change_no_gate():
    X, y, nominal = mixed(3)
    other = X.copy()
    other[:, :4] = np.exp(X[:, :4])
    other[:, 4:] = np.array([5.0, 0.0, 7.0, np.nan])[np.where(np.isnan(X[:, 4:]), 3, X[:, 4:]).astype(int)]
    np.testing.assert_allclose(gates(other, y, nominal), gates(X, y, nominal), rtol=0, atol=1e-12)


@BOOSTED
@FORM
@pytest.mark.parametrize("n_instances", [None, 13])
def test_classes_agree_with_the_twin(method, form, n_instances):
    """Missing values of all features, a class of one row and one of two; any number of threads."""
    X, y, nominal = mixed(5, n=24, missing=0.2)
    given = {"n_neighbors": 3, "n_instances": n_instances, "random_state": 3}
    one, two = (rank(form(X), y, method, nominal=nominal, n_jobs=jobs, **given) for jobs in (1, 3))
    np.testing.assert_allclose(one.scores, naive.rank(X, y, nominal, method, **given), rtol=0, atol=1e-9)
    assert np.array_equal(one.scores, two.scores)
    assert (one.info["weights"], one.info["null_gain"]) == (two.info["weights"], two.info["null_gain"])


@BOOSTED
@FORM
@pytest.mark.parametrize("n_instances", [None, 13])
def test_several_numbers_agree_with_the_twin(method, form, n_instances):
    X, Y, nominal = numbers(22, n=24)
    t = np.mean([np.abs(u[:, None] - u) / np.ptp(u) for u in Y.T], axis=0)
    given = {"n_neighbors": 3, "n_instances": n_instances, "random_state": 3}
    expected = naive.rank(X, None, nominal, method, t=t, numbers=list(Y.T), **given)
    one, two = (rank(form(X), Y, method, nominal=nominal, task="multi-target", n_jobs=jobs, **given) for jobs in (1, 3))
    np.testing.assert_allclose(one.scores, expected, rtol=0, atol=1e-9)
    assert np.array_equal(one.scores, two.scores)


def test_targets_without_order_have_no_global_part():
    """Label sets, and categories among several targets; two categories are numbers."""
    X, _, nominal = mixed(23, missing=0)
    labels = np.column_stack([X[:, 0] > 2, X[:, 2] > 1.5]).astype(int)
    assert "gates" not in rank(X, labels, "boostedrelief", nominal=nominal, task="multi-label").info


def test_a_constant_target_among_several_tells_nothing():
    X, Y, nominal = numbers(24)
    Y[:, 1] = 3.0
    found = gates(X, Y, nominal, task="multi-target")
    assert (found > 0).any()
    np.testing.assert_allclose(found, gates(X, Y[:, 0], nominal, task="regression"), rtol=0, atol=1e-12)


def xor(n=64, p=20):
    """Two of p features that decide together, neither alone; every value of both is as frequent in both classes."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (n, p)).astype(float)
    X[:, 0], X[:, 1] = np.arange(n) % 2, np.arange(n) // 2 % 2
    return X, (X[:, 0] != X[:, 1]).astype(int)


@BOOSTED
def test_interactions_have_their_neighbours_alone(method):
    X, y = xor(64 if SMALL else 256)
    given = {"nominal": np.ones(20, bool), "n_neighbors": 10}
    found = rank(X, y, method, **given)
    assert set(found.ranking[:2]) == {0, 1}
    assert found.info["gates"][:2] == [0, 0]
    shut = gates(X, y, method=method, **given) == 0
    assert shut.sum() >= 15
    old = rank(X, y, method, global_part=False, **given)
    np.testing.assert_allclose(found.scores[shut], old.scores[shut], rtol=0, atol=1e-3)  # the quantile of all spreads


@BOOSTED
def test_a_feature_given_twice_comes_later_again(method):
    data = make(6, n=40, p=6, nominal=(), n_classes=2)
    signal = data.y + np.random.default_rng(0).normal(0, 0.5, 40)
    X = np.c_[data.X, signal, signal]
    places = rank(X, data.y, method, n_neighbors=5).info["selected"]
    assert places.index(6) < places.index(7)
    found = gates(X, data.y, None, method)
    assert found[6] == found[7] > 0


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
def test_the_order_of_columns_does_not_matter(method):
    data = make(7, n=40, p=9, nominal=(1, 4), n_classes=3)
    order = np.random.default_rng(1).permutation(9)
    a = rank(data.X, data.y, method, nominal=data.nominal, n_neighbors=4).scores
    b = rank(data.X[:, order], data.y, method, nominal=data.nominal[order], n_neighbors=4).scores
    np.testing.assert_allclose(b, a[order], rtol=0, atol=1e-9)


@BOOSTED
def test_weights_of_distances_are_by_neighbours_alone(method):
    """Found again along the list, by margins without the global part."""
    data = make(10, n=30, p=8, n_classes=3)
    more = {"rounds": 0} if "learned" in method else {}
    found = rank(data.X, data.y, method, nominal=data.nominal, n_neighbors=4, **more)
    D = differences(data.X, data.nominal, data.y)
    M = naive.margins(D, [np.round(distances(D), 11)] * 8, data.y, None, 4, range(30))
    M, rho = M / twin.size(M), naive.shares(data.y, range(30), None)
    s = np.sqrt(rho @ M**2)
    divisors, h, expected = s + np.quantile(s[s > 0], 0.25), np.zeros(len(M)), []
    for f in found.info["selected"]:
        B, q = M[:, f] / divisors[f], 1 / (1 + np.exp(h))
        alpha = 0.25 * np.clip((rho * q) @ B / ((rho * q * (1 - q)) @ B**2), 0, 2)
        h += alpha * B
        expected.append(alpha / divisors[f])
    np.testing.assert_allclose(found.info["weights"], expected, rtol=0, atol=1e-9)
    assert min(found.info["weights"]) >= 0


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
