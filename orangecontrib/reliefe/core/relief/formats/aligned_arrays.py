"""Arrays that begin on a cache line or on a huge page, for kernels in vector registers.

`Features`, its codes, and the rooms that sum over rows take their arrays here.
"""

import math
from typing import Any

import numpy as np

from ...data.scratch import is_large, mapped

LINE = 64  # bytes of a cache line: registers that are read across lines halve the speed
PAGE = 2**21  # bytes of a huge page


def aligned(shape: tuple[int, ...], dtype: "np.dtype[Any] | type") -> np.ndarray:
    """Make an empty array that begins on a cache line, or on a huge page if it is large; NumPy promises 16 bytes.

    NumPy asks the system for huge pages from 4 MiB on; first touching small ones would take longer than filling them.
    """
    size = math.prod(shape) * np.dtype(dtype).itemsize
    border = LINE
    min_bytes = 0
    if size >= PAGE // 2:
        border = PAGE
        min_bytes = 2 * PAGE
    raw = np.empty(max(size + border, min_bytes), np.uint8)
    start = -raw.ctypes.data % border
    return raw[start : start + size].view(dtype).reshape(shape)


def allocate(shape: tuple[int, ...], dtype: "np.dtype[Any] | type", like: np.ndarray) -> np.ndarray:
    """Make an array for values that are computed from `like`: in memory, or of zeros in a file if it is too large."""
    return mapped(shape, dtype) if is_large(shape, dtype, like) else aligned(shape, dtype)
