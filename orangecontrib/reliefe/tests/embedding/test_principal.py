"""Principal components: those of a full decomposition, whatever way they are found, and stopped between pieces."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.embedding.principal import Pca
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.samples import examples

EXAMPLES = examples(15, 15)
FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])


class Counting(Work):
    """Counts its ticks, and ends at one of them."""

    def __init__(self, end=None):
        super().__init__()
        self.ticks, self.end = 0, end

    def tick(self, units=0):
        self.ticks += 1
        if self.ticks == self.end:
            raise Interrupted

    def aside(self, function, *arguments, tick=None):
        self.tick()  # once, however long it takes
        return function(*arguments)


def full(F, X, d):
    """Coordinates by the singular values of the centred matrix."""
    mean = F.mean(axis=0)
    loadings = np.linalg.svd(F - mean, full_matrices=False)[2][:d]
    return (X - mean) @ loadings.T


def same(found, expected, tolerance=1e-9):
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found * signs, expected, rtol=0, atol=tolerance)


def rows(n, p, seed=0):
    rng = np.random.default_rng(seed)
    return np.where(rng.random((n, p)) < 0.5, rng.normal(size=(n, p)) + 1, 0) * np.geomspace(1, 0.05, p)


@FORMS
@pytest.mark.parametrize("narrow", [1000, 10])
@pytest.mark.parametrize("shape", [(60, 35), (35, 60), (200, 90), (90, 200), (50, 50)])
@pytest.mark.parametrize("d", [1, 5, 24])
def test_components_are_those_of_a_full_decomposition(form, narrow, shape, d):
    F, X = rows(*shape), rows(17, shape[1], 1)
    pca = Pca(d, Work(), narrow).fit(form(F))
    same(pca.transform(form(X)), full(F, X, d))


@FORMS
@pytest.mark.parametrize("narrow", [1000, 10])
def test_pieces_change_nothing(form, narrow):
    F = rows(120, 60)
    expected = Pca(3, Work(), narrow).fit_transform(form(F))
    found = Pca(3, Work(), narrow, piece=900).fit_transform(form(F))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


def test_single_precision_stays():
    F = rows(40, 20)
    found = Pca(3, Work()).fit(F.astype(np.float32)).transform(F.astype(np.float32))
    same(found, full(F, F, 3), 1e-4)


@EXAMPLES
@given(st.integers(0, 2**32 - 1), st.integers(1, 11), st.integers(12, 80))
def test_few_components_are_those_of_all(seed, d, n):
    rng = np.random.default_rng(seed)
    F = rng.normal(size=(n, 60)) * np.geomspace(1, 1e-3, 60)
    found = Pca(d, Work(), narrow=10).fit_transform(F)
    np.testing.assert_allclose(found.T @ found, np.diag((full(F, F, d) ** 2).sum(axis=0)), rtol=0, atol=1e-10)


@FORMS
def test_equal_variances(form):
    """Krylov spaces of such matrices end early."""
    F = np.linalg.qr(np.c_[np.ones(60), np.random.default_rng(0).normal(size=(60, 40))])[0][:, 1:]
    found = Pca(9, Work(), narrow=10).fit_transform(form(F))
    np.testing.assert_allclose(found.T @ found, np.eye(9), rtol=0, atol=1e-12)


@FORMS
@pytest.mark.parametrize("narrow", [1000, 10])
def test_no_variance_at_all(form, narrow):
    """The mean of sixty times 0.1 is not 0.1."""
    F = np.ones((60, 40)) * 0.1 * np.arange(40)
    found = Pca(9, Work(), narrow).fit_transform(form(F))
    assert not found.any()


@FORMS
@pytest.mark.parametrize("narrow", [1000, 10])
@pytest.mark.parametrize("shape", [(60, 35), (35, 60)])
def test_a_large_mean_hides_no_variance(form, narrow, shape):
    """Sums of squares of 1e6 have an error of 1e-4 of the variance."""
    F = np.random.default_rng(2).normal(size=shape) * np.geomspace(1, 0.01, shape[1])
    F[:5, -2:] = 0
    shifted = F + np.append(np.full(shape[1] - 2, 1e6), [0, 0])
    same(Pca(3, Work(), narrow).fit_transform(form(shifted)), full(F, F, 3), 1e-7)


@FORMS
def test_directions_without_variance_are_left_at_zero(form):
    F = np.outer(np.arange(40.0), np.ones(30)) + np.outer(np.arange(40) % 2, np.arange(30.0))
    found = Pca(4, Work(), narrow=10).fit_transform(form(F))
    assert not found[:, 2:].any()
    same(found[:, :2], full(F, F, 2), 1e-8)


@FORMS
@pytest.mark.parametrize("narrow", [1000, 10])
def test_the_callers_matrix_is_not_written_to(form, narrow):
    F = form(rows(60, 40))
    before = F.copy()
    Pca(3, Work(), narrow).fit_transform(F)
    assert abs(F - before).max() == 0


@FORMS
@pytest.mark.parametrize("narrow", [1000, 10])
def test_every_piece_can_be_the_last(form, narrow):
    F, work = form(rows(60, 40)), Counting()
    Pca(3, work, narrow, piece=2000).fit_transform(F)
    assert work.ticks > 10
    for end in range(1, work.ticks + 1):
        with pytest.raises(Interrupted):
            Pca(3, Counting(end), narrow, piece=2000).fit_transform(F)
