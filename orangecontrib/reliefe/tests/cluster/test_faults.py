"""Workers that die, schedulers that are gone, other versions: the same bits or a clear error, and nothing left."""

import os
import signal
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import pytest
from distributed import Client, LocalCluster

from orangecontrib.reliefe.core import Interrupted, rank
from orangecontrib.reliefe.core.work import health, tasks
from orangecontrib.reliefe.core.work import sharing as work
from orangecontrib.reliefe.core.work.health import ClusterError

from .test_bits import data

ROWS = 4000, 20


def left(client):
    """Tasks and data on the scheduler, once it had the time to forget."""
    for _ in range(50):
        found = client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.tasks))
        if not found:
            return []
        time.sleep(0.1)
    return found


def at(share, do):
    """Progress that does something once."""
    done = []

    def progress(now):
        if now > share and not done:
            done.append(now)
            do()

    return progress


def kill(*pids):
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


def stop():
    raise Interrupted


@pytest.mark.parametrize("method", ["multisurf", "relieff", "pct"])
def test_stop(method, on, two_workers):
    """No task is left, and the same client ranks again."""
    X, y = data(*ROWS) if method != "pct" else data(400)
    with on():
        with pytest.raises(Interrupted):
            rank(X, y, method, progress=at(0.2, stop))
        ended = time.monotonic()
        assert left(two_workers) == []
        assert time.monotonic() - ended < 5
        X, y = data()
        np.testing.assert_array_equal(rank(X, y, method).scores, rank(X, y, method, n_jobs=1).scores)


def test_stop_while_arrays_are_sent(on, two_workers, monkeypatch):
    """They arrive after the work has ended, and the exception, whose frames refer to them, is still there."""
    scatter, watch = work.Cluster._scatter, work.Cluster.watch
    are_sent, may_return = threading.Event(), threading.Event()

    def sent_late(self, arrays):
        found = scatter(self, arrays)
        are_sent.set()
        may_return.wait(10)
        return found

    def stopped(self):
        if are_sent.is_set():
            raise Interrupted
        watch(self)

    monkeypatch.setattr(work.Cluster, "_scatter", sent_late)
    monkeypatch.setattr(work.Cluster, "watch", stopped)
    with on(), pytest.raises(Interrupted) as held:
        rank(*data(*ROWS), "multisurf")
    may_return.set()
    assert left(two_workers) == []
    assert held.tb is not None


@pytest.mark.parametrize("error", [TimeoutError, OSError])
def test_stop_where_tasks_cannot_be_cancelled(error, on, two_workers, monkeypatch):
    def fail(*_, **__):
        raise error("no answer")

    monkeypatch.setattr(two_workers, "cancel", fail)
    with on(), pytest.raises(Interrupted) as held:
        rank(*data(*ROWS), "multisurf", progress=at(0.2, stop))
    assert left(two_workers) == []
    assert held.tb is not None


def test_errors_of_a_part_are_passed_on(two_workers):
    def fail(part):
        raise ZeroDivisionError(f"in part {part}")

    with pytest.raises(ZeroDivisionError, match="in part"):
        work.Cluster(two_workers).total(fail)
    assert left(two_workers) == []


def test_what_cannot_be_sent(two_workers):
    lock = threading.Lock()
    with pytest.raises(TypeError, match="cannot be sent there"):
        work.Cluster(two_workers).spread(lambda part: lock, range(2))


@pytest.mark.parametrize(
    "place, other, message",
    [
        (0, "Orange3-ReliefE 0.0.0", r"Orange3-ReliefE .*, not Orange3-ReliefE 0\.0\.0"),
        (4, "SciPy 0.0.0", r"SciPy .*, not SciPy 0\.0\.0"),
        (5, "the processor z80", "the processor .*, not the processor z80"),
        (6, "{} some64 such32", "a processor without some64, such32"),
        (6, "", "a processor with .+, .+"),
    ],
)
def test_other_versions(place, other, message, two_workers, monkeypatch):
    """A worker says so, and which."""
    own = list(tasks.versions())
    own[place] = other.format(own[place])
    monkeypatch.setattr(work, "versions", lambda: tuple(own))
    with pytest.raises(ClusterError, match=f"a worker has {message}, on .* one kind of processor everywhere"):
        work.Cluster(two_workers).total(int)


@pytest.mark.parametrize("error", [OSError("closed"), KeyError("tcp://worker.example"), TimeoutError("none")], ids=repr)
@pytest.mark.parametrize("times", [1, 9])
def test_a_worker_goes_while_arrays_are_sent(error, times, two_workers, monkeypatch):
    """They are sent again, a few times."""
    left, scatter, array = [error] * times, two_workers.scatter, np.arange(1e5)

    def go(*args, **options):
        if left:
            raise left.pop()
        return scatter(*args, **options)

    monkeypatch.setattr(two_workers, "scatter", go)
    monkeypatch.setattr(work, "CHECK_SECONDS", 0.0)
    cluster = work.Cluster(two_workers)
    if times == 1:
        assert cluster.spread(lambda part: array[part], [3, 5]) == [3, 5]
        cluster.finish()
        return
    with pytest.raises(ClusterError, match="lost 4 times while data were sent"):
        cluster.spread(lambda part: array[part], [3, 5])


def test_workers_keep_nothing_after_a_ranking(on, two_workers):
    X, y = data(3000, 20)
    with on():
        rank(X, y, "multisurf")
    assert held_by_workers(two_workers) == []


