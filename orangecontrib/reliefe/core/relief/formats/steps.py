"""Whole-number distances: their unit, their largest error, and how float distances are rounded to them.

All storage formats answer distances as whole numbers of steps, in int32 (`Distance.in_steps`).  Searches and thresholds
read nothing else, but for pairs that are closer to a limit than the error of a step.
"""

from dataclasses import dataclass

import numpy as np

from ...kernels.jit import kernel

PANEL = 32  # rows that lie side by side: tiles of steps begin at multiples of it
# Steps of the largest distance that can occur: rounding then changes a distance by less than 1e-9 of it
STEPS_OF_BOUND = 2**30
MAX_DISTANCE = 2**31 - 5  # largest distance in steps
APART = 2**31 - 2  # distance of a row from itself, from rows of its subject and from padding: larger than any other one
ROUNDING_ERROR = 1.5  # of a rounded distance, in steps; it is never reached, which 1 may be


@dataclass(frozen=True)
class Steps:
    """The unit of whole-number distances, and how far these are from the true ones.

    Attributes
    ----------
    per_unit : float
        Number of steps of a unit distance.
    error : float
        Absolute error of a distance, in units, which is never reached.
    relative_error : float
        Further error of a distance, as a share of it.
    """

    per_unit: float
    error: float = 0.0
    relative_error: float = 0.0

    @classmethod
    def for_bound(cls, bound: float, error: float = 0.0, relative_error: float = 0.0) -> "Steps":
        """Return the steps of distances that are rounded and hardly exceed a bound.

        error, relative_error : errors of the distances before they are rounded
        """
        per_unit = STEPS_OF_BOUND / bound if bound > 0 else 1.0
        return cls(per_unit, error + ROUNDING_ERROR / per_unit, relative_error)

    @classmethod
    def of_halves(cls, bound: float) -> "Steps":
        """Return steps of distances that are whole numbers and halves: all are exact."""
        return cls(2.0 ** np.floor(np.log2(STEPS_OF_BOUND / max(bound, 1.0))))

    @property
    def without_error(self) -> bool:
        """True if the steps are the true distances."""
        return self.error == 0 and self.relative_error == 0


@kernel
def round_to_steps(tile, where, per_unit, width, out):
    """Set out[r * width + q] to round(per_unit * tile[r, q]), at most MAX_DISTANCE.

    tile : (>= i1 - i0, >= j1 - j0)
    where : i0, i1, j0, j1
    out : (height * width,) int32
    """
    i0, i1, j0, j1 = where
    largest = float(MAX_DISTANCE)
    for r in range(i1 - i0):
        row = tile[r, : j1 - j0]
        steps = out[r * width : r * width + j1 - j0]
        for q in range(len(row)):
            steps[q] = np.int32(min(np.rint(row[q] * per_unit), largest))


@kernel
def put_apart(steps, where, width, subjects, distance):
    """Set the distance, in steps, of pairs of rows of one subject to `distance`.

    steps : (height * width,) int32, of the rows [i0, i1) and the columns [j0, j1)
    where : i0, i1, j0, j1
    subjects : (n,), code of the subject of each row
    """
    i0, i1, j0, j1 = where
    for i in range(i0, i1):
        row = steps[(i - i0) * width : (i - i0) * width + j1 - j0]
        subject = subjects[i]
        for q in range(len(row)):
            row[q] = distance if subjects[j0 + q] == subject else row[q]
