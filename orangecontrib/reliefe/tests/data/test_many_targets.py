"""Several targets and label sets: RReliefF against its twin, and the forms in which callers have them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core import rank, request
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import SMALL, STRATEGIES
from orangecontrib.reliefe.tests.target_samples import (
    EXAMPLES,
    MANY,
    MISSING,
    SEEDS,
    check,
    close,
    fixed,
    run,
    sample,
    scores,
)

TASK = pytest.mark.parametrize("task", MANY)
VARIANTS = [{"n_neighbors": 5, "sigma": None}, {"n_neighbors": 8, "sigma": 3.0}, {}]
VARIANT = pytest.mark.parametrize("parameters", VARIANTS, ids=str)
SET_DISTANCE = pytest.mark.parametrize("target_distance", ["hamming", "f1", "accuracy", "subset"])
FEW = {"n_neighbors": 6, "sigma": 4.0}


@TASK
@VARIANT
def test_complete(task, parameters):
    check(sample(1, task), "rrelieff", **parameters)


@TASK
@VARIANT
@pytest.mark.parametrize("missing", MISSING)
def test_missing(task, parameters, missing):
    data = sample(2, task, missing=0.15)
    data.X[:, 2] = np.nan
    check(data, "rrelieff", missing=missing, **parameters)


@TASK
def test_missing_by_default(task):
    check(sample(3, task, missing=0.15), "rrelieff", **FEW)


@TASK
@pytest.mark.parametrize("partly", [0.2, 0.7])
def test_partly_known_targets(task, partly):
    check(sample(4, task, partly=partly), "rrelieff", **FEW)


@TASK
@pytest.mark.parametrize("partly", [0, 0.3])
def test_rows_without_any_known_target_are_left_out(task, partly):
    data = sample(5, task, labelled=0.7, partly=partly)
    known = ~np.isnan(data.values).all(axis=1)
    data.X[~known] = 1e6  # must not count in the ranges
    found = run(data, "rrelieff", **FEW)
    assert np.array_equal(found.scores, scores(data.rows(known), "rrelieff", **FEW))
    assert found.info["rows"] == known.sum()
    assert any(str((~known).sum()) in text for text in found.info["information"])
    check(data, "rrelieff", **FEW)


@SET_DISTANCE
@pytest.mark.parametrize("method", ["rrelieff", "sslrelief"])
@pytest.mark.parametrize("partly", [0, 0.3])
def test_distances_of_label_sets(target_distance, method, partly):
    data = sample(6, "multi-label", labelled=0.8, partly=partly)
    data.y[3, :], data.values[3, :] = 0, 0
    check(data, method, target_distance=target_distance, **(FEW if method == "rrelieff" else fixed()))


@pytest.mark.parametrize("method", ["rrelieff", "sslrelief"])
def test_hamming_by_default(method):
    data = sample(7, "multi-label")
    parameters = FEW if method == "rrelieff" else fixed()
    hamming, plain = scores(data, method, target_distance="hamming", **parameters), scores(data, method, **parameters)
    assert np.array_equal(hamming, plain)


@TASK
@pytest.mark.parametrize("n_instances", [1, 9, 0.3])
def test_some_rows(task, n_instances):
    check(sample(8, task, missing=0.1), "rrelieff", n_instances=n_instances, random_state=4, **FEW)


@TASK
@pytest.mark.parametrize("missing", STRATEGIES)
def test_csr(task, missing):
    data = sample(9, task, n=20, p=14, zeros=0.5, missing=0.1)
    check(data.csr, "rrelieff", like=data, missing=missing, **FEW)


@TASK
@pytest.mark.parametrize("n, p", [(90, 140), (150, 3)])
def test_sizes(task, n, p):
    n, p = (22, max(p // 9, 3)) if SMALL else (n, p)
    check(sample(10, task, n=n, p=p, nominal=range(0, p, 5)), "rrelieff")


@TASK
@pytest.mark.parametrize("n", [2, 3, 4])
def test_very_few_rows(task, n):
    check(sample(11, task, n=12).rows(slice(n)), "rrelieff")


@EXAMPLES
@given(SEEDS, st.integers(2, 4))
def test_copies_of_a_number_are_one_number(seed, copies):
    data = sample(seed, "regression", n=16, missing=0.1)
    several = replace(data, y=np.tile(data.y[:, None], copies), task="multi-target")
    close(scores(several, "rrelieff", **FEW), scores(data, "rrelieff", **FEW), 1e-12)


@EXAMPLES
@given(SEEDS)
def test_one_label_is_the_number_0_or_1(seed):
    data = sample(seed, "multi-label", n=16, missing=0.1)
    label = data.y[:, 0]
    number = replace(data, y=label, task="regression")
    close(scores(replace(data, y=data.y[:, :1]), "rrelieff", **FEW), scores(number, "rrelieff", **FEW), 1e-12)


@EXAMPLES
@given(SEEDS)
def test_label_sets_are_several_targets(seed):
    """0 and 1 as numbers: the mean of their differences is Hamming's."""
    data = sample(seed, "multi-label", n=16, missing=0.1, partly=0.2)
    for method, parameters in (("rrelieff", FEW), ("sslrelief", fixed())):
        several = replace(data, task="multi-target")
        close(scores(several, method, **parameters), scores(data, method, **parameters), 1e-12)


