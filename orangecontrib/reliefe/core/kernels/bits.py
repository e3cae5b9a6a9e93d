"""Counts of bits by column, of rows and of pairs of rows, 64 features a word: no bit is looked at alone.

Eight words are added at once by full adders, so that a column's count lies across PLANES words, one bit of it in each
(Harley and Seal; Warren, Hacker's Delight, 2nd ed., 5-1).  Counts are whole numbers: their order changes nothing.
"""

import numpy as np

from .jit import kernel

BITS = 64  # features of a word
WORDS = 128  # words of a row that are taken together: rows of them stay in the second-level cache
EIGHT = 8  # words that are added at once
PLANES = 32  # bits of a count
FIRST = 3  # of these, after eight words
KNOWN, LOW, HIGH, EITHER = range(4)  # pairs that are known; and differ in the low bit, the high one, either


def pair_counts(
    low: np.ndarray,
    high: np.ndarray,
    pairs: tuple[np.ndarray, np.ndarray],
    weight: float,
    joined: bool,
    span: tuple[int, int],
    out: np.ndarray,
) -> None:
    """Add `weight` times the number of pairs that differ, for every feature of some words.

    Shapes: `low`, `high` (n, words); `pairs` (q,); `out` ((last - first) * BITS,).
    """
    if joined:
        _add_pairs(low, high, *pairs, weight, span, out)
    else:
        _add_pairs(low, low, *pairs, weight / 2, span, out)
        _add_pairs(high, high, *pairs, weight / 2, span, out)


