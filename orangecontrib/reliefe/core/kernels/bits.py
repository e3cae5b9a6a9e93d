"""Counts of bits by column, of rows and of pairs of rows, for 64 features at a time; no bit is looked at alone.

`data/packed.py` counts genotypes by them (`column_counts`), `relief/formats/packed.py` pairs of rows that differ
(`pair_counts`), and `relief/formats/lists.py` takes means over neighbours (`mean_differences`).

Layout: a word has one bit of each of 64 features.  A genotype is a bit of a word `low` and one of a word `high`: in
additive form 0 is (0, 0), 1 is (1, 0), 2 is (1, 1) and (0, 1) is missing; otherwise both bits of a missing one are set
(`Packed`).

Eight words are added at a time by full adders, so that the count of a column lies across PLANES words, one bit of it in
each (Harley and Seal; Warren, Hacker's Delight, 2nd ed., 5-1).  Bit f of the words planes[0], planes[1], planes[2] are
the digits of value 1, 2 and 4 of the count of feature f:

    counts 3, 0 and 5 of three features:    planes[0] = 0b101, planes[1] = 0b001, planes[2] = 0b100

Counts are whole numbers: their order changes nothing.
"""

import numpy as np

from .jit import kernel

BITS = 64  # features of a word
WORDS = 128  # words of a row that are taken together: rows of them stay in the second-level cache
EIGHT = 8  # words that are added at once
PLANES = 32  # bits of a count
FIRST = 3  # of these, after eight words
# Pairs that are known, and of these those that differ in the low bit, in the high one, or in either.  Each Python
# int would be a type of its own, for which numba compiles the kernel again.
KNOWN = np.int64(0)
LOW = np.int64(1)
HIGH = np.int64(2)
EITHER = np.int64(3)


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
    """Set the mean diffs of rows to the neighbours in their lists, over those in which the feature is known.

    low, high : (n, words), bits of the genotypes.
    additive : True if the diff of genotypes is half of the difference of their counts, else 0 or 1.
    lists : rows (b,) and cols (b, G, k), with -1 where there is nobody.
    span : first and last feature; the first is a multiple of BITS.
    out : (b, G, last - first), NaN where no pair is known.
    """
    rows, cols = lists
    words = span[0] // BITS, (span[1] + BITS - 1) // BITS
    n_features = (words[1] - words[0]) * BITS
    eight = np.zeros(EIGHT * WORDS, np.uint64)
    planes = np.zeros(PLANES * WORDS, np.uint64)
    neighbours = np.empty(cols.shape[2], np.int64)
    known = np.empty(n_features)
    differs = np.empty(n_features)
    for b in range(len(rows)):
        i = rows[b]
        for g in range(cols.shape[1]):
            m = 0
            for q in range(cols.shape[2]):
                neighbours[m] = cols[b, g, q]
                m += cols[b, g, q] >= 0
            of_list = neighbours[:m]
            known[:] = 0
            differs[:] = 0
            _add_known(low, high, additive, KNOWN, i, of_list, words, 1.0, eight, planes, known)
            if additive:
                _add_known(low, high, additive, LOW, i, of_list, words, 0.5, eight, planes, differs)
                _add_known(low, high, additive, HIGH, i, of_list, words, 0.5, eight, planes, differs)
            else:
                _add_known(low, high, additive, EITHER, i, of_list, words, 1.0, eight, planes, differs)
            for f in range(span[1] - span[0]):
                out[b, g, f] = differs[f] / known[f] if known[f] > 0 else np.nan


@kernel
def _add_known(low, high, additive, kind, i, neighbours, words, weight, eight, planes, out):
    """Add `weight` times the number of pairs of row i that are known, or known and different, to out (features,).

    kind : KNOWN, LOW, HIGH or EITHER, the bits in which pairs differ.
    words : first and last word.
    eight, planes : memory.
    """
    first, last = words
    n_words = last - first
    n_bits = FIRST
    low_of_row = low[i, first:last]
    high_of_row = high[i, first:last]
    planes[:] = 0
    for q0 in range(0, len(neighbours), EIGHT):
        for q in range(EIGHT):
            word = eight[q * WORDS : q * WORDS + n_words]
            if q0 + q >= len(neighbours):
                word[:] = 0
                continue
            low_of_col = low[neighbours[q0 + q], first:last]
            high_of_col = high[neighbours[q0 + q], first:last]

            # Pairs that are known: a missing value is a code of its own
            if additive:
                for w in range(n_words):
                    word[w] = ~((high_of_row[w] & ~low_of_row[w]) | (high_of_col[w] & ~low_of_col[w]))
            else:
                for w in range(n_words):
                    word[w] = ~((high_of_row[w] & low_of_row[w]) | (high_of_col[w] & low_of_col[w]))

            # Of these, those that differ
            if kind == LOW:
                for w in range(n_words):
                    word[w] &= low_of_row[w] ^ low_of_col[w]
            elif kind == HIGH:
                for w in range(n_words):
                    word[w] &= high_of_row[w] ^ high_of_col[w]
            elif kind == EITHER:
                for w in range(n_words):
                    word[w] &= (low_of_row[w] ^ low_of_col[w]) | (high_of_row[w] ^ high_of_col[w])
        n_bits = _add_eight(eight, planes, n_words, q0, n_bits)
    _expand(planes, n_bits, n_words, weight, out)


