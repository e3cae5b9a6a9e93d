"""Parts of a computation on threads, of which the caller's is one."""

import contextlib
import gc
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import Interrupted, rank
from orangecontrib.reliefe.core.evaluation import RowSpace
from orangecontrib.reliefe.core.work.threads import GRAIN, PARTS, SERIAL_ALGEBRA, Work, linear_algebra, n_parts
from orangecontrib.reliefe.tests.limits import hold_up, lower
from orangecontrib.reliefe.tests.samples import make

JOBS = pytest.mark.parametrize("n_jobs", [1, 2, 5])


@JOBS
@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_results_in_order(n_jobs, count):
    assert Work(n_jobs).map(lambda part: part * part, range(count)) == [part * part for part in range(count)]


def test_the_caller_works_too():
    """One of two threads is the caller, so that two parts that wait for each other are done."""
    both, threads = threading.Barrier(2, timeout=10), set()

    def part(_):
        threads.add(threading.get_ident())
        both.wait()

    Work(2).map(part, range(2))
    assert len(threads) == 2
    assert threading.get_ident() in threads


@JOBS
@pytest.mark.parametrize("failing", [0, 3, 9])
def test_the_first_failure_ends_all_parts(n_jobs, failing):
    """Whoever meets it; what others notice of it does not hide it."""
    work, done = Work(n_jobs), []

    def part(number):
        if number == failing:
            raise ZeroDivisionError("of a part")
        work.tick()
        done.append(number)

    with pytest.raises(ZeroDivisionError, match="of a part"):
        work.map(part, range(1000))
    assert len(done) < 1000


@pytest.mark.parametrize("by_caller", [True, False])
def test_a_failure_of_either_thread(by_caller):
    both, work = threading.Barrier(2, timeout=10), Work(2)
    caller = threading.get_ident()

    def part(_):
        both.wait()
        if (threading.get_ident() == caller) == by_caller:
            raise ZeroDivisionError
        while True:  # until it is told
            work.tick()

    with pytest.raises(ZeroDivisionError):
        work.map(part, range(2))


@JOBS
def test_ctrl_c(n_jobs):
    """It comes to the caller; the others stop, and it is passed on."""
    work, caller, met = Work(n_jobs), threading.get_ident(), threading.Barrier(n_jobs, timeout=10)

    def part(_):
        met.wait()
        if threading.get_ident() == caller:
            raise KeyboardInterrupt
        while True:  # until it is told
            work.tick()

    with pytest.raises(KeyboardInterrupt):
        work.map(part, range(n_jobs))


@JOBS
def test_progress_that_stops(n_jobs):
    def stop(share):
        raise Interrupted

    work = Work(n_jobs, stop)
    work.plan(100)
    with pytest.raises(Interrupted):
        work.map(lambda _: work.tick(1), range(100))


def test_parts_by_what_they_are_worth():
    assert [n_parts(x) for x in (0, 1, GRAIN, 3.5 * GRAIN, 1e300)] == [1, 1, 1, 3, PARTS]


def test_aside_returns_and_passes_errors_on():
    work = Work()
    assert work.aside(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        work.aside(divmod, 7, 0)


def test_aside_is_left_alone_when_the_work_ends():
    go, ended = threading.Event(), threading.Event()

    def stuck():
        go.wait(60)
        ended.set()

    def stop(share):
        raise Interrupted

    with pytest.raises(Interrupted):
        Work(1, stop).aside(stuck)
    assert not ended.is_set()
    go.set()
    assert ended.wait(60)


@pytest.mark.parametrize(
    "method, name", [("multisurf", "manhattan"), ("sslrelief", "fit"), ("sslrelief", "neighbours")]
)
def test_a_stop_does_not_wait_for_the_preparation_of_sparse_features(method, name, monkeypatch):
    """The index for distances and sums, and the space in which SSL-Relief tries its settings."""
    begun, go, ended = threading.Event(), threading.Event(), threading.Event()

    def wrap(slow):
        def waiting(*arguments):
            begun.set()
            go.wait(5)
            ended.set()
            return slow(*arguments)

        return waiting

    def stop(share):
        if begun.is_set():
            raise Interrupted

    lower(monkeypatch, STORED_ASIDE=0)
    if name == "manhattan":
        hold_up(monkeypatch, wrap)
    else:
        monkeypatch.setattr(RowSpace, name, wrap(getattr(RowSpace, name)))
    data = make(3, n=40, zeros=0.5)
    y = np.where(np.arange(40) < 30, data.y, np.nan) if method == "sslrelief" else data.y
    with pytest.raises(Interrupted):
        rank(sparse.csr_array(data.X), y, method, task="classification", progress=stop)
    assert not ended.is_set()
    go.set()
    assert ended.wait(60)


@pytest.mark.parametrize("run", [lambda work, f: work.map(f, range(8)), lambda work, f: work.aside(f, 0)])
@pytest.mark.parametrize("error", [Interrupted, ValueError])
def test_an_exception_keeps_nothing_once_it_is_handled(run, error):
    """Without collecting garbage: data may be large, and exceptions few."""

    class Data:
        pass

    data = Data()

    def fail(part, held=data):
        raise error(str(held))

    known = weakref.ref(data)
    gc.disable()
    try:
        with contextlib.suppress(error):
            run(Work(3), fail)
        del data, fail
        for _ in range(500):  # a helper may still be about to forget its last part
            if known() is not None:
                time.sleep(0.01)
        assert known() is None
    finally:
        gc.enable()


def test_limit_of_threads_lasts_as_long_as_anybody_needs_it():
    def threads():
        return [library["num_threads"] for library in linear_algebra().info() if library["user_api"] == "blas"]

    before = threads()
    with ThreadPoolExecutor(1) as other:
        other.submit(SERIAL_ALGEBRA.__enter__).result()
        with SERIAL_ALGEBRA:
            assert set(threads()) == {1}
        assert set(threads()) == {1}
        other.submit(SERIAL_ALGEBRA.__exit__).result()
        assert threads() == before
        # The other thread was the first one to set a limit, and is alive: this one can set it as well.
        with SERIAL_ALGEBRA:
            assert set(threads()) == {1}
            other.submit(SERIAL_ALGEBRA.__enter__).result()
        assert set(threads()) == {1}
        other.submit(SERIAL_ALGEBRA.__exit__).result()
    assert threads() == before
