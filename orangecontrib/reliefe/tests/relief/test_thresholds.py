"""Weights and moments of threshold rules, and thresholds at the precision of steps, against plain loops."""

from dataclasses import replace

import numpy as np
import pytest

from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.relief.comparison import Comparison
from orangecontrib.reliefe.core.relief.neighbourhoods import zones
from orangecontrib.reliefe.core.relief.neighbourhoods.moments import moments, moments_of_steps
from orangecontrib.reliefe.core.relief.neighbourhoods.radius import Radius
from orangecontrib.reliefe.core.relief.neighbourhoods.zone_pairs import TargetWeights, WeighedZones, group_weights
from orangecontrib.reliefe.core.relief.neighbourhoods.zones import Zone
from orangecontrib.reliefe.core.relief.run import Run
from orangecontrib.reliefe.core.relief.shared_zones import SharedZones
from orangecontrib.reliefe.core.relief.updates.hit_miss import HitMiss
from orangecontrib.reliefe.core.targets.classes import Classes
from orangecontrib.reliefe.core.targets.numbers import Numbers
from orangecontrib.reliefe.core.work.threads import PARTS, Work
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import SMALL, weight_matrix

N = 40


@pytest.mark.parametrize("whole", [True, False])
def test_moments(whole):
    run, D = started(HitMiss(drop_empty=False))
    others = ~np.eye(N, dtype=bool)
    rows = [D[others]] * N if whole else [D[i, others[i]] for i in range(N)]
    mean, deviation = moments(run, whole)
    np.testing.assert_allclose(mean, [row.mean() for row in rows], rtol=1e-12)
    np.testing.assert_allclose(deviation, [row.std() for row in rows], rtol=1e-10)
    mean, deviation = moments_of_steps(run, whole)
    np.testing.assert_allclose(mean, [row.mean() for row in rows], rtol=1e-4)
    np.testing.assert_allclose(deviation, [row.std() for row in rows], rtol=1e-4)


def started(update, numbers=False):
    """A run over N rows, and their distances (N, N) in run order."""
    rng = np.random.default_rng(4)
    X, y = rng.random((N, 5)), rng.integers(0, 3, N)
    target = Numbers.measure(y + rng.random(N)) if numbers else Classes(y.astype(np.int32), (0, 1, 2))
    run = Run.start(Comparison(DataTable.read(X), strategy="uniform"), target, update, np.ones(N, bool), Work(1))
    values = run.features.values[:, :5]
    return run, np.abs(values[:, None] - values).sum(axis=2)


RULES = pytest.mark.parametrize("rule", [Radius(), Radius(far=True), Radius(0.0, whole=True)])


def all_weights(rule, run):
    """Weights (N, N) of all pairs of a run."""
    weigh = rule.folded_pairs(run, run.update.relation(run.target))
    return sum(weight_matrix(pairs, N) for part in range(PARTS) for pairs in weigh(part))


