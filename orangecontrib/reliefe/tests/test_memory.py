"""Memory that rankings take beyond their data."""

import gc
import tracemalloc

import pytest

from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.core.learned import stumps
from orangecontrib.reliefe.core.methods.wrapper import innermost
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.memory_samples import FEW, ranking, wide
from orangecontrib.reliefe.tests.samples import REPRESENTATIVES, SMALL

COMPILED = pytest.mark.skipif(SMALL, reason="slow without numba")
ROOM = 12e6  # bytes of what is no multiple of the data
FEWER = 2600  # features that are enough for single precision
ROWS_ONE_BY_ONE = {"ireliefonline": 3.0, "logo": 3.5}  # which keep tables of what missing values add, for each class
COMPLETE, LACKING = 1.4, 2.2  # times the bytes of the data
LIBRARY = ("mutualinfo",)  # calls a library for each feature, which takes minutes
# The first task of every method, and the others of one method for each path of code.
FIRST = [(method.name, method.tasks[0]) for method in innermost() if method.name not in LIBRARY]
OTHERS = [(name, task) for name in REPRESENTATIVES for task in METHODS[name].tasks[1:]
          if task not in ("hierarchical", "survival") and name not in LIBRARY]  # fmt: skip
QUICK = "relieff", "surf", "boostedrelief"
CASES = [
    pytest.param(*case, marks=() if case in FIRST and case[0] in QUICK else pytest.mark.slow)
    for case in (*FIRST, *OTHERS, ("sslrelief", FEW), ("pct", FEW), ("turf", "classification"))
]


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
        lower(monkeypatch, MAX_TABLE_BYTES=2**20)


@COMPILED
@pytest.mark.parametrize(("name", "task"), CASES)
def test_complete_data(name, task):
    X, hidden = wide()
    assert peak(lambda X: ranking(X, hidden, name, task), X) <= COMPLETE * X.nbytes + ROOM


@COMPILED
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in REPRESENTATIVES if name not in LIBRARY])
def test_missing_values(name):
    X, hidden = wide(0.03)
    limit = ROWS_ONE_BY_ONE.get(name, LACKING)
    assert peak(lambda X: ranking(X, hidden, name, METHODS[name].tasks[0]), X) <= limit * X.nbytes + ROOM
