"""ReliefE with given coordinates and classes: what must hold for any data (hypothesis chooses the data)."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core import rank, request
from orangecontrib.reliefe.tests.reliefe_samples import CLASS_VARIANTS as VARIANTS
from orangecontrib.reliefe.tests.reliefe_samples import close, coordinates, scores
from orangecontrib.reliefe.tests.samples import SMALL, examples, make

SEEDS = st.integers(0, 2**32 - 1)
EXAMPLES = examples(8)
VARIANT = pytest.mark.parametrize("parameters", VARIANTS, ids=lambda v: "-".join(map(str, v.values())) or "default")
METRIC = pytest.mark.parametrize("distance", ["euclidean", "cosine"])


@EXAMPLES
@given(SEEDS)
def test_average_does_not_exceed_the_mean_of_the_diffs(seed):
    """Triangle inequality, seen where only one row is a target and has no hits."""
    data = replace(make(seed, n=9), y=np.array([0] + [1] * 8))
    first = next(s for s in range(100) if np.random.default_rng(s).permutation(9)[0] == 0)
    alone = {"n_instances": 1, "random_state": first, "n_neighbors": 5}
    plain, average = (scores(data, coordinates(0, 9), average=a, **alone) for a in (False, True))
    assert (average >= 0).all()
    assert (average <= plain + 1e-12).all()


@EXAMPLES
@given(SEEDS, st.sampled_from(VARIANTS[1:]))
def test_average_is_the_same_for_two_values(seed, parameters):
    """|x - mean| is the share of the neighbours that differ."""
    data = make(seed, n=20, nominal=())
    data.X[:] = data.X > 1.5
    E = coordinates(1, 20)
    one, other = (scores(data, E, **(parameters | {"average": average})) for average in (False, True))
    close(one, other)


@VARIANT
@EXAMPLES
@given(SEEDS)
def test_affine_maps_of_numeric_features(parameters, seed):
    data, E = make(seed, n=16, missing=0.1), coordinates(2, 16)
    rng = np.random.default_rng(seed)
    factor = np.where(data.nominal, 1, rng.choice([-3.0, -0.01, 0.7, 250.0], 8))
    moved = replace(data, X=data.X * factor + np.where(data.nominal, 0, rng.integers(-5, 5, 8)))
    close(scores(moved, E, **parameters), scores(data, E, **parameters))


@VARIANT
@EXAMPLES
@given(SEEDS, st.randoms(use_true_random=False))
def test_permuted_columns_permute_the_scores(parameters, seed, random):
    data, E, order = make(seed, n=16, missing=0.1), coordinates(3, 16), random.sample(range(8), 8)
    close(scores(data.columns(order), E, **parameters), scores(data, E, **parameters)[order])


@VARIANT
@METRIC
@EXAMPLES
@given(SEEDS, st.randoms(use_true_random=False))
def test_permuted_rows_change_nothing(parameters, distance, seed, random):
    data, E = make(seed, n=16, n_classes=3, missing=0.1), coordinates(4, 16)
    order = random.sample(range(16), 16)
    parameters = parameters | {"distance": distance}
    close(scores(data.rows(order), E[order], **parameters), scores(data, E, **parameters))


@VARIANT
@EXAMPLES
@given(SEEDS, st.permutations(["b", "a", "ten", "Ž"]), st.permutations([0.0, 1.0, 2.0, 3.0]))
def test_names_do_not_matter(parameters, seed, classes, values):
    data, E = make(seed, n=20, n_classes=4, missing=0.1), coordinates(5, 20)
    X = data.X.copy()
    X[:, 4] = np.where(np.isnan(X[:, 4]), np.nan, np.array(values)[np.nan_to_num(X[:, 4]).astype(int)])
    renamed = replace(data, X=X, y=np.array(classes)[data.y])
    close(scores(renamed, E, **parameters), scores(data, E, **parameters))


@METRIC
@VARIANT
@EXAMPLES
@given(SEEDS, st.floats(0.1, 10), st.floats(0, 6.28))
def test_turned_and_stretched_coordinates_change_nothing(parameters, distance, seed, stretch, angle):
    data, E = make(seed, n=16, n_classes=3), coordinates(seed, 16, 2)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    one, other = (scores(data, place, distance=distance, **parameters) for place in (E, stretch * E @ turn))
    close(one, other)


@VARIANT
@EXAMPLES
@given(SEEDS, st.sampled_from([0.0, 0.1, -7e8]))
def test_constant_features_score_0(parameters, seed, value):
    data, E = make(seed, n=16, n_classes=3, missing=0.1), coordinates(6, 16)
    data.X[:, [0, 4]] = np.where(np.isnan(data.X[:, [0, 4]]), np.nan, [value, 2])
    for form in (data, data.csr):
        assert np.array_equal(scores(form, E, **parameters)[[0, 4]], [0, 0])


@VARIANT
@METRIC
@EXAMPLES
@given(st.data())
def test_scores_are_numbers_within_bounds(parameters, distance, data):
    """Also with ties, constants, duplicates, missing values and classes of one row."""
    n, p = data.draw(st.tuples(st.integers(2, 9), st.integers(1, 4)))
    values = st.sampled_from([0.0, 1.0, 0.5, -2.0, np.nan, 1e-300, 1e9])
    X = np.array(data.draw(st.lists(values, min_size=n * p, max_size=n * p))).reshape(n, p)
    E = np.array(data.draw(st.lists(st.sampled_from([0.0, 1.0, -1.0, 1e-200, 1e15]), min_size=2 * n, max_size=2 * n)))
    y = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    y[0], y[-1] = 0, 1
    nominal = np.array(data.draw(st.lists(st.booleans(), min_size=p, max_size=p)))
    found = rank(X, y, "reliefe", nominal=nominal, embedding=E.reshape(n, 2), distance=distance, **parameters).scores
    assert found.shape == (p,)
    assert found.dtype == np.float64
    assert np.all(np.abs(found) <= 1 + 1e-9)


@VARIANT
@METRIC
@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("n_instances", [None, 0.4])
@pytest.mark.parametrize("missing", [0, 0.05])
def test_same_bits_for_any_number_of_threads(parameters, distance, form, n_instances, missing, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)  # threads for few rows, too
    n = 40 if SMALL else 300
    data = make(1, n=n, p=11, n_classes=3, zeros=0.3, missing=missing)
    data, E = data.csr if form == "csr" else data, coordinates(8, n)
    one, *more = (scores(data, E, distance=distance, n_instances=n_instances, n_jobs=n_jobs, **parameters)
                  for n_jobs in (1, 2, 3))  # fmt: skip
    for other in more:
        assert np.array_equal(other, one)


@pytest.mark.parametrize("parameters", [{"n_neighbors": 5}, {"n_neighbors": "adaptive"}], ids=str)
def test_rows_without_target_are_dropped(parameters):
    """And so are their coordinates."""
    data, E = make(20, n=20, n_classes=3), coordinates(20, 20)
    known = ~np.isin(np.arange(20), [4, 11, 12])
    found = scores(replace(data, y=np.where(known, data.y.astype(object), None)), E, **parameters)
    assert np.array_equal(found, scores(data.rows(known), E[known], **parameters))
