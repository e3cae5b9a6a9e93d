"""Scores that are adjusted for covariates: golden values, a slow twin, and what must not change them."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import Packed, Survival, rank, significance
from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.studies.covariate_basis import basis
from orangecontrib.reliefe.core.studies.covariates import read_covariates
from orangecontrib.reliefe.core.studies.logistic import shares
from orangecontrib.reliefe.tests.naive import studies as naive

CLOSE = {"atol": 1e-5, "rtol": 0}


def classes():
    """40 rows whose class is the parity of two features, with an age and a site."""
    rng = np.random.default_rng(0)
    X, age, site = rng.normal(size=(40, 5)), rng.uniform(20, 70, 40), rng.integers(0, 3, 40)
    y = ((X[:, 0] > 0) ^ (X[:, 1] > 0) ^ (rng.random(40) < 0.1)).astype(int)
    return X, y, np.column_stack([age, site])


def numbers():
    """30 rows with a product of two features, and a covariate whose effect is no line."""
    rng = np.random.default_rng(1)
    X, c = rng.normal(size=(30, 4)), rng.normal(size=30)
    return X, X[:, 0] * X[:, 1] + c**2 + 0.3 * rng.normal(size=30), c


def people():
    """Ten people seen three times, with features that people keep, and two classes of people."""
    rng = np.random.default_rng(3)
    g = np.repeat(np.arange(10), 3)
    A, E = rng.normal(size=(10, 5)), rng.normal(size=(30, 5))
    h = rng.logistic(size=10)
    return np.sqrt(0.6) * A[g] + np.sqrt(0.4) * E, (h > np.median(h)).astype(int)[g], g


def study_of(X, y, method="multisurf", **options):
    return check_call(X, y, method, **options).study


def test_golden_values():
    """Made by a prototype that shares no code, with NumPy alone, printed by its golden.py."""
    X, y, C = classes()
    Z = basis(read_covariates(C, np.ones(40, bool), {"warnings": [], "information": []}), 40)
    np.testing.assert_allclose(Z[0], [-1.048377, 1.441153, -0.904534], **CLOSE)
    e = shares(y, Z, 2)[:5, 1]
    np.testing.assert_allclose(e, [0.653199, 0.480336, 0.535798, 0.371283, 0.703013], **CLOSE)
    adjusted = [0.031328, 0.033635, 0.002134, 0.026938, -0.057656]
    np.testing.assert_allclose(rank(X, y, "multisurf", covariates=C).scores, adjusted, **CLOSE)
    products = [0.034143, 0.036199, 0.003956, 0.018891, -0.054532]
    np.testing.assert_allclose(rank(X, y, "residualrelief").scores, products, **CLOSE)
    lists = [0.036762, 0.03739, -0.004668, 0.031887, -0.064035]  # ten neighbours, five a class
    np.testing.assert_allclose(rank(X, y, "relieff", covariates=C, n_neighbors=5).scores, lists, **CLOSE)
    z = significance(X, y, "multisurf", covariates=C, n_shuffles=1).z
    np.testing.assert_allclose(z, [1.870058, 1.478336, 0.129786, 1.514748, -2.970166], **CLOSE)
    X, y, c = numbers()
    r = study_of(X, y, covariates=c).residuals[0][:4, 0]
    np.testing.assert_allclose(r, [1.315942, 0.849039, 1.287437, -0.257676], **CLOSE)
    for method, options, parts, scores in (
        ("rrelieff", {"n_neighbors": 10}, "place", [0.012721, 0.025067, 0.006641, -0.015302]),
        ("rrelieff", {"n_neighbors": 10}, None, [0.026781, 0.041061, -0.010846, -0.038873]),
        ("multisurf", {}, "place", [0.002602, 0.013105, 0.012644, -0.015389]),
        ("multisurf", {}, "both", [0.017708, 0.025779, -0.003677, -0.039156]),
    ):
        found = rank(X, y, method, covariates=c, parts=parts, **options)
        np.testing.assert_allclose(found.scores, scores, **CLOSE)


WEIGHTS = {
    "multisurf": naive.zones,
    "surf": lambda D: naive.zones(D, True, 0.0),
    "relieff": lambda D: naive.nearest(D, 12),
    "rrelieff": lambda D: naive.nearest(D, 12, 4.0),
}


def twin(X, nominal, method, study, parts):
    d = naive.diffs(X, nominal)
    groups = np.arange(len(X)) if study.groups is None else study.groups
    W, target = WEIGHTS[method](naive.distances(d, groups)), study.ranked()
    return naive.place(W, d, target.r) if parts == "place" else naive.spread(W, d, target.a)


@pytest.mark.parametrize("method", WEIGHTS)
def test_equals_the_twin(method):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(36, 5))
    X[:, 3:] = rng.integers(0, 3, (36, 2))
    nominal, c, g = [False] * 3 + [True] * 2, rng.normal(size=(36, 2)), rng.permutation(np.repeat(np.arange(9), 4))
    y = rng.integers(0, 3, 36) if method == "relieff" else X[:, 0] + c[:, 0] + rng.normal(size=36)
    options = {"n_neighbors": 4 if method == "relieff" else 12} if method in ("relieff", "rrelieff") else {}
    options |= {"sigma": 4.0} if method == "rrelieff" else {}
    whole, gaps = X, np.where(rng.random(X.shape) < 0.1, np.nan, X)
    for missing, groups, parts in product((False, True), (None, g), ("place", "spread")):
        if method == "relieff" and parts == "spread":
            continue
        X = gaps if missing else whole
        given = {"covariates": c, "groups": groups, "parts": parts, "nominal": nominal}
        expected = twin(X, nominal, method, study_of(X, y, method, **given, **options), parts)
        found = rank(X, y, method, **given, **options)
        np.testing.assert_allclose(found.scores, expected, atol=1e-9, err_msg=f"{missing} {parts}")
        one = rank(X, y, method, n_jobs=1, **given, **options).scores
        np.testing.assert_array_equal(one, rank(X, y, method, n_jobs=4, **given, **options).scores)
        if not missing:
            found = rank(sparse.csr_matrix(X), y, method, **given, **options)
            np.testing.assert_allclose(found.scores, expected, atol=1e-9)


def test_packed_genotypes():
    rng = np.random.default_rng(2)
    codes, c = rng.integers(0, 3, (40, 300)).astype(float), rng.normal(size=40)
    y = codes[:, 0] + c + rng.normal(size=40)
    for method, additive, some in product(("multisurf", "rrelieff"), (False, True), (300, 130)):
        nominal = np.full(some, not additive)
        scores = rank(Packed.of(codes[:, :some], additive), y, method, covariates=c).scores
        expected = rank(codes[:, :some], y, method, covariates=c, nominal=nominal).scores
        np.testing.assert_allclose(scores, expected, atol=1e-7)


def test_both_parts_with_missing_values():
    """A feature without gaps has the score that it has where nothing is missing, if distances do not change."""
    rng = np.random.default_rng(3)
    X, c = rng.normal(size=(60, 4)), rng.normal(size=60)
    y, gaps = X[:, 0] * X[:, 1] + c, X.copy()
    gaps[0, 3] = np.nan
    for method in ("multisurf", "rrelieff"):
        whole = rank(X, y, method, covariates=c, missing="ignore").scores
        np.testing.assert_allclose(rank(gaps, y, method, covariates=c, missing="ignore").scores, whole, atol=0.01)


def test_equal_classes_and_all_rows_as_neighbours():
    """Up to a factor, the mean diff of misses less that of hits."""
    rng = np.random.default_rng(0)
    X, y, n = rng.normal(size=(20, 3)), np.arange(20) % 2, 20
    d = naive.diffs(X, [False] * 3)
    hit = (y[:, None] == y) & ~np.eye(n, dtype=bool)
    expected = np.array([one[y[:, None] != y].mean() - one[hit].mean() for one in d]) * (1 - 1 / (n - 1) ** 2)
    found = rank(X, y, "relieff", covariates=(np.arange(n) // 2).astype(float), n_neighbors=n, linear_covariates=True)
    np.testing.assert_allclose(found.scores, expected, atol=1e-7)


def test_same_covariates_give_the_same_scores():
    X, y, C = classes()
    expected = rank(X, y, "multisurf", covariates=C).scores
    constant = np.column_stack([C, np.ones(40)])
    found = rank(X, y, "multisurf", covariates=constant)
    np.testing.assert_array_equal(found.scores, expected)
    assert "constant" in found.info["warnings"][0]
    line = np.column_stack([3 - 7 * C[:, 0], C[:, 1]])
    np.testing.assert_allclose(rank(X, y, "multisurf", covariates=line).scores, expected, atol=1e-9)
    order = np.random.default_rng(1).permutation(40)
    np.testing.assert_allclose(rank(X[order], y[order], "multisurf", covariates=C[order]).scores, expected, atol=1e-9)
    for options in {"n_jobs": 1}, {"n_jobs": 3}:
        np.testing.assert_array_equal(rank(X, y, "multisurf", covariates=C, **options).scores, expected)
    as_sparse = rank(sparse.csr_array(X), y, "multisurf", covariates=C).scores
    np.testing.assert_allclose(as_sparse, expected, atol=1e-9)
    X, y, c = numbers()
    twice = rank(X, y, "multisurf", covariates=np.column_stack([c, c])).scores
    np.testing.assert_allclose(twice, rank(X, y, "multisurf", covariates=c).scores, atol=1e-9)


def test_a_feature_that_only_follows_a_covariate():
    rng = np.random.default_rng(5)
    n = 400
    X, c = rng.normal(size=(n, 8)), rng.normal(size=n)
    X[:, 0] = c + 0.02 * rng.normal(size=n)
    times = Survival(rng.exponential(size=n) * np.exp(-2 * c), rng.random(n) < 0.8)
    for y in ((c + rng.logistic(size=n) > 0).astype(int), c + 0.5 * rng.normal(size=n), times):
        assert significance(X, y, "multisurf", n_shuffles=3).z[0] > 6
        assert abs(significance(X, y, "multisurf", covariates=c, n_shuffles=3).z[0]) < 3


def test_information_and_warnings():
    rng = np.random.default_rng(5)
    X, c = rng.normal(size=(60, 3)), rng.normal(size=60)
    X[:, 2] = 5 - 2 * c
    found = rank(X, c**3, "rrelieff", covariates=c)
    assert "adjusted for number 1: pairs weigh products of residuals" in found.info["information"]
    assert any("nothing is left to rank by" in text for text in found.info["warnings"])
    assert any(text.startswith("feature 2: a covariate") for text in found.info["warnings"])
