"""Intrinsic dimension: golden values, the slow twin, manifolds whose dimension is known, and degenerate data."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.embedding import intrinsic_dimension
from orangecontrib.reliefe.core.points.distinct_rows import distinct
from orangecontrib.reliefe.core.points.nearest import nearest
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.naive import embedding as naive
from orangecontrib.reliefe.tests.samples import SMALL, examples

FOLDER = Path(__file__).parents[1] / "golden"
TINY = json.loads((FOLDER / "reliefe.json").read_text())["sets"]["reliefe_tiny"]
REGRESSION = json.loads((FOLDER / "relief_family.json").read_text())["sets"]["regression10"]
EXAMPLES = examples(20, 3)
SEEDS = st.integers(0, 2**32 - 1)
ROWS = 120 if SMALL else 1000


def cube(n, d, seed=0):
    return np.random.default_rng(seed).random((n, d))


def sphere(n, d, seed=0):
    """Sphere of dimension d in d + 1."""
    X = np.random.default_rng(seed).normal(size=(n, d + 1))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def swiss_roll(n, seed=0):
    u, height = cube(n, 2, seed).T
    angle = 1.5 * np.pi * (1 + 2 * u)
    return np.c_[angle * np.cos(angle), 21 * height, angle * np.sin(angle)]


def rotation(p, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(p, p)))[0]


def estimate(X, **options):
    return intrinsic_dimension(X, **options).estimate


def test_golden():
    X = np.array(TINY["X01"])
    assert naive.twonn(X) == pytest.approx(TINY["expect"]["twonn_M_X01"], abs=1e-9)
    assert estimate(X) == pytest.approx(TINY["expect"]["twonn_M_X01"], abs=1e-9)
    X = np.array(REGRESSION["X"])
    assert naive.twonn(X) == pytest.approx(TINY["expect"]["twonn_regression10"], abs=1e-9)
    assert estimate(X) == pytest.approx(TINY["expect"]["twonn_regression10"], abs=1e-9)


def test_by_hand():
    """Points 0, 1, 3, 7: mu = 1.5, 1.5, 2, 3."""
    found = intrinsic_dimension([[0], [1], [3], [7]])
    x, y = np.log([1.5, 1.5, 2]), -np.log([3 / 4, 2 / 4, 1 / 4])
    np.testing.assert_allclose(found.x, x)
    np.testing.assert_allclose(found.y, y)
    assert found.estimate == found.slope == pytest.approx(x @ y / (x @ x))
    assert round(found.estimate, 3) == 1.679
    assert found.r_squared == pytest.approx(1 - np.sum((y - found.slope * x) ** 2) / (y @ y))
    assert (found.dimension, found.rows, found.duplicates, found.dropped, found.note) == (1, 4, 0, 0, "")


@EXAMPLES
@given(SEEDS, st.integers(3, 25), st.integers(1, 6), st.sampled_from([0.0, 0.1, 0.4]), st.booleans())
def test_the_twin(seed, n, p, discard, strict):
    X = np.random.default_rng(seed).normal(size=(n, p))
    found = intrinsic_dimension(X, discard=discard, ecdf="strict" if strict else "i/n")
    if not np.isnan(found.estimate):
        assert found.estimate == pytest.approx(naive.twonn(X, discard, strict), rel=1e-9)
        assert found.dimension == min(max(round(found.estimate), 1), p)


@EXAMPLES
@given(SEEDS, st.integers(3, 25), st.integers(1, 6))
def test_the_twin_of_maximum_likelihood(seed, n, p):
    X = np.random.default_rng(seed).normal(size=(n, p))
    assert estimate(X, method="mle") == pytest.approx(naive.mle(X), rel=1e-9)


@EXAMPLES
@given(SEEDS, st.sampled_from(["twonn", "mle"]), st.sampled_from([1e-180, 1e-3, 1e4, 1e180]))
def test_scale_rotation_shift_and_order_do_not_matter(seed, method, factor):
    X = np.random.default_rng(seed).normal(size=(40, 4))
    plain = estimate(X, method=method)
    assert estimate(X * factor, method=method) == pytest.approx(plain, rel=1e-9)
    assert estimate(X @ rotation(4, seed) + 3, method=method) == pytest.approx(plain, rel=1e-6)
    order = np.random.default_rng(seed).permutation(40)
    assert estimate(X[order], method=method) == pytest.approx(plain, rel=1e-12)


@EXAMPLES
@given(
    SEEDS, st.sampled_from([0.0, 0.5, 0.9]), st.sampled_from(["csr", "csc", "coo"]), st.sampled_from(["twonn", "mle"])
)
def test_dense_is_sparse(seed, zeros, form, method):
    """Also with a common part that is much longer than the differences."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 12)) * (rng.random((30, 12)) >= zeros)
    for Y in (X, np.c_[X, np.full(30, 1e3)]):
        dense, thin = (intrinsic_dimension(Z, method=method) for Z in (Y, sparse.coo_array(Y).asformat(form)))
        assert (dense.duplicates, dense.rows, dense.dropped, dense.note) == (
            thin.duplicates,
            thin.rows,
            thin.dropped,
            thin.note,
        )
        np.testing.assert_allclose(thin.x, dense.x, rtol=0, atol=1e-9)
        np.testing.assert_allclose(thin.estimate, dense.estimate, rtol=1e-9)


