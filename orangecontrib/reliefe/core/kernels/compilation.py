"""Compilation of kernels by numba: whether it goes on, how much there was, and how long it took."""

import time
from collections.abc import Callable

TOLD = "compiling, once after installation: some 20 s"


class Compilation:
    """State of numba's compiler in this process, of all threads; `count`: functions compiled so far."""

    # Called by the thread that compiles, before each compilation that is not part of another one
    listener: Callable[[], object] | None = None

    def __init__(self) -> None:
        self.count = 0
        self._depth, self._start, self._seconds = 0, 0.0, 0.0

    @property
    def active(self) -> bool:
        """True while a thread compiles."""
        return self._depth > 0

    @property
    def seconds(self) -> float:
        """Seconds of wall time in which a thread compiled, so far."""
        start = self._start
        return self._seconds + (time.perf_counter() - start if self._depth else 0.0)

    def begin(self) -> None:
        """Note that a compilation begins; numba's lock lets one thread compile at a time."""
        self.count += 1
        self._depth += 1
        if self._depth == 1:
            self._start = time.perf_counter()
            if self.listener:
                self.listener()

    def end(self) -> None:
        """Note that a compilation has ended, or failed."""
        self._depth -= 1
        if not self._depth:
            self._seconds += time.perf_counter() - self._start


COMPILATION = Compilation()
