"""The error of reconstruction: against the slow twin and scikit-learn, ties, what is scale-free."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core.evaluation import blocks, doublings, reconstruction, rmse_1nn
from orangecontrib.reliefe.tests.naive import evaluation as naive


def make(seed=0, n=30, p=6, tied=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n, p)).astype(float) if tied else rng.normal(size=(n, p)) * np.arange(1, p + 1)
    X[:, 2] = 0.1
    return X


def by_deviation(X):
    return np.argsort(-X.std(axis=0), kind="stable")


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("size", [1, 3, 6])
def test_one_fold_is_that_of_the_twin(tied, last, size):
    X, features = make(tied=tied), np.array([4, 0, 1, 5, 3, 2])[:size]
    expected = naive.reconstruction(X[:20], X[20:], features, last)
    np.testing.assert_allclose(reconstruction(X[:20], X[20:], features, last), expected, rtol=1e-12)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("shift, unit", [(0, 1), (0, 0.1), (0, 1e-7), (1e8, 1), (100, 0.1), (0, 1e200), (0, 1e-200)])
def test_ties_in_any_units(form, last, shift, unit):
    """Rows that are equally near stay so in other units: integers show which ones they are."""
    X, features = np.random.default_rng(0).integers(0, 6, (60, 5)), np.array([3, 0, 1])
    absolute, scale_free = naive.reconstruction(X[:40].astype(float), X[40:].astype(float), features, last)
    moved = X * unit + shift
    found = reconstruction(form(moved[:40]), form(moved[40:]), features, last)
    np.testing.assert_allclose(found, (absolute * unit, scale_free), rtol=1e-7)


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int64, np.float32])
def test_types_of_numbers(kind):
    X = np.random.default_rng(1).integers(0, 2 if kind is bool else 200, (40, 4))
    expected = reconstruction(X[:30].astype(float), X[30:].astype(float), [0, 2])
    for form in (np.asarray, sparse.csr_array):
        found = reconstruction(form(X[:30].astype(kind)), form(X[30:].astype(kind)), [0, 2])
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_missing_values_are_refused(form):
    X = np.array([[1.0, np.nan], [2.0, 1.0]])
    for train, test, name in ((X, X[1:], "train"), (X[1:], X, "test")):
        with pytest.raises(ValueError, match=f"{name} must hold finite numbers"):
            reconstruction(form(train), form(test), [0])


def test_all_folds_are_those_of_scikit_learn():
    from sklearn.neighbors import KNeighborsRegressor

    X, errors = make(1, n=43), []
    for train, test in blocks(43):
        features = by_deviation(X[train])[:2]
        model = KNeighborsRegressor(1, algorithm="brute").fit(X[train][:, features], X[train])
        errors.append(np.sqrt(((model.predict(X[test][:, features]) - X[test]) ** 2).mean(axis=0)).mean())
    raw, _ = rmse_1nn(X, by_deviation, sizes=[2])
    np.testing.assert_allclose(raw[:, 0], errors, rtol=1e-12)


def test_only_training_rows_are_ranked():
    X, seen = make(2), []

    def order(train):
        seen.append(train)
        return np.arange(6)

    raw, scaled = rmse_1nn(X, order, sizes=[1, 3, 99], parts=blocks(30, 3))
    assert raw.shape == scaled.shape == (3, 3)
    for rows, (train, _) in zip(seen, blocks(30, 3)):
        assert np.array_equal(rows, X[train])
    assert np.array_equal(raw[:, 2], rmse_1nn(X, lambda train: np.arange(6), [6], blocks(30, 3))[0][:, 0])


def test_which_of_equally_near_rows():
    train, test = np.array([[0, 1.0], [0, 5], [1, 9]]), np.array([[0, 2.0]])
    assert reconstruction(train, test, np.array([0]))[0] == pytest.approx((0 + 1) / 2)
    assert reconstruction(train, test, np.array([0]), last=True)[0] == pytest.approx((0 + 3) / 2)


def test_scale_free():
    """Units of the features do not matter where the nearest rows are the same."""
    X, features = make(3), np.array([0])
    scaled = X * [2, 10, 1e6, 0.1, 3, 1]
    one, two = (reconstruction(x[:20], x[20:], features) for x in (X, scaled))
    assert one[1] == pytest.approx(two[1], rel=1e-12)
    assert one[0] != pytest.approx(two[0], rel=1e-3)


def test_nothing_varies():
    assert np.isnan(reconstruction(np.full((3, 2), 0.1), np.full((1, 2), 0.1), np.array([0]))[1])


@pytest.mark.parametrize("p, sizes", [(1, [1]), (4, [1, 2, 4]), (7, [1, 2, 4, 7]), (1024, [2**j for j in range(11)])])
def test_doublings(p, sizes):
    assert doublings(p) == sizes


@pytest.mark.parametrize(
    "X, sizes, message",
    [
        (np.array([[1, np.nan]]), [1], "without missing"),
        (np.array([[1, np.inf]]), [1], "finite"),
        (np.ones(4), [1], "rows, features"),
        (np.ones((20, 2)), [0], "sizes must be at least 1"),
        (np.ones((20, 2)), [], "sizes must be at least one"),
        (np.ones((9, 2)), [1], "at most the 9 rows"),
    ],
)
def test_bad_input(X, sizes, message):
    with pytest.raises(ValueError, match=message):
        rmse_1nn(X, by_deviation, sizes)
