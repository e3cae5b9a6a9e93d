"""Genotypes of PLINK's .bed, packed without becoming numbers: both have two bits a genotype, but variant by variant."""

from collections.abc import Callable

import numpy as np

from ..kernels.jit import kernel
from .packed import LINE, Packed, zeros

BITS = 64  # variants of a word
HEAD = 3  # bytes before the first variant
WORDS_AT_ONCE = 64  # of all people, that are read together


def pack_bed(path: str, n: int, p: int, additive: bool = False, tick: Callable[[float], object] = bool) -> Packed:
    """Pack a .bed that is variant by variant, with the length that n and p ask for."""
    shape = n, -(-p // (BITS * LINE)) * LINE
    low, high = zeros(shape), zeros(shape)
    width, step = -(-n // 4), BITS * WORDS_AT_ONCE
    with open(path, "rb") as file:
        file.seek(HEAD)
        for first in range(0, p, step):
            tick(first / p)
            count = min(step, p - first)
            bytes_ = np.frombuffer(file.read(count * width), np.uint8).reshape(count, width)
            _pack(bytes_, additive, first // BITS, low, high)
    return Packed(low, high, p, additive)


def warm_bed(n: int, additive: bool) -> None:
    """Compile what `pack_bed` needs."""
    plane = np.zeros((n, 1), np.uint64)
    _pack(np.frombuffer(bytes(-(-n // 4)), np.uint8)[None], additive, 0, plane, plane.copy())


@kernel
def _pack(variants, additive, w0, low, high):
    """Variants, four people a byte, into the words from w0 on.

    A pair of bits of the file is 0 for two of the first allele, 1 for what is unknown, 2 for one, 3 for none.
    """
    n, one, three = len(low), np.uint8(1), np.uint8(3)
    a, b = np.zeros(4 * variants.shape[1], np.uint64), np.zeros(4 * variants.shape[1], np.uint64)
    for f0 in range(0, len(variants), BITS):
        a[:], b[:] = 0, 0
        for f in range(f0, min(f0 + BITS, len(variants))):
            row, place = variants[f], np.uint64(f - f0)
            for q in range(len(row)):
                byte = row[q]
                for r in range(4):
                    pair = (byte >> np.uint8(2 * r)) & three
                    first, second = pair & one, pair >> np.uint8(1)
                    lacks, two = first & (one ^ second), one ^ (first | second)
                    if additive:
                        x, y = (one ^ first), lacks | two
                    else:
                        x, y = lacks | (second & (one ^ first)), lacks | two
                    a[4 * q + r] |= np.uint64(x) << place
                    b[4 * q + r] |= np.uint64(y) << place
        for i in range(n):
            low[i, w0 + f0 // BITS], high[i, w0 + f0 // BITS] = a[i], b[i]
