"""Dense rows as codes of 16 bits, whose distances are whole numbers: the same in any order and on any processor.

`Features.codes` makes them, and `codes_simd.py` and `codes_plain.py` compute distances of them. A value in [0, 1] is
rounded to a multiple of 1 / `steps`. A nominal column of more than two values becomes one column for each value, in
which rows with this value are half of the steps above all others; rows with different values differ in two of these.

With ``|a - b| = 2 max(a, b) - a - b`` and the sum s of the codes of a row, the distance of rows x and y in steps is

    sum over columns of |x_c - y_c|  =  2 sum over columns of max(x_c, y_c)  -  s_x - s_y

It differs from the true distance by less than `error`, so that only pairs that are so near to a limit are computed in
double precision.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernels.jit import kernel
from .aligned_arrays import allocate
from .steps import MAX_DISTANCE, PANEL, Steps

MAX_STEPS = 65520  # steps of a feature: so many that halves to sixteenths, but for elevenths, are whole steps
MAX_WIDENING = 2  # times as many columns as features, above which single precision is as fast
SAMPLED_ROWS = 32  # rows by which codes are accepted
MIN_DISTANCE = 1000  # mean distance, in errors: heavy tails put most rows into few codes, which decide nothing
SINGLE_ERROR = 0.01  # error that rounding to single precision adds to a value, in steps
DOUBLE_ERROR = 1e-9  # the same of double precision: rows that lose no more lie on the grid of codes
SUM_ERROR = 1.001  # factor by which rounding to single precision may enlarge a sum of errors
# Rows squared times features up to which distances in double precision, which leave hardly any pair in doubt, take less
# time than codes with exact distances of those that they cannot decide; by measurements
FEW_VALUES = 2**23


@dataclass(frozen=True)
class Codes:
    """Codes of all rows, in panels of PANEL rows.

    Attributes
    ----------
    lanes : (panels, words * PANEL) int32 array
        Words of two codes: the first word of all rows of a panel, then their second word, and so on.
    totals : (panels * PANEL,) int32 array
        Sum of the codes of each row.
    steps : int
        Steps of a feature.
    error : float
        Absolute error of a distance, which is never reached; 0 where all values are whole steps.
    """

    lanes: np.ndarray
    totals: np.ndarray
    steps: int
    error: float

    @property
    def words(self) -> int:
        """Number of words of a row."""
        return int(self.lanes.shape[1]) // PANEL

    @property
    def distances(self) -> Steps:
        """Unit and error of their distances."""
        return Steps(float(self.steps), self.totals, self.error)

    @classmethod
    def of(cls, features: Any) -> "Codes | None":
        """Make the codes of `Features`, of complete dense data with plain diffs.

        None where other forms are better: most columns have bits, nominal columns have many values, rows of a sample
        are too near to each other for the errors of codes, or there are few values and codes have any error.
        """
        X = features.values
        n, p = features.shape
        if not features.has_plain_rows:
            return None
        bits = features.bits
        if bits and 2 * len(bits.rest) < p:
            return None
        n_numeric = min(features.n_numeric, p)
        n_values = X[:, n_numeric:p].max(axis=0, initial=0).astype(np.int64) + 1
        width = n_numeric + int(np.where(n_values > 2, n_values, 1).sum())
        if not p or width > min(MAX_WIDENING * p, MAX_DISTANCE):
            return None
        steps = min(MAX_STEPS, MAX_DISTANCE // width)

        # Errors and distances of a sample of rows, in steps
        sample: Any = X[np.linspace(0, n - 1, SAMPLED_ROWS).astype(int), :p]
        numbers = sample[:, :n_numeric] * steps
        values = sample[:, n_numeric:]
        error = np.abs(numbers - np.rint(numbers)).sum() / SAMPLED_ROWS + (steps % 2) * (n_values > 2).sum() / 2
        distance = np.abs(np.diff(numbers, axis=0)).sum() + steps * (np.diff(values, axis=0) != 0).sum()
        rounding = width * (SINGLE_ERROR if X.dtype == np.float32 else DOUBLE_ERROR)
        has_few_values = X.dtype == np.float64 and n * n * p <= FEW_VALUES
        if distance < 2 * MIN_DISTANCE * error * (SAMPLED_ROWS - 1) or (has_few_values and error > rounding):
            return None

        # Codes of all rows
        n_panels = -(-n // PANEL)
        n_words = -(-width // 2)
        lanes = allocate((n_panels, n_words * PANEL), np.int32, X)
        totals = np.empty(n_panels * PANEL, np.int32)
        error = _fill(X, n_numeric, n_values, steps, lanes, totals)
        is_exact = X.dtype == np.float64 and error <= rounding
        if has_few_values and not is_exact:
            return None
        return cls(lanes, totals, steps, 0.0 if is_exact else 2 * (error * SUM_ERROR + rounding) / steps)


@kernel
def _fill(X, n_numeric, n_values, steps, lanes, totals):
    """Fill `lanes` and `totals` of `Codes`; return the largest error of a row, in steps.

    Codes are less the middle of the steps, so that they fit into 16 bits with a sign.

    X : (n, at least p)
    n_numeric : number of numeric columns, which are the first ones
    n_values : (p - n_numeric,), number of codes of each nominal column
    """
    n_words = lanes.shape[1] // PANEL
    panel = np.zeros((PANEL, n_words), np.int32)  # words of the rows of a panel
    codes = np.zeros(2 * n_words, np.int32)
    scale = X.dtype.type(steps)
    middle = np.int32((steps + 1) // 2)
    largest_error = 0.0
    for b in range(len(lanes)):
        for r in range(PANEL):
            i = b * PANEL + r
            if i >= len(X):
                panel[r] = 0
                totals[i] = 0
                continue
            x = X[i]
            error = X.dtype.type(0)
            total = 0
            column = n_numeric
            for f in range(n_numeric):
                t = x[f] * scale
                c = np.rint(t)
                error += abs(t - c)
                codes[f] = np.int32(c) - middle
            for f in range(len(n_values)):
                v = np.int32(x[n_numeric + f])
                if n_values[f] <= 2:
                    codes[column] = v * steps - middle
                    column += 1
                else:
                    error += X.dtype.type(0.5) * (steps % 2)
                    for c in range(n_values[f]):
                        codes[column] = (steps // 2 if c == v else 0) - middle
                        column += 1
            for f in range(column):
                total += codes[f]
            for w in range(n_words):
                panel[r, w] = (codes[2 * w + 1] << 16) | (codes[2 * w] & 0xFFFF)
            totals[i] = total
            largest_error = max(largest_error, float(error))
        # Words of all rows side by side, in blocks whose sizes the compiler knows
        out = lanes[b]
        n_blocked_words = n_words // 16 * 16
        for w0 in range(0, n_blocked_words, 16):
            for r0 in range(0, PANEL, 16):
                for w in range(16):
                    for r in range(16):
                        out[(w0 + w) * PANEL + r0 + r] = panel[r0 + r, w0 + w]
        for w in range(n_blocked_words, n_words):
            for r in range(PANEL):
                out[w * PANEL + r] = panel[r, w]
    return largest_error
