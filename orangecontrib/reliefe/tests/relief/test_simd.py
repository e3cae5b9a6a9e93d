"""Kernels for SIMD registers against plain loops; where numba does not compile there are none."""

import numpy as np
import pytest

from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.kernels.jit import compiles
from orangecontrib.reliefe.core.relief.formats.bits import LANES
from orangecontrib.reliefe.core.relief.formats.features import Features
from orangecontrib.reliefe.tests.samples import SMALL

if compiles():
    from orangecontrib.reliefe.core.relief.formats.dense_distances_simd import tile_distances
    from orangecontrib.reliefe.core.relief.formats.dense_sums_simd import FEATURES, HALF, tile_sums

pytestmark = pytest.mark.skipif(SMALL, reason="needs numba's compiler")
N, P = 150, 24
WHERES = [(0, 128, 0, 128), (0, 128, 128, N), (128, N, 128, N)]


@pytest.fixture(scope="module")
def data():
    """Features in single precision and their values (N, P): small whole numbers, so that sums have no rounding."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (N, P)).astype(float)
    X[0], X[1] = 0, 8  # so that values are eighths
    features = Features.build(DataTable.read(X), np.arange(N), np.zeros(N, np.int32), dtype=np.float32)
    assert features.vectors
    return features, features.values[:, :P]


def diffs(values, i, j, nominal):
    return (values[i] != values[j]).astype(float) if nominal else np.abs(values[i] - values[j]).astype(float)


@pytest.mark.parametrize("nominal", [False, True])
@pytest.mark.parametrize("upper", [False, True])
def test_distances_of_a_tile(data, nominal, upper):
    features, values = data
    for i0, i1, j0, j1 in WHERES:
        out = np.full((128, 128), -1.0)
        tile_distances(features.lanes.reshape(-1), P, (0, P), nominal, (i0, i1, j0, j1), upper, out)
        for i in range(i0, i1):
            for j in range(max(j0, i + 1) if upper else j0, j1):
                assert out[i - i0, j - j0] == diffs(values, i, j, nominal).sum()


def test_distances_are_added_from_the_second_kind_on(data):
    """The first features of a tile set it, those from another one on are added."""
    features, values = data
    out = np.full((128, 128), -1.0)
    for nominal, span in ((False, (0, 8)), (True, (8, P))):
        tile_distances(features.lanes.reshape(-1), P, span, nominal, WHERES[0], True, out)
    for i, j in ((0, 1), (3, 90), (64, 127)):
        assert out[i, j] == diffs(values[:, :8], i, j, False).sum() + diffs(values[:, 8:], i, j, True).sum()


@pytest.mark.parametrize("nominal", [False, True])
@pytest.mark.parametrize("where", WHERES)
def test_sums_of_a_tile(data, nominal, where):
    features, values = data
    (i0, i1, j0, j1), rng = where, np.random.default_rng(1)
    V, out, expected = np.zeros((128, 128), np.float32), np.ones(P), np.ones(P)
    for i in range(i0, i1):
        for j in range(max(j0, i + 1), j1):
            V[i - i0, j - j0] = rng.integers(-4, 5) / 4
            expected += V[i - i0, j - j0] * diffs(values, i, j, nominal)
    args = features.lanes.reshape(-1), P, (0, P), nominal, V.reshape(-1), V.shape[1], where, out
    tile_sums(*args)
    np.testing.assert_array_equal(out, expected)
    assert P % FEATURES == LANES % HALF == 0
