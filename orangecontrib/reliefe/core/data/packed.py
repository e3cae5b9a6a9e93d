"""Genotypes in two bits: 0, 1 or 2 copies of an allele, or unknown.

Callers pass `Packed` to `rank` in the place of numbers; readers of genotypes make it, and kernels read its words.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from ..kernels.bits import BITS, column_counts
from ..kernels.jit import kernel
from ..words import counted
from .arrays import cells
from .expected import IGNORE, SEPARATE
from .scratch import chunks, is_large, mapped

UNKNOWN = -1  # code of what is unknown
COPIES = 2  # of an allele, at most: the range of additive codes
LINE = 8  # words of a cache line
FEATURES_AT_ONCE = 2**12  # features that are packed or unpacked at once
MAX_UNPACKED_BYTES = 2**32  # size of a table of numbers that packed genotypes are turned into


@dataclass(frozen=True, eq=False)
class Packed:
    """Codes 0, 1, 2 and unknown of n rows and p features, 64 features a word.

    Pass it to `rank` in the place of numbers; `Packed.of` makes it from codes.

    Parameters
    ----------
    low, high : ndarray of uint64, shape (n, words)
        Both bits of the codes; missing ones have both.  In additive form they are 00, 10 and 11, so that ``|a - b|`` is
        the number of bits that differ; 01 is missing.
    n_features : int
        p, at most 64 times words.
    additive : bool
        Whether codes are numbers, whose diff is their difference over 2, instead of values that are equal or not.
    """

    low: np.ndarray
    high: np.ndarray
    n_features: int
    additive: bool = False

    @classmethod
    def of(cls, codes: object, additive: bool = False) -> "Packed":
        """Pack codes.

        Parameters
        ----------
        codes : array-like of int, shape (n, p)
            0, 1 or 2; a negative number, or NaN, is missing.  A memory map is read some features at a time.
        additive : bool
            See `Packed`.

        Returns
        -------
        Packed
            n * p / 4 bytes.

        Raises
        ------
        ValueError
            For other codes, with the first feature that has one, and other than two dimensions.
        """
        values = cells(codes, "codes")
        if values.ndim != 2 or 0 in values.shape:
            raise ValueError(f"codes must have the shape (rows, features), not {values.shape}")
        if values.dtype.kind not in "biuf":
            raise ValueError(f"codes must be whole numbers, not of type {values.dtype}")
        n, p = values.shape
        steps = range(0, p, FEATURES_AT_ONCE)
        return cls.of_blocks(n, p, (_codes(values[:, s : s + FEATURES_AT_ONCE], s) for s in steps), additive)

    @classmethod
    def of_blocks(cls, n: int, p: int, blocks: Iterable[np.ndarray], additive: bool = False) -> "Packed":
        """Pack blocks of features.

        Parameters
        ----------
        n, p : int
            Numbers of rows and features.
        blocks : iterable of ndarray of int8, shape (n, b)
            Codes of the features, one block after another: multiples of 64, but for the last one.
        additive : bool
            See `Packed`.

        Returns
        -------
        Packed
            As of `of`.
        """
        n_lines = (p + BITS * LINE - 1) // (BITS * LINE)
        low = zeros((n, n_lines * LINE))
        high = zeros((n, n_lines * LINE))
        first = 0
        for block in blocks:
            codes = block if block.dtype == np.int8 else _codes(block, first)
            _pack(np.ascontiguousarray(codes), additive, first // BITS, low, high)
            first += block.shape[1]
        return cls(low, high, p, additive)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and features."""
        return len(self.low), self.n_features

    @property
    def unknown(self) -> np.ndarray:
        """Bits (n, words) of missing codes."""
        return cast("np.ndarray", self.high & (~self.low if self.additive else self.low))

    @cached_property
    def n_unknown(self) -> int:
        """Number of unknown codes."""
        return int(self._unknown_counts(np.arange(len(self.low))).sum())

    def takes(self, strategy: str) -> bool:
        """True if kernels of packed genotypes know a strategy for unknown ones, or there are none."""
        return strategy == IGNORE or (strategy == SEPARATE and not self.additive) or not self.n_unknown

    def counts(self, rows: np.ndarray | None = None) -> np.ndarray:
        """Count the codes 0, 1, 2 and unknown of each feature (4, p), in the rows (indices), or in all of them."""
        rows = np.arange(len(self.low)) if rows is None else np.asarray(rows)
        low = column_counts(self.low, rows)[: self.n_features]
        high = column_counts(self.high, rows)[: self.n_features]
        unknown = np.zeros(self.n_features)
        if self.n_unknown:
            unknown = self._unknown_counts(rows)
        twos = high - unknown
        ones = low - (twos if self.additive else unknown)
        return np.array([len(rows) - ones - twos - unknown, ones, twos, unknown]).astype(np.int64)

    def _unknown_counts(self, rows: np.ndarray) -> np.ndarray:
        """Count the unknown codes of each feature (p,) in the rows (indices)."""
        counts = np.zeros(self.n_features)
        for step in chunks(len(rows), self.low[:1].nbytes):
            block = self.take(rows[step])
            counts += column_counts(block.unknown, np.arange(len(block.low)))[: self.n_features]
        return counts

    def codes(self, first: int, last: int, rows: np.ndarray | None = None) -> np.ndarray:
        """Return codes (n, last - first) int8 of features in the rows (indices), or in all; UNKNOWN is -1."""
        rows = np.arange(len(self.low)) if rows is None else np.asarray(rows)
        return self._at(rows, np.arange(first, last))

    def take(self, rows: np.ndarray | slice) -> "Packed":
        """Return the chosen rows (a mask, indices or a slice)."""
        if isinstance(rows, slice):
            return Packed(self.low[rows], self.high[rows], self.n_features, self.additive)
        rows = np.flatnonzero(rows) if np.asarray(rows).dtype == bool else np.asarray(rows)
        return Packed(_taken(self.low, rows), _taken(self.high, rows), self.n_features, self.additive)

    def columns(self, chosen: np.ndarray) -> "Packed":
        """Return the chosen features (a mask or indices)."""
        features = np.flatnonzero(chosen) if np.asarray(chosen).dtype == bool else np.asarray(chosen)
        steps = range(0, len(features), FEATURES_AT_ONCE)
        rows = np.arange(len(self.low))
        blocks = (self._at(rows, features[s : s + FEATURES_AT_ONCE]) for s in steps)
        return Packed.of_blocks(len(rows), len(features), blocks, self.additive)

    def numbers(self) -> np.ndarray:
        """Return codes (n, p) as float64, NaN where they are unknown.

        Raises
        ------
        ValueError
            Where they would take more than 4 GB, with the methods that need no numbers.
        """
        n, p = self.shape
        if n * p * 8 > MAX_UNPACKED_BYTES:
            raise ValueError(
                f"{n:,} x {p:,} genotypes as numbers would take {n * p * 8 / 2**30:.0f} GB: "
                "rank by a method that reads them packed, for example relieff or multisurf with missing='ignore'. "
                f"Or rank fewer features (at most {MAX_UNPACKED_BYTES // 8 // n:,})"
            )
        out = np.empty((n, p))
        for first in range(0, p, FEATURES_AT_ONCE):
            codes = self.codes(first, min(first + FEATURES_AT_ONCE, p))
            out[:, first : first + FEATURES_AT_ONCE] = np.where(codes < 0, np.nan, codes)
        return out

    def span(self, first: int, last: int, rows: np.ndarray, unknown: float, out: np.ndarray) -> np.ndarray:
        """Write codes of features in some rows to `out` (rows, at least last - first), and return it.

        Additive codes are scaled to 0, 1/2 and 1. Further columns become 0."""
        _scaled(self.low, self.high, rows, self.additive, first, last, unknown, out)
        return out

    def dense(
        self, first: int, last: int, rows: np.ndarray, cols: np.ndarray, dtype: "np.dtype[Any]", unknown: float
    ) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """Return numbers of features of the rows in lists, and the lists with the indices of these rows.

        Parameters
        ----------
        first, last : int
            The first feature, and the one behind the last.
        rows : (b,) int array
            Rows with a list.
        cols : (b, ...) int array
            Their lists; -1 for no row.
        dtype : dtype
            Type of the numbers.
        unknown : float
            Number for unknown codes.

        Returns
        -------
        (u, last - first) array
            Numbers of the u rows that occur.
        (rows, cols)
            Indices among these u rows.
        """
        needed = np.union1d(rows, cols[cols >= 0])
        values = self.span(first, last, needed, unknown, np.empty((len(needed), last - first), dtype))
        return values, (np.searchsorted(needed, rows), np.where(cols >= 0, np.searchsorted(needed, cols), -1))

    def _at(self, rows: np.ndarray, features: np.ndarray) -> np.ndarray:
        """Return codes (b, c) of rows (b,) and features (c,)."""
        out = np.empty((len(rows), len(features)), np.int8)
        _gather(self.low, self.high, rows, features, self.additive, out)
        return out

    def __repr__(self) -> str:
        n, p = self.shape
        return f"Packed({counted(n, 'row')}, {counted(p, 'feature')}, {2 * self.low.nbytes / 1e6:.1f} MB)"


