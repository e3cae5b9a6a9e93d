"""Patterns: the properties of rows, as bits and lists, and the number of properties that two rows share.

`PresenceCosine` (`cosine.py`) makes patterns of "the feature is not 0", "the feature is unknown" and so on. Properties
of many rows are bits, of which a word holds 64; those of few rows are lists of the rows that have them. So sparse rows
do not become dense, and dense rows are not compared feature by feature.
"""

from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

from ...kernels.bits import popcount
from ...kernels.jit import kernel
from .distance import TileBounds

FREQUENT = 16  # a property is kept as bits if more than one row in so many has it
WORD = 64  # bits of a word
COLUMNS_AT_ONCE = 512  # rows j whose words stay in the cache


class IndexLists(NamedTuple):
    """Lists of ascending indices, one behind the other: list i is ``indices[indptr[i] : indptr[i + 1]]``.

    Attributes
    ----------
    indptr : (m + 1,) int64 array
        Start of each list, and the end of the last one.
    indices : (e,) int32 array
        The lists.
    """

    indptr: np.ndarray
    indices: np.ndarray

    @classmethod
    def of(cls, table: sparse.csr_array | sparse.csc_array) -> "IndexLists":
        """Take the lists of a matrix, always in the same types, for each of which kernels are compiled."""
        table.sort_indices()
        return cls(table.indptr.astype(np.int64), table.indices.astype(np.int32))


