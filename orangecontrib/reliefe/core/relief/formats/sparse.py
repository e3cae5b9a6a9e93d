"""Distances and sums on CSR rows: only what is not zero in both rows is looked at, row by row and column by column."""

from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy import sparse

from ...kernels.diff import diff
from ...kernels.jit import kernel
from .distance import Distance, TileBuffer, Where
from .features import Features
from .pair_sums import PairList, add_corrections
from .rounding import round_distances
from .steps import PANEL, ROUNDING_ERROR, Steps, no_totals
from .sums import CorrectedSpan, Sums, WeighedPairs, WeightTile

SUM_BITS = 61  # of the whole numbers that distances are added up in
STEP_BITS = 32  # of these, that are dropped from half of a distance in steps
COLUMNS = 64  # that the width of tiles is a multiple of
TILE_ENTRIES = 2**25  # that rows of a tile share with others: some 0.1 s
CLOSE_UNITS = 1 << 46  # a distance below this, as such a number, has fewer digits than the values that it is made of


class SparseManhattan(Distance):
    """Sums of diffs over the features of CSR rows, by an inverted index.

    d(i, j) = |x_i| + |x_j| + sum over shared non-zeros of diff(x_i, x_j) - diff(x_i, 0) - diff(x_j, 0).
    Most of |x_i| + |x_j| may cancel.  Added up in whole numbers nothing is lost by that: equal rows are at distance 0,
    and distances that are equal in dense data are equal here.

    Shapes: `feature_weights` (p,).
    """

    of_features = True

    def __init__(
        self, features: Features, feature_weights: np.ndarray | None = None, index: "InvertedIndex | None" = None
    ):
        n, p = features.shape
        self.n = n
        self.features = features
        self.index = index or InvertedIndex(features)
        self._is_weighted = feature_weights is not None
        self._feature_weights = np.ones(p) if feature_weights is None else feature_weights
        indptr, indices, data, alone, place = self.index.rows
        most = row_sums(alone * self._feature_weights[indices], indptr)
        if not features.diff.plain:  # there diffs of shared values may be larger than what they replace
            most += row_sums(self._feature_weights[indices], indptr)
        self._unit = float(np.ldexp(1.0, min(SUM_BITS - int(np.frexp(2 * most.max(initial=0.0))[1]), 1000)))
        # entries as whole numbers of units; their diffs to zero where differences are no diffs
        signed = np.copysign(alone, data) if features.diff.plain else alone
        units = np.rint(signed * self._feature_weights[indices] * self._unit).astype(np.int64)
        turned = np.empty_like(units)
        turned[place] = units
        self._units, self._norms = (units, turned), row_sums(np.abs(units), indptr, np.int64)
        # Rows of a tile: few enough that a tile takes some tenths of a second at most, between two looks for a stop
        entries = np.diff(self.index.columns[0]).astype(float)
        shared = max(float((entries**2).sum()) / n, 1.0)  # entries of one row that it shares with other rows, in all
        panels = min(2**14 // n, TILE_ENTRIES // (PANEL * shared))
        self.shape = int(min(max(1, panels), 4)) * PANEL, -(-n // COLUMNS) * COLUMNS

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.features, self._feature_weights, self.index)

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        f, index = self.features, self.index
        whole = self._units, self._norms, self._unit
        how = whole, self._feature_weights, f.n_numeric, f.diff.shape
        _inverted(index.rows, index.columns, how, (i0, i1, j0, j1), upper, out)
        if f.missing:
            f.missing.correct(out, i0, i1, j0, j1)
        return out

    @cached_property
    def steps(self) -> Steps:
        """Those of the whole numbers that distances are added up in, or with missing values of the sum of the
        weights."""
        if self.features.missing:
            return Steps.for_bound(self.n, float(self._feature_weights.sum()))
        per_unit = self._unit / 2.0 ** (STEP_BITS - 1)
        return Steps(per_unit, no_totals(self.n), ROUNDING_ERROR / per_unit)

    @property
    def rounds_tiles(self) -> bool:
        return self.features.missing is not None

    def sums(self, where: Where, buffer: TileBuffer, upper: bool = True) -> np.ndarray:
        f, index = self.features, self.index
        if f.missing:
            return super().sums(where, buffer, upper)
        whole = self._units, self._norms, self._unit
        how = whole, self._feature_weights, f.n_numeric, f.diff.shape
        _inverted_steps(index.rows, index.columns, how, where, upper, buffer.width, buffer.sums)
        return buffer.sums

    def exact(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        f = self.features
        if f.missing and self._is_weighted:
            return super().exact(rows, cols)
        out, whole = np.empty(cols.shape), (self._units, self._norms, self._unit)
        _pair_distances(self.index.rows, (whole, self._feature_weights, f.n_numeric, f.diff.shape), rows, cols, out)
        if f.missing:
            f.missing.correct_pairs(out, rows, cols)
        round_distances(out)
        return out


def row_sums(values: np.ndarray, indptr: np.ndarray, dtype: type = np.float64) -> np.ndarray:
    """Sums (n,) of the entries of each row, each by itself: equal rows have equal sums, to the last bit."""
    return np.add.reduceat(np.append(values, values.dtype.type(0)), indptr[:-1], dtype=dtype) * (np.diff(indptr) > 0)


class SparseSums(Sums):
    """Shared non-zeros only; what each row adds alone follows from the totals of its weights (see `finish`)."""

    def __init__(self, features: Features, index: "InvertedIndex | None" = None):
        self.features, self.index = features, index or InvertedIndex(features)

    def zeros(self) -> np.ndarray:
        """Zeros (p + n,) to add tiles to."""
        return np.zeros(sum(self.features.shape))  # features, then totals of rows

    def add(self, pairs: WeighedPairs, out: np.ndarray, part: CorrectedSpan | None = None) -> None:
        """Add sums over pairs to `out`; of tiles with the totals of their rows."""
        f, p = self.features, self.features.shape[1]
        if isinstance(pairs, PairList):
            _sparse_pair_sums(self.index.rows, f.n_numeric, f.diff.shape, *pairs, out[:p])
            add_corrections(f.missing, pairs, out[None])
            return
        V, (i0, i1, j0, j1) = cast("WeightTile", pairs)
        _sparse_tile_sums(self.index.rows, self.index.columns, f.n_numeric, f.diff.shape, V, i0, i1, j0, out)
        out[p + i0 : p + i1] += V[: i1 - i0, : j1 - j0].sum(axis=1)
        out[p + j0 : p + j1] += V[: i1 - i0, : j1 - j0].sum(axis=0)
        if f.missing:
            f.missing.tile_sums(V, i0, i1, j0, j1, out)

    def finish(self, out: np.ndarray) -> np.ndarray:
        """Scores (p,) of all tiles, with what each row adds alone."""
        indptr, indices, _, alone, _ = self.index.rows
        p = self.features.shape[1]
        totals = np.repeat(out[p:], np.diff(indptr))
        return out[:p] + np.bincount(indices, weights=totals * alone, minlength=p)


class InvertedIndex:
    """CSR rows beside their CSC columns: (indptr, indices, data, alone, place) and (indptr, indices, data, alone).

    `alone` is an entry's diff to zero; `place` of a CSR entry is its place in the CSC order, so that those behind it in
    its column are known without a search.
    """

    kept_by_workers = True  # of a cluster

    def __init__(self, features: Features):
        X = cast("sparse.csr_array", features.values)
        alone = np.abs(X.data)
        if not features.diff.plain:
            alone = features.diff(alone).astype(X.dtype)
        alone[X.indices >= features.n_numeric] = X.data[X.indices >= features.n_numeric] != 0
        turned = sparse.csr_array((np.arange(X.nnz), X.indices, X.indptr), X.shape).tocsc()
        order = turned.data
        place = np.empty(X.nnz, np.int64)
        place[order] = np.arange(X.nnz)
        self._features = features
        self.rows = X.indptr, X.indices, X.data, alone, place
        self.columns = turned.indptr, turned.indices, X.data[order], alone[order]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._features,)  # sooner made than sent


@kernel
def _inverted(rows, columns, how, where, upper, out):
    """A tile of distances from whole units; those with too few digits are computed entry by entry."""
    ((_, norms, unit), weights, n_numeric, shape), (i0, i1, j0, j1) = how, where
    total, back = np.empty(j1 - j0, np.int64), 1 / unit
    for i in range(i0, i1):
        first = i + 1 if upper else j0
        sums, row = total[first - j0 :], out[i - i0, first - j0 : j1 - j0]
        _add_units(rows, columns, how, i, (first, j0), upper, total)
        close = 0
        for q in range(len(sums)):
            row[q] = sums[q] * back
            close += sums[q] < CLOSE_UNITS
        if close:
            for q in range(len(sums)):
                if sums[q] < CLOSE_UNITS and norms[i] + norms[first + q] > 0:
                    row[q] = _apart(rows, weights, n_numeric, shape, i, first + q)


@kernel
def _inverted_steps(rows, columns, how, where, upper, width, out):
    """Half of the distances of a tile in steps, which are units without their last STEP_BITS - 1 bits."""
    i0, i1, j0, j1 = where
    total, half = np.empty(j1 - j0, np.int64), np.int64(1) << (STEP_BITS - 1)
    for i in range(i0, i1):
        first = i + 1 if upper else j0
        _add_units(rows, columns, how, i, (first, j0), upper, total)
        sums, row = total[first - j0 :], out[(i - i0) * width + first - j0 : (i - i0) * width + j1 - j0]
        for q in range(len(row)):
            row[q] = np.int32((sums[q] + half) >> STEP_BITS)


@kernel
def _add_units(rows, columns, how, i, columns_from, upper, total):
    """Set total[j - j0], j >= first, to the distance of rows i and j in whole units."""
    (indptr, indices, data, _, place), (cptr, cindices, cdata, _) = rows, columns
    (((units, cunits), norms, unit), weights, n_numeric, shape), (first, j0) = how, columns_from
    norm = norms[i]
    other_norms = norms[first : j0 + len(total)]
    sums = total[first - j0 :]
    for q in range(len(sums)):
        sums[q] = norm + other_norms[q]
    for t in range(indptr[i], indptr[i + 1]):
        f, x, u = indices[t], data[t], units[t]
        # rows of a column ascend: those behind an entry are > i
        start = place[t] + 1 if upper else cptr[f]
        if shape is None and f < n_numeric:
            for s in range(start, cptr[f + 1]):
                v = cunits[s]
                total[cindices[s] - j0] += abs(u - v) - abs(u) - abs(v)
        else:
            for s in range(start, cptr[f + 1]):
                d = weights[f] * unit * diff(x, cdata[s], f < n_numeric, shape)
                total[cindices[s] - j0] += np.int64(np.rint(d)) - abs(u) - abs(cunits[s])


@kernel
def _pair_distances(rows, how, chosen, cols, out):
    """Distances out[b, q] of rows chosen[b] to cols[b, q], from whole units; those with too few digits are computed
    entry by entry.  Infinite to nobody, -1."""
    (indptr, indices, data, _, _), (((units, _), norms, unit), weights, n_numeric, shape) = rows, how
    values = np.zeros(len(weights))
    spread_units = np.zeros(len(weights), np.int64)
    last = -1
    for b in range(len(chosen)):
        i = chosen[b]
        if i != last:  # the entries of one row after another are spread out
            if last >= 0:
                for t in range(indptr[last], indptr[last + 1]):
                    values[indices[t]], spread_units[indices[t]] = 0, 0
            for t in range(indptr[i], indptr[i + 1]):
                values[indices[t]], spread_units[indices[t]] = data[t], units[t]
            last = i
        for q in range(cols.shape[1]):
            j = cols[b, q]
            if j < 0:
                out[b, q] = np.inf
                continue
            total = norms[i] + norms[j]
            for t in range(indptr[j], indptr[j + 1]):
                f, v = indices[t], units[t]
                u = spread_units[f]
                if shape is None and f < n_numeric:
                    total += abs(u - v) - abs(u) - abs(v)
                elif u != 0:
                    d = weights[f] * unit * diff(values[f], data[t], f < n_numeric, shape)
                    total += np.int64(np.rint(d)) - abs(u) - abs(v)
            few_digits = total < CLOSE_UNITS and norms[i] + norms[j] > 0
            out[b, q] = _apart(rows, weights, n_numeric, shape, i, j) if few_digits else total / unit


@kernel
def _apart(rows, weights, n_numeric, shape, i, j):
    """Distance of two rows entry by entry: no digit is lost, however near they are."""
    indptr, indices, data, alone, _ = rows
    s, t, total = indptr[i], indptr[j], 0.0
    while s < indptr[i + 1] or t < indptr[j + 1]:
        if t == indptr[j + 1] or (s < indptr[i + 1] and indices[s] < indices[t]):
            total += weights[indices[s]] * alone[s]
            s += 1
        elif s == indptr[i + 1] or indices[t] < indices[s]:
            total += weights[indices[t]] * alone[t]
            t += 1
        else:
            total += weights[indices[s]] * diff(data[s], data[t], indices[s] < n_numeric, shape)
            s += 1
            t += 1
    return total


@kernel
def _sparse_pair_sums(entries, n_numeric, shape, rows, starts, cols, weights, out):
    """Weighted diffs of the pairs of a `PairList`, added to out (p,): of shared entries, then of each row alone."""
    indptr, indices, data, alone, _ = entries
    x, single = np.zeros(len(out)), np.zeros(len(out))
    for b in range(len(rows)):
        i, total = rows[b], 0.0
        for t in range(indptr[i], indptr[i + 1]):
            x[indices[t]], single[indices[t]] = data[t], alone[t]
        for q in range(starts[b], starts[b + 1]):
            j, w = cols[q], weights[q, 0]
            total += w
            for t in range(indptr[j], indptr[j + 1]):
                f = indices[t]
                out[f] += w * (diff(x[f], float(data[t]), f < n_numeric, shape) - single[f])
        for t in range(indptr[i], indptr[i + 1]):
            f = indices[t]
            out[f] += total * alone[t]
            x[f], single[f] = 0, 0


@kernel
def _sparse_tile_sums(rows, columns, n_numeric, shape, V, i0, i1, j0, out):
    """Weighted diffs of shared entries of a tile of pairs, less what each row adds alone, added to `out`."""
    (indptr, indices, data, alone, place), (cptr, cindices, cdata, calone) = rows, columns
    for i in range(i0, i1):
        for t in range(indptr[i], indptr[i + 1]):
            f, x, own, total = indices[t], data[t], alone[t], 0.0
            for s in range(place[t] + 1, cptr[f + 1]):
                beyond = diff(x, cdata[s], f < n_numeric, shape) - own - calone[s]
                total += V[i - i0, cindices[s] - j0] * beyond
            out[f] += total
