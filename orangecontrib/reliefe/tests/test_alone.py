"""Tests of features alone, against SciPy's and a twin for one feature at a time, and kinds of discoveries."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse, stats

from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import Packed, Significance, SignificanceTest, Survival, rank, significance
from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.studies.logistic import shares
from orangecontrib.reliefe.tests.naive import smooth_tests as smooth
from orangecontrib.reliefe.tests.naive import studies as naive
from orangecontrib.reliefe.tests.naive.significance import benjamini_hochberg


def by_scipy(column, nominal, y, is_class):
    known = ~np.isnan(column)
    x, y = column[known], y[known]
    if not nominal and not is_class:
        return stats.spearmanr(x, y).pvalue
    if nominal and is_class:
        values = [np.unique(x), np.unique(y)]
        return stats.chi2_contingency(
            [[np.sum((x == a) & (y == b)) for b in values[1]] for a in values[0]], False
        ).pvalue
    groups, numbers = (y, x) if is_class else (x, y)
    return stats.kruskal(*(numbers[groups == g] for g in np.unique(groups))).pvalue


def data(seed, is_class):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 8))
    X[:, 2:4] = rng.integers(0, 3, size=(60, 2))
    X[:, 4] = np.round(X[:, 4])
    X[rng.random((60, 8)) < 0.1] = np.nan
    X[:, 5] = rng.normal(size=60)
    y = np.where(np.isnan(X[:, 0]), 0, X[:, 0]) + rng.normal(size=60)
    return X, rng.integers(0, 3, 60) if is_class else np.round(y, 1), np.isin(np.arange(8), [2, 3])


def doubled(monotone, smooth_test):
    """Twice the smaller p of a test and of a smooth test (chi-square, degrees of freedom), at most 1."""
    return min(1.0, 2 * min(monotone, stats.chi2.sf(*smooth_test)))


def by_waves(column, y, is_class):
    """Chi-square and degrees of freedom of the smooth test of one number without covariates."""
    known = ~np.isnan(column)
    x, y = column[known], y[known]
    nothing = np.zeros((len(x), 0))
    if not is_class:
        return smooth.of_numbers(x, stats.norm.ppf((stats.rankdata(y) - 0.5) / len(y)), nothing)
    codes = np.unique(y, return_inverse=True)[1]
    return smooth.of_classes(x, np.tile(np.bincount(codes) / len(y), (len(y), 1)), codes, nothing)


@pytest.mark.parametrize("is_class", [True, False])
def test_each_feature_has_the_p_values_of_scipy_and_of_the_twin(is_class):
    X, y, nominal = data(1, is_class)
    task = "classification" if is_class else "regression"
    found = significance(X, y, "multisurf", task=task, nominal=nominal, n_shuffles=3).alone
    for a, p in enumerate(found):
        expected = by_scipy(X[:, a], nominal[a], y, is_class)
        if not nominal[a]:
            expected = doubled(expected, by_waves(X[:, a], y, is_class))
        assert p == pytest.approx(expected, rel=1e-8)


def test_score_tests_beside_covariates():
    """Those of the twin; a feature that only follows the covariate is no discovery, though it is one without."""
    for is_class in True, False:
        beside_a_covariate(is_class)


def beside_a_covariate(is_class):
    X, y, nominal = data(1, is_class)
    c = np.cos(np.arange(60)) + np.where(np.isnan(X[:, 7]), 0, X[:, 7])
    X[:, 6] = 2 * c  # determined by the covariate
    if not is_class:
        y = c + 0.1 * y
    options = {"nominal": nominal, "n_shuffles": 3, "task": "classification" if is_class else "regression"}
    study = check_call(X, y, "multisurf", covariates=c, nominal=nominal, task=options["task"]).study
    found = significance(X, y, "multisurf", covariates=c, **options).alone
    for a in range(8):
        known = ~np.isnan(X[:, a])
        x, Z = X[known, a], study.Z[known]
        if is_class:
            e = shares(np.asarray(y)[known], Z, 3)[:, 1:]
            r, v = np.eye(3)[y[known]][:, 1:] - e, [np.diag(p) - np.outer(p, p) for p in e]
        else:
            scores = stats.norm.ppf((stats.rankdata(y[known]) - 0.5) / known.sum())
            A = np.column_stack([np.ones(len(Z)), Z])
            r = (scores - A @ np.linalg.lstsq(A, scores, rcond=None)[0])[:, None]
            v = np.full((len(r), 1, 1), (r * r).sum() / (len(r) - A.shape[1]))
        columns = (x[:, None] == np.unique(x)[1:] if nominal[a] else x[:, None]).astype(float)
        freedom = columns.shape[1] * r.shape[1]
        expected = 1.0 if a == 6 else stats.chi2.sf(naive.score_test(columns, r, v, Z), freedom)
        if not nominal[a]:
            waves = (
                smooth.of_classes(x, shares(y[known], Z, 3), y[known], Z)
                if is_class
                else smooth.of_numbers(x, scores, Z)
            )
            expected = doubled(expected, waves)
        np.testing.assert_allclose(found[a], expected, rtol=1e-6)
    if not is_class:
        assert significance(X, y, "multisurf", **options).alone[6] < 1e-6


def test_forms_of_data_give_the_same():
    rng = np.random.default_rng(4)
    codes, y = rng.integers(0, 3, size=(40, 7)), rng.integers(0, 2, 40)
    dense = significance(codes.astype(float), y, "multisurf", n_shuffles=3).alone
    as_sparse = significance(sparse.csr_array(codes.astype(float)), y, "multisurf", n_shuffles=3).alone
    packed = significance(Packed.of(codes.astype(np.int8), additive=True), y, "multisurf", n_shuffles=3).alone
    np.testing.assert_allclose(as_sparse, dense)
    np.testing.assert_allclose(packed, dense)


def test_numbers_of_two_values_have_one_test():
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 2, size=(80, 2)).astype(float), rng.integers(0, 2, 80)
    X[:9, 1] = np.nan
    found = significance(X, y, "multisurf", n_shuffles=3).alone
    np.testing.assert_allclose(found, [by_scipy(x, False, y, True) for x in X.T], rtol=1e-9)


@pytest.mark.parametrize("kind", ["classes", "number", "times"])
@pytest.mark.parametrize("curve", [np.square, np.abs, lambda x: np.abs(x) < 0.67, lambda x: np.cos(3 * x)])
def test_effects_that_are_not_monotone_are_seen_alone(kind, curve):
    rng = np.random.default_rng(8)
    x = rng.normal(size=200)
    effect = stats.zscore(curve(x).astype(float))
    X = np.column_stack([x, rng.normal(size=(200, 2))])
    if kind == "classes":
        y = (effect + rng.logistic(size=200) > 0).astype(int)
    elif kind == "number":
        y = effect + rng.normal(size=200)
    else:
        y = Survival(rng.exponential(size=200) * np.exp(-effect), rng.random(200) < 0.7)
    alone = significance(X, y, "multisurf", n_shuffles=3).alone
    assert alone[0] < 0.001
    assert alone[1:].min() > 0.01


def test_a_wide_spread_is_no_effect_alone():
    """A product of two numbers makes the target vary more in rows in which one of them is large."""
    p = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(200, 4))
        y = 2 * X[:, 0] * X[:, 1] + 2 * X[:, 2] * X[:, 3]
        p.append(significance(X, y, "multisurf", n_shuffles=3).alone)
    assert (np.array(p) <= 0.05).mean() <= 0.1


def test_constants_and_few_rows_are_no_discoveries():
    X = np.c_[np.ones(12), np.full(12, np.nan), np.arange(12.0)]
    X[0, 1] = 1
    found = significance(X, np.arange(12) % 2, "relieff", n_neighbors=2, n_shuffles=3)
    np.testing.assert_array_equal(found.alone[:2], 1)
    assert found.alone[2] < 1


def test_other_targets_have_none():
    X = np.random.default_rng(0).normal(size=(30, 3))
    found = significance(X, X[:, :2] + 1, "rrelieff", n_shuffles=3)
    assert found.alone is None
    assert found.kind is None
    assert found.kinds(0.2) is None


@given(st.lists(st.tuples(*[st.sampled_from([0.0001, 0.01, 0.04, 0.06, 0.9])] * 2), min_size=1, max_size=8))
def test_kinds_follow_one_false_discovery_rate(pairs):
    p, alone = np.array(pairs).T
    found = Significance(p, p, np.zeros(len(p)), p, p, 9, 0.01, alone=alone)
    q = benjamini_hochberg([*p, *alone])
    for kind, by_score, by_itself, own in zip(found.kinds(0.1), q[: len(p)], q[len(p) :], alone, strict=True):
        expected = ""
        if by_score <= 0.1:
            expected = "both" if by_itself <= 0.1 or own <= 0.05 else "only together"
        assert kind == expected


def test_only_discoveries_by_the_score_have_a_kind():
    p, q = np.array([0.001, 0.02, 0.3]), np.array([0.01, 0.12, 0.57])
    found = Significance(p, p, q, p, p, 9, 0.01, alone=np.full(3, 0.0001))
    assert found.kinds(0.1).tolist() == ["both", "", ""]
    assert found.kinds(0.2).tolist() == ["both", "both", ""]


def test_a_pair_acts_only_together_and_an_effect_alone():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 12))
    y = (X[:, 0] * X[:, 1] > 0) ^ (X[:, 2] > 1)
    found = rank(X, y, "multisurf", significance=True).significance
    assert list(found.kind[:2]) == ["only together"] * 2
    z = rank(X, X[:, 3] + rng.normal(size=300), "multisurf", significance=True).significance
    assert z.kind[3] == "both"
    assert not any(kind == "only together" for kind in z.kind)


def test_the_command_line_prints_p_and_q_and_writes_kinds(capsys):
    assert cli.main(["rank", "iris", "--significance", "20", "--method", "multisurf"]) == 0
    printed = capsys.readouterr().out
    assert len(re.findall(r" p [\d.e-]+ +q [\d.e-]+", printed)) == 4
    assert "the kind of discoveries" in printed
    assert "both" not in printed
    assert cli.main(["rank", "iris", "--significance", "20", "--method", "multisurf", "--json"]) == 0
    features = json.loads(capsys.readouterr().out)["features"]
    assert [feature["kind"] for feature in features] == ["both"] * 3 + [""]
    assert max(feature["alone"] for feature in features) < 0.001


@pytest.mark.parametrize("level", [0, 1, 2.0, "a"])
def test_levels_are_checked(level):
    found = Significance(*[np.ones(2)] * 5, 9, 0.01, alone=np.ones(2))
    with pytest.raises((ValueError, TypeError), match="level"):
        found.kinds(level)


def test_more_shuffles_keep_them():
    X = np.random.default_rng(0).normal(size=(30, 3))
    test = SignificanceTest.of(X, X[:, 0] > 0, "relieff", n_neighbors=3)
    list(test.shuffle(3))
    first = test.result().alone
    list(test.shuffle(5))
    np.testing.assert_array_equal(test.result().alone, first)
