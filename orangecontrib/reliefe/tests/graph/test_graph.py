"""Points, their distances, graphs and eigenvectors, against full matrices."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.points.points import SCALINGS, Points
from orangecontrib.reliefe.core.structure.clusters import k_means
from orangecontrib.reliefe.core.structure.distances import Distances
from orangecontrib.reliefe.core.structure.graph import Graph
from orangecontrib.reliefe.core.structure.neighbours import median_square, near_pairs, nearest_graph
from orangecontrib.reliefe.core.structure.smooth_vectors import graph_product, smooth_vectors
from orangecontrib.reliefe.core.structure.smoothness import forms_of_all_pairs
from orangecontrib.reliefe.core.work.threads import SERIAL_ALGEBRA, Work, linear_algebra
from orangecontrib.reliefe.tests.naive import filters as naive
from orangecontrib.reliefe.tests.samples import make

DATA = make(2, n=30, p=6, nominal=(1, 4), missing=0.1, zeros=0.3)
FORMS = pytest.mark.parametrize("form", [np.array, sparse.csr_array], ids=["dense", "csr"])


def points(form=np.array, scaling="z-score", X=DATA.X, nominal=DATA.nominal):
    return Points.of(DataTable.read(form(X), nominal), Work(), scaling)


@FORMS
@pytest.mark.parametrize("scaling", SCALINGS)
def test_points(form, scaling):
    """Columns in the same order, centred, with the means that they had kept beside them."""
    found = points(form, scaling)
    expected, owners = naive.points(DATA.X, DATA.nominal, scaling)
    assert found.owners.tolist() == owners
    assert sparse.issparse(found.values) == (form is sparse.csr_array)
    centred = expected - expected.mean(axis=0)
    if scaling == "z-score":
        columns = [DATA.X[:, a] for a in owners]
        widths = np.array([np.nan_to_num(c, nan=np.nanmean(c)).std() for c in columns])
        means = np.array([np.nanmean(c) for c in columns]) / widths
    else:
        means = np.array([np.nanmean(DATA.X[:, a]) / (np.nanmax(DATA.X[:, a]) - np.nanmin(DATA.X[:, a])
                          if scaling == "range" else 1) for a in owners])  # fmt: skip
    np.testing.assert_allclose(found.block(slice(0, 30)), centred, atol=1e-12)
    np.testing.assert_allclose(found.columns([0, 3]), centred[:, [0, 3]], atol=1e-12)
    np.testing.assert_allclose(found.origin, np.where(DATA.nominal[owners], 0, means), atol=1e-12)
    V = np.random.default_rng(0).random((30, 2))
    np.testing.assert_allclose(found.back(V), centred.T @ V, atol=1e-11)
    np.testing.assert_allclose(found.back(V, slice(1, 4)), (centred.T @ V)[1:4], atol=1e-11)
    np.testing.assert_allclose(found.times(found.back(V)), centred @ centred.T @ V, atol=1e-10)
    np.testing.assert_allclose(found.gram(Work()), centred.T @ centred, atol=1e-11)


@FORMS
def test_distances(form):
    found = Distances(points(form))
    D = naive.squares(naive.points(DATA.X, DATA.nominal)[0])
    i, j = np.triu_indices(30, 1)
    np.testing.assert_allclose(found.tile(slice(3, 9), slice(None)), D[3:9], atol=1e-10)
    np.testing.assert_allclose(found.pairs(i, j), D[i, j], atol=1e-12)
    assert median_square(found, 0, Work()) == pytest.approx(np.median(D[i, j]), abs=1e-10)
    X = np.where(DATA.nominal, 0, np.nan_to_num(DATA.X))
    X[4:6] = 0
    unit = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
    D = naive.squares(unit)
    empty = ~X.any(axis=1)
    D[empty], D[:, empty] = 2, 2  # no direction is at a right angle to all
    D[np.ix_(empty, empty)] = 0
    found = Distances(points(form, "none", X), cosine=True)
    np.testing.assert_allclose(found.tile(slice(None), slice(None)), D, atol=1e-10)
    np.testing.assert_allclose(found.pairs(i, j), D[i, j], atol=1e-10)


def test_equal_distances_tie():
    """So that the lower row is taken, whatever the rounding errors."""
    X = np.array([[0.0, 0.0], [0.1, 0.2], [-0.2, 0.1], [0.2, -0.1], [5.0, 5.0]]) * 0.3
    found = Distances(points(np.array, "none", X, None))
    row = found.tile(slice(0, 1), slice(None))[0]
    assert row[1] == row[2] == row[3] < row[4]
    pairs = near_pairs(lambda rows: found.tile(rows, slice(None)), 5, 1, Work())
    assert [0, 1] in pairs.tolist()
    assert [0, 2] in pairs.tolist()  # row 0 is the nearest of row 2
    assert all(i < j for i, j in pairs)


def test_duplicates_are_neighbours():
    X = np.repeat(np.random.default_rng(0).normal(size=(5, 3)), 2, axis=0)
    for bandwidth in ("median", 5e-324):
        graph = nearest_graph(Distances(points(np.array, "none", X, None)), 2, bandwidth, 0, Work())
        assert graph.weights.toarray()[0, :2].tolist() == [1, 1]
        assert (graph.weights.toarray()[0, 2:].max() > 0) == (bandwidth == "median")


@pytest.mark.parametrize("parameters", [(5, "median"), (2, 0.5), (3, None), (99, "median")])
def test_graph(parameters):
    k, bandwidth = parameters
    found = nearest_graph(Distances(points()), k, bandwidth, 0, Work())
    Z, _ = naive.points(DATA.X, DATA.nominal)
    expected = naive.graph(Z, k, bandwidth or 1e9)
    np.testing.assert_allclose(found.weights.toarray(), expected, atol=1e-10)
    np.testing.assert_allclose(found.degrees, expected.sum(axis=1), atol=1e-10)
    L = found.laplacian.toarray()
    np.testing.assert_allclose(
        L @ np.sqrt(found.degrees), 0, atol=1e-12
    )  # a row of degrees, and no diagonal, would not be


def test_median_of_many_rows_is_that_of_some():
    X = np.random.default_rng(0).normal(size=(300, 3))
    found = Distances(points(np.array, "none", X, None))
    whole, some = median_square(found, 0, Work()), median_square(found, 0, Work(), sample=100)
    assert some != whole
    assert some == pytest.approx(whole, rel=0.2)


@pytest.mark.parametrize("n", [40, 400])
def test_eigenvectors(n):
    """By all of them, and by iterations; two connected parts have two trivial ones, and lone rows one each."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3)) + 50 * (np.arange(n) % 2)[:, None]
    graph = nearest_graph(Distances(points(np.array, "none", X, None)), 6, 1.0, 0, Work())
    assert graph.components.max() == 1
    values, vectors = smooth_vectors(graph_product(graph), graph.degrees, graph.components, 4, Work())
    expected, _ = np.linalg.eigh(graph.laplacian.toarray())
    np.testing.assert_allclose(values, expected[2:6], atol=1e-9)
    np.testing.assert_allclose(graph.laplacian @ vectors, vectors * values, atol=1e-9)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(4), atol=1e-9)
    again = smooth_vectors(graph_product(graph), graph.degrees, graph.components, 4, Work())[1]
    assert again.tobytes() == vectors.tobytes()
    assert (vectors[np.abs(vectors).argmax(axis=0), np.arange(4)] > 0).all()


