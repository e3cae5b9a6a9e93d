"""Friedman, Nemenyi, corrected t: published values, SciPy, twins by hand, and what has no answer."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from orangecontrib.reliefe.core.evaluation import (
    average_ranks,
    cliques,
    corrected_t,
    critical_difference,
    friedman,
    nemenyi,
)

BAYCOMP = 0.7456767542018281, 0.24118604092940266, 0.013137204868769237
PUBLISHED = json.loads((Path(__file__).parents[1] / "golden" / "unsupervised_table.json").read_text())
SCORES = np.random.default_rng(5).normal([0.80, 0.81, 0.80, 0.83], 0.02, (14, 4)).round(2)  # with ties


def test_published_differences():
    """Demsar (2006), section 3.2.2, and Petkovic et al. (2021), section 6: seven methods, 26 data sets."""
    assert critical_difference(4, 14, 0.1) == pytest.approx(1.12, abs=5e-3)
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=6e-3)
    assert critical_difference(7, 26) == pytest.approx(1.766, abs=1e-3)


@pytest.mark.parametrize("k, q", [(2, 1.960), (3, 2.344), (5, 2.728), (7, 2.948), (10, 3.164)])
def test_published_quantiles(k, q):
    assert critical_difference(k, 6) == pytest.approx(q * np.sqrt(k * (k + 1) / 36), abs=1e-3)


def test_published_table():
    """Mean ranks, p-value, critical difference and groups of the errors that a paper prints."""
    found = friedman(list(PUBLISHED["errors"].values()), higher_is_better=False)
    assert found.ranks == pytest.approx(PUBLISHED["ranks"], abs=0.0051)
    assert found.p_value == pytest.approx(PUBLISHED["p_value"], rel=0.02)
    difference = critical_difference(len(found.ranks), found.n)
    assert difference == pytest.approx(PUBLISHED["difference"], abs=1e-3)
    groups = [{PUBLISHED["methods"][i] for i in group} for group in cliques(found.ranks, difference)]
    assert groups == [{*group} for group in PUBLISHED["groups"]]


# ---- scikit-posthocs


@pytest.fixture(scope="module")
def posthocs():
    """The other implementation; it draws, too."""
    module = pytest.importorskip("scikit_posthocs")
    pytest.importorskip("matplotlib").use("agg")
    return module


def some_scores(seed):
    """Scores of several methods on some data sets, with ties."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(6, 30)), int(rng.integers(3, 9))
    return rng.normal(np.linspace(0.7, 0.7 + 0.02 * rng.integers(1, 4), k), 0.02, (n, k)).round(2)


@pytest.mark.parametrize("seed", range(4))
def test_p_values_are_those_of_posthocs(posthocs, seed):
    scores = some_scores(seed)
    found = friedman(scores)
    p_values = nemenyi(found.ranks, len(scores))
    np.testing.assert_allclose(p_values, posthocs.posthoc_nemenyi_friedman(scores).to_numpy(), rtol=1e-6, atol=1e-9)
    # Durbin's test of complete blocks is that of Friedman.
    p_value, chi2, _ = posthocs.test_durbin(scores)
    assert (found.p_value, found.chi2) == pytest.approx((p_value, chi2))


@pytest.mark.parametrize("seed", range(4))
def test_groups_are_those_of_posthocs(posthocs, seed):
    scores = some_scores(seed)
    ranks = average_ranks(scores)
    names = [f"method {i}" for i in range(len(ranks))]
    drawn = posthocs.critical_difference_diagram(
        dict(zip(names, ranks)), posthocs.posthoc_nemenyi_friedman(scores).set_axis(names).set_axis(names, axis=1)
    )
    bars = [bar.get_xdata() for line in drawn["crossbars"] for bar in line]
    ends = {(*np.round([min(bar), max(bar)], 6),) for bar in bars}
    groups = cliques(ranks, critical_difference(len(ranks), len(scores)))
    assert {(*np.round([ranks[[*group]].min(), ranks[[*group]].max()], 6),) for group in groups} == ends


