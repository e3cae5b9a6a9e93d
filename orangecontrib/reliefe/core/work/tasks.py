"""The side of the workers of a cluster (Dask): how they run a task that `delivery.py` sends."""

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

MAX_KEPT = 8  # objects that a worker keeps: the oldest goes
MAX_FUNCTIONS = 4  # functions that it keeps


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


def run_part(
    versions_of_sender: Sequence[str], name: str, code: bytes, part: bytes, arrays: dict[str, np.ndarray]
) -> Any:
    """Run one part of a function on this worker.

    Parameters
    ----------
    versions_of_sender : sequence of str
        As `versions` returns them.
    name : str
        Name of the function, by which it is kept.
    code, part : bytes
        Function and part, packed.
    arrays : dict
        Arrays of both by name.

    Returns
    -------
    result, units, seconds
        Result of the part, units of the progress, and its time.

    Raises
    ------
    OtherVersion
        If the versions of this worker are other ones.
    """
    from distributed import worker

    differing = differences(versions(), versions_of_sender)
    if differing:
        raise OtherVersion(f"a worker has {'; '.join(differing)}")
    FAR.begin(str(getattr(worker.thread_state, "key", "")))  # type: ignore[attr-defined]
    start = time.perf_counter()
    with at_most(1), SERIAL_ALGEBRA:  # the rest are busy with parts of their own
        function = _function(name, code, arrays)
        result = function(unpack(part, lambda _: FAR))
    return result, FAR.units, time.perf_counter() - start


def _function(name: str, code: bytes, arrays: dict[str, np.ndarray]) -> Any:
    """Look up a function by its name, or unpack it; arguments as of `run_part`."""
    with _lock:
        if name in _functions:
            _functions.move_to_end(name)
            return _functions[name]
        code_of_function, kept_objects = unpack(code, lambda _: None)
        function = unpack(code_of_function, lambda reference: _resolve(reference, kept_objects, arrays))
        _put(_functions, name, function, MAX_FUNCTIONS)
        for array in arrays.values():  # Dask lets go of them at the end of a ranking, or of the sender
            weakref.finalize(array, _forget, name, *kept_objects)
        return function


def _resolve(reference: tuple[str, ...], kept_objects: dict[str, bytes], arrays: dict[str, np.ndarray]) -> object:
    """Return the object that a reference in a packed function stands for.

    reference : ("work",), ("array", name, order) or ("kept", name)
    kept_objects : packed objects that a worker keeps, by name
    """
    if reference[0] == "work":
        return FAR
    if reference[0] == "array":
        return _aligned_copy(reference[1], reference[2], arrays)
    name = reference[1]
    if name not in _kept:
        unpacked = unpack(kept_objects[name], lambda inner: _resolve(inner, kept_objects, arrays))
        _put(_kept, name, unpacked, MAX_KEPT)
    _kept.move_to_end(name)
    return _kept[name]


def _forget(function: str, *kept: str) -> None:
    """Let go of a function, and of objects that are kept, with all that they hold."""
    with _lock:
        _functions.pop(function, None)
        for name in kept:
            _kept.pop(name, None)


def _put(cache: OrderedDict[str, Any], name: str, value: object, max_entries: int) -> None:
    """Put a value into a cache, of which the oldest entries go."""
    cache[name] = value
    while len(cache) > max_entries:
        cache.popitem(last=False)


def _aligned_copy(name: str, order: str, arrays: dict[str, np.ndarray]) -> np.ndarray:
    """Copy an array so that it begins on a cache line, in the order of the sender's array ("C", "F" or "A", any)."""
    key = name, order
    if key in _arrays:
        return _arrays[key]
    received = arrays[name]
    if order == "A":
        array = strided(received)
    else:
        array = aligned(received.shape, received.dtype)
        array[...] = received
        array = array.T if order == "F" else array
    _arrays[key] = array
    return array
