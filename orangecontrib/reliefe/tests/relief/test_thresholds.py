"""Kernels of threshold rules, and limits in the precision of tiles, against plain loops."""

from dataclasses import replace

import numpy as np
import pytest

from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.forms.double_precision import Zone
from orangecontrib.reliefe.core.neighbourhoods import radius as thresholds
from orangecontrib.reliefe.core.neighbourhoods.pairs import moments
from orangecontrib.reliefe.core.neighbourhoods.radius import Radius
from orangecontrib.reliefe.core.relief.run import Form, Run
from orangecontrib.reliefe.core.targets.targets import Classes, Numbers
from orangecontrib.reliefe.core.updates.rules import HitMiss
from orangecontrib.reliefe.core.work.threads import PARTS, Work

N, WHERE = 40, (4, 20, 0, 36)
SIDES = pytest.mark.parametrize("side", [1.0, -1.0])


def tile(seed, dtype=np.float64):
    """Distances (16, 48) of a tile in quarters, limits (N,) on and between them, and sorted groups (N,)."""
    rng = np.random.default_rng(seed)
    groups = np.sort(rng.integers(0, 3, N)).astype(np.int32)
    ends = np.array([np.flatnonzero(groups == g)[-1] + 1 for g in groups])
    return rng.integers(0, 9, (16, 48)).astype(dtype) / 4, rng.integers(0, 17, N).astype(dtype) / 8, groups, ends


def visits(D, side, limit):
    """(row, other) of all pairs i < j of the tile, from the side of both of their rows, that are in the row's zone."""
    i0, i1, j0, j1 = WHERE
    for i in range(i0, i1):
        for j in range(max(j0, i + 1), j1):
            yield from ((a, b) for a, b in ((i, j), (j, i)) if side * D[i - i0, j - j0] < side * limit[a])


@SIDES
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_numbers_of_neighbours(side, dtype):
    D, limit, groups, ends = tile(0, dtype)
    count, expected = np.zeros((3, N)), np.zeros((3, N))
    for row, other in visits(D, side, limit):
        expected[groups[other], row] += 1
    wheres = np.array([WHERE])
    thresholds._count_classes(D[None], wheres, dtype(side), (side * limit).astype(dtype), groups, ends, count)
    np.testing.assert_array_equal(count, expected)
    assert expected.sum() > 50


@SIDES
def test_numbers_of_hits_and_misses(side):
    D, limit, *_ = tile(1)
    kinds = np.random.default_rng(1).integers(0, 2, (16, 36)).astype(np.uint8)
    count, expected = np.zeros((2, N)), np.zeros((2, N))
    for row, other in visits(D, side, limit):
        expected[kinds[min(row, other) - WHERE[0], max(row, other) - WHERE[2]], row] += 1
    thresholds._count_hits(D, WHERE, side, side * limit, kinds, count)
    np.testing.assert_array_equal(count, expected)


@SIDES
@pytest.mark.parametrize("anew", [True, False])
@pytest.mark.parametrize("by_class", [True, False])
def test_weights_of_a_tile(side, anew, by_class):
    """Weights that the rows of a pair give each other, where they are in each other's zone; the rest of a tile is 0."""
    (D, limit, groups, ends), rng = tile(2), np.random.default_rng(2)
    table, kinds = rng.normal(size=(3, N)), rng.integers(0, 2, (16, 36)).astype(np.uint8)
    V = rng.normal(size=D.shape)
    expected = np.zeros(D.shape) if anew else V.copy()
    for row, other in visits(D, side, limit):
        place = min(row, other) - WHERE[0], max(row, other) - WHERE[2]
        expected[place] += table[groups[other] if by_class else kinds[place], row]
    if by_class:
        thresholds._weigh_classes(D, WHERE, side, side * limit, groups, ends, table, anew, V)
    else:
        thresholds._weigh_hits(D, WHERE, side, side * limit, kinds, table, anew, V)
    np.testing.assert_allclose(V, expected, rtol=0, atol=1e-15)


@SIDES
def test_limits_in_the_precision_of_tiles(side):
    """A number in single precision is on the same side of the limit and of what stands for it."""
    limit = side * np.random.default_rng(3).random(200)
    zone = Zone(side, limit, np.full(200, 0.5), np.float32)
    near = limit.astype(np.float32)
    for d in (near, np.nextafter(near, np.float32(-9)), np.nextafter(near, np.float32(9))):
        np.testing.assert_array_equal(d < zone.limit_in_tile_dtype, d.astype(float) < limit)
    assert zone.limit_in_tile_dtype.dtype == zone.scale.dtype == np.float32
    assert not (zone.scale < 0.5).any()


@pytest.mark.parametrize("whole", [True, False])
def test_moments(whole):
    run, D = started(HitMiss(drop_empty=False))
    others = ~np.eye(N, dtype=bool)
    mean, deviation = moments(run, whole)
    rows = [D[others]] * N if whole else [D[i, others[i]] for i in range(N)]
    np.testing.assert_allclose(mean, [row.mean() for row in rows], rtol=1e-12)
    np.testing.assert_allclose(deviation, [row.std() for row in rows], rtol=1e-10)


def started(update, numbers=False):
    """A run over N rows, and their distances (N, N) in run order."""
    rng = np.random.default_rng(4)
    X, y = rng.random((N, 5)), rng.integers(0, 3, N)
    target = Numbers.measure(y + rng.random(N)) if numbers else Classes(y.astype(np.int32), (0, 1, 2))
    run = Run.start(Form(DataTable.read(X), strategy="uniform"), target, update, np.ones(N, bool), Work(1))
    values = run.features.values[:, :5]
    return run, np.abs(values[:, None] - values).sum(axis=2)


@pytest.mark.parametrize("numbers", [True, False])
@pytest.mark.parametrize("rule", [Radius(), Radius(far=True), Radius(0.0, whole=True), Radius(far=True, unit=False)])
def test_weights_of_all_pairs(rule, numbers):
    """Tiles together: 1 / m times the share of each neighbour in its group, negative for hits, turned for far rows."""
    run, D = started(HitMiss("E", drop_empty=False), numbers)
    found = np.zeros((N, N))
    weigh, V = rule.tiles(run, run.update.relation(run.target)), np.empty(run.distance.shape)
    for part in range(PARTS):
        for d, (i0, i1, j0, j1) in run.tiles(part):
            weigh(d, (i0, i1, j0, j1), V)
            found[i0:i1, j0:j1] += V[: i1 - i0, : j1 - j0]
    expected, others = np.zeros((N, N)), ~np.eye(N, dtype=bool)
    miss = run.target.differs(np.arange(N)[:, None], np.arange(N))
    for i in range(N):
        row = D[others] if rule.whole else D[i, others[i]]
        band = rule.width * row.std()
        zones = [(1, D[i] < row.mean() - band), (-1, D[i] > row.mean() + band)][: 1 + rule.far]
        for side, zone in zones:
            for sign, kind in ((-1, ~miss[i]), (1, miss[i])):
                members = np.flatnonzero(zone & kind & others[i])
                share = 1 / max(len(members), 1) / (len(zones) if rule.unit else 1)
                for j in members:
                    expected[min(i, j), max(i, j)] += side * sign * share / N
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)


def test_rows_that_are_no_targets_have_no_zone():
    run, _ = started(HitMiss(drop_empty=False))
    zones = Radius(far=True)._zones(replace(run, m=30), *moments(run, False))
    assert [np.isneginf(zone.limit).tolist() for zone in zones] == [[False] * 30 + [True] * 10] * 2
