"""The work of a task on a worker of a cluster (Dask), which stands for the sender's: `parcels.py` puts it there."""

import threading
import time

from .threads import PAUSE, Interrupted, Work


class Far(Work):
    """Work of a task: it counts units for the sender, and stops when the task is cancelled."""

    def __init__(self) -> None:
        super().__init__(1)
        self._own = threading.local()

    def begin(self, key: str) -> None:
        """Count from 0, for the task that this thread begins."""
        self._own.units = 0.0
        self._own.due = time.monotonic() + PAUSE
        self._own.key = key

    @property
    def units(self) -> float:
        """Units that were counted by this thread."""
        return float(self._own.units)

    def plan(self, units: float) -> None:
        """Nothing: the sender has a plan."""

    def stage(self, begin: float, end: float) -> None: ...

    def finish(self) -> None: ...

    def tick(self, units: float = 0) -> None:
        """Count units; raises Interrupted when nobody waits for this task any more."""
        own = self._own
        own.units += units
        now = time.monotonic()
        if now >= own.due:
            own.due = now + PAUSE
            from distributed import get_worker

            try:
                task = get_worker().state.tasks.get(own.key)
            except ValueError:  # not on a worker
                return
            if task is None or task.state == "cancelled":  # the scheduler has taken it back
                raise Interrupted

    def report(self, share: float) -> None:
        """Only look whether to stop."""
        self.tick()


FAR = Far()
