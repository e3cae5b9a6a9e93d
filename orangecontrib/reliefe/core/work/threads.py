"""The one way to run the parts of a long computation: threads, progress, interruption."""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ContextDecorator, contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, Literal, TypeVar, cast

from threadpoolctl import OpenBLASController, ThreadpoolController

from ..checks import function, whole

PARTS = 32  # partial sums of a pass: fixed, and added in order, so that bits do not depend on the number of workers
GRAIN = 2**20  # operations, about, that are worth a part of their own
PAUSE = 0.02  # seconds between two reports of progress


Part = TypeVar("Part")
Result = TypeVar("Result")
Take = Callable[[int, Any], object]  # number of a part, and its result

_limit: ContextVar[int | None] = ContextVar("most threads", default=None)


class Interrupted(Exception):
    """The caller asked to stop."""


def available_cpus() -> int:
    """Number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def n_workers(n_jobs: int | None) -> int:
    """Threads for `n_jobs`: None or -1 = all processors, -2 = all but one, ...

    Raises ValueError for 0 and TypeError if it is no integer.
    """
    n_jobs = -1 if n_jobs is None else whole("n_jobs", n_jobs)
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0; None or -1 uses all processors")
    n_threads = n_jobs if n_jobs > 0 else max(available_cpus() + 1 + n_jobs, 1)
    limit = _limit.get()
    return n_threads if limit is None else min(n_threads, limit)


@contextmanager
def at_most(threads: int) -> Iterator[None]:
    """Context in which no work takes more threads, whatever `n_jobs` says: further work uses the processors."""
    token = _limit.set(threads)
    try:
        yield
    finally:
        _limit.reset(token)


def n_parts(operations: float) -> int:
    """Return the number of parts to divide work into: as many as it is worth, whatever the number of workers."""
    return int(min(max(operations / GRAIN, 1), PARTS))


class SerialAlgebra(ContextDecorator):
    """Products of matrices on the thread that asks for them: the bits do not depend on the number of threads.

    The libraries know one limit for all threads, which ends with the last of those who want it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._users:
                self._take_control()
                self._limit = linear_algebra().limit(limits=1, user_api="blas")
            self._users += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._take_control()
                self._limit.restore_original_limits()
                self._take_control()

    def _take_control(self) -> None:
        # Since 3.8 threadpoolctl ignores all threads but the first one that sets a limit; ours come and go.
        if hasattr(OpenBLASController, "clear_controlling_thread"):
            OpenBLASController.clear_controlling_thread(force=True)


@cache
def linear_algebra() -> ThreadpoolController:
    """Libraries of linear algebra, which it takes a while to find."""
    return ThreadpoolController()


SERIAL_ALGEBRA = SerialAlgebra()


Progress = Callable[[float], object] | Literal[True] | None


def reporter(progress: object) -> Callable[[float], object]:
    """`progress`, a function that is called with the share done; for True one that draws a bar by tqdm.

    Raises TypeError for anything else, and ValueError for True where tqdm is not installed.
    """
    if progress is not True:
        return function("progress", progress)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ValueError(
            "progress=True draws a bar by tqdm, which is not installed: install it, or give a function"
        ) from None
    bars: list[Any] = []

    def report(share: float) -> None:
        if not bars:
            bars.append(tqdm(total=100, unit="%", leave=False))
        bars[0].update(int(100 * share) - bars[0].n)
        if share >= 1:
            bars[0].close()

    return report


