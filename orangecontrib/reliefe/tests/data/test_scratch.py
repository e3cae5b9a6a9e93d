"""Tables in files, of narrow types: the same bits as in memory, and no memory of their own."""

import os
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core import methods, rank, scratch_files
from orangecontrib.reliefe.core.data import scratch, table
from orangecontrib.reliefe.core.data.scratch import mapped
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import SMALL

KINDS = ("u1", "f8", "i1", "f4", "u2", "i2", "u4", "i4", "i8", "u8", "?")
N, P = (60, 12) if SMALL else (300, 40)
FAMILY = [method.name for method in methods() if method.traits.narrow]
QUICK = ("u1", "f8", "relieff", "multisurf", "rrelieff", "ignore", "turf")


def some(values):
    """All of them; the others than the quick ones are compiled for seconds each."""
    return [pytest.param(value, marks=() if value in QUICK else pytest.mark.slow) for value in values]


@pytest.fixture
def always(monkeypatch):
    """Small tables are treated as large ones."""
    monkeypatch.setattr(table, "NARROW_FROM", 0)
    monkeypatch.setattr(scratch, "CHUNK_BYTES", 1000)
    with scratch_files(above=0):
        yield


@pytest.fixture
def single(monkeypatch):
    """Single precision, with a second look in double precision, for small tables."""
    lower(monkeypatch, MAX_EXACT_COMPLETE=0, MAX_EXACT_MISSING=0)


def genotypes(kind="u1", n=N, p=P, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2 if kind == "?" else 3, (n, p)).astype(kind)
    return X, (X[:, 0].astype(int) + X[:, 1].astype(int) * X[:, 2].astype(int) > 1).astype(int)


def in_a_file(X, folder):
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r")


def same_bits(X, Y, y, name, **options):
    wanted = rank(np.asarray(X, np.float64), y, name, n_jobs=1, **options)
    found = rank(Y, y, name, n_jobs=1, **options)
    assert wanted.scores.tobytes() == found.scores.tobytes()
    assert wanted.info["missing"] == found.info["missing"]


@pytest.mark.parametrize("kind", some(KINDS))
def test_every_type_has_the_bits_of_double_precision(kind, tmp_path, always, single):
    X, y = genotypes(kind)
    Y = in_a_file(X, tmp_path)
    assert DataTable.read(Y, narrow=True).is_narrow == (kind != "f8")
    same_bits(X, Y, y, "relieff")
    same_bits(X, Y, y, "relieff", nominal=np.arange(P) % 3 == 0)


@pytest.mark.parametrize("name", some(FAMILY))
def test_unsigned_integers_do_not_wrap(name, tmp_path, always, single):
    """Each kernel that reads the values of the table takes differences of both signs."""
    X, y = genotypes()
    task = task_of(name)
    target = None if task == "unsupervised" else y + 0.5 * X[:, 3] if task == "regression" else y
    same_bits(X, in_a_file(X, tmp_path), target, name)


def task_of(name):
    return next(method for method in methods() if method.name == name).tasks[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [{"power": 2}, {"diff": "rank"}, {"diff": "presence"}, {"distance": "cosine"}],
    ids=str,
)
def test_differences_of_other_kinds(options, tmp_path, always, single):
    X, y = genotypes()
    same_bits(X, in_a_file(X, tmp_path), y, "relief", **options)


@pytest.mark.parametrize("missing", some(["class-conditional", "ignore", "uniform", "separate", "clus"]))
def test_missing_values_in_single_precision(missing, tmp_path, always, single):
    X, y = genotypes("f4")
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    same_bits(X, in_a_file(X, tmp_path), y, "relieff", missing=missing, nominal=np.arange(P) % 3 == 0)


@pytest.mark.slow
def test_codes_that_single_precision_cannot_tell_apart(tmp_path, always):
    X, y = genotypes("i8")
    X[:, 0] = X[:, 0] * 2**40 - 2**41
    same_bits(X, in_a_file(X, tmp_path), y, "relieff", nominal=[0, 3])


