"""Cosine distance of which features rows have, for counts and texts.

`comparison.py` makes a `PresenceCosine` for ``distance="cosine"``. A row has a numeric feature if it is not 0. Of two
rows i and j, with sizes ``|i|`` and ``|j|`` and ``|i & j|`` common features,

    d(i, j) = 1 - |i & j| / sqrt(|i| |j|)

Features that one of both rows lacks count for neither. A nominal feature counts as one that each row has, and that both
have in common if the values are equal.
"""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

from ...data.table import DataTable
from ...kernels.jit import kernel
from .bits import LANES
from .distance import Distance, TileBounds
from .patterns import FREQUENT, Pattern, PresenceWords, count_shared, frequent_properties, select_entries
from .steps import Steps

CELLS = 2**20  # cells of a dense table that are read at once, between two looks for the wish to stop
SPARSE_PAIRS = 2**15  # pairs of a tile of sparse rows, about, in units of 16 rows
ROWS_OF_SPARSE_TILE = 32  # the height of tiles of sparse rows is a multiple of it
COLUMNS_OF_SPARSE_TILE = 64  # and their width of this one
MAX_TILE = 4  # such units of the height, or LANES of the edge, that a tile has at most
ROWS_PER_LANES = 250  # rows of a dense table for each LANES of the edge of a tile


