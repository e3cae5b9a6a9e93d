"""Health of a cluster (Dask): its workers, and whether any is left.

`delivery.py` checks it while workers compute.
"""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from .tasks import OtherVersion
from .threads import Interrupted

CHECK_SECONDS = 0.5  # between two questions to a cluster
LOST_SECONDS = 6.0  # without an answer or a worker, after which a cluster is lost


class ClusterError(RuntimeError):
    """A computation could not be finished because of a fault of the cluster."""


class Health:
    """State of a cluster, which is asked for now and then by a thread of its own: one that is gone does not answer."""

    def __init__(self, client: Any):
        """Begin with no known workers; client: of Dask."""
        self._client = client
        self._lock = threading.Lock()
        self._threads_of_workers: dict[str, int] = {}
        self._answer: Future[dict[str, int]] | None = None  # to the question that was asked last
        self._last_good = time.monotonic()  # time of the last answer with workers
        self._due = self._last_good  # time of the next question

    @property
    def address(self) -> str:
        """Address of the scheduler."""
        return str(getattr(self._client.scheduler, "address", "") or self._client)

    @property
    def direct(self) -> bool | None:
        """True if the workers of the scheduler are on this machine, so that nothing needs to pass through it."""
        host = self.address.split("://")[-1].rsplit(":", 1)[0]
        return True if host in ("127.0.0.1", "localhost") or self.address.startswith("inproc") else None

    def threads(self) -> dict[str, int]:
        """Threads of each worker, by address; raises ClusterError if no worker answers for a while."""
        while not self._threads_of_workers:
            self.check()
            time.sleep(CHECK_SECONDS / 50)
        return dict(sorted(self._threads_of_workers.items()))

    def check(self) -> None:
        """Ask the cluster if it is time to; raises ClusterError once it has been gone for `LOST_SECONDS`."""
        time_now = time.monotonic()
        if time_now < self._due and self._threads_of_workers:
            return
        with self._lock:
            if self._answer is not None and self._answer.done():
                self._threads_of_workers = {} if self._answer.exception() else self._answer.result()
                self._answer = None
                if self._threads_of_workers:
                    self._last_good = time_now
            if self._answer is None and self._client.status == "running":
                self._due = time_now + CHECK_SECONDS
                pool = ThreadPoolExecutor(1)
                self._answer = pool.submit(self._client.nthreads)
                pool.shutdown(wait=False)
        if time_now - self._last_good > LOST_SECONDS:
            has_answered = self._client.status == "running" and self._answer is None
            has_no_workers = has_answered or self._threads_of_workers == {}
            problem = "has no workers any more" if has_no_workers else "does not answer any more"
            raise ClusterError(f"the cluster {self.address} {problem}: start it again, or rank on this machine")

    def explained(self, error: Any) -> BaseException:
        """Return the exception of a worker in words if it is one of the cluster, else itself."""
        address = self.address
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
