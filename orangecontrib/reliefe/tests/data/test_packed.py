"""Genotypes in two bits: codes in and out, and their counts, against plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core import Packed
from orangecontrib.reliefe.core.data import packed as packing
from orangecontrib.reliefe.core.kernels.bits import BITS, column_counts, mean_differences, pair_counts
from orangecontrib.reliefe.tests.samples import SMALL, examples

SHAPE = (9, 70) if SMALL else (23, 150)


def codes(seed=0, shape=SHAPE, unknown=0.1):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(shape) < unknown, -1, rng.integers(0, 3, shape))


@pytest.mark.parametrize("additive", [False, True])
@pytest.mark.parametrize("p", [1, 63, 64, 65, 130])
def test_codes_come_back(additive, p):
    given_codes = codes(shape=(7, p))
    table = Packed.of(given_codes, additive)
    assert table.shape == (7, p)
    np.testing.assert_array_equal(table.codes(0, p), given_codes)
    np.testing.assert_array_equal(table.codes(p // 2, p, np.array([3, 1])), given_codes[[3, 1], p // 2 :])
    np.testing.assert_array_equal(table.take(np.array([5, 0])).codes(0, p), given_codes[[5, 0]])
    numbers = table.numbers()
    np.testing.assert_array_equal(np.isnan(numbers), given_codes < 0)
    np.testing.assert_array_equal(numbers[given_codes >= 0], given_codes[given_codes >= 0])


@pytest.mark.parametrize("form", [np.int8, np.uint8, np.int64, float])
def test_any_numbers_are_read(form):
    whole = codes(unknown=0).astype(form)
    np.testing.assert_array_equal(Packed.of(whole).codes(0, SHAPE[1]), whole)


def test_what_is_unknown():
    table = Packed.of([[0.0, np.nan, 2.0], [1.0, -9.0, np.nan]])
    np.testing.assert_array_equal(table.codes(0, 3), [[0, -1, 2], [1, -1, -1]])
    assert table.n_unknown == 3


def test_chosen_features():
    given_codes = codes()
    mask = np.arange(SHAPE[1]) % 3 == 1
    table = Packed.of(given_codes, True)
    np.testing.assert_array_equal(table.columns(mask).codes(0, mask.sum()), given_codes[:, mask])
    places = np.flatnonzero(mask)[::-1]
    np.testing.assert_array_equal(table.columns(places).codes(0, len(places)), given_codes[:, places])


@examples(30)
@given(st.integers(0, 10**6), st.booleans())
def test_counts(seed, additive):
    given_codes = codes(seed, (11, 66))
    rows = np.random.default_rng(seed).permutation(11)[:6]
    found = Packed.of(given_codes, additive).counts(rows)
    expected = [[sum(given_codes[i, f] == code for i in rows) for f in range(66)] for code in (0, 1, 2, -1)]
    np.testing.assert_array_equal(found, expected)


def test_column_counts_beyond_what_eight_words_hold():
    rng = np.random.default_rng(0)
    bits = rng.random((20 if SMALL else 300, 2 * BITS)) < 0.7
    plane = np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    rows = rng.integers(0, len(bits), 40 if SMALL else 700)
    np.testing.assert_array_equal(column_counts(plane, rows), bits[rows].sum(axis=0))


@examples(30)
@given(st.integers(0, 10**6), st.integers(1, 30), st.booleans())
def test_pairs_that_differ(seed, n_pairs, additive):
    given_codes, rng = codes(seed, (8, 70), 0), np.random.default_rng(seed)
    table = Packed.of(given_codes, additive)
    i, j = rng.integers(0, 8, (2, n_pairs))
    out = np.zeros(table.low.shape[1] * BITS)
    pair_counts(table.low, table.high, (i, j), 1.5, not additive, (0, table.low.shape[1]), out)
    for f in range(70):
        diffs = [abs(given_codes[a, f] - given_codes[b, f]) for a, b in zip(i, j, strict=True)]
        expected = sum(diff / 2 if additive else diff > 0 for diff in diffs)
        assert out[f] == pytest.approx(1.5 * expected)


@pytest.mark.parametrize("additive", [False, True])
def test_means_over_known_pairs(additive):
    given_codes, rng = codes(3, (12, 70), 0.3), np.random.default_rng(3)
    table = Packed.of(given_codes, additive)
    rows, cols = np.array([2, 7]), rng.integers(-1, 12, (2, 3, 10))
    cols[0, 1] = -1
    out = np.zeros((2, 3, 6))
    mean_differences(table.low, table.high, additive, (rows, cols), (64, 70), out)
    for b, i in enumerate(rows):
        for g in range(3):
            for f in range(64, 70):
                pairs = [(given_codes[i, f], given_codes[j, f]) for j in cols[b, g] if j >= 0]
                known = [abs(x - y) / 2 if additive else x != y for x, y in pairs if min(x, y) >= 0]
                np.testing.assert_allclose(out[b, g, f - 64], np.mean(known) if known else np.nan)


@pytest.mark.parametrize("value", [3, 256, 65537, 2**32 + 1, 2**63 - 1, 2**64 - 1, 1e30, np.inf])
def test_large_codes_do_not_wrap(value):
    block = np.full((4, 4), value)
    for pack in (Packed.of, lambda block: Packed.of_blocks(4, 4, [block])):
        with pytest.raises(ValueError, match="codes must be 0, 1 or 2"):
            pack(block)


def test_large_negative_codes_are_unknown():
    for value in (-(2**63), -256, -65535):
        assert Packed.of(np.array([[0, value], [2, 1]])).codes(0, 2).tolist() == [[0, -1], [2, 1]]


def test_bad_input(monkeypatch):
    with pytest.raises(ValueError, match="feature 1 of row 0 is 3"):
        Packed.of([[0, 3], [1, 1]])
    with pytest.raises(ValueError, match=r"0\.5"):
        Packed.of([[0, 0.5]])
    with pytest.raises(ValueError, match="shape"):
        Packed.of([0, 1])
    with pytest.raises(ValueError, match="whole numbers"):
        Packed.of([["A", "G"]])
    monkeypatch.setattr(packing, "MAX_UNPACKED_BYTES", 100)
    with pytest.raises(ValueError, match="rank by a method that reads them packed"):
        Packed.of(codes()).numbers()