@EXAMPLES
@given(arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=st.sampled_from([0.0, 1.0, -1.0, 0.5])))
def test_neighbours_of_rows_with_many_ties(X):
    """Dense and sparse kernels see the distances that plain loops see."""
    expected = naive.neighbour_distances(X, dedupe=False)
    for form in (X, sparse.csr_array(X)):
        near, who = nearest(form, 3, Work())
        for i, row in enumerate(expected):
            np.testing.assert_allclose(near[i], ([*row, np.inf, np.inf, np.inf])[:3], rtol=1e-12)
            for r, j in zip(near[i], who[i]):
                assert (j == -1 and r == np.inf) or (j != i and naive.distance(X[i], X[j]) == pytest.approx(r))
    assert distinct(X).tolist() == sorted({tuple(row): i for i, row in reversed(list(enumerate(X)))}.values())
    assert np.array_equal(distinct(sparse.csr_array(X)), distinct(X))


@pytest.mark.parametrize("d, low, high", [(1, 0.9, 1.1), (2, 1.75, 2.25), (5, 4.1, 5.2), (10, 7.5, 9.6)])
@pytest.mark.parametrize("method", ["twonn", "mle"])
def test_uniform_cubes(d, low, high, method):
    if SMALL:
        low, high = 0.6 * low, 1.3 * high
    found = np.mean([estimate(cube(ROWS, d, seed), method=method) for seed in range(1 if SMALL else 4)])
    assert low < found < high


@pytest.mark.parametrize("method", ["twonn", "mle"])
def test_curved_manifolds(method):
    rows, slack = ROWS, 0.8 if SMALL else 0.3
    assert estimate(sphere(rows, 2), method=method) == pytest.approx(2, abs=slack)
    assert estimate(sphere(rows, 3), method=method) == pytest.approx(3, abs=2 * slack)
    assert estimate(swiss_roll(rows), method=method) == pytest.approx(2, abs=slack)


def test_a_manifold_of_few_dimensions_in_many():
    X = cube(ROWS, 2) @ np.random.default_rng(0).normal(size=(2, 30))
    found = intrinsic_dimension(X)
    assert found.dimension == 2
    assert found.r_squared > 0.9


def test_other_distribution_functions():
    X = cube(200, 3)
    assert estimate(X, discard=0.1) != estimate(X) != estimate(X, ecdf="strict")
    assert len(intrinsic_dimension(X, discard=0.1).x) == 180
    assert len(intrinsic_dimension(X).x) == 199
    assert len(intrinsic_dimension(X, ecdf="strict").x) == 200
    assert estimate(X, discard=0.1, ecdf="strict") == pytest.approx(estimate(X), abs=0.6)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_equal_rows_are_used_once(form):
    X = cube(60, 3)
    plain, doubled = intrinsic_dimension(form(X)), intrinsic_dimension(form(np.vstack([X, X[::-1], X[:7]])))
    assert doubled.estimate == plain.estimate
    assert (doubled.rows, doubled.duplicates) == (60, 67)
    assert np.array_equal(doubled.x, plain.x)


def test_equal_rows_of_large_numbers():
    """Distances from products of rows are not 0 there."""
    X = cube(60, 9) + 1000
    assert estimate(np.vstack([X, X])) == estimate(X)


@pytest.mark.parametrize("p, dimension", [(3, 3), (200, 128)])
def test_doubled_rows_without_dedupe_tell_nothing(p, dimension):
    X = cube(30, p)
    found = intrinsic_dimension(np.vstack([X, X]), dedupe=False)
    assert np.isnan(found.estimate)
    assert found.dimension == dimension
    assert found.note == f"all neighbours of a row are equally far: the dimension is set to {dimension}"
    assert (found.duplicates, found.rows) == (0, 60)


def test_signs_of_zero_are_the_same_row():
    assert intrinsic_dimension([[0.0, 1], [-0.0, 1], [2, 3], [5, 9]]).duplicates == 1


@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("method", ["twonn", "mle"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_too_few_rows(n, method, form):
    """Five rows that are equal are one."""
    X = np.ones((n, 4)) if n == 5 else cube(n, 4)
    found = intrinsic_dimension(form(X), method=method, n_resamples=5)
    assert np.isnan(found.estimate)
    assert np.isnan(found.r_squared)
    assert found.dimension == 4
    assert found.interval is None
    assert "fewer than 3 rows" in found.note
    assert (found.rows, found.dropped, found.duplicates) == (0, min(n, 1) if n == 5 else n, 4 if n == 5 else 0)


def test_three_rows_are_enough():
    found = intrinsic_dimension([[0.0], [1.0], [3.0]])
    assert found.estimate == pytest.approx(naive.twonn([[0.0], [1.0], [3.0]]))


def test_all_rows_equally_far():
    found = intrinsic_dimension(np.eye(6))
    assert np.isnan(found.estimate)
    assert found.dimension == 6


def test_grids_are_reported():
    grid = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0)), axis=-1).reshape(-1, 2)
    grid[0] += 0.1
    assert "two nearest neighbours are equally far" in intrinsic_dimension(grid).note


