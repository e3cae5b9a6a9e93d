"""Label sets as target: how much two of them differ."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.targets.label_distances import COORDINATES, DISTANCES, SETS
from orangecontrib.reliefe.core.targets.labels import Labels
from orangecontrib.reliefe.tests.naive import reliefe as naive
from orangecontrib.reliefe.tests.reliefe_samples import EXPECT, GOLDEN, close, labels
from orangecontrib.reliefe.tests.samples import examples

SEEDS = st.integers(0, 2**32 - 1)
EXAMPLES = examples(8)
SET_DISTANCE = pytest.mark.parametrize("target_distance", SETS)


def matrix(T, distance, Z=None):
    """(n, n): all differences of label sets that a target knows."""
    rows = np.arange(len(T))
    target = Labels.read(np.asarray(T, np.uint8), tuple("abcdefgh"[: np.shape(T)[1]])).measured(distance, Z)
    return target.difference(rows[:, None], rows[None, :], np.zeros(()))


@SET_DISTANCE
def test_golden_target_distances(target_distance):
    T = np.array(GOLDEN["T"], int)
    for found in (naive.label_distances(T, target_distance), matrix(T, target_distance)):
        close(found[0], EXPECT[f"target_{target_distance}_row0"])


def test_golden_hyperbolic():
    """But for the distance to itself, where the arc cosine of 1 loses half the digits."""
    T, Z = np.array(GOLDEN["T"], int), np.array(GOLDEN["Zt"])
    raw, scale = np.array(EXPECT["hyperbolic_raw_row0"]), EXPECT["hyperbolic_scale"]
    assert naive.hyperbolic_scale(Z) == pytest.approx(scale, abs=1e-9)
    for found in (naive.hyperbolic_raw(Z) / scale, matrix(T, "hyperbolic", Z)):
        close(found[0, 1:], raw[1:] / scale)
        assert found[0, 0] == pytest.approx(0, abs=3e-8)


def test_worked_example_of_hyperbolic():
    close(naive.hyperbolic_raw([[0.5, 1], [1, 2]])[0, 1], 0.58206, 5e-6)
    close(COORDINATES["hyperbolic"](np.array([0.5, 1.0]), np.array([1.0, 2.0])), 0.58206, 5e-6)


@pytest.mark.parametrize("target_distance", DISTANCES)
@EXAMPLES
@given(SEEDS, st.integers(1, 6))
def test_target_distances(target_distance, seed, L):
    """As the twin, from 0 to 1, the same both ways, and 0 from a row to itself."""
    T, Z = labels(seed, 20, L), np.random.default_rng(seed).normal(size=(20, 3))
    given_Z = Z if target_distance in COORDINATES else None
    found = matrix(T, target_distance, given_Z)
    close(found, naive.label_distances(T, target_distance if given_Z is None else (target_distance, Z)), 3e-8)
    off = ~np.eye(20, dtype=bool)
    close(found[off], naive.label_distances(T, target_distance if given_Z is None else (target_distance, Z))[off])
    assert found.min() >= 0
    assert found.max() <= 1
    close(found, found.T, 1e-12)
    close(np.diag(found), 0, 1e-12)


@EXAMPLES
@given(SEEDS, st.integers(2, 6))
def test_classes_as_labels(seed, L):
    """One label a row: f1 = accuracy = subset = hamming L / 2."""
    T = np.eye(L, dtype=int)[np.random.default_rng(seed).integers(0, L, 15)]
    f1, accuracy, subset, hamming = (matrix(T, name) for name in ("f1", "accuracy", "subset", "hamming"))
    close(f1, subset, 0)
    close(accuracy, subset, 0)
    close(hamming * L / 2, subset, 1e-15)


@EXAMPLES
@given(SEEDS, st.integers(1, 5), st.sampled_from([0.01, 1.0, 4.0]))
def test_hyperboloid_is_the_ball(seed, d, size):
    """Lifted points and their projection into the ball of Poincare are equally far apart."""
    Z = np.random.default_rng(seed).normal(size=(12, d)) * size
    close(COORDINATES["hyperbolic"](Z[:, None], Z[None]), naive.poincare(Z), 1e-6 * size)
    close(matrix(np.ones((12, 2)), "hyperbolic", Z) * naive.hyperbolic_scale(Z), naive.poincare(Z), 1e-6 * size)


def test_near_points_of_the_hyperboloid():
    """Points for which the arc cosine has no digits left; far from the apex, too."""
    for start, step in ((0.0, 1e-9), (3.0, 1e-7)):
        found = COORDINATES["hyperbolic"](np.array([start]), np.array([start + step]))
        expected = np.arcsinh(start + step) - np.arcsinh(start)
        assert found == pytest.approx(expected, rel=1e-4)


def test_points_that_are_all_at_the_apex():
    assert np.array_equal(matrix(np.ones((5, 2)), "hyperbolic", np.zeros((5, 2))), np.zeros((5, 5)))


def test_cosine_of_zeros():
    """Neither near nor far."""
    found = matrix(np.ones((3, 2)), "cosine", np.array([[0.0, 0], [1, 1], [-2, -2]]))
    close(found[0, 1:], [0.5, 0.5], 1e-15)
    close(found[1, 2], 1, 1e-15)


@pytest.mark.parametrize("name", SETS)
def test_rows_without_labels(name):
    """Equal among themselves, and as far as possible from all others but by hamming."""
    found = matrix([[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]], name)
    close(found[0], [0, 0, 0.25 if name == "hamming" else 1], 0)


@pytest.mark.parametrize("name", SETS)
def test_permuted_labels_change_no_difference(name):
    T = labels(1, 20)
    close(matrix(T[:, [3, 0, 4, 1, 2]], name), matrix(T, name), 1e-15)


def test_many_labels_are_copied_in_eight_bits_only():
    y = (np.random.default_rng(0).random((200, 5000)) < 0.01).astype(np.float64)
    kept, X = y.copy(), np.zeros((200, 2))
    tracemalloc.start()
    request = check_call(X, y, "rrelieff")
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert request.target.task == "multi-label"
    assert taken < y.nbytes / 2
    np.testing.assert_array_equal(y, kept)