@kernel(forceinline=True)
def popcount(x):
    """Number of the bits that are set, in a form that LLVM knows."""
    x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (x * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel
def mean_differences(low, high, additive, lists, span, out):
    """Mean diffs, out (b, G, last - first), of rows to those in their lists, over the rows of which the feature is
    known, as it is of the own row; low and high (n, words)."""
    (rows, cols), w0, w1 = lists, span[0] // BITS, (span[1] + BITS - 1) // BITS
    held, planes = np.zeros(EIGHT * WORDS, np.uint64), np.zeros(PLANES * WORDS, np.uint64)
    near, known, differs = np.empty(cols.shape[2], np.int64), np.empty((w1 - w0) * BITS), np.empty((w1 - w0) * BITS)
    for b in range(len(rows)):
        for g in range(cols.shape[1]):
            m = 0
            for q in range(cols.shape[2]):
                near[m] = cols[b, g, q]
                m += cols[b, g, q] >= 0
            known[:], differs[:] = 0, 0
            _add_known(low, high, additive, KNOWN, rows[b], near[:m], (w0, w1), 1.0, held, planes, known)
            if additive:
                _add_known(low, high, additive, LOW, rows[b], near[:m], (w0, w1), 0.5, held, planes, differs)
                _add_known(low, high, additive, HIGH, rows[b], near[:m], (w0, w1), 0.5, held, planes, differs)
            else:
                _add_known(low, high, additive, EITHER, rows[b], near[:m], (w0, w1), 1.0, held, planes, differs)
            for f in range(span[1] - span[0]):
                out[b, g, f] = differs[f] / known[f] if known[f] > 0 else np.nan


@kernel
def _add_known(low, high, additive, kind, i, near, span, weight, held, planes, out):
    """Numbers of the pairs of a row that are known, or that are known and differ in a bit, times the weight."""
    (w0, w1), bits = span, FIRST
    a, b, m = low[i, w0:w1], high[i, w0:w1], w1 - w0
    planes[:] = 0
    for q0 in range(0, len(near), EIGHT):
        for q in range(EIGHT):
            word = held[q * WORDS : q * WORDS + m]
            if q0 + q >= len(near):
                word[:] = 0
                continue
            x, y = low[near[q0 + q], w0:w1], high[near[q0 + q], w0:w1]
            if additive:
                for w in range(m):
                    word[w] = ~((b[w] & ~a[w]) | (y[w] & ~x[w]))
            else:
                for w in range(m):
                    word[w] = ~((b[w] & a[w]) | (y[w] & x[w]))
            if kind == LOW:
                for w in range(m):
                    word[w] &= a[w] ^ x[w]
            elif kind == HIGH:
                for w in range(m):
                    word[w] &= b[w] ^ y[w]
            elif kind == EITHER:
                for w in range(m):
                    word[w] &= (a[w] ^ x[w]) | (b[w] ^ y[w])
        bits = _add_eight(held, planes, m, q0, bits)
    _expand(planes, bits, m, weight, out)


@kernel
def _add_pairs(low, high, rows, cols, weight, span, out):
    """Pairs of rows, some words at a time."""
    (first, last), held, planes = span, np.zeros(EIGHT * WORDS, np.uint64), np.zeros(PLANES * WORDS, np.uint64)
    for w0 in range(first, last, WORDS):
        w1, bits = min(w0 + WORDS, last), FIRST
        m = w1 - w0
        planes[:] = 0
        for q0 in range(0, len(rows), EIGHT):
            for q in range(EIGHT):
                differs = held[q * WORDS : q * WORDS + m]
                if q0 + q < len(rows):
                    i, j = rows[q0 + q], cols[q0 + q]
                    a, b, x, y = low[i, w0:w1], high[i, w0:w1], low[j, w0:w1], high[j, w0:w1]
                    for w in range(m):
                        differs[w] = (a[w] ^ x[w]) | (b[w] ^ y[w])
                else:
                    differs[:] = 0
            bits = _add_eight(held, planes, m, q0, bits)
        _expand(planes, bits, m, weight, out[(w0 - first) * BITS : (w1 - first) * BITS])


@kernel
def column_counts(plane, rows):
    """Number of the rows (m,) whose bit is set in a plane (n, words), for every feature: (words * BITS,)."""
    held, planes = np.zeros(EIGHT * WORDS, np.uint64), np.zeros(PLANES * WORDS, np.uint64)
    out = np.zeros(plane.shape[1] * BITS)
    for w0 in range(0, plane.shape[1], WORDS):
        w1, bits = min(w0 + WORDS, plane.shape[1]), FIRST
        m = w1 - w0
        planes[:] = 0
        for q0 in range(0, len(rows), EIGHT):
            for q in range(EIGHT):
                word = held[q * WORDS : q * WORDS + m]
                if q0 + q < len(rows):
                    word[:] = plane[rows[q0 + q], w0:w1]
                else:
                    word[:] = 0
            bits = _add_eight(held, planes, m, q0, bits)
        _expand(planes, bits, m, 1.0, out[w0 * BITS : w1 * BITS])
    return out


@kernel
def _add_eight(held, planes, m, before, bits):
    """Eight words into the counts, behind as many as were `before`; returns the number of bits of the counts."""
    for w in range(m):
        a, b, c, d = held[w], held[WORDS + w], held[2 * WORDS + w], held[3 * WORDS + w]
        e, f, g, h = held[4 * WORDS + w], held[5 * WORDS + w], held[6 * WORDS + w], held[7 * WORDS + w]
        ones, twos, fours = planes[w], planes[WORDS + w], planes[2 * WORDS + w]
        half = ones ^ a
        two, ones = (ones & a) | (half & b), half ^ b
        half = ones ^ c
        other, ones = (ones & c) | (half & d), half ^ d
        half = twos ^ two
        four, twos = (twos & two) | (half & other), half ^ other
        half = ones ^ e
        two, ones = (ones & e) | (half & f), half ^ f
        half = ones ^ g
        other, ones = (ones & g) | (half & h), half ^ h
        half = twos ^ two
        more, twos = (twos & two) | (half & other), half ^ other
        half = fours ^ four
        held[w] = (fours & four) | (half & more)
        planes[w], planes[WORDS + w], planes[2 * WORDS + w] = ones, twos, half ^ more
    bits += 1 if (before // EIGHT + 1) >> (bits - FIRST) else 0
    for b in range(FIRST, bits):  # what the three lowest bits carry is in the first of `held`
        plane = planes[b * WORDS : b * WORDS + m]
        for w in range(m):
            carry, word = held[w], plane[w]
            plane[w] = word ^ carry
            held[w] = word & carry
    return bits


@kernel
def _expand(planes, bits, m, weight, out):
    """Counts times the weight, feature by feature, added to `out`."""
    one = np.uint64(1)
    for w in range(m):
        own = out[w * BITS : (w + 1) * BITS]
        for b in range(bits):
            word, value = planes[b * WORDS + w], weight * (1 << b)
            for bit in range(BITS):
                own[bit] += value * np.float64((word >> np.uint64(bit)) & one)
