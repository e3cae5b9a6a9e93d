"""Features as categories: numbers fall into bins of equal frequency, for methods that count pairs of values.

`core/methods/greedy_information.py` calls `categories_of` with the table of a ranking, and `codes_of_numbers` with a
target that is a number. Sparse tables stay sparse: each feature has one code for all cells that are not stored.
"""

from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

from ..data.table import DataTable

MISSING = -1  # code of a missing value
MAX_CATEGORIES = 100  # of a nominal feature; chosen by eye, so that tables of counts of two features stay small


class Categories(NamedTuple):
    """Features as categories that are numbered from 0.

    Attributes
    ----------
    codes : (p, n) int32 array or CSC array (n, p) of int32
        Code of each value, MISSING for a missing one. Sparse: of the values that are stored.
    n_codes : (p,) int array
        Number of categories of each feature that occur; 0 if all of its values are missing.
    zero_codes : (p,) int array
        Code of the values that a sparse feature does not store.
    """

    codes: np.ndarray | sparse.csc_array
    n_codes: np.ndarray
    zero_codes: np.ndarray

    def of_feature(self, feature: int) -> np.ndarray:
        """Return the codes (n,) of one feature."""
        if not sparse.issparse(self.codes):
            return cast("np.ndarray", self.codes[feature])
        stored = cast("sparse.csc_array", self.codes)
        span = slice(stored.indptr[feature], stored.indptr[feature + 1])
        codes = np.full(stored.shape[0], self.zero_codes[feature], np.int32)
        codes[stored.indices[span]] = stored.data[span]
        return codes


def categories_of(table: DataTable, n_bins: int, tick: Callable[[], object]) -> Categories:
    """Read the features of a table as categories.

    Parameters
    ----------
    table : DataTable
        Features; numbers fall into bins as `codes_of_numbers` says. Of more than MAX_CATEGORIES categories of a nominal
        feature, the rarest share one code.
    n_bins : int
        Number of bins of a number.
    tick : callable
        Called before each feature; raises an exception to stop.
    """
    n, p = table.shape
    n_codes = np.zeros(p, np.int64)
    zero_codes = np.zeros(p, np.int64)
    if not table.is_sparse:
        X = cast("np.ndarray", table.values)
        codes = np.empty((p, n), np.int32)
        for f in range(p):
            tick()
            codes[f] = _codes(X[:, f], 0, bool(table.nominal[f]), n_bins)[0]
            n_codes[f] = codes[f].max(initial=MISSING) + 1
        return Categories(codes, n_codes, zero_codes)
    columns = cast("sparse.csr_array", table.values).tocsc()
    stored_codes = np.empty(len(columns.data), np.int32)
    for f in range(p):
        tick()
        span = slice(columns.indptr[f], columns.indptr[f + 1])
        stored = columns.data[span]
        n_zeros = n - len(stored)
        stored_codes[span], zero_codes[f] = _codes(stored, n_zeros, bool(table.nominal[f]), n_bins)
        largest = stored_codes[span].max(initial=MISSING)
        n_codes[f] = 1 + max(largest, zero_codes[f] if n_zeros else MISSING)
    matrix = sparse.csc_array((stored_codes, columns.indices, columns.indptr), shape=(n, p))
    return Categories(matrix, n_codes, zero_codes)


def codes_of_numbers(values: np.ndarray, n_bins: int) -> np.ndarray:
    """Put numbers (n,) into bins of equal frequency; NaN becomes MISSING.

    The bin of a value, from 0, is

        floor(n_bins * (number of smaller values + half the number of equal ones) / number of values).

    A value on the boundary of two bins belongs to that nearer to the middle, so that the bins of numbers with the other
    sign are the same in reverse (but for the boundary in the middle of an even number of bins). If there are no more
    than n_bins different values, each of them is a bin.
    """
    return _codes(values, 0, False, n_bins)[0]


def _codes(values: np.ndarray, n_zeros: int, nominal: bool, n_bins: int) -> tuple[np.ndarray, int]:
    """Return the codes (m,) of the stored values of a feature, and that of 0.

    n_zeros: number of its values that are 0 and not stored.
    """
    is_known = ~np.isnan(values)
    different, inverse, counts = np.unique(values[is_known], return_inverse=True, return_counts=True)
    position_of_zero = int(np.searchsorted(different, 0.0))
    if n_zeros:
        is_stored = position_of_zero < len(different) and different[position_of_zero] == 0
        if not is_stored:
            counts = np.insert(counts, position_of_zero, 0)
            inverse = inverse + (inverse >= position_of_zero)
        counts[position_of_zero] += n_zeros
    code_of = _most_frequent(counts) if nominal else _bins(counts, n_bins)
    codes = np.full(len(values), MISSING, np.int32)
    codes[is_known] = code_of[inverse.ravel()]
    return codes, int(code_of[position_of_zero]) if n_zeros else 0


def _bins(counts: np.ndarray, n_bins: int) -> np.ndarray:
    """Return the bins of different values, in their order, from the numbers of rows that have them.

    All bins but empty ones are numbered from 0, as `codes_of_numbers` says.
    """
    if len(counts) <= n_bins:
        return np.arange(len(counts))
    n = counts.sum()
    n_smaller = np.cumsum(counts) - counts
    bins, remainder = np.divmod(n_bins * (2 * n_smaller + counts), 2 * n)
    is_above_middle = 2 * bins > n_bins
    bins -= (remainder == 0) & is_above_middle
    return np.unique(bins, return_inverse=True)[1].ravel()


def _most_frequent(counts: np.ndarray) -> np.ndarray:
    """Return the codes of categories from the numbers of rows that have them; the rarest share the last code."""
    if len(counts) <= MAX_CATEGORIES:
        return np.arange(len(counts))
    rank_of = np.empty(len(counts), np.int64)
    rank_of[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return np.minimum(rank_of, MAX_CATEGORIES - 1)
