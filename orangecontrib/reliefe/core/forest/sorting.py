"""Sorting of the codes of a feature in a node: a kernel.

`feature_tests` calls it before all thresholds are tried.
"""

from ..kernels.jit import kernel
from .kernel_options import INLINED

MAX_COUNTED = 64  # rows that are sorted by counting smaller ones, without a branch that depends on the data


@kernel(**INLINED)
def sort_codes(reading, m, low, high):
    """Sort the codes reading.keys[:m], in [low, high], and subtract low; reading.order gets their positions.

    Stable: few codes are sorted by counting, others by their digits of eight bits.
    """
    keys = reading.keys
    sorted_keys = reading.sorted_keys
    digits = reading.digits
    for i in range(m):
        keys[i] = (keys[i] - low) << 32 | i
    if m <= MAX_COUNTED:
        for i in range(m):
            key = keys[i]
            n_smaller = 0
            for j in range(m):
                n_smaller += keys[j] < key
            sorted_keys[n_smaller] = key
        keys, sorted_keys = sorted_keys, keys
    else:
        span = high - low
        shift = 32
        while span > 0:
            digits[:] = 0
            for i in range(m):
                digits[(keys[i] >> shift) & 255] += 1
            total = 0
            for d in range(256):
                count = digits[d]
                digits[d] = total
                total += count
            for i in range(m):
                d = (keys[i] >> shift) & 255
                sorted_keys[digits[d]] = keys[i]
                digits[d] += 1
            keys, sorted_keys = sorted_keys, keys
            shift += 8
            span >>= 8
    for i in range(m):
        reading.order[i] = keys[i] & 0xFFFFFFFF
        reading.keys[i] = keys[i] >> 32
