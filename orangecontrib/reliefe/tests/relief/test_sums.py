"""Sums over pairs against plain loops."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core.data.diff import Diff
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.relief.formats.features import Features
from orangecontrib.reliefe.core.relief.formats.pair_sums import PairList
from orangecontrib.reliefe.core.relief.formats.sparse_sums import SparseSums
from orangecontrib.reliefe.core.relief.formats.sums import DenseSums, WeightTile

DTYPES = np.float64, np.float32
DTYPE = pytest.mark.parametrize("dtype", DTYPES)
SHAPED = pytest.mark.parametrize("ramp, power", [(False, 1), ((0.1, 0.6), 1), (False, 2)])
P = pytest.mark.parametrize("p", [1, 7, 8, 19])


def build(n, p, dtype, diff=None, form=np.array, zeros=0.4):
    """Features of n rows, every third of them nominal, and their values as `columns` orders them."""
    rng = np.random.default_rng(p)
    X = rng.random((n, p)) * (rng.random((n, p)) > zeros)
    nominal = np.arange(p) % 3 == 2
    X[:, nominal] = np.floor(X[:, nominal] * 3)
    table = DataTable.read(form(X), nominal)
    made = Features.build(table, np.arange(n), np.zeros(n, np.int32), diff=diff, dtype=dtype)
    return made, made.values.toarray() if made.is_sparse else made.values[:, :p].copy()


def diffs(features, values, i, j):
    """Differences (p,) of two rows, by their definition."""
    out = features.diff(np.abs(values[i].astype(float) - values[j]))
    out[features.n_numeric :] = values[i, features.n_numeric :] != values[j, features.n_numeric :]
    return out


def close(found, expected, dtype=np.float64):
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 if dtype == np.float64 else 2e-4)


@DTYPE
@P
@SHAPED
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_pairs(dtype, p, ramp, power, form):
    if form is sparse.csr_array and dtype == np.float32:
        pytest.skip("sparse values are in double precision")
    features, values = build(30, p, dtype, Diff.make(ramp, power), form)
    rng = np.random.default_rng(0)
    rows, cols, weights = np.arange(5, 17), rng.integers(0, 30, (12, 11)), rng.normal(size=(12, 11))
    weights[rng.random((12, 11)) < 0.3], cols[3, 4], weights[3, 4] = 0, -1, 0
    made = SparseSums(features) if features.is_sparse else DenseSums(features)
    expected = sum(
        w * diffs(features, values, i, j) for i, js, ws in zip(rows, cols, weights) for j, w in zip(js, ws) if w
    )
    pairs = PairList.of_lists(rows, cols, [weights], made.dtype)
    close(made.of_pairs(pairs), expected, dtype)


@DTYPE
@P
@SHAPED
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_tiles(dtype, p, ramp, power, form):
    """Two tiles of an upper triangle, one of which lies on the diagonal and is not full."""
    if form is sparse.csr_array and dtype == np.float32:
        pytest.skip("sparse values are in double precision")
    n, rng = 150, np.random.default_rng(1)
    features, values = build(n, p, dtype, Diff.make(ramp, power), form)
    made = SparseSums(features) if features.is_sparse else DenseSums(features)
    out, expected = made.zeros(), np.zeros(p)
    for i0, i1, j0, j1 in ((0, 128, 0, 128), (128, n, 128, n)) if form is np.array else ((16, 32, 0, n),):
        V = np.zeros((i1 - i0 + 6, 192), dtype)
        for i in range(i0, i1):
            for j in range(max(j0, i + 1), j1):
                V[i - i0, j - j0] = rng.normal() * (rng.random() < 0.1)
                if V[i - i0, j - j0]:
                    expected += float(V[i - i0, j - j0]) * diffs(features, values, i, j)
        made.add(WeightTile(V, (i0, i1, j0, j1)), out)
    close(made.finish(out), expected, dtype)
