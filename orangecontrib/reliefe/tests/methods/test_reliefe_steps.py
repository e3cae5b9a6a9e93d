"""ReliefE from the data to the ranking: representatives, dimension, embedding, and what it tells of them."""

import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import issparse
from sklearn.decomposition import PCA

from orangecontrib.reliefe.core import METHODS, Interrupted, null_level, rank, refine
from orangecontrib.reliefe.core.embedding import intrinsic_dimension, representatives
from orangecontrib.reliefe.core.methods import convergence
from orangecontrib.reliefe.core.methods import reliefe_preparation as embedded
from orangecontrib.reliefe.core.work import threads as parallel
from orangecontrib.reliefe.tests.naive import reliefe as naive
from orangecontrib.reliefe.tests.reliefe_samples import close, sample
from orangecontrib.reliefe.tests.samples import make
from orangecontrib.reliefe.tests.test_ranking import is_literal

PLAIN = {"embedding": "pca", "dimension": 2, "sparsify": False}
TASK = pytest.mark.parametrize("task", ["classification", "multi-label"])


def data_for(task, seed=1, **arguments):
    return sample(seed, **arguments)[0] if task == "multi-label" else make(seed, **arguments)


def run(data, **parameters):
    return rank(data.X, data.y, "reliefe", nominal=data.nominal, **parameters)


def as_embedded(data):
    """(n, q): numeric columns by their range, nominal ones one-hot, means and most frequent values for the unknown."""
    columns = []
    for x, nominal in zip(data.X.T, data.nominal):
        known = x[~np.isnan(x)]
        if nominal:
            values, counts = np.unique(known, return_counts=True)
            x = np.where(np.isnan(x), values[np.argmax(counts)], x)
            columns += [x == v for v in values]
        else:
            columns.append(np.where(np.isnan(x), known.mean(), x) / np.ptp(known))
    return np.column_stack(columns).astype(float)


@pytest.fixture
def embeddings(monkeypatch):
    """Instead of UMAP random places for rows, and a random projection of label sets; the calls are kept."""
    calls = []

    def embed(X, fit_rows, dimension, how="umap", **options):
        calls.append(SimpleNamespace(rows=len(fit_rows), dimension=dimension, how=how, **options))
        seed = options.get("random_state", 0)
        if not issparse(X) and np.isin(X, (0, 1)).all():
            places = X @ np.random.default_rng(seed).normal(size=(X.shape[1], dimension))
        else:
            places = np.random.default_rng([seed, 9]).normal(size=(X.shape[0], dimension))
        return SimpleNamespace(coordinates=places, how=how, notes=(), seconds=0.0)

    monkeypatch.setattr(embedded, "embed", embed)
    return calls


@TASK
@pytest.mark.parametrize("missing", [0, 0.1])
@pytest.mark.parametrize("distance", ["euclidean", "cosine"])
def test_principal_components(task, missing, distance):
    """As the twin with coordinates of scikit-learn."""
    data = data_for(task, n=40, missing=missing)
    E = PCA(2, svd_solver="full").fit_transform(as_embedded(data))
    found = run(data, distance=distance, **PLAIN)
    close(found.scores, naive.rank(data.X, data.y, E, data.nominal, distance=distance))
    assert found.info["embedding"] == "pca"
    assert found.info["dimension"] == 2
    assert found.info["representatives"] == 40


def test_representatives_make_the_embedding():
    """The other rows are placed in it."""
    data = make(2, n=60, n_classes=3)
    M, rows = as_embedded(data), representatives(data.y, 20, 4)
    found = run(data, n_representatives=20, random_state=4, **PLAIN)
    pca = PCA(2, svd_solver="full").fit(M[rows])
    close(found.scores, naive.rank(data.X, data.y, pca.transform(M), data.nominal))
    assert found.info["representatives"] == 20