def test_workers_keep_nothing_after_a_client(two_workers):
    """It closes before its ranking has ended."""
    array = np.arange(1e5)
    with Client(two_workers.cluster, set_as_default=False) as client:
        assert work.Cluster(client).spread(lambda part: array[part], [3, 5]) == [3, 5]
        assert held_by_workers(two_workers, seconds=0)
    assert held_by_workers(two_workers) == []


def test_workers_forget_what_later_passes_do_not_use(two_workers):
    """An iteration has new weights, and old ones would fill the memory of the workers."""
    cluster = work.Cluster(two_workers)
    used_always = np.arange(1e5)
    for weight in range(20):
        weights = np.full(10**5, float(weight))
        sums = cluster.spread(lambda part, weights=weights: float(used_always[part] + weights[part]), [3, 5])
        assert sums == [3.0 + weight, 5.0 + weight]
    arrays = {name for name in held_by_workers(two_workers, seconds=0) if name.startswith("array")}
    assert 2 <= len(arrays) < 10
    cluster.finish()
    assert held_by_workers(two_workers) == []


def held_by_workers(client, seconds=10):
    """Names of what the workers hold; waits until they hold nothing, at most for some seconds."""
    end = time.monotonic() + seconds
    while True:
        names = [name for held in client.run(lambda dask_worker: list(dask_worker.data)).values() for name in held]
        if not names or time.monotonic() > end:
            return names
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["multisurf", "relieff", "pct"])
def test_a_killed_worker(method, processes):
    X, y = data(8000, 30)
    one = rank(X, y, method).scores
    pids = list(processes.run(os.getpid).values())
    with joblib.parallel_config(backend="dask", client=processes):
        found = rank(X, y, method, progress=at(0.3, lambda: kill(pids[0])))
        np.testing.assert_array_equal(found.scores, one)
        later = pids_without(processes, pids[0])
        found = rank(X, y, method, progress=at(0.3, lambda: kill(later[1])))
        np.testing.assert_array_equal(found.scores, one)
    assert left(processes) == []


def pids_without(client, killed):
    """Processes of two workers once the killed one, which the scheduler may still count, has been replaced."""
    for _ in range(500):
        pids = list(client.run(os.getpid, on_error="ignore").values())
        if len(pids) == 2 and killed not in pids:
            return pids
        time.sleep(0.02)
    raise AssertionError(f"process {killed} was not replaced")


@pytest.mark.slow
def test_a_worker_killed_while_arrays_are_sent(processes, monkeypatch):
    X, y = data(3000, 30)
    pids, scatter = list(processes.run(os.getpid).values()), processes.scatter

    def killed(*args, **options):
        if pids:
            kill(pids.pop())
        return scatter(*args, **options)

    monkeypatch.setattr(processes, "scatter", killed)
    with joblib.parallel_config(backend="dask", client=processes):
        found = rank(X, y, "multisurf").scores
    np.testing.assert_array_equal(found, rank(X, y, "multisurf", n_jobs=1).scores)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["multisurf", "relieff"])
def test_all_workers_killed(method, processes, monkeypatch):
    """Data are sent again to workers that somebody starts again."""
    monkeypatch.setattr(health, "LOST_SECONDS", 60.0)
    X, y = data(8000, 30)
    one = rank(X, y, method).scores
    pids = list(processes.run(os.getpid).values())
    with joblib.parallel_config(backend="dask", client=processes):
        found = rank(X, y, method, progress=at(0.3, lambda: kill(*pids)))
    np.testing.assert_array_equal(found.scores, one)


@pytest.mark.slow
@pytest.mark.parametrize("gone", ["workers", "scheduler"])
def test_nobody_left(gone):
    X, y = data(8000, 30)
    lost = []
    command = [sys.executable, "-c", SCHEDULER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as scheduler:
        address = scheduler.stdout.readline().strip()
        workers = [subprocess.Popen([sys.executable, "-c", WORKER, address]) for _ in range(2)]
        try:
            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(2)

                def leave():
                    lost.append(time.monotonic())
                    kill(*([scheduler.pid] if gone == "scheduler" else [worker.pid for worker in workers]))

                with (
                    joblib.parallel_config(backend="dask", client=client),
                    pytest.raises(ClusterError, match="start it again"),
                ):
                    rank(X, y, "multisurf", progress=at(0.3, leave))
                assert time.monotonic() - lost[0] < 20  # on a busy machine; LOST_SECONDS is 6
        finally:
            for process in (*workers, scheduler):
                process.kill()
                process.wait()


@pytest.mark.slow
def test_a_worker_without_the_package():
    with subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True) as scheduler:
        address = scheduler.stdout.readline().strip()
        worker = subprocess.Popen([sys.executable, "-c", BARE + WORKER, address])
        try:
            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(1)
                with pytest.raises(ClusterError, match="has no Orange3-ReliefE"):
                    work.Cluster(client).total(int)
        finally:
            for process in (worker, scheduler):
                process.kill()
                process.wait()


@pytest.mark.slow
def test_a_slow_worker():
    """The other one does what it can; the ranking ends."""
    X, y = data(3000, 20)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        os.kill(pids[0], signal.SIGSTOP)
        threading.Timer(5, os.kill, (pids[0], signal.SIGCONT)).start()
        with joblib.parallel_config(backend="dask", client=client):
            np.testing.assert_array_equal(rank(X, y, "surf").scores, rank(X, y, "surf", n_jobs=1).scores)


SCHEDULER = """
import asyncio
from distributed import Scheduler

async def run():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()

asyncio.run(run())
"""
WORKER = """
import asyncio, sys
from distributed import Worker

async def run():
    async with Worker(sys.argv[1], nthreads=1) as worker:
        await worker.finished()

asyncio.run(run())
"""
BARE = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("orangecontrib"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
"""
