"""Columns of few values as bits, by which distances of dense rows are counted: 64 columns in one operation.

`Features.bits` makes `BitColumns`, and `DenseManhattan` adds the distances in these columns to its tiles by `add_bits`.

A numeric column whose values are 0 and 1, or 0, 1/2 and 1, has a bit for each step: the bit of the limit t is set where
the value is at least t. Then ``|a - b|`` is the number of bits that differ times the step. An unknown value counts as
MISSING = -2, which is two more steps of 1 away:

    values 0, 1/2, 1           limits 1/2, 1                  0 -> 00,  1/2 -> 10,  1 -> 11             a bit adds 1/2
    values MISSING, 0, 1       limits 0, 0, 1                 MISSING -> 000,  0 -> 110,  1 -> 111      a bit adds 1

A nominal column has the bits of its code, called planes, and differs by 1 where any of them does.

Layout: the bits of 64 columns are a word, and 64 rows lie side by side: a word of the rows 0 to 63, then the next word
of these rows; with several planes first all planes of the first word.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...data.expected import MISSING
from ...kernels.bits import popcount
from ...kernels.jit import kernel

BITS = 64  # columns of a word
LANES = 64  # rows that lie side by side
MIN_COLUMNS = 16  # columns of few values, and
MIN_SHARE = 1 / 8  # share of them among all, from which bits are faster than numbers
MIN_ROWS = 256  # rows from which bits are faster
MIN_GROUP = 16  # columns of a group, below which they go with those of more planes
SAMPLE_ROWS = 64  # rows that are read first, to see if there may be enough columns of few values
MAX_PLANES = 4  # bits of a nominal column
MAX_CODES = 2**MAX_PLANES  # codes of a nominal column, the unknown one among them
OTHER = 100  # number of values of columns that cannot have bits
WORDS_AT_ONCE = 32  # words that are counted before the next rows are: so many of 64 rows stay in the first cache


@dataclass(frozen=True)
class BitGroup:
    """Columns in bits that are compared in the same way.

    Attributes
    ----------
    lanes : (blocks of LANES rows, words * planes * LANES) uint64 array
        Bits, in the layout that the head of this file shows.
    planes : int
        Bits of a column.
    unit : float
        Diff of a column in which any of its bits differs.
    """

    lanes: np.ndarray
    planes: int
    unit: float

    @classmethod
    def empty(cls, n: int, n_columns: int, planes: int, unit: float) -> "BitGroup":
        """Return a group of columns of n rows, whose bits are all 0."""
        n_blocks = -(-n // LANES)
        n_words = -(-n_columns // BITS)
        return cls(np.zeros((n_blocks, n_words * planes * LANES), np.uint64), planes, unit)


class Survey(NamedTuple):
    """Number of values that each column may have.

    Attributes
    ----------
    n_values : (p,) int64 array
        Known values: of numbers 2 (0 and 1), 3 (with 1/2) or OTHER; of codes the largest code and 1.
    has_unknown : (p,) bool array
        True for columns with an unknown value.
    n_codes : (p,) int64 array
        `n_values`, and of nominal columns one more for the unknown value.
    """

    n_values: np.ndarray
    has_unknown: np.ndarray
    n_codes: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray, n_numeric: int, p: int) -> "Survey":
        """Read the first p columns of values (n, at least p), of which the first n_numeric are numbers."""
        n_values = np.zeros(p, np.int64)
        has_unknown = np.zeros(p, bool)
        _survey(values, n_numeric, n_values, has_unknown)
        return cls(n_values, has_unknown, n_values + np.where(np.arange(p) < n_numeric, 0, has_unknown))


@dataclass(frozen=True)
class BitColumns:
    """Columns of dense rows, as far as they have few values, in bits.

    Attributes
    ----------
    groups : tuple of BitGroup
        The bits.
    rest : (c,) int array
        Columns that stay numbers, ascending.
    """

    groups: tuple[BitGroup, ...]
    rest: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray, n_numeric: int, p: int) -> "BitColumns | None":
        """Choose columns of few values, and pack them.

        Parameters
        ----------
        values : (n, at least p) array
            Scaled values and codes, MISSING where unknown.
        n_numeric : int
            Number of numeric columns, which are the first ones.
        p : int
            Number of columns.

        Returns
        -------
        BitColumns or None
            None if there are too few such columns, or rows, to pay.
        """
        n_numeric = min(n_numeric, p)
        if len(values) < MIN_ROWS or p < MIN_COLUMNS:
            return None
        for n_rows in (SAMPLE_ROWS, len(values)):
            survey = Survey.of(values[:n_rows], n_numeric, p)
            if (survey.n_codes <= MAX_CODES).sum() < max(MIN_COLUMNS, MIN_SHARE * p):
                return None
        is_number = np.arange(p) < n_numeric
        is_binary = is_number & (survey.n_values == 2)
        has_half = is_number & (survey.n_values == 3)
        # Nominal columns by the number of their planes, from one on
        coded = [
            np.flatnonzero(~is_number & (survey.n_codes > 2**k // 2) & (survey.n_codes <= 2**k))
            for k in range(1, MAX_PLANES + 1)
        ]
        if len(coded[0]) and not is_binary.any():
            _join_small_groups(coded, 0)
        groups = _threshold_groups(values, survey, is_binary, has_half, coded[0])
        _join_small_groups(coded, 1)
        for planes, columns in enumerate(coded[1:], start=2):
            if len(columns):
                group = BitGroup.empty(len(values), len(columns), planes, 1.0)
                _fill_planes(values, columns, survey.n_values[columns], planes, group.lanes)
                groups.append(group)
        in_bits = is_binary | has_half | (~is_number & (survey.n_codes <= MAX_CODES))
        return cls(tuple(groups), np.flatnonzero(~in_bits))


def _threshold_groups(
    values: np.ndarray, survey: Survey, is_binary: np.ndarray, has_half: np.ndarray, two_codes: np.ndarray
) -> list[BitGroup]:
    """Pack columns by bits of "at least a limit": numbers, and nominal columns of two codes.

    is_binary, has_half (p,) bool : numeric columns of 0 and 1, and of 0, 1/2 and 1
    two_codes (c,) : nominal columns of two codes, 0 and 1, or 0 and unknown
    """
    # Two steps of 1 from an unknown value to 0
    with_unknown = np.flatnonzero((is_binary | has_half) & survey.has_unknown)
    columns_of_ones = np.concatenate([np.flatnonzero(is_binary), with_unknown, with_unknown, two_codes])
    limits_of_ones = np.concatenate([
        np.ones(is_binary.sum()),
        np.zeros(2 * len(with_unknown)),
        np.where(survey.has_unknown, 0.0, 1.0)[two_codes],
    ])  # fmt: skip
    # Two steps of 1/2 from 0 to 1
    of_halves = np.flatnonzero(has_half)
    columns_of_halves = np.concatenate([of_halves, of_halves])
    limits_of_halves = np.repeat([0.5, 1.0], len(of_halves))
    groups = []
    for unit, columns, limits in ((1.0, columns_of_ones, limits_of_ones), (0.5, columns_of_halves, limits_of_halves)):
        if len(columns):
            group = BitGroup.empty(len(values), len(columns), 1, unit)
            _fill_thresholds(values, columns, limits.astype(values.dtype), group.lanes)
            groups.append(group)
    return groups


def _join_small_groups(coded: list[np.ndarray], first: int) -> None:
    """Move columns of k planes, k > first, to those of k + 1, if they are few and there are columns of more planes.

    coded : columns of 1, 2, ... planes, ascending; changed in place
    """
    for k in range(first, len(coded) - 1):
        if len(coded[k]) < MIN_GROUP and any(map(len, coded[k + 1 :])):
            coded[k + 1] = np.sort(np.concatenate([coded[k], coded[k + 1]]))
            coded[k] = coded[k][:0]


def add_bits(bits: BitColumns, bounds: tuple[int, int, int, int], upper: bool, out: np.ndarray) -> None:
    """Add the distances of a tile in the columns in bits to out (at least i1 - i0, at least j1 - j0).

    bounds : i0, i1, j0, j1
    upper : True if only the pairs i < j need be right
    """
    for group in bits.groups:
        _add_group(group.lanes, group.planes, out.dtype.type(group.unit), bounds, upper, out)


@kernel
def _survey(X, n_numeric, n_values, has_unknown):
    """Fill the fields of a `Survey` from X (n, at least p); both are zeros before."""
    half = X.dtype.type(0.5)
    n_values[:n_numeric] = 2
    n_values[n_numeric:] = 1
    for i in range(len(X)):
        x = X[i]
        for f in range(n_numeric):
            v = x[f]
            needed = OTHER
            if (v == 0) | (v == 1) | (v == MISSING):
                needed = 2
            elif v == half:
                needed = 3
            n_values[f] = max(n_values[f], needed)
            has_unknown[f] |= v == MISSING
        for f in range(n_numeric, len(n_values)):
            v = x[f]
            n_values[f] = max(n_values[f], np.int64(min(v, X.dtype.type(OTHER))) + 1)
            has_unknown[f] |= v == MISSING


@kernel
def _fill_thresholds(X, columns, limits, lanes):
    """Set bit b of each row where X[row, columns[b]] >= limits[b].

    columns, limits : (c,); a column may occur again, with another limit
    lanes : as of `BitGroup`, with one plane
    """
    one = np.uint64(1)
    for i in range(len(X)):
        x = X[i]
        block = lanes[i // LANES]
        lane = i % LANES
        for b0 in range(0, len(columns), BITS):
            word = np.uint64(0)
            for b in range(b0, min(b0 + BITS, len(columns))):
                word |= (one if x[columns[b]] >= limits[b] else np.uint64(0)) << np.uint64(b - b0)
            block[b0 + lane] = word


@kernel
def _fill_planes(X, columns, code_of_unknown, planes, lanes):
    """Set the bits of the codes X[row, columns[b]], the planes of a word one after another.

    columns, code_of_unknown : (c,)
    lanes : as of `BitGroup`
    """
    one = np.uint64(1)
    words = np.zeros(MAX_PLANES, np.uint64)
    for i in range(len(X)):
        x = X[i]
        block = lanes[i // LANES]
        lane = i % LANES
        for b0 in range(0, len(columns), BITS):
            words[:] = 0
            for b in range(b0, min(b0 + BITS, len(columns))):
                v = x[columns[b]]
                code = np.uint64(v) if v >= 0 else np.uint64(code_of_unknown[b])
                for k in range(planes):
                    words[k] |= ((code >> np.uint64(k)) & one) << np.uint64(b - b0)
            for k in range(planes):
                block[b0 * planes + k * LANES + lane] = words[k]


@kernel
def _add_group(lanes, planes, unit, bounds, upper, out):
    """Add unit * (number of columns in which rows i and j differ) to out[i - i0, j - j0].

    A column differs where any of its planes does: popcount((x_0 ^ y_0) | (x_1 ^ y_1) | ...), over all words.

    lanes, planes, unit : as of `BitGroup`
    """
    i0, i1, j0, j1 = bounds
    step = planes * LANES  # numbers of a word in `lanes`
    n_words = lanes.shape[1] // step
    total = np.zeros(LANES, np.uint64)
    words_of_row = np.zeros(WORDS_AT_ONCE * planes, np.uint64)  # words of row i, with all planes of a word together
    for w0 in range(0, n_words, WORDS_AT_ONCE):
        w1 = min(w0 + WORDS_AT_ONCE, n_words)
        for l0 in range(j0, j1, LANES):
            width = min(LANES, j1 - l0)
            block = lanes[l0 // LANES, w0 * step : w1 * step]
            for i in range(i0, i1):
                if upper and i + 1 >= l0 + width:
                    break
                block_of_row = lanes[i // LANES]
                lane = i % LANES
                for w in range((w1 - w0) * planes):
                    words_of_row[w] = block_of_row[w0 * step + w * LANES + lane]
                total[:] = 0
                if planes == 1:
                    for w in range(w1 - w0):
                        b = block[w * LANES : (w + 1) * LANES]
                        for q in range(LANES):
                            total[q] += popcount(words_of_row[w] ^ b[q])
                elif planes == 2:
                    for w in range(w1 - w0):
                        b = block[w * step : (w + 1) * step]
                        x = words_of_row[2 * w]
                        y = words_of_row[2 * w + 1]
                        for q in range(LANES):
                            total[q] += popcount((x ^ b[q]) | (y ^ b[LANES + q]))
                elif planes == 3:
                    for w in range(w1 - w0):
                        b = block[w * step : (w + 1) * step]
                        x = words_of_row[3 * w]
                        y = words_of_row[3 * w + 1]
                        z = words_of_row[3 * w + 2]
                        for q in range(LANES):
                            total[q] += popcount((x ^ b[q]) | (y ^ b[LANES + q]) | (z ^ b[2 * LANES + q]))
                else:
                    for w in range(w1 - w0):
                        b = block[w * step : (w + 1) * step]
                        x = words_of_row[4 * w]
                        y = words_of_row[4 * w + 1]
                        z = words_of_row[4 * w + 2]
                        last = words_of_row[4 * w + 3]
                        for q in range(LANES):
                            total[q] += popcount(
                                (x ^ b[q]) | (y ^ b[LANES + q]) | (z ^ b[2 * LANES + q]) | (last ^ b[3 * LANES + q])
                            )
                row = out[i - i0, l0 - j0 : l0 - j0 + width]
                for q in range(width):
                    row[q] += unit * row.dtype.type(total[q])