@TASK
def test_dimension_is_estimated(task):
    data = data_for(task, n=60, p=10, nominal=())
    found = run(data, embedding="pca", sparsify=False)
    estimated = intrinsic_dimension(as_embedded(data), random_state=0)
    assert found.info["dimension"] == estimated.dimension
    assert found.info["dimension_estimate"] == pytest.approx(estimated.estimate)
    fixed = run(data, embedding="pca", sparsify=False, dimension=estimated.dimension)
    close(found.scores, fixed.scores, 0)
    assert fixed.info["dimension_estimate"] is None


def test_dimension_is_that_of_the_data():
    """A plane of twelve features."""
    rng = np.random.default_rng(0)
    plane = rng.random((300, 2))
    X = plane @ rng.random((2, 12))
    assert run(make(0, n=300, p=12, nominal=()).columns(slice(None)), **PLAIN).info["dimension"] == 2
    found = rank(X, plane[:, 0] > 0.5, "reliefe", embedding="pca", sparsify=False)
    assert found.info["dimension"] == 2
    assert found.info["dimension_estimate"] == pytest.approx(2, abs=0.4)


class Projection:
    """The first columns; keeps what it was fitted to."""

    fitted = []

    def fit(self, X):
        Projection.fitted.append(X)
        return self

    def transform(self, X):
        return np.asarray(X)[:, :2]


def test_any_object_with_fit_and_transform():
    data = make(3, n=30, nominal=())
    Projection.fitted.clear()
    found = run(data, embedding=Projection(), sparsify=False, n_representatives=12)
    assert found.info["embedding"] == "Projection"
    assert found.parameters["embedding"] == "Projection"
    assert [X.shape for X in Projection.fitted] == [(12, 8)]
    close(found.scores, run(data, embedding=as_embedded(data)[:, :2]).scores)


class Broken(Projection):
    def transform(self, X):
        return np.full((len(X), 2), np.nan)


class Short(Projection):
    def transform(self, X):
        return np.zeros((3, 2))


@pytest.mark.parametrize("broken", [Broken(), Short()])
def test_useless_results_of_an_embedding(broken):
    with pytest.raises(ValueError, match="the embedding returned"):
        run(make(3, n=30), embedding=broken, sparsify=False)


@pytest.mark.parametrize("how, density, thinned", [("auto", 0.9, True), ("auto", 0.1, False), (True, 0.1, True),
                                                   (False, 0.9, False)])  # fmt: skip
def test_sparsified_if_dense(how, density, thinned):
    data = make(4, n=40, p=12, nominal=(), zeros=1 - density)
    info = run(data, embedding="pca", dimension=2, sparsify=how).info
    assert info["density_before"] == pytest.approx(np.mean(data.X != 0), abs=1e-9)
    if thinned:
        assert 0 < info["density_after"] <= info["density_before"]
    else:
        assert info["density_after"] is None


@pytest.mark.parametrize("embedding", ["pca", None, "coordinates", "paper"])
@TASK
def test_info(task, embedding, embeddings):
    data = data_for(task, n=30)
    given = {"coordinates": np.zeros((30, 3)) + np.arange(3)}.get(embedding, embedding)
    found = run(data, preset="paper") if embedding == "paper" else run(data, embedding=given)
    info = found.info
    assert is_literal(info)
    assert is_literal(found.parameters)
    assert info["embedding"] == {None: "none", "paper": "umap"}.get(embedding, embedding)
    assert {"dimension", "dimension_estimate", "representatives", "density_before", "density_after"} <= set(info)
    assert info["dimension"] == (3 if embedding == "coordinates" else info["dimension"])
    assert info["rows"] == 30
    assert info["summary"]
    assert ("skipped" in info) == (task == "multi-label")
    if embedding == "paper":
        assert info["k_median"] >= 1
        assert len(info["k_share"]) == (1 if task == "multi-label" else 2)
        assert all(0 < share <= 1 for share in info["k_share"])
        assert "adaptive" in info["summary"]


