"""Work whose parts run on the workers of a Dask cluster; progress and stop stay here."""

import asyncio
import pickle
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

from .delivery import ATTEMPTS, Delivery, checker
from .health import CHECK_SECONDS, ClusterError, Health
from .parcels import Parcels
from .tasks import versions
from .threads import Part, Progress, Result, Take, Work

MAX_IDLE = 4  # deliveries without a parcel, after which workers forget it: iterations have new weights; chosen by eye
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
        self._parcels: dict[str, Any] = {}  # futures by name
        self._last_use: dict[str, int] = {}  # number of the delivery that used a parcel last, by name
        self._n_deliveries = 0
        self._are_workers_checked = False
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
                self.forget()
        if seconds < WORTH_A_TRIP:  # as in the iterations of a method on few rows
            self._short.add(kind)

    def scattered(self, parcels: Parcels) -> dict[str, Any]:
        """Return futures of parcels by name, which are sent if they are not there."""
        missing = {name: parcel for name, parcel in parcels.items() if name not in self._parcels}
        if missing:
            self._check_workers()
            if str(self.client.scheduler.address).startswith("inproc"):  # workers would see what changes here
                missing = {name: pickle.loads(pickle.dumps(parcel)) for name, parcel in missing.items()}
            self.sent += sum(sys.getsizeof(parcel) for parcel in missing.values())
            data = {f"{name}-{uuid4().hex}": parcel for name, parcel in missing.items()}
            futures = self.aside(self._scatter, data, tick=self.watch)
            self._parcels |= dict(zip(missing, futures, strict=True))
        self._n_deliveries += 1
        self._last_use |= dict.fromkeys(parcels, self._n_deliveries)
        self.forget([name for name in self._parcels if self._last_use[name] < self._n_deliveries - MAX_IDLE])
        return {name: self._parcels[name] for name in parcels}

    def forget(self, names: Iterable[str] | None = None) -> None:
        """Let the workers forget parcels, all of them for None; they are sent again when they are asked for.

        They are released here, not when they are collected: the frames of an exception may refer to them for long.
        """
        for name in list(self._parcels if names is None else names):
            future = self._parcels.pop(name, None)
            if future is not None:
                future.release()

    def finish(self) -> None:
        """Report that all is done; workers may forget the data."""
        self.forget()
        super().finish()

    def watch(self) -> None:
        """Raise the exception that ends the work: a wish to stop, or the loss of the cluster."""
        self.tick()
        self.health.check()

    def _check_workers(self) -> None:
        """Raise ClusterError if a worker lacks the package, without which it cannot read a parcel, or has another one.

        Once for this work; later workers check the versions of each part.
        """
        if self._are_workers_checked:
            return
        try:
            answers = self.aside(self._versions_checked, tick=self.watch)
        except (OSError, asyncio.TimeoutError):
            return  # the cluster does not answer: the watch decides how long to wait
        for error in answers.values():
            if error is not None and not isinstance(error, OSError):  # a worker that is gone
                raise self.health.explained(error)
        self._are_workers_checked = bool(answers)

    def _versions_checked(self) -> dict[str, Any]:
        """Let each worker check its versions; return None or its exception by its address."""
        return dict(self.client.run(checker(), versions(), on_error="return"))

    def _scatter(self, data: Parcels) -> list[Any]:
        """Return futures of parcels, which are sent again where a worker goes meanwhile."""
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
