"""Missing values: what they add to diffs that were computed as if MISSING were a value like any other.

For every strategy but "ignore" the diff of a pair with an unknown value is a number, an expectation.  So data with
missing values are complete data plus a correction: for a row i that lacks feature A, ``table[slot, j]`` is what the
pair (i, j) lacks.  A pair in which both rows lack A gets one half from each.  Distances and sums add the corrections
to what their kernels for complete data give; nothing else needs to know of missing values.

A table takes n numbers for every feature that lacks values and every class in which it does: more than the data.  Where
that is much, what the pairs (i, j) lack in all features is kept instead, and the table is made again, some features at
a time, when features are scored.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy import sparse

from ...data.diff import Diff
from ...data.expected import CONDITIONAL, IGNORE, MISSING, Slots
from ...kernels.jit import kernel

MIN_MEAN_DIFF = 2.0**-40  # digits of mean diffs: what is less is rounding
MIN_SINGLE_MEAN_DIFF = 1e-6  # mean diffs below this are rounding in single precision: rows are equal
MAX_TABLE_BYTES = 2**24  # bytes up to which a table is kept as it is
MAX_PAIRS_BYTES = 2**26  # bytes up to which numbers of all pairs of rows are kept instead
FEATURES_PER_TABLE = 1024  # features of which a table is made at once


@dataclass(frozen=True)
class Corrections:
    """Missing entries, row by row as in CSR: those of row i are ``slice(indptr[i], indptr[i + 1])``.

    features (e,): column, ascending in a row.  slots (e,): row of `table` (slots, n).  unknown (slots, n): rows that
    lack the feature. It is kept for "ignore" only, where distances are means over the features that both rows have,
    times p.
    made: source of tables. If none is kept, `table` and `unknown` are empty. Pairs (n, n) have corrections (`far`) and
    numbers of features that both rows lack (`both`) instead.
    """

    indptr: np.ndarray
    features: np.ndarray
    slots: np.ndarray
    table: np.ndarray
    p: int
    unknown: np.ndarray | None = None
    made: Slots | None = None
    far: np.ndarray | None = None
    both: np.ndarray | None = None

    @property
    def ignore(self) -> bool:
        """True if pairs that lack a feature do not count for it: then means are taken row by row."""
        return self.unknown is not None

    @property
    def kept(self) -> bool:
        """True if there is a table."""
        return self.far is None

    def rows_of(self, slots: np.ndarray) -> np.ndarray:
        """Rows (len(slots), n) of the table, ascending, kept or made again."""
        return self.table[slots] if self.kept else cast("Slots", self.made).table(slots)

    def some(self, chosen: np.ndarray) -> "Corrections":
        """Those of some features (c,), ascending, with new numbers and a table."""
        found = self._entries(chosen)
        return self._taken(found, np.searchsorted(chosen, self.features[found]))

    def span(self, first: int, last: int) -> "Corrections":
        """Those of features in [first, last), which keep their numbers; with a table."""
        found = self._entries(np.arange(first, last))
        return self._taken(found, self.features[found])

    def spans(self) -> list[tuple[int, int]]:
        """(first, last) of features for which one table is made."""
        return [(first, min(first + FEATURES_PER_TABLE, self.p)) for first in range(0, self.p, FEATURES_PER_TABLE)]

    @cached_property
    def _by_feature(self) -> tuple[np.ndarray, np.ndarray]:
        """Entries (e,) feature by feature, and where those of each begin (p + 1,)."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(self.features, minlength=self.p))])
        return np.argsort(self.features, kind="stable").astype(np.int32 if len(self.slots) < 2**31 else int), starts

    def _entries(self, chosen: np.ndarray) -> np.ndarray:
        """Ascending entries of some features (c,), ascending."""
        (order, starts), breaks = self._by_feature, np.flatnonzero(np.diff(chosen) > 1) + 1
        runs = (run for run in np.split(chosen, breaks) if len(run))
        return np.sort(np.concatenate([order[:0], *(order[starts[run[0]] : starts[run[-1] + 1]] for run in runs)]))

    def _taken(self, found: np.ndarray, features: np.ndarray) -> "Corrections":
        """The entries `found`, ascending, of features that are called so; with a table."""
        indptr, slots, table = np.searchsorted(found, self.indptr), self.slots[found], self.table
        if not self.kept:
            wanted, slots = np.unique(slots, return_inverse=True)
            table = cast("Slots", self.made).table(wanted)
        return replace(self, indptr=indptr, features=features, slots=slots, table=table, far=None, both=None)

    def weighted(self, feature_weights: np.ndarray) -> tuple["Corrections", "Corrections | None"]:
        """Corrections of distances that are weighed by `feature_weights` (p,), and None.

        If pairs are ignored, the second are corrections by which pairs add the weights of features that both rows
        lack."""
        n, none = len(self.indptr) - 1, np.empty((0, len(self.indptr) - 1))
        tables: list[tuple[np.ndarray, np.ndarray | None]]
        if n * n * none.itemsize <= MAX_PAIRS_BYTES:
            tables = [(none, self.pairs(self.rows_of, feature_weights))]
            if self.ignore:
                tables.append((none, self.pairs(cast("Slots", self.made).unknown, feature_weights)))
        else:
            of_slot = feature_weights[cast("Slots", self.made).features][:, None]
            tables = [(self.table * of_slot, None)]
            if self.ignore:
                tables.append((self.unknown * of_slot, None))
        found = [replace(self, table=table, unknown=None, far=far, both=None) for table, far in tables]
        return found[0], found[1] if self.ignore else None

    def pairs(self, rows_of: Callable[[np.ndarray], np.ndarray], of_feature: np.ndarray | None = None) -> np.ndarray:
        """(n, n) sums over the features that the first row lacks of rows (s, n) of slots, times `of_feature` (p,)."""
        n = len(self.indptr) - 1
        out = np.zeros((n, n))
        for first, last in self.spans():
            found = self._entries(np.arange(first, last))
            wanted, slots = np.unique(self.slots[found], return_inverse=True)
            table = rows_of(wanted)
            if of_feature is not None:
                table = table * of_feature[cast("Slots", self.made).features[wanted]][:, None]
            _add_rows(np.searchsorted(found, self.indptr), slots, table, 0, n, 0, n, out)
        return out

    def correct(self, D: np.ndarray, i0: int, i1: int, j0: int, j1: int) -> None:
        """Turn a tile D of distances with MISSING as a value into true distances."""
        D = D[: i1 - i0, : j1 - j0]
        extra = self._rows(self.table, self.far, i0, i1, j0, j1)
        extra = extra + self._rows(self.table, self.far, j0, j1, i0, i1).T  # first, so that d(i, j) = d(j, i)
        D += extra
        if self.ignore:
            lacks = np.diff(self.indptr)
            seen = self.p - lacks[i0:i1, None] - lacks[j0:j1]
            seen = seen + self._rows(cast("np.ndarray", self.unknown), self.both, i0, i1, j0, j1)
            np.maximum(D, 0, out=D)
            take_means(D, seen, self.p)
        if self.table.dtype == np.float64:
            round_means(D, self.p)
        else:
            D[self.p * MIN_SINGLE_MEAN_DIFF > D] = 0

    def correct_pairs(self, distances: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> None:
        """Turn distances (b, k) of rows (b,) to cols (b, k), with MISSING as a value, into true ones; infinite where
        cols is negative.  In double precision only."""
        others = np.maximum(cols, 0)
        if self.far is not None:
            distances += self.far[rows[:, None], others] + self.far[others, rows[:, None]]
        else:
            _add_pairs(self.indptr, self.slots, self.table, rows, others, 1, distances)
        if self.ignore:
            np.maximum(distances, 0, out=distances)
            take_means(distances, self.shared(rows, others[:, None])[:, 0], self.p)
        round_means(distances, self.p)
        distances[cols < 0] = np.inf

    def list_sums(
        self, rows: np.ndarray, starts: np.ndarray, cols: np.ndarray, weights: np.ndarray, out: np.ndarray
    ) -> None:
        """Add to `out` (T, p) corrections for the pairs of a `PairList`: of what the first row of each lacks.

        There must be a table: see `kept`.
        """
        _list_sums(self.indptr, self.features, self.slots, self.table, rows, starts, cols, weights, out)

    def shared(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Numbers (b, G, k) of the features that both rows of pairs have; rows (b,), cols (b, G, k), where -1 is
        nobody.  Only where pairs are ignored."""
        both: np.ndarray = np.zeros(cols.shape)
        if self.both is not None:
            both[:] = self.both[rows[:, None, None], cols]
        else:
            _add_shared(self.indptr, self.slots, cast("np.ndarray", self.unknown), rows, cols, both)
        lacks: np.ndarray = np.diff(self.indptr)
        both += self.p - lacks[rows][:, None, None] - lacks[cols]
        return both

    def tile_sums(self, V: np.ndarray, i0: int, i1: int, j0: int, j1: int, out: np.ndarray) -> None:
        """The same for a tile V of weights."""
        V, own = V[: i1 - i0, : j1 - j0], self if self.kept else self.span(0, self.p)
        for W, a0, b0, b1 in ((V, i0, j0, j1), (np.ascontiguousarray(V.T), j0, i0, i1)):
            _tile_sums(own.indptr, own.features, own.slots, own.table, W, a0, b0, b1, out)

    def _rows(self, table: np.ndarray, far: np.ndarray | None, i0: int, i1: int, j0: int, j1: int) -> np.ndarray:
        if far is not None:
            return far[i0:i1, j0:j1]
        out = np.zeros((i1 - i0, j1 - j0))
        _add_rows(self.indptr, self.slots, table, i0, i1, j0, j1, out)
        return out


def take_means(D: np.ndarray, seen: np.ndarray, p: int) -> None:
    """Turn sums over the features that both rows have, of which there are `seen`, into means times p."""
    D[:] = np.where(seen > 0, D / np.maximum(seen, 1) * p, p)


def round_means(D: np.ndarray, p: int) -> None:
    """Round distances relative to what was added and taken away, not to what is left."""
    step = 2.0 ** np.ceil(np.log2(p)) * MIN_MEAN_DIFF
    np.divide(D, step, out=D)
    np.rint(D, out=D)
    D *= step


def gaps(missing: Corrections | None, dtype: "np.dtype[Any]") -> tuple[np.ndarray, ...]:
    """Corrections as kernels read them, (indptr, features, slots, table); all are empty where nothing is missing."""
    none = np.zeros(0, np.int64)
    kept = (missing.indptr, missing.features, missing.slots, missing.table) if missing else None
    return kept or (none, none, none, np.zeros((0, 0), dtype))


def corrections(
    values: np.ndarray | sparse.csr_array,
    n_numeric: int,
    p: int,
    classes: np.ndarray,
    strategy: str,
    diff: Diff,
    tick: Callable[[], object],
) -> Corrections:
    """For packed values (n, >= p) with MISSING in them; classes (n,) of the rows, all 0 where there are none.

    tick: called again and again, to stop by raising an exception.

    Memory: n numbers for every feature that lacks values and every class in which it does. For dense data in double
    precision the limit is `MAX_TABLE_BYTES` bytes, or n numbers for every row.
    """
    rows, features = _entries(values, p)
    features = np.ascontiguousarray(features)  # as those of a span: else kernels are compiled in two forms
    n, n_classes = values.shape[0], int(classes.max()) + 1
    kinds = classes[rows].astype(np.int64) if strategy == CONDITIONAL else 0
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
    del rows
    keys, slots = np.unique(features * n_classes + kinds, return_inverse=True)
    made = Slots(values, *np.divmod(keys, n_classes), n_numeric, classes.astype(np.int64), strategy, diff, tick)
    out = Corrections(indptr, features, slots.astype(np.int64), np.empty((0, n), values.dtype), p, None, made)
    every, size = np.arange(len(keys)), len(keys) * n * values.dtype.itemsize
    if sparse.issparse(values) or values.dtype == np.float32 or size <= MAX_TABLE_BYTES or n * n * 8 > MAX_PAIRS_BYTES:
        return replace(out, table=made.table(every), unknown=made.unknown(every) if strategy == IGNORE else None)
    out = replace(out, far=out.pairs(made.table))
    if strategy == IGNORE:
        out = replace(out, both=out.pairs(made.unknown), unknown=np.empty((0, n), np.uint8))
    return out


def _entries(values: np.ndarray | sparse.csr_array, p: int) -> tuple[np.ndarray, np.ndarray]:
    """(rows, features) of the missing entries, row by row."""
    if sparse.issparse(values):
        stored = cast("sparse.csr_array", values)
        found = np.flatnonzero(stored.data == MISSING)
        return np.searchsorted(stored.indptr, found, side="right") - 1, stored.indices[found].astype(np.int64)
    return cast("tuple[np.ndarray, np.ndarray]", np.nonzero(values[:, :p] == MISSING))


@kernel
def _add_rows(indptr, slots, table, i0, i1, j0, j1, out):
    for i in range(i0, i1):
        total = out[i - i0]
        for t in range(indptr[i], indptr[i + 1]):
            row = table[slots[t], j0:j1]
            for q in range(len(total)):
                total[q] += row[q]


@kernel
def _add_pairs(indptr, slots, table, rows, cols, one, out):
    """Add what pairs (b, k) lack to out, in the order of `_add_rows`; one: 1, which the compiler must not know, as it
    would change the order of the sums."""
    cell = np.empty((2, one))
    for b in range(len(rows)):
        for q in range(cols.shape[1]):
            i, j = rows[b], cols[b, q]
            cell[:] = 0
            _add_rows(indptr, slots, table, i, i + 1, j, j + one, cell[:1])
            _add_rows(indptr, slots, table, j, j + 1, i, i + one, cell[1:])
            out[b, q] += cell[0, 0] + cell[1, 0]


@kernel
def _add_shared(indptr, slots, unknown, rows, cols, out):
    """Numbers (b, G, k) of the features that both rows of pairs lack, added to out."""
    for b in range(len(rows)):
        for g in range(cols.shape[1]):
            for q in range(cols.shape[2]):
                if cols[b, g, q] >= 0:
                    for t in range(indptr[rows[b]], indptr[rows[b] + 1]):
                        out[b, g, q] += unknown[slots[t], cols[b, g, q]]


@kernel
def _list_sums(indptr, features, slots, table, rows, starts, cols, weights, out):
    """Corrections of listed pairs for what the first row of each lacks."""
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
def _tile_sums(indptr, features, slots, table, V, i0, j0, j1, out):
    for i in range(i0, i0 + len(V)):
        weights = V[i - i0]
        for t in range(indptr[i], indptr[i + 1]):
            row, total = table[slots[t], j0:j1], 0.0
            for q in range(len(row)):
                total += weights[q] * row[q]
            out[features[t]] += total
