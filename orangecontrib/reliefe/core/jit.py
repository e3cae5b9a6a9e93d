"""The one numba decorator of the project.

A kernel costs nothing until it is called: numba is imported, and the kernels of a file are declared to it, at the first
call of any of them.  So everything but computing (tables of methods, widgets, the command line's help) does without it.
"""

import sys
import threading
from collections.abc import Callable
from functools import wraps

# Sums may be reordered and fused (what SIMD needs); NaN and infinity keep their meaning.
FASTMATH = {"reassoc", "nsz", "contract", "arcp", "afn"}

COMMON = {"nogil": True, "cache": True, "error_model": "numpy", "no_cfunc_wrapper": True, "fastmath": FASTMATH}

_waiting: dict[str, list[tuple[Callable, dict]]] = {}
_lock = threading.RLock()


def kernel(function: Callable | None = None, **options) -> Callable:
    """Compile `function` at its first call: no GIL, cached on disk, serial.

    A kernel calls only kernels of its own file: numba does not notice an edit in another one.
    """
    if function is None:
        return lambda f: kernel(f, **options)
    module, name = function.__module__, function.__name__
    _waiting.setdefault(module, []).append((function, options))

    @wraps(function)
    def first_call(*args):
        if module in _waiting:
            _declare(module)
        return getattr(sys.modules[module], name)(*args)

    return first_call


def _declare(module: str) -> None:
    """Put numba's dispatchers in the place of all kernels of a file, so that they find each other."""
    with _lock:
        functions = _waiting.get(module)
        if functions:
            from numba import njit

            for function, options in functions:
                compiled = njit(**COMMON, **options)(function)
                setattr(sys.modules[module], function.__name__, compiled)
            del _waiting[module]  # at the end: another thread that calls one of them waits until all are there
