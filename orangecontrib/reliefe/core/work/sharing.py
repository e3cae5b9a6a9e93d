"""Work whose parts run on the workers of a Dask cluster; progress and stop stay here."""

import asyncio
import pickle
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .delivery import ATTEMPTS, Delivery
from .health import CHECK_SECONDS, ClusterError, Health
from .packing import PackedFunction
from .threads import Part, Progress, Result, Take, Work

WORTH_A_TRIP = 0.2  # seconds of all parts together below which the same function stays at home the next time


class Cluster(Work):
    """Work whose parts run on the workers of a client; parts that share memory (`map`) run on threads here.

    Results are put in the order of the parts and added there: that, not the number of workers, decides the bits.
    """

    remote = True

    def __init__(self, client: Any, n_jobs: int | None = 1, progress: Progress = None):
        super().__init__(n_jobs, progress)
        self.client = client
        self.health = Health(client)
        self.sent = 0  # bytes
        self._arrays: dict[str, Any] = {}
        self._short: set[Any] = set()

    @property
    def slots(self) -> int:
        """Number of threads of all workers."""
        return max(sum(self.health.threads().values()), 1)

    @property
    def processes(self) -> int:
        """Number of workers."""
        return len(self.health.threads())

    @property
    def here(self) -> Work:
        """The same work on threads of this process: one plan, one progress."""
        work = Work.__new__(Work)
        work.__dict__ = self.__dict__
        return work

    def spread(self, function: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
        """``[function(part) for part in parts]``, on the workers."""
        parts = list(parts)
        out: list[Any] = [None] * len(parts)
        self.deliver(function, parts, out.__setitem__)
        return out

    def deliver(self, function: Callable[[Part], Result], parts: Iterable[Part], take: Take) -> None:
        """Call ``take(number, result)`` for the result of each part as soon as it comes back."""
        parts = list(parts)
        kind = _kind(function)
        if not parts:
            return
        if kind in self._short:
            self.here.deliver(function, parts, take)
            return
        finished = False
        try:
            seconds = Delivery(self, function, parts, take).run()
            finished = True
        finally:
            if not finished:
                self.forget_arrays()
        if seconds < WORTH_A_TRIP:  # as in the iterations of a method on few rows
            self._short.add(kind)

    def arrays(self, packed: PackedFunction) -> dict[str, Any]:
        """Futures of the arrays of a function, which are sent if they are not there."""
        missing = {name: array for name, array in packed.arrays.items() if name not in self._arrays}
        if missing:
            near = str(self.client.scheduler.address).startswith("inproc")  # there workers would see what changes here
            data = {f"{name}-{time.monotonic_ns()}": a.copy() if near else a for name, a in missing.items()}
            self.sent += sum(a.nbytes for a in data.values())
            futures = self.aside(self._scatter, data, tick=self.watch)
            self._arrays |= dict(zip(missing, futures, strict=True))
        return {name: self._arrays[name] for name in packed.arrays}

    def forget_arrays(self) -> None:
        """Let the scheduler forget the arrays, which are sent again when they are asked for.

        They are released here, not when they are collected: the frames of an exception may refer to them for long.
        """
        for future in self._arrays.values():
            future.release()
        self._arrays.clear()

    def finish(self) -> None:
        """Report that all is done; workers may forget the data."""
        self.forget_arrays()
        super().finish()

    def watch(self) -> None:
        """Raise the exception that ends the work: a wish to stop, or the loss of the cluster."""
        self.tick()
        self.health.check()

    def _scatter(self, data: dict[str, np.ndarray]) -> list[Any]:
        """Futures of arrays, which are sent again where a worker goes meanwhile."""
        for attempts_left in reversed(range(ATTEMPTS)):
            try:
                return list(self.client.scatter(data, hash=False, direct=self.health.direct).values())
            except (OSError, asyncio.TimeoutError, KeyError) as error:  # KeyError: the scheduler has lost the worker
                lost = error
            time.sleep(CHECK_SECONDS if attempts_left else 0)
        raise ClusterError(
            f"workers of the cluster {self.health.address} were lost {ATTEMPTS} times while data were sent to them: "
            "start them again, or rank on this machine"
        ) from lost


def _kind(function: Any) -> Any:
    """Code of a function, the same for each time that it is made."""
    inner = getattr(function, "func", function)  # of a partial
    inner = getattr(inner, "__func__", inner)
    return getattr(inner, "__code__", None) or pickle.dumps(type(inner))
