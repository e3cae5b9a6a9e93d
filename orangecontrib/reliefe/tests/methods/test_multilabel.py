"""ReliefE with label sets as target: the golden vectors, the slow twin, and what must hold for any data."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core import rank, request
from orangecontrib.reliefe.tests.naive import reliefe as naive
from orangecontrib.reliefe.tests.reliefe_samples import EXPECT, GOLDEN, check, close, sample, scores
from orangecontrib.reliefe.tests.reliefe_samples import LABEL_VARIANTS as VARIANTS
from orangecontrib.reliefe.tests.samples import SMALL, STRATEGIES, Data, examples

MLC = [name for name in EXPECT if name.startswith("mlc")]
SEEDS = st.integers(0, 2**32 - 1)
EXAMPLES = examples(8)
VARIANT = pytest.mark.parametrize("parameters", VARIANTS, ids=lambda v: "-".join(map(str, v.values())))
SETS = "hamming", "f1", "accuracy", "subset"
SET_DISTANCE = pytest.mark.parametrize("target_distance", SETS)


def golden(name):
    """A key of the vectors -> the parameters that it stands for."""
    Z = np.array(GOLDEN["Zt"])
    target = {"cosine": ("cosine", Z + np.array([3, 0])), "hyperbolic": ("hyperbolic", Z)}.get(name.split("_")[1])
    return {"n_neighbors": 4, "distance": "cosine", "target_distance": target or name.split("_")[1],
            "pooled": "pooled" in name, "average": "absmean" in name}  # fmt: skip


@pytest.mark.parametrize("name", MLC)
def test_golden_twin(name):
    found = naive.rank(GOLDEN["X"], np.array(GOLDEN["T"]), GOLDEN["E"], **golden(name))
    close(found, EXPECT[name])


@pytest.mark.parametrize("name", MLC)
def test_golden(name):
    found = rank(np.array(GOLDEN["X"]), np.array(GOLDEN["T"]), "reliefe", embedding=np.array(GOLDEN["E"]),
                 **golden(name))  # fmt: skip
    close(found.scores, EXPECT[name])
    assert found.info["task"] == "multi-label"


@SET_DISTANCE
@VARIANT
@pytest.mark.parametrize("distance", ["euclidean", "cosine"])
def test_complete(target_distance, parameters, distance):
    data, E = sample(1)
    check(data, E, distance=distance, target_distance=target_distance, **parameters)


@pytest.mark.parametrize("name", ["cosine", "hyperbolic"])
@VARIANT
def test_coordinates_of_the_labels(name, parameters):
    data, E = sample(2)
    check(data, E, target_distance=(name, np.random.default_rng(0).normal(size=(24, 2))), **parameters)


@VARIANT
@pytest.mark.parametrize("share", [0.15, 0.6])
def test_missing_values_are_ignored(parameters, share):
    """Quotients are over the neighbours whose value is known."""
    data, E = sample(3, missing=share)
    data.X[:, 2] = np.nan
    check(data, E, **parameters)


@pytest.mark.parametrize("parameters", [v for v in VARIANTS if "average" not in v], ids=str)
@pytest.mark.parametrize("missing", STRATEGIES)
def test_missing(parameters, missing):
    data, E = sample(4, missing=0.15)
    check(data, E, missing=missing, **parameters)


@VARIANT
@pytest.mark.parametrize("missing", [0, 0.1])
def test_csr(parameters, missing):
    data, E = sample(5, p=14, zeros=0.5, missing=missing)
    check(data.csr, E, like=data, **parameters)


@VARIANT
@pytest.mark.parametrize("n_instances", [1, 9, 0.3])
def test_some_targets(parameters, n_instances):
    data, E = sample(6)
    check(data, E, n_instances=n_instances, random_state=4, **parameters)


@VARIANT
@pytest.mark.parametrize("distance", ["euclidean", "cosine"])
def test_duplicates(parameters, distance):
    data, E = sample(7)
    E[[1, 7, 12]], E[[3, 16]], E[[9, 10]] = E[0], E[2], 0
    check(data, E, distance=distance, **parameters)


@VARIANT
def test_all_rows_at_one_place(parameters):
    data, E = sample(8, n=16)
    check(data, np.ones_like(E), **parameters)


@VARIANT
@SET_DISTANCE
def test_without_an_embedding(parameters, target_distance):
    check(sample(9)[0], None, target_distance=target_distance, **parameters)


@VARIANT
@pytest.mark.parametrize("ramp", [True, (0.1, 0.4)])
def test_ramp(parameters, ramp):
    data, E = sample(10, missing=0.1)
    check(data, E, ramp=ramp, **parameters)


@VARIANT
@pytest.mark.parametrize("L", [1, 2, 70])
def test_number_of_labels(parameters, L):
    data, E = sample(11, L=L)
    for target_distance in SETS:
        found = rank(data.X, data.y, "reliefe", nominal=data.nominal, task="multi-label", embedding=E,
                     target_distance=target_distance, **parameters)  # fmt: skip
        close(found.scores, naive.rank(data.X, data.y, E, data.nominal, target_distance=target_distance, **parameters))


@VARIANT
def test_more_neighbours_than_rows(parameters):
    data, E = sample(12, n=12)
    check(data, E, **(parameters | {"n_neighbors": 10**5}))


@VARIANT
def test_many_rows(parameters):
    n, m = (130, 10) if SMALL else (1100, 60)
    data, E = sample(13, n=n, p=3)
    check(data, E, n_instances=m, **parameters)


@VARIANT
@pytest.mark.parametrize("n", [2, 3, 4])
def test_very_few_rows(parameters, n):
    data, E = sample(14, n=8)
    data.y[:n] = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 1], [0, 0, 1, 0, 0], [1, 1, 0, 1, 0]])[:n]
    check(data.rows(slice(n)), E[:n], **parameters)


def test_auto():
    data, _ = sample(21, n=40)
    found = rank(data.X, data.y, nominal=data.nominal)
    assert found.info["auto"] == "Residual Relief, since the target is label sets"
    close(found.scores, rank(data.X, data.y, "residualrelief", nominal=data.nominal).scores, 0)


@EXAMPLES
@given(SEEDS, st.sampled_from([1, 3, 8, 100]))
def test_one_label_pooled_is_rrelieff(seed, k):
    """With the label as a number and equal weights."""
    data = sample(seed, n=20)[0]
    y = data.y[:, 0]
    found = rank(data.X, y, "reliefe", task="multi-label", nominal=data.nominal, embedding=None, pooled=True,
                 n_neighbors=k, target_distance="hamming", missing="ignore")  # fmt: skip
    expected = rank(data.X, y.astype(float), "rrelieff", nominal=data.nominal, n_neighbors=k, sigma=None)
    close(found.scores, expected.scores, 1e-12)


@pytest.mark.parametrize("parameters", VARIANTS[:3], ids=str)
def test_one_label_is_the_same_by_every_distance_of_sets(parameters):
    data, E = sample(15, L=1)
    for name in SETS:
        close(scores(data, E, task="multi-label", target_distance=name, **parameters),
              scores(data, E, task="multi-label", target_distance="hamming", **parameters))  # fmt: skip


@VARIANT
def test_scores_per_target(parameters):
    """Those of runs with one label alone."""
    data, E = sample(16, missing=0.1)
    found = rank(data.X, data.y, "reliefe", nominal=data.nominal, embedding=E, per_target=True, **parameters)
    assert found.per_target.shape == (5, 8)
    close(found.scores, scores(data, E, **parameters), 0)
    for one, label in zip(found.per_target, data.y.T):
        alone = replace(data, y=label[:, None])
        close(one, scores(alone, E, task="multi-label", target_distance="hamming", **parameters), 1e-12)
        close(one, naive.rank(data.X, label[:, None], E, data.nominal, target_distance="hamming", **parameters))
    assert rank(data.X, data.y, "reliefe", nominal=data.nominal, embedding=E).per_target is None


@VARIANT
@SET_DISTANCE
@EXAMPLES
@given(SEEDS, st.randoms(use_true_random=False))
def test_order_does_not_matter(parameters, target_distance, seed, random):
    """The order of rows and of labels changes nothing; that of the features is the scores' own."""
    data, E = sample(seed, n=16, missing=0.1)
    rows, columns, names = (random.sample(range(m), m) for m in (16, 8, 5))
    turned = Data(data.X[rows][:, columns], data.y[rows][:, names], data.nominal[columns], data.task)
    parameters = parameters | {"target_distance": target_distance}
    close(scores(turned, E[rows], **parameters), scores(data, E, **parameters)[columns])