def test_dimension_is_not_above_the_number_of_features():
    found = intrinsic_dimension(np.random.default_rng(3).integers(0, 9, (40, 2)))
    assert found.estimate > 2.5
    assert found.dimension == 2


def test_interval_covers():
    """The mean estimate lies in about 95 % of the intervals, and they become narrower with more rows."""
    for method, d, n in [("twonn", 2, 150), ("twonn", 5, 150), ("mle", 2, 150)]:
        runs, n = (5, 60) if SMALL else (60, n)
        found = [
            intrinsic_dimension(cube(n, d, seed), method=method, n_resamples=60, random_state=seed)
            for seed in range(runs)
        ]
        truth = np.mean([f.estimate for f in found])
        inside = [f.interval[0] <= truth <= f.interval[1] for f in found]
        assert np.mean(inside) >= (0.6 if SMALL else 0.9)
        assert all(f.interval[0] < f.estimate < f.interval[1] for f in found)


def test_interval_narrows_with_rows_and_widens_with_confidence():
    def width(n, confidence=0.95):
        return np.ptp(intrinsic_dimension(cube(n, 3), n_resamples=50, confidence=confidence).interval)

    few, many = (40, 120) if SMALL else (100, 1000)
    assert width(many) < 0.7 * width(few)
    assert width(few, 0.5) < 0.6 * width(few, 0.99)


def test_interval_depends_on_the_seed_only():
    X = cube(60, 3)
    one, two, other = (intrinsic_dimension(X, n_resamples=20, random_state=seed) for seed in (1, 1, 2))
    assert one.interval == two.interval != other.interval
    assert one.estimate == other.estimate == estimate(X)
    assert intrinsic_dimension(X).interval is None


def test_progress():
    shares = []
    found = intrinsic_dimension(cube(150, 2), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert found.estimate == estimate(cube(150, 2))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_interruption(form):
    shares = []

    def progress(share):
        shares.append(share)
        if share > 0:
            raise Interrupted

    with pytest.raises(Interrupted):
        intrinsic_dimension(form(cube(150, 3)), progress=progress)
    assert [share > 0 for share in shares] == [False] * (len(shares) - 1) + [True]
    assert shares[-1] < 1


@pytest.mark.parametrize("form, most", [(np.asarray, 64), (sparse.csr_array, 8)])
def test_looks_while_rows_are_compared(form, most):
    """After 64 rows at most, of sparse data after 8, so that it can be stopped soon."""

    class Counting(Work):
        ticks = 0

        def tick(self, units=0):
            self.ticks += 1

    work = Counting()
    nearest(form(cube(200, 3)), 2, work)
    assert work.ticks == -(-200 // most)


def test_wide_sparse_data_stay_sparse():
    """Dense, they would take 320 MB."""
    tracemalloc = pytest.importorskip("tracemalloc")
    n = 40 if SMALL else 200
    X = sparse.random_array((n, 200_000), density=1e-4, rng=np.random.default_rng(0), format="csr")
    tracemalloc.start()
    try:
        intrinsic_dimension(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 40e6


def test_input_is_not_changed():
    X = cube(20, 3)
    before, thin = X.copy(), sparse.csr_array((np.array([0.0, 1, 2]), np.array([1, 0, 1]), np.array([0, 2, 3, 3])))
    intrinsic_dimension(X)
    intrinsic_dimension(thin)
    assert np.array_equal(X, before)
    assert thin.nnz == 3


@pytest.mark.parametrize(
    "options, message",
    [
        ({"method": "pca"}, "unknown method 'pca'; choose from twonn, mle"),
        ({"ecdf": "n"}, "unknown ecdf 'n'; choose from i/n, strict"),
        ({"discard": 1}, "discard must be at least 0 and below 1"),
        ({"discard": -0.1}, "discard must be at least 0 and below 1"),
        ({"confidence": 1}, "confidence must be between 0 and 1"),
        ({"n_resamples": -1}, "n_resamples must be at least 0"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        intrinsic_dimension(cube(5, 2), **options)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_missing_values_are_refused(form):
    with pytest.raises(ValueError, match="missing or infinite"):
        intrinsic_dimension(form([[1.0, np.nan], [0.0, 2.0]]))


@pytest.mark.parametrize("X", [[1.0, 2.0], [["a"]]])
def test_no_matrix(X):
    with pytest.raises(ValueError, match=r"must (be a matrix of|hold) numbers"):
        intrinsic_dimension(X)
