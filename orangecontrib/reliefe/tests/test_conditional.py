"""Conditional p-values: whether a feature adds to what the remaining features say."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import Interrupted, Packed, Survival, conditional_significance, rank
from orangecontrib.reliefe.tests.naive.conditional import answer


def copies(seed, n=150, p=8):
    """Numbers: feature 0 acts on two classes, 1 is a noisy copy of it, and the rest are useless."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X[:, 1] = 0.8 * X[:, 0] + 0.6 * X[:, 1]
    return X, (2 * X[:, 0] + rng.logistic(size=n) > 0).astype(int)


def numbers_of_two_values(seed):
    """60 rows: a number that follows features of two values, and two classes that follow both."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=60), rng.integers(0, 2, (60, 4))])
    X[:, 0] += X[:, 1]
    return X, (X[:, 0] + X[:, 2] + 3 * rng.normal(size=60) > 1).astype(int)


def number_by_parity(seed):
    """The same with a number that follows the parity of two features, too."""
    X, y = numbers_of_two_values(seed)
    X[:, 0] += 2 * (X[:, 2] != X[:, 3])
    return X, y


def number_by_spread(seed):
    """The same with a number whose spread depends on a feature."""
    X, y = numbers_of_two_values(seed)
    X[:, 0] *= np.where(X[:, 4] > 0, 4, 1)
    return X, y


def number_by_steps(seed):
    """The same with a number that is a sum of steps, which normal scores bend."""
    X, y = numbers_of_two_values(seed)
    X[:, 0] = 3 * X[:, 1] + 3 * X[:, 2] + 0.3 * np.random.default_rng([seed, 1]).normal(size=60)
    return X, y


def number_by_product(seed):
    """60 rows of four numbers, of which one follows the product of two others."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4))
    X[:, 0] = X[:, 1] * X[:, 2] + 0.5 * X[:, 0]
    return X, (X[:, 1] + X[:, 0] + 3 * rng.normal(size=60) > 0).astype(int)


@pytest.mark.parametrize(
    "make", [numbers_of_two_values, number_by_parity, number_by_spread, number_by_steps, number_by_product]
)
def test_p_of_numbers_is_that_of_the_twin(make):
    answers = []
    for seed in range(3):
        X, y = make(seed)
        found = conditional_significance(X, y, "relieff", n_neighbors=5, features=[0], n_draws=50, random_state=seed)
        expected = answer(X, y, 0, 5, 50, seed)
        assert found.p[0] == pytest.approx(expected["p"])
        assert found.by_neighbours[0] == pytest.approx(expected["by_neighbours"])
        assert found.by_line[0] == pytest.approx(expected["by_line"])
        is_doubtful = max(expected["mean_z"], expected["spread_z"]) > 4
        assert found.valid[0] == (expected["p"] > 0.05 or not is_doubtful)
        answers.append(expected)
    assert any(1 / 51 < expected["p"] < 1 for expected in answers)
    assert any(expected["added"] for expected in answers) == (make in (number_by_parity, number_by_product))
    if make is number_by_steps:
        assert not any(expected["has_scores"] for expected in answers)
    assert any(expected["spread_columns"] for expected in answers) == (make is number_by_spread)


def test_p_of_two_values_is_that_of_the_twin():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (60, 5)).astype(float)
    X[:, 4] = np.where(rng.random(60) < 0.8, X[:, 3], X[:, 4])
    y = ((X[:, 3] + X[:, 1] > 1) ^ (rng.random(60) < 0.1)).astype(int)
    found = conditional_significance(X, y, "relieff", n_neighbors=5, features=[3, 4], n_draws=50)
    expected = [answer(X, y, f, 5, 50, 0) for f in (3, 4)]
    a_draw_on_the_edge = 1.01 / 51
    assert found.p == pytest.approx([each["p"] for each in expected], abs=a_draw_on_the_edge)
    assert found.by_neighbours == pytest.approx([each["by_neighbours"] for each in expected], abs=a_draw_on_the_edge)
    assert found.by_line == pytest.approx([each["by_line"] for each in expected], abs=a_draw_on_the_edge)


def test_lines_are_found_by_line_and_a_pair_by_neighbours():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 8))
    line = (X[:, 0] + X[:, 1] + rng.logistic(size=200) > 0).astype(int)
    pair = (X[:, 0] * X[:, 1] > 0).astype(int)
    found = conditional_significance(X, line, "multisurf", features=[0, 1])
    assert (found.by_line <= 0.01).all()
    assert (found.p <= 0.01).all()
    found = conditional_significance(X, pair, "multisurf", features=[0, 1])
    assert (found.by_neighbours <= 0.01).all()
    assert (found.by_line > 0.1).all()
    assert (found.p <= 0.02).all()


