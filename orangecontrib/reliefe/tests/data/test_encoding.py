"""The table as a matrix: scaled, coded, complete, and the same for dense and sparse tables."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import pdist

from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.embedding import matrix
from orangecontrib.reliefe.core.evaluation import RowSpace
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.naive import embedding as naive
from orangecontrib.reliefe.tests.samples import examples, make

EXAMPLES = examples(10, 10)
SEEDS = st.integers(0, 2**32 - 1)
FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])


@EXAMPLES
@given(SEEDS, st.sampled_from([0.0, 0.2]), st.sampled_from([(), (1, 4)]))
def test_matrix_of_the_twin(seed, missing, nominal):
    data = make(seed, missing=missing, nominal=nominal)
    data.X[:2] = np.where(np.isnan(data.X[:2]), 1.0 + np.arange(2)[:, None], data.X[:2])
    before = data.X.copy()
    table = DataTable.read(data.X, data.nominal)
    np.testing.assert_allclose(matrix(table), naive.matrix(data.X, data.nominal), rtol=1e-12, atol=1e-12)
    assert np.array_equal(data.X, before, equal_nan=True)


@EXAMPLES
@given(SEEDS, st.sampled_from([0.0, 0.15]), st.sampled_from([(), (1, 4), (0, 2, 7)]), st.sampled_from([0.0, 0.6]))
def test_matrix_of_sparse_tables_has_the_same_distances(seed, missing, nominal, zeros):
    data = make(seed, missing=missing, nominal=nominal, zeros=zeros)
    dense = matrix(DataTable.read(data.X, data.nominal))
    thin = matrix(DataTable.read(sparse.csr_array(data.X), data.nominal))
    assert thin.has_canonical_format
    assert np.all(thin.data != 0)
    np.testing.assert_allclose(pdist(thin.toarray()), pdist(dense), atol=1e-9)
    if not nominal:
        np.testing.assert_allclose(thin.toarray(), dense, rtol=1e-12, atol=1e-12)


@FORMS
def test_zero_stays_zero_and_ranges_become_one(form):
    X = np.array([[0, -5.0, -2], [0, 0, 1], [4, 0, 2]])
    found = matrix(DataTable.read(form(X)))
    found = found.toarray() if sparse.issparse(found) else found
    np.testing.assert_allclose(found, X / [4, 5, 4])


@FORMS
def test_columns_without_zero_are_shifted_and_constant_ones_vanish(form):
    X = np.array([[1e9, 5, 0, -8], [1e9 + 1, 5, 0, -6], [1e9 + 4, 5, 0, -7]])
    found = matrix(DataTable.read(form(X)))
    found = found.toarray() if sparse.issparse(found) else found
    np.testing.assert_allclose(found, [[0, 0, 0, 0], [0.25, 0, 0, 1], [1, 0, 0, 0.5]])


@FORMS
def test_missing_values_become_means_and_modes(form):
    nan = np.nan
    X = np.array([[0, 2, nan], [4, nan, nan], [nan, 2, nan], [0, 1, nan], [4, 1, nan]])
    found = matrix(DataTable.read(form(X), [False, True, False]))
    found = found.toarray() if sparse.issparse(found) else found
    np.testing.assert_allclose(found[:, 0], [0, 1, 0.5, 0, 1])
    np.testing.assert_allclose(found[:, 1:3], [[0, 1], [1, 0], [0, 1], [1, 0], [1, 0]])  # 1 is as frequent as 2
    assert not found[:, 3:].any()


def test_mode_of_sparse_columns_counts_zeros():
    X = sparse.csr_array(np.array([[0.0], [0], [3], [np.nan], [3], [0]]))
    found = matrix(DataTable.read(X, [True])).toarray()
    assert found[3] == found[0] == 0
    assert found[2] == pytest.approx(np.sqrt(2))


@FORMS
@pytest.mark.parametrize("rows", [[3, 0, 5], np.arange(24) % 5 == 0])
def test_some_rows_on_the_scale_of_all(form, rows):
    data = make(1, missing=0.1)
    table = DataTable.read(form(data.X), data.nominal)
    whole, some = matrix(table), matrix(table, rows)
    difference = some - whole[np.asarray(rows)]
    assert not (difference.nnz if sparse.issparse(difference) else difference.any())


def test_large_matrices_are_single():
    X = np.random.default_rng(0).uniform(-1, 1, (2, 6))
    assert matrix(DataTable.read(X[:, :5]), max_double_cells=10).dtype == np.float64
    found = matrix(DataTable.read(X), max_double_cells=10)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, matrix(DataTable.read(X)).astype(np.float32))


@FORMS
@pytest.mark.parametrize("X", [[[1.0, np.inf]], [[1.7e308], [-1.7e308]]])
def test_matrix_of_infinite_values(form, X):
    with pytest.raises(ValueError, match="infinite or far too large"):
        matrix(DataTable.read(form(np.array(X))))


@pytest.mark.parametrize("column", [[0.0, 0], [np.nan, np.nan], [2.0, 2]])
@pytest.mark.parametrize("nominal", [False, True])
@FORMS
def test_matrix_of_columns_that_say_nothing(column, nominal, form):
    found = matrix(DataTable.read(form(np.array(column)[:, None]), [nominal]))
    found = found.toarray() if sparse.issparse(found) else found
    assert found.shape == (2, 1)
    assert found[0] == found[1] == (nominal and column[0] == 2) or found[0] == found[1] == (
        nominal and form is np.asarray
    )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("nominal, ticks", [(True, 7), (False, 2)])  # numbers are scaled many columns at a time
def test_a_stop_is_heard_between_columns(form, nominal, ticks):
    class Stopped(Work):
        left = ticks

        def tick(self, units=0):
            self.left -= 1
            if not self.left:
                raise Interrupted

    table = DataTable.read(form(np.arange(60.0).reshape(3, 20) % 4), np.full(20, nominal))
    with pytest.raises(Interrupted):
        matrix(table, work=Stopped())


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_means_that_stand_for_missing_values(form):
    """To a few digits of double precision, whatever the order in which they are added up."""
    rng = np.random.default_rng(1)
    X = rng.uniform(1, 2, (500, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    means = [math.fsum(column[~np.isnan(column)]) / (~np.isnan(column)).sum() for column in X.T]
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    expected = (np.where(np.isnan(X), means, X) - low) / (high - low)
    points = RowSpace.fit(form(X)).points
    for found in (matrix(DataTable.read(form(X))), points):
        found = found.toarray() if sparse.issparse(found) else found
        np.testing.assert_allclose(found, expected, rtol=0, atol=4e-15)


@FORMS
def test_means_whose_sums_are_beyond_all_numbers(form):
    X = np.array([[1e308, 0.0], [1e308, 1.0], [1e308, 2.0], [0.0, 4.0], [np.nan, np.nan]])
    points = RowSpace.fit(form(X)).points
    for found in (matrix(DataTable.read(form(X))), points):
        found = found.toarray() if sparse.issparse(found) else found
        np.testing.assert_allclose(found[-1], [0.75, 0.4375])
