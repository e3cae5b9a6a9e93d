"""The side of the workers of a cluster (Dask): how they run a task that `delivery.py` sends."""

import platform
import sys
import time
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import scipy

from .parcels import Parcels, unpack
from .task_work import TASK_WORK
from .threads import SERIAL_ALGEBRA, at_most


class OtherVersion(RuntimeError):
    """A worker has other versions than the process that sends it work."""


@cache
def versions() -> tuple[str, ...]:
    """Versions and the processor, on which bits depend, in words; the last are features of the processor."""
    import numba
    from llvmlite import binding

    own_version = sys.modules[__name__.split(".core.")[0]].__version__
    python = ".".join(platform.python_version_tuple()[:2])
    libraries = f"numba {numba.__version__}", f"NumPy {np.__version__}", f"SciPy {scipy.__version__}"
    processor = numba.config.CPU_NAME or binding.get_host_cpu_name()  # type: ignore[attr-defined]  # set at its import
    features = " ".join(sorted(name for name, is_there in binding.get_host_cpu_features().items() if is_there))
    return f"Orange3-ReliefE {own_version}", f"Python {python}", *libraries, f"the processor {processor}", features


def differences(versions_there: Sequence[str], versions_here: Sequence[str]) -> list[str]:
    """Versions and the kind of processor in which a worker differs from the sender, in words."""
    differing = [f"{a}, not {b}" for a, b in zip(versions_there[:-1], versions_here[:-1], strict=True) if a != b]
    features_there = set(versions_there[-1].split())
    features_here = set(versions_here[-1].split())
    added = features_there - features_here
    lacking = features_here - features_there
    if added:
        differing.append(f"a processor with {', '.join(sorted(added))}")
    if lacking:
        differing.append(f"a processor without {', '.join(sorted(lacking))}")
    return differing


def check_versions(versions_of_sender: Sequence[str]) -> None:
    """Raise OtherVersion if this worker has other versions than the sender."""
    differing = differences(versions(), versions_of_sender)
    if differing:
        raise OtherVersion(f"a worker has {'; '.join(differing)}")


def run_part(versions_of_sender: Sequence[str], name: str, part: bytes, parcels: Parcels) -> tuple[Any, float, float]:
    """Run one part of a function on this worker.

    Parameters
    ----------
    versions_of_sender : sequence of str
        As `versions` returns them.
    name : str
        Name of the parcel with the function.
    part : bytes
        The part, as `pack_part` returns it.
    parcels : dict
        The function and what it refers to, by name.

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

    check_versions(versions_of_sender)
    TASK_WORK.begin(str(getattr(worker.thread_state, "key", "")))  # type: ignore[attr-defined]
    start = time.perf_counter()
    with at_most(1), SERIAL_ALGEBRA:  # the rest are busy with parts of their own
        function: Any = parcels[name].open(parcels)
        result = function(unpack(part, parcels))
    return result, TASK_WORK.units, time.perf_counter() - start