class Work:
    """Runs parts of a computation on threads, reports the share that is done, and stops when the caller wants.

    `progress` is called with the share in [0, 1], never by two threads at once, and stops the work by raising
    `Interrupted` (or any other exception, which is passed on).  Raises TypeError if it cannot be called.

    `map` runs parts on threads, which may share what they write to; `spread`, `deliver` and `total` take functions that
    change nothing and return what they find, which another kind of work may run in other processes.
    """

    remote = False

    def __init__(self, n_jobs: int | None = 1, progress: Progress = None):
        self.workers = n_workers(n_jobs)
        self._progress = None if progress is None else reporter(progress)
        self._lock = threading.Lock()
        # Units that are planned and done, and the time of the next report
        self._planned: float = 1
        self._done: float = 0
        self._due = 0.0
        self._stopped = False
        # Shares of the progress where the present stage begins and ends, and the last one that was reported
        self._stage = (0.0, 1.0)
        self._last = 0.0

    @property
    def slots(self) -> int:
        """Number of parts that run at a time."""
        return self.workers

    @property
    def processes(self) -> int:
        """Number of processes, each with memory of its own."""
        return 1

    @property
    def here(self) -> "Work":
        """The same work with all parts in this process."""
        return self

    def plan(self, units: float) -> None:
        """Announce how many units `tick` will count in all."""
        self._planned = max(units, 1)
        self._done = 0

    def tick(self, units: float = 0) -> None:
        """Count units as done; raises Interrupted when the work is to end.  Cheap enough for every 100 microseconds."""
        if self._stopped:
            raise Interrupted
        if self._progress is None:
            return
        with self._lock:
            self._done += units
            now = time.monotonic()
            if now >= self._due and not self._stopped:
                self._due = now + PAUSE
                self._report(min(self._done / self._planned, 1.0))

    @property
    def span(self) -> tuple[float, float]:
        """Begin and end of the present stage."""
        return self._stage

    def stage(self, begin: float, end: float) -> None:
        """Begin a stage, which takes the share from `begin` to `end` of the whole."""
        self._stage = begin, end

    @contextmanager
    def part(self, begin: float, end: float) -> Iterator[None]:
        """Context whose work takes the share from `begin` to `end` of the present stage."""
        start, stop = self._stage
        self.stage(start + (stop - start) * begin, start + (stop - start) * end)
        yield
        self.stage(start, stop)

    def split(self, n: int) -> Iterator[int]:
        """0 .. n - 1, each of which takes an equal part of the present stage."""
        for k in range(n):
            with self.part(k / n, (k + 1) / n):
                yield k

    def report(self, share: float) -> None:
        """For work that knows its own share in [0, 1]; raises Interrupted when the work is to end."""
        self.plan(1)
        self.tick(share)

    def finish(self) -> None:
        """Report that all is done."""
        if self._progress is not None:
            self.stage(0.0, 1.0)
            self._report(1.0)

    def map(self, function: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
        """Return ``[function(part) for part in parts]``, by this thread and further ones; a failure ends all parts."""
        parts = list(parts)
        helpers = min(self.workers, len(parts)) - 1
        if helpers < 1:
            return [function(part) for part in parts]
        results: list[Any] = [None] * len(parts)
        remaining = iter(range(len(parts)))  # shared by all threads
        stopped: Interrupted | None = None
        with ThreadPoolExecutor(helpers) as pool:
            futures = [pool.submit(self._drain, function, parts, remaining, results) for _ in range(helpers)]
            try:
                self._drain(function, parts, remaining, results)
            except Interrupted as interrupted:  # perhaps because of another failure, which is the cause
                stopped = interrupted
        failures = [cast("BaseException", f.exception()) for f in futures if f.exception() is not None]
        try:
            if stopped or failures:
                raise next((e for e in failures if not isinstance(e, Interrupted)), stopped or failures[0])
        finally:
            del futures, failures, stopped  # an exception knows this frame, which must not know it: data would stay
        return results

    def aside(
        self, function: Callable[..., Result], *arguments: object, tick: Callable[[], object] | None = None
    ) -> Result:
        """Return ``function(*arguments)``, by a thread of its own, which is left alone when the work is to end.

        For what can neither be cut into pieces nor interrupted; it must let other threads run meanwhile.  tick: called
        instead of `tick` while it runs.
        """
        pool = ThreadPoolExecutor(1)
        future = pool.submit(function, *arguments)
        pool.shutdown(wait=False)
        try:
            while not future.done():
                wait([future], PAUSE)
                (tick or self.tick)()
            return future.result()
        finally:
            del future  # as in `map`

    def spread(self, function: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
        """Return ``[function(part) for part in parts]`` of a function that changes nothing."""
        return self.map(function, parts)

    def deliver(self, function: Callable[[Part], Result], parts: Iterable[Part], take: Take) -> None:
        """Call ``take(number, result)``, one call at a time, for each result as soon as it is complete."""
        parts = list(parts)
        lock = threading.Lock()

        def compute_and_take(number: int) -> None:
            result = function(parts[number])
            with lock:
                take(number, result)

        self.map(compute_and_take, range(len(parts)))

    def total(self, function: Callable[[int], Result], parts: int = PARTS) -> Result:
        """Return the sum of ``function(part)`` over parts 0, 1, ..., of a function that changes nothing.

        Results are added in the order of the parts, each as soon as those before it are.
        """
        waiting: dict[int, Result] = {}
        total: Any = 0
        next_part = 0

        def add(part: int, result: Result) -> None:
            nonlocal total, next_part
            waiting[part] = result
            while next_part in waiting:
                total = total + waiting.pop(next_part)
                next_part += 1

        self.deliver(function, range(parts), add)
        return cast("Result", total)

    def _drain(
        self, function: Callable[[Part], object], parts: list[Part], remaining: Iterator[int], results: list[Any]
    ) -> None:
        """Compute parts as long as there are any; `remaining`, their indices, is shared by all threads."""
        finished = False
        try:
            for index in remaining:
                self.tick()
                results[index] = function(parts[index])
            finished = True
        finally:
            self._stopped |= not finished  # a failure, or Ctrl-C

    def _report(self, share: float) -> None:
        """Report a share of the present stage, never less than before; a failure of the callback ends the work."""
        finished = False
        try:
            begin, end = self._stage
            self._last = max(begin + share * (end - begin), self._last)
            cast("Callable[[float], object]", self._progress)(self._last)
            finished = True
        finally:
            self._stopped |= not finished
