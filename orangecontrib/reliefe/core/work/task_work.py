"""Work of the tasks on a worker of a Dask cluster.

Functions refer to a `Work`; where `parcels.py` unpickles them on a worker, `TASK_WORK` takes the place of the sender's.
"""

import math
import threading
import time

from .threads import PAUSE, Interrupted, Work


class TaskOfThread(threading.local):
    """The task that a thread runs; before it begins one, it counts units, and does not look for a stop.

    Attributes
    ----------
    key : str
        Key of the task at the scheduler; empty without one.
    units : float
        Units that were counted.
    due : float
        Time, of the monotonic clock, from which on it looks for a stop again.
    """

    key: str = ""
    units: float = 0.0
    due: float = math.inf


class TaskWork(Work):
    """Counts units for the sender, and stops when the task is cancelled; each thread runs a task of its own."""

    def __init__(self) -> None:
        super().__init__(1)
        self._task = TaskOfThread()

    def begin(self, key: str) -> None:
        """Count from 0, for the task that this thread begins; key: its key, empty if it has none to be cancelled by."""
        self._task.key = key
        self._task.units = 0.0
        self._task.due = time.monotonic() + PAUSE if key else math.inf

    @property
    def units(self) -> float:
        """Units that were counted by this thread."""
        return self._task.units

    def plan(self, units: float) -> None:
        """Overrides Work.plan: the sender has a plan."""

    def stage(self, begin: float, end: float) -> None:
        """Overrides Work.stage: the sender has stages."""

    def finish(self) -> None:
        """Overrides Work.finish: the sender knows when all is done."""

    def tick(self, units: float = 0) -> None:
        """Overrides Work.tick: count units; raises Interrupted when nobody waits for this task any more."""
        task = self._task
        task.units += units
        now = time.monotonic()
        if now >= task.due:
            task.due = now + PAUSE
            from distributed import get_worker

            try:
                state_of_task = get_worker().state.tasks.get(task.key)
            except ValueError:  # not on a worker
                return
            if state_of_task is None or state_of_task.state == "cancelled":  # the scheduler has taken it back
                raise Interrupted

    def report(self, share: float) -> None:
        """Overrides Work.report: only look whether to stop."""
        self.tick()


TASK_WORK = TaskWork()