def test_friedman_is_that_of_scipy():
    expected = stats.friedmanchisquare(*SCORES.T)
    found = friedman(SCORES)
    assert (found.chi2, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert found.n == 14
    f = 13 * found.chi2 / (42 - found.chi2)
    assert (found.f, found.f_p_value) == pytest.approx((f, stats.f.sf(f, 3, 39)))


def test_direction():
    errors, accuracies = friedman(1 - SCORES, higher_is_better=False), friedman(SCORES)
    assert errors.ranks == pytest.approx(accuracies.ranks)
    assert average_ranks(SCORES, higher_is_better=False) == pytest.approx(5 - accuracies.ranks)


def test_all_equal_and_always_the_same_order():
    equal = friedman(np.ones((5, 3)))
    assert (equal.p_value, equal.f_p_value, equal.ranks.tolist()) == (1, 1, [2, 2, 2])
    same = friedman(np.tile([3.0, 2, 1], (6, 1)))
    assert same.f == np.inf
    assert same.f_p_value == 0
    assert same.chi2 == pytest.approx(12)


def test_chance_is_found_as_often_as_promised():
    rng = np.random.default_rng(0)
    found = np.array([(lambda t: (t.p_value, t.f_p_value))(friedman(rng.random((20, 4)))) for _ in range(400)])
    assert (found < 0.05).mean(axis=0) == pytest.approx(0.05, abs=0.03)


def test_nemenyi_and_the_critical_difference_say_the_same():
    found = friedman(SCORES)
    p_values = nemenyi(found.ranks, 14)
    assert np.array_equal(p_values, p_values.T)
    assert np.array_equal(np.diag(p_values), np.ones(4))
    gaps = np.abs(found.ranks[:, None] - found.ranks)
    for level in (0.05, 0.1, 0.3):
        assert np.array_equal(p_values < level, gaps > critical_difference(4, 14, level))
    assert nemenyi([1.0, 1.0 + critical_difference(3, 9)], 9).shape == (2, 2)
    exact = nemenyi([1.0, 1.0 + critical_difference(3, 9), 2], 9)[0, 1]
    assert exact == pytest.approx(0.05, abs=1e-6)


@pytest.mark.parametrize(
    "ranks, difference, groups",
    [
        ([1, 2, 3, 4], 1.5, [(0, 1), (1, 2), (2, 3)]),
        ([4, 3, 2, 1], 2.5, [(3, 2, 1), (2, 1, 0)]),
        ([1, 1.2, 5, 5.1], 1, [(0, 1), (2, 3)]),
        ([1, 2, 3], 9, [(0, 1, 2)]),
        ([1, 2, 3], 0.5, []),
        ([1, 2, 3], 1, []),
        ([2, 2], 0.1, [(0, 1)]),
    ],
)
def test_groups_that_do_not_differ(ranks, difference, groups):
    assert cliques(ranks, difference) == groups


# ---- one data set


def results(seed=0, m=100, gain=0.01):
    rng = np.random.default_rng(seed)
    second = rng.uniform(0.7, 0.9, m)
    return second + gain + 0.03 * rng.standard_normal(m), second


def test_corrected_t_by_hand():
    first, second = results()
    found, x = corrected_t(first, second, 10, rope=0.005), first - second
    error = np.sqrt((1 / 100 + 1 / 9) * x.var(ddof=1))
    posterior = stats.t(99, x.mean(), error)
    assert found.mean == pytest.approx(x.mean())
    assert (found.low, found.high) == pytest.approx(posterior.interval(0.95))
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(x.mean()) / error, 99))
    assert found.second == pytest.approx(posterior.cdf(-0.005))
    assert found.first == pytest.approx(posterior.sf(0.005))
    assert found.first + found.rope + found.second == pytest.approx(1)


def test_correction_makes_it_more_cautious():
    first, second = results()
    assert corrected_t(first, second, 10).p_value > stats.ttest_rel(first, second).pvalue


def test_the_other_way_round():
    first, second = results(2)
    one, other = corrected_t(first, second, 10, 0.01), corrected_t(second, first, 10, 0.01)
    assert (one.mean, one.low, one.high) == pytest.approx((-other.mean, -other.high, -other.low))
    assert (one.first, one.p_value) == pytest.approx((other.second, other.p_value))
    lower = corrected_t(second, first, 10, 0.01, higher_is_better=False)
    assert (lower.first, lower.second) == pytest.approx((one.first, one.second))
    assert (lower.mean, lower.low, lower.high) == pytest.approx((other.mean, other.low, other.high))


@pytest.mark.parametrize("gain, sides, p_value", [(0, (0, 1, 0), 1), (0.5, (1, 0, 0), 0), (-0.5, (0, 0, 1), 0)])
def test_differences_without_variance(gain, sides, p_value):
    found = corrected_t(np.full(5, 0.25 + gain), np.full(5, 0.25), 5, rope=0.01)
    assert (found.first, found.rope, found.second) == sides
    assert (found.mean, found.low, found.high, found.p_value) == (gain, gain, gain, p_value)


def test_golden_of_baycomp():
    """two_on_single of baycomp 1.0.3: probabilities that the first, none, the second is better."""
    x = np.array([0.01, 0.03, -0.02, 0.04, 0.02, 0.00, 0.05, -0.01, 0.02, 0.03])
    found = corrected_t(0.8 + x, np.full(10, 0.8), 10, rope=0.01)
    assert (found.first, found.rope, found.second) == pytest.approx(BAYCOMP, abs=1e-12)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: friedman([[1, 2, 3]]), "2 data sets and 3 methods, not 1 and 3"),
        (lambda: friedman([[1, 2], [1, 2]]), "not 2 and 2"),
        (lambda: friedman([[1, 2, np.nan], [1, 2, 3]]), "without unknown"),
        (lambda: average_ranks([1, 2]), "data sets, methods"),
        (lambda: critical_difference(1, 5), "k must be at least 2, not 1"),
        (lambda: critical_difference(3, 5, 1), "level must be between"),
        (lambda: nemenyi([1], 5), "k >= 2"),
        (lambda: cliques([1, np.nan], 1), "k >= 2"),
        (lambda: corrected_t([1, 2], [1, 2, 3], 10), "both"),
        (lambda: corrected_t([1], [1], 10), "m >= 2"),
        (lambda: corrected_t([1, np.inf], [1, 2], 10), "finite"),
        (lambda: corrected_t([1, 2], [1, 2], 1), "n_folds must be at least 2"),
        (lambda: corrected_t([1, 2], [1, 2], 2, rope=-1), "rope must be at least 0"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
