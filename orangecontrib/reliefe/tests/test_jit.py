"""Kernels that are declared at their first call."""

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