def test_adaptive_counts():
    """Two clouds: from a row to its class 1, 1 and 9 away."""
    E = np.array([[0.0, 0], [1, 0], [0, 1], [10, 0], [50, 50], [51, 50], [50, 51], [60, 50]])
    data = make(5, n=8, n_classes=2)
    data.y[:] = [0, 0, 0, 0, 1, 1, 1, 1]
    info = run(data, embedding=E, n_neighbors="adaptive").info
    d, counts = naive.coordinate_distances(E), []
    for i in range(8):
        for c in (0, 1):
            rows = [j for j in range(8) if j != i and data.y[j] == c]
            counts.append((c, len(naive.neighbours(d[i], rows, "adaptive"))))
    assert info["k_median"] == np.median([k for _, k in counts])
    lengths = [k for _, k in counts]
    assert info["k_counts"] == [[k, lengths.count(k)] for k in sorted({*lengths})]
    for c, share in enumerate(info["k_share"]):
        taken = np.mean([k for label, k in counts if label == c])
        assert taken / 4 - 1e-9 <= share <= taken / 3 + 1e-9


def test_paper(embeddings):
    """UMAP, cosine distance, adaptive number of neighbours, the average neighbour."""
    data = make(6, n=30)
    paper = run(data, preset="paper")
    explicit = run(data, embedding="umap", distance="cosine", n_neighbors="adaptive", average=True)
    close(paper.scores, explicit.scores, 0)
    assert paper.parameters == explicit.parameters | {"preset": "paper"}
    assert {call.how for call in embeddings} == {"umap"}


@pytest.mark.parametrize("parameters", [{"average": False}, {"n_neighbors": 15}, {"distance": "euclidean"},
                                        {"embedding": None}], ids=str)  # fmt: skip
def test_explicit_parameters_win(parameters, embeddings):
    """Also where they are the defaults."""
    data = make(7, n=30)
    paper = {"embedding": "umap", "distance": "cosine", "n_neighbors": "adaptive", "average": True}
    close(run(data, preset="paper", **parameters).scores, run(data, **(paper | parameters)).scores, 0)


@TASK
def test_repeats_are_averaged(task, embeddings):
    """Embeddings with the seeds that follow; the rows that are targets stay the same."""
    data = data_for(task, n=30)
    many = run(data, n_repeats=3, random_state=5, sparsify=False)
    assert [call.random_state for call in embeddings] == [5, 6, 7]
    single = [run(data, random_state=seed, sparsify=False).scores for seed in (5, 6, 7)]
    close(many.scores, np.mean(single, axis=0))
    assert not np.allclose(single[0], single[1])


@pytest.mark.parametrize("target_distance", ["cosine", "hyperbolic"])
def test_label_sets_are_embedded(target_distance, embeddings):
    """In a space of their own; the scores are those with the same coordinates given."""
    data, E = sample(8, n=30)
    found = run(data, embedding=E, target_distance=target_distance)
    (call,) = embeddings
    assert call.how == "umap"
    assert call.output_metric == {"hyperbolic": "hyperboloid"}.get(target_distance, "euclidean")
    assert call.rows == 30
    Z = data.y @ np.random.default_rng(0).normal(size=(5, call.dimension))
    close(found.scores, run(data, embedding=E, target_distance=(target_distance, Z)).scores, 0)


@pytest.mark.parametrize("target_distance", ["cosine", "hyperbolic"])
def test_null_level_with_embedded_label_sets(target_distance, embeddings):
    """Label sets move with their coordinates; these are found once."""
    data, E = sample(9, n=30)
    found = null_level(data.X, data.y, "reliefe", nominal=data.nominal, embedding=E, n_shuffles=4,
                       target_distance=target_distance)  # fmt: skip
    assert len(embeddings) == 1
    assert len(set(found.maxima)) == 4


