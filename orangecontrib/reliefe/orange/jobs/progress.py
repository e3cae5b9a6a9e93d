"""Progress and status of work in a thread, told to its `TaskState`, and whether it is to stop.

Functions of tasks call this.
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
