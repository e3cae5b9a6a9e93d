"""Covariates that act together: cells of categorical ones, products by forward selection, and warnings of the rest."""

from statistics import NormalDist

import numpy as np
import pytest

from orangecontrib.reliefe.core import Survival, rank, significance
from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.studies.cox_model import deviance_residuals
from orangecontrib.reliefe.tests.naive import studies as naive
from orangecontrib.reliefe.tests.studies.joint_designs import (
    CLASSES,
    N_FOLLOWERS,
    NUMBER,
    RELEVANT,
    TIMES,
    study_of,
)

STILL = "still predict"
TASKS = (NUMBER, CLASSES, TIMES)


def scores_of_normal(values):
    """Normal scores of distinct numbers, by loops."""
    n = len(values)
    ranks = [sum(other < value for other in values) for value in values]
    return np.array([NormalDist().inv_cdf((rank + 0.5) / n) for rank in ranks])


def has_products(study, **options):
    texts = rank(study.X, study.y, "multisurf", covariates=study.covariates, **options).info["information"]
    return any("are removed:" in text and "product" in text for text in texts)


def warned(study):
    warnings = rank(study.X, study.y, "multisurf", covariates=study.covariates).info["warnings"]
    return any(STILL in text for text in warnings)


# ---------------------------------------------------------------- products


@pytest.mark.parametrize("task", TASKS)
def test_a_product_becomes_a_covariate(task):
    """The ranking is the one for which the product of the two normal scores is given as a third covariate."""
    study = study_of("product", task, 0)
    a, b = (scores_of_normal(column) for column in study.covariates.T)
    given = np.column_stack([study.covariates, a * b])
    expected = rank(study.X, study.y, "multisurf", covariates=given, linear_covariates=True).scores
    found = rank(study.X, study.y, "multisurf", covariates=study.covariates)
    np.testing.assert_allclose(found.scores, expected, rtol=1e-7, atol=1e-12)
    assert any("removed: lines or splines and 1 product" in text for text in found.info["information"])


def test_the_sign_of_three_numbers_becomes_a_covariate():
    study = study_of("sign of three", NUMBER, 3)
    signs = np.prod([np.sign(scores_of_normal(column)) for column in study.covariates.T], axis=0)
    columns = check_call(study.X, study.y, "multisurf", covariates=study.covariates).study.Z.T
    assert max(abs(np.corrcoef(column, signs)[0, 1]) for column in columns[3:]) == pytest.approx(1)


def strongest_by_loops(columns, Z, r):
    """Index of the column whose rest beside a constant and Z follows residuals r best, column by column."""
    A = np.column_stack([np.ones(len(r)), Z])
    sizes = []
    for column in columns:
        rest = column - A @ np.linalg.lstsq(A, column, rcond=None)[0]
        sizes.append(sum(a * b for a, b in zip(rest, r)) ** 2 / sum(a * a for a in rest))
    return int(np.argmax(sizes))


def test_the_first_product_is_that_of_loops():
    study = study_of("ten, product", NUMBER, 0)
    scores = [scores_of_normal(column) for column in study.covariates.T]
    products = [a * b for i, a in enumerate(scores) for b in scores[:i]]
    signs = [np.sign(a) * np.sign(b) for i, a in enumerate(scores) for b in scores[:i]]
    triples = [a * b * c for i, a in enumerate(scores) for j, b in enumerate(scores[:i]) for c in scores[:j]]
    signs_of_triples = [np.sign(column) for column in triples]
    candidates = [*products, *signs, *triples, *signs_of_triples]
    A = np.column_stack([np.ones(120), study.covariates])
    y = scores_of_normal(study.y)
    r = y - A @ np.linalg.lstsq(A, y, rcond=None)[0]
    chosen = candidates[strongest_by_loops(candidates, study.covariates, r)]
    Z = check_call(study.X, study.y, "multisurf", covariates=study.covariates).study.Z
    assert np.corrcoef(Z[:, 10], chosen)[0, 1] == pytest.approx(1)


@pytest.mark.parametrize("task", TASKS)
def test_nothing_is_added_without_an_effect(task):
    """At most two of ten sets, where .05 are expected to have a product by chance."""
    n_added = sum(has_products(study_of("none", task, seed)) for seed in range(10))
    assert n_added <= 2


def test_linear_covariates_have_no_products():
    study = study_of("product", NUMBER, 0)
    assert not has_products(study, linear_covariates=True)
    assert has_products(study)


def test_deviance_residuals_are_those_of_loops():
    rng = np.random.default_rng(0)
    time, event, risk = rng.integers(1, 9, 40).astype(float), rng.random(40) < 0.6, rng.exponential(size=40)
    expected = naive.deviance(time.tolist(), event.tolist(), risk.tolist())
    np.testing.assert_allclose(deviance_residuals(time, event.astype(float), risk), expected, rtol=1e-9)


# ---------------------------------------------------------------- cells


