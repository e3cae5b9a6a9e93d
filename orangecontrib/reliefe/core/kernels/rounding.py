"""Rounding of distances: those that are equal but for the order in which features were added become equal.

Distances of the engine, of all formats of data, and of points are rounded here, before rows are compared by them.
"""

import numpy as np

from .jit import kernel

# Decimal digits of a distance that are not rounding
DOUBLE_DIGITS = 12
PRODUCT_DIGITS = 9  # of squared distances by products of matrices, up to a thousandth of which is left by cancellation
SINGLE_DIGITS = 6
# Bits, of the 52 of a distance, that are dropped to have so many digits: 2^-40, 2^-32 and 2^-20 are left
DROPPED_BITS = {DOUBLE_DIGITS: 12, PRODUCT_DIGITS: 20, SINGLE_DIGITS: 32}


def round_distances(D: np.ndarray, digits: int = DOUBLE_DIGITS) -> None:
    """Round distances D (h, w), in place, so that ties are exact, and go to the lower row."""
    _round(D.view(np.int64), DROPPED_BITS[digits])


@kernel
def _round(bits, n_dropped):
    """Round floats (h, w), seen as integers, to as many bits less.

    bits = (bits + 2^(n_dropped - 1)) without the last n_dropped bits
    """
    half = np.int64(1) << (n_dropped - 1)
    mask = ~((np.int64(1) << n_dropped) - 1)
    for i in range(len(bits)):
        row = bits[i]
        for q in range(len(row)):
            row[q] = (row[q] + half) & mask
