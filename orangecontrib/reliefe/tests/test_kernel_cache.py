"""Kernels on disk: found where they fit, compiled where they are damaged or gone; compilations are noticed."""

import errno
import importlib
import os
import shutil
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from numba.core import caching, dispatcher

from orangecontrib.reliefe.core import rank, request, warmup
from orangecontrib.reliefe.core.kernels import compilation
from orangecontrib.reliefe.core.kernels.cache import CHECKSUM_BYTES, KernelCache, kept_like_kernels
from orangecontrib.reliefe.core.kernels.compilation import COMPILATION, STARTUP, Compilation
from orangecontrib.reliefe.core.methods.wrapper import innermost

compiling = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")


TOYS = {
    "toy_numbers": "STEP = 1\n",
    "toy_callee": """
from orangecontrib.reliefe.core.kernels.jit import kernel
from toy_numbers import STEP

@kernel
def step(x):
    return x + STEP
""",
    "toy_caller": """
from orangecontrib.reliefe.core.kernels.jit import kernel
from toy_callee import step

@kernel
def two_steps(x):
    return step(step(x))
""",
}


LIBRARY = """
import numba

@numba.njit("int64(int64)", cache=True)
def double(x):
    return 2 * x

@numba.vectorize("int64(int64)", cache=True)
def triple(x):
    return 3 * x
"""


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """A kernel that calls a kernel of another file: `toys()` imports both as a new process does.

    It returns the kernel's result and the number of functions that were compiled.
    """
    folder = tmp_path / "toys"
    folder.mkdir()
    for name, source in TOYS.items():
        (folder / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(KernelCache, "missing", [])
    monkeypatch.setattr(KernelCache, "warned", False)

    def run():
        for name in TOYS:
            sys.modules.pop(name, None)
        before = COMPILATION.count
        return importlib.import_module("toy_caller").two_steps(3), COMPILATION.count - before

    yield run
    for name in TOYS:
        sys.modules.pop(name, None)


def kept(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


@compiling
def test_a_kernel_calls_kernels_of_other_files(toys):
    assert toys() == (5, 2)
    assert toys() == (5, 0)


@compiling
@pytest.mark.parametrize("file, old, new", [("toy_callee", "x + STEP", "x + 10 * STEP"), ("toy_numbers", "1", "10")])
def test_an_edit_in_another_file_compiles_the_caller(file, old, new, toys, tmp_path):
    """The file of a callee, or of a number that it uses; files that fit no more go."""
    toys()
    path = tmp_path / "toys" / f"{file}.py"
    path.write_text(path.read_text().replace(old, new))
    assert toys() == (23, 2)
    assert toys() == (23, 0)
    assert len(kept(tmp_path / "cache")) == 2


def checked(code):
    """A file of the cache with this pickle, whose checksum is right."""
    return blake2b(code, digest_size=CHECKSUM_BYTES).digest() + code


DAMAGES = {
    "a class that has moved": lambda data: checked(b"corangecontrib.reliefe.core.relief.formats.steps\nMoved\n."),
    "a file that has moved": lambda data: checked(b"corangecontrib.reliefe.core.relief.moved\nSteps\n."),
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "flipped at the end": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "flipped in the middle": lambda data: data[: len(data) // 2] + b"\xff\x00" + data[len(data) // 2 + 2 :],
    "flipped checksum": lambda data: bytes([data[0] ^ 1]) + data[1:],
}


@compiling
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_files_are_compiled_again(damage, toys, tmp_path):
    toys()
    for path in kept(tmp_path / "cache"):
        path.write_bytes(damage(path.read_bytes()))
    assert toys() == (5, 2)
    assert toys() == (5, 0)


@compiling
def test_a_folder_that_is_removed_is_made_again(toys, tmp_path):
    toys()
    shutil.rmtree(tmp_path / "cache")
    assert toys() == (5, 2)
    assert toys() == (5, 0)


@compiling
def test_files_of_another_user_are_compiled(toys, monkeypatch):
    toys()

    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.warns(UserWarning, match=r"cannot be kept in .* \(Permission denied\)"):
        assert toys() == (5, 2)


@compiling
def test_a_full_disk_is_said_once(toys, monkeypatch, tmp_path):
    """The ranking goes on, and nothing is left of files that were begun."""

    def full(path, data):
        with path.open("wb") as file:
            file.write(data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.warns(UserWarning, match="set the environment variable NUMBA_CACHE_DIR") as warned:
        assert [toys(), toys()] == [(5, 2), (5, 2)]
    assert len(warned) == 1
    assert kept(tmp_path / "cache") == []


@pytest.fixture
def nowhere(toys, monkeypatch, tmp_path):
    """No folder for numba: those beside the sources and below the home folder are files."""
    (tmp_path / "cache").touch()
    (tmp_path / "toys" / "__pycache__").touch()
    for variable in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "cache"))


@compiling
@pytest.mark.usefixtures("nowhere")
def test_no_folder_can_be_written_to(toys):
    with pytest.warns(UserWarning, match="cannot be kept in"):
        assert toys() == (5, 2)


@compiling
@pytest.mark.usefixtures("nowhere")
def test_a_library_is_imported_where_nothing_can_be_kept(tmp_path):
    """UMAP is one: numba ends the import where it finds no folder, or a full disk."""
    (tmp_path / "toys" / "toy_library.py").write_text(LIBRARY)
    with kept_like_kernels(), pytest.warns(UserWarning, match="cannot be kept in"):
        library = importlib.import_module("toy_library")
    assert (library.double(4), library.triple(4)) == (8, 12)
    assert dispatcher.FunctionCache is caching.FunctionCache


@compiling
def test_default_ranking_compiles_each_kernel_once():
    """A count that begins as a literal, or a list of another layout, is a type for which a kernel is compiled again."""
    code = """
import gc
import numpy as np
from numba.core.dispatcher import Dispatcher
from orangecontrib.reliefe.core import rank
X = np.random.default_rng(0).normal(size=(40, 4))
for y in (np.arange(40) % 2, X[:, 0] + X[:, 1]):
    rank(X, y, "boostedrelief", n_jobs=1)
for kernel in gc.get_objects():
    if isinstance(kernel, Dispatcher) and kernel.py_func.__module__.startswith("orangecontrib"):
        if len(kernel.overloads) > 1 and not kernel.targetoptions.get("forceinline"):
            print(kernel.py_func.__qualname__, *kernel.overloads, sep="\\n  ")
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == ""


def test_compilations_in_each_other_are_counted_and_told_once():
    compiler, told = Compilation(), []
    compiler.listener = lambda: told.append(compiler.active)
    compiler.begin()
    compiler.begin()
    compiler.end()
    assert compiler.active
    compiler.end()
    assert not compiler.active
    assert (compiler.count, told) == (2, [True])
    assert compiler.seconds >= 0
    assert compiler.seconds == compiler.seconds


def test_a_stopwatch_stops_while_code_is_loaded_or_compiled(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(compilation, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    watch = compilation.Stopwatch()

    def wait(seconds):
        now[0] += seconds

    wait(1)
    with STARTUP.measured():  # a kernel is loaded, and compiles another one
        wait(10)
        with COMPILATION.measured():
            wait(100)
    watch.pause()
    wait(1000)
    watch.resume()
    with COMPILATION.measured():
        wait(200)
    wait(2)
    watch.pause()
    assert (watch.seconds, watch.compile_seconds) == (3, 300)


def test_a_ranking_tells_the_time_of_its_compilation(monkeypatch):
    X = np.random.default_rng(0).normal(size=(12, 3))
    assert "compile_seconds" not in rank(X, X[:, 0] > 0, "relieff").info

    class SlowCompiler(compilation.Stopwatch):
        def pause(self):
            self.seconds, self.compile_seconds = 0.25, 7.0

    monkeypatch.setattr(request, "Stopwatch", SlowCompiler)
    info = rank(X, X[:, 0] > 0, "relieff").info
    assert info["compile_seconds"] == 7
    assert info["summary"].endswith(", 0.2 s")


def test_variants_try_every_choice_of_a_method():
    method = warmup.METHODS["relieff"]
    found = list(warmup.variants(method))
    assert found[0] == {}
    assert {"scheme": "E"} in found
    assert {"ramp": True} in found
    assert {"missing": "ignore"} in found
    assert all(len(parameters) == 1 for parameters in found[1:])


def test_every_method_and_task_is_warmed():
    warmed = {title for title, _ in warmup._rankings(everything=False)}
    for method in innermost():  # wrappers compile what these do
        for task in method.tasks:
            mine = [title for title in warmed if title.startswith(f"{method.title}, ")]
            assert any(title.endswith(task) for title in mine), (method, task)


def test_problems_can_be_ranked():
    """A step passes a ValueError by, for some methods take no sparse data: the tables themselves must be sound."""
    for problem in warmup.problems():
        method = {"classification": "relieff", "unsupervised": "urelief"}.get(problem.task, "rrelieff")
        options = {"task": problem.task, "nominal": problem.nominal, "hierarchy": problem.hierarchy}
        assert np.isfinite(rank(problem.X, problem.y, method, n_jobs=1, **options).scores).all()
