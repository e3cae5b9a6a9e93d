"""Health of a cluster: its workers, and whether there is anybody left."""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

LOOK, LOST = 0.5, 6.0  # seconds between two looks, and without an answer or a worker until a cluster is lost


class ClusterError(RuntimeError):
    """A computation could not be finished because of a fault of the cluster."""


class Health:
    """Looks at a cluster now and then, on a thread of its own, as one that is gone does not answer."""

    def __init__(self, client: Any):
        self._client, self._lock = client, threading.Lock()
        self._known: dict[str, int] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._asked: Future[dict[str, int]] | None = None
        self._good = self._due = time.monotonic()

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
        while not self._known:
            self.check()
            time.sleep(LOOK / 50)
        return dict(sorted(self._known.items()))

    def check(self) -> None:
        """Look whether it is time to; raises ClusterError once the cluster has been gone for `LOST` seconds."""
        now = time.monotonic()
        if now < self._due and self._known:
            return
        with self._lock:
            if self._asked is not None and self._asked.done():
                found = {} if self._asked.exception() else self._asked.result()
                self._asked, self._known = None, found
                self._good = now if found else self._good
            if self._asked is None and self._client.status == "running":
                self._due = now + LOOK
                pool = ThreadPoolExecutor(1)
                self._asked = pool.submit(self._client.nthreads)
                pool.shutdown(wait=False)
        if now - self._good > LOST:
            alone = self._client.status == "running" and self._asked is None
            what = "has no workers any more" if alone or self._known == {} else "does not answer any more"
            raise ClusterError(f"the cluster {self.address} {what}: start it again, or rank on this machine")
