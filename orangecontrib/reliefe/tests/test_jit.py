"""Kernels that are declared at their first call."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import numba
import pytest

from orangecontrib.reliefe.core.kernels import jit


@pytest.fixture
def kernels(monkeypatch, tmp_path):
    """A module of two kernels, of which nothing is declared; declaring takes its time."""
    module = ModuleType("some_kernels")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    source = "def one(x):\n    return x + 1\n\n\ndef two(x):\n    return one(x) + 1\n"
    file = tmp_path / "some_kernels.py"  # numba keeps compiled functions beside the file that they are in
    file.write_text(source)
    exec(compile(source, str(file), "exec"), module.__dict__)
    real = numba.njit

    def slowly(*function, **options):
        if not function:  # as the decorator calls it; numba itself gives a function
            time.sleep(0.05)
        return real(*function, **options)

    monkeypatch.setattr(numba, "njit", slowly)
    for name in ("one", "two"):
        setattr(module, name, jit.kernel(getattr(module, name)))
    return module


def test_first_calls_of_several_threads(kernels):
    """Those that come while kernels are being declared wait until they all are."""
    both = threading.Barrier(4)

    def call(name):
        function = getattr(kernels, name)
        both.wait()
        return function(1)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(call, ["one", "two", "one", "two"])) == [2, 3, 2, 3]
    assert "some_kernels" not in jit._waiting
    assert kernels.two(5) == 7


def test_no_kernel_is_seen_before_those_that_it_calls(kernels, monkeypatch):
    """Python code of the file may look up a kernel while another thread declares it, and compile it at once."""
    names, declare, failures = vars(kernels), jit.compiled, []
    names["python"] = lambda x: names["two"](x)

    def call():
        try:
            names["python"](1)
        except numba.core.errors.TypingError as error:
            failures.append(error)

    def declared(function, **options):
        thread = threading.Thread(target=call)
        thread.start()
        thread.join(0.1)  # it waits, or has failed
        threads.append(thread)
        return declare(function, **options)

    threads = []
    monkeypatch.setattr(jit, "compiled", declared)
    jit._waiting["some_kernels"].reverse()  # the caller comes first
    assert kernels.two(1) == 3
    for thread in threads:
        thread.join()
    assert not failures


CALLEES = 6
SOURCE = """
from orangecontrib.reliefe.core.kernels.jit import kernel

@kernel
def first(x):
    return {sum}

def python(x):
    return first(x)
""" + "".join(f"\n@kernel\ndef callee_{i}(x):\n    return x + {i}\n" for i in range(CALLEES))
RACE = """
import sys, threading
sys.setswitchinterval(1e-5)
import many_kernels
start, found = threading.Barrier(6), []

def call(name):
    start.wait()
    found.append(getattr(many_kernels, name)(1))

threads = [threading.Thread(target=call, args=[name]) for name in ["python", "first", "callee_3"] * 2]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(sorted(found))
"""


@pytest.mark.slow
def test_many_processes_and_threads_on_an_empty_cache(tmp_path):
    """Each compiles, reads or writes the same kernels at once."""
    summed = " + ".join(f"callee_{i}(x)" for i in range(CALLEES))
    (tmp_path / "many_kernels.py").write_text(SOURCE.format(sum=summed))
    places = os.pathsep.join([str(tmp_path), *sys.path])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": places}
    command, pipes = [sys.executable, "-c", RACE], {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, env=environment, **pipes) for _ in range(4)]
    for process in processes:
        out, err = process.communicate(timeout=300)
        assert (out, err) == ("[4, 4, 21, 21, 21, 21]\n", "")
