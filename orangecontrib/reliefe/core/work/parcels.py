"""Functions on their way to the workers of a Dask cluster, as parcels that Dask scatters and holds in its memory.

`delivery.py` packs a function for each pass: what it refers to and is large (an array), or is kept between passes (an
object with `kept_by_workers`, such as the scaled rows), becomes a parcel of its own, which travels once.  A worker
opens a parcel once; Dask holds it, with what the object remembers, until the sender releases its future.
"""

import io
import pickle
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Literal

import numpy as np

from ..relief.formats.aligned_arrays import aligned
from .task_work import TASK_WORK
from .threads import Work

MIN_PARCEL_BYTES = 2**16  # of an array that travels on its own; chosen by eye, far above what a parcel costs

Order = Literal["C", "F", "A"]

_opening = threading.RLock()  # threads of a worker share its parcels


class ArrayParcel:
    """An array, which a worker receives in the memory layout for which kernels were compiled, on a cache line.

    Attributes
    ----------
    array : array
        As it lies in memory here.
    """

    def __init__(self, array: np.ndarray):
        self.array = array

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (_flat(self.array), _order(self.array))

    def __sizeof__(self) -> int:
        return self.array.nbytes

    def open(self, _: "Parcels") -> np.ndarray:
        """Return the array."""
        return self.array


class ObjectParcel:
    """An object that is pickled apart from the parcels that it refers to.

    Attributes
    ----------
    code : bytes
        The pickled object, with names of further parcels.
    """

    def __init__(self, code: bytes):
        self.code = code
        self._opened: list[Any] = []  # the object, once it is unpickled

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code,)  # without what the object remembers

    def __sizeof__(self) -> int:
        return len(self.code)

    def open(self, parcels: "Parcels") -> Any:
        """Return the object, the same one each time; parcels: those that it refers to, by name."""
        with _opening:
            if not self._opened:
                self._opened.append(unpack(self.code, parcels))
            return self._opened[0]


Parcel = ArrayParcel | ObjectParcel
Parcels = dict[str, Parcel]


@dataclass
class Packing:
    """Parcels that are made for one function. Names are made of the contents, which are read once.

    Attributes
    ----------
    parcels : dict
        Parcels by name.
    packed : dict of int to (object, str)
        What has a parcel, and its name, by identity. Objects are kept, so that no other one takes their identity.
    """

    parcels: Parcels = field(default_factory=dict)
    packed: dict[int, tuple[object, str]] = field(default_factory=dict)

    def add(self, thing: object) -> str:
        """Add a parcel for an array or an object, and those for what it refers to; return its name."""
        if id(thing) not in self.packed:
            name, parcel = self._parcel_of(thing)
            self.parcels[name] = parcel
            self.packed[id(thing)] = thing, name
        return self.packed[id(thing)][1]

    def _parcel_of(self, thing: object) -> tuple[str, Parcel]:
        """Return a new parcel and its name."""
        from dask.base import tokenize

        if type(thing) is np.ndarray:
            return f"array-{_order(thing)}-{tokenize(_flat(thing))}", ArrayParcel(thing)
        code = _dump(thing, self)
        return f"object-{tokenize(code)}", ObjectParcel(code)


def pack(function: Callable[..., Any]) -> tuple[str, Parcels]:
    """Return the name of a function and its parcels, itself included.

    Raises TypeError if the function refers to what cannot be pickled.
    """
    packing = Packing()
    try:
        name = packing.add(function)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TypeError(f"the function to run on a cluster cannot be sent there: {error}") from error
    return name, packing.parcels


def pack_part(part: object) -> bytes:
    """Pickle the argument of one part with its arrays, in the order in which they lie in memory here."""
    return _dump(part, None)


def unpack(code: bytes, parcels: Parcels) -> Any:
    """Unpickle an object on a worker; parcels: those that it refers to, by name."""
    return _Unpickler(code, parcels).load()


def _dump(thing: object, packing: Packing | None) -> bytes:
    """Pickle an object; packing: takes its large arrays and kept objects, None to pickle them with it."""
    import cloudpickle

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]  # cloudpickle has no types
        def persistent_id(self, part: Any) -> str | None:
            """Overrides Pickler.persistent_id: "" for the work, the name of a parcel, or None for all else."""
            if isinstance(part, Work):
                return ""
            if packing is None or part is thing:
                return None
            is_large = type(part) is np.ndarray and part.nbytes >= MIN_PARCEL_BYTES and not part.dtype.hasobject
            return packing.add(part) if is_large or getattr(type(part), "kept_by_workers", False) else None

        def reducer_override(self, part: Any) -> Any:
            """Overrides Pickler.reducer_override: arrays with gaps keep them, and kernels go by name."""
            if type(part) is np.ndarray and _order(part) == "A" and not part.dtype.hasobject:
                return _strided, (_flat(part),)
            if _is_kernel(part):
                return global_of, (part.__module__, part.__qualname__)
            return super().reducer_override(part)

    out = io.BytesIO()
    Pickler(out, protocol=pickle.HIGHEST_PROTOCOL).dump(thing)
    return out.getvalue()


class _Unpickler(pickle.Unpickler):
    """Unpickle what `_dump` made; no class within a function, which would hold the parcels in a cycle."""

    def __init__(self, code: bytes, parcels: Parcels):
        super().__init__(io.BytesIO(code))
        self._parcels = parcels

    def persistent_load(self, name: Any) -> object:
        """Overrides Unpickler.persistent_load: the work of a worker for "", or what is in a parcel."""
        if not name:
            return TASK_WORK
        return self._parcels[name].open(self._parcels)


def _is_kernel(part: Any) -> bool:
    """True for compiled kernels of the package, which a worker finds by name: numba would copy them."""
    module = getattr(part, "__module__", None)
    name = getattr(part, "__qualname__", None)
    if isinstance(part, type | FunctionType) or not (isinstance(module, str) and isinstance(name, str)):
        return False  # these are found by name anyway
    return module.startswith("orangecontrib.reliefe.") and getattr(sys.modules.get(module), name, None) is part


def global_of(module: str, name: str) -> Any:
    """Import the function of a module."""
    __import__(module)
    return getattr(sys.modules[module], name)


def _order(array: np.ndarray) -> Order:
    """Return the order of an array in memory, for which kernels are compiled: "A" where there are gaps."""
    if array.flags.c_contiguous:
        return "C"
    return "F" if array.flags.f_contiguous else "A"


def _flat(array: np.ndarray) -> np.ndarray:
    """Return the numbers of an array in C order: transposed for order "F", copied for order "A"."""
    return array.T if _order(array) == "F" else np.ascontiguousarray(array)


def _received(flat: np.ndarray, order: Order) -> ArrayParcel:
    """Make the parcel of an array on a worker, of its `_flat` numbers and the order that it had."""
    if order == "A":
        return ArrayParcel(_strided(flat))
    array = aligned(flat.shape, flat.dtype)
    array[...] = flat
    return ArrayParcel(array.T if order == "F" else array)


def _strided(array: np.ndarray) -> np.ndarray:
    """Copy numbers into an array with gaps, which kernels read as they read the one that was sent."""
    out: np.ndarray = np.empty((*array.shape, 2), array.dtype)[..., 0]
    out[...] = array
    return out
