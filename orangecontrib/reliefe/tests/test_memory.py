"""Memory that rankings take beyond their data."""

import gc
import tracemalloc

import pytest

from orangecontrib.reliefe.core.data import missing
from orangecontrib.reliefe.core.learned import stumps
from orangecontrib.reliefe.core.methods.registry import METHODS
from orangecontrib.reliefe.tests.memory_samples import FEW, ranking, wide
from orangecontrib.reliefe.tests.samples import SMALL

COMPILED = pytest.mark.skipif(SMALL, reason="slow without numba")
ROOM = 12e6  # bytes of what is no multiple of the data
FEWER = 2600  # features that are enough for single precision
COMPLETE, LACKING = 1.4, 2.2  # times the bytes of the data
CASES = [pytest.param(name, task, marks=pytest.mark.slow if number else ()) for name, method in METHODS.items()
         for number, task in enumerate(method.tasks) if task != "hierarchical"]  # fmt: skip
CASES += [("sslrelief", FEW), ("pct", FEW)]


def peak(call, X):
    """Bytes that NumPy and Python take at most in a call with X, after one with fewer features that compiles."""
    call(X[:, :FEWER])
    gc.collect()
    tracemalloc.start()
    try:
        call(X)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture(autouse=True)
def little_room(request, monkeypatch):
    """Limits of buffers that do not grow with the data: margins that are boosted, tables of missing values."""
    if request.node.originalname in ("test_complete_data", "test_missing_values"):
        monkeypatch.setattr(stumps, "MAX_CELLS", 2**17)
        monkeypatch.setattr(missing, "WHOLE", 2**20)


@COMPILED
@pytest.mark.parametrize(("name", "task"), CASES)
def test_complete_data(name, task):
    X, hidden = wide()
    assert peak(lambda X: ranking(X, hidden, name, task), X) <= COMPLETE * X.nbytes + ROOM


@COMPILED
@pytest.mark.slow
@pytest.mark.parametrize("name", METHODS)
def test_missing_values(name):
    X, hidden = wide(0.03)
    assert peak(lambda X: ranking(X, hidden, name, METHODS[name].tasks[0]), X) <= LACKING * X.nbytes + ROOM
