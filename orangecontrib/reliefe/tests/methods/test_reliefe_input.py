"""ReliefE with bad or odd input: a message that helps before any work, or the defined result."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, rank, refine
from orangecontrib.reliefe.tests.naive import reliefe as naive
from orangecontrib.reliefe.tests.reliefe_samples import close
from orangecontrib.reliefe.tests.samples import make

DATA = make(1, n=12, p=4)
T = np.random.default_rng(0).integers(0, 2, (12, 3))
E = np.random.default_rng(1).normal(size=(12, 2))


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", module="numba|umap|sklearn")
        yield


def fails(message, error=ValueError, X=DATA.X, y=DATA.y, method="reliefe", **arguments):
    """Before any work: progress is never called."""

    def progress(share):
        pytest.fail("work had begun")

    arguments = arguments if method != "reliefe" else {"embedding": None} | arguments
    for function in (rank, lambda *args, **kwargs: list(refine(*args, **kwargs))):
        with pytest.raises(error, match=message):
            function(X, y, method, progress=progress, **arguments)


@pytest.mark.parametrize("embedding", [E, "pca", None, "umap"], ids=str)
def test_one_class(embedding):
    fails("one class", y=np.zeros(12, int), embedding=embedding)


@pytest.mark.parametrize("y, message", [
    (np.zeros((12, 3), int), "no row has|label"),
    (np.zeros((12, 3), bool), "no row has|label"),
    (np.full((12, 3), np.nan), "unknown in all rows"),
    (T + 1, "0 and 1|0/1"),
    (T - 1, "0 and 1|0/1"),
    (T * 0.5, "0 and 1|0/1"),
    (np.where(T > 0, np.inf, 0), "0 and 1|0/1"),
    (np.where(T > 0, "yes", "no"), "0 and 1|0/1"),
    (np.where(T > 0, "yes", "no").astype(object), "0 and 1|0/1"),
    (pd.DataFrame(np.where(T > 0, "yes", "no")), "0 and 1|0/1"),
    (T[:-1], r"12.*11"),
    (T.T, r"12.*3"),
    (np.zeros((12, 3, 2), int), "12, 3, 2|dimension"),
    (np.zeros((12, 0), int), "label|no "),
], ids=range(14))  # fmt: skip
def test_useless_labels(y, message):
    fails(message, y=y)


def test_labels_for_a_method_that_does_not_know_them():
    for name, method in METHODS.items():
        if not {"unsupervised", "multi-label"} & set(method.tasks):
            fails("multi-label|several targets", y=T, method=name)


def test_labels_as_another_task():
    for task in ("classification", "regression"):
        fails("several|multi-label|label", y=T, task=task)


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("target_distance", ["f1", "hamming", "accuracy", "subset"])
def test_constant_label(value, pooled, target_distance):
    """A label that all rows have, or none, is no error."""
    y = np.column_stack([T, np.full(12, value)])
    parameters = {"n_neighbors": 4, "pooled": pooled, "target_distance": target_distance}
    found = rank(DATA.X, y, "reliefe", nominal=DATA.nominal, embedding=E, per_target=True, **parameters)
    close(found.scores, naive.rank(DATA.X, y, E, DATA.nominal, **parameters))
    assert np.array_equal(found.per_target[3], np.zeros(4))


def test_only_a_constant_label():
    """All rows have the same labels: nothing to tell."""
    for pooled in (False, True):
        found = rank(DATA.X, np.ones((12, 2), int), "reliefe", embedding=E, pooled=pooled)
        assert np.array_equal(found.scores, np.zeros(4))
    assert rank(DATA.X, np.ones((12, 2), int), "reliefe", embedding=E).info["skipped"] == 1


@pytest.mark.parametrize("y", [DATA.y, T], ids=["classes", "labels"])
@pytest.mark.parametrize("k", [11, 12, 10**5])
@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("embedding", [E, None], ids=["coordinates", "none"])
def test_fewer_rows_than_neighbours(y, k, average, embedding):
    """All of them are neighbours."""
    found = rank(DATA.X, y, "reliefe", nominal=DATA.nominal, embedding=embedding, n_neighbors=k, average=average)
    close(found.scores, naive.rank(DATA.X, y, embedding, DATA.nominal, n_neighbors=k, average=average))


@pytest.mark.parametrize("embedding, message", [
    (E[:-1], "12.*11|11.*12"),
    (np.vstack([E, E]), "12.*24|24.*12"),
    (E.T, r"12.*2|2.*12"),
    (E[:, 0], "dimension|shape|rows"),
    (E[None], "dimension|shape|rows"),
    (E[:, :0], "column|shape|coordinate"),
    (np.where(np.arange(24).reshape(12, 2) == 5, np.nan, E), "NaN|missing|unknown|finite"),
    (np.where(np.arange(24).reshape(12, 2) == 5, np.inf, E), "infinite|finite"),
    (np.where(E > 0, "a", "b"), "number|coordinates"),
], ids=range(9))  # fmt: skip
def test_useless_coordinates(embedding, message):
    """Coordinates of the rows, and of the labels."""
    fails(message, (TypeError, ValueError), embedding=embedding)
    for name in ("cosine", "hyperbolic"):
        fails(message, (TypeError, ValueError), y=T, target_distance=(name, embedding))


@pytest.mark.parametrize("form", [np.asfortranarray, lambda E: E.astype(np.float32).astype(float), np.ndarray.tolist,
                                  pd.DataFrame, lambda E: np.repeat(E, 2, axis=0)[::2]])  # fmt: skip
def test_any_arrangement_of_coordinates(form):
    rounded = E.astype(np.float32).astype(float)
    expected = rank(DATA.X, DATA.y, "reliefe", embedding=rounded).scores
    assert np.array_equal(rank(DATA.X, DATA.y, "reliefe", embedding=form(rounded)).scores, expected)


def test_integers_as_coordinates():
    grid = np.round(E * 10)
    found = rank(DATA.X, DATA.y, "reliefe", embedding=grid.astype(int), n_neighbors=2)
    close(found.scores, naive.rank(DATA.X, DATA.y, grid, n_neighbors=2))


@pytest.mark.parametrize("missing", [0, 0.2])
def test_input_is_not_changed(missing):
    data, Z = make(2, n=12, missing=missing), E.copy()
    labels = T.copy()
    given = [data.X, data.y, data.nominal, Z, labels]
    before = [values.copy() for values in given]
    for values in given:
        values.setflags(write=False)
    for X in (data.X, data.csr.X):
        for y, target_distance in ((data.y, "f1"), (labels, "f1"), (labels, ("hyperbolic", Z))):
            for distance in ("euclidean", "cosine"):
                rank(X, y, "reliefe", nominal=data.nominal, embedding=Z, distance=distance,
                     target_distance=target_distance, n_neighbors="adaptive")  # fmt: skip
    for values, old in zip(given, before):
        np.testing.assert_array_equal(values, old)


@pytest.mark.parametrize("k", [3, "adaptive"])
def test_rows_of_zeros_with_cosine(k):
    """At distance 1 of all others; so are two of them."""
    Z = E.copy()
    Z[[0, 3, 4]] = 0
    for y in (DATA.y, T):
        found = rank(DATA.X, y, "reliefe", nominal=DATA.nominal, embedding=Z, distance="cosine", n_neighbors=k)
        close(found.scores, naive.rank(DATA.X, y, Z, DATA.nominal, distance="cosine", n_neighbors=k))


@pytest.mark.parametrize("scale", [1e-160, 1e-30, 1e150])
@pytest.mark.parametrize("distance", ["euclidean", "cosine"])
def test_extreme_coordinates(scale, distance):
    """No overflow where the coordinates have none; the angle does not depend on the size at all."""
    found = rank(DATA.X, DATA.y, "reliefe", embedding=E * scale, distance=distance, n_neighbors=2).scores
    assert np.isfinite(found).all()
    if distance == "cosine" or scale > 1:
        close(found, rank(DATA.X, DATA.y, "reliefe", embedding=E, distance=distance, n_neighbors=2).scores)


@pytest.mark.parametrize("parameters, message, error", [
    ({"target_distance": "dice"}, "'dice'.*f1.*hamming.*accuracy.*subset.*cosine.*hyperbolic|"
                                  "'dice'.*hamming.*f1.*accuracy.*subset.*cosine.*hyperbolic", ValueError),
    ({"target_distance": ("f1", E)}, "cosine.*hyperbolic", ValueError),
    ({"target_distance": ("dice", E)}, "cosine.*hyperbolic", ValueError),
    ({"target_distance": ("cosine",)}, "target_distance", (TypeError, ValueError)),
    ({"target_distance": 3}, "target_distance", (TypeError, ValueError)),
    ({"target_distance": None}, "target_distance", (TypeError, ValueError)),
    ({"distance": "manhattan"}, "'manhattan'.*euclidean.*cosine", ValueError),
    ({"distance": None}, "distance", (TypeError, ValueError)),
    ({"embedding": "tsne"}, "'tsne'.*umap.*pca", ValueError),
    ({"embedding": 3}, "embedding", (TypeError, ValueError)),
    ({"embedding": object}, "embedding.*fit|fit.*transform", (TypeError, ValueError)),
    ({"preset": "fast"}, "'fast'.*paper", ValueError),
    ({"n_neighbors": 0}, "n_neighbors", ValueError),
    ({"n_neighbors": 2.5}, "n_neighbors.*adaptive", TypeError),
    ({"n_neighbors": "auto"}, "n_neighbors.*adaptive", (TypeError, ValueError)),
    ({"dimension": 0}, "dimension", ValueError),
    ({"dimension": -1}, "dimension", ValueError),
    ({"dimension": 2.5}, "dimension", TypeError),
    ({"dimension": "two"}, "dimension.*auto", (TypeError, ValueError)),
    ({"sparsify": "maybe"}, "sparsify", (TypeError, ValueError)),
    ({"sparsify": 0.5}, "sparsify", (TypeError, ValueError)),
    ({"n_representatives": 0}, "n_representatives", ValueError),
    ({"n_representatives": 100.5}, "n_representatives", TypeError),
    ({"n_repeats": 0}, "n_repeats", ValueError),
    ({"n_repeats": 1.5}, "n_repeats", TypeError),
    ({"average": "yes"}, "average", TypeError),
    ({"pooled": "yes"}, "pooled", TypeError),
    ({"pooled": None}, "pooled", (TypeError, ValueError)),
    ({"per_target": 2}, "per_target", TypeError),
    ({"n_instances": "enough"}, "n_instances", (TypeError, ValueError)),
    ({"sigma": 2.0}, "sigma.*n_neighbors", (TypeError, ValueError)),
    ({"k": 3}, "'k'.*n_neighbors", (TypeError, ValueError)),
], ids=str)  # fmt: skip
def test_values_of_parameters(parameters, message, error):
    fails(message, error, y=T, **parameters)
    fails(message, error, **parameters)


@pytest.mark.parametrize("y", [DATA.y, T], ids=["classes", "labels"])
@pytest.mark.parametrize("dimension", [4, 5, 1000])
def test_dimension_larger_than_the_data(y, dimension):
    """As many as there can be, and a remark."""
    found = rank(DATA.X, y, "reliefe", embedding="pca", dimension=dimension, sparsify=False)
    assert found.info["dimension"] is None or found.info["dimension"] <= 3
    assert any("dimension" in note for note in found.info["information"])
    assert np.isfinite(found.scores).all()


def test_dimension_larger_than_the_number_of_rows():
    """As many as there can be, and a remark."""
    data = make(3, n=8, p=30, nominal=())
    found = rank(data.X, data.y, "reliefe", embedding="pca", dimension=20)
    assert np.isfinite(found.scores).all()
    assert found.info["dimension"] < 8
    assert any("dimension" in note for note in found.info["information"])


@pytest.mark.parametrize("y", [DATA.y, T], ids=["classes", "labels"])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
@pytest.mark.parametrize("X", [np.zeros((12, 9)), np.ones((12, 9)), np.full((12, 9), np.nan)],
                         ids=["zeros", "ones", "nothing"])  # fmt: skip
@pytest.mark.parametrize("embedding", ["pca", None])
def test_nothing_but_constant_or_missing_features(y, form, X, embedding):
    found = rank(form(X), y, "reliefe", embedding=embedding)
    assert np.array_equal(found.scores, np.zeros(9))


@pytest.mark.parametrize("embedding", [E, None, "pca"], ids=["coordinates", "none", "pca"])
def test_all_missing_feature_scores_0(embedding):
    data = make(4, n=12, p=4)
    data.X[:, 1] = np.nan
    for X in (data.X, data.csr.X):
        for y in (data.y, T):
            assert rank(X, y, "reliefe", nominal=data.nominal, embedding=embedding, dimension=2).scores[1] == 0


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("missing", ["class-conditional", "uniform", "separate"])
def test_average_of_incomplete_data(average, missing):
    """A mean over unknown values is defined only if they are ignored: a message, or that."""
    data = make(5, n=12, p=4, missing=0.2)
    if not average:
        rank(data.X, data.y, "reliefe", embedding=E, missing=missing)
        return
    with pytest.raises(ValueError, match=r"average.*ignore|ignore.*average|missing.*average"):
        rank(data.X, data.y, "reliefe", embedding=E, missing=missing, average=True)