class PresenceCosine(Distance):
    """1 - cos of rows of 0 and 1; 1 where one of both is empty or nothing is known of both, 0 where both are empty.

    Parameters
    ----------
    table : DataTable
        The data.
    rows : (n,) int array
        Rows of the table that are compared.
    tick : callable
        Called between blocks of rows; it may raise to stop.
    """

    is_share = True

    def __init__(self, table: DataTable, rows: np.ndarray, tick: Callable[[], object] = bool):
        n = len(rows)
        self.n = n
        self._n_numeric = int((~table.nominal).sum())
        self._present, self._unknown = _numeric_patterns(table, rows, tick)
        self._sizes = self._present.sizes
        self._n_unknown = self._unknown.sizes
        self._nominal = NominalPatterns(table, rows) if table.nominal.any() else None
        self._has_unknown = self._n_unknown.any() or (self._nominal is not None and self._nominal.has_unknown)
        if table.is_sparse:
            n_units = min(max(1, SPARSE_PAIRS // (2 * n)), MAX_TILE)
            self.tile_shape = n_units * ROWS_OF_SPARSE_TILE, -(-n // COLUMNS_OF_SPARSE_TILE) * COLUMNS_OF_SPARSE_TILE
        else:
            edge = LANES * min(max(n // ROWS_PER_LANES, 1), MAX_TILE)
            self.tile_shape = edge, edge

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        bounds = (i0, i1, j0, j1)
        n_common = count_shared(self._present, self._present, bounds, upper)
        if self._nominal:
            n_common += self._nominal.count_equal(bounds, upper)
        if not self._has_unknown:
            n_nominal = self._nominal.n_features if self._nominal else 0
            _fill_distances(n_common, self._sizes[i0:i1] + n_nominal, self._sizes[j0:j1] + n_nominal, out)
            return out

        # Sizes in the features that are known of both rows
        size_i = self._sizes[i0:i1, None] - count_shared(self._present, self._unknown, bounds, False)
        size_j = self._sizes[j0:j1] - count_shared(self._unknown, self._present, bounds, False)
        n_known = self._n_numeric - self._n_unknown[i0:i1, None] - self._n_unknown[j0:j1]
        n_known += count_shared(self._unknown, self._unknown, bounds, False)
        if self._nominal:
            n_known_nominal = self._nominal.count_known(bounds)
            size_i = size_i + n_known_nominal
            size_j = size_j + n_known_nominal
            n_known = n_known + n_known_nominal
        _fill_distances_of_known(n_common, size_i, size_j, n_known == 0, out)
        return out

    @cached_property
    def steps(self) -> Steps:
        """Those of distances up to 1."""
        return Steps.for_bound(self.n, 1.0)


class NominalPatterns:
    """Nominal features of rows: the numbers of them that are equal, or known, in two rows."""

    def __init__(self, table: DataTable, rows: np.ndarray):
        columns = np.flatnonzero(table.nominal)
        self.n_features = len(columns)
        values = _nonzero_values(table, rows, columns, bool)
        nonzero = _known_entries(values)
        unknown = _unknown_entries(values)
        is_frequent = frequent_properties(nonzero, unknown)
        self._nonzero = Pattern.of(nonzero, is_frequent)
        self._unknown = Pattern.of(unknown, is_frequent)
        # Properties "feature f has the value v", for values other than 0
        features_and_values = np.column_stack([nonzero.indices, nonzero.data])
        property_of_entry = np.unique(features_and_values, axis=0, return_inverse=True)[1].reshape(-1)
        shape = len(rows), int(property_of_entry.max(initial=0)) + 1
        entries = sparse.csr_array((np.ones(len(property_of_entry)), property_of_entry, nonzero.indptr), shape)
        self._values = Pattern.of(entries, frequent_properties(entries))
        self._n_nonzero = self._nonzero.sizes
        self._n_unknown = self._unknown.sizes
        self.has_unknown = bool(self._n_unknown.any())

    def count_known(self, bounds: TileBounds) -> np.ndarray:
        """Numbers (i1 - i0, j1 - j0) of the features that are known of both rows."""
        i0, i1, j0, j1 = bounds
        counts: np.ndarray = count_shared(self._unknown, self._unknown, bounds, False) + np.int64(self.n_features)
        counts -= self._n_unknown[i0:i1, None] + self._n_unknown[j0:j1]
        return counts

    def count_equal(self, bounds: TileBounds, upper: bool) -> np.ndarray:
        """Numbers (i1 - i0, j1 - j0) of the features that are equal, and known, in both rows.

        They have the same value other than 0, or the value 0 in both rows. By inclusion and exclusion these are

            known of both - nonzero in i - nonzero in j + nonzero in both + nonzero in one and unknown in the other
        """
        i0, i1, j0, j1 = bounds
        nonzero = self._nonzero
        same_value = count_shared(self._values, self._values, bounds, upper)
        counts: np.ndarray = same_value + count_shared(nonzero, nonzero, bounds, upper)
        counts -= (self._n_nonzero[i0:i1, None] + self._n_nonzero[j0:j1]).astype(np.int32)
        if not self.has_unknown:
            counts += np.int32(self.n_features)
            return counts
        counts += count_shared(nonzero, self._unknown, bounds, False)
        counts += count_shared(self._unknown, nonzero, bounds, False)
        counts += self.count_known(bounds).astype(np.int32)
        return counts


class NumericPatterns(NamedTuple):
    """Patterns of numeric features.

    Attributes
    ----------
    present : Pattern
        Features that are known and not 0.
    unknown : Pattern
        Features that are unknown.
    """

    present: Pattern
    unknown: Pattern


def _numeric_patterns(table: DataTable, rows: np.ndarray, tick: Callable[[], object]) -> NumericPatterns:
    """Read the numeric features of rows (n,); tick: as of `PresenceCosine`."""
    numeric = np.flatnonzero(~table.nominal)
    if table.is_sparse:
        values = _nonzero_values(table, rows, numeric, tick)
        present = _known_entries(values)
        unknown = _unknown_entries(values)
        is_frequent = frequent_properties(present, unknown)
        return NumericPatterns(Pattern.of(present, is_frequent), Pattern.of(unknown, is_frequent))
    X = cast("np.ndarray", table.values)
    n_rows_at_once = max(CELLS // table.shape[1], 1)
    n_nonzero = np.zeros(table.shape[1], np.int64)
    for start in range(0, len(rows), n_rows_at_once):
        tick()
        n_nonzero += np.count_nonzero(X[rows[start : start + n_rows_at_once]], axis=0)
    is_frequent = n_nonzero[numeric] * FREQUENT > len(rows)
    words = PresenceWords.of(X, rows, numeric[is_frequent])
    values = _nonzero_values(table, rows, numeric[~is_frequent], tick)
    return NumericPatterns(
        Pattern.join(words.present, _known_entries(values)), Pattern.join(words.unknown, _unknown_entries(values))
    )


def _nonzero_values(
    table: DataTable, rows: np.ndarray, columns: np.ndarray, tick: Callable[[], object]
) -> sparse.csr_array:
    """Values (n, c) of columns (c,) that are not 0, unknown ones among them, as stored entries."""
    if table.is_sparse:
        values = cast("sparse.csr_array", table.values)[rows]
        values = values if len(columns) == table.shape[1] else values[:, columns]
        values.eliminate_zeros()
        return values
    blocks = []
    n_rows_at_once = max(CELLS // max(len(columns), 1), 1)
    for start in range(0, len(rows), n_rows_at_once):
        tick()
        block = cast("np.ndarray", table.values)[rows[start : start + n_rows_at_once, None], columns]
        blocks.append(sparse.csr_array(block))
    return sparse.csr_array(sparse.vstack(blocks, format="csr"))


def _known_entries(values: sparse.csr_array) -> sparse.csr_array:
    return select_entries(values, ~np.isnan(values.data))


def _unknown_entries(values: sparse.csr_array) -> sparse.csr_array:
    return select_entries(values, np.isnan(values.data))


@kernel
def _fill_distances(n_common, sizes_i, sizes_j, out):
    """Set out[i, j] to 1 - n_common[i, j] / sqrt(sizes_i[i] sizes_j[j]).

    n_common : (h, w)
    sizes_i, sizes_j : (h,) and (w,)
    out : (>= h, >= w)
    """
    for i in range(len(n_common)):
        size_i = sizes_i[i]
        row = out[i]
        n_common_of_row = n_common[i]
        for q in range(len(sizes_j)):
            product = float(size_i * sizes_j[q])
            if_empty = 1.0 if size_i != sizes_j[q] else 0.0
            row[q] = 1.0 - n_common_of_row[q] / np.sqrt(product) if product > 0 else if_empty


@kernel
def _fill_distances_of_known(n_common, sizes_i, sizes_j, nothing_known, out):
    """Set out[i, j] to the same distance, with the sizes (h, w) of each pair in what is known of both rows.

    nothing_known (h, w) bool : True for pairs at distance 1, as no feature is known of both
    """
    for i in range(len(n_common)):
        for q in range(n_common.shape[1]):
            product = float(sizes_i[i, q] * sizes_j[i, q])
            if_empty = 1.0 if nothing_known[i, q] or sizes_i[i, q] != sizes_j[i, q] else 0.0
            out[i, q] = 1.0 - n_common[i, q] / np.sqrt(product) if product > 0 else if_empty