@pytest.mark.parametrize("name", some(["pct", "mutualinfo", "reliefe", "turf", "logo"]))
def test_methods_that_need_double_precision(name, tmp_path, always):
    X, y = genotypes(n=60, p=12)
    few = {"pct": {"n_trees": 2}, "reliefe": {"embedding": None}, "logo": {"max_iter": 2}}.get(name, {})
    same_bits(X, in_a_file(X, tmp_path), y, name, **few)


def test_rows_without_a_target(tmp_path, always):
    X, y = genotypes()
    same_bits(X, in_a_file(X, tmp_path), np.where(np.arange(N) % 5, y, np.nan), "relieff", task="classification")


@pytest.mark.parametrize("order", ["F", "big-endian", "rows", "columns"])
def test_arrays_that_kernels_do_not_read(order, tmp_path, always):
    X, y = genotypes("i2")
    made = {"F": lambda: np.asfortranarray(X), "big-endian": lambda: X.astype(">i2")}.get(order, lambda: X)()
    Y, step = in_a_file(made, tmp_path), {"rows": np.s_[::2], "columns": np.s_[:, ::2]}.get(order, np.s_[:])
    y = y[::2] if order == "rows" else y
    same_bits(X[step], Y[step], y, "relieff")


@settings(max_examples=5, deadline=None)
@given(st.integers(2, 40), st.integers(1, 9), st.sampled_from(["u1", "i1", "u2"]), st.integers(0, 5))
def test_any_shape(n, p, kind, seed):
    X = np.random.default_rng(seed).integers(0, 120, (n, p)).astype(kind)
    y = np.arange(n) % 2
    with pytest.MonkeyPatch.context() as patch, scratch_files(above=0):
        patch.setattr(table, "NARROW_FROM", 0)
        patch.setattr(scratch, "CHUNK_BYTES", 7)
        Y = mapped(X.shape, X.dtype)
        Y[:] = X
        same_bits(X, Y, y, "relieff", n_neighbors=3)


@pytest.fixture
def made(monkeypatch):
    """Scratch files that are made, one entry each."""
    files, make = [], tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda *a, **k: files.append(k) or make(*a, **k))
    return files


def test_tables_in_memory_stay_there(made):
    rank(*genotypes(), "relieff")
    assert not made


def test_values_and_lanes_lie_in_files(tmp_path, always, made):
    X, y = genotypes()
    rank(in_a_file(X, tmp_path), y, "relieff")
    assert len(made) >= 2
    assert not any("scratch" in name or name.startswith("tmp") for name in os.listdir(tmp_path))


def test_bound_of_the_environment(monkeypatch, tmp_path):
    Y = in_a_file(genotypes()[0], tmp_path)
    for text, there in (("100", True), ("1000000", False)):
        monkeypatch.setenv(scratch.BOUND, text)
        assert scratch.is_large((10, 10), float, Y) == there
        assert scratch.is_large((10, 10), float, np.zeros(1)) == there
    monkeypatch.setenv(scratch.BOUND, "much")
    with pytest.raises(ValueError, match="ORANGE_RELIEFE_SCRATCH_FROM is a number of bytes, not 'much'"):
        scratch.is_large((1, 1), float, Y)


def test_bad_settings(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match="above must be at least 0"), scratch_files(above=-1):
        pass
    with pytest.raises(ValueError, match="there is no folder"), scratch_files(folder=str(tmp_path / "none")):
        pass
    monkeypatch.setenv(scratch.FOLDER, str(tmp_path / "none"))
    with pytest.raises(ValueError, match="there is no folder"):
        mapped((2, 2), float)


def test_disk_without_room(monkeypatch):
    with pytest.raises(ValueError, match="no room for a scratch file of"):
        mapped((2**40, 2**20), float)


