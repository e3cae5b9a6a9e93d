"""Dense rows as codes of 16 bits, whose distances are whole numbers: the same in any order and on any processor.

`Features.codes` makes them for complete dense tables with plain diffs, and `DenseManhattan` measures distances by them.
A number in [0, 1] is rounded to a multiple of 1 / `steps`; the code of a category is the category.  With c for codes,
the distance of the rows i and j in steps is

    d_ij = sum over numbers f of |c_if - c_jf|  +  steps * (number of categories f with c_if != c_jf)

It differs from the true distance by less than `error`, so that only pairs that are so near to a limit are computed in
double precision.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernels.jit import kernel
from .aligned_arrays import allocate
from .step_kernels import step_kernels
from .steps import MAX_DISTANCE, PANEL, Steps

MAX_STEPS = 65520  # steps of a feature, which are even: halves to sixteenths, but for elevenths, are whole steps
MAX_CATEGORY = 2**15 - 1  # largest category that is a code
SAMPLED_ROWS = 32  # rows by which codes are accepted
MIN_DISTANCE = 1000  # mean distance, in errors: heavy tails put most rows into few codes, which decide nothing
SINGLE_ERROR = 0.01  # error that rounding to single precision adds to a value, in steps
DOUBLE_ERROR = 1e-9  # the same of double precision: rows that lose no more lie on the grid of codes
SUM_ERROR = 1.001  # factor by which rounding to single precision may enlarge a sum of errors


@dataclass(frozen=True)
class Codes:
    """Codes of all rows, in panels of PANEL rows.

    Attributes
    ----------
    lanes : (panels, words * PANEL) int32 array
        Words of two codes: the first word of all rows of a panel, then their second word, and so on.
    n_number_words : int
        Number of words of numbers, the first ones; the others are of categories.
    totals : (panels * PANEL,) int32 array
        Sum of the codes of the numbers of each row.
    steps : int
        Steps of a feature, an even number.
    error : float
        Absolute error of a distance, in units, which is never reached; 0 where all values are whole steps.
    """

    lanes: np.ndarray
    n_number_words: int
    totals: np.ndarray
    steps: int
    error: float

    @property
    def distances(self) -> Steps:
        """Unit and error of their distances."""
        return Steps(float(self.steps), self.error)

    @classmethod
    def of(cls, features: Any) -> "Codes | None":
        """Make the codes of `Features`; None where they do not suit.

        They suit complete dense rows, unless all columns have bits, or rows of a sample are too near to each other for
        the errors of codes.
        """
        X = features.values
        n, p = features.shape
        if not features.has_plain_rows or not 0 < p <= MAX_DISTANCE:
            return None
        bits = features.bits
        if bits and not len(bits.rest):
            return None
        n_numbers = min(features.n_numeric, p)
        if X[:, n_numbers:p].max(initial=0) > MAX_CATEGORY:
            return None
        steps = min(MAX_STEPS, MAX_DISTANCE // p) // 2 * 2

        # Errors and distances of a sample of rows, in steps
        sample: Any = X[np.linspace(0, n - 1, SAMPLED_ROWS).astype(int), :p]
        numbers = sample[:, :n_numbers] * steps
        error = np.abs(numbers - np.rint(numbers)).sum() / SAMPLED_ROWS
        n_different = (np.diff(sample[:, n_numbers:], axis=0) != 0).sum()
        distance = np.abs(np.diff(numbers, axis=0)).sum() + steps * n_different
        if distance < 2 * MIN_DISTANCE * error * (SAMPLED_ROWS - 1):
            return None

        # Codes of all rows
        n_panels = -(-n // PANEL)
        n_number_words = -(-n_numbers // 2)
        n_words = n_number_words + -(-(p - n_numbers) // 2)
        lanes = allocate((n_panels, n_words * PANEL), np.int32, X)
        totals = np.empty(n_panels * PANEL, np.int32)
        error = _fill(X, n_numbers, p, steps, lanes, totals)
        rounding = n_numbers * (SINGLE_ERROR if X.dtype == np.float32 else DOUBLE_ERROR)
        is_exact = n_numbers == 0 or (X.dtype == np.float64 and error <= rounding)
        error_of_distance = 0.0 if is_exact else 2 * (error * SUM_ERROR + rounding) / steps
        return cls(lanes, n_number_words, totals, steps, error_of_distance)

    def measure(self, where: tuple[int, int, int, int], upper: bool, width: int, out: np.ndarray) -> None:
        """Set out[(i - i0) * width + j - j0] to the distance of rows i and j in steps.

        Parameters
        ----------
        where : i0, i1, j0, j1
            Rows [i0, i1) and columns [j0, j1); i0 is a multiple of 8, and j0 of PANEL.
        upper : bool
            True if only the pairs i < j need be right.
        width : int
            Numbers of a row of `out`, a multiple of PANEL.
        out : (height * width,) int32 array
            Distances; height is i1 - i0 rounded up to a multiple of 8.
        """
        words = self.n_number_words, self.lanes.shape[1] // PANEL
        step_kernels().measure(self.lanes.reshape(-1), words, self.steps // 2, self.totals, where, upper, width, out)


@kernel
def _fill(X, n_numbers, p, steps, lanes, totals):
    """Fill `lanes` and `totals` of `Codes`; return the largest error of a row, in steps.

    The code of a number x is round(x * steps) - steps / 2, which fits into 16 bits with a sign.

    X : (n, at least p)
    n_numbers : number of columns of numbers, which are the first ones
    """
    n_words = lanes.shape[1] // PANEL
    first_category = (n_numbers + 1) // 2 * 2
    words = np.zeros((PANEL, n_words), np.int32)  # words of the rows of a panel
    codes = np.zeros(2 * n_words, np.int32)
    scale = X.dtype.type(steps)
    middle = np.int32(steps // 2)
    largest_error = 0.0
    for b in range(len(lanes)):
        for r in range(PANEL):
            i = b * PANEL + r
            if i >= len(X):
                words[r] = 0
                totals[i] = 0
                continue
            x = X[i]
            error = X.dtype.type(0)
            total = np.int32(0)
            for f in range(n_numbers):
                t = x[f] * scale
                c = np.rint(t)
                error += abs(t - c)
                codes[f] = np.int32(c) - middle
                total += codes[f]
            for f in range(n_numbers, p):
                codes[first_category + f - n_numbers] = np.int32(x[f])
            for w in range(n_words):
                words[r, w] = (codes[2 * w + 1] << 16) | (codes[2 * w] & 0xFFFF)
            totals[i] = total
            largest_error = max(largest_error, float(error))
        # Words of all rows side by side, in blocks whose sizes the compiler knows
        out = lanes[b]
        whole = n_words // 16 * 16
        for w0 in range(0, whole, 16):
            for r0 in range(0, PANEL, 16):
                for w in range(16):
                    for r in range(16):
                        out[(w0 + w) * PANEL + r0 + r] = words[r0 + r, w0 + w]
        for w in range(whole, n_words):
            for r in range(PANEL):
                out[w * PANEL + r] = words[r, w]
    return largest_error