def zeros(shape: tuple[int, int]) -> np.ndarray:
    """Make words (n, words) of 0: in memory, or in a file where they would take too much of it."""
    in_memory = np.empty(0)
    return mapped(shape, np.uint64) if is_large(shape, np.uint64, in_memory) else np.zeros(shape, np.uint64)


def _taken(plane: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Take rows (indices) of a plane (n, words), in memory or in a file as `zeros`."""
    out = zeros((len(rows), plane.shape[1]))
    for step in chunks(len(rows), plane[:1].nbytes):
        out[step] = plane[rows[step]]
    return out


def _codes(block: np.ndarray, first: int) -> np.ndarray:
    """Convert cells (n, b) of the features from `first` on to codes int8.

    Raises ValueError for cells that are no genotypes.
    """
    bad = block > 2  # before the cast, which would wrap
    if block.dtype.kind == "f":
        bad |= ~np.isnan(block) & (block != np.floor(block))
    if bad.any():
        i, f = np.argwhere(bad)[0]
        raise ValueError(
            f"codes must be 0, 1 or 2 (negative: unknown), but feature {first + f} of row {i} is {block[i, f]}"
        )
    is_known = block >= 0
    codes = np.full(block.shape, UNKNOWN, np.int8)
    codes[is_known] = block[is_known]
    return codes


@kernel
def _pack(codes, additive, w0, low, high):
    """Pack codes (n, b) of features into the words of low and high (n, words) from w0 on."""
    one = np.uint64(1)
    for i in range(len(codes)):
        row = codes[i]
        for f0 in range(0, len(row), BITS):
            a = np.uint64(0)
            b = np.uint64(0)
            for f in range(f0, min(f0 + BITS, len(row))):
                v = row[f]
                bit = one << np.uint64(f - f0)
                if additive:
                    a |= bit if v >= 1 else np.uint64(0)
                    b |= bit if (v == 2) | (v < 0) else np.uint64(0)
                else:
                    a |= bit if (v == 1) | (v < 0) else np.uint64(0)
                    b |= bit if (v == 2) | (v < 0) else np.uint64(0)
            low[i, w0 + f0 // BITS] = a
            high[i, w0 + f0 // BITS] = b


@kernel
def _code(low, high, additive, i, f):
    """Return the code of feature f in row i; -1 if it is unknown."""
    word = f // BITS
    shift = np.uint64(f % BITS)
    one = np.uint64(1)
    a = (low[i, word] >> shift) & one
    b = (high[i, word] >> shift) & one
    if additive:
        return np.int8(a + b) if a == 1 or b == 0 else np.int8(-1)
    return np.int8(a + 2 * b) if a + b < 2 else np.int8(-1)


@kernel
def _gather(low, high, rows, features, additive, out):
    """Write codes of rows (b,) and features (c,) to out (b, c)."""
    for r in range(len(rows)):
        for q in range(len(features)):
            out[r, q] = _code(low, high, additive, rows[r], features[q])


@kernel
def _scaled(low, high, rows, additive, first, last, unknown, out):
    """Write codes of the features from first to last - 1 as numbers to out; additive ones are halved."""
    for r in range(len(rows)):
        row = out[r]
        row[last - first :] = 0
        for q in range(last - first):
            v = _code(low, high, additive, rows[r], first + q)
            if v < 0:
                row[q] = unknown
            elif additive:
                row[q] = v / 2
            else:
                row[q] = v
