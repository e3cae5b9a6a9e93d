"""Whole-number distances: their unit, their largest error, and how float distances are rounded to them.

A distance of rows i and j in steps is ``2 * sums[i, j] - totals[i] - totals[j]``, an int32.  For 16-bit codes `sums`
are sums of the larger codes and `totals` sums of the codes of a row (see `codes.py`); for other formats `sums` are half
of the distances, and all `totals` are 0.
"""

from dataclasses import dataclass

import numpy as np

from ...kernels.jit import kernel

PANEL = 32  # rows that lie side by side: tiles of steps begin at multiples of it
# Steps of the largest distance that can occur: rounding then changes a distance by less than 1e-9 of it
STEPS_OF_BOUND = 2**30
MAX_DISTANCE = 2**31 - 5  # largest distance in steps
APART = 2**31 - 2  # distance of rows of one subject, or 1 less: larger than any other one
HEAD = 8  # places before a list of keys, of which the last is 0, so that lists begin at a cache line
KEYS = 8  # places of a list of keys that are moved at once, a divisor of their number
ROUNDING_ERROR = 1.5  # of a rounded distance, in steps; it is never reached, which 1 may be


@dataclass(frozen=True)
class Steps:
    """The unit of whole-number distances, and how far these are from the true ones.

    Attributes
    ----------
    per_unit : float
        Number of steps of a unit distance.
    totals : (rows in panels,) int32 array
        Numbers of rows that are taken away from the doubled sums.
    error : float
        Absolute error of a distance, in units, which is never reached.
    relative_error : float
        Further error of a distance, as a share of it.
    """

    per_unit: float
    totals: np.ndarray
    error: float = 0.0
    relative_error: float = 0.0

    @classmethod
    def for_bound(cls, n: int, bound: float, error: float = 0.0, relative_error: float = 0.0) -> "Steps":
        """Return the steps of n rows whose distances are rounded and hardly exceed a bound.

        error, relative_error : errors of the distances before they are rounded
        """
        per_unit = STEPS_OF_BOUND / bound if bound > 0 else 1.0
        return cls(per_unit, no_totals(n), error + ROUNDING_ERROR / per_unit, relative_error)

    @classmethod
    def of_halves(cls, n: int, bound: float) -> "Steps":
        """Return steps of distances that are whole numbers and halves: all are exact."""
        return cls(2.0 ** np.floor(np.log2(STEPS_OF_BOUND / max(bound, 1.0))), no_totals(n))

    @property
    def without_error(self) -> bool:
        """True if the steps are the true distances."""
        return self.error == 0 and self.relative_error == 0

    def beyond(self, distances: np.ndarray) -> np.ndarray:
        """Distances above which a row is farther than one at `distances` for sure."""
        return distances * (1 + 2 * self.relative_error) + 2 * self.error

    def distances(self, sums: np.ndarray, rows: np.ndarray, n: int) -> np.ndarray:
        """Distances (b, n) of rows (b,), in units, by their sums (b, at least n)."""
        steps = 2.0 * sums[:, :n] - self.totals[:n] - self.totals[rows, None]
        return np.asarray(steps / self.per_unit)


def no_totals(n: int) -> np.ndarray:
    """Totals of the rows of a format without codes."""
    return np.zeros(-(-n // PANEL) * PANEL, np.int32)


@kernel
def round_to_steps(tile, bounds, factor, width, out):
    """Set out[r * width + q] to round(factor * tile[r, q]), at most half of MAX_DISTANCE.

    tile : (>= i1 - i0, >= j1 - j0)
    bounds : i0, i1, j0, j1
    out : (height * width,) int32
    """
    i0, i1, j0, j1 = bounds
    largest = float(MAX_DISTANCE // 2)
    for r in range(i1 - i0):
        row = tile[r, : j1 - j0]
        sums = out[r * width : r * width + j1 - j0]
        for q in range(len(row)):
            sums[q] = np.int32(min(np.rint(row[q] * factor), largest))


@kernel
def put_apart(sums, bounds, width, totals, subjects, distance):
    """Set the distance, in steps, of pairs of rows of one subject: `distance`, or one less where it must be even."""
    i0, i1, j0, j1 = bounds
    for i in range(i0, i1):
        row = sums[(i - i0) * width : (i - i0) * width + j1 - j0]
        subject = subjects[i]
        for q in range(len(row)):
            if subjects[j0 + q] == subject:
                row[q] = min((distance + totals[i] + totals[j0 + q]) // 2, 2**31 - 1)
