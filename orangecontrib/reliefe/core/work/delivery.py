"""One delivery: the parts of a function go out to workers, and their results come home."""

import asyncio
import hashlib
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from .health import ClusterError
from .packing import LARGE, Packed, pack, pack_part
from .tasks import OtherVersion, versions
from .threads import PAUSE, Interrupted, Take

ATTEMPTS = 4  # times that what was lost with a worker is sent


class LostResults(Exception):
    """A worker took results with it that were complete; the scheduler has them computed again."""


class Sent(NamedTuple):
    """A part that is on its way.

    Attributes
    ----------
    number : int
        Its place among the parts.
    future : distributed.Future
        Its result.
    worker : str
        Address of the worker that was asked first; another one may take the part over.
    """

    number: int
    future: Any
    worker: str


class Delivery:
    """The parts of a function on the workers."""

    def __init__(self, work: Any, function: Callable[[Any], Any], parts: Sequence[Any], take: Take):
        self.work, self.take, self.parts = work, take, [pack_part(part) for part in parts]
        packed = pack(function)
        self._code = pickle.dumps((packed.code, packed.kept))
        self._name = hashlib.blake2b(self._code, digest_size=16).hexdigest()
        if len(self._code) > LARGE:
            packed.arrays[self._name] = np.frombuffer(self._code, np.uint8)
        self._packed: Packed = packed
        self._pending: dict[Any, Sent] = {}
        self._back: SimpleQueue[Any] = SimpleQueue()
        self._seconds = 0.0

    def run(self) -> float:
        """Send the parts, and take their results; returns the seconds that they took."""
        left, finished = set(range(len(self.parts))), False
        try:
            for _ in range(ATTEMPTS):
                self._send(sorted(left))
                lost = self._collect(left)
                if not left:
                    finished = True
                    return self._seconds
                self.work.forget_arrays()
            raise ClusterError(
                f"workers of the cluster {self.work.health.address} were lost {ATTEMPTS} times with their "
                f"results ({lost} parts the last time). Give them more memory, or rank on this machine"
            )
        finally:
            self._end(finished)

    def _send(self, numbers: Sequence[int]) -> None:
        """Parts to the workers: the same part of each pass to the same worker, which remembers its tiles."""
        work, client = self.work, self.work.client
        arrays = work.arrays(self._packed)
        code = None if self._name in arrays else self._code
        places = [address for address, threads in work.health.threads().items() for _ in range(threads)]
        names, futures, stamp, start = list(arrays), list(arrays.values()), versions(), starter()
        for number in numbers:
            worker = places[number % len(places)]
            work.sent += len(self.parts[number]) + len(code or b"")
            future = client.submit(
                start,
                (stamp, self._name, code, self.parts[number], names),
                futures,
                key=f"reliefe-{self._name[:8]}-{number}-{uuid4().hex}",
                pure=False,
                workers=[worker],
                allow_other_workers=True,
            )
            self._pending[future.key] = Sent(number, future, worker)
            future.add_done_callback(self._back.put)

    def _collect(self, left: set[int]) -> int:
        """Take results until nothing is on its way; returns how many parts were lost."""
        lost = 0
        while self._pending:
            ready = self._ready()
            self.work.watch()
            lost += self._withdraw_stranded()
            good = [future for future in ready if future.status == "finished"]
            for future in ready:
                if future.status == "error":
                    raise self._explained(future.exception())
            results = self._gathered(good)
            for future in ready:
                number = self._pending.pop(future.key).number
                future.release()  # not when it is collected: its callback refers to the queue that may have it
                if future.key not in results:
                    lost += 1
                    continue
                result, units, seconds = results[future.key]
                self._seconds += seconds
                left.discard(number)
                self.take(number, result)
                self.work.tick(units)
        return lost

    def _withdraw_stranded(self) -> int:
        """Withdraw parts whose worker is gone; returns how many.

        The scheduler gives them to another worker, but not if there was none at that moment: a part that allows other
        workers then waits forever for the address that is gone (`bulk_schedule_unrunnable_after_adding_worker` of
        distributed 2026.8 looks at addresses only). So they are sent again.
        """
        workers = self.work.health.threads()
        stranded = [
            key for key, sent in self._pending.items() if sent.worker not in workers and sent.future.status == "pending"
        ]
        for key in stranded:
            self._pending.pop(key).future.release()
        return len(stranded)

    def _ready(self) -> list[Any]:
        """Futures that are done, after a while at most."""
        out = []
        try:
            out.append(self._back.get(timeout=PAUSE))
            while True:
                out.append(self._back.get_nowait())
        except Empty:
            return [future for future in {f.key: f for f in out}.values() if future.key in self._pending]

    def _gathered(self, futures: list[Any]) -> dict[str, Any]:
        """Results by key, without those that were lost on the way."""
        if not futures:
            return {}
        client, work = self.work.client, self.work

        def watch() -> None:
            """Watch the cluster; results that a worker took with it are computed again, and gather may wait forever."""
            work.watch()
            if any(future.status != "finished" for future in futures):
                raise LostResults

        try:
            results = work.aside(client.gather, futures, "raise", work.health.direct, tick=watch)
        except (OSError, CancelledError, LostResults):
            return {}
        return dict(zip((future.key for future in futures), results, strict=True))

    def _explained(self, error: Any) -> BaseException:
        """An exception of a task in words, if it is one of the cluster; else itself."""
        address = self.work.health.address
        if isinstance(error, Interrupted):
            return ClusterError(f"the cluster {address} has taken back its tasks: somebody else has cancelled them")
        if isinstance(error, OtherVersion):
            return ClusterError(
                f"{error}, on the cluster {address}: use the same versions and one kind of processor everywhere"
            )
        if isinstance(error, ImportError) and str(getattr(error, "name", "")).startswith("orangecontrib"):
            return ClusterError(f"a worker of the cluster {address} has no Orange3-ReliefE: install it there")
        if type(error).__name__ == "KilledWorker":
            return ClusterError(f"workers of the cluster {address} died again and again: they may lack memory")
        return error if isinstance(error, BaseException) else ClusterError(str(error))

    def _end(self, finished: bool) -> None:
        """Leave nothing on the scheduler."""
        futures = [sent.future for sent in self._pending.values()]
        self._pending.clear()
        try:
            if futures and not finished and self.work.client.status == "running":
                self.work.client.cancel(futures, force=True, asynchronous=False)
        except (OSError, asyncio.TimeoutError):
            pass  # a scheduler that does not answer forgets what is released when it does
        finally:
            for future in futures:
                future.release()


def starter() -> Callable[..., Any]:
    """The function that tasks call.  It travels by value, so that neither the scheduler nor a worker without the
    package fails before it can say so."""

    def start(what: tuple[Any, ...], arrays: list[Any]) -> Any:
        from orangecontrib.reliefe.core.work.tasks import run_part

        versions, name, code, part, names = what
        found = dict(zip(names, arrays))  # noqa: B905  # of the same length
        code = found[name].tobytes() if code is None else code
        return run_part(versions, name, code, part, found)

    return start
