"""Embeddings of all kinds: what they return, refuse and leave alone.  UMAP has tests of its own."""

import sys
import threading
import time
import warnings

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.embedding import embed, sparsify

FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])


def points(n=60, p=6, seed=0):
    """Three clouds."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) + 8 * (np.arange(n) % 3)[:, None]


class Half:
    """An embedding that knows nothing of scikit-learn: the first columns, shifted when learned."""

    def fit(self, F):
        self.rows = F.shape[0]
        return self

    def transform(self, X):
        return np.asarray(X[:, :2]) * 2.0


class Returns(Half):
    def __init__(self, found):
        self.found = found

    def transform(self, X):
        return self.found(X)


# ---- principal components


@pytest.mark.parametrize("p", [3, 8, 30])
@FORMS
def test_pca_is_that_of_scikit_learn(p, form):
    from sklearn.decomposition import PCA

    X, rows = points(40, p), np.arange(25)
    expected = PCA(3, svd_solver="full").fit(X[rows]).transform(X)
    found = embed(form(X), rows, 3, "pca")
    assert found.how == "pca"
    assert found.coordinates.flags.c_contiguous
    assert found.notes == ()
    for ours, theirs in zip(found.coordinates.T, expected.T):
        np.testing.assert_allclose(ours * np.sign(ours @ theirs), theirs, rtol=0, atol=1e-9)


def of_known_components(n_components, n=1010, p=1005):
    """Return F (n, p), more than 1000 each way so that iterations find few components, and their coordinates."""
    rng = np.random.default_rng(0)
    left = np.linalg.qr(np.column_stack([np.ones(n), rng.normal(size=(n, n_components))]))[0][:, 1:]
    right = np.linalg.qr(rng.normal(size=(p, n_components)))[0]
    coordinates = left * np.geomspace(100, 1, n_components)
    return coordinates @ right.T + rng.normal(size=p), coordinates


@FORMS
@pytest.mark.parametrize("n_components, d", [(8, 5), (2, 4)])
def test_pca_of_many_rows_and_columns(form, n_components, d):
    """Directions without variance are left at 0."""
    F, expected = of_known_components(n_components)
    found = embed(form(F), np.arange(len(F)), d, "pca").coordinates
    assert not found[:, n_components:].any()
    found, expected = found[:, :n_components], expected[:, :d]
    np.testing.assert_allclose(found * np.sign((found * expected).sum(axis=0)), expected, rtol=0, atol=1e-8)


@FORMS
def test_pca_of_equal_variances(form):
    """Krylov spaces of such matrices end early."""
    F = np.kron(np.eye(1010), [[1.0], [-1.0]]) / np.sqrt(2)
    found = embed(form(F), np.arange(len(F)), 9, "pca").coordinates
    np.testing.assert_allclose(found.T @ found, np.eye(9), rtol=0, atol=1e-12)


@FORMS
@pytest.mark.parametrize("shape", [(60, 40), (1010, 1005)])
def test_pca_of_constant_columns(form, shape):
    """The mean of sixty times 0.1 is not 0.1."""
    F = np.ones(shape) * 0.1 * np.arange(shape[1])
    assert not embed(form(F), np.arange(shape[0]), 9, "pca").coordinates.any()


@FORMS
@pytest.mark.parametrize("shape", [(60, 35), (35, 60), (1010, 1005)])
def test_a_large_mean_hides_no_variance(form, shape):
    """Sums of squares of 1e6 have an error of 1e-4 of the variance."""
    F, expected = of_known_components(3, *shape)
    found = embed(form(F + 1e6), np.arange(shape[0]), 3, "pca").coordinates
    np.testing.assert_allclose(found * np.sign((found * expected).sum(axis=0)), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("shape", [(60, 40), (1010, 1005)])
def test_any_look_at_whether_to_stop_can_be_the_last(shape):
    """All components at once, and few by iterations."""
    F = of_known_components(5, *shape)[0]
    shares = []
    embed(F, np.arange(len(F)), 3, "pca", progress=shares.append)
    for last in {shares[0], shares[len(shares) // 2], shares[-1]}:  # how many there are depends on the time

        def stop(share, last=last):
            if share >= last:
                raise Interrupted

        with pytest.raises(Interrupted):
            embed(F, np.arange(len(F)), 3, "pca", progress=stop)


def test_pca_does_not_depend_on_the_seed():
    X, rows = points(50, 6), np.arange(30)
    one, two = (embed(X, rows, 2, "pca", random_state=seed).coordinates for seed in (1, 2))
    assert np.array_equal(one, two)


def test_pca_of_few_different_rows():
    """Directions without variance carry nothing, whatever the others do in them."""
    X = np.r_[np.outer(np.arange(6), [1.0, 2, 0, 0]), [[0, 0, 5, 7]]]
    found = embed(X, np.arange(6), 3, "pca").coordinates
    assert not found[:, 1:].any()
    assert np.ptp(found[:6, 0]) == pytest.approx(5 * np.sqrt(5))


@pytest.mark.parametrize("shape", [(10, 3), (4, 9)])
def test_pca_with_too_many_dimensions(shape):
    with pytest.raises(ValueError, match=f"there are {shape[1]} features and {shape[0]} rows"):
        embed(np.ones(shape), np.arange(shape[0]), 5, "pca")


def test_wide_sparse_data_stay_sparse():
    """Dense, they would take 320 MB."""
    tracemalloc = pytest.importorskip("tracemalloc")
    X = sparse.random_array((200, 200_000), density=1e-4, rng=np.random.default_rng(0), format="csr")
    embed(X[:, :2000], np.arange(100), 3, "pca")  # imports
    tracemalloc.start()
    try:
        thin = sparsify(X[:100]).X
        embed(X, np.arange(100), 3, "pca", fit_matrix=thin)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60e6


# ---- rows to learn from


def test_learns_from_some_rows_and_places_all():
    X, rows = points(), np.array([50, 3, 4, 17, 22])
    expected = np.where(np.isin(np.arange(60), rows)[:, None], 3.0, X[:, :2] * 2)

    class Remembers(Half):
        def fit_transform(self, F):
            assert np.array_equal(F, X[rows])
            return np.full((len(F), 2), 3.0)

    found = embed(X, rows, 9, Remembers())
    assert np.array_equal(found.coordinates, expected)
    assert found.how == "Remembers"
    assert found.seconds > 0


def test_rows_may_be_a_mask():
    X = points()
    mask = np.arange(60) % 2 == 0
    assert np.array_equal(embed(X, mask, 2, "pca").coordinates, embed(X, np.flatnonzero(mask), 2, "pca").coordinates)


def test_learns_from_another_matrix():
    X, rows = points(), np.arange(20)
    thin = sparsify(X[rows], epsilon=20).X
    expected = embed(np.vstack([thin.toarray(), X[20:]]), rows, 2, "pca").coordinates
    for form in (np.asarray, sparse.csr_array):
        for fit_matrix in (thin, thin.toarray()):
            found = embed(form(X), rows, 2, "pca", fit_matrix=fit_matrix).coordinates
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_many_rows_come_in_blocks(monkeypatch):
    monkeypatch.setattr(sys.modules[embed.__module__], "ROWS_PER_BLOCK", 7)
    X, shares = points(), []
    assert np.array_equal(embed(X, np.arange(10), 2, Half(), progress=shares.append).coordinates, X[:, :2] * 2)
    assert shares == sorted(shares)
    assert shares[-1] == 1


@pytest.mark.parametrize("rows", [[0, 0], [-1, 2], [0, 60], [], [0.5, 1], np.ones(59, bool), [[0, 1]]])
def test_bad_rows(rows):
    with pytest.raises(ValueError, match=r"fit_rows must be (different )?indices from 0 to 59"):
        embed(points(), rows, 2, "pca")


@FORMS
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_missing_values_are_refused(form, value):
    X = points()
    X[4, 2] = value
    with pytest.raises(ValueError, match="X has missing or infinite values"):
        embed(form(X), np.arange(9), 2, "pca")
    with pytest.raises(ValueError, match="fit_matrix has missing or infinite values"):
        embed(form(points()), np.arange(9), 2, "pca", fit_matrix=form(X[:9]))


@pytest.mark.parametrize(
    "arguments, options, message",
    [
        ((points(), np.arange(9), 0, "pca"), {}, "dimension must be at least 1, not 0"),
        ((points(), np.arange(9), 2, "tsne"), {}, "unknown embedding 'tsne'; choose from umap, pca"),
        ((points(), np.arange(9), 2, Half), {}, "must be an object with fit and transform"),
        ((points(), np.arange(9), 2, 5), {}, "must be an object with fit and transform"),
        ((points()[0], np.arange(9), 2, "pca"), {}, "X must be a matrix of numbers"),
        ((points(), np.arange(9), 2, "pca"), {"fit_matrix": points(8)}, r"must have shape \(9, 6\), not \(8, 6\)"),
        ((points(), np.arange(3), 1, "umap"), {}, "UMAP needs at least 4 rows to learn from, not 3"),
        ((points(), np.arange(9), 8, "umap"), {}, "UMAP with 8 dimensions needs more than 9 rows"),
        ((points(), np.arange(9), 2, "umap"), {"n_neighbors": 1}, "n_neighbors of UMAP must be at least 2, not 1"),
    ],
)
def test_bad_input(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        embed(*arguments, **options)


# ---- objects of the caller


@pytest.mark.parametrize(
    "found, message",
    [
        (lambda X: X[:-1], "an array of shape .* for 9 rows"),
        (lambda X: X[:, 0], "an array of shape .* for 9 rows"),
        (lambda X: X[:, :0], "an array of shape .* for 9 rows"),
        (lambda X: X.astype(str), "an array of shape .* for 9 rows"),
        (lambda X: sparse.csr_array(X), "a sparse matrix"),
        (
            lambda X: np.where(np.arange(len(X))[:, None] == 4, np.nan, X),
            "coordinates that are no numbers for 1 of 9 rows",
        ),
        (lambda X: X if len(X) == 9 else X[:, 1:], "6 and then 5 coordinates"),
    ],
)
def test_bad_coordinates(found, message):
    with pytest.raises(ValueError, match=f"the embedding returned {message}"):
        embed(points(), np.arange(9), 2, Returns(found))


def test_objects_of_scikit_learn_are_cloned_and_seeded():
    from sklearn.random_projection import GaussianRandomProjection

    X, rows = points(), np.arange(30)
    own = GaussianRandomProjection(3)
    one, two, other = (embed(X, rows, 9, own, random_state=seed) for seed in (1, 1, 2))
    assert not hasattr(own, "components_")
    assert own.random_state is None
    assert one.how == "GaussianRandomProjection"
    assert one.coordinates.shape == (60, 3)
    assert np.array_equal(one.coordinates, two.coordinates)
    assert not np.array_equal(one.coordinates, other.coordinates)
    fixed = [embed(X, rows, 9, GaussianRandomProjection(3, random_state=5), random_state=s).coordinates for s in (1, 2)]
    assert np.array_equal(*fixed)


def test_plain_objects_stay_as_they_are():
    own = Half()
    embed(points(), np.arange(9), 2, own)
    assert not hasattr(own, "rows")


def test_sparse_data_reach_the_object_sparse():
    X = sparse.csr_array(points())
    found = embed(X, np.arange(9), 2, Returns(lambda X: X[:, :2].toarray())).coordinates
    assert np.array_equal(found, points()[:, :2])


def test_warnings_become_notes():
    class Warns(Half):
        def fit(self, F):
            warnings.warn("it  did\nnot converge", UserWarning, stacklevel=1)
            warnings.warn("soon gone", FutureWarning, stacklevel=1)
            return super().fit(F)

        def transform(self, X):
            warnings.warn("it did not converge", RuntimeWarning, stacklevel=1)
            return super().transform(X)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = embed(points(), np.arange(9), 2, Warns())
    assert found.notes == ("The embedding warns: it did not converge",)


def test_warnings_of_others_are_left_alone():
    """Also when embeddings overlap."""

    class Waits(Half):
        def fit(self, F):
            started.set()
            time.sleep(0.2)
            return super().fit(F)

    before, started, threads = warnings.showwarning, threading.Event(), []
    filters = warnings.filters
    for _ in range(2):
        threads.append(threading.Thread(target=embed, args=(points(), np.arange(9), 2, Waits())))
        threads[-1].start()
        started.wait(10)
        started.clear()
    for thread in threads:
        thread.join(10)
    assert warnings.showwarning is before
    assert warnings.filters is filters


def test_errors_of_objects_pass():
    class Fails(Half):
        def transform(self, X):
            raise KeyError("inside")

    with pytest.raises(KeyError, match="inside"):
        embed(points(), np.arange(9), 2, Fails())


def test_interruption_between_blocks():
    def progress(share):
        if share > 0:
            raise Interrupted

    with pytest.raises(Interrupted):
        embed(points(), np.arange(9), 2, Half(), progress=progress)


def test_input_is_not_changed():
    X, thin = points(), sparse.csr_matrix(points())
    for form in (X, thin):
        embed(form, np.arange(20), 2, "pca")
    assert np.array_equal(X, points())
    assert np.array_equal(thin.toarray(), points())
