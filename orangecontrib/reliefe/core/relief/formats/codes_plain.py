"""The kernels of `codes_simd.py` as plain loops and NumPy: what they compute, and where numba does not compile."""

from typing import Any

import numpy as np

from .list_offers import OfferedLists, SearchedRows, Stretches
from .steps import HEAD, PANEL

WORD = 64  # pairs of a word of bits


def measure(lanes: Any, words: int, bounds: Any, upper: bool, row_stride: int, out: np.ndarray) -> None:
    """Set the sums of the larger codes of the rows of panels [a0, a1) and those of panels [b0, b1); see `codes_simd`.

    All pairs are set, whether only those with i < j are needed (`upper`) or not.
    """
    a0, a1, b0, b1 = bounds
    rows, columns = (_codes(lanes, words, first, last) for first, last in ((a0, a1), (b0, b1)))
    sums = out[: len(out) // row_stride * row_stride].reshape(-1, row_stride)
    for r in range(len(rows)):
        sums[r, : len(columns)] = np.maximum(rows[r], columns).sum(axis=1, dtype=np.int64)


def _codes(lanes: np.ndarray, words: int, first: int, last: int) -> np.ndarray:
    """Codes (rows, 2 words) int16 of the rows of panels [first, last)."""
    panels = lanes.reshape(-1, words, PANEL)[first:last]
    return np.ascontiguousarray(panels.transpose(0, 2, 1).reshape(-1, words)).view(np.int16)


def offer(
    sums: Any,
    bounds: Any,
    row_stride: int,
    first_and_last: Any,
    rows: SearchedRows,
    stretches: Stretches,
    nearest: OfferedLists,
) -> None:
    """Offer the pairs i < j of the rows of panels [a0, a1) and [b0, b1) to the lists of both rows; see `codes_simd`."""
    a0, a1, b0, b1 = bounds
    groups, ids, totals = rows
    limits, keys, end = nearest
    for i in range(max(a0 * PANEL, first_and_last[0]), min(a1 * PANEL, first_and_last[1])):
        for j in range(max(b0 * PANEL, i + 1), min(b1 * PANEL, len(groups))):
            total = int(sums[(i - a0 * PANEL) * row_stride + j - b0 * PANEL])
            distance = 2 * total - int(totals[i]) - int(totals[j])
            for row, candidate in ((i, j), (j, i)):
                if distance <= limits[groups[candidate], row]:
                    sorted_keys = keys[groups[candidate], row, HEAD:]
                    sorted_keys[-1] = min(sorted_keys[-1], np.uint64((distance << 32) + int(ids[candidate])))
                    sorted_keys.sort()
                    at_last = int(sorted_keys[end.last]) >> 32
                    at_kth = int(sorted_keys[end.kth]) >> 32
                    limits[groups[candidate], row] = int(min(at_last, at_kth * end.factor + end.term))


def add_moments(sums: Any, bounds: Any, row_stride: int, totals: Any, centre: int, out: np.ndarray) -> None:
    """Sums of the distances of a tile in steps, less `centre`, and of their squares, added to those of both rows, out
    (2, n)."""
    i0, i1, j0, j1 = bounds
    for i in range(i0, i1):
        j = np.arange(max(j0, i + 1), j1)
        difference = 2.0 * sums[(i - i0) * row_stride + j - j0] - totals[i] - totals[j] - centre
        for power, of_rows in enumerate(out, start=1):
            of_rows[i] += (difference**power).sum()
            of_rows[j] += difference**power


def zone_bits(
    sums: Any,
    bounds: Any,
    row_stride: int,
    totals: Any,
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
    i0, i1, j0, j1 = bounds
    top, left = origin
    low, high = cuts
    count = 0
    for i in range(i0, i1):
        first = max(j0, i + 1)
        for word in range(first // WORD, -(-j1 // WORD)):
            j = np.arange(max(first, word * WORD), min(j1, (word + 1) * WORD))
            distance = 2 * sums[(i - i0) * row_stride + j - j0].astype(np.int64) - totals[i] - totals[j]
            doubt = np.zeros(len(j), bool)
            for seen_from, rows in enumerate((np.full(len(j), i), j)):
                inside = distance > high[rows] if far else distance <= low[rows]
                doubt |= (distance > low[rows]) & (distance <= high[rows])
                bits[seen_from, i - top, word - left] = sum(1 << int(q) for q in j[inside] % WORD)
            for q in j[doubt]:
                close[count] = i, q
                count += 1
    return count