@TASK
@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("missing", [0, 0.05])
@pytest.mark.parametrize("n_instances", [None, 0.4])
def test_same_bits_for_any_number_of_threads(task, form, missing, n_instances, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    data = sample(12, task, n=40 if SMALL else 300, p=11, zeros=0.3, missing=missing, partly=0.1)
    data = data.csr if form == "csr" else data
    one, *more = (scores(data, "rrelieff", n_instances=n_instances, n_jobs=n_jobs, **FEW) for n_jobs in (1, 2, 3))
    for other in more:
        assert np.array_equal(other, one)


@TASK
def test_single_precision(task, monkeypatch):
    n, p = (20, 10) if SMALL else (120, 30)
    data = sample(13, task, n=n, p=p)
    double = scores(data, "rrelieff", **FEW)
    lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    single = scores(data, "rrelieff", **FEW)
    assert not np.array_equal(single, double)
    close(single, double, 1e-6)


def frame(y):
    return pd.DataFrame({"u": y[:, 0].astype(float), "v": y[:, 1].astype(float), "w": pd.Categorical(y[:, 2])})


@pytest.mark.parametrize("method", ["rrelieff", "sslrelief"])
@pytest.mark.parametrize("form", [lambda y: y.tolist(), frame, lambda y: frame(y).astype({"w": object}),
                                  lambda y: np.where(y == None, "", y)],  # noqa: E711
                         ids=["list", "frame", "frame of objects", "empty text"])  # fmt: skip
def test_forms_of_several_targets(method, form):
    """Also without naming the task."""
    data = sample(14, "multi-target", labelled=0.9, partly=0.2)
    parameters = FEW if method == "rrelieff" else fixed()
    data = replace(data, y=np.where(np.isnan(data.values), None, data.y))
    for task in (data.task, None):
        found = run(replace(data, y=form(data.y), task=task), method, **parameters)
        assert np.array_equal(found.scores, scores(data, method, **parameters))
        assert found.info["task"] == "multi-target"


@pytest.mark.parametrize("method", ["rrelieff", "sslrelief"])
def test_task_that_is_found_out(method):
    X = sample(15, "regression").X
    rng = np.random.default_rng(0)
    parameters = FEW if method == "rrelieff" else fixed()
    for y, task in ((rng.random((24, 2)), "multi-target"), (rng.integers(0, 3, (24, 2)), "multi-target"),
                    (rng.integers(0, 2, (24, 2)), "multi-label"), (rng.random((24, 2)) < 0.5, "multi-label"),
                    (sparse.csr_array(rng.integers(0, 2, (24, 5))), "multi-label"), (rng.random(24), "regression"),
                    (rng.random((24, 1)), "regression")):  # fmt: skip
        assert rank(X, y, method, **parameters).info["task"] == task


def test_one_column_of_several_is_one_target():
    data = sample(16, "regression")
    for task in ("regression", "multi-target"):
        found = run(replace(data, y=data.y[:, None], task=task), "rrelieff", **FEW)
        close(found.scores, scores(data, "rrelieff", **FEW), 1e-12)


@pytest.mark.parametrize("method", ["rrelieff", "sslrelief"])
def test_names_of_targets(method):
    data = sample(17, "multi-target")
    parameters = FEW if method == "rrelieff" else fixed()
    found = run(replace(data, y=frame(data.y)), method, per_target=True, **parameters)
    assert found.targets == ("u", "v", "w")
    assert run(data, method, per_target=True, **parameters).targets is not None
    assert found.per_target.shape == (3, 8)


@pytest.mark.parametrize("gamma", ["sum", "max"])
@pytest.mark.parametrize("partly", [0.0, 0.2])
def test_labels_of_a_hierarchy_that_no_row_has(gamma, partly):
    """They do not count in the largest possible difference, with and without gaps, nor in the largest that occurs."""
    data = sample(3, "hierarchical", partly=partly, labelled=0.8, hierarchy=((), (0,), (0,), (2,), (), ()))
    data.values[:, 5] = np.where(np.isnan(data.values[:, 5]), np.nan, 0)
    check(replace(data, y=data.values), "sslrelief", **fixed(gamma=gamma))