def test_lone_rows():
    graph = Graph.join(np.array([[0, 1], [1, 2]]), np.ones(2), np.zeros(4), None)
    values, vectors = smooth_vectors(graph_product(graph), graph.degrees, graph.components, 9, Work())
    np.testing.assert_allclose(values, [1, 2], atol=1e-12)
    np.testing.assert_allclose(vectors[3], 0, atol=1e-12)


@FORMS
def test_all_pairs(form):
    """Tiles that are not full, and each pair once."""
    X = np.random.default_rng(1).normal(size=(600, 3)) * (np.random.default_rng(2).random((600, 3)) < 0.5)
    made = points(form, X=X, nominal=None)
    Z = made.block(slice(0, 600))
    S = np.exp(-0.3 * ((Z[:, None] - Z) ** 2).sum(axis=2))
    found = forms_of_all_pairs(made, Distances(made), 0.3, Work(2))
    np.testing.assert_allclose(found.degrees, S.sum(axis=1), rtol=1e-10)
    np.testing.assert_allclose(found.joined, np.einsum("ia,ij,ja->a", Z, S, Z), rtol=1e-9)
    np.testing.assert_allclose(found.squares, (Z * Z).T @ S.sum(axis=1), rtol=1e-10)


@FORMS
def test_clusters(form):
    X = np.random.default_rng(0).normal(size=(30, 4)) + 20 * (np.arange(30) % 3)[:, None]
    found = k_means(points(form, X=X, nominal=None), 3, 0, Work())
    assert (found.reshape(10, 3) == found[:3]).all()
    assert sorted(found[:3]) == [0, 1, 2]
    assert k_means(points(form, X=X, nominal=None), 1, 0, Work()).max() == 0
    few = np.repeat(X[:2], 3, axis=0)
    assert k_means(points(form, X=few, nominal=None), 4, 0, Work()).max() == 1  # there are no more different rows


def test_limit_of_threads_lasts_as_long_as_anybody_needs_it():
    def threads():
        return [library["num_threads"] for library in linear_algebra().info() if library["user_api"] == "blas"]

    before = threads()
    with ThreadPoolExecutor(1) as other:
        other.submit(SERIAL_ALGEBRA.__enter__).result()
        with SERIAL_ALGEBRA:
            assert set(threads()) == {1}
        assert set(threads()) == {1}
        other.submit(SERIAL_ALGEBRA.__exit__).result()
        assert threads() == before
        # The other thread was the first one to set a limit, and is alive: this one can set it as well.
        with SERIAL_ALGEBRA:
            assert set(threads()) == {1}
            other.submit(SERIAL_ALGEBRA.__enter__).result()
        assert set(threads()) == {1}
        other.submit(SERIAL_ALGEBRA.__exit__).result()
    assert threads() == before
