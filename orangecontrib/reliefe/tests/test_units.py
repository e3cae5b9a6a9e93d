"""Units do not matter: values times a power of two, from the smallest to the largest numbers, give the same scores."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, grow, rank
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.evaluation import RowSpace
from orangecontrib.reliefe.tests.samples import REPRESENTATIVES

TINY = -1060, -1000, -520  # powers of two: of numbers below the smallest normal one, 1/range near the largest, squares
LARGE = 520, 1000
ROWS, FEATURES = 24, 4
IN_OWN_UNITS = {"pct"}  # whose models have thresholds; features that are too large are refused
CLASSES, NUMBERS = "classification", "regression"


def table(n=ROWS):
    """Whole numbers from 0 to 8, so that even times 2^-1060 no digit is lost, one unknown."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (n, FEATURES)).astype(float)
    X[3, 2] = np.nan
    return X, X[:, 0] + rng.integers(0, 5, n)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("method", REPRESENTATIVES)
def test_units_of_features(method, make):
    X, y = table()
    task = METHODS[method].tasks[0]
    target = {CLASSES: y > 6, NUMBERS: y}.get(task)
    if target is None and task != "unsupervised":
        pytest.skip("takes several targets only")
    expected = rank(make(X), target, method, task=task).scores
    for power in TINY[:1] if method in IN_OWN_UNITS else (TINY[0], LARGE[-1]):
        found = rank(make(np.ldexp(X, power)), target, method, task=task).scores
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_units_differ_by_feature_and_the_table_stays_as_it_is():
    X, y = table()
    given = np.ldexp(X, [-1060, 0, -700, 1000])
    before = given.copy()
    found = rank(given, y > 6, "multisurf", nominal=[3]).scores
    np.testing.assert_array_equal(found, rank(X, y > 6, "multisurf", nominal=[3]).scores)
    np.testing.assert_array_equal(given, before)


@pytest.mark.parametrize("method", [name for name in REPRESENTATIVES if NUMBERS in METHODS[name].tasks])
def test_units_of_a_numeric_target(method):
    X, y = table()
    expected = rank(X, y, method, task=NUMBERS).scores
    for power in TINY + LARGE:
        found = rank(X, np.ldexp(y, power), method, task=NUMBERS).scores
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("method", ["rrelieff", "pct", "mutualinfo"])
def test_units_of_several_targets(method):
    X, y = table()
    Y = np.column_stack([y, X[:, 1] + y % 3])
    expected = rank(X, Y, method, task="multi-target").scores
    for power in TINY + LARGE:
        found = rank(X, np.ldexp(Y, [power, 0]), method, task="multi-target").scores
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_models_predict_in_the_units_of_the_caller():
    X, y = table(40)
    for power in (-1000, -520, 1000):
        (plain, other) = (grow(X, target, n_trees=20).model() for target in (y, np.ldexp(y, power)))
        np.testing.assert_array_equal(other.predict(X), np.ldexp(plain.predict(X), power))
    for power in TINY:
        lifted = np.ldexp(X, power)
        np.testing.assert_array_equal(grow(lifted, y, n_trees=20).model().predict(lifted), plain.predict(X))


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_neighbours_in_any_units(make):
    X, _ = table()
    rows = np.arange(ROWS)
    near = [RowSpace.fit(make(np.ldexp(X, power))).neighbours(rows[:12], rows[12:], np.ones(FEATURES), 3)
            for power in (0, *TINY)]  # fmt: skip
    for found in near[1:]:
        np.testing.assert_array_equal(found, near[0])


def test_ranges_without_an_inverse_are_refused():
    X, _ = table()
    with pytest.raises(ValueError, match=r"ranges must be 0, or at least 2\.23e-308, not 4\.94e-324.*index 1"):
        RowSpace.fit(X, ranges=[1, 5e-324, 0, 1])


def test_few_values_are_looked_at_where_units_are_usual():
    """Most features are known to be of usual units after a few rows."""

    class Counted(np.ndarray):
        cells = 0

        def __getitem__(self, key):
            found = super().__getitem__(key)
            Counted.cells += np.size(found)
            return found

    X = np.random.default_rng(0).normal(size=(1000, 50))
    given = DataTable(X.view(Counted), np.zeros(50, bool))
    assert given.lifted() is given
    assert Counted.cells <= 8 * 50
