"""Compiled kernels on disk: the user's own, and behind them those that came with the package.

A file holds one function for one signature and one processor.  Its name contains a digest of whatever its machine code
depends on, so that it is found only where it fits.  Kernels in the package are for a class of processors (x86-64-v3 and
the like); the user's own are asked first.  What cannot be read is compiled, and what cannot be written stays in memory.

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
from uuid import uuid4

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import config
from numba.core import caching, dispatcher, event
from numba.core.serialize import dumps
from numba.np.ufunc import ufuncbuilder

from .compilation import COMPILATION

FOLDER = Path(__file__).parents[2] / "_compiled"
CHECKSUM_BYTES = 16
# Features of a processor of the class x86-64-v3, for which kernels are built there.
X86_64_V3 = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "sse4.2")


def runs_shipped_kernels() -> bool:
    """True if this processor has all that the kernels in the package may use, and none of another kind are wanted."""
    if not FOLDER.is_dir() or config.CPU_NAME or config.BOUNDSCHECK:  # type: ignore[attr-defined]  # set when numba is imported
        return False
    return "x86_64" not in llvm.get_process_triple() or all(map(llvm.get_host_cpu_features().get, X86_64_V3))


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
    """The object in a file of `write`; None if there is no file, or it cannot be read, or its bytes have changed."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    checksum, code = data[:CHECKSUM_BYTES], data[CHECKSUM_BYTES:]
    # Damaged machine code can end the process, and a damaged pickle raises anything: neither is loaded.
    return pickle.loads(code) if checksum == blake2b(code, digest_size=CHECKSUM_BYTES).digest() else None


def write(path: Path, thing: object) -> None:
    """Pickle an object behind a checksum; processes that do so at the same time do not meet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    code: bytes = dumps(thing)  # type: ignore[no-untyped-call]  # numba has no types
    temporary = path.with_name(f"{uuid4().hex}.tmp")
    try:
        temporary.write_bytes(blake2b(code, digest_size=CHECKSUM_BYTES).digest() + code)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


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
    known: list["KernelCache"] = []  # of all functions that were declared, for those who pack the files
    shipped: bool | None = None  # None: not yet looked; False: only what is compiled for this processor
    missing: list[str] = []  # functions that were found nowhere
    warned = False

    def __init__(self, function: Callable[..., object]):
        super().__init__(function)  # type: ignore[no-untyped-call]  # numba has no types
        self._place = Path(self._cache_path)
        self._name = f"{Path(inspect.getfile(function)).stem}.{function.__name__}.{sys.implementation.cache_tag}"
        self.known.append(self)

    @property
    def module(self) -> str:
        """Name of the module that the function is in: the folder of its files in the package."""
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

    def files(self) -> list[Path]:
        """Files in the user's cache that fit."""
        return sorted(self._place.glob(f"{self._name}.{self.stamp}.*"))

    def _path(self, sig: Any, codegen: Any) -> Path:
        signature, (triple, *processor), code = self._index_key(sig, codegen)  # type: ignore[no-untyped-call]  # numba has no types
        return self._place / f"{self._name}.{self.stamp}.{digest(signature, triple, code)}.{digest(processor)}.nbc"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for a signature, or None: then numba compiles it."""
        target_context.refresh()
        paths = [self._path(sig, target_context.codegen())]
        if KernelCache.shipped is None:
            KernelCache.shipped = runs_shipped_kernels()
        if KernelCache.shipped:
            paths += (FOLDER / self.module).glob(f"{paths[0].name.rsplit('.', 2)[0]}.*")
        found = next(filter(None, map(read, paths)), None)
        if found is None:
            self.missing.append(f"{self.module}.{self._py_func.__qualname__}{sig}")
            return None
        return self._impl.rebuild(target_context, found)

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
    """Cache of a function that another library wants to be kept: nobody packs it."""

    known: list[KernelCache] = []
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
