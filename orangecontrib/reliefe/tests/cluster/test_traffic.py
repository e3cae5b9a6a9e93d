"""Bytes that a ranking sends, and what importing the core loads."""

import pickle

import numpy as np
import pytest

from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.work import parcels
from orangecontrib.reliefe.core.work import sharing as work

from .test_bits import data


@pytest.mark.parametrize("method, lists", [("multisurf", 0), ("relieff", 0), ("pct", 0)])
def test_the_run_travels_once(method, lists, two_workers):
    """1.2 times the run, and what closures of 32 parts take."""
    X, y = data(6000, 40)
    options = {"n_trees": 40} if method == "pct" else {}
    request, cluster = check_call(X, y, method, **options), work.Cluster(two_workers)
    request.rank(cluster)
    run = X.shape[0] * 48 * 4 if method != "pct" else X.nbytes + X.size * 4  # scaled rows, or columns and their order
    if method == "multisurf":
        run += X.nbytes + X.shape[0] * 48 * 2  # data in double precision for pairs that codes do not decide, and codes
    of_rows = 12 * 8 * X.shape[0]  # classes, order, limits and weights of rows
    assert cluster.sent < 1.2 * run + of_rows + 3 * 32 * 8 * 2**10


def test_equal_arrays_travel_once():
    a = np.arange(20000.0)
    both = np.outer(a[:200], a[:200] + 1)
    several = a, a.copy(), both, np.asfortranarray(both), a[:200]
    name, packed = parcels.pack(lambda: several)
    arrays = [parcel for parcel in packed.values() if isinstance(parcel, parcels.ArrayParcel)]
    assert len(arrays) == 3  # the same numbers, in one order and another, and none that is small
    received = pickle.loads(pickle.dumps(packed))
    landed = received[name].open(received)()
    assert landed[0] is landed[1]
    for array, sent in zip(landed, several, strict=True):
        np.testing.assert_array_equal(array, sent)


class KeptRows:
    """Rows that workers keep."""

    kept_by_workers = True

    def __init__(self, rows):
        self.rows = rows


def test_contents_are_read_once_for_all_references_of_a_function(monkeypatch):
    from dask import base

    read = []
    tokenize = base.tokenize
    monkeypatch.setattr(base, "tokenize", lambda contents: read.append(type(contents)) or tokenize(contents))
    rows = np.arange(20000.0)
    kept = KeptRows(rows)
    name, packed = parcels.pack(lambda: (rows, [rows], kept, [kept]))
    assert sorted(read, key=str) == [bytes, bytes, np.ndarray]  # the function, what is kept, and the rows
    landed, (again,), kept_there, (kept_again,) = packed[name].open(packed)()
    assert landed is again is kept_there.rows
    assert kept_there is kept_again


def test_a_thread_that_runs_no_task_counts_and_is_not_stopped(two_workers):
    """A worker knows no task with the key "", as if the scheduler had taken it back."""

    def units(key):
        import threading
        import time

        from orangecontrib.reliefe.core.work.parcels import TASK_WORK

        counted = []

        def count():
            if key is not None:
                TASK_WORK.begin(key)
            time.sleep(0.05)
            TASK_WORK.tick(2)
            TASK_WORK.tick(1)
            counted.append(TASK_WORK.units)

        thread = threading.Thread(target=count)
        thread.start()
        thread.join()
        return counted

    for key in (None, ""):
        assert two_workers.submit(units, key, pure=False).result() == [3]


@pytest.mark.parametrize("order", ["C", "F", "A"])
def test_arrays_keep_their_order(order, two_workers):
    """Kernels are compiled for an order, and sums in another one would have other bits."""
    base = np.arange(90000.0).reshape(300, 300)
    a = {"C": base, "F": base.T, "A": base[:, :290]}[order]
    small = a[:10] if order != "F" else a[:, :10]
    cluster = work.Cluster(two_workers)
    found = cluster.spread(lambda part: (a.flags.c_contiguous, a.flags.f_contiguous, a.sum()), [0])[0]
    assert found == (a.flags.c_contiguous, a.flags.f_contiguous, a.sum())
    found = cluster.spread(lambda part: (part.flags.c_contiguous, part.flags.f_contiguous), [small])[0]
    assert found == (small.flags.c_contiguous, small.flags.f_contiguous)