def product_of_three(seed):
    """Feature 4 follows a product of three relevant ones, and 5 the parity of two, so that both add nothing."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 10))
    product = X[:, 0] * X[:, 1] * X[:, 2]
    X[:, 4] = np.sign(product) * np.sqrt(np.abs(product)) + 0.4 * X[:, 4]
    X[:, 5] = np.sign(X[:, 0] * X[:, 1]) + 0.4 * X[:, 5]
    effect = 2 * np.sign(product) + 1.5 * np.sign(X[:, 0] * X[:, 1])
    return X, (effect + rng.logistic(size=200) > 0).astype(int)


def test_p_that_does_not_hold_is_not_valid_everywhere():
    X, y = product_of_three(0)
    found = conditional_significance(X, y, "multisurf", features=[4, 5, 6])
    assert found.p[1] <= 0.05
    assert found.valid.tolist() == [found.p[0] > 0.05, False, True]
    assert "regression had to be extended" in found.reasons[1]
    assert np.isnan(found.q[1])
    assert found.q[2] >= found.p[2]
    assert 5 not in found.adding
    assert any("feature 5: conditional p not valid here, as it depends" in note for note in found.notes)

    ranking = rank(X, y, "multisurf", significance=10, conditional=[5, 6])
    significance = ranking.significance
    assert np.isnan(significance.conditional[5])
    assert any("feature 5: conditional p not valid here" in note for note in significance.notes)
    frame = ranking.to_frame().set_index("feature")
    assert np.isnan(frame.loc[5, "adds to the others"])
    assert np.isnan(frame.loc[5, "adds: q"])
    assert np.isnan(frame.loc[5, "adds: by neighbours"])
    p = significance.given_others.p[0]
    assert frame.loc[5, "adds: valid"].startswith(f"no (p {p:.2g}): as it depends on the remaining features")
    assert frame.loc[6, "adds: valid"] == "yes"
    assert frame.loc[0, "adds: valid"] == ""
    assert f"no (p {p:.2g})" in ranking._repr_html_()


def test_a_mean_of_many_relevant_features_with_few_rows_is_not_valid():
    flags = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(100, 200))
        mean = X[:, :12].sum(axis=1) / np.sqrt(12)
        X[:, 50] = mean + 0.3 * X[:, 50]
        y = 2 * mean + 0.7 * rng.normal(size=100)
        found = conditional_significance(X, y, "multisurf", features=[50], n_draws=99)
        flags.append(found.p[0] > 0.05 or "rows are too few for a regression on all" in found.reasons[0])
    assert all(flags)


@pytest.mark.parametrize("method", ["multisurf", "relieff", "rrelieff"])
def test_offsets_and_scales_change_nothing(method):
    X, y = copies(0)
    X[:, 5] = np.random.default_rng(1).integers(0, 3, len(X))
    age = X[:, 2] + np.random.default_rng(2).normal(size=len(X))
    if method == "rrelieff":
        y = X[:, 0] + np.random.default_rng(3).normal(size=len(X))
    tested = [0, 1, 5]
    expected = conditional_significance(X, y, method, features=tested, covariates=age).p
    different_scales = np.array([1e200, 1e-200, 1, 1e160, 1e150, 1e300, 1, 1e-30])
    for other in (X * 1e200, X * 1e305, X * 1e-200, X * 1e-300, X + 1e10, X * 1e200 + 1e201, X * different_scales):
        found = conditional_significance(other, y, method, features=tested, covariates=age)
        np.testing.assert_array_equal(found.p, expected)
    if method == "rrelieff":
        for target in (y * 1e200, y * 1e-200, y + 1e10):
            found = conditional_significance(X, target, method, features=tested, covariates=age)
            np.testing.assert_array_equal(found.p, expected)


def test_monotone_copies_are_determined():
    X, y = copies(0)
    X[:, 3] = np.exp(3 * X[:, 0])
    assert conditional_significance(X, y, "multisurf", features=[0, 3]).p.tolist() == [1, 1]


def test_a_copy_adds_nothing_and_its_source_does():
    p_values = [conditional_significance(*copies(seed), "multisurf", features=[0, 1]).p for seed in range(10)]
    share = np.mean(np.array(p_values) <= 0.05, axis=0)
    assert share[0] >= 0.8
    assert share[1] <= 0.2
    assert np.mean([rank(*copies(seed), "multisurf", significance=20).significance.p[1] <= 0.05 for seed in range(3)])


@pytest.mark.parametrize("target", ["numbers", "times", "three classes", "label sets", "several", "many classes"])
def test_targets(target):
    X, _ = copies(0, 200)
    rng = np.random.default_rng(0)
    y = 3 * X[:, 0] + rng.normal(size=200)
    method = "multisurf"
    if target == "times":
        y = Survival(np.exp(-y), rng.random(200) < 0.8)
    elif target == "three classes":
        y = np.digitize(y, [-1, 1])
    elif target == "many classes":
        y = np.digitize(y, [-3, -1, 0, 1, 3])
    elif target == "label sets":
        method = "residualrelief"
        y = np.column_stack([y > 0, y > 1, rng.random(200) < 0.5, y > 2]).astype(int)
    elif target == "several":
        method = "rrelieff"
        y = np.column_stack([y, rng.normal(size=200)])
        y[::9, 1] = np.nan
    found = conditional_significance(X, y, method, features=[0, 1, 5])
    assert found.p[0] <= 0.05
    assert (found.p[1:] > 0.05).all()
    assert found.explained[1] > 0.4


def test_determined_features_have_p_1_and_a_note():
    X, y = copies(0)
    X[:, 3] = 2 * X[:, 0] - X[:, 2]
    X[:, 4] = X[:, 1] > 0
    X[:, 5] = 1 - X[:, 4]
    found = conditional_significance(X, y, "multisurf", features=[0, 4, 6])
    assert found.p[:2].tolist() == [1, 1]
    assert found.explained[:2] == pytest.approx([1, 1])
    assert found.p[2] < 1
    assert "feature 0, feature 4: determined" in found.notes[0]


def test_constant_features_and_few_values_have_p_1():
    X, y = copies(0)
    X[:, 3] = 1
    X[10:, 4] = np.nan
    assert conditional_significance(X, y, "relieff", features=[3, 4]).p.tolist() == [1, 1]


def benjamini_hochberg(p, n):
    """q of p-values among n hypotheses, by their definition."""
    return [min(min(1, other * n / sum(each <= other for each in p)) for other in p if other >= value) for value in p]


def test_q_counts_the_tested_features_or_all_if_they_were_chosen_by_the_target():
    X, y = copies(0)
    found = conditional_significance(X, y, "multisurf", n_draws=49)
    assert found.features.tolist() == list(range(8))
    assert found.q == pytest.approx(benjamini_hochberg(found.p, 8))
    assert found.p.min() >= 1 / 50
    some = conditional_significance(X, y, "multisurf", n_draws=49, features=[0, 1])
    assert some.q == pytest.approx(benjamini_hochberg(some.p, 2))
    chosen = conditional_significance(X, y, "multisurf", n_draws=49, features=[0, 1], chosen_by_target=True)
    assert chosen.p.tolist() == some.p.tolist()
    assert chosen.q == pytest.approx(benjamini_hochberg(some.p, 8))


def test_more_features_have_more_draws():
    X, y = copies(0, 60, 40)
    assert conditional_significance(X, y, "relieff", features=[0]).n_draws == 399
    assert conditional_significance(X[:, :8], y, "relieff", features=[0]).n_draws == 199


def test_more_features_than_rows_missing_and_nominal_values():
    X, y = copies(0, 100, 260)
    X[:, 2] = np.random.default_rng(0).integers(0, 3, 100)
    X[::7, :4] = np.nan
    found = conditional_significance(X, y, "relieff", nominal=[2], features=[0, 1, 2, 5])
    assert found.p[0] <= 0.05
    assert np.isfinite(found.p).all()


def test_dense_sparse_and_threads_give_the_same():
    X, y = copies(0)
    X[np.abs(X) < 0.5] = 0
    found = conditional_significance(X, y, "multisurf", features=[0, 1, 2], n_jobs=1)
    for other in (sparse.csr_array(X), X):
        np.testing.assert_array_equal(conditional_significance(other, y, "multisurf", features=[0, 1, 2]).p, found.p)


def test_packed_genotypes():
    rng = np.random.default_rng(0)
    G = rng.binomial(2, 0.4, (200, 12)).astype(np.int8)
    G[:, 1] = np.where(rng.random(200) < 0.8, G[:, 0], G[:, 1])
    y = (2 * (G[:, 0] - 0.8) + rng.logistic(size=200) > 0).astype(int)
    found = conditional_significance(Packed.of(G), y, "multisurf", features=[0, 1])
    assert found.p[0] <= 0.05 < found.p[1]


def test_covariates_are_part_of_the_regression():
    rng = np.random.default_rng(0)
    X, age = rng.normal(size=(200, 6)), rng.normal(size=200)
    X[:, 2] += 2 * age
    y = 2 * X[:, 0] + 3 * age + rng.normal(size=200)
    found = conditional_significance(X, y, "rrelieff", features=[0, 2], covariates=age)
    assert found.p[0] <= 0.05 < found.p[1]
    assert found.explained[1] > 0.6


def test_many_rows_are_sampled():
    X, y = copies(0, 2100, 3)
    found = conditional_significance(X, y, "relieff", features=[0], n_draws=19)
    assert found.p[0] == 1 / 20
    assert "2,000 rows" in found.notes[0]


def test_progress_and_interruption():
    shares = []
    X, y = copies(0)
    conditional_significance(X, y, "multisurf", features=[0, 1], progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def stop(_):
        raise Interrupted

    with pytest.raises(Interrupted):
        conditional_significance(X, y, "multisurf", features=[0, 1], progress=stop)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y": None, "method": "auto"}, "no target"),
        ({"method": "boostedrelief"}, "no conditional p-values, as its scores are no sums"),
        ({"groups": np.arange(150) // 3}, "take no groups"),
        ({"sample_weight": np.ones(150) * 2}, "take no weights"),
        ({"features": [8]}, "features must be"),
        ({"features": ["age"]}, "unknown feature"),
        ({"n_draws": 0}, "n_draws must be"),
    ],
)
def test_bad_input(options, message):
    X, y = copies(0)
    with pytest.raises(ValueError, match=message):
        conditional_significance(**{"X": X, "y": y, "method": "multisurf"} | options)


def test_one_feature_has_no_others():
    X, y = copies(0)
    with pytest.raises(ValueError, match="two features or more"):
        conditional_significance(X[:, :1], y, "multisurf")


def test_a_ranking_of_few_features_has_p_of_all():
    X, y = copies(0)
    ranking = rank(X, y, "multisurf", significance=20, conditional=True, n_jobs=1)
    tests = ranking.significance
    expected = conditional_significance(X, y, "multisurf")
    np.testing.assert_array_equal(tests.conditional, expected.p)
    np.testing.assert_array_equal(tests.given_others.q, expected.q)
    frame = ranking.to_frame()
    assert {"adds to the others", "adds: q", "adds: by neighbours", "adds: by line", "adds: valid"} <= {*frame}
    assert "8 features drawn 199 times" in tests.notes[-1]


def test_a_ranking_of_many_features_has_p_of_its_discoveries_and_q_of_all():
    X, y = copies(0, 100, 101)
    ranking = rank(X, y, "multisurf", significance=20, conditional=True, n_jobs=1)
    tests = ranking.significance
    discoveries = np.sort(tests.discoveries(0.1))
    assert 0 < len(discoveries) < 101
    assert tests.given_others.features.tolist() == discoveries.tolist()
    assert tests.given_others.n_draws == 999
    assert tests.given_others.q == pytest.approx(benjamini_hochberg(tests.given_others.p, 101))
    assert any("chosen by chance is too small" in note and "all 101 features" in note for note in tests.notes)


def test_a_ranking_has_p_of_named_features_and_implies_significance():
    X, y = copies(0)
    shares = []
    names = [f"x{f}" for f in range(8)]
    ranking = rank(X, y, "multisurf", conditional=["x3", "x0"], names=names, progress=shares.append)
    assert np.flatnonzero(~np.isnan(ranking.significance.conditional)).tolist() == [0, 3]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert rank(X, y, conditional=[0], significance=19).method == "multisurf"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"conditional": ["age"]}, "conditional has an unknown feature"),
        ({"conditional": True, "method": "boostedrelief"}, "no conditional p-values"),
    ],
)
def test_bad_input_of_a_ranking(options, message):
    X, y = copies(0)
    with pytest.raises(ValueError, match=message):
        rank(**{"X": X, "y": y, "method": "multisurf"} | options)


def test_tests_that_were_made_one_by_one_are_joined():
    X, y = copies(0)
    first, second = (conditional_significance(X, y, "relieff", features=[f], n_draws=50) for f in (4, 0))
    joined = first.joined(second)
    together = conditional_significance(X, y, "relieff", features=[0, 4], n_draws=50)
    assert joined.features.tolist() == [0, 4]
    assert joined.p.tolist() == together.p.tolist()
    assert joined.q.tolist() == together.q.tolist()
    assert joined.explained.tolist() == together.explained.tolist()