@TASK
def test_embedded_once(task, embeddings, monkeypatch):
    """For all levels of a refinement, and for all shuffles."""
    monkeypatch.setattr(convergence, "LEVELS", (8,))
    monkeypatch.setattr(convergence, "WORTH_WAITING", 0)
    data = data_for(task, n=60)
    first, last = refine(data.X, data.y, "reliefe", nominal=data.nominal)
    assert (first.info["instances"], last.info["instances"]) == (8, 60)
    assert len(embeddings) == 1
    close(last.scores, run(data).scores, 0)
    close(first.scores, run(data, n_instances=8).scores, 1e-12)
    embeddings.clear()
    null_level(data.X, data.y, "reliefe", nominal=data.nominal, n_shuffles=3)
    assert len(embeddings) == 1


@pytest.mark.parametrize("n_instances", [None, "converge"])
def test_time_includes_the_embedding(n_instances, embeddings, monkeypatch):
    """Also where the ranking came in levels."""
    embed = embedded.embed
    monkeypatch.setattr(embedded, "embed", lambda *args, **options: time.sleep(0.3) or embed(*args, **options))
    monkeypatch.setattr(convergence, "FIRST_LEVEL", 8)
    found = run(make(14, n=60), n_instances=n_instances)
    assert found.info["seconds"] > 0.3


@TASK
@pytest.mark.parametrize("parameters", [{}, PLAIN, {"embedding": None}, {"n_repeats": 2}, {"n_neighbors": "adaptive"},
                                        {"average": True}, {"per_target": True}, {"target_distance": "cosine"}],
                         ids=str)  # fmt: skip
def test_progress(task, parameters, embeddings, monkeypatch):
    monkeypatch.setattr(parallel, "PAUSE", 0)
    shares = []
    run(data_for(task, n=60), progress=shares.append, **parameters)
    assert shares[-1] == 1
    assert shares == sorted(shares)
    assert shares[0] >= 0


@TASK
def test_scores_per_target_only_of_labels(task):
    data = data_for(task, n=30)
    found = run(data, per_target=True, **PLAIN)
    assert (found.per_target is None) == (task == "classification")


def test_sparse_data(embeddings):
    """A hint that such data are not for embeddings."""
    data = make(10, n=40, p=80, nominal=(), zeros=0.97)
    found = run(data.csr)
    assert any("sparse" in note for note in found.info["warnings"])
    assert embeddings[0].how == "umap"


def test_nothing_to_embed():
    """At most three features, or no fewer than dimensions."""
    data = make(11, n=40, p=3, nominal=())
    found = run(data, embedding="pca")
    assert found.info["embedding"] == "none"
    assert found.info["warnings"]
    close(found.scores, run(data, embedding=None).scores, 0)


def test_defaults():
    """As promised to scripts."""
    defaults = {p.name: p.default for p in METHODS["reliefe"].parameters}
    expected = {"n_neighbors": 15, "embedding": "umap", "dimension": "auto", "n_representatives": 2048,
                "average": False, "distance": "euclidean", "n_repeats": 1, "target_distance": "f1", "pooled": False,
                "per_target": False, "preset": None, "n_instances": None, "sparsify": "auto"}  # fmt: skip
    assert {name: defaults[name] for name in expected} == expected


def test_a_stop_does_not_wait_for_sparsification(monkeypatch):
    begun, go = threading.Event(), threading.Event()

    def stuck(*arguments, **options):
        begun.set()
        go.wait(60)
        raise ValueError("nobody waits for this")

    def stop(share):
        if begun.is_set():
            raise Interrupted

    monkeypatch.setattr(embedded, "sparsify", stuck)
    X = np.random.default_rng(0).random((60, 8))
    with pytest.raises(Interrupted):
        rank(X, np.arange(60) % 2, "reliefe", embedding="pca", dimension=2, sparsify="yes", progress=stop)
    assert not go.is_set()
    go.set()
