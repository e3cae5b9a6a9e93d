"""Global part of margins where targets are numbers: its formula, its gate, and where there is none."""

import numpy as np
import pytest
from scipy import stats

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.learned.global_part import GlobalPart
from orangecontrib.reliefe.core.relief.comparison import Comparison
from orangecontrib.reliefe.core.relief.run import Run
from orangecontrib.reliefe.core.relief.updates.target_change import Probability
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.naive import boosted as naive
from orangecontrib.reliefe.tests.naive import global_part as twin

from .test_global_part import BOOSTED, FORM, mixed

pytestmark = pytest.mark.usefixtures("no_warnings")


def numbers(seed, n=30, missing=0.0):
    """Numeric features with ties and nominal ones, two numbers as targets, missing values among all."""
    X, y, nominal = mixed(seed, n, missing)
    rng = np.random.default_rng(seed)
    Y = np.column_stack([np.round(y + rng.normal(0, 0.5, n), 1), rng.random(n) + np.nan_to_num(X[:, 2])])
    Y[rng.random(n) < missing, 1] = np.nan
    return X, Y, nominal


def ranked_numbers(X, Y, nominal, chosen=None, n_jobs=1):
    made = check_call(X, Y, "boostedrelief", nominal=nominal, task="multi-target")
    chosen = np.ones(len(Y), bool) if chosen is None else chosen
    run = Run.start(Comparison(made.table), made.target, Probability(), chosen, Work(n_jobs))
    return GlobalPart.of(run).ranked(np.arange(run.p)), run


@FORM
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_numbers_are_those_of_plain_loops(form, missing):
    X, Y, nominal = numbers(20, missing=missing)
    chosen = np.arange(30) % 4 > 0
    found, run = ranked_numbers(form(X), Y, nominal, chosen)
    M = found.margins(np.arange(6))
    assert (found.gates > 0).sum() >= 3
    for place, f in enumerate(run.features.columns):
        own = np.array([twin.of_number(X[:, f], u, nominal[f]) for u in Y.T])[:, run.ids[: run.m]]
        gates = [twin.number_gate(X[:, f], u, nominal[f], 6) for u in Y.T]
        np.testing.assert_allclose(found.by_target[place], gates, rtol=0, atol=1e-9)
        assert found.sizes[place] == pytest.approx((own**2).sum() / 2, abs=1e-9)
        np.testing.assert_allclose(M[place], gates @ own / 2, rtol=0, atol=1e-9)


@FORM
def test_numbers_are_tested_by_rank_correlation_and_kruskal_wallis(form):
    X, Y, nominal = numbers(21)
    found, run = ranked_numbers(form(X), Y, nominal)
    for place, f in enumerate(run.features.columns):
        for q, u in enumerate(Y.T):
            x, statistic = X[:, f], found.statistics[place, q]
            if nominal[f]:
                assert statistic == pytest.approx(stats.kruskal(*[u[x == k] for k in np.unique(x)]).statistic)
                assert found.statistics[place, 2 + q] == len(np.unique(x)) - 1
            else:
                assert statistic == pytest.approx(29 * stats.spearmanr(x, u).statistic ** 2)


@BOOSTED
@FORM
def test_several_numbers_agree_with_the_twin(method, form):
    X, Y, nominal = numbers(22, n=24)
    t = np.mean([np.abs(u[:, None] - u) / np.ptp(u) for u in Y.T], axis=0)
    found = rank(form(X), Y, method, nominal=nominal, n_neighbors=3, task="multi-target")
    expected = naive.rank(X, None, nominal, method, t=t, n_neighbors=3, numbers=list(Y.T))
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=1e-9)
    two = rank(form(X), Y, method, nominal=nominal, n_neighbors=3, task="multi-target", n_jobs=3)
    assert np.array_equal(found.scores, two.scores)


def test_targets_without_order_have_no_global_part():
    """Label sets, and categories among several targets; two categories are numbers."""
    X, _, nominal = mixed(23, missing=0)
    labels = np.column_stack([X[:, 0] > 2, X[:, 2] > 1.5]).astype(int)
    assert "gates" not in rank(X, labels, "boostedrelief", nominal=nominal, task="multi-label").info


def test_a_constant_target_among_several_tells_nothing():
    X, Y, nominal = numbers(24)
    Y[:, 1] = 3.0
    found, _ = ranked_numbers(X, Y, nominal)
    assert (found.by_target[:, 1] == 0).all()
    assert (found.by_target[:, 0] > 0).any()