@pytest.mark.parametrize("task", TASKS)
def test_two_categories_are_one_covariate_of_their_combinations(task):
    study = study_of("2 x 2 cells", task, 0)
    cells = np.array(["".join(row) for row in study.covariates])
    expected = rank(study.X, study.y, "multisurf", covariates=cells).scores
    found = rank(study.X, study.y, "multisurf", covariates=study.covariates)
    np.testing.assert_allclose(found.scores, expected, rtol=1e-9)
    assert found.info["adjusted_for"] == ["number 1", "number 2"]
    text = found.info["information"][0]
    assert text.startswith("adjusted for the 4 combinations of number 1 and number 2:")


def test_rare_combinations_join_the_most_similar_ones():
    """Two rows of (b, y) differ in one covariate from (a, y) and from (b, x), of which the latter has more rows."""
    counts = {"ax": 30, "ay": 20, "bx": 28, "by": 2}
    cells = np.repeat([*counts], [*counts.values()])
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 5)), rng.normal(size=80)
    found = rank(X, y, "multisurf", covariates=np.array([list(cell) for cell in cells]))
    joined = np.where(cells == "by", "bx", cells)
    np.testing.assert_allclose(found.scores, rank(X, y, "multisurf", covariates=joined).scores, rtol=1e-9)
    assert "1 rare combination of covariates (2 rows) joined with similar ones" in found.info["information"]


def test_targets_are_permuted_within_combinations():
    study = study_of("2 x 2 cells", CLASSES, 0)
    request = check_call(study.X, study.y, "multisurf", covariates=study.covariates)
    cells = np.array(["".join(row) for row in study.covariates])
    for number in range(3):
        permuted = request.permuted(number).target.columns[0][:, 0]
        for cell in np.unique(cells):
            is_cell = cells == cell
            assert permuted[is_cell].sum() == request.target.columns[0][is_cell, 0].sum()
        assert (permuted != request.target.columns[0][:, 0]).any()


@pytest.mark.parametrize("task", [NUMBER, CLASSES])
def test_many_combinations_are_warned_of(task):
    """48 cells in 120 rows are too many to adjust for, which is always said; most sets have a warning."""
    assert sum(warned(study_of("6 x 8 cells", task, seed)) for seed in range(10)) >= 7
    study = study_of("6 x 8 cells", task, 0)
    texts = rank(study.X, study.y, "multisurf", covariates=study.covariates).info["information"]
    assert any(text.startswith("combinations of number 1, number 2 are too many for 120 rows") for text in texts)


def test_p_values_of_methods_that_adjust_no_scores_have_the_warning():
    study = study_of("6 x 8 cells", NUMBER, 0)
    request = check_call(study.X, study.y, "rrelieff", unadjusted=True, covariates=study.covariates)
    forest = check_call(study.X, study.y, "randomforest", unadjusted=True, covariates=study.covariates)
    for checked in (request, forest):
        assert any(STILL in text for text in checked.info["warnings"])


@pytest.mark.parametrize("name", ["none", "line", "2 x 2 cells", "product", "ten, none"])
def test_no_warning_where_effects_are_removed(name):
    assert sum(warned(study_of(name, NUMBER, seed)) for seed in range(5)) == 0


def test_a_large_dictionary_is_said_to_be_left_out():
    rng = np.random.default_rng(0)
    C = rng.normal(size=(120, 600))
    texts = rank(rng.normal(size=(120, 3)), rng.normal(size=120), "multisurf", covariates=C).info["information"]
    assert any("too many, and are not looked for" in text for text in texts)


# ---------------------------------------------------------------- levels


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("2 x 2 cells", NUMBER),
        ("2 x 2 cells", CLASSES),
        ("3 x 4 cells", NUMBER),
        ("product", TIMES),
        ("sign of three", NUMBER),
        ("ten, product", NUMBER),
    ],
)
def test_features_that_follow_a_joint_effect_are_no_discoveries(name, task):
    """Nominal: .05. Adjusted one by one, .21 to .93 of these features had p <= .05."""
    small, found = [], []
    for seed in range(3):
        study = study_of(name, task, seed)
        p = significance(study.X, study.y, "multisurf", covariates=study.covariates, n_shuffles=20).p
        small.append((p[:N_FOLLOWERS] <= 0.05).mean())
        found.append(p[RELEVANT] <= 0.05)
    assert np.mean(small) <= 0.13
    assert np.mean(found) >= 0.6


def test_many_classes_have_no_columns_by_chance():
    """The largest of twenty z was compared with the limit of one, so that a kernel took a fifth of the rows."""
    rng = np.random.default_rng(0)
    n_columns = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 20, 200).astype(str)
        request = check_call(rng.normal(size=(200, 3)), y, "multisurf", covariates=rng.normal(size=200))
        n_columns.append(request.study.Z.shape[1])
    assert np.mean(np.array(n_columns) > 3) <= 0.5
    assert np.mean(n_columns) < 12


def test_times_that_are_all_equal_have_no_effects():
    rng = np.random.default_rng(0)
    y = Survival(np.ones(60), np.ones(60, bool))
    found = rank(rng.normal(size=(60, 3)), y, "multisurf", covariates=rng.normal(size=(60, 2)))
    assert not any(STILL in text for text in found.info["warnings"])