@kernel
def _add_pairs(low, high, rows, cols, weight, span, out):
    """Add `weight` times the number of pairs that differ in either bit, for the features of some words.

    rows, cols : (q,), rows of the pairs.
    span : first and last word.
    out : ((last - first) * BITS,).
    """
    first, last = span
    eight = np.zeros(EIGHT * WORDS, np.uint64)
    planes = np.zeros(PLANES * WORDS, np.uint64)
    for w0 in range(first, last, WORDS):
        w1 = min(w0 + WORDS, last)
        n_words = w1 - w0
        n_bits = FIRST
        planes[:] = 0
        for q0 in range(0, len(rows), EIGHT):
            for q in range(EIGHT):
                differs = eight[q * WORDS : q * WORDS + n_words]
                if q0 + q < len(rows):
                    i = rows[q0 + q]
                    j = cols[q0 + q]
                    low_of_row = low[i, w0:w1]
                    high_of_row = high[i, w0:w1]
                    low_of_col = low[j, w0:w1]
                    high_of_col = high[j, w0:w1]
                    for w in range(n_words):
                        differs[w] = (low_of_row[w] ^ low_of_col[w]) | (high_of_row[w] ^ high_of_col[w])
                else:
                    differs[:] = 0
            n_bits = _add_eight(eight, planes, n_words, q0, n_bits)
        _expand(planes, n_bits, n_words, weight, out[(w0 - first) * BITS : (w1 - first) * BITS])


@kernel
def column_counts(plane, rows):
    """Return the number of the rows (m,) whose bit is set in a plane (n, words), for every feature: (words * BITS,)."""
    eight = np.zeros(EIGHT * WORDS, np.uint64)
    planes = np.zeros(PLANES * WORDS, np.uint64)
    out = np.zeros(plane.shape[1] * BITS)
    for w0 in range(0, plane.shape[1], WORDS):
        w1 = min(w0 + WORDS, plane.shape[1])
        n_words = w1 - w0
        n_bits = FIRST
        planes[:] = 0
        for q0 in range(0, len(rows), EIGHT):
            for q in range(EIGHT):
                word = eight[q * WORDS : q * WORDS + n_words]
                if q0 + q < len(rows):
                    word[:] = plane[rows[q0 + q], w0:w1]
                else:
                    word[:] = 0
            n_bits = _add_eight(eight, planes, n_words, q0, n_bits)
        _expand(planes, n_bits, n_words, 1.0, out[w0 * BITS : w1 * BITS])
    return out


@kernel
def _add_eight(eight, planes, n_words, n_before, n_bits):
    """Add eight rows of words to the counts, and return the number of bits of the counts.

    A full adder of the words x, y and z of equal value gives  sum = x ^ y ^ z  of that value and
    carry = (x & y) | ((x ^ y) & z)  of the double value.

    eight : (EIGHT * WORDS,), words that are added; overwritten.
    planes : (PLANES * WORDS,), counts of `n_before` words, which have `n_bits` bits.
    """
    for w in range(n_words):
        a, b, c, d = eight[w], eight[WORDS + w], eight[2 * WORDS + w], eight[3 * WORDS + w]
        e, f, g, h = eight[4 * WORDS + w], eight[5 * WORDS + w], eight[6 * WORDS + w], eight[7 * WORDS + w]
        ones = planes[w]
        twos = planes[WORDS + w]
        fours = planes[2 * WORDS + w]

        # Eight words of value 1 and `ones`: four carries of value 2
        half = ones ^ a
        two_ab = (ones & a) | (half & b)
        ones = half ^ b
        half = ones ^ c
        two_cd = (ones & c) | (half & d)
        ones = half ^ d
        half = ones ^ e
        two_ef = (ones & e) | (half & f)
        ones = half ^ f
        half = ones ^ g
        two_gh = (ones & g) | (half & h)
        ones = half ^ h

        # These and `twos`: two carries of value 4
        half = twos ^ two_ab
        four_ad = (twos & two_ab) | (half & two_cd)
        twos = half ^ two_cd
        half = twos ^ two_ef
        four_eh = (twos & two_ef) | (half & two_gh)
        twos = half ^ two_gh

        # These and `fours`: one carry of value 8
        half = fours ^ four_ad
        eight[w] = (fours & four_ad) | (half & four_eh)
        planes[w] = ones
        planes[WORDS + w] = twos
        planes[2 * WORDS + w] = half ^ four_eh

    # The carries of value 8, in the first of the words, to the further bits
    n_bits += 1 if (n_before // EIGHT + 1) >> (n_bits - FIRST) else 0
    for b in range(FIRST, n_bits):
        plane = planes[b * WORDS : b * WORDS + n_words]
        for w in range(n_words):
            carry = eight[w]
            word = plane[w]
            plane[w] = word ^ carry
            eight[w] = word & carry
    return n_bits


@kernel
def _expand(planes, n_bits, n_words, weight, out):
    """Add the counts times the weight, feature by feature, to out (n_words * BITS,)."""
    one = np.uint64(1)
    for w in range(n_words):
        of_word = out[w * BITS : (w + 1) * BITS]
        for b in range(n_bits):
            word = planes[b * WORDS + w]
            value = weight * (1 << b)
            for bit in range(BITS):
                of_word[bit] += value * np.float64((word >> np.uint64(bit)) & one)
