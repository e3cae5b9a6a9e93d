"""Cosine distance of which features rows have: 1 less the cosine of the angle between rows of 0 and 1.

A number counts as 1 where it is not zero; a nominal feature as one place for each of its values.  What is unknown in
one of two rows is left out of both.  Everything that is counted is a whole number, so dense and sparse data give the
same distances to the last bit.
"""

from collections.abc import Callable
from typing import cast

import numpy as np
from scipy import sparse

from ..data.bit_columns import LANES
from ..data.table import DataTable
from ..jit import kernel
from .distances import Distance
from .presence import FREQUENT, Pattern, entries, frequent, shared

MANHATTAN, COSINE = DISTANCES = ("manhattan", "cosine")  # between rows of features
CELLS = 2**20  # of a dense table that are looked at together
SPARSE_PAIRS = 2**15  # of a tile of sparse rows, about, in units of 16 rows


class PresenceCosine(Distance):
    """1 - cos of rows of 0 and 1; 1 where one of the two is empty or nothing is known of both, 0 where both are empty.

    Shapes: `rows` (n,).
    """

    is_share = True

    def __init__(self, table: DataTable, rows: np.ndarray, tick: Callable[[], object] = bool):
        n, self._count = len(rows), int((~table.nominal).sum())
        self._present, self._lacks = _numbers(table, rows, tick)
        self._sizes, self._n_lacks = self._present.sizes, self._lacks.sizes
        self._nominal = _Nominal(table, rows) if table.nominal.any() else None
        self._unknown = self._n_lacks.any() or (self._nominal is not None and self._nominal.unknown)
        if table.is_sparse:
            self.shape = min(max(1, SPARSE_PAIRS // n), 8) * 16, -(-n // 16) * 16
        else:
            edge = LANES * min(max(n // 250, 1), 4)
            self.shape = edge, edge

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        """Distances of rows [i0, i1) to rows [j0, j1)."""
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

    def forget(self) -> None:
        """Nothing that the next tile could take again."""


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
