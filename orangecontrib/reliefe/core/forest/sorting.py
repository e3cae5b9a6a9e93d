"""Sorting of codes in a node: a kernel."""

from ..kernels.jit import kernel
from .kernel_options import INLINED

MAX_COUNTED = 64  # rows that are sorted by counting smaller ones, without a branch


@kernel(**INLINED)
def sort_codes(reading, m, low, high):
    """Sort the codes reading.keys[:m], in [low, high]: leaves code - low there, their positions in reading.order."""
    keys, other, digits = reading.keys, reading.other, reading.digits
    for i in range(m):
        keys[i] = (keys[i] - low) << 32 | i
    if m <= MAX_COUNTED:
        for i in range(m):
            key, place = keys[i], 0
            for j in range(m):
                place += keys[j] < key
            other[place] = key
        keys, other = other, keys
    else:
        span, shift = high - low, 32
        while span > 0:
            digits[:] = 0
            for i in range(m):
                digits[(keys[i] >> shift) & 255] += 1
            total = 0
            for d in range(256):
                digits[d], total = total, total + digits[d]
            for i in range(m):
                d = (keys[i] >> shift) & 255
                other[digits[d]] = keys[i]
                digits[d] += 1
            keys, other = other, keys
            shift, span = shift + 8, span >> 8
    for i in range(m):
        reading.order[i] = keys[i] & 0xFFFFFFFF
        reading.keys[i] = keys[i] >> 32
