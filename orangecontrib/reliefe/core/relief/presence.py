"""Patterns: which of some properties every row has, and how many of them two rows share.

Properties of many rows are kept as bits, of which a word holds 64; those of few rows as lists of the rows that have
them.  So neither sparse rows become dense, nor are dense ones looked at one by one.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..jit import kernel

FREQUENT = 16  # a property of more than one row in so many is kept as bits
WORD = 64  # bits
COLUMNS_AT_ONCE = 512  # whose words stay in the cache


@dataclass(frozen=True)
class Pattern:
    """Properties of n rows."""

    words: np.ndarray  # (n, w): bits of the frequent properties
    turned: np.ndarray  # (w, n): the same, one word of all rows after another
    # (indptr, indices) of the rare ones: of every row its properties, of every property its rows, ascending
    rows: tuple[np.ndarray, np.ndarray]
    columns: tuple[np.ndarray, np.ndarray]

    @classmethod
    def of(cls, owned: sparse.csr_array, frequent: np.ndarray) -> "Pattern":
        """The pattern of the stored entries (n, q), whatever their values; frequent (q,) bool: what is kept as bits."""
        rare = entries(owned, ~frequent[owned.indices])
        bits = np.zeros((owned.shape[0], -(-int(frequent.sum()) // WORD)), np.uint64)
        _set_bits(*_lists(owned), np.where(frequent, np.cumsum(frequent) - 1, -1), bits)
        return cls.made(bits, rare)

    @classmethod
    def made(cls, bits: np.ndarray, rare: sparse.csr_array) -> "Pattern":
        """The pattern of the bits (n, w) of frequent properties and the stored entries (n, q) of rare ones."""
        return cls(bits, np.ascontiguousarray(bits.T), _lists(rare), _lists(rare.tocsc()))

    @staticmethod
    def bits(X: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bits (n, w) of the columns of X that are known and not 0 in the rows, and of those that are unknown."""
        found, lacking = np.zeros((2, len(rows), -(-len(columns) // WORD)), np.uint64)
        _set_bits_of_columns(X, rows, columns, found, lacking)
        return found, lacking

    @property
    def sizes(self) -> np.ndarray:
        """Numbers (n,) of properties of each row."""
        found: np.ndarray = np.diff(self.rows[0]) + _count_bits(self.words)
        return found


def entries(table: sparse.csr_array, kept: np.ndarray) -> sparse.csr_array:
    """The stored entries of a table (n, q) that a mask (entries,) keeps, zeros among them."""
    indptr = np.concatenate([[0], np.cumsum(kept)])[table.indptr]
    return sparse.csr_array((table.data[kept], table.indices[kept], indptr), table.shape)


def frequent(*patterns: sparse.csr_array) -> np.ndarray:
    """Mask of the properties (q,) that more than one row in `FREQUENT` has, in any of some patterns, (n, q) each."""
    n, q = patterns[0].shape
    found: np.ndarray = np.sum([np.bincount(one.indices, minlength=q) for one in patterns], axis=0) * FREQUENT > n
    return found


def shared(
    one: Pattern, other: Pattern, where: tuple[int, int, int, int], upper: bool, height: int, width: int
) -> np.ndarray:
    """Numbers (height, width) of the properties that rows [i0, i1) have in `one` and rows [j0, j1) in `other`, in the
    corner; where = (i0, i1, j0, j1); upper: only the pairs i < j are sure to be right."""
    out = np.zeros((height, width), np.int32)
    _shared_bits(one.words, other.turned, where, upper, out)
    _shared_lists(*one.rows, *other.columns, where, upper, out)
    return out


def _lists(table: sparse.csr_array | sparse.csc_array) -> tuple[np.ndarray, np.ndarray]:
    """(indptr, indices), ascending and always of the same types, for each of which kernels are compiled."""
    table.sort_indices()
    return table.indptr.astype(np.int64), table.indices.astype(np.int32)


@kernel
def _set_bits(indptr, indices, places, words):
    """Set the bits of the entries that have a place."""
    for i in range(len(words)):
        for t in range(indptr[i], indptr[i + 1]):
            place = places[indices[t]]
            if place >= 0:
                words[i, place // WORD] |= np.uint64(1) << np.uint64(place % WORD)


@kernel
def _set_bits_of_columns(X, rows, columns, found, lacking):
    """Set the bits of numbers that are known and not 0, and of unknown ones."""
    one, zero = np.uint64(1), np.uint64(0)
    for i in range(len(rows)):
        x = X[rows[i]]
        for c0 in range(0, len(columns), WORD):
            some, none = zero, zero
            for c in range(c0, min(c0 + WORD, len(columns))):
                v = x[columns[c]]
                bit = one << np.uint64(c - c0)
                some |= bit if v == v and v != 0 else zero
                none |= bit if v != v else zero
            found[i, c0 // WORD], lacking[i, c0 // WORD] = some, none


@kernel
def _count_bits(words):
    """Numbers (n,) of bits of each row."""
    out = np.zeros(len(words), np.int64)
    for i in range(len(words)):
        for w in range(words.shape[1]):
            out[i] += np.int64(_bits(words[i, w]))
    return out


@kernel(forceinline=True)
def _bits(word):
    """Number of bits of a word: of pairs, fours, bytes, then of all of them."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    word = word + (word >> np.uint64(8))
    word = word + (word >> np.uint64(16))
    return (word + (word >> np.uint64(32))) & np.uint64(0x7F)


@kernel
def _shared_bits(words, turned, where, upper, out):
    """Add the bits that two rows share."""
    i0, i1, j0, j1 = where
    total = np.empty(COLUMNS_AT_ONCE, np.uint64)
    for c0 in range(j0, j1, COLUMNS_AT_ONCE):
        c1 = min(c0 + COLUMNS_AT_ONCE, j1)
        for i in range(i0, i1):
            first = max(c0, i + 1) if upper else c0
            if first >= c1:
                continue
            sums, row = total[: c1 - first], out[i - i0, first - j0 : c1 - j0]
            sums[:] = 0
            for w in range(words.shape[1]):
                mine, theirs = words[i, w], turned[w, first:c1]
                if mine:
                    for q in range(len(sums)):
                        sums[q] += _bits(mine & theirs[q])
            for q in range(len(sums)):
                row[q] += np.int32(sums[q])


@kernel
def _shared_lists(indptr, indices, starts, owners, where, upper, out):
    """Add the properties that two rows share, by the lists of the rows that have them."""
    i0, i1, j0, j1 = where
    for i in range(i0, i1):
        row, first = out[i - i0], max(j0, i + 1) if upper else j0
        for t in range(indptr[i], indptr[i + 1]):
            list_ = owners[starts[indices[t]] : starts[indices[t] + 1]]
            begin = _place(list_, first)
            end = len(list_) if len(list_) == 0 or j1 > list_[-1] else _place(list_, j1)
            for s in range(begin, end):
                row[list_[s] - j0] += 1


@kernel
def _place(rows, first):
    """Place of the first of ascending rows that is not below `first`."""
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) // 2
        if rows[middle] < first:
            low = middle + 1
        else:
            high = middle
    return low
