"""Tiles that are remembered, and the blocks of them that threshold rules are given."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.relief.formats.dense import DenseManhattan
from orangecontrib.reliefe.core.relief.formats.features import Features
from orangecontrib.reliefe.core.relief.formats.stored import StoredTiles
from orangecontrib.reliefe.core.relief.neighbourhoods import row_pairs
from orangecontrib.reliefe.core.relief.neighbourhoods.row_pairs import RowPairs
from orangecontrib.reliefe.core.work.threads import PARTS, Work
from orangecontrib.reliefe.tests.limits import lower

N, M = 300, 250
HEIGHT, WIDTH = 64, 128


def stored(budget: int) -> StoredTiles:
    table = DataTable.read(np.random.default_rng(0).random((N, 5)))
    features = Features.build(table, np.arange(N), np.zeros(N, np.int32), dtype=np.float64)
    distance = DenseManhattan(features)
    distance.shape = HEIGHT, WIDTH
    return StoredTiles(distance, N, M, np.float64, budget)


@pytest.mark.parametrize("kept", [0, 1, 4, 1000])
def test_blocks_are_the_tiles_whatever_is_remembered(kept):
    distance = stored(kept * HEIGHT * WIDTH * 8)
    features, seen = distance.distance.features, {}
    run = RowPairs(features, np.zeros(N, int), np.arange(N), M, distance, Work(1), None, None, None)
    X = features.values[:, :5]
    for _ in range(2):
        seen.clear()
        for part in range(PARTS):
            for tiles, wheres in run.tile_stacks(part):
                for tile, (i0, i1, j0, j1) in zip(tiles, wheres.tolist(), strict=True):
                    assert (i0, j0) not in seen
                    seen[i0, j0] = tile[: i1 - i0, : j1 - j0].copy()
        for (i0, j0), tile in seen.items():
            for i in range(tile.shape[0]):
                first = max(j0, i0 + i + 1)
                expected = np.abs(X[i0 + i] - X[first : j0 + tile.shape[1]]).sum(axis=1)
                np.testing.assert_allclose(tile[i, first - j0 :], expected, rtol=1e-12)
        n_pairs = sum(
            (j0 + np.arange(t.shape[1]) > i0 + np.arange(len(t))[:, None]).sum() for (i0, j0), t in seen.items()
        )
        assert n_pairs == M * (M - 1) // 2 + M * (N - M)


@pytest.mark.parametrize("method", ["multisurf", "surfstar", "multisurfstar"])
def test_scores_do_not_depend_on_what_is_remembered(method, monkeypatch):
    rng = np.random.default_rng(1)
    X, y = rng.random((700, 4)), rng.integers(0, 3, 700)
    scores = [rank(X, y, method).scores]
    edge = DenseManhattan(Features.build(DataTable.read(X), np.arange(700), np.zeros(700, np.int32))).shape
    for kept in (0, 5):
        monkeypatch.setattr(row_pairs, "STORED_BYTES", kept * edge[0] * edge[1] * 4)
        scores.append(rank(X, y, method).scores)
    assert np.array_equal(scores[0], scores[1])
    assert np.array_equal(scores[0], scores[2])


def test_many_tiles_in_a_row_are_joined(monkeypatch):
    rng = np.random.default_rng(2)
    X, y = rng.random((400, 3)), rng.integers(0, 2, 400)
    alone = rank(X, y, "multisurf").scores
    lower(monkeypatch, WIDE_FROM=2)
    np.testing.assert_allclose(rank(X, y, "multisurf").scores, alone, rtol=0, atol=1e-12)
