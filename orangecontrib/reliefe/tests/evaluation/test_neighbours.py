"""Neighbours by a ranking: against the golden values and the slow twin; dense and sparse, ties, missing values."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.evaluation import RowSpace, feature_weights, mean, vote, weighted_knn
from orangecontrib.reliefe.tests.naive import evaluation as naive
from orangecontrib.reliefe.tests.samples import examples

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "evaluation.json").read_text())["knn"]
EXAMPLES = examples(25, 25)
FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
SEEDS = st.integers(0, 2**32 - 1)


def make(seed, n=30, p=7, missing=0.1, tied=False):
    """Mixed data with zeros, negative numbers, and a constant column."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n, p)).astype(float) if tied else rng.normal(size=(n, p))
    X[rng.random((n, p)) < 0.3] = 0
    X[:, 1], X[:, 4], X[:, 5] = rng.integers(0, 2, n), rng.integers(0, 4, n), 3.5
    X[rng.random((n, p)) < missing] = np.nan
    return X, np.isin(np.arange(p), [1, 4]), rng.normal(size=p)


def split(n, seed=0):
    order = np.random.default_rng(seed).permutation(n)
    return order[n // 4 :], order[: n // 4]


@FORMS
def test_golden(form):
    known = {name: np.array(value) for name, value in GOLDEN.items()}
    X_train, X_test = form(known["X_train"].astype(float)), form(known["X_test"])
    found = weighted_knn(X_train, known["Y_train"], X_test, known["weights"], GOLDEN["k"], known["nominal"])
    np.testing.assert_allclose(found, known["expect"], rtol=0, atol=1e-12)


@EXAMPLES
@given(SEEDS, st.integers(1, 30), st.booleans(), st.sampled_from([0, 0.2]), st.booleans())
def test_neighbours_are_those_of_the_twin(seed, k, tied, missing, csr):
    X, nominal, scores = make(seed, missing=missing, tied=tied)
    train, test = split(len(X), seed)
    space = RowSpace.fit(sparse.csr_array(X) if csr else X, nominal, train)
    expected = naive.neighbours(X, train, test, scores, k, nominal)
    assert np.array_equal(space.neighbours(train, test, scores, k), expected)


@FORMS
def test_given_ranges(form):
    X, nominal, scores = make(3)
    train, test = split(len(X))
    ranges = np.arange(X.shape[1]) / 2
    found = RowSpace.fit(form(X), nominal, train, ranges).neighbours(train, test, scores, 4)
    assert np.array_equal(found, naive.neighbours(X, train, test, scores, 4, nominal, ranges))


@FORMS
def test_only_the_rows_to_fit_to_are_looked_at(form):
    X, nominal, scores = make(4)
    train, test = split(len(X))
    mask = np.zeros(len(X), bool)
    mask[train] = True
    one = RowSpace.fit(form(X), nominal, mask)
    assert np.array_equal(
        one.neighbours(train, test, scores, 5), RowSpace.fit(form(X), nominal, train).neighbours(train, test, scores, 5)
    )
    found = one.neighbours(train[:9], test, scores, 5)
    assert np.array_equal(found, naive.neighbours(X, train[:9], test, scores, 5, nominal, fitted=train))
    outlier = X.copy()
    outlier[test[0], 0] = 1e9
    others = RowSpace.fit(form(outlier), nominal, train).neighbours(train, test[1:], scores, 5)
    assert np.array_equal(others, one.neighbours(train, test[1:], scores, 5))


@FORMS
def test_blocks_of_rows(form):
    X, nominal, scores = make(5)
    train, test = split(len(X))
    space = RowSpace.fit(form(X), nominal)
    whole = space.neighbours(train, test, scores, 6)
    assert np.array_equal(space.neighbours(train, test, scores, 6, held=50), whole)


@FORMS
@pytest.mark.parametrize("shift, factor", [(0, 1e-12), (0, 1e12), (1e6, 1), (-1e9, 1e3)])
def test_units_do_not_matter(form, shift, factor):
    X, nominal, scores = make(6, missing=0)
    train, test = split(len(X))
    scaled = np.where(nominal, X, X * factor + shift)
    found = RowSpace.fit(form(scaled), nominal).neighbours(train, test, scores, 5)
    assert np.array_equal(found, RowSpace.fit(form(X), nominal).neighbours(train, test, scores, 5))


@FORMS
@pytest.mark.parametrize("factor", [1e-300, 1e-9, 3.0, 1e300])
def test_the_unit_of_weights_does_not_matter(form, factor):
    X, nominal, scores = make(7, tied=True)
    train, test = split(len(X))
    space = RowSpace.fit(form(X), nominal)
    one, two = (space.neighbours(train, test, s, 5) for s in (scores, scores * factor))
    assert np.array_equal(one, two)


@FORMS
def test_equal_rows_in_the_order_of_the_training_rows(form):
    X = np.tile(np.random.default_rng(0).normal(size=(1, 50)) * 1e3, (40, 1))
    X[0] += 1
    train = np.arange(39, 0, -1)
    found = RowSpace.fit(form(X)).neighbours(train, np.array([5, 0]), np.ones(50), 6)
    assert found.tolist() == [[39, 38, 37, 36, 35, 34]] * 2


@FORMS
def test_rows_far_away(form):
    """Rows that are far in one feature are still told apart by it, and by the others where that is equal."""
    X = np.array([[0, 0.0], [0, 1], [1, 0], [1, 1], [1e6, 0.9], [1e200, 0.9]])
    found = RowSpace.fit(form(X), None, np.arange(4)).neighbours(np.arange(4), np.array([4, 5]), np.ones(2), 3)
    assert found[0].tolist() == [3, 2, 1]
    assert set(found[1, :2]) == {2, 3}


def test_training_without_zeros_and_test_with():
    X = sparse.csr_array(np.array([[5.0, 1], [6, 1], [7, 1], [0, 1]]))
    found = RowSpace.fit(X, None, np.arange(3)).neighbours(np.arange(3), np.array([3]), np.ones(2), 2)
    assert found.tolist() == [[0, 1]]


@FORMS
def test_nothing_known(form):
    X = np.full((6, 2), np.nan)
    X[:, 1] = [0, 1, 2, 3, 4, 5]
    for nominal in ([], [0]):
        space = RowSpace.fit(form(X), np.array(nominal, int), np.arange(5))
        assert space.neighbours(np.arange(5), np.array([5]), np.ones(2), 2).tolist() == [[4, 3]]


def test_csr_stays_sparse():
    X = sparse.random_array((300, 200_000), density=1e-4, rng=np.random.default_rng(0), format="csr")
    space = RowSpace.fit(X)
    assert space.points.nnz <= X.nnz
    assert space.neighbours(np.arange(250), np.arange(250, 300), np.ones(200_000), 3).shape == (50, 3)


@FORMS
def test_input_is_left_alone(form):
    X, nominal, scores = make(8)
    X, y = form(X), np.arange(30) % 3
    before = X.copy()
    weighted_knn(X[:20], y[:20], X[20:], scores, 3, nominal)
    RowSpace.fit(DataTable.read(X, nominal))
    one, two = ((a.data if sparse.issparse(a) else a) for a in (X, before))
    np.testing.assert_array_equal(one, two)


def test_data_tables_are_taken_as_they_are():
    X, nominal, scores = make(9)
    train, test = split(len(X))
    found = RowSpace.fit(DataTable.read(X, nominal)).neighbours(train, test, scores, 4)
    assert np.array_equal(found, RowSpace.fit(X, nominal).neighbours(train, test, scores, 4))


@pytest.mark.parametrize(
    "scores, weights",
    [
        ([1, 4, -2, np.nan], [0.25, 1, 0, 0]),
        ([-1, 0, np.nan, -np.inf], [1, 1, 1, 1]),
        ([1, np.inf, np.inf, -np.inf], [0, 1, 1, 0]),
        ([0, 0, 5e-324, 0], [0, 0, 1, 0]),
        ([1e308, 1e308, 0, 0], [1, 1, 0, 0]),
    ],
)
def test_feature_weights(scores, weights):
    assert feature_weights(scores).tolist() == weights


@EXAMPLES
@given(SEEDS, st.integers(1, 6))
def test_vote_and_mean_are_those_of_the_twin(seed, k):
    rng = np.random.default_rng(seed)
    near = np.array([rng.permutation(20)[:k] for _ in range(9)])
    codes, values = rng.integers(-1, 4, 20), rng.normal(size=(20, 3))
    values[rng.random((20, 3)) < 0.4] = np.nan
    assert np.array_equal(vote(codes, near), naive.vote(codes, near))
    expected = np.column_stack([naive.mean(column, near) for column in values.T])
    np.testing.assert_allclose(mean(values, near), expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(mean(values[:, 0], near), expected[:, 0], rtol=0, atol=1e-12)


def test_vote_of_nobody():
    assert vote(np.array([-1, -1, 2]), np.array([[0, 1], [0, 2]]), default=7).tolist() == [7, 2]


def test_shares_of_sparse_labels():
    Y = (np.random.default_rng(0).random((20, 4)) < 0.3).astype(np.uint8)
    near = np.array([[0, 3, 5], [2, 1, 19]])
    expected = Y[near].mean(axis=1)
    for labels in (Y, sparse.csr_array(Y)):
        np.testing.assert_allclose(mean(labels, near), expected, rtol=0, atol=1e-15)


@FORMS
def test_predictions_by_the_kind_of_target(form):
    X, nominal, scores = make(10, n=40)
    A, B = form(X[:30]), form(X[30:])
    y = np.random.default_rng(1).integers(0, 3, 30)
    names = np.array(["b", "a", "c"])[y]
    near = naive.neighbours(X, range(30), range(30, 40), scores, 5, nominal)
    codes = np.array([1, 0, 2])[y]
    assert (
        weighted_knn(A, names, B, scores, 5, nominal).tolist()
        == np.array(["a", "b", "c"])[naive.vote(codes, near)].tolist()
    )
    assert np.array_equal(weighted_knn(A, y, B, scores, 5, nominal), naive.vote(y, near))
    assert weighted_knn(A, y > 0, B, scores, 5, nominal).dtype == bool
    np.testing.assert_allclose(weighted_knn(A, y.astype(float), B, scores, 5, nominal), naive.mean(y, near), atol=1e-12)
    labels = np.eye(3, dtype=int)[y]
    np.testing.assert_allclose(weighted_knn(A, labels, B, scores, 5, nominal), labels[near].mean(axis=1), atol=1e-12)


def test_k_is_cut():
    X = np.arange(8.0)[:, None]
    assert weighted_knn(X[:5], np.arange(5.0), X[5:], [1], 20).tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"k": 0}, "k must be at least 1"),
        ({"train": []}, "training rows"),
        ({"weights": np.ones(3)}, "each of 4 features"),
        ({"ranges": np.ones(3)}, "ranges must be one number for each of the 4"),
        ({"rows": []}, "no rows to fit to"),
        ({"X": np.full((6, 4), np.inf)}, "infinite or far too large"),
        ({"X": np.outer([-1, 1, 1, 1, 1, 1], np.full(4, 1e308))}, "infinite or far too large"),
    ],
)
@FORMS
def test_bad_input(form, change, message):
    given = {"X": np.eye(6, 4), "rows": np.arange(5), "ranges": None, "train": np.arange(5), "weights": np.ones(4),
             "k": 2} | change  # fmt: skip
    with pytest.raises(ValueError, match=message):
        RowSpace.fit(form(given["X"]), None, given["rows"], given["ranges"]).neighbours(
            given["train"], [5], given["weights"], given["k"]
        )


@pytest.mark.parametrize("shapes", [((5, 3), (5,), (2, 4)), ((5, 3), (4,), (2, 3))])
def test_shapes_that_do_not_fit(shapes):
    with pytest.raises(ValueError, match="do not fit"):
        weighted_knn(*map(np.ones, shapes), np.ones(3), 2)


def test_codes_must_be_integers():
    with pytest.raises(ValueError, match="integers"):
        vote(np.zeros(3), np.array([[0]]))
