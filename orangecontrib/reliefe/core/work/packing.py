"""Functions on their way to other processes: large arrays travel once, named by their content.

An array that is large is replaced by its name, and so is an object that workers keep (`kept_by_workers`), such as the
scaled rows: its parts travel once, and what it makes of them, tiles that are remembered too, stays where it was made.
"""

import hashlib
import io
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, cast

import numpy as np

from .threads import Work

LARGE = 2**16  # bytes from which on an array travels separately


@dataclass
class PackedFunction:
    """A function that is packed."""

    code: bytes = b""  # the function, in which large arrays and kept objects are names
    arrays: dict[str, np.ndarray] = field(default_factory=dict)  # by name, C-contiguous arrays
    kept: dict[str, bytes] = field(default_factory=dict)  # by name, objects that workers keep, packed likewise


def pack(function: Callable[..., Any]) -> PackedFunction:
    """A function of the package, or of a caller, with all that it refers to."""
    out = PackedFunction()
    try:
        out.code = _dump(function, out)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TypeError(f"the function to run on a cluster cannot be sent there: {error}") from error
    return out


def pack_part(part: object) -> bytes:
    """The argument of one part, with its arrays, in the order in which they lie in memory here."""
    return _dump(part, None)


def _dump(thing: object, into: PackedFunction | None) -> bytes:
    import cloudpickle

    class Packer(cloudpickle.Pickler):  # type: ignore[misc]  # cloudpickle has no types
        def persistent_id(self, part: Any) -> tuple[str, ...] | None:
            if isinstance(part, Work):
                return ("work",)
            if into is None or part is thing:
                return None
            if type(part) is np.ndarray and part.nbytes >= LARGE and not part.dtype.hasobject:
                flat = part.T if _order(part) == "F" else np.ascontiguousarray(part)
                digest = hashlib.blake2b(f"{flat.dtype.str}{flat.shape}".encode(), digest_size=16)
                digest.update(flat.reshape(-1).view(np.uint8).data)
                into.arrays[digest.hexdigest()] = flat
                return "array", digest.hexdigest(), _order(part)
            if getattr(type(part), "kept_by_workers", False):
                code = _dump(part, into)
                name = hashlib.blake2b(code, digest_size=16).hexdigest()
                into.kept[name] = code
                return "kept", name
            return None

        def reducer_override(self, part: Any) -> Any:
            if type(part) is np.ndarray and _order(part) == "A" and not part.dtype.hasobject:
                return strided, (np.ascontiguousarray(part),)
            if _is_global(part):
                return global_of, (part.__module__, part.__qualname__)
            return super().reducer_override(part)

    out = io.BytesIO()
    Packer(out, protocol=pickle.HIGHEST_PROTOCOL).dump(thing)
    return out.getvalue()


def _is_global(part: Any) -> bool:
    """True for compiled kernels of the package, which a worker finds by name: numba would copy them."""
    module, name = getattr(part, "__module__", None), getattr(part, "__qualname__", None)
    if isinstance(part, type | FunctionType) or not (isinstance(module, str) and isinstance(name, str)):
        return False  # these are found by name anyway
    return module.startswith("orangecontrib.reliefe.") and getattr(sys.modules.get(module), name, None) is part


def global_of(module: str, name: str) -> Any:
    """The function of a module."""
    __import__(module)
    return getattr(sys.modules[module], name)


def _order(array: np.ndarray) -> str:
    """Order of an array in memory, for which kernels are compiled: "C", "F", or "A" where there are gaps."""
    if array.flags.c_contiguous:
        return "C"
    return "F" if array.flags.f_contiguous else "A"


def strided(array: np.ndarray) -> np.ndarray:
    """The same numbers in an array with gaps, which kernels read as they read the one that was sent."""
    out: np.ndarray = np.empty((*array.shape, 2), array.dtype)[..., 0]
    out[...] = array
    return out


def unpack(code: bytes, find: Callable[[tuple[str, ...]], object]) -> Any:
    """The thing that was packed; find: from ("work",), ("array", name, order) or ("kept", name) to the object."""
    return _Unpacker(code, find).load()


class _Unpacker(pickle.Unpickler):
    """Not made by each call: a class refers to itself, and would hold what `find` does until garbage is collected."""

    def __init__(self, code: bytes, find: Callable[[tuple[str, ...]], object]):
        super().__init__(io.BytesIO(code))
        self._find = find

    def persistent_load(self, name: Any) -> object:
        return self._find(cast("tuple[str, ...]", name))
