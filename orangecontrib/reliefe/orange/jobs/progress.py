"""Progress and status of work in a thread, told to its `TaskState`, and whether it is to stop.

Functions of tasks call this; `Part` is the state of a part of a task.
"""

import sys
from collections.abc import Callable

from ...core.work.threads import Interrupted

LOADING = "Loading compiled code (takes longer the first time)"


def tell_loading(state) -> None:
    """Say what takes long where nothing has been computed yet; comes before imports of the core's kernels."""
    if "numba" not in sys.modules:
        state.set_status(LOADING)


def raise_if_stopped(state) -> None:
    """Raise `Interrupted` if the user wants the work to stop."""
    if state.is_interruption_requested():
        raise Interrupted


def reporter(state, start: float = 0.0, end: float = 1.0, most: float = 99.9) -> Callable[[float], None]:
    """Callback for the shares of a part of the work that goes from one share of the whole to another."""

    def report(share: float) -> None:
        raise_if_stopped(state)
        state.set_progress_value(min(100 * (start + share * (end - start)), most))

    return report


class Part:
    """State of a task that is a part of a longer one; all but progress and partial results is that of the whole."""

    def __init__(self, state, joined: Callable = lambda result: result, begin: float = 0.0, end: float = 1.0):
        """joined: makes the partial result of the whole from that of the part; begin, end: of the progress."""
        self._state = state
        self._joined = joined
        self._begin = begin
        self._end = end

    def __getattr__(self, name):
        return getattr(self._state, name)

    def set_progress_value(self, percent: float) -> None:
        self._state.set_progress_value(100 * self._begin + percent * (self._end - self._begin))

    def set_partial_result(self, result: object) -> None:
        self._state.set_partial_result(self._joined(result))
