"""Codes of 16 bits: the bound of their error, and the lists that they give, against plain loops in double precision."""

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.relief.comparison import Comparison
from orangecontrib.reliefe.core.relief.formats import codes
from orangecontrib.reliefe.core.relief.formats.features import Features
from orangecontrib.reliefe.core.relief.neighbourhoods.k_nearest import KNearest
from orangecontrib.reliefe.core.relief.run import Run
from orangecontrib.reliefe.core.relief.updates.hit_miss import HitMiss
from orangecontrib.reliefe.core.relief.updates.target_change import Probability
from orangecontrib.reliefe.core.targets.classes import Classes
from orangecontrib.reliefe.core.targets.numbers import Numbers
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import SMALL, examples

pytestmark = pytest.mark.skipif(SMALL, reason="needs numba's compiler")
KINDS = "normal", "grid", "copies", "constant", "extreme", "heavy tails", "mixed"


def table(kind, n, p, rng):
    """X (n, p) and which columns are nominal."""
    X, nominal = rng.normal(size=(n, p)), np.zeros(p, bool)
    if kind == "grid":
        X = np.round(X)
    elif kind == "copies":
        X = X[rng.integers(0, n // 6, n)]
    elif kind == "constant":
        X[:, ::3] = 7
    elif kind == "extreme":
        X = X * 10.0 ** rng.integers(-200, 200, p) + rng.choice([0, 1e15], p)
    elif kind == "heavy tails":
        X = X**15
    elif kind == "mixed":
        nominal = np.arange(p) % 3 == 1
        X[:, nominal] = rng.integers(0, rng.integers(1, 5), (n, nominal.sum()))
    return X, nominal


def exact_distances(X, nominal):
    """(n, n) by their definition, without the digits that the order of a sum changes."""
    span = np.ptp(X, axis=0)
    scale = 1 / np.where(span > 0, span, np.inf)
    D = np.array([np.where(nominal, x != X, np.abs(x - X) * scale).sum(axis=1) for x in X])
    share, power = np.frexp(D)
    return np.ldexp(np.rint(share * 2.0**41), power - 41)


def run_of(X, nominal, groups, chosen, workers=1):
    """A run in single precision; groups None: one for all rows."""
    target = Numbers.measure(X[:, 0]) if groups is None else Classes(groups.astype(np.int32), tuple(np.unique(groups)))
    update = Probability() if groups is None else HitMiss()
    return Run.start(Comparison(DataTable.read(X, nominal), dtype=np.float32), target, update, chosen, Work(workers))


@pytest.fixture
def all_data(monkeypatch):
    """Codes for all data, whether they pay or not."""
    lower(monkeypatch, MIN_DISTANCE=0, MAX_WIDENING=9)


@pytest.mark.usefixtures("all_data")
@pytest.mark.parametrize("kind", KINDS)
@examples(12)
@given(st.integers(0, 2**32 - 1))
def test_lists(kind, seed):
    rng = np.random.default_rng(seed)
    n, p, k = int(rng.integers(200, 500)), int(rng.integers(1, 40)), int(rng.integers(1, 20))
    X, nominal = table(kind, n, p, rng)
    groups = None if rng.random() < 0.4 else rng.integers(0, 3, n)
    chosen = rng.random(n) < rng.choice([0.5, 1.0])
    run = run_of(X, nominal, groups, chosen)
    assert run.distance.codes
    D, own = exact_distances(X, nominal), np.zeros(n, int) if groups is None else groups
    for ordered in (True, False):
        near = KNearest(k, sigma=2.0 if groups is None else None).find(run, ordered)
        for b in rng.integers(0, run.m, 20):
            row, lists = run.ids[near.rows[b]], near.cols[b]
            for g, found in enumerate(lists):
                others = [j for j in np.flatnonzero(own == g) if j != row]
                expected = sorted(others, key=lambda j: (D[row, j], j))[:k]
                found = list(run.ids[found[found >= 0]])
                assert found == (expected if ordered or groups is None else sorted(expected))


@pytest.mark.parametrize("kind, p", [("extreme", 30), ("heavy tails", 30), ("normal", 8_300), ("mixed", 33_000)])
def test_bound_of_the_error(kind, p, all_data):
    X, nominal = table(kind, 40, p, np.random.default_rng(0))
    built = Features.build(DataTable.read(X, nominal), np.arange(40), np.zeros(40, np.int32), dtype=np.float32)
    made, D = built.codes, exact_distances(X, nominal)
    assert (made.steps == codes.MAX_STEPS) == (p < 10_000)
    words = made.lanes.reshape(len(made.lanes), -1, codes.PANEL).transpose(0, 2, 1).reshape(-1, made.words)
    rows = np.ascontiguousarray(words[:40]).view(np.int16).astype(np.int32)
    found = np.array([np.abs(row - rows).sum(axis=1) for row in rows]) / made.steps
    assert np.abs(found - D).max() < made.error < p / made.steps
    np.testing.assert_array_equal(made.totals[:40], rows.sum(axis=1))


def test_same_lists_for_any_number_of_threads():
    X, nominal = table("copies", 1500, 20, np.random.default_rng(1))
    runs = [run_of(X, nominal, np.arange(1500) % 3, np.ones(1500, bool), workers) for workers in (1, 3)]
    assert runs[0].distance.codes
    one, three = (KNearest(7).find(run) for run in runs)
    np.testing.assert_array_equal(one.cols, three.cols)


@pytest.mark.parametrize("method", ["relieff", "reliefa", "rrelieff", "urelief", "sslrelief"])
def test_scores_have_the_bits_of_searches_without_codes(method, monkeypatch):
    lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    X, nominal = table("normal", 400, 30, np.random.default_rng(2))
    y = {"rrelieff": X[:, 0] * X[:, 1], "urelief": None}.get(method, (X[:, 0] > X[:, 1]).astype(float))
    if method == "sslrelief":
        y[::3] = np.nan
    found = []
    for least in (codes.MIN_DISTANCE, np.inf):
        lower(monkeypatch, MIN_DISTANCE=least)
        found.append(rank(X, y, method, nominal=nominal).scores.tobytes())
    assert found[0] == found[1]


def suited(X, nominal=None):
    """Return True if rows are searched by codes."""
    nominal = np.zeros(X.shape[1], bool) if nominal is None else nominal
    return run_of(X, nominal, np.arange(len(X)) % 2, np.ones(len(X), bool)).distance.codes is not None


def test_when_codes_are_not_used():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 40))
    assert suited(X)
    assert not suited(X**15)
    assert not suited(np.where(rng.random(X.shape) < 0.05, np.nan, X))
    assert not suited(np.round(rng.random(X.shape)))  # bits are faster
    many = np.c_[X, rng.integers(0, 200, (300, 2))]
    assert not suited(many, np.arange(42) >= 40)
    few = np.c_[X, rng.integers(0, 5, (300, 2))]
    assert suited(few, np.arange(42) >= 40)


