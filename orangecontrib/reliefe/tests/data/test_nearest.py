"""Nearest columns of distances that are computed in blocks."""

import numpy as np
import pytest

from orangecontrib.reliefe.core.points.nearest import nearest_of, smallest

D = np.random.default_rng(0).integers(0, 6, (40, 25)).astype(float)  # with many ties


def twin(d, k):
    """(m, k) columns by their distance, and by their index where that is the same."""
    return [sorted(range(len(row)), key=lambda j: (row[j], j))[:k] for row in d]


@pytest.mark.parametrize("k", [1, 2, 7, 25])
def test_smallest(k):
    before = D.copy()
    np.testing.assert_array_equal(smallest(D, k), twin(D, k))
    np.testing.assert_array_equal(D, before)


@pytest.mark.parametrize("k", [2, 20, 90])
@pytest.mark.parametrize("kind", ["even", "wide", "equal", "tiny"])
def test_smallest_whatever_the_numbers_are(kind, k):
    rng = np.random.default_rng(k)
    d = {
        "even": rng.random((9, 100)),
        "wide": 10.0 ** rng.uniform(-140, 140, (9, 100)),
        "equal": np.full((9, 100), 2.5),
        "tiny": rng.integers(0, 9, (9, 100)) * 5e-324,
    }[kind]
    d[rng.random(d.shape) < 0.1] = np.inf
    np.testing.assert_array_equal(smallest(d, k), twin(d, k))


def test_smallest_of_odd_numbers():
    d = np.array([[-0.0, 0.0, 1], [np.inf, 2, np.inf], [np.inf] * 3, [1e150, 0.0, 5e-324], [3, 3, 3]])
    np.testing.assert_array_equal(smallest(d, 2), [[0, 1], [1, 0], [0, 1], [1, 2], [0, 1]])
    np.testing.assert_array_equal(smallest(d, 3), [[0, 1, 2], [1, 0, 2], [0, 1, 2], [1, 2, 0], [0, 1, 2]])


@pytest.mark.parametrize("held", [1, 60, 10**6])
@pytest.mark.parametrize("k", [1, 3])
def test_blocks(held, k):
    seen = []

    def distances(block):
        seen.append(block)
        return D[block]

    near = nearest_of(distances, D.shape, k, held=held)
    np.testing.assert_array_equal(near.rows, twin(D, k))
    np.testing.assert_array_equal(near.distances, np.sort(D, axis=1)[:, :k])
    assert max(block.stop - block.start for block in seen) == min(max(held // 25, 1), 40)
    assert [block.stop for block in seen] == [block.start for block in seen[1:]] + [40]


def test_the_last_of_equals():
    near = nearest_of(lambda block: D[block], D.shape, last=True, held=60).rows
    assert near[:, 0].tolist() == [max(np.flatnonzero(row == row.min())) for row in D]
