"""The side of the workers: how they run a task."""

import platform
import sys
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import scipy

from ..relief.formats.aligned_arrays import aligned
from .packing import strided, unpack
from .threads import PAUSE, SERIAL_ALGEBRA, Interrupted, Work, at_most

MAX_KEPT, MAX_FUNCTIONS = 8, 4  # objects, and functions, that a worker keeps: the oldest goes


class OtherVersion(RuntimeError):
    """A worker has other versions than the process that sends it work."""


@cache
def versions() -> tuple[str, ...]:
    """Versions and the processor, on which bits depend, in words; the last are features of the processor."""
    import numba
    from llvmlite import binding

    own = sys.modules[__name__.split(".core.")[0]].__version__
    python = ".".join(platform.python_version_tuple()[:2])
    libraries = f"numba {numba.__version__}", f"NumPy {np.__version__}", f"SciPy {scipy.__version__}"
    processor = numba.config.CPU_NAME or binding.get_host_cpu_name()  # type: ignore[attr-defined]  # set at its import
    features = " ".join(sorted(name for name, is_there in binding.get_host_cpu_features().items() if is_there))
    return f"Orange3-ReliefE {own}", f"Python {python}", *libraries, f"the processor {processor}", features


def differences(there: Sequence[str], here: Sequence[str]) -> list[str]:
    """Versions and the kind of processor in which a worker differs from the sender, in words."""
    differing = [f"{a}, not {b}" for a, b in zip(there[:-1], here[:-1], strict=True) if a != b]
    features_there = set(there[-1].split())
    features_here = set(here[-1].split())
    added = features_there - features_here
    lacking = features_here - features_there
    if added:
        differing.append(f"a processor with {', '.join(sorted(added))}")
    if lacking:
        differing.append(f"a processor without {', '.join(sorted(lacking))}")
    return differing


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
_lock = threading.RLock()
_kept: OrderedDict[str, Any] = OrderedDict()
_functions: OrderedDict[str, Any] = OrderedDict()
_arrays: "weakref.WeakValueDictionary[tuple[str, str], np.ndarray]" = weakref.WeakValueDictionary()


def run_part(wanted: Sequence[str], name: str, code: bytes, part: bytes, arrays: dict[str, np.ndarray]) -> Any:
    """One part of a function on this worker."""
    from distributed import worker

    found = differences(versions(), wanted)
    if found:
        raise OtherVersion(f"a worker has {'; '.join(found)}")
    FAR.begin(str(getattr(worker.thread_state, "key", "")))  # type: ignore[attr-defined]
    start = time.perf_counter()
    with at_most(1), SERIAL_ALGEBRA:  # the rest are busy with parts of their own
        function = _function(name, code, arrays)
        result = function(unpack(part, lambda _: FAR))
    return result, FAR.units, time.perf_counter() - start


def _function(name: str, code: bytes, arrays: dict[str, np.ndarray]) -> Any:
    with _lock:
        if name in _functions:
            _functions.move_to_end(name)
            return _functions[name]
        own, kept = unpack(code, lambda _: None)
        found = unpack(own, lambda what: _found(what, kept, arrays))
        _put(_functions, name, found, MAX_FUNCTIONS)
        for array in arrays.values():  # Dask lets go of them at the end of a ranking, or of the sender
            weakref.finalize(array, _forget, name, *kept)
        return found


def _found(what: tuple[str, ...], kept: dict[str, bytes], arrays: dict[str, np.ndarray]) -> object:
    """The object that a name in a packed function stands for."""
    if what[0] == "work":
        return FAR
    if what[0] == "array":
        return _landed(what[1], what[2], arrays)
    if what[1] not in _kept:
        _put(_kept, what[1], unpack(kept[what[1]], lambda more: _found(more, kept, arrays)), MAX_KEPT)
    _kept.move_to_end(what[1])
    return _kept[what[1]]


def _forget(function: str, *kept: str) -> None:
    """Let go of a function, and of objects that are kept, with all that they hold."""
    with _lock:
        _functions.pop(function, None)
        for name in kept:
            _kept.pop(name, None)


def _put(into: OrderedDict[str, Any], name: str, thing: object, most: int) -> None:
    into[name] = thing
    while len(into) > most:
        into.popitem(last=False)


def _landed(name: str, order: str, arrays: dict[str, np.ndarray]) -> np.ndarray:
    """An array as kernels like it: where the sender's lay in order it does, and begins on a cache line."""
    key = name, order
    if key in _arrays:
        return _arrays[key]
    there = arrays[name]
    if order == "A":
        out = strided(there)
    else:
        out = aligned(there.shape, there.dtype)
        out[...] = there
        out = out.T if order == "F" else out
    _arrays[key] = out
    return out
