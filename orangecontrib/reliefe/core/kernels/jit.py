"""The one numba decorator of the project.

A kernel costs nothing until it is called: numba is imported, and the kernels of a file are declared to it, at the first
call of any of them.  So everything but computing (tables of methods, widgets, the command line's help) does without it.
"""

import sys
import threading
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, cast

# Sums may be reordered and fused (what SIMD needs); NaN and infinity keep their meaning.
FASTMATH = {"reassoc", "nsz", "contract", "arcp", "afn"}

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "fastmath": FASTMATH}

_waiting: dict[str, list[tuple[Callable[..., Any], dict[str, Any]]]] = {}
_first_calls: set[Callable[..., Any]] = set()
_lock = threading.RLock()


def compiled(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """numba's function, kept on disk: serial, without the GIL."""
    from numba import njit

    return cast("Callable[..., Any]", cached(njit(**OPTIONS, **options)(function)))


def compiles() -> bool:
    """True unless numba's compiler is switched off (NUMBA_DISABLE_JIT); imports numba."""
    from numba import config

    return not config.DISABLE_JIT  # type: ignore[attr-defined]  # set when numba is imported


def cached(dispatcher: Any) -> Any:
    """Keep the compiled forms of a function of numba on disk."""
    if compiles():
        from .cache import KernelCache

        dispatcher._cache = KernelCache(dispatcher.py_func)
    return dispatcher


def kernel(function: Callable[..., Any] | None = None, /, **options: Any) -> Callable[..., Any]:
    """Compile `function` at its first call: no GIL, cached on disk, serial.

    A kernel calls kernels of its own file, and those that its file imports by ``from file import name``.
    """
    if function is None:
        return lambda f: kernel(f, **options)
    module, name = function.__module__, function.__name__
    _waiting.setdefault(module, []).append((function, options))

    @wraps(function)
    def first_call(*args: Any) -> Any:
        if module in _waiting:
            _declare(module)
        return getattr(sys.modules[module], name)(*args)

    _first_calls.add(first_call)
    return first_call


def _declare(module: str) -> None:
    """Put numba's functions in the place of the kernels that a file has and imports, so that they find each other."""
    with _lock:
        functions = _waiting.get(module)
        if functions:
            names = vars(sys.modules[module])
            for name, value in list(names.items()):
                if isinstance(value, FunctionType) and value in _first_calls and value.__module__ != module:
                    _declare(value.__module__)
                    names[name] = getattr(sys.modules[value.__module__], value.__name__)
            declared = {function.__name__: compiled(function, **options) for function, options in functions}
            # All at once: another thread may look up one of them at any time and compile it, which needs the others.
            names.update(declared)
            del _waiting[module]  # at the end: another thread that calls one of them waits until all are there