@pytest.mark.parametrize("which", ["X", "y", "CSR", "DataFrame"])
def test_file_that_is_shorter_than_its_map(which, tmp_path):
    X, y = genotypes(n=3000)
    Y = in_a_file(sparse.csr_array(X).data if which == "CSR" else y if which == "y" else X, tmp_path)
    Y = pd.DataFrame(Y, copy=False) if which == "DataFrame" else Y
    os.truncate(tmp_path / "X.npy", 4096)
    if which == "CSR":
        rows = sparse.csr_array(X)
        Y = sparse.csr_array((Y, rows.indices, rows.indptr), shape=X.shape)
    with pytest.raises(ValueError, match=f"file of {'y' if which == 'y' else 'X'} became shorter .*: 4,096 bytes"):
        rank(*((X, Y) if which == "y" else (Y, y)), "relieff")


@pytest.mark.parametrize("change", ["became shorter", "was written"])
def test_file_that_changes_while_it_is_read(change, tmp_path, always, monkeypatch):
    X, y = genotypes(n=3000)
    Y, path = in_a_file(X, tmp_path), tmp_path / "X.npy"

    def steps(n, row_bytes):
        yield slice(0, 1)
        if change == "was written":
            np.save(path, X[::-1])
            os.utime(path, ns=(0, 0))  # whatever the clock of the disk says
        else:
            os.truncate(path, 4096)
        yield slice(1, n)

    monkeypatch.setattr(scratch, "chunks", steps)
    with pytest.raises(ValueError, match=f"file of X {change} while it was read"):
        rank(Y, y, "relieff")


CUT = """
import os, sys
import numpy as np
from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.data.table_files import open_table
X, y = np.load("X.npy"), np.arange(3000) % 2
found = np.load("X.npy", mmap_mode="r") if sys.argv[1] == "map" else open_table("X.npy")[0]
found = rank(found, y, "relieff", n_instances=20, progress=lambda share: os.truncate("X.npy", 128)).scores
np.testing.assert_array_equal(found, rank(X, y, "relieff", n_instances=20).scores)
assert os.path.getsize("X.npy") == 128
"""


