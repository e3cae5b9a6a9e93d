"""Properties of SSL-Relief on any data (hypothesis chooses the data), and what it becomes in special cases."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.tests.naive import unlabelled as naive
from orangecontrib.reliefe.tests.target_samples import (
    EXAMPLES,
    FLAT,
    MISSING,
    SEEDS,
    TASKS,
    close,
    fixed,
    run,
    sample,
    scores,
)

TASK = pytest.mark.parametrize("task", TASKS)
NOTHING = {"classification": None, "regression": np.nan, "multi-target": None, "multi-label": np.nan,
           "hierarchical": np.nan}  # fmt: skip
RANDOM = st.randoms(use_true_random=False)
WEIGHTS = st.sampled_from([(0, 0), (0.25, 0.75), (0, 1), (1, 1)])


def varied(seed, task, **arguments):
    return sample(seed, task, n=16, labelled=0.6, partly=0.2, missing=0.1, **arguments)


@TASK
@EXAMPLES
@given(SEEDS, st.integers(5, 40), st.sampled_from([(0.25, 0.75), (0, 1), (1, 1)]))
def test_scores_are_weighted_covariances(task, seed, k, w):
    data = sample(seed, task, n=20, labelled=0.6, partly=0.2)
    D, d = naive.compared(data.X, data.nominal, "clus")
    t = data.differences()
    influence = naive.influences(d, ~np.isnan(np.diag(t)), *w)
    expected = naive.covariance_score(D, d, np.where(np.isnan(t), d, t), influence, k, range(20))
    close(scores(data, "sslrelief", n_neighbors=k, w0=w[0], w1=w[1]), expected, 1e-12)


@TASK
@EXAMPLES
@given(SEEDS, st.sampled_from(MISSING))
def test_affine_maps_and_names_do_not_matter(task, seed, missing):
    data = varied(seed, task)
    rng = np.random.default_rng(seed)
    X = data.X * np.where(data.nominal, 1, rng.choice([-3.0, -0.01, 0.7, 250.0], 8)) + rng.integers(-5, 5, 8)
    X[:, 4] = np.where(np.isnan(X[:, 4]), np.nan, rng.permutation(20)[np.nan_to_num(X[:, 4]).astype(int)])
    y = data.y
    if task == "regression":
        y = -7 * y + 1e3
    if task == "classification":
        y = np.array([None if v is None else {"a": "z", "b": "Ž", "c": "m"}[v] for v in y], object)
    if task == "multi-target":
        y = y.copy()
        y[:, :2] = data.values[:, :2] * [-3, 0.01] + [5, 0]
    moved = replace(data, X=X, y=y)
    close(scores(moved, "sslrelief", missing=missing, **fixed()), scores(data, "sslrelief", missing=missing, **fixed()))


@TASK
@EXAMPLES
@given(SEEDS, RANDOM)
def test_order_does_not_matter(task, seed, random):
    data = varied(seed, task)
    rows, columns = random.sample(range(16), 16), random.sample(range(8), 8)
    turned = data.rows(rows).columns(columns)
    if task in ("multi-target", "multi-label"):
        order = random.sample(range(data.y.shape[1]), data.y.shape[1])
        turned = replace(turned, y=turned.y[:, order])
    close(scores(turned, "sslrelief", **fixed()), scores(data, "sslrelief", **fixed())[columns])


@EXAMPLES
@given(SEEDS, RANDOM)
def test_order_of_labels_in_a_hierarchy_does_not_matter(seed, random):
    data = varied(seed, "hierarchical")
    order = random.sample(range(6), 6)
    place = {label: k for k, label in enumerate(order)}
    parents = [tuple(place[parent] for parent in data.hierarchy[label]) for label in order]
    turned = replace(data, y=data.y[:, order], hierarchy=parents)
    for gamma in ("sum", "max"):
        close(scores(turned, "sslrelief", gamma=gamma, **fixed()), scores(data, "sslrelief", gamma=gamma, **fixed()))


@TASK
@EXAMPLES
@given(SEEDS, st.sampled_from([0.0, 0.1, -7e8]))
def test_duplicates_are_equal_and_constants_0(task, seed, value):
    data = sample(seed, task, n=16, labelled=0.6, partly=0.2)
    data.X[:, 3], data.X[:, 5] = data.X[:, 2], value
    for form in (data, data.csr):
        found = scores(form, "sslrelief", **fixed())
        assert found[3] == pytest.approx(found[2], abs=1e-15)
        assert found[5] == 0


@TASK
@EXAMPLES
@given(st.data())
def test_scores_are_numbers_within_bounds(task, data):
    n, p = data.draw(st.tuples(st.integers(2, 9), st.integers(1, 4)))
    cells = st.sampled_from([0.0, 1.0, 0.5, -2.0, np.nan, 1e-300, 1e9])
    X = np.array(data.draw(st.lists(cells, min_size=n * p, max_size=n * p))).reshape(n, p)
    known = sample(data.draw(SEEDS), task, n=12)
    known = known.rows(np.argsort(known.values[:, 0])[[0, -1, *range(1, n - 1)]])  # two rows that differ come first
    known = replace(known, X=X, nominal=np.array([data.draw(st.booleans()) for _ in range(p)]))
    known.y[2:][data.draw(arrays(bool, known.y[2:].shape))] = NOTHING[task]
    w0, w1 = data.draw(WEIGHTS)
    found = scores(known, "sslrelief", n_neighbors=data.draw(st.integers(1, 10)), w0=w0, w1=w1,
                   missing=data.draw(st.sampled_from(MISSING)))  # fmt: skip
    assert found.shape == (p,)
    assert np.all(np.abs(found) <= 1 + 1e-9)


@TASK
@EXAMPLES
@given(SEEDS, WEIGHTS, st.sampled_from(MISSING))
def test_without_labels_it_is_urelief(task, seed, w, missing):
    """Bit for bit, whatever the weights."""
    data = varied(seed, task)
    expected = rank(data.X, None, "urelief", nominal=data.nominal, n_neighbors=5, missing=missing).scores
    parameters = {"n_neighbors": 5, "w0": w[0], "w1": w[1], "missing": missing}
    unlabelled = replace(data, y=np.full_like(data.y, NOTHING[task]))
    assert np.array_equal(scores(unlabelled, "sslrelief", **parameters), expected)
    nothing = rank(data.X, None, "sslrelief", nominal=data.nominal, **parameters)
    assert np.array_equal(nothing.scores, expected)
    assert nothing.info["task"] == "unsupervised"


@EXAMPLES
@given(SEEDS, st.sampled_from(MISSING))
def test_all_labelled_numbers_are_rrelieff(seed, missing):
    """With equal weights of the neighbours; where values are ignored the sums are over pairs, not over rows."""
    data = sample(seed, "regression", n=16, missing=0 if missing == "ignore" else 0.1)
    plain = scores(data, "rrelieff", n_neighbors=5, sigma=None, missing=missing)
    close(scores(data, "sslrelief", missing=missing, **fixed()), plain)


@EXAMPLES
@given(SEEDS)
def test_one_label_is_two_classes(seed):
    data = varied(seed, "multi-label")
    first = data.y[:, :1]
    names = np.array([None if np.isnan(v) else ["no", "yes"][int(v)] for v in first[:, 0]], object)
    found = scores(replace(data, y=names, task="classification"), "sslrelief", **fixed())
    for distance in ("hamming", "f1", "accuracy", "subset"):
        one = replace(data, y=first)
        close(scores(one, "sslrelief", target_distance=distance, **fixed()), found, 1e-12)


@EXAMPLES
@given(SEEDS, st.integers(2, 4))
def test_copies_of_a_number_are_one_number(seed, copies):
    data = varied(seed, "regression")
    several = replace(data, y=np.tile(data.y[:, None], copies), task="multi-target")
    close(scores(several, "sslrelief", **fixed()), scores(data, "sslrelief", **fixed()), 1e-12)


@EXAMPLES
@given(SEEDS)
def test_copies_of_a_class_are_one_class(seed):
    data = varied(seed, "classification")
    several = replace(data, y=np.stack([data.y, data.y], axis=1), task="multi-target")
    close(scores(several, "sslrelief", **fixed()), scores(data, "sslrelief", **fixed()), 1e-12)


@EXAMPLES
@given(SEEDS, st.sampled_from(["mean", "sum", "max", "none"]))
def test_flat_hierarchy_is_label_sets(seed, label_weights):
    """Differences of label sets whose labels all occur."""
    data = varied(seed, "hierarchical", hierarchy=FLAT)
    data.y[0], data.y[3] = 1, [0, 1, 1, 0, 1, 1]
    plain = scores(replace(data, task="multi-label", hierarchy=None), "sslrelief", **fixed())
    close(scores(data, "sslrelief", label_weights=label_weights, **fixed()), plain, 1e-12)


@TASK
@EXAMPLES
@given(SEEDS)
def test_dense_is_csr(task, seed):
    data = sample(seed, task, n=16, p=14, zeros=0.4, labelled=0.6, partly=0.2, missing=0.1)
    for missing in MISSING:
        close(scores(data.csr, "sslrelief", missing=missing, **fixed()),
              scores(data, "sslrelief", missing=missing, **fixed()))  # fmt: skip


@TASK
@EXAMPLES
@given(SEEDS)
def test_seed_does_not_matter_when_all_rows_are_used(task, seed):
    data = varied(5, task)
    assert np.array_equal(scores(data, "sslrelief", random_state=seed, **fixed()), scores(data, "sslrelief", **fixed()))


@TASK
def test_input_is_not_changed(task):
    data = varied(6, task, zeros=0.3)
    csr = data.csr.X
    given_arrays = [data.X, data.y, data.nominal, csr.data, csr.indices, csr.indptr]
    before = [values.copy() for values in given_arrays]
    for values in given_arrays:
        values.setflags(write=False)
    for X in (data.X, csr):
        run(replace(data, X=X), "sslrelief", **fixed())
    for values, old in zip(given_arrays, before):
        assert str(values.tolist()) == str(old.tolist())


def test_sparse_label_sets():
    """Stored NaN are unknown, as in arrays."""
    for task in ("multi-label", "hierarchical"):
        data = varied(7, task)
        for form in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
            thin = replace(data, y=form(data.y))
            assert np.array_equal(scores(thin, "sslrelief", **fixed()), scores(data, "sslrelief", **fixed()))
