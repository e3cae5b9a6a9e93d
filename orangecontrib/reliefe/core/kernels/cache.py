"""Compiled kernels on disk, in the folder that numba chooses: beside the sources, or NUMBA_CACHE_DIR, or the user's.

numba's own files (``cache=True``) are not used, for three reasons. They have no checksum: damaged machine code, or an
index that is cut, ends the process. They do not notice that a kernel in another file has changed, which the calling one
contains. And a function whose folder cannot be written ends the import.

So a file holds one function for one signature and one processor, behind a checksum. Its name contains a digest of
whatever its machine code depends on, so that it is found only where it fits. What cannot be read is compiled, and what
cannot be written stays in memory. Of numba this takes the attribute `_cache` of a dispatcher, its choice of a folder,
how it makes bytes of a function, and its events: a scheduled job tests them with numba's newest pre-release.

Importing this file imports numba.
"""

import inspect
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import caching, dispatcher, event
from numba.core.serialize import dumps
from numba.np.ufunc import ufuncbuilder

from ..files import replacing
from .compilation import COMPILATION, STARTUP

CHECKSUM_BYTES = 16


class CompilerListener(event.Listener):
    """Listener of numba's compiler."""

    def on_start(self, event: Any) -> None:
        """Note that a compilation begins."""
        COMPILATION.begin()

    def on_end(self, event: Any) -> None:
        """Note that it has ended."""
        COMPILATION.end()


event.register("numba:compile", CompilerListener())  # type: ignore[no-untyped-call]  # numba has no types


def digest(*parts: object) -> str:
    """Short name of values that are written in the same way by every process."""
    return blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def read(path: Path) -> Any:
    """The object in a file of `write`; None if there is no file, it cannot be read, or its bytes or classes changed."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    checksum, code = data[:CHECKSUM_BYTES], data[CHECKSUM_BYTES:]
    # Damaged machine code can end the process, and a damaged pickle raises anything: neither is loaded.
    if checksum != blake2b(code, digest_size=CHECKSUM_BYTES).digest():
        return None
    try:
        return pickle.loads(code)
    except (AttributeError, ImportError):  # the named tuple of an argument was moved to another file
        return None


def write(path: Path, thing: object) -> None:
    """Pickle an object behind a checksum; processes that do so at the same time do not meet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    code: bytes = dumps(thing)  # type: ignore[no-untyped-call]  # numba has no types
    with replacing(path) as new:
        Path(new).write_bytes(blake2b(code, digest_size=CHECKSUM_BYTES).digest() + code)


class KernelFolder(caching.CompileResultCacheImpl):
    """numba's choice of a folder; where it can write to none, the user's own, in which there may be files to read."""

    def __init__(self, function: Callable[..., object]):
        try:
            super().__init__(function)  # type: ignore[no-untyped-call]  # numba has no types
        except RuntimeError:
            user_wide = self._locator_classes[2]  # its name depends on the version of numba
            self._locator = user_wide(function, inspect.getfile(function))  # type: ignore[no-untyped-call]
            self._filename_base = ""


class KernelCache(caching.FunctionCache):
    """Cache of one function, as numba asks for it."""

    _impl_class = KernelFolder
    missing: list[str] = []  # functions that were not found
    warned = False

    def __init__(self, function: Callable[..., object]):
        super().__init__(function)  # type: ignore[no-untyped-call]  # numba has no types
        self._place = Path(self._cache_path)
        self._name = f"{Path(inspect.getfile(function)).stem}.{function.__name__}.{sys.implementation.cache_tag}"

    @property
    def module(self) -> str:
        """Name of the module that the function is in."""
        return str(self._py_func.__module__)

    @cached_property
    def stamp(self) -> str:
        """Digest of the function's file, of the numbers that its kernels use, and of the files of kernels they call.

        It is asked for when all of them are declared.
        """
        names = self._py_func.__globals__
        kernels = [value for value in names.values() if isinstance(value, dispatcher.Dispatcher)]
        caches = [c for c in (getattr(kernel, "_cache", None) for kernel in kernels) if isinstance(c, KernelCache)]
        own = [self, *(cache for cache in caches if cache.module == self.module)]
        used = {name for cache in own for name in cache._py_func.__code__.co_names}
        numbers = sorted((name, names[name]) for name in used if isinstance(names.get(name), int | float | np.generic))
        others = sorted({cache.stamp for cache in caches if cache.module != self.module})
        source = self._impl.locator.get_source_stamp(), self._py_func.__code__.co_firstlineno
        return digest(numba.__version__, source, numbers, others)

    def _path(self, sig: Any, codegen: Any) -> Path:
        signature, (triple, *processor), code = self._index_key(sig, codegen)  # type: ignore[no-untyped-call]  # numba has no types
        return self._place / f"{self._name}.{self.stamp}.{digest(signature, triple, code)}.{digest(processor)}.nbc"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for a signature, or None: then numba compiles it."""
        with STARTUP.measured():
            target_context.refresh()
            stored = read(self._path(sig, target_context.codegen()))
            if stored is None:
                self.missing.append(f"{self.module}.{self._py_func.__qualname__}{sig}")
                return None
            return self._impl.rebuild(target_context, stored)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a function that was compiled, in the place of those that fit no more."""
        if not self._impl.check_cachable(data):
            return
        try:
            write(self._path(sig, data.codegen), self._impl.reduce(data))
        except OSError as error:
            if not KernelCache.warned:
                KernelCache.warned = True
                warnings.warn(
                    f"Compiled functions cannot be kept in {self._place} ({error.strerror}). Every process compiles "
                    "them again, which takes some ten seconds. Make room there, or set the environment variable "
                    "NUMBA_CACHE_DIR to a folder that you can write to.",
                    stacklevel=2,
                )
            return
        for old in self._place.glob(f"{self._name}.*.nbc"):
            if not old.name.startswith(f"{self._name}.{self.stamp}."):
                with suppress(OSError):
                    old.unlink()


class LibraryCache(KernelCache):
    """Cache of a function that another library wants to be kept: it is not counted as missing."""

    missing: list[str] = []


@contextmanager
def kept_like_kernels() -> Iterator[None]:
    """Context of the import of a library, which numba would end where its functions cannot be kept."""
    users: tuple[Any, ...] = dispatcher, ufuncbuilder
    for user in users:
        user.FunctionCache = LibraryCache
    try:
        yield
    finally:
        for user in users:
            user.FunctionCache = caching.FunctionCache
