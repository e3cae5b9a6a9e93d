"""Sums over listed pairs, for one target and many, against plain loops."""

from itertools import product

import numpy as np
import pytest

from orangecontrib.reliefe.core.data.diff import Diff
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.relief.formats import pair_sums
from orangecontrib.reliefe.core.relief.formats.features import Features
from orangecontrib.reliefe.core.relief.formats.pair_sums import PairList, add_pair_sums
from orangecontrib.reliefe.core.relief.formats.sums import DenseSums
from orangecontrib.reliefe.tests.samples import SMALL

DIFFS = pytest.mark.parametrize("ramp, power", [(False, 1), ((0.1, 0.6), 1), ((0.1, 0.6), 2), (False, 2)])
TOLERANCE = {np.float64: 1e-13, np.float32: 2e-6}  # of the largest sum


def build(n, p, dtype, nominal, diff=None, unknown=0.0):
    """Features of n rows, with a share of unknown values, and their values (n, p) as `columns` orders them."""
    rng = np.random.default_rng(p)
    X = rng.random((n, p))
    X[:, nominal] = np.floor(X[:, nominal] * 3)
    X[rng.random((n, p)) < unknown] = np.nan
    table = DataTable.read(X, nominal)
    features = Features.build(table, np.arange(n), np.zeros(n, np.int32), "uniform", diff=diff, dtype=dtype)
    return features, features.values[:, :p].astype(float)


def some_pairs(n, n_targets, dtype, lengths=(3, 0, 40, 1, 17)):
    """Pairs of some of n rows, one of which occurs twice, with weights."""
    rng = np.random.default_rng(n_targets)
    rows = np.array([4, 2, 9, 4, 11], np.int32)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    cols = rng.integers(0, n, starts[-1]).astype(np.int32)
    return PairList(rows, starts, cols, rng.normal(size=(starts[-1], n_targets)).astype(dtype))


def expected_sums(features, values, pairs):
    """Sums (T, p), by their definition."""
    total = np.zeros((pairs.weights.shape[1], features.shape[1]))
    for i, j, weights in zip(pairs.first_rows, pairs.cols, pairs.weights):
        diffs = features.diff(np.abs(values[i] - values[j]))
        diffs[features.n_numeric :] = values[i, features.n_numeric :] != values[j, features.n_numeric :]
        total += weights[:, None].astype(float) * diffs
    return total


def close(found, expected, dtype):
    scale = max(np.abs(expected).max(initial=0), 1)
    np.testing.assert_allclose(found / scale, expected / scale, rtol=0, atol=TOLERANCE[dtype])


def kinds(p):
    """Masks (p,) of nominal features: none, all, and some at the end, at the begin and between."""
    every = np.arange(p)
    return every < 0, every >= 0, every % 3 == 2


@DIFFS
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("n_targets", [1, 2, 3, 4, 7, 8])
def test_sums(dtype, n_targets, ramp, power):
    for p in (1, 5, 8, 33) if SMALL else (1, 5, 8, 19, 33, 70, 130):
        for nominal in kinds(p):
            features, values = build(30, p, dtype, nominal, Diff.make(ramp, power))
            pairs = some_pairs(30, n_targets, dtype)
            out = np.full((n_targets, features.padded), 0.5)
            add_pair_sums(features, pairs, out)
            close(out[:, :p] - 0.5, expected_sums(features, values, pairs), dtype)


@pytest.mark.skipif(SMALL, reason="slow without numba")
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("n_targets", [1, 5])
@pytest.mark.parametrize("lengths", [(2000, 3, 0, 511, 1), (0, 512, 512, 0, 1), (0, 0, 0, 0, 0)])
def test_stretches_of_pairs(dtype, n_targets, lengths):
    """Rows with more pairs than are summed at once, stretches that end with a row, and no pairs."""
    features, values = build(30, 21, dtype, np.arange(21) > 15)
    pairs = some_pairs(30, n_targets, dtype, lengths)
    out = np.zeros((n_targets, features.padded))
    add_pair_sums(features, pairs, out)
    close(out[:, :21], expected_sums(features, values, pairs), dtype)


@pytest.mark.parametrize("n_targets", [1, 4])
def test_some_features(n_targets):
    """Features outside of a span stay as they are."""
    features, values = build(30, 40, np.float64, np.arange(40) >= 25)
    pairs = some_pairs(30, n_targets, np.float64)
    expected = expected_sums(features, values, pairs)
    for first, last in ((0, 8), (8, 32), (16, 24), (32, 40)):
        out = np.zeros((n_targets, features.padded))
        add_pair_sums(features, pairs, out, (first, last))
        close(out[:, first:last], expected[:, first:last], np.float64)
        assert not out[:, :first].any()
        assert not out[:, last:].any()


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("n_targets", [1, 4])
def test_missing_values(dtype, n_targets):
    """Corrections are those of the same pairs one by one."""
    features, _ = build(30, 12, dtype, np.arange(12) % 2 == 0, unknown=0.2)
    pairs = some_pairs(30, n_targets, dtype)
    out = np.zeros((n_targets, features.padded))
    add_pair_sums(features, pairs, out, missing=features.missing)
    for t in range(n_targets):
        one_by_one = sum(
            DenseSums(features).of_pairs(pairs.of_rows(b, b + 1).of_target(t)) for b in range(len(pairs.rows))
        )
        close(out[t, :12], one_by_one, dtype)


@pytest.mark.skipif(SMALL, reason="needs numba's compiler")
@DIFFS
def test_the_plain_form_gives_the_same(monkeypatch, ramp, power):
    for dtype, n_targets in product(TOLERANCE, (1, 5)):
        features, _ = build(30, 19, dtype, np.arange(19) % 3 == 2, Diff.make(ramp, power))
        pairs = some_pairs(30, n_targets, dtype)
        fast, plain = np.zeros((2, n_targets, features.padded))
        add_pair_sums(features, pairs, fast)
        with monkeypatch.context() as patch:
            patch.setattr(pair_sums, "_register_kernels", lambda: None)
            add_pair_sums(features, pairs, plain)
        close(fast, plain, dtype)


def test_parts_of_a_list():
    pairs = some_pairs(30, 2, np.float64)
    parts = [pairs.of_rows(first, last) for first, last in ((0, 2), (2, 2), (2, 5))]
    for number, whole in enumerate((pairs.first_rows, pairs.cols, pairs.weights)):
        found = [(part.first_rows, part.cols, part.weights)[number] for part in parts]
        np.testing.assert_array_equal(np.concatenate(found), whole)
