"""Distances in steps and exact distances of every format, against plain loops; and the plain kernels of steps."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import Packed, rank
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.relief.comparison import Comparison
from orangecontrib.reliefe.core.relief.formats import codes_plain, codes_simd
from orangecontrib.reliefe.core.relief.formats.coordinates import COSINE, EUCLIDEAN, Coordinates
from orangecontrib.reliefe.core.relief.formats.list_offers import ListEnd, NearestRows, SearchedRows, Stretches
from orangecontrib.reliefe.core.relief.formats.steps import APART, HEAD, MAX_DISTANCE
from orangecontrib.reliefe.core.relief.neighbourhoods.k_nearest import KNearest
from orangecontrib.reliefe.core.relief.neighbourhoods.radius import Radius
from orangecontrib.reliefe.core.relief.run import Run
from orangecontrib.reliefe.core.relief.updates.hit_miss import HitMiss
from orangecontrib.reliefe.core.targets.classes import Classes
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.samples import SMALL

N, P = 150, 20
FORMATS = "normal", "grid", "heavy tails", "mixed", "missing", "CSR", "CSR grid", "genotypes", "packed"


def table_of(kind, rng):
    """X (N, P), which columns are nominal, and the table."""
    X, nominal = rng.normal(size=(N, P)), np.zeros(P, bool)
    if kind in ("grid", "CSR grid"):
        X = rng.integers(0, 5, (N, P)).astype(float)
    elif kind == "heavy tails":
        X = X**15
    elif kind == "mixed":
        nominal[::3] = True
        X[:, nominal] = rng.integers(0, 4, (N, nominal.sum()))
    elif kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
    elif kind in ("genotypes", "packed"):
        X, nominal = rng.integers(0, 3, (N, P)).astype(float), np.ones(P, bool)
    if kind.startswith("CSR"):
        X[rng.random(X.shape) < 0.6] = 0
        return X, nominal, DataTable.read(sparse.csr_array(X))
    return X, nominal, DataTable.read(Packed.of(X.astype(int)) if kind == "packed" else X, nominal)


def distances(X, nominal):
    """(n, n) by their definition; with missing values means over what both rows have, times p."""
    span = np.nanmax(X, axis=0) - np.nanmin(X, axis=0)
    scale = 1 / np.where(span > 0, span, np.inf)
    out = np.zeros((len(X), len(X)))
    for i, x in enumerate(X):
        diffs = np.where(nominal, x != X, np.abs(x - X) * scale)
        known = ~np.isnan(x - X)
        out[i] = np.where(known, diffs, 0).sum(axis=1) / known.sum(axis=1) * X.shape[1]
    return out


def run_of(table, dtype=None, subjects=None, groups=None):
    classes = np.zeros(N, np.int32) if groups is None else groups
    form = Comparison(table, dtype=dtype, subjects=subjects)
    return Run.start(form, Classes(classes, tuple(range(3))), HitMiss(), np.ones(N, bool), Work(1))


def found_steps(run, upper):
    """Distances (n, n) of all blocks, in units; 0 where no block is sure to be filled in."""
    out, steps = np.zeros((run.n, run.n)), run.distance.steps
    height, width = run.distance.search_shape
    for i0 in range(0, run.n, height):
        for j0 in range(i0 // width * width if upper else 0, run.n, width):
            i1, j1 = min(i0 + height, run.n), min(j0 + width, run.n)
            buffer = run.distance.buffer(height, width)
            sums = run.tile_of_steps((i0, i1, j0, j1), buffer, upper).reshape(height, width)[: i1 - i0, : j1 - j0]
            out[i0:i1, j0:j1] = (2.0 * sums - steps.totals[i0:i1, None] - steps.totals[j0:j1]) / steps.per_unit
    return np.triu(out, 1) if upper else out


@pytest.mark.skipif(SMALL, reason="needs numba's compiler")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", FORMATS)
def test_error_of_steps_and_exact_distances(kind, dtype):
    X, nominal, table = table_of(kind, np.random.default_rng(0))
    run = run_of(table, None if kind.startswith("CSR") else dtype)
    D, steps = distances(X[run.ids], nominal), run.distance.steps
    for upper in (True, False):
        expected = np.triu(D, 1) if upper else D
        bound = steps.error + steps.relative_error * D + 1e-12 * P
        assert (np.abs(found_steps(run, upper) - expected) < bound).all()
    rows, cols = np.array([3, 3, 77, 140]), np.array([[5, 0, -1], [3, 149, 6], [76, 78, -1], [1, 2, 140]])
    expected = np.where(cols < 0, np.inf, D[rows[:, None], cols])
    np.testing.assert_allclose(run.exact(rows, cols), expected, rtol=1e-9 if kind == "missing" else 3e-12, atol=1e-12)
    assert steps.without_error == (kind in ("packed", "genotypes") or (kind == "grid" and dtype == np.float64))


@pytest.mark.parametrize("metric", [EUCLIDEAN, COSINE])
def test_steps_of_coordinates(metric):
    E = np.random.default_rng(1).normal(size=(40, 3))
    distance, D = Coordinates(E, metric), np.zeros((40, 40))
    distance.tile(0, 40, 0, 40, D, False)
    buffer = distance.buffer(64, 64)
    sums = distance.sums((0, 40, 0, 40), buffer, False).reshape(64, 64)[:40, :40]
    assert np.abs(2 * sums / distance.steps.per_unit - D).max() < distance.steps.error
    size = 1 if metric == COSINE else np.abs(E).max()
    expected = np.linalg.norm(E[3] - E[9]) / size
    if metric == COSINE:
        expected = 1 - E[3] @ E[9] / np.linalg.norm(E[3]) / np.linalg.norm(E[9])
    np.testing.assert_allclose(distance.exact(np.array([3]), np.array([[9, -1]])), [[expected, np.inf]], rtol=1e-11)


@pytest.mark.parametrize("kind", ["normal", "missing", "CSR"])
def test_rows_of_one_group_are_no_neighbours(kind):
    """They are farther than any other row, and count neither for moments nor in a near or far zone."""
    rng = np.random.default_rng(2)
    X, nominal, table = table_of(kind, rng)
    subjects, groups = rng.integers(0, 40, N), rng.integers(0, 3, N).astype(np.int32)
    run = run_of(table, subjects=subjects, groups=groups)
    D, own = distances(X[run.ids], nominal), subjects[run.ids]
    others = own[:, None] != own
    near = KNearest(6).find(run)
    for i in range(0, N, 10):
        for g in range(3):
            members = np.flatnonzero(others[i] & (run.groups == g))
            expected = members[np.lexsort((run.ids[members], np.round(D[i, members], 9)))][:6]
            assert set(near.cols[i, g].tolist()) == set(expected.tolist())
    zones, counts = Radius(0.5, far=True).settled_zones(run, run.update.relation(run.target))
    for i in range(N):
        d = D[i, others[i]]
        limits = d.mean() - d.std() / 2, d.mean() + d.std() / 2
        assert counts[:, :, i].sum(axis=1).tolist() == [(d < limits[0]).sum(), (d > limits[1]).sum()]
    assert [zone.side for zone in zones.each] == [1.0, -1.0]


@pytest.mark.skipif(SMALL, reason="needs numba's compiler")
def test_plain_kernels():
    """The kernels that take over without numba's compiler do the same."""
    rng = np.random.default_rng(3)
    rows = rng.integers(-(2**15), 2**15, (96, 40)).astype(np.int16)
    lanes = np.ascontiguousarray(rows.view(np.int32).reshape(3, 32, 20).transpose(0, 2, 1)).ravel()
    totals = rows.sum(axis=1, dtype=np.int32)
    groups, ids, n = np.sort(rng.integers(0, 2, 90)).astype(np.int32), rng.permutation(90), 90
    cuts = np.union1d([0, 32, 64], np.flatnonzero(np.diff(groups)) + 1)
    bits = ((1 << np.diff(np.append(cuts, n))) - 1 << cuts % 32).astype(np.uint64)
    stretches = Stretches(np.searchsorted(cuts, [0, 32, 64, 96]), groups[cuts], bits)
    middle = int(2 * np.maximum(rows[0], rows[50]).sum(dtype=np.int64) - totals[0] - totals[50])
    steps = np.array([np.full(96, middle - 1000), np.full(96, middle + 1000)]).astype(np.int32)
    found = []
    for kernels in (codes_simd, codes_plain):
        sums = np.zeros(96 * 128, np.int32)
        kernels.measure(lanes, 20, (0, 3, 0, 3), True, 128, sums)
        keys = np.full((2, n, HEAD + 8), np.uint64(MAX_DISTANCE << 32), np.uint64)
        keys[:, :, :HEAD] = 0
        limits = np.full((2, 96), -1, np.int32)
        limits[:, :n] = MAX_DISTANCE
        nearest = NearestRows(limits, keys, ListEnd(4, 2, 1.0, 1e5))
        kernels.offer(sums, (0, 3, 0, 3), 128, (0, 80), SearchedRows(groups, ids, totals), stretches, nearest)
        moments, words = np.zeros((2, n)), np.zeros((2, 2, 80, 2), np.uint64)
        kernels.add_moments(sums, (0, 80, 0, n), 128, totals, middle, moments)
        close = np.zeros((2, 80 * 128, 2), np.int32)
        counts = [
            kernels.zone_bits(sums, (0, 80, 0, n), 128, totals, steps, far, (0, 0), words[far], close[far])
            for far in (0, 1)
        ]
        pairs = [sorted(map(tuple, close[far, : counts[far]].tolist())) for far in (0, 1)]
        found.append((keys[:, :, HEAD : HEAD + 3], limits[:, :80], words, pairs, moments))
    one, other = found
    for a, b in zip(one[:3], other[:3], strict=True):
        np.testing.assert_array_equal(a, b)
    assert one[3] == other[3]
    np.testing.assert_allclose(one[4], other[4], rtol=1e-4, atol=1e-4 * np.abs(other[4]).max())


def test_lists_of_equal_rows_are_searched_again():
    """More rows at the distance of the k-th than a list has room for: the first ones."""
    X = np.repeat(np.random.default_rng(4).normal(size=(6, 9)), 25, axis=0)
    run = run_of(DataTable.read(X), np.float32)
    near = KNearest(5).find(run)
    for i in range(0, N, 7):
        first = i // 25 * 25
        expected = [j for j in range(first, first + 25) if j != i][:5]
        assert run.ids[near.cols[i, 0]].tolist() == expected


def test_largest_distance_is_no_pair_of_a_group():
    assert APART - 1 > MAX_DISTANCE
    X = np.zeros((40, 3))
    X[::2] = 1
    y = np.arange(40) % 4 // 2
    assert np.isfinite(rank(X, y, "relieff").scores).all()
