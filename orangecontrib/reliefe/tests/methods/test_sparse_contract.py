"""The contract of a method that states that it takes sparse data: it makes no dense copy of them.

Most features of the table are empty, so that sparse work is quick and a dense copy takes most of the memory.
"""

import gc
import tracemalloc
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.core.learned import stumps
from orangecontrib.reliefe.core.methods.base import MethodResult
from orangecontrib.reliefe.core.methods.registry import register
from orangecontrib.reliefe.core.methods.wrapper import innermost
from orangecontrib.reliefe.tests.data_formats import make_target, quickened
from orangecontrib.reliefe.tests.samples import REPRESENTATIVES, SMALL
from orangecontrib.reliefe.tests.toy_methods import Spread

N, P = 400, 12_000  # rows, features
SHAPES = {"mutualinfo": (4000, 1200), "lhrelief": (400, 4000)}  # of those that take long for each feature
N_USED = 40  # features with values
LIMIT = 0.9  # of a dense copy in single precision; vectors of all features take .1 to .5 of it
LIMITS = {"boostedrelief": 1.3, "boostedlearnedrelief": 2.0}  # vectors for each round and candidate take .9 and 1.5
# LOGO keeps the margin of each row in each feature: n p numbers, as many as a dense copy has.
DENSE_INSIDE = ("logo",)
# One method for each path of code is tried before a merge, the others before a release.
STATED = [
    pytest.param(method.name, marks=() if method.name in REPRESENTATIVES else pytest.mark.slow)
    for method in innermost()
    if method.traits.sparse and method.name not in DENSE_INSIDE
]
COMPILED = pytest.mark.skipif(SMALL, reason="slow without numba")


def sparse_table(n, p):
    """CSR (n, p), in which only the first N_USED features have values, 10 % of them."""
    used = sparse.random_array((n, N_USED), density=0.1, format="csr", rng=np.random.default_rng(0))
    return sparse.csr_array((used.data, used.indices, used.indptr), shape=(n, p))


def peak_of_sparse_data(name, shape):
    """Bytes that NumPy and Python take at most in a ranking of sparse data, after one of fewer that compiles."""
    X = sparse_table(*shape)
    task = METHODS[name].tasks[0]
    y = make_target(np.random.default_rng(1), task, X[:, :1].toarray())
    few = 50
    options = quickened(name, {})
    rank(X[:few, :N_USED], None if y is None else y[:few], name, task=task, n_jobs=1, **options)
    gc.collect()
    tracemalloc.start()
    try:
        rank(X, y, name, task=task, n_jobs=1, **options)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def check_makes_no_dense_copy(name):
    """Fail if a ranking of sparse data takes the memory of a dense copy in single precision.

    The first one may read kernels of the cache, some 12 MB for boosting; a second one reads none.
    """
    n, p = shape = SHAPES.get(name, (N, P))
    limit = LIMITS.get(name, LIMIT) * n * p * np.float32().nbytes
    assert any(peak_of_sparse_data(name, shape) < limit for _ in range(2)), name


@pytest.fixture(autouse=True)
def little_room(monkeypatch):
    """Limit of a buffer that does not grow with the data: margins that are boosted."""
    monkeypatch.setattr(stumps, "MAX_CELLS", 2**17)


@COMPILED
@pytest.mark.parametrize("name", STATED)
def test_sparse_data_stay_sparse(name):
    check_makes_no_dense_copy(name)


class Densified(Spread):
    """A method that states that it takes sparse data, and makes a dense copy in single precision."""

    name, title = "densified", "Densified"
    traits = Spread.traits

    def run(self, data):
        matrix = cast("sparse.csr_array", data.table.values)
        dense = replace(data.table, values=matrix.astype(np.float32).toarray())
        yield MethodResult(np.var(dense.values, axis=0).astype(float))


class Honest(Spread):
    """The same without it."""

    name, title = "honest", "Honest"
    traits = Spread.traits


@COMPILED
def test_a_method_that_makes_a_dense_copy_is_caught(monkeypatch):
    for method in (Densified(), Honest()):
        monkeypatch.setitem(METHODS, method.name, None)
        del METHODS[method.name]
        register(method)
    check_makes_no_dense_copy("honest")
    with pytest.raises(AssertionError, match="densified"):
        check_makes_no_dense_copy("densified")
