"""Packing of PLINK's .bed into two bits a genotype, without numbers in between.

A .bed has two bits a genotype, too, but variant by variant instead of person by person.
"""

from collections.abc import Callable

import numpy as np

from ..kernels.jit import kernel
from .packed import LINE, Packed, zeros

BITS = 64  # variants of a word
HEADER_BYTES = 3  # bytes before the first variant
PEOPLE_PER_BYTE = 4
WORDS_PER_BLOCK = 64  # words of all people that are read at once


def pack_bed(path: str, n: int, p: int, additive: bool = False, tick: Callable[[float], object] = bool) -> Packed:
    """Pack a .bed that is variant by variant, and as long as n and p ask for.

    Parameters
    ----------
    path : str
        File.
    n, p : int
        Numbers of people and of variants.
    additive : bool
        See `Packed`.
    tick : callable
        Called with the share that is done; it may raise to stop.
    """
    n_lines = (p + BITS * LINE - 1) // (BITS * LINE)
    low = zeros((n, n_lines * LINE))
    high = zeros((n, n_lines * LINE))
    variant_bytes = _bytes_of(n)
    step = BITS * WORDS_PER_BLOCK
    with open(path, "rb") as file:
        file.seek(HEADER_BYTES)
        for first in range(0, p, step):
            tick(first / p)
            count = min(step, p - first)
            variants = np.frombuffer(file.read(count * variant_bytes), np.uint8).reshape(count, variant_bytes)
            _pack(variants, additive, first // BITS, low, high)
    return Packed(low, high, p, additive)


def _bytes_of(n: int) -> int:
    """Return the number of bytes of a variant of n people."""
    return (n + PEOPLE_PER_BYTE - 1) // PEOPLE_PER_BYTE


def warm_bed(n: int, additive: bool) -> None:
    """Compile the kernel of `pack_bed`."""
    plane = np.zeros((n, 1), np.uint64)
    _pack(np.frombuffer(bytes(_bytes_of(n)), np.uint8)[None], additive, 0, plane, plane.copy())


@kernel
def _pack(variants, additive, w0, low, high):
    """Pack variants (p, bytes), four people a byte, into the words of low and high (n, words) from w0 on.

    A pair of bits of the file is 0 for two copies of the first allele, 1 for an unknown genotype, 2 for one copy, and 3
    for none.  The codes of `Packed` count copies of the first allele.
    """
    n = len(low)
    one = np.uint8(1)
    three = np.uint8(3)
    a = np.zeros(4 * variants.shape[1], np.uint64)
    b = np.zeros(4 * variants.shape[1], np.uint64)
    for f0 in range(0, len(variants), BITS):
        a[:] = 0
        b[:] = 0
        for f in range(f0, min(f0 + BITS, len(variants))):
            row = variants[f]
            shift = np.uint64(f - f0)
            for q in range(len(row)):
                byte = row[q]
                for r in range(4):
                    pair = (byte >> np.uint8(2 * r)) & three
                    first = pair & one
                    second = pair >> np.uint8(1)
                    is_unknown = first & (one ^ second)
                    has_two = one ^ (first | second)
                    x = one ^ first if additive else is_unknown | (second & (one ^ first))
                    y = is_unknown | has_two
                    a[4 * q + r] |= np.uint64(x) << shift
                    b[4 * q + r] |= np.uint64(y) << shift
        for i in range(n):
            low[i, w0 + f0 // BITS] = a[i]
            high[i, w0 + f0 // BITS] = b[i]
