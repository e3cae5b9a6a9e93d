"""PrMS: golden values, the slow twin, and what it promises on average."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from orangecontrib.reliefe.core.embedding import density, density_curve, sparsify, spectral_error
from orangecontrib.reliefe.tests.naive import embedding as naive
from orangecontrib.reliefe.tests.samples import examples

EXPECTED = json.loads((Path(__file__).parents[1] / "golden" / "reliefe.json").read_text())["sets"]["reliefe_tiny"][
    "expect"
]
EXAMPLES = examples(25, 25)
VALUES = st.sampled_from([0.0, 0.0, 0.01, -0.01, 0.2, -0.2, 3.0, -5.0, 1e-12])
MATRICES = arrays(float, st.tuples(st.integers(1, 7), st.integers(1, 7)), elements=VALUES)
SEEDS = st.integers(0, 2**32 - 1)


def sample(m=30, n=12, zeros=0.3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(m, n)) ** 3 * (rng.random((m, n)) > zeros)


@pytest.mark.parametrize("epsilon, key", [(None, "prms_output"), (2.0, "prms_eps2_output")])
def test_golden(epsilon, key):
    """The twin, which `test_the_twin` compares with the product, draws the golden entries by the golden numbers."""
    B, uniforms = np.array(EXPECTED["prms_input"]), np.array(EXPECTED["prms_uniforms"])
    found = sparsify(B, epsilon=epsilon)
    if epsilon is None:
        np.testing.assert_allclose([found.epsilon, found.threshold], EXPECTED["prms_eps_threshold"], atol=1e-12)
    np.testing.assert_allclose(naive.prms(B, uniforms, naive.threshold(B, epsilon)), EXPECTED[key], rtol=0, atol=1e-9)


def test_worked_example():
    found = sparsify([[3, 0.1], [-4, 0]])
    assert (found.epsilon, found.threshold, found.error_bound) == (1.75, 0.875, 1.75)
    assert found.expected == pytest.approx(2 + 0.1 / 0.875)
    assert found.X.toarray()[:, 0].tolist() == [3, -4]


@EXAMPLES
@given(MATRICES, SEEDS, st.sampled_from([None, 0.5, 20.0]), st.booleans())
def test_the_twin(B, seed, epsilon, normalise):
    found = sparsify(B, epsilon=epsilon, random_state=seed, row_normalize=normalise)
    if normalise:
        norms = [np.sqrt(sum(v * v for v in row)) for row in B]
        B = np.array([[v / (norm or 1) for v in row] for row, norm in zip(B, norms)])
    t = naive.threshold(B, epsilon)
    assert found.threshold == pytest.approx(t, rel=1e-12)
    uniforms = naive.in_order(B, np.random.default_rng(seed).random(np.count_nonzero(B)))
    np.testing.assert_allclose(found.X.toarray(), naive.prms(B, uniforms, t), rtol=1e-9, atol=0)
    sizes = np.abs(B[B != 0])
    assert found.expected == pytest.approx(sum(min(v / t, 1) for v in sizes))
    assert found.before == np.count_nonzero(B) / B.size
    assert found.after == np.count_nonzero(found.X.toarray()) / B.size == density(found.X)


@EXAMPLES
@given(MATRICES, SEEDS)
def test_entries_stay_or_become_the_threshold_or_zero(B, seed):
    found = sparsify(B, random_state=seed)
    after, t = found.X.toarray(), found.threshold
    large = np.abs(B) > t
    assert np.array_equal(after[large], B[large])
    assert np.all((after[~large] == 0) | (after[~large] == np.sign(B[~large]) * t))
    assert np.all(np.abs(after - B) <= t)


@EXAMPLES
@given(MATRICES, SEEDS, st.sampled_from(["csr", "csc", "coo", "lil"]))
def test_dense_is_sparse(B, seed, form):
    dense, thin = sparsify(B, random_state=seed), sparsify(sparse.coo_array(B).asformat(form), random_state=seed)
    assert np.array_equal(dense.X.toarray(), thin.X.toarray())
    assert (dense.epsilon, dense.before, dense.after) == (thin.epsilon, thin.before, thin.after)
    assert sparsify(B.T).epsilon == pytest.approx(dense.epsilon, rel=1e-12)


def test_stored_zeros_and_duplicates_do_not_matter():
    odd = sparse.csr_array((np.array([0.0, 2.0, 1.0, 1.0]), np.array([2, 1, 0, 0]), np.array([0, 2, 4])), shape=(2, 3))
    found = sparsify(odd)
    assert np.array_equal(found.X.toarray(), sparsify([[0, 2, 0], [2, 0, 0]]).X.toarray())
    assert odd.nnz == 4


def test_unbiased_and_as_many_entries_as_expected():
    B, runs = sample(), 1500
    found = [sparsify(B, epsilon=3.0, random_state=seed) for seed in range(runs)]
    t, expected = found[0].threshold, found[0].expected
    mean = sum(f.X for f in found).toarray() / runs
    small = (np.abs(B) <= t) & (B != 0)
    assert 20 < small.sum() < np.count_nonzero(B)
    error = np.sqrt(np.abs(B[small]) * (t - np.abs(B[small])) / runs)
    scores = (mean[small] - B[small]) / error
    assert np.abs(scores).max() < 4.5
    assert 0.7 < scores.std() < 1.3
    np.testing.assert_allclose(mean[~small], B[~small], rtol=1e-12)
    counts = np.array([f.X.nnz for f in found])
    assert abs(counts.mean() - expected) < 4 * counts.std() / np.sqrt(runs)
    assert expected <= np.sqrt(sum(B.shape)) * np.abs(B).sum() / found[0].epsilon


def test_large_negative_entries_are_kept():
    assert sparsify([[-5.0, 0.01], [0.02, 5.0]]).X.toarray()[0, 0] == -5


def test_zero_matrix_stays():
    for form in (np.zeros((3, 2)), sparse.csr_array((3, 2))):
        found = sparsify(form)
        assert (found.epsilon, found.threshold, found.before, found.after, found.expected) == (0, 0, 0, 0, 0)
        assert found.X.shape == (3, 2)
        assert found.X.nnz == 0


def test_equal_sizes_above_the_threshold_change_nothing():
    B = np.sign(sample(40, 25))
    assert np.array_equal(sparsify(B).X.toarray(), B)


def test_larger_epsilon_leaves_less():
    B = sample(200, 40)
    after = [sparsify(B, epsilon=epsilon).after for epsilon in (0.1, 1, 10, 100)]
    assert after == sorted(after, reverse=True)
    assert after[-1] < 0.2 * density(B) < 0.9 * after[0]


def test_error_is_in_the_order_of_epsilon():
    for seed in range(3):
        B = sample(150, 60, seed=seed)
        for epsilon in (1.0, 4.0, 16.0):
            assert spectral_error(B, sparsify(B, epsilon=epsilon, random_state=seed).X) < 4 * epsilon


def test_seeds():
    B = sample()
    one, two, other = (sparsify(B, epsilon=9, random_state=seed).X.toarray() for seed in (1, 1, 2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_input_is_not_changed():
    B = sample()
    before, thin = B.copy(), sparse.csr_array(B)
    sparsify(B, epsilon=9, row_normalize=True)
    sparsify(thin, epsilon=9, row_normalize=True)
    assert np.array_equal(B, before)
    assert np.array_equal(thin.toarray(), before)


def test_spectral_error():
    B, C = sample(20, 9), sample(20, 9, seed=1)
    assert spectral_error(B, C) == pytest.approx(np.linalg.norm(B - C, 2), rel=1e-9)
    assert spectral_error(sparse.csr_array(B), C, random_state=3) == pytest.approx(np.linalg.norm(B - C, 2), rel=1e-9)
    assert spectral_error(B[:1], C[:1]) == pytest.approx(np.linalg.norm(B[0] - C[0]))
    assert spectral_error(B, B) == 0


def test_density():
    assert density(np.array([[0, 1], [2, 0.0]])) == 0.5
    assert density(sparse.csr_array((np.array([0.0, 1]), np.array([0, 1]), np.array([0, 2])), shape=(1, 4))) == 0.25
    assert density(np.zeros((0, 3))) == 0


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_missing_values_are_refused(form, value):
    with pytest.raises(ValueError, match="missing or infinite"):
        sparsify(form([[1.0, value], [0.0, 2.0]]))


@pytest.mark.parametrize("epsilon", [0, -1, np.nan, np.inf])
def test_bad_epsilon(epsilon):
    with pytest.raises(ValueError, match="epsilon must be above 0"):
        sparsify([[1.0]], epsilon=epsilon)


@pytest.mark.parametrize("X", [[1.0, 2.0], [["a"]], 3])
def test_no_matrix(X):
    with pytest.raises(ValueError, match=r"must (be a matrix of|hold) numbers"):
        sparsify(X)


@EXAMPLES
@given(MATRICES, st.lists(st.sampled_from([1e-9, 0.02, 0.5, 1.0, 20.0, 1e6]), min_size=1, max_size=4))
def test_density_curve_equals_loops(B, epsilons):
    """Each entry remains with probability |x| / t, at most 1."""
    found = density_curve(B, epsilons)
    for epsilon, density_there in zip(epsilons, found.densities, strict=True):
        t = epsilon / sum(B.shape) ** 0.5
        expected = sum(min(1.0, abs(value) / t) for row in B for value in row) / B.size
        assert density_there == pytest.approx(expected, rel=1e-9, abs=1e-15)
    assert found.before == density(B)
    np.testing.assert_array_equal(density_curve(sparse.csr_array(B), epsilons).densities, found.densities)


@pytest.mark.parametrize("unit", [1.0, 1e-300, 1e300])
def test_density_curve_falls_from_all_to_few(unit):
    B = sample() * unit
    found = density_curve(B)
    assert len(found.epsilons) == 81
    assert (np.diff(found.densities) <= 0).all()
    assert found.densities[0] > 0.8 * found.before
    assert 0 < found.densities[-1] < 0.02
    np.testing.assert_allclose(found.thresholds, found.epsilons / np.sqrt(sum(B.shape)))
    np.testing.assert_allclose(found.densities, density_curve(sample()).densities)
    for epsilon, density_there in zip(found.epsilons[::20], found.densities[::20], strict=True):
        assert sparsify(B, epsilon=float(epsilon)).expected / B.size == pytest.approx(density_there)


def test_density_curve_of_nothing_and_bad_epsilons():
    assert density_curve(np.zeros((3, 2))).densities.tolist() == [0.0] * 81
    for epsilons in ([0.0], [1.0, -1.0], [np.nan], 2.0):
        with pytest.raises(ValueError, match="numbers above 0"):
            density_curve(sample(), epsilons)
    with pytest.raises(ValueError, match="missing or infinite"):
        density_curve([[1.0, np.nan]])
