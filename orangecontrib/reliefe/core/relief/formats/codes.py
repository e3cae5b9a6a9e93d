"""Dense rows as codes of 16 bits, whose distances are whole numbers: the same in any order and on any processor.

Values in [0, 1] are rounded to `steps` steps; a nominal column of more than two values becomes as many columns, two of
which differ by half of the steps.  With s, the sum of the codes of a row, sum |a - b| = 2 sum max(a, b) - s_a - s_b.
The distance of the codes of two rows differs from the true one by less than `error`, so that only pairs that are so
near to a limit are computed in double precision.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernels.jit import kernel
from .steps import MAX_DISTANCE, PANEL, Steps

MAX_STEPS = 65520  # of a feature: so many that halves to sixteenths, but for elevenths, are whole steps
MAX_WIDENING = 2  # times as many columns as features, above which single precision is as fast
SAMPLED_ROWS = 32  # by which codes are accepted
MIN_DISTANCE = 1000  # mean distance, in errors: heavy tails put most rows into few codes, which decide nothing
# What rounding to single precision adds to the error of a value, in steps, and to a sum of errors, as a factor.
SINGLE_ERROR, SUM_ERROR = 0.01, 1.001
# Error of a value in double precision, in steps: rows that lose no more lie on the grid of codes, which are exact then
DOUBLE_ERROR = 1e-9


# Rows squared times features up to which distances in double precision, which leave hardly any pair in doubt, take less
# time than codes with exact distances of those that they cannot decide; by measurements
FEW_VALUES = 2**23


@dataclass(frozen=True)
class Codes:
    """Codes of all rows, in panels."""

    lanes: np.ndarray  # (panels, words * PANEL) int32: of a word, which holds two codes, those of all rows of a panel
    totals: np.ndarray  # (panels * PANEL,) int32: sums of the codes of a row
    steps: int  # of a feature
    error: float  # of a distance, that is never reached; 0 where all values are whole steps

    @property
    def words(self) -> int:
        """Number of words of a row."""
        return int(self.lanes.shape[1]) // PANEL

    @property
    def distances(self) -> Steps:
        """Unit and error of their distances."""
        return Steps(float(self.steps), self.totals, self.error)

    @classmethod
    def of(cls, features: Any, allocate: Callable[..., np.ndarray]) -> "Codes | None":
        """Codes of `Features`, of complete dense data with plain diffs, in `allocate(shape, dtype, like)`.

        None where other kernels are better: most columns have bits, nominal columns have many values, rows of a sample
        are too near to each other for the errors of codes, or there are few values and codes have any error.
        """
        (n, p), X = features.shape, features.values
        if not features.has_plain_rows:
            return None
        bits = features.bits
        if bits and 2 * len(bits.rest) < p:
            return None
        cut = min(features.n_numeric, p)
        levels = X[:, cut:p].max(axis=0, initial=0).astype(np.int64) + 1
        width = cut + int(np.where(levels > 2, levels, 1).sum())
        if not p or width > min(MAX_WIDENING * p, MAX_DISTANCE):
            return None
        steps = min(MAX_STEPS, MAX_DISTANCE // width)
        sample: Any = X[np.linspace(0, n - 1, SAMPLED_ROWS).astype(int), :p]
        numbers, values = sample[:, :cut] * steps, sample[:, cut:]
        error = np.abs(numbers - np.rint(numbers)).sum() / SAMPLED_ROWS + (steps % 2) * (levels > 2).sum() / 2
        distance = np.abs(np.diff(numbers, axis=0)).sum() + steps * (np.diff(values, axis=0) != 0).sum()
        rounding = width * (SINGLE_ERROR if X.dtype == np.float32 else DOUBLE_ERROR)
        has_few_values = X.dtype == np.float64 and n * n * p <= FEW_VALUES
        if distance < 2 * MIN_DISTANCE * error * (SAMPLED_ROWS - 1) or (has_few_values and error > rounding):
            return None
        panels, words = -(-n // PANEL), -(-width // 2)
        lanes, totals = allocate((panels, words * PANEL), np.int32, X), np.empty(panels * PANEL, np.int32)
        error = _fill(X, cut, levels, steps, lanes, totals)
        is_exact = X.dtype == np.float64 and error <= rounding
        if has_few_values and not is_exact:
            return None
        return cls(lanes, totals, steps, 0.0 if is_exact else 2 * (error * SUM_ERROR + rounding) / steps)


@kernel
def _fill(X, n_numeric, levels, steps, lanes, totals):
    """Fill lanes and totals; returns the largest error of a row, in steps."""
    words = lanes.shape[1] // PANEL
    side, codes = np.zeros((PANEL, words), np.int32), np.zeros(2 * words, np.int32)
    scale, centre, worst = X.dtype.type(steps), np.int32((steps + 1) // 2), 0.0
    for b in range(len(lanes)):
        for r in range(PANEL):
            i = b * PANEL + r
            if i >= len(X):
                side[r], totals[i] = 0, 0
                continue
            x, lost, total, at = X[i], X.dtype.type(0), 0, n_numeric
            for f in range(n_numeric):
                t = x[f] * scale
                c = np.rint(t)
                lost += abs(t - c)
                codes[f] = np.int32(c) - centre
            for f in range(len(levels)):
                v = np.int32(x[n_numeric + f])
                if levels[f] <= 2:
                    codes[at] = v * steps - centre
                    at += 1
                else:
                    lost += X.dtype.type(0.5) * (steps % 2)
                    for c in range(levels[f]):
                        codes[at] = (steps // 2 if c == v else 0) - centre
                        at += 1
            for f in range(at):
                total += codes[f]
            for w in range(words):
                side[r, w] = (codes[2 * w + 1] << 16) | (codes[2 * w] & 0xFFFF)
            totals[i], worst = total, max(worst, float(lost))
        out, whole = lanes[b], words // 16 * 16
        for w0 in range(0, whole, 16):  # blocks whose sizes the compiler knows
            for r0 in range(0, PANEL, 16):
                for w in range(16):
                    for r in range(16):
                        out[(w0 + w) * PANEL + r0 + r] = side[r0 + r, w0 + w]
        for w in range(whole, words):
            for r in range(PANEL):
                out[w * PANEL + r] = side[r, w]
    return worst