@VARIANT
@EXAMPLES
@given(SEEDS, st.sampled_from([0.0, 0.1, -7e8]))
def test_constant_features_score_0(parameters, seed, value):
    data, E = sample(seed, n=16, missing=0.1)
    data.X[:, [0, 4]] = np.where(np.isnan(data.X[:, [0, 4]]), np.nan, [value, 2])
    for form in (data, data.csr):
        assert np.array_equal(scores(form, E, **parameters)[[0, 4]], [0, 0])


@pytest.mark.parametrize("parameters", [v for v in VARIANTS if "average" not in v], ids=str)
@SET_DISTANCE
@EXAMPLES
@given(st.data())
def test_scores_are_numbers_within_bounds(parameters, target_distance, data):
    n, p, L = data.draw(st.tuples(st.integers(2, 9), st.integers(1, 4), st.integers(2, 4)))
    X = data.draw(st.lists(st.sampled_from([0.0, 1.0, 0.5, -2.0, np.nan, 1e9]), min_size=n * p, max_size=n * p))
    T = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n * L, max_size=n * L))).reshape(n, L)
    T[0, 0] = 1
    E = data.draw(st.lists(st.sampled_from([0.0, 1.0, -1.0, 7.5]), min_size=2 * n, max_size=2 * n))
    found = rank(np.array(X).reshape(n, p), T, "reliefe", embedding=np.array(E).reshape(n, 2),
                 target_distance=target_distance, **parameters).scores  # fmt: skip
    assert found.shape == (p,)
    assert np.all(np.abs(found) <= 1 + 1e-9)


