"""Compilation of kernels by numba, and loading of compiled code: both happen once, and stop the clocks of rankings.

`COMPILATION` says whether numba compiles, how often, and for how long. `STARTUP` is the time of compilation and of
loading. `Stopwatch` measures work without both.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

TOLD = "compiling, once after installation: some 10 s"
MIN_COMPILE_SECONDS = 1.0  # below which nobody needs to know; chosen by eye


class WallTime:
    """Wall time in which at least one thread of this process is busy with something."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._depth = 0  # beginnings without an end
        self._start = 0.0
        self._seconds = 0.0

    @property
    def active(self) -> bool:
        """True while a thread is busy."""
        return self._depth > 0

    @property
    def seconds(self) -> float:
        """Seconds in which a thread was busy, so far."""
        with self._lock:
            return self._seconds + (time.perf_counter() - self._start if self._depth else 0.0)

    def begin(self) -> None:
        """Note that a thread begins."""
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._start = time.perf_counter()

    def end(self) -> None:
        """Note that it has ended, or failed."""
        with self._lock:
            self._depth -= 1
            if not self._depth:
                self._seconds += time.perf_counter() - self._start

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Context in which this thread is busy."""
        self.begin()
        try:
            yield
        finally:
            self.end()


STARTUP = WallTime()


class Compilation(WallTime):
    """Compilations by numba, of all threads; `count`: functions compiled so far."""

    # Called by the thread that compiles, before each compilation that is not part of another one
    listener: Callable[[], object] | None = None

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def begin(self) -> None:
        """Note that a compilation begins; numba's lock lets one thread compile at a time."""
        STARTUP.begin()
        super().begin()
        self.count += 1
        if self._depth == 1 and self.listener:
            self.listener()

    def end(self) -> None:
        """Note that a compilation has ended, or failed."""
        super().end()
        STARTUP.end()


COMPILATION = Compilation()


def clock() -> float:
    """Return seconds of a clock that stops while code is compiled or loaded."""
    return time.perf_counter() - STARTUP.seconds


class Stopwatch:
    """Seconds of work without compilation and loading of code, and those of compilation.

    It runs from the beginning until `pause`, and from each `resume` until the next `pause`.

    Attributes
    ----------
    seconds : float
        Of work, until the last pause.
    compile_seconds : float
        Of compilation meanwhile, by any thread of this process.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.compile_seconds = 0.0
        self.resume()

    def resume(self) -> None:
        """Measure from now on."""
        self._start = clock()
        self._compile_start = COMPILATION.seconds

    def pause(self) -> None:
        """Add what was measured since the last `resume`."""
        self.seconds += clock() - self._start
        self.compile_seconds += COMPILATION.seconds - self._compile_start
