"""Patterns: which of some properties every row has, and how many of them two rows share.

Properties of many rows are kept as bits, of which a word holds 64; those of few rows as lists of the rows that have
them.  So neither sparse rows become dense, nor are dense ones looked at one by one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from scipy import sparse

from ...data.table import DataTable
from ...kernels.bits import popcount
from ...kernels.jit import kernel
from .bits import LANES
from .distance import Distance
from .steps import Steps

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
        return cast("np.ndarray", np.diff(self.rows[0]) + _count_bits(self.words))


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
            out[i] += np.int64(popcount(words[i, w]))
    return out


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
                        sums[q] += popcount(mine & theirs[q])
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


CELLS = 2**20  # of a dense table that are looked at together
SPARSE_PAIRS = 2**15  # of a tile of sparse rows, about, in units of 16 rows


class PresenceCosine(Distance):
    """1 - cos of rows of 0 and 1; 1 where one of the two is empty or nothing is known of both, 0 where both are empty.

    Shapes: `rows` (n,).
    """

    is_share = True

    def __init__(self, table: DataTable, rows: np.ndarray, tick: Callable[[], object] = bool):
        n, self._count = len(rows), int((~table.nominal).sum())
        self.n = n
        self._present, self._lacks = _numbers(table, rows, tick)
        self._sizes, self._n_lacks = self._present.sizes, self._lacks.sizes
        self._nominal = _Nominal(table, rows) if table.nominal.any() else None
        self._unknown = self._n_lacks.any() or (self._nominal is not None and self._nominal.unknown)
        if table.is_sparse:
            self.shape = min(max(1, SPARSE_PAIRS // (2 * n)), 4) * 32, -(-n // 64) * 64
        else:
            edge = LANES * min(max(n // 250, 1), 4)
            self.shape = edge, edge

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        where, size = (i0, i1, j0, j1), (i1 - i0, j1 - j0)
        common = shared(self._present, self._present, where, upper, *size)
        if self._nominal:
            common += self._nominal.equal(where, upper)
        if not self._unknown:
            extra = self._nominal.count if self._nominal else 0
            _distances(common, self._sizes[i0:i1] + extra, self._sizes[j0:j1] + extra, out)
            return out
        mine = self._sizes[i0:i1, None] - shared(self._present, self._lacks, where, False, *size)
        theirs = self._sizes[j0:j1] - shared(self._lacks, self._present, where, False, *size)
        known = self._count - self._n_lacks[i0:i1, None] - self._n_lacks[j0:j1]
        known += shared(self._lacks, self._lacks, where, False, *size)
        if self._nominal:
            alike = self._nominal.known(where)
            mine, theirs, known = mine + alike, theirs + alike, known + alike
        _distances_of_known(common, mine, theirs, known == 0, out)
        return out

    @cached_property
    def steps(self) -> Steps:
        """Those of distances up to 1."""
        return Steps.for_bound(self.n, 1.0)


class _Nominal:
    """Nominal features of the same rows: how many of them are equal in two rows, and known in both."""

    def __init__(self, table: DataTable, rows: np.ndarray):
        chosen = np.flatnonzero(table.nominal)
        values = _stored(table, rows, chosen, bool)
        coded, lacks = _known(values), _unknown(values)
        often = frequent(coded, lacks)
        self._coded, self._lacks = Pattern.of(coded, often), Pattern.of(lacks, often)
        pairs = np.column_stack([coded.indices, coded.data])  # a feature and a value of it that is not 0
        names = np.unique(pairs, axis=0, return_inverse=True)[1].reshape(-1)
        shape = len(rows), int(names.max(initial=0)) + 1
        codes = sparse.csr_array((np.ones(len(names)), names, coded.indptr), shape)
        self._codes = Pattern.of(codes, frequent(codes))
        self._n_coded, self._n_lacks, self.count = self._coded.sizes, self._lacks.sizes, len(chosen)
        self.unknown = bool(self._n_lacks.any())

    def known(self, where: tuple[int, int, int, int]) -> np.ndarray:
        """Numbers of features that are known in both rows."""
        i0, i1, j0, j1 = where
        size = i1 - i0, j1 - j0
        out: np.ndarray = shared(self._lacks, self._lacks, where, False, *size) + np.int64(self.count)
        out -= self._n_lacks[i0:i1, None] + self._n_lacks[j0:j1]
        return out

    def equal(self, where: tuple[int, int, int, int], upper: bool) -> np.ndarray:
        """Numbers of features that are equal: both 0, that is not coded in either, or coded alike."""
        i0, i1, j0, j1 = where
        size, coded = (i1 - i0, j1 - j0), self._coded
        out: np.ndarray = shared(self._codes, self._codes, where, upper, *size) + shared(
            coded, coded, where, upper, *size
        )
        out -= (self._n_coded[i0:i1, None] + self._n_coded[j0:j1]).astype(np.int32)
        if not self.unknown:
            out += np.int32(self.count)
            return out
        out += shared(coded, self._lacks, where, False, *size) + shared(self._lacks, coded, where, False, *size)
        out += self.known(where).astype(np.int32)
        return out


def _numbers(table: DataTable, rows: np.ndarray, tick: Callable[[], object]) -> tuple[Pattern, Pattern]:
    """Patterns of the numeric features that are known and not 0 in a row, and of those that are unknown."""
    numeric = np.flatnonzero(~table.nominal)
    if table.is_sparse:
        values = _stored(table, rows, numeric, tick)
        present, lacks = _known(values), _unknown(values)
        often = frequent(present, lacks)
        return Pattern.of(present, often), Pattern.of(lacks, often)
    X, step = cast("np.ndarray", table.values), max(CELLS // table.shape[1], 1)
    counts = np.zeros(table.shape[1], np.int64)
    for start in range(0, len(rows), step):
        tick()
        counts += np.count_nonzero(X[rows[start : start + step]], axis=0)
    many = counts[numeric] * FREQUENT > len(rows)
    bits = Pattern.bits(X, rows, numeric[many])
    values = _stored(table, rows, numeric[~many], tick)
    return Pattern.made(bits[0], _known(values)), Pattern.made(bits[1], _unknown(values))


def _stored(table: DataTable, rows: np.ndarray, columns: np.ndarray, tick: Callable[[], object]) -> sparse.csr_array:
    """Values (n, c) of some columns that are not 0, unknown ones among them."""
    if table.is_sparse:
        found = cast("sparse.csr_array", table.values)[rows]
        found = found if len(columns) == table.shape[1] else found[:, columns]
        found.eliminate_zeros()
        return found
    blocks, step = [], max(CELLS // max(len(columns), 1), 1)
    for start in range(0, len(rows), step):
        tick()
        block = cast("np.ndarray", table.values)[rows[start : start + step, None], columns]
        blocks.append(sparse.csr_array(block))
    return sparse.csr_array(sparse.vstack(blocks, format="csr"))


def _known(values: sparse.csr_array) -> sparse.csr_array:
    return entries(values, ~np.isnan(values.data))


def _unknown(values: sparse.csr_array) -> sparse.csr_array:
    return entries(values, np.isnan(values.data))


@kernel
def _distances(common, mine, theirs, out):
    """1 - common / sqrt(mine theirs) in the corner of `out`: mine (h,), theirs (w,)."""
    for i in range(len(common)):
        own, row, found = mine[i], out[i], common[i]
        for q in range(len(theirs)):
            both = float(own * theirs[q])
            empty = 1.0 if own != theirs[q] else 0.0
            row[q] = 1.0 - found[q] / np.sqrt(both) if both > 0 else empty


@kernel
def _distances_of_known(common, mine, theirs, nothing, out):
    """The same with sizes of each pair, (h, w); nothing (h, w) bool: of what both rows have, none is known."""
    for i in range(len(common)):
        for q in range(common.shape[1]):
            both = float(mine[i, q] * theirs[i, q])
            empty = 1.0 if nothing[i, q] or mine[i, q] != theirs[i, q] else 0.0
            out[i, q] = 1.0 - common[i, q] / np.sqrt(both) if both > 0 else empty
