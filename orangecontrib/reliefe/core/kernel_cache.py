"""Compiled kernels on disk: the user's own, and behind them those that came with the package.

numba keeps what it compiled for one processor and one copy of a source file.  Kernels in the package are for a class of
processors (x86-64-v3 and the like) and are found by the hash of their source; numba's own cache is asked first.

Importing this file imports numba.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import llvmlite.binding as llvm
from numba import config
from numba.core import caching, event

from .compilation import COMPILATION

FOLDER = Path(__file__).parents[1] / "_compiled"
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


class KernelCache(caching.FunctionCache):
    """numba's cache of one function; where that has nothing, the files that came with the package.

    Parameters
    ----------
    function : callable
        The function before its compilation.
    """

    known: list["KernelCache"] = []  # of all functions that were declared, for those who pack the files
    shipped: bool | None = None  # None: not yet looked; False: only what is compiled for this processor
    missing: list[str] = []  # functions that were found nowhere

    def __init__(self, function: Callable[..., object]):
        super().__init__(function)  # type: ignore[no-untyped-call]  # numba has no types
        KernelCache.known.append(self)

    @property
    def module(self) -> str:
        """Name of the module that the function is in: the folder of its files in the package."""
        return str(self._py_func.__module__)

    def files(self) -> Iterator[Path]:
        """Files in the user's cache."""
        yield from Path(self._cache_path).glob(f"{self._impl.filename_base}.*")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for a signature, or None: then numba compiles it."""
        found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]  # numba has no types
        if found is None and self._may_use_shipped():
            found = self._load_shipped(sig, target_context)
        if found is None:
            KernelCache.missing.append(f"{self.module}.{self._py_func.__qualname__}{sig}")
        return found

    def _may_use_shipped(self) -> bool:
        if KernelCache.shipped is None:
            KernelCache.shipped = runs_shipped_kernels()
        return KernelCache.shipped

    def _load_shipped(self, sig: Any, target_context: Any) -> Any:
        stamp = self._impl.locator.get_source_stamp()
        files = cast("Any", caching.IndexDataCacheFile)(str(FOLDER / self.module), self._impl.filename_base, stamp)
        signature, (triple, *_), code = self._index_key(sig, target_context.codegen())  # type: ignore[no-untyped-call]  # numba has no types
        for key in files._load_index():
            if (key[0], key[1][0], key[2]) == (signature, triple, code):
                return self._impl.rebuild(target_context, files.load(key))
        return None