@pytest.mark.parametrize("kind", ["map", "path"])
def test_file_that_is_cut_while_it_is_ranked(kind, tmp_path):
    """It has been read by then: the process does not end, and the scores are those of the whole file."""
    np.save(tmp_path / "X.npy", genotypes("f8", n=3000)[0])
    run = subprocess.run(
        [sys.executable, "-c", CUT, kind],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert not run.returncode, run.stderr


CUT_WHILE_COPIED = """
import threading
import numpy as np
from orangecontrib.reliefe.core.data import scratch
from orangecontrib.reliefe.core.data.arrays import numbers

KINDS = "rows", "columns", "strided", "copy-on-write", "list", "masked"
copy_pages = scratch._copy_pages

def arrays(kind):
    X = np.zeros((200, 3000))
    np.save("X.npy", np.asfortranarray(X) if kind == "columns" else X)
    found = np.load("X.npy", mmap_mode="c" if kind == "copy-on-write" else "r")
    if kind == "masked":
        return np.ma.MaskedArray(found, np.zeros(found.shape, bool))
    return {"strided": found[::2, ::-7], "list": list(found)}.get(kind, found)

def is_refused(X):
    try:
        numbers(X, "X")
    except ValueError as error:
        assert "the file of X became shorter while it was read: 4,096 bytes" in str(error), error
        return True

def cut():
    with open("X.npy", "r+b") as file:
        file.truncate(4096)

def cut_and_copy(*arguments):
    cut()
    return copy_pages(*arguments)

for kind in KINDS:
    for delay in (0, 0.003):
        X, timer = arrays(kind), threading.Timer(delay, cut)
        timer.start()
        is_refused(X)
        timer.join()
    X, scratch._copy_pages = arrays(kind), cut_and_copy
    assert is_refused(X), kind
    scratch._copy_pages = copy_pages
"""


def test_file_that_is_cut_while_it_is_copied(tmp_path):
    """Reading a page behind the end of a mapped file would end the process by SIGBUS."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", CUT_WHILE_COPIED]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False)
    assert not run.returncode, (run.returncode, run.stderr)


@pytest.mark.parametrize("order", ["C", "F"])
def test_views_of_mapped_files_are_copied_as_they_are(order, tmp_path, monkeypatch):
    from orangecontrib.reliefe.core.data.arrays import cells

    monkeypatch.setattr(scratch, "SPAN_BYTES", 100)
    X = np.arange(24 * 70.0).reshape(24, 70)
    np.save(tmp_path / "X.npy", np.asarray(X, order=order))
    Y = np.load(tmp_path / "X.npy", mmap_mode="r")
    for key in (np.s_[:], np.s_[::-1], np.s_[3:9, ::-4], np.s_[:, 5], np.s_[2], np.s_[:0], np.s_[:1, :1]):
        copy = cells(Y[key], "X")
        np.testing.assert_array_equal(copy, X[key])
        assert not isinstance(copy, np.memmap)
    np.testing.assert_array_equal(cells(np.broadcast_to(Y[:, :1], (24, 9)), "X"), np.repeat(X[:, :1], 9, axis=1))


BOUNDED = """
import resource, sys
import numpy as np
from orangecontrib.reliefe.core import rank
X = np.load(sys.argv[1], mmap_mode="r")
y = (np.arange(len(X)) % 2)
rank(np.array(X[:3000, :60]), y[:3000], "relieff", n_jobs=1)
rank(np.array(X[:8000, :600]), y[:8000], "relieff", n_instances=300, n_jobs=1)
used = int(next(line for line in open("/proc/self/status") if line.startswith("VmData")).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_DATA, (used + 300 * 2**20,) * 2)
print(rank(X, y, "relieff", n_instances=500, n_jobs=1).scores.tobytes().hex()[:64])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or SMALL, reason="limits of memory as Linux has them; compiled")
def test_sixty_thousand_rows_within_three_hundred_megabytes(tmp_path):
    X = np.lib.format.open_memmap(tmp_path / "X.npy", "w+", np.uint8, (60_000, 1000))
    rng = np.random.default_rng(0)
    for start in range(0, len(X), 5000):
        X[start : start + 5000] = rng.integers(0, 3, (5000, 1000), dtype=np.uint8)
    X.flush()
    process = subprocess.run(
        [sys.executable, "-c", BOUNDED, str(tmp_path / "X.npy")],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert not process.returncode, process.stderr
    wanted = rank(np.asarray(X, np.float64), np.arange(len(X)) % 2, "relieff", n_instances=500)
    assert process.stdout.strip() == wanted.scores.tobytes().hex()[:64]


@pytest.mark.parametrize("kind", ["c16", "S2", "M8[s]", "V4"])
def test_files_of_other_types(kind, tmp_path):
    Y = np.memmap(tmp_path / "X", kind, "w+", shape=(20, 3))
    with pytest.raises(ValueError, match="X must hold numbers, not"):
        rank(Y, np.arange(20) % 2, "relieff")


def test_files_of_half_precision(tmp_path, always):
    X, y = genotypes("f2")
    same_bits(X, in_a_file(X, tmp_path), y, "relieff")


@pytest.mark.slow
def test_everything_that_is_asked_of_a_method(tmp_path, always, single):
    """Shuffled targets, partners and tests of scores."""
    from orangecontrib.reliefe.core import null_level, partners, significance

    X, y = genotypes()
    calls = [
        lambda X: null_level(X, y, "relieff", n_shuffles=3).maxima,
        lambda X: null_level(X, None, "urelief", n_shuffles=3).maxima,
        lambda X: significance(X, y, "multisurf", n_shuffles=20).z,
        lambda X: partners(X, y, "relieff").gain,
    ]
    Y = in_a_file(X, tmp_path)
    for call in calls:
        np.testing.assert_array_equal(call(Y), call(np.asarray(X, float)))