@VARIANT
@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("missing", [0, 0.05])
@pytest.mark.parametrize("n_instances", [None, 0.4])
def test_same_bits_for_any_number_of_threads(parameters, form, missing, n_instances, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    n = 40 if SMALL else 300
    data, E = sample(17, n=n, p=11, zeros=0.3, missing=missing)
    data = data.csr if form == "csr" else data
    one, *more = (scores(data, E, n_instances=n_instances, n_jobs=n_jobs, **parameters) for n_jobs in (1, 2, 3))
    for other in more:
        assert np.array_equal(other, one)


@pytest.mark.parametrize("form", [
    lambda T: T.astype(bool), lambda T: T.astype(float), lambda T: T.astype(np.uint8), lambda T: T.tolist(),
    lambda T: T.astype(object), sparse.csr_array, lambda T: pd.DataFrame(T, columns=list("vwxyz")),
    lambda T: pd.DataFrame(T.astype(bool))],
    ids=["bool", "float", "uint8", "list", "object", "csr", "frame", "frame of bool"])  # fmt: skip
def test_forms_of_labels(form):
    data, E = sample(18)
    found = scores(replace(data, y=form(data.y)), E)
    assert np.array_equal(found, scores(data, E))


@pytest.mark.parametrize("unknown", [np.nan, None])
def test_rows_with_an_unknown_label_are_left_out(unknown):
    data, E = sample(19)
    Z = np.random.default_rng(1).normal(size=(24, 2))
    y = data.y.astype(object if unknown is None else float)
    y[[3, 7], [0, 4]] = unknown
    known = ~np.isin(np.arange(24), [3, 7])
    for distance, rest in (("f1", "f1"), (("hyperbolic", Z), ("hyperbolic", Z[known]))):
        found = rank(data.X, y, "reliefe", nominal=data.nominal, embedding=E, target_distance=distance)
        assert found.info["rows"] == 22
        assert found.info["information"]
        close(found.scores, scores(data.rows(known), E[known], target_distance=rest), 0)


def test_skipped_rows_are_counted():
    """Those whose neighbours all have their own labels, or labels that have nothing in common with them."""
    data, E = sample(20, n=20)
    data.y[:] = [1, 0, 0, 0, 0]
    data.y[15:] = [0, 1, 0, 0, 0]
    E[:10], E[10:] = E[:10] / 100, E[10:] / 100 + 50  # ten rows of one set; five and five that are mixed
    for target_distance in SETS:
        info = rank(data.X, data.y, "reliefe", embedding=E, n_neighbors=9, target_distance=target_distance).info
        assert info["skipped"] == pytest.approx(0.5)
    parameters = {"embedding": E, "n_neighbors": 9, "per_target": True}
    assert rank(data.X, data.y, "reliefe", **parameters).info["skipped"] == 0.5  # not those of the last label
    assert "skipped" not in rank(data.X, data.y, "reliefe", embedding=E, pooled=True).info
