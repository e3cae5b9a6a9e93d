"""Properties of every method on any data (hypothesis chooses the data)."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from orangecontrib.reliefe.core import METHODS, rank, request
from orangecontrib.reliefe.tests.samples import FEW_PAIRS, PAIRS, RUNS, SMALL, STRATEGIES, examples, few, make

METHOD_TASK = pytest.mark.parametrize("method, task", PAIRS)
FEW_METHODS = pytest.mark.parametrize("method, task", FEW_PAIRS)
CLASSIFIERS = [name for name, task in PAIRS if task == "classification"]
SEEDS = st.integers(0, 2**32 - 1)
EXAMPLES = examples(8)


def scores(data, method, **parameters):
    return rank(data.X, data.y, method, nominal=data.nominal, task=data.task, **(few(method) | parameters)).scores


def close(a, b, atol=1e-9):
    np.testing.assert_allclose(a, b, rtol=0, atol=atol)


@METHOD_TASK
@EXAMPLES
@given(SEEDS, st.sampled_from(STRATEGIES))
def test_affine_maps_of_numeric_features(method, task, seed, missing):
    data = make(seed, task, n=16, missing=0.1)
    rng = np.random.default_rng(seed)
    factor = np.where(data.nominal, 1, rng.choice([-3.0, -0.01, 0.7, 250.0], 8))
    moved = replace(data, X=data.X * factor + np.where(data.nominal, 0, rng.integers(-5, 5, 8)))
    close(scores(moved, method, missing=missing), scores(data, method, missing=missing))


@METHOD_TASK
@EXAMPLES
@given(SEEDS, st.randoms(use_true_random=False))
def test_permuted_columns_permute_the_scores(method, task, seed, random):
    data = make(seed, task, n=16, missing=0.1)
    order = random.sample(range(8), 8)
    close(scores(data.columns(order), method), scores(data, method)[order])


@METHOD_TASK
@EXAMPLES
@given(SEEDS, st.randoms(use_true_random=False))
def test_permuted_rows_change_nothing(method, task, seed, random):
    data = make(seed, task, n=16, n_classes=3, missing=0.1)
    close(scores(data.rows(random.sample(range(16), 16)), method), scores(data, method))


@pytest.mark.parametrize("method", CLASSIFIERS)
@EXAMPLES
@given(SEEDS, st.permutations(["b", "a", "ten", "Ž"]))
def test_names_of_classes_do_not_matter(method, seed, names):
    data = make(seed, n=20, n_classes=4, missing=0.1)
    close(scores(replace(data, y=np.array(names)[data.y]), method), scores(data, method))


@FEW_METHODS
@EXAMPLES
@given(SEEDS, st.permutations([0.0, 1.0, 2.0, 3.0]))
def test_names_of_nominal_values_do_not_matter(method, task, seed, names):
    data = make(seed, task, n=16, missing=0.1)
    X = data.X.copy()
    X[:, 4] = np.where(np.isnan(X[:, 4]), np.nan, np.array(names)[np.nan_to_num(X[:, 4]).astype(int)])
    close(scores(replace(data, X=X), method), scores(data, method))


@METHOD_TASK
@EXAMPLES
@given(SEEDS, st.sampled_from(STRATEGIES[:3]), st.sampled_from([0.0, 0.1, -7e8]))
def test_constant_features_score_0(method, task, seed, missing, value):
    """Also where some of their values are missing, unless that is a value of its own."""
    data = make(seed, task, n=16, missing=0.1)
    data.X[:, [0, 4]] = np.where(np.isnan(data.X[:, [0, 4]]), np.nan, value)
    close(scores(data, method, missing=missing)[[0, 4]], [0, 0], 1e-12)
    data.X[:] = np.where(np.isnan(data.X), value, data.X)
    assert np.array_equal(scores(data, method)[[0, 4]], [0, 0])


@pytest.mark.parametrize("method, task, parameters", RUNS)
@EXAMPLES
@given(st.data())
def test_scores_are_numbers_within_bounds(method, task, parameters, data):
    """Also with ties, constants, duplicates, missing values and classes of one row."""
    n, p = data.draw(st.tuples(st.integers(2, 9), st.integers(1, 4)))
    X = data.draw(arrays(float, (n, p), elements=st.sampled_from([0.0, 1.0, 0.5, -2.0, np.nan, 1e-300, 1e9])))
    y = data.draw(arrays(int, n, elements=st.integers(0, 3)))
    y[0], y[-1] = 0, 1
    found = rank(
        X,
        y,
        method,
        nominal=data.draw(arrays(bool, p)),
        task=task,
        **parameters,
        missing=data.draw(st.sampled_from(STRATEGIES)),
        ramp=data.draw(st.booleans()) and "power" not in parameters,
    ).scores
    assert found.shape == (p,)
    assert found.dtype == np.float64
    assert np.all(np.abs(found) <= 1 + 1e-9)


@METHOD_TASK
@EXAMPLES
@given(SEEDS, st.sampled_from(STRATEGIES), st.sampled_from([0.0, 0.1]))
def test_dense_is_csr(method, task, seed, strategy, missing):
    data = make(seed, task, n=16, p=14, zeros=0.4, missing=missing)
    close(scores(data.csr, method, missing=strategy), scores(data, method, missing=strategy))


@FEW_METHODS
@EXAMPLES
@given(SEEDS)
def test_strategies_agree_when_nothing_is_missing(method, task, seed):
    data = make(seed, task, n=16, n_classes=3)
    plain = scores(data, method)
    for missing in STRATEGIES:
        close(scores(data, method, missing=missing), plain)


@FEW_METHODS
@EXAMPLES
@given(SEEDS)
def test_seed_does_not_matter_when_all_rows_are_used(method, task, seed):
    data = make(5, task, n=16, missing=0.1)
    assert np.array_equal(scores(data, method, random_state=seed), scores(data, method))


@pytest.mark.parametrize(
    "method, task, missing",
    [*((*pair, None) for pair in PAIRS), *((*pair, missing) for pair in FEW_PAIRS for missing in STRATEGIES)],
)
@pytest.mark.parametrize("form", ["dense", "csr"])
def test_same_bits_for_any_number_of_threads(method, task, missing, form, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)  # threads for few rows, too
    n = 40 if SMALL else 300
    data = make(1, task, n=n, p=11, n_classes=3, missing=0.05 if missing else 0, zeros=0.3)
    data = data.csr if form == "csr" else data
    one, *others = (scores(data, method, n_jobs=n_jobs, missing=missing) for n_jobs in (1, 2, 3))
    for other in others:
        assert np.array_equal(other, one)


@METHOD_TASK
def test_same_bits_for_any_number_of_threads_with_some_targets(method, task, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    data = make(2, task, n=60 if SMALL else 700, p=5)
    one, *others = (scores(data, method, n_jobs=n_jobs, n_instances=0.4) for n_jobs in (1, 2, 3))
    for other in others:
        assert np.array_equal(other, one)


@EXAMPLES
@given(SEEDS)
def test_relief_of_doubled_rows_counts_misses_only(seed):
    """The nearest hit of a row is its copy."""
    data = make(seed, n=16)
    D = np.where(data.nominal, data.X[:, None] != data.X, np.abs(data.X[:, None] - data.X) / np.ptp(data.X, axis=0))
    d = np.where(data.y[:, None] == data.y, np.inf, D.sum(axis=2))
    close(scores(data.doubled(), "relief"), D[np.arange(16), d.argmin(axis=1)].mean(axis=0))


@EXAMPLES
@given(SEEDS)
def test_relieff_with_one_neighbour_is_relief(seed):
    data = make(seed, n=16)
    close(scores(data, "relieff", n_neighbors=1), scores(data, "relief"))


@EXAMPLES
@given(SEEDS, st.integers(1, 20))
def test_schemes_are_the_same_for_two_classes(seed, k):
    data = make(seed, n=16, missing=0.1)
    close(scores(data, "relieff", n_neighbors=k, scheme="E"), scores(data, "relieff", n_neighbors=k, scheme="F"))


@pytest.mark.parametrize("method, task", [pair for pair in PAIRS if pair[0] in ("relieff", "rrelieff")])
@EXAMPLES
@given(SEEDS)
def test_flat_decay_is_equal_weights(method, task, seed):
    data = make(seed, task, n=16, missing=0.1)
    close(scores(data, method, sigma=1e9), scores(data, method, sigma=None))


@EXAMPLES
@given(SEEDS)
def test_rrelieff_with_all_neighbours_is_an_average_over_all_pairs(seed):
    data = make(seed, "regression", n=12, nominal=())
    pairs = np.array(list(itertools.combinations(range(12), 2))).T
    t = np.abs(np.subtract(*data.y[pairs])) / np.ptp(data.y)
    D = np.abs(np.subtract(*data.X[pairs])) / np.ptp(data.X, axis=0)
    expected = t @ D / t.sum() - (1 - t) @ D / (1 - t).sum()
    for k in (11, 12, 1000):
        close(scores(data, "rrelieff", n_neighbors=k, sigma=None), expected)


@EXAMPLES
@given(SEEDS)
def test_relieff_with_all_neighbours_compares_classes(seed):
    data = make(seed, n=15, nominal=())
    D = np.abs(data.X[:, None] - data.X) / np.ptp(data.X, axis=0)
    same = data.y[:, None] == data.y
    expected = np.mean(
        [D[i, ~same[i]].mean(axis=0) - D[i, same[i] & (np.arange(15) != i)].mean(axis=0) for i in range(15)], axis=0
    )
    for k in (14, 1000):
        close(scores(data, "relieff", n_neighbors=k), expected)


@pytest.mark.parametrize("method", [name for name in CLASSIFIERS if METHODS[name].traits.interactions])
def test_interaction_is_found(method):
    """Exclusive or of two of ten features, each useless alone."""
    X = np.random.default_rng(0).integers(0, 2, (60 if SMALL else 200, 10)).astype(float)
    found = rank(X, X[:, 2] != X[:, 7], method, nominal=np.ones(10, bool))
    assert set(found.ranking[:2]) == {2, 7}


@pytest.mark.parametrize(
    "method",
    [name for name, task in PAIRS if task == "regression" and "star" not in name and METHODS[name].traits.interactions],
)
def test_interaction_is_found_for_numbers(method):
    rng = np.random.default_rng(0)
    X = rng.random((80 if SMALL else 250, 6))
    found = rank(
        X, (X[:, 2] > 0.5) * 1.0 + (X[:, 4] > 0.5) - 2 * (X[:, 2] > 0.5) * (X[:, 4] > 0.5), method, task="regression"
    )
    assert set(found.ranking[:2]) == {2, 4}


def test_review_table_1():
    """Class = (A1 and A2) or (A1 and A3); each of the 8 rows twice."""
    X = np.array(list(itertools.product([0, 1], repeat=3)) * 2, float)
    y = (X[:, 0] * X[:, 1] + X[:, 0] * X[:, 2]) > 0
    close(rank(X, y, "relievedf", n_neighbors=1, nominal=[True] * 3).scores, [0.75, 0.1875, 0.1875], 1e-15)


def test_review_tables_2_to_4():
    """Class = A1 xor A2: sums over the eight targets are 4, 4 and -8."""
    X = np.array(list(itertools.product([0, 1], repeat=3)), float)
    found = rank(X, X[:, 0] != X[:, 1], "relievedf", n_neighbors=1, nominal=[True] * 3)
    assert np.array_equal(8 * found.scores, [4, 4, -8])
