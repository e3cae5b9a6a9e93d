"""Missing values: corrections of diffs that were computed as if MISSING were a value like any other.

`Features` has `Corrections` of its missing values, and distances and sums of dense and sparse rows add them to what
their kernels for complete data give; nothing else needs to know of missing values. For every strategy but "ignore" the
diff of a pair with an unknown value is a number, an expectation. If row i lacks a feature, ``table[slot, j]`` is
what is added to the diff of the pair (i, j) in it. If both rows lack the feature, each of them adds one half.

A table takes n numbers for every feature that lacks values and every class in which it does: more than the data. Where
that is too much, sums of the corrections over all features are kept for each pair instead, and the table is made again,
some features at a time, when features are scored.

Where missing values are ignored, a distance is the mean over the features that both rows have, times p.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from scipy import sparse

from ...data.diff import Diff
from ...data.expected import CONDITIONAL, IGNORE, MISSING, Slots
from ...kernels.jit import kernel

MIN_MEAN_DIFF = 2.0**-40  # mean diffs are rounded to multiples of it: further digits depend on the order of sums
MIN_SINGLE_MEAN_DIFF = 1e-6  # mean diffs below this are rounding in single precision: rows are equal
MAX_TABLE_BYTES = 2**24  # bytes up to which a table is kept as it is
MAX_PAIRS_BYTES = 2**26  # bytes up to which sums for all pairs of rows are kept instead
FEATURES_PER_TABLE = 1024  # features of which a table is made at once


class MissingEntries(NamedTuple):
    """Missing entries as kernels read them, row by row as in CSR.

    Attributes
    ----------
    indptr : (n + 1,) int64 array
        The entries of row i are ``slice(indptr[i], indptr[i + 1])``; (0,) if nothing is missing.
    features : (e,) int64 array
        Feature of each entry, ascending in a row.
    slots : (e,) int64 array
        Row of `table` for each entry.
    table : (slots, n) array
        Corrections of the diff to each row.
    """

    indptr: np.ndarray
    features: np.ndarray
    slots: np.ndarray
    table: np.ndarray

    @classmethod
    def of(cls, missing: "Corrections | None", dtype: "np.dtype[Any]") -> "MissingEntries":
        """Take the entries of corrections that have a table; without corrections all arrays are empty."""
        if missing:
            return cls(missing.indptr, missing.features, missing.slots, missing.table)
        empty = np.zeros(0, np.int64)
        return cls(empty, empty, empty, np.zeros((0, 0), dtype))


@dataclass(frozen=True)
class Corrections:
    """Corrections of the diffs of missing values.

    Attributes
    ----------
    indptr, features, slots : int arrays
        As of `MissingEntries`.
    table : (slots, n) array
        Corrections of the diff to each row; (0, n) where `pair_sums` are kept instead.
    p : int
        Number of features.
    unknown : (slots, n) uint8 array, optional
        1 for the rows that lack the feature of a slot; only if missing values are ignored. (0, n) where `pair_lacks`
        are kept instead.
    source : Slots, optional
        Makes rows of `table` and `unknown` again.
    pair_sums : (n, n) array, optional
        Sums of the corrections of the features that the first row lacks, for the distance to the second one.
    pair_lacks : (n, n) array, optional
        Numbers of the features that both rows lack; only if missing values are ignored.
    """

    indptr: np.ndarray
    features: np.ndarray
    slots: np.ndarray
    table: np.ndarray
    p: int
    unknown: np.ndarray | None = None
    source: Slots | None = None
    pair_sums: np.ndarray | None = None
    pair_lacks: np.ndarray | None = None

    @property
    def ignore(self) -> bool:
        """True if features that a pair lacks do not count for it: then means are taken row by row."""
        return self.unknown is not None

    @property
    def has_table(self) -> bool:
        """True if the table is kept."""
        return self.pair_sums is None

    def rows_of(self, slots: np.ndarray) -> np.ndarray:
        """Rows (len(slots), n) of the table, slots ascending; they are made again if no table is kept."""
        return self.table[slots] if self.has_table else cast("Slots", self.source).table(slots)

    def select(self, columns: np.ndarray) -> "Corrections":
        """Corrections, with a table, of features (c,), ascending, which are numbered 0 to c - 1 then."""
        entries = self._entries_of(columns)
        return self._with_entries(entries, np.searchsorted(columns, self.features[entries]))

    def span(self, first: int, last: int) -> "Corrections":
        """Corrections, with a table, of the features in [first, last), which keep their numbers."""
        entries = self._entries_of(np.arange(first, last))
        return self._with_entries(entries, self.features[entries])

    def spans(self) -> list[tuple[int, int]]:
        """(first, last) of the features for which one table is made."""
        return [(first, min(first + FEATURES_PER_TABLE, self.p)) for first in range(0, self.p, FEATURES_PER_TABLE)]

    @cached_property
    def _by_feature(self) -> tuple[np.ndarray, np.ndarray]:
        """Entries (e,) feature by feature, and the start of those of each feature (p + 1,)."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(self.features, minlength=self.p))])
        index_type = np.int32 if len(self.slots) < 2**31 else int
        return np.argsort(self.features, kind="stable").astype(index_type), starts

    def _entries_of(self, columns: np.ndarray) -> np.ndarray:
        """Ascending entries of features (c,), ascending."""
        order, starts = self._by_feature
        # Entries of neighbouring features lie side by side
        breaks = np.flatnonzero(np.diff(columns) > 1) + 1
        runs = [run for run in np.split(columns, breaks) if len(run)]
        of_runs = (order[starts[run[0]] : starts[run[-1] + 1]] for run in runs)
        return np.sort(np.concatenate([order[:0], *of_runs]))

    def _with_entries(self, entries: np.ndarray, features: np.ndarray) -> "Corrections":
        """Corrections, with a table, of ascending entries alone, whose features are numbered as `features` says."""
        indptr = np.searchsorted(entries, self.indptr)
        slots = self.slots[entries]
        table = self.table
        if not self.has_table:
            distinct, slots = np.unique(slots, return_inverse=True)
            table = cast("Slots", self.source).table(distinct)
        return replace(
            self, indptr=indptr, features=features, slots=slots, table=table, pair_sums=None, pair_lacks=None
        )

    def weighted(self, feature_weights: np.ndarray) -> tuple["Corrections", "Corrections | None"]:
        """Corrections of distances whose features have weights.

        Parameters
        ----------
        feature_weights : (p,) array
            Weights of the features.

        Returns
        -------
        corrections : Corrections
            They add weighted corrections of the diffs.
        unknown : Corrections or None
            They add the weights of features that both rows lack; None unless missing values are ignored.
        """
        n = len(self.indptr) - 1
        no_table = np.empty((0, n))
        source = cast("Slots", self.source)
        if n * n * no_table.itemsize <= MAX_PAIRS_BYTES:
            pair_sums = self.sum_over_slots(self.rows_of, feature_weights)
            weighted = replace(self, table=no_table, unknown=None, pair_sums=pair_sums, pair_lacks=None)
            if not self.ignore:
                return weighted, None
            return weighted, replace(weighted, pair_sums=self.sum_over_slots(source.unknown, feature_weights))
        weight_of_slot = feature_weights[source.features][:, None]
        weighted = replace(self, table=self.table * weight_of_slot, unknown=None, pair_sums=None, pair_lacks=None)
        return weighted, replace(weighted, table=self.unknown * weight_of_slot) if self.ignore else None

    def sum_over_slots(
        self, rows_of: Callable[[np.ndarray], np.ndarray], feature_weights: np.ndarray | None = None
    ) -> np.ndarray:
        """Sums (n, n) over the features that the first row lacks of a number for the second row.

        Parameters
        ----------
        rows_of : callable
            Ascending slots (s,) -> these numbers (s, n).
        feature_weights : (p,) array, optional
            Factors of the features; None: 1.
        """
        n = len(self.indptr) - 1
        out = np.zeros((n, n))
        for first, last in self.spans():
            entries = self._entries_of(np.arange(first, last))
            distinct, slots = np.unique(self.slots[entries], return_inverse=True)
            table = rows_of(distinct)
            if feature_weights is not None:
                table = table * feature_weights[cast("Slots", self.source).features[distinct]][:, None]
            _add_rows(np.searchsorted(entries, self.indptr), slots, table, 0, n, 0, n, out)
        return out

    def correct(self, D: np.ndarray, i0: int, i1: int, j0: int, j1: int) -> None:
        """Turn a tile D of distances with MISSING as a value into true distances."""
        D = D[: i1 - i0, : j1 - j0]
        # Both corrections are added to each other first, so that d(i, j) = d(j, i)
        extra = self._sums_of_tile(self.table, self.pair_sums, i0, i1, j0, j1)
        extra = extra + self._sums_of_tile(self.table, self.pair_sums, j0, j1, i0, i1).T
        D += extra
        if self.ignore:
            n_lacking = np.diff(self.indptr)
            n_shared = self.p - n_lacking[i0:i1, None] - n_lacking[j0:j1]
            unknown = cast("np.ndarray", self.unknown)
            n_shared = n_shared + self._sums_of_tile(unknown, self.pair_lacks, i0, i1, j0, j1)
            np.maximum(D, 0, out=D)
            take_means(D, n_shared, self.p)
        if self.table.dtype == np.float64:
            round_means(D, self.p)
        else:
            D[self.p * MIN_SINGLE_MEAN_DIFF > D] = 0

    def correct_pairs(self, distances: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> None:
        """Turn distances (b, k) of rows (b,) to cols (b, k), with MISSING as a value, into true ones.

        They are infinite where cols is negative. In double precision only.
        """
        valid_cols = np.maximum(cols, 0)
        if self.pair_sums is not None:
            distances += self.pair_sums[rows[:, None], valid_cols] + self.pair_sums[valid_cols, rows[:, None]]
        else:
            _add_pairs(self.indptr, self.slots, self.table, rows, valid_cols, 1, distances)
        if self.ignore:
            np.maximum(distances, 0, out=distances)
            take_means(distances, self.count_shared(rows, valid_cols[:, None])[:, 0], self.p)
        round_means(distances, self.p)
        distances[cols < 0] = np.inf

    def count_shared(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Numbers (b, G, k) of the features that both rows of pairs have; only where missing values are ignored.

        rows (b,) : first rows
        cols (b, G, k) : second rows; -1 is nobody
        """
        counts: np.ndarray = np.zeros(cols.shape)
        if self.pair_lacks is not None:
            counts[:] = self.pair_lacks[rows[:, None, None], cols]
        else:
            _add_lacked_by_both(self.indptr, self.slots, cast("np.ndarray", self.unknown), rows, cols, counts)
        n_lacking: np.ndarray = np.diff(self.indptr)
        counts += self.p - n_lacking[rows][:, None, None] - n_lacking[cols]
        return counts

    def list_sums(
        self, rows: np.ndarray, starts: np.ndarray, cols: np.ndarray, weights: np.ndarray, out: np.ndarray
    ) -> None:
        """Add the weighted corrections of what the first row of each pair of a `PairList` lacks to `out` (T, p).

        There must be a table: see `has_table`.
        """
        _add_lists(self.indptr, self.features, self.slots, self.table, rows, starts, cols, weights, out)

    def tile_sums(self, V: np.ndarray, i0: int, i1: int, j0: int, j1: int, out: np.ndarray) -> None:
        """Add the weighted corrections of what both rows of pairs lack to `out` (at least p,), weights in a tile V."""
        V = V[: i1 - i0, : j1 - j0]
        entries = self if self.has_table else self.span(0, self.p)
        for weights, first_row, first, last in ((V, i0, j0, j1), (np.ascontiguousarray(V.T), j0, i0, i1)):
            _add_tile(
                entries.indptr, entries.features, entries.slots, entries.table, weights, first_row, first, last, out
            )

    def _sums_of_tile(
        self, table: np.ndarray, pair_sums: np.ndarray | None, i0: int, i1: int, j0: int, j1: int
    ) -> np.ndarray:
        """Sums (i1 - i0, j1 - j0), over the features that row i lacks, of the numbers of a table for row j."""
        if pair_sums is not None:
            return pair_sums[i0:i1, j0:j1]
        out = np.zeros((i1 - i0, j1 - j0))
        _add_rows(self.indptr, self.slots, table, i0, i1, j0, j1, out)
        return out


def take_means(D: np.ndarray, n_shared: np.ndarray, p: int) -> None:
    """Turn sums D of diffs over the features that both rows have into means times p, in place; p if there is none.

    n_shared : of the shape of D, numbers of these features
    """
    D[:] = np.where(n_shared > 0, D / np.maximum(n_shared, 1) * p, p)


def round_means(D: np.ndarray, p: int) -> None:
    """Round distances D, in place, relative to what was added and taken away, not to what is left."""
    step = 2.0 ** np.ceil(np.log2(p)) * MIN_MEAN_DIFF
    np.divide(D, step, out=D)
    np.rint(D, out=D)
    D *= step


def corrections(
    values: np.ndarray | sparse.csr_array,
    n_numeric: int,
    p: int,
    classes: np.ndarray,
    strategy: str,
    diff: Diff,
    tick: Callable[[], object],
) -> Corrections:
    """Make the corrections of a table with missing values.

    Memory: n numbers for every feature that lacks values and every class in which it does. For dense data in double
    precision the limit is `MAX_TABLE_BYTES` bytes, or n numbers for every row.

    Parameters
    ----------
    values : (n, at least p) array or CSR array
        Scaled values and codes, MISSING where they are unknown.
    n_numeric : int
        Number of numeric features, which are the first ones.
    p : int
        Number of features.
    classes : (n,) int array
        Classes of the rows, all 0 where there are none.
    strategy : str
        One of `STRATEGIES`.
    diff : Diff
        Difference of two numbers.
    tick : callable
        Called again and again; it may raise to stop.
    """
    rows, features = _missing_cells(values, p)
    features = np.ascontiguousarray(features)  # as those of a span: else kernels are compiled in two forms
    n = values.shape[0]
    n_classes = int(classes.max()) + 1
    class_of_entry = classes[rows].astype(np.int64) if strategy == CONDITIONAL else 0
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
    del rows  # it may be as large as the data
    keys, slots = np.unique(features * n_classes + class_of_entry, return_inverse=True)
    feature_of_slot, class_of_slot = np.divmod(keys, n_classes)
    source = Slots(values, feature_of_slot, class_of_slot, n_numeric, classes.astype(np.int64), strategy, diff, tick)
    no_table = np.empty((0, n), values.dtype)
    missing = Corrections(indptr, features, slots.astype(np.int64), no_table, p, None, source)
    all_slots = np.arange(len(keys))
    is_single = values.dtype == np.float32
    fits = len(keys) * n * values.dtype.itemsize <= MAX_TABLE_BYTES
    if sparse.issparse(values) or is_single or fits or n * n * 8 > MAX_PAIRS_BYTES:
        unknown = source.unknown(all_slots) if strategy == IGNORE else None
        return replace(missing, table=source.table(all_slots), unknown=unknown)
    missing = replace(missing, pair_sums=missing.sum_over_slots(source.table))
    if strategy == IGNORE:
        pair_lacks = missing.sum_over_slots(source.unknown)
        missing = replace(missing, pair_lacks=pair_lacks, unknown=np.empty((0, n), np.uint8))
    return missing


def _missing_cells(values: np.ndarray | sparse.csr_array, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows (e,) and features (e,) of the missing values, row by row."""
    if sparse.issparse(values):
        stored = cast("sparse.csr_array", values)
        entries = np.flatnonzero(stored.data == MISSING)
        return np.searchsorted(stored.indptr, entries, side="right") - 1, stored.indices[entries].astype(np.int64)
    return cast("tuple[np.ndarray, np.ndarray]", np.nonzero(values[:, :p] == MISSING))


@kernel
def _add_rows(indptr, slots, table, i0, i1, j0, j1, out):
    """Add to out[i - i0, j - j0] the sum of table[slot, j] over the entries of row i.

    indptr, slots, table : as of `MissingEntries`
    out : (i1 - i0, j1 - j0)
    """
    for i in range(i0, i1):
        total = out[i - i0]
        for t in range(indptr[i], indptr[i + 1]):
            row = table[slots[t], j0:j1]
            for q in range(len(total)):
                total[q] += row[q]


@kernel
def _add_pairs(indptr, slots, table, rows, cols, one, out):
    """Add to out[b, q] the corrections of both rows of the pair (rows[b], cols[b, q]), in the order of `_add_rows`.

    one : 1, which the compiler must not know, as it would change the order of the sums
    """
    sums = np.empty((2, one))
    for b in range(len(rows)):
        for q in range(cols.shape[1]):
            i = rows[b]
            j = cols[b, q]
            sums[:] = 0
            _add_rows(indptr, slots, table, i, i + 1, j, j + one, sums[:1])
            _add_rows(indptr, slots, table, j, j + 1, i, i + one, sums[1:])
            out[b, q] += sums[0, 0] + sums[1, 0]


@kernel
def _add_lacked_by_both(indptr, slots, unknown, rows, cols, out):
    """Add to out[b, g, q] the number of features that rows[b] and cols[b, g, q] lack.

    unknown : (slots, n), 1 for rows that lack the feature of a slot
    """
    for b in range(len(rows)):
        for g in range(cols.shape[1]):
            for q in range(cols.shape[2]):
                if cols[b, g, q] >= 0:
                    for t in range(indptr[rows[b]], indptr[rows[b] + 1]):
                        out[b, g, q] += unknown[slots[t], cols[b, g, q]]


@kernel
def _add_lists(indptr, features, slots, table, rows, starts, cols, weights, out):
    """Add to out[t, f] the sum of weights[q, t] * table[slot, cols[q]] over the pairs q whose first row lacks f.

    indptr, features, slots, table : as of `MissingEntries`
    rows, starts, cols, weights : fields of a `PairList`
    out : (T, p)
    """
    for b in range(len(rows)):
        i = rows[b]
        for e in range(indptr[i], indptr[i + 1]):
            correction = table[slots[e]]
            for t in range(len(out)):
                total = 0.0
                for q in range(np.uint64(starts[b]), np.uint64(starts[b + 1])):  # unsigned: no test for numbers below 0
                    total += weights[q, t] * correction[np.uint32(cols[q])]
                out[t, features[e]] += total


@kernel
def _add_tile(indptr, features, slots, table, V, i0, j0, j1, out):
    """Add to out[f] the sum of V[i - i0, j - j0] * table[slot, j] over the rows i >= i0 of a tile that lack f.

    indptr, features, slots, table : as of `MissingEntries`
    V : (h, j1 - j0)
    """
    for i in range(i0, i0 + len(V)):
        weights = V[i - i0]
        for t in range(indptr[i], indptr[i + 1]):
            row = table[slots[t], j0:j1]
            total = 0.0
            for q in range(len(row)):
                total += weights[q] * row[q]
            out[features[t]] += total