@RULES
def test_weights_of_classes(rule):
    """1 / m times the share of each neighbour in its class: -1 in all for hits, for misses by the sizes of classes."""
    run, D = started(HitMiss("F", drop_empty=False))
    classes, others = run.target.classes, ~np.eye(N, dtype=bool)
    expected, sizes = np.zeros((N, N)), np.bincount(classes)
    for i in range(N):
        row = D[others] if rule.whole else D[i, others[i]]
        band = rule.width * row.std()
        zones = [(1, D[i] < row.mean() - band), (-1, D[i] > row.mean() + band)][: 1 + rule.far]
        for side, zone in zones:
            members = [np.flatnonzero(zone & (classes == c) & others[i]) for c in range(3)]
            present = sum(sizes[c] for c in range(3) if c != classes[i] and len(members[c]))
            for c in range(3):
                sign = -1 if c == classes[i] else sizes[c] / max(present, 1)
                for j in members[c]:
                    halves = len(zones)
                    expected[min(i, j), max(i, j)] += side * sign / len(members[c]) / halves / N
    np.testing.assert_allclose(all_weights(rule, run), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("scheme", ["E", "F"])
@pytest.mark.parametrize("count", [2, 3, 9])
@pytest.mark.parametrize("far", [True, False])
def test_weights_for_many_targets(scheme, count, far):
    """Pairs weigh for many targets what they weigh for each of them alone."""
    run, _ = started(HitMiss(scheme, drop_empty=False))
    rule, rng = Radius(far=far), np.random.default_rng(0)
    targets = [Classes(rng.permutation(run.target.classes), (0, 1, 2)) for _ in range(count)]
    runs = [replace(run, target=target) for target in targets]
    zones, _ = rule.settled_zones(run, run.update.relation(run.target))
    known = SharedZones.of(rule, zones, run)
    weights = TargetWeights.of(*known._tables(runs))
    found = [pairs.copied() for part in range(PARTS) for pairs in weights.lists(zones, part)]
    for t, own in enumerate(runs):
        of_target = sum(weight_matrix(pairs._replace(weights=pairs.weights[:, t : t + 1]), N) for pairs in found)
        (relation,), (tables,) = known._tables([own])
        alone = WeighedZones(zones, group_weights(relation, tables))
        expected = sum(weight_matrix(pairs, N) for part in range(PARTS) for pairs in alone.tiles(part))
        np.testing.assert_allclose(of_target, expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("numbers", [True, False])
@RULES
def test_weights_of_all_pairs(rule, numbers):
    """1 / m times the share of each neighbour in its group, negative for hits, turned for far rows."""
    run, D = started(HitMiss("E", drop_empty=False), numbers)
    found = all_weights(rule, run)
    expected, others = np.zeros((N, N)), ~np.eye(N, dtype=bool)
    miss = run.target.differs(np.arange(N)[:, None], np.arange(N))
    for i in range(N):
        row = D[others] if rule.whole else D[i, others[i]]
        band = rule.width * row.std()
        zones = [(1, D[i] < row.mean() - band), (-1, D[i] > row.mean() + band)][: 1 + rule.far]
        for side, zone in zones:
            for sign, kind in ((-1, ~miss[i]), (1, miss[i])):
                members = np.flatnonzero(zone & kind & others[i])
                share = 1 / max(len(members), 1) / len(zones)
                for j in members:
                    expected[min(i, j), max(i, j)] += side * sign * share / N
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)


def test_rows_that_are_no_targets_have_no_zone():
    run, _ = started(HitMiss(drop_empty=False))
    run = replace(run, m=30)
    _, counts = Radius(far=True).settled_zones(run, run.update.relation(run.target))
    assert (counts.sum(axis=1) > 0).tolist() == [[True] * 30 + [False] * 10] * 2


@pytest.mark.skipif(SMALL, reason="needs numba's compiler")
@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("ties", [True, False])
def test_zones_by_codes(kept, ties, monkeypatch):
    """Bits of pairs whose distances are whole numbers, with sums of rows and moments, against all distances."""
    lower(monkeypatch, MAX_EXACT_COMPLETE=0, MAX_BYTES=2**20 * kept)
    n, rng = 300, np.random.default_rng(5)  # the diagonal of a tile, and words that it ends in
    X, y = (rng.integers(0, 8, (n, 6)) / 7 if ties else rng.random((n, 6))), rng.integers(0, 3, n).astype(np.int32)
    table, update = DataTable.read(X), HitMiss(drop_empty=False)
    run = Run.start(Comparison(table, strategy="uniform"), Classes(y, (0, 1, 2)), update, np.ones(n, bool), Work(1))
    steps, ids = run.distance.steps.per_unit, np.argsort(y, kind="stable")
    assert run.distance.codes
    x = (X / np.ptp(X, axis=0))[ids]
    D = np.abs(x[:, None] - x).sum(axis=2)
    np.testing.assert_allclose(run.row_sums, D.sum(axis=1), rtol=1e-6)
    mean, deviation = moments_of_steps(run, False)
    np.testing.assert_allclose(mean, D.sum(axis=1) / (n - 1), rtol=0, atol=6 / steps)
    np.testing.assert_allclose(deviation, [D[i, np.arange(n) != i].std() for i in range(n)], rtol=0, atol=2 / steps)
    near = D[np.arange(n), np.roll(np.arange(n), 7)] - 1e-9  # hardly below a distance of the row
    far = near + 2e-9
    each = [Zone(1.0, near), Zone(-1.0, -far)]
    found = zones.Zones.of(run, each)
    assert (found.bits is not None) is kept
    counts, _ = found.count(update.relation(run.target))
    inside = np.array([near[:, None] > D, far[:, None] < D]) & ~np.eye(n, dtype=bool)
    expected = [[(zone & (y[ids] == g)).sum(axis=1) for g in range(3)] for zone in inside]
    np.testing.assert_array_equal(counts, expected)