class PresenceWords(NamedTuple):
    """Bits of features of dense rows.

    Attributes
    ----------
    present : (n, w) uint64 array
        Bits of values that are known and not 0.
    unknown : (n, w) uint64 array
        Bits of unknown values.
    """

    present: np.ndarray
    unknown: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> "PresenceWords":
        """Read columns (c,) of rows (n,) of a dense table X."""
        present, unknown = np.zeros((2, len(rows), -(-len(columns) // WORD)), np.uint64)
        _set_bits_of_columns(X, rows, columns, present, unknown)
        return cls(present, unknown)


@dataclass(frozen=True)
class Pattern:
    """Properties of n rows.

    Attributes
    ----------
    words : (n, w) uint64 array
        Bits of the frequent properties.
    words_of_all_rows : (w, n) uint64 array
        The same transposed: one word of all rows, then the next word.
    properties_of_rows : IndexLists
        Rare properties of each row.
    rows_of_properties : IndexLists
        Rows of each rare property.
    """

    words: np.ndarray
    words_of_all_rows: np.ndarray
    properties_of_rows: IndexLists
    rows_of_properties: IndexLists

    @classmethod
    def of(cls, table: sparse.csr_array, is_frequent: np.ndarray) -> "Pattern":
        """Make a pattern of the stored entries of a table, whatever their values.

        Parameters
        ----------
        table : (n, q) CSR array
            Has an entry where a row has a property.
        is_frequent : (q,) bool array
            Properties that become bits.
        """
        rare = select_entries(table, ~is_frequent[table.indices])
        words = np.zeros((table.shape[0], -(-int(is_frequent.sum()) // WORD)), np.uint64)
        bit_of_property = np.where(is_frequent, np.cumsum(is_frequent) - 1, -1)
        _set_bits(*IndexLists.of(table), bit_of_property, words)
        return cls.join(words, rare)

    @classmethod
    def join(cls, words: np.ndarray, rare: sparse.csr_array) -> "Pattern":
        """Join the words (n, w) of frequent properties and the stored entries (n, q) of rare ones."""
        return cls(words, np.ascontiguousarray(words.T), IndexLists.of(rare), IndexLists.of(rare.tocsc()))

    @property
    def sizes(self) -> np.ndarray:
        """Numbers (n,) of properties of each row."""
        return cast("np.ndarray", np.diff(self.properties_of_rows.indptr) + _count_bits(self.words))


def select_entries(table: sparse.csr_array, is_selected: np.ndarray) -> sparse.csr_array:
    """Return a table (n, q) that has only those stored entries (e,) that are selected, zeros among them."""
    indptr = np.concatenate([[0], np.cumsum(is_selected)])[table.indptr]
    return sparse.csr_array((table.data[is_selected], table.indices[is_selected], indptr), table.shape)


def frequent_properties(*tables: sparse.csr_array) -> np.ndarray:
    """Mask (q,) of the properties that more than one row in `FREQUENT` has, in tables (n, q) together."""
    n, q = tables[0].shape
    counts = [np.bincount(table.indices, minlength=q) for table in tables]
    is_frequent: np.ndarray = np.sum(counts, axis=0) * FREQUENT > n
    return is_frequent


def count_shared(first: Pattern, second: Pattern, bounds: TileBounds, upper: bool) -> np.ndarray:
    """Count the properties that rows i have in one pattern and rows j in another one.

    Parameters
    ----------
    first, second : Pattern
        Patterns of the same rows and properties, with the same frequent ones.
    bounds : (i0, i1, j0, j1)
        Rows [i0, i1) and rows [j0, j1).
    upper : bool
        True: only the counts of pairs i < j are right.

    Returns
    -------
    (i1 - i0, j1 - j0) int32 array
        Numbers of shared properties.
    """
    i0, i1, j0, j1 = bounds
    counts = np.zeros((i1 - i0, j1 - j0), np.int32)
    _add_shared_bits(first.words, second.words_of_all_rows, bounds, upper, counts)
    _add_shared_lists(*first.properties_of_rows, *second.rows_of_properties, bounds, upper, counts)
    return counts


@kernel
def _set_bits(indptr, indices, bit_of_property, words):
    """Set the bits of the properties of rows in words (n, w); bit_of_property (q,) is -1 for those without a bit."""
    for i in range(len(words)):
        for t in range(indptr[i], indptr[i + 1]):
            bit = bit_of_property[indices[t]]
            if bit >= 0:
                words[i, bit // WORD] |= np.uint64(1) << np.uint64(bit % WORD)


@kernel
def _set_bits_of_columns(X, rows, columns, present, unknown):
    """Fill the words of `PresenceWords` from columns (c,) of rows (n,) of X."""
    one = np.uint64(1)
    zero = np.uint64(0)
    for i in range(len(rows)):
        x = X[rows[i]]
        for c0 in range(0, len(columns), WORD):
            present_word = zero
            unknown_word = zero
            for c in range(c0, min(c0 + WORD, len(columns))):
                v = x[columns[c]]
                bit = one << np.uint64(c - c0)
                present_word |= bit if v == v and v != 0 else zero
                unknown_word |= bit if v != v else zero
            present[i, c0 // WORD] = present_word
            unknown[i, c0 // WORD] = unknown_word


@kernel
def _count_bits(words):
    """Numbers (n,) of the bits of each row."""
    counts = np.zeros(len(words), np.int64)
    for i in range(len(words)):
        for w in range(words.shape[1]):
            counts[i] += np.int64(popcount(words[i, w]))
    return counts


@kernel
def _add_shared_bits(words, words_of_all_rows, bounds, upper, out):
    """Add the number of bits that rows i and j share to out[i - i0, j - j0].

    out[i - i0, j - j0] += sum over w of popcount(words[i, w] & words_of_all_rows[w, j])

    words : (n, w), of rows i
    words_of_all_rows : (w, n), of rows j
    bounds, upper : as of `count_shared`
    """
    i0, i1, j0, j1 = bounds
    total = np.empty(COLUMNS_AT_ONCE, np.uint64)
    for c0 in range(j0, j1, COLUMNS_AT_ONCE):
        c1 = min(c0 + COLUMNS_AT_ONCE, j1)
        for i in range(i0, i1):
            first = max(c0, i + 1) if upper else c0
            if first >= c1:
                continue
            sums = total[: c1 - first]
            row = out[i - i0, first - j0 : c1 - j0]
            sums[:] = 0
            for w in range(words.shape[1]):
                word_i = words[i, w]
                words_j = words_of_all_rows[w, first:c1]
                if word_i:
                    for q in range(len(sums)):
                        sums[q] += popcount(word_i & words_j[q])
            for q in range(len(sums)):
                row[q] += np.int32(sums[q])


@kernel
def _add_shared_lists(indptr, properties, starts, rows, bounds, upper, out):
    """Add the number of rare properties that rows i and j share to out[i - i0, j - j0].

    indptr, properties : properties of each row i
    starts, rows : rows of each property
    bounds, upper : as of `count_shared`
    """
    i0, i1, j0, j1 = bounds
    for i in range(i0, i1):
        row = out[i - i0]
        first = max(j0, i + 1) if upper else j0
        for t in range(indptr[i], indptr[i + 1]):
            sharing = rows[starts[properties[t]] : starts[properties[t] + 1]]
            begin = _lower_bound(sharing, first)
            end = len(sharing) if len(sharing) == 0 or j1 > sharing[-1] else _lower_bound(sharing, j1)
            for s in range(begin, end):
                row[sharing[s] - j0] += 1


@kernel
def _lower_bound(rows, first):
    """Index of the first of ascending rows that is not below `first`, by bisection."""
    low = 0
    high = len(rows)
    while low < high:
        middle = (low + high) // 2
        if rows[middle] < first:
            low = middle + 1
        else:
            high = middle
    return low
