"""The kernels of `codes_simd.py` as plain loops and NumPy: what they compute, and where numba does not compile."""

from typing import Any

import numpy as np

from .steps import PANEL

WORD = 64  # pairs of a word of bits


def measure(
    lanes: Any, words: Any, half: int, totals: Any, where: Any, upper: bool, row_stride: int, out: np.ndarray
) -> None:
    """Set the distances of rows [i0, i1) and [j0, j1) in steps; see `codes_simd`.

    All pairs are set, whether only those with i < j are needed (`upper`) or not.
    """
    i0, i1, j0, j1 = where
    n_number_words, n_words = words
    codes = _codes(lanes, n_words).astype(np.int64)
    numbers = codes[:, : 2 * n_number_words]
    categories = codes[:, 2 * n_number_words :]
    for i in range(i0, i1):
        distances = np.abs(numbers[i] - numbers[j0:j1]).sum(axis=1)
        distances += 2 * half * (categories[i] != categories[j0:j1]).sum(axis=1)
        out[(i - i0) * row_stride : (i - i0) * row_stride + j1 - j0] = distances


def _codes(lanes: np.ndarray, n_words: int) -> np.ndarray:
    """Codes (rows in panels, 2 * n_words) int16 of all rows."""
    panels = lanes.reshape(-1, n_words, PANEL)
    return np.ascontiguousarray(panels.transpose(0, 2, 1).reshape(-1, n_words)).view(np.int16)


def add_moments(distances: Any, where: Any, row_stride: int, centre: int, out: np.ndarray) -> None:
    """Sums of the distances of a tile in steps, less `centre`, and of their squares, added to those of both rows, out
    (2, n)."""
    i0, i1, j0, j1 = where
    for i in range(i0, i1):
        j = np.arange(max(j0, i + 1), j1)
        difference = distances[(i - i0) * row_stride + j - j0] - float(centre)
        for power, of_rows in enumerate(out, start=1):
            of_rows[i] += (difference**power).sum()
            of_rows[j] += difference**power


def zone_bits(
    distances: Any,
    where: Any,
    row_stride: int,
    cuts: Any,
    far: bool,
    origin: Any,
    bits: np.ndarray,
    close: np.ndarray,
) -> int:
    """Set the words (2, h, words) of the pairs of a tile whose distance is below the limit of either row, far: above.

    cuts (2, rows in panels): steps up to which a pair is below a limit for sure, and above which it is not; origin:
    first row and word of bits; close (q, 2): filled with the pairs that are between the cuts of one of their rows.
    Returns how many these are.
    """
    i0, i1, j0, j1 = where
    top, left = origin
    low, high = cuts
    count = 0
    for i in range(i0, i1):
        first = max(j0, i + 1)
        for word in range(first // WORD, -(-j1 // WORD)):
            j = np.arange(max(first, word * WORD), min(j1, (word + 1) * WORD))
            distance = distances[(i - i0) * row_stride + j - j0]
            doubt = np.zeros(len(j), bool)
            for seen_from, rows in enumerate((np.full(len(j), i), j)):
                inside = distance > high[rows] if far else distance <= low[rows]
                doubt |= (distance > low[rows]) & (distance <= high[rows])
                bits[seen_from, i - top, word - left] = sum(1 << int(q) for q in j[inside] % WORD)
            for q in j[doubt]:
                close[count] = i, q
                count += 1
    return count
