"""Kernels for SIMD registers against plain loops; where numba does not compile there are none."""

from itertools import product

import numpy as np
import pytest

from orangecontrib.reliefe.core.data.diff import Diff
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.kernels.jit import compiles
from orangecontrib.reliefe.core.relief.formats.bits import LANES
from orangecontrib.reliefe.core.relief.formats.dense import DenseManhattan, put_tile
from orangecontrib.reliefe.core.relief.formats.features import Features
from orangecontrib.reliefe.tests.samples import SMALL

if compiles():
    from orangecontrib.reliefe.core.relief.formats.dense_sums_simd import FEATURES, HALF, tile_sums

pytestmark = pytest.mark.skipif(SMALL, reason="needs numba's compiler")
N, P = 150, 24
WHERES = [(0, 128, 0, 128), (0, 128, 128, N), (128, N, 128, N)]
ROW = (61, 62, 0, N)  # a tile of one row, which begins anywhere


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


def test_distances_of_a_tile_in_registers_and_by_plain_loops():
    """In both precisions, with weights, of numbers and categories, by plain diffs, ramps and squares."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (N, P)).astype(float)
    X[0], X[1] = 0, 8
    weights = 2.0 ** rng.integers(-2, 3, P)
    diffs_of_numbers = Diff(), Diff(low=0.125, high=0.625), Diff(power=2)
    for dtype, upper, diff, n_nominal in product((np.float32, np.float64), (False, True), diffs_of_numbers, (0, 7, P)):
        nominal = np.arange(P) >= P - n_nominal
        table = DataTable.read(X, nominal=nominal)
        features = Features.build(table, np.arange(N), np.zeros(N, np.int32), diff=diff, dtype=dtype)
        distance = DenseManhattan(features, weights)
        values = features.values[:, :P].astype(float)
        differences = values[:, None] - values
        expected = np.where(nominal, differences != 0, diff(np.abs(differences))) @ weights
        for i0, i1, j0, j1 in (*WHERES, ROW):
            where = slice(i0, i1), slice(j0, j1)
            is_needed = np.arange(j0, j1) > np.arange(i0, i1)[:, None] if upper else np.True_
            tile = distance.tile(i0, i1, j0, j1, np.full((128, N), -1.0), upper)[: i1 - i0, : j1 - j0]
            plain = np.full(tile.shape, -1.0)
            for kind in distance.features.kinds:
                put_tile(features, distance._feature_weights, kind, (i0, i1, j0, j1), plain)
            for measured in (tile, plain):
                np.testing.assert_allclose(
                    np.where(is_needed, measured, 0), np.where(is_needed, expected[where], 0), rtol=0, atol=1e-5
                )


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
