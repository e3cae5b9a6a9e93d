"""Columns of few values as bits, the rows of a block side by side: differences are counted by words of 64 columns.

A number whose values lie evenly in [0, 1] has a bit for each step up to it, so that |a - b| is the number of bits that
differ times the step; what is unknown lies two whole steps below.  A nominal column has the bits of its code, and
differs where any of them does.
"""

from dataclasses import dataclass

import numpy as np

from ...data.expected import MISSING
from ...kernels.bits import popcount
from ...kernels.jit import kernel

BITS = 64  # columns of a word
LANES = 64  # rows that lie side by side
MIN_COLUMNS, MIN_SHARE = 16, 1 / 8  # of columns in bits, from which they are faster than numbers
MIN_ROWS = 256
MIN_GROUP = 16  # columns, below which they go with those of more bits
LOOKED_AT = 64  # rows by which columns are chosen that are looked at whole
MOST_PLANES = 4  # bits of a nominal column
MOST_CODES = 2**MOST_PLANES  # the unknown one among them
OTHER = 100  # stands for values that have no bits


@dataclass(frozen=True)
class BitGroup:
    """Words of columns that are compared alike."""

    lanes: np.ndarray  # (blocks, words * planes * LANES): bits; a word of all rows of a block follows another one
    planes: int  # bits of a column
    unit: float  # what a column adds in which any of these bits differs

    @classmethod
    def empty(cls, n: int, columns: np.ndarray, planes: int, unit: float) -> "BitGroup":
        """Group of columns of n rows, without any bit yet."""
        return cls(np.zeros((-(-n // LANES), -(-len(columns) // BITS) * planes * LANES), np.uint64), planes, unit)


@dataclass(frozen=True)
class BitColumns:
    """Columns of `values` in bits."""

    groups: tuple[BitGroup, ...]  # the bits
    rest: np.ndarray  # columns that stay numbers, ascending

    @classmethod
    def of(cls, values: np.ndarray, n_numeric: int, p: int) -> "BitColumns | None":
        """Choose columns, and pack them.

        Shapes: `values` (n, at least p).
        """
        n, n_numeric = len(values), min(n_numeric, p)
        if n < MIN_ROWS or p < MIN_COLUMNS:
            return None
        least = max(MIN_COLUMNS, MIN_SHARE * p)
        for rows in (LOOKED_AT, n):
            levels, unknown = np.zeros(p, np.int64), np.zeros(p, bool)
            _survey(values[:rows], n_numeric, levels, unknown)
            codes = levels + np.where(np.arange(p) < n_numeric, 0, unknown)
            if (codes <= MOST_CODES).sum() < least:
                return None
        number, every = np.arange(p) < n_numeric, np.arange(p)
        once, twice = number & (levels == 2), number & (levels == 3)
        gaps, halves = np.flatnonzero((once | twice) & unknown), np.flatnonzero(twice)
        coded = [np.flatnonzero(~number & (codes > 2**k // 2) & (codes <= 2**k)) for k in range(1, MOST_PLANES + 1)]
        if len(coded[0]) and not once.any():
            _join_few(coded)
        pairs = coded[0]
        ones = np.concatenate([every[once], gaps, gaps, pairs])
        above = np.concatenate([np.ones(once.sum()), np.zeros(2 * len(gaps)), np.where(unknown, 0.0, 1.0)[pairs]])
        steps = np.concatenate([halves, halves]), np.repeat([0.5, 1.0], len(halves))
        groups = []
        for unit, (columns, limits) in ((1.0, (ones, above)), (0.5, steps)):
            if len(columns):
                groups.append(BitGroup.empty(n, columns, 1, unit))
                _fill_thresholds(values, columns, limits.astype(values.dtype), groups[-1].lanes)
        _join_few(coded, 1)
        for planes, columns in enumerate(coded[1:], start=2):
            if len(columns):
                groups.append(BitGroup.empty(n, columns, planes, 1.0))
                _fill_planes(values, columns, levels[columns], planes, groups[-1].lanes)
        chosen = once | twice | (~number & (codes <= MOST_CODES))
        return cls(tuple(groups), np.flatnonzero(~chosen))


def _join_few(coded: list[np.ndarray], first: int = 0) -> None:
    """Put columns with few others of so many bits, from `first` + 1 on, to those of more bits, if there are any."""
    for k in range(first, len(coded) - 1):
        if len(coded[k]) < MIN_GROUP and any(map(len, coded[k + 1 :])):
            coded[k + 1], coded[k] = np.sort(np.concatenate([coded[k], coded[k + 1]])), coded[k][:0]


@kernel
def _survey(X, n_numeric, levels, unknown):
    """Number of the values that a column may have: of numbers 2 (0 and 1) or 3 (with 1/2), of codes the largest and 1,
    OTHER where they are others; and whether one is unknown."""
    half = X.dtype.type(0.5)
    levels[:n_numeric], levels[n_numeric:] = 2, 1
    for i in range(len(X)):
        x = X[i]
        for f in range(n_numeric):
            v = x[f]
            kind = 2 if (v == 0) | (v == 1) | (v == MISSING) else 3 if v == half else OTHER
            levels[f] = max(levels[f], kind)
            unknown[f] |= v == MISSING
        for f in range(n_numeric, len(levels)):
            v = x[f]
            levels[f] = max(levels[f], np.int64(min(v, X.dtype.type(OTHER))) + 1)
            unknown[f] |= v == MISSING


@kernel
def _fill_thresholds(X, columns, limits, out):
    """Bits of what is at least the limit, of one column after another."""
    one = np.uint64(1)
    for i in range(len(X)):
        x, row, lane = X[i], out[i // LANES], i % LANES
        for b0 in range(0, len(columns), BITS):
            word = np.uint64(0)
            for b in range(b0, min(b0 + BITS, len(columns))):
                word |= (one if x[columns[b]] >= limits[b] else np.uint64(0)) << np.uint64(b - b0)
            row[b0 + lane] = word


@kernel
def _fill_planes(X, columns, unknown, planes, out):
    """Bits of codes, the planes of a word one after another; unknown: the code of what is unknown."""
    one, words = np.uint64(1), np.zeros(4, np.uint64)
    for i in range(len(X)):
        x, row, lane = X[i], out[i // LANES], i % LANES
        for b0 in range(0, len(columns), BITS):
            words[:] = 0
            for b in range(b0, min(b0 + BITS, len(columns))):
                v = x[columns[b]]
                code = np.uint64(v) if v >= 0 else np.uint64(unknown[b])
                for k in range(planes):
                    words[k] |= ((code >> np.uint64(k)) & one) << np.uint64(b - b0)
            for k in range(planes):
                row[b0 * planes + k * LANES + lane] = words[k]


WORDS_AT_ONCE = 32  # whose counts are taken before the next rows are: so many of 64 rows stay in the first cache


def add_bits(bits: BitColumns, where: tuple[int, int, int, int], upper: bool, out: np.ndarray) -> None:
    """Add to a tile what the columns in bits differ.

    Shapes: `out` (at least i1 - i0, at least j1 - j0).
    """
    for group in bits.groups:
        _add(group.lanes, group.planes, out.dtype.type(group.unit), where, upper, out)


@kernel
def _add(lanes, planes, unit, where, upper, out):
    """One group."""
    i0, i1, j0, j1 = where
    words, step = lanes.shape[1] // (planes * LANES), planes * LANES
    total, own = np.zeros(LANES, np.uint64), np.zeros(WORDS_AT_ONCE * planes, np.uint64)
    for w0 in range(0, words, WORDS_AT_ONCE):
        w1 = min(w0 + WORDS_AT_ONCE, words)
        for l0 in range(j0, j1, LANES):
            width, theirs = min(LANES, j1 - l0), lanes[l0 // LANES, w0 * step : w1 * step]
            for i in range(i0, i1):
                if upper and i + 1 >= l0 + width:
                    break
                mine, lane = lanes[i // LANES], i % LANES
                for w in range((w1 - w0) * planes):
                    own[w] = mine[w0 * step + w * LANES + lane]
                total[:] = 0
                if planes == 1:
                    for w in range(w1 - w0):
                        b = theirs[w * LANES : (w + 1) * LANES]
                        for q in range(LANES):
                            total[q] += popcount(own[w] ^ b[q])
                elif planes == 2:
                    for w in range(w1 - w0):
                        b, x, y = theirs[w * step : (w + 1) * step], own[2 * w], own[2 * w + 1]
                        for q in range(LANES):
                            total[q] += popcount((x ^ b[q]) | (y ^ b[LANES + q]))
                elif planes == 3:
                    for w in range(w1 - w0):
                        b, x, y, z = theirs[w * step : (w + 1) * step], own[3 * w], own[3 * w + 1], own[3 * w + 2]
                        for q in range(LANES):
                            total[q] += popcount((x ^ b[q]) | (y ^ b[LANES + q]) | (z ^ b[2 * LANES + q]))
                else:
                    for w in range(w1 - w0):
                        b, x, y, z = theirs[w * step : (w + 1) * step], own[4 * w], own[4 * w + 1], own[4 * w + 2]
                        last = own[4 * w + 3]
                        for q in range(LANES):
                            total[q] += popcount(
                                (x ^ b[q]) | (y ^ b[LANES + q]) | (z ^ b[2 * LANES + q]) | (last ^ b[3 * LANES + q])
                            )
                row = out[i - i0, l0 - j0 : l0 - j0 + width]
                for q in range(width):
                    row[q] += unit * row.dtype.type(total[q])