def test_kernels_have_the_form_of_the_processor_that_they_are_compiled_for():
    """A name alone tells the width, too: a processor without AVX-512 would stop at an instruction of it."""
    from llvmlite import binding

    from orangecontrib.reliefe.core.kernels.registers import register_width

    triple = binding.get_process_triple()
    if "x86_64" not in triple:
        pytest.skip("names of other processors")
    for name, there, width in (
        ("znver4", "+avx2,+avx512bw,-avx512vnni", 16),
        ("generic", "+avx512f,+avx512bw", 16),
        ("haswell", "+avx2,-avx512bw", 8),
        ("haswell", "", 8),
        ("skylake", "", 8),
        ("skylake-avx512", "", 16),
        ("x86-64-v4", "", 16),
        ("x86-64-v3", "", 8),
        ("generic", "", 4),
    ):
        context = SimpleNamespace(codegen=lambda: SimpleNamespace(magic_tuple=lambda: (triple, name, there)))
        assert register_width(context) == width, name


SCRIPT = """
import numpy as np
from orangecontrib.reliefe.core.relief.formats import codes_simd as simd
from orangecontrib.reliefe.core.relief.formats.list_offers import ListEnd, NearestRows, SearchedRows, Stretches
rng = np.random.default_rng(0)
rows = rng.integers(-2**15, 2**15, (64, 300)).astype(np.int16)
rows[0], rows[1], rows[2], rows[3] = 2**15 - 1, -2**15, 0, rows[5]
lanes = rows.view(np.int32).reshape(2, 32, 150).transpose(0, 2, 1).ravel()
sums, totals = np.empty((64, 64), np.int32), rows.sum(axis=1, dtype=np.int32)
simd.measure(lanes, 150, (0, 2, 0, 2), False, 64, sums.reshape(-1))
assert (sums == np.maximum(rows[:, None], rows[None]).sum(axis=2, dtype=np.int64)).all()
D = np.abs(rows[:, None].astype(int) - rows[None]).sum(axis=2)
keys, limits = np.full((1, 64, 24), 2**63 - 1, np.uint64), np.full((1, 64), 2**31 - 1, np.int32)
keys[:, :, :8] = 0
groups, ids = np.zeros(64, np.int64), rng.permutation(64)
stretches = Stretches(np.arange(3), np.zeros(2, np.int64), np.full(2, 2**32 - 1, np.uint64))
nearest = NearestRows(limits, keys, ListEnd(11, 11, 1.0, 0.0))
simd.offer(sums.reshape(-1), (0, 2, 0, 2), 64, (0, 64), SearchedRows(groups, ids, totals), stretches, nearest)
for i in range(64):
    expected = sorted((D[i, j] << 32) + int(ids[j]) for j in range(64) if j != i)[:12]
    assert keys[0, i, 8:20].tolist() == expected
print("right")
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["generic", "x86-64-v3", "x86-64-v4"])
def test_kernels_for_other_processors(name, tmp_path):
    """In a process of its own, which LLVM ends where it knows no form of a kernel."""
    import llvmlite.binding as llvm

    there = llvm.get_host_cpu_features()
    if "x86_64" not in llvm.get_process_triple() or not there.get({"x86-64-v4": "avx512bw"}.get(name, "avx2")):
        pytest.skip("this processor does not run them")
    made = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **made, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert found.stdout == "right\n", found.stderr
