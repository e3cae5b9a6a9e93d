"""One delivery: the parts of a function are sent to the workers of a cluster (Dask), and their results come back.

`Cluster.deliver` (`sharing.py`) makes a `Delivery` for each pass over parts; `tasks.py` is the side of the workers.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Protocol
from uuid import uuid4

from .health import ClusterError, Health
from .parcels import Parcels, pack, pack_part
from .tasks import versions
from .threads import PAUSE, Take

ATTEMPTS = 4  # times that parts are sent, if they are lost with a worker


class LostResults(Exception):
    """A worker took results with it that were complete; the scheduler has them computed again."""


class SendingWork(Protocol):
    """Work that sends parts, as a `Cluster` does.

    Attributes
    ----------
    client : distributed.Client
        Client of the cluster.
    health : Health
        Whether its workers answer.
    sent : int
        Bytes that were sent.
    """

    client: Any
    health: Health
    sent: int

    def scattered(self, parcels: Parcels) -> dict[str, Any]:
        """Return futures of parcels by name, which are sent if they are not there."""

    def forget(self, names: Iterable[str] | None = None) -> None:
        """Let the workers forget parcels, all of them for None."""

    def watch(self) -> None:
        """Raise the exception that ends the work: a wish to stop, or the loss of the cluster."""

    def tick(self, units: float = 0) -> None:
        """Count units, and look whether to stop."""

    def aside(self, function: Callable[..., Any], *arguments: Any, tick: Callable[[], object] | None = None) -> Any:
        """Call a function on another thread, and tick meanwhile."""


class Sent(NamedTuple):
    """A part that is on its way.

    Attributes
    ----------
    number : int
        Its place among the parts.
    future : distributed.Future
        Its result.
    """

    number: int
    future: Any


class Delivery:
    """The parts of a function on the workers.

    Parameters
    ----------
    work : SendingWork
        Sends the parcels, counts units, and looks whether to stop.
    function : callable
        Part -> result; it changes nothing.
    parts : sequence
        Arguments of the function.
    take : callable
        Called with the number of a part and its result.
    """

    def __init__(self, work: SendingWork, function: Callable[[Any], Any], parts: Sequence[Any], take: Take):
        self.work = work
        self.take = take
        self.parts = [pack_part(part) for part in parts]
        self._name, self._parcels = pack(function)
        self._pending: dict[Any, Sent] = {}  # by the key of the future
        self._done: SimpleQueue[Any] = SimpleQueue()  # futures that are done
        self._seconds = 0.0  # that workers took

    def run(self) -> float:
        """Send the parts, and take their results; return the seconds that workers took."""
        remaining = set(range(len(self.parts)))
        is_finished = False
        try:
            for _ in range(ATTEMPTS):
                self._send(sorted(remaining))
                n_lost = self._collect(remaining)
                if not remaining:
                    is_finished = True
                    return self._seconds
                self.work.forget()
            raise ClusterError(
                f"workers of the cluster {self.work.health.address} were lost {ATTEMPTS} times with their "
                f"results ({n_lost} parts the last time). Give them more memory, or rank on this machine"
            )
        finally:
            self._end(is_finished)

    def _send(self, numbers: Sequence[int]) -> None:
        """Send parts: the same part of each pass to the same worker, which remembers its tiles."""
        work = self.work
        futures = work.scattered(self._parcels)
        slots = [address for address, threads in work.health.threads().items() for _ in range(threads)]
        names = list(futures)
        futures_of_parcels = list(futures.values())
        run_task = starter()
        for number in numbers:
            work.sent += len(self.parts[number])
            future = work.client.submit(
                run_task,
                (versions(), self._name, self.parts[number], names),
                futures_of_parcels,
                key=f"reliefe-{number}-{uuid4().hex}",
                pure=False,
                workers=[slots[number % len(slots)]],
                allow_other_workers=True,
            )
            self._pending[future.key] = Sent(number, future)
            future.add_done_callback(self._done.put)

    def _collect(self, remaining: set[int]) -> int:
        """Take results until nothing is on its way; return the number of parts that were lost.

        Parameters
        ----------
        remaining : set of int
            Numbers of the parts without a result. Those that get one are removed, in place.
        """
        n_lost = 0
        while self._pending:
            ready = self._ready()
            self.work.watch()
            finished = [future for future in ready if future.status == "finished"]
            for future in ready:
                if future.status == "error":
                    raise self.work.health.explained(future.exception())
            results = self._gathered(finished)
            for future in ready:
                number = self._pending.pop(future.key).number
                future.release()  # not when it is collected: its callback refers to the queue that may have it
                if future.key not in results:
                    n_lost += 1
                    continue
                result, units, seconds = results[future.key]
                self._seconds += seconds
                remaining.discard(number)
                self.take(number, result)
                self.work.tick(units)
        return n_lost

    def _ready(self) -> list[Any]:
        """Wait a while for futures that are done, and return those that are pending, each once."""
        futures: dict[Any, Any] = {}
        try:
            future = self._done.get(timeout=PAUSE)
            while True:
                futures[future.key] = future
                future = self._done.get_nowait()
        except Empty:
            return [future for key, future in futures.items() if key in self._pending]

    def _gathered(self, futures: list[Any]) -> dict[str, Any]:
        """Fetch the results of finished futures, by key; none if any was lost, so that all are computed again."""
        if not futures:
            return {}
        work = self.work

        def watch() -> None:
            """Watch the cluster; results that a worker took with it are computed again, and gather may wait forever."""
            work.watch()
            if any(future.status != "finished" for future in futures):
                raise LostResults

        try:
            results = work.aside(work.client.gather, futures, "raise", work.health.direct, tick=watch)
        except (OSError, CancelledError, LostResults):
            return {}
        return dict(zip((future.key for future in futures), results, strict=True))

    def _end(self, is_finished: bool) -> None:
        """Release all futures; unless all parts have results, take their tasks back from the scheduler."""
        futures = [sent.future for sent in self._pending.values()]
        self._pending.clear()
        try:
            if futures and not is_finished and self.work.client.status == "running":
                self.work.client.cancel(futures, force=True, asynchronous=False)
        except (OSError, asyncio.TimeoutError):
            pass  # a scheduler that does not answer forgets what is released when it does
        finally:
            for future in futures:
                future.release()
            self.work.forget([self._name])


def starter() -> Callable[..., Any]:
    """Return the function that tasks call.

    It travels by value, so that neither the scheduler nor a worker without the package fails before it can say so.
    """

    def run_task(task: tuple[Any, ...], parcels: list[Any]) -> Any:
        from orangecontrib.reliefe.core.work.tasks import run_part

        versions_of_sender, name, part, names = task
        return run_part(versions_of_sender, name, part, dict(zip(names, parcels)))  # noqa: B905  # of the same length

    return run_task


def checker() -> Callable[..., None]:
    """Return the function by which a worker checks its versions; it travels by value, as that of `starter` does."""

    def check(versions_of_sender: Sequence[str]) -> None:
        from orangecontrib.reliefe.core.work.tasks import check_versions

        check_versions(versions_of_sender)

    return check
