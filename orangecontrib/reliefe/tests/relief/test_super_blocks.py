"""Tiles of large data are visited block of rows by block of rows: each pair once, whatever the memory."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.relief.formats import tile_order as super_blocks
from orangecontrib.reliefe.core.relief.formats.tile_order import corners, of_part, pieces, rows_together
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import SMALL

compiled = pytest.mark.skipif(SMALL, reason="hundreds of rows")


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 300), st.integers(1, 300), st.sampled_from([(16, 16), (16, 32)]), st.sampled_from([0, 32, 64]))
def test_each_pair_is_in_one_tile_of_one_part(n, m, shape, block):
    m = min(n, m)
    seen = np.zeros((m, n), int)
    for part in range(5):
        for i0, j0 in of_part(n, m, shape, block, part, 5):
            seen[i0 : i0 + shape[0], j0 : j0 + shape[1]] += 1
    upper = np.arange(n) > np.arange(m)[:, None]
    assert (seen[upper] == 1).all()


@given(st.integers(1, 5), st.integers(1, 300))
def test_pieces_from_any_strip_on(first, n):
    start, width = min(16 * first, n), 32
    seen = np.zeros((n, n), int)
    for i0, left, last in pieces(n, start, n, 16, 64):
        for j0 in range(max(i0 // width * width, left), min(last, n), width):
            seen[i0 : i0 + 16, j0 : j0 + width] += 1
    upper = (np.arange(n) > np.arange(n)[:, None]) & (np.arange(n)[:, None] >= start)
    assert (seen[upper] == 1).all()


def test_blocks_are_read_a_few_times():
    """With two blocks in memory, each of 8 is read again for every other one, not for every strip."""
    block = 512
    visited = [(i0 // block, j0 // block) for i0, j0 in corners(8 * block, 8 * block, 256, 512, block)]
    changes = sum(a != b for a, b in itertools.pairwise(visited))
    assert changes + 1 == 8 * 9 / 2
    strips = [(i0 // block, j0 // block) for i0, j0 in corners(8 * block, 8 * block, 256, 512)]
    assert sum(a != b for a, b in itertools.pairwise(strips)) > 1.5 * changes


def test_blocks_follow_from_the_data_alone():
    assert rows_together(200_000, 500) == 0
    assert rows_together(1_000_000, 1000) == 33_280
    assert rows_together(10**6, 10**6) == 512
    assert not rows_together(10**6, 333) % super_blocks.ALIGNED


@compiled
@pytest.mark.parametrize("name", ["relieff", "surf", "multisurf", "rrelieff"])
def test_scores(name, monkeypatch):
    """Lists are the same to the bit, sums over tiles are added in another order; on any number of threads."""
    rng = np.random.default_rng(0)
    X = rng.random((2500, 9))
    y = X[:, 0] + X[:, 1] if name == "rrelieff" else X[:, 0] + X[:, 1] * X[:, 2] > 0.9
    lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    usual = rank(X, y, name)
    lower(monkeypatch, SPLIT_FROM=0, SUPER_BLOCK_BYTES=1)
    one, two = (rank(X, y, name, n_jobs=jobs) for jobs in (1, 2))
    assert one.scores.tobytes() == two.scores.tobytes()
    np.testing.assert_allclose(one.scores, usual.scores, rtol=1e-5, atol=1e-9)
    if "surf" not in name:
        assert one.scores.tobytes() == usual.scores.tobytes()
    some = [rank(X, y, name, n_instances=300, n_jobs=jobs).scores.tobytes() for jobs in (1, 2)]
    assert some[0] == some[1]
