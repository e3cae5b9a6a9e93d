"""Rounding of distances: those that are equal but for the order in which features were added become equal."""

import numpy as np

from ...kernels.jit import kernel

DOUBLE_DIGITS, SINGLE_DIGITS = 12, 6  # decimal digits of a distance that are not rounding
DROPPED = {12: 12, 6: 32}  # bits, of the 52 of a distance, that rounding to so many digits drops: 2^-40, 2^-20 are left


def round_distances(D: np.ndarray, digits: int = DOUBLE_DIGITS) -> None:
    """Make distances equal that are equal but for the rounding of sums; then ties go to the lower row.

    Shapes: `D` (h, w).
    """
    _round(D.view(np.int64), DROPPED[digits])


@kernel
def _round(bits, drop):
    """Floats (h, w), seen as integers, without their last `drop` bits."""
    half, mask = np.int64(1) << (drop - 1), ~((np.int64(1) << drop) - 1)
    for i in range(len(bits)):
        row = bits[i]
        for q in range(len(row)):
            row[q] = (row[q] + half) & mask
