"""The time that numba spends on compiling, which is no part of what a case may take."""

from functools import cache


def compile_seconds() -> float:
    """Seconds of compilation in this process since this was asked for first."""
    timer = _timer()
    return timer.duration if timer.done else 0.0


@cache
def _timer() -> object:
    from numba.core import event

    timer = event.TimingListener()
    event.register("numba:compile", timer)
    return timer
