"""The contract of sums over pairs: ``sum over pairs of V_ij * diff_f(i, j)`` for every feature f."""

from collections.abc import Sequence
from functools import cached_property
from types import ModuleType
from typing import NamedTuple, TypeAlias, cast

import numpy as np
from scipy import sparse

from ...kernels.diff import add_diffs, shaped
from ...kernels.jit import compiles, kernel
from ...work.threads import Work
from .bits import LANES
from .features import Features
from .missing import Corrections, gaps
from .pair_sums import LimitedPairs, PairList, add_pair_sums


class WeightTile(NamedTuple):
    """Weighted pairs of two stretches of rows."""

    weights: np.ndarray  # whole; 0 outside the upper triangle
    where: tuple[int, int, int, int]  # i0, i1, j0, j1

    def copied(self) -> "WeightTile":
        """Return the same tile in memory of its own."""
        return WeightTile(self.weights.copy(), self.where)


WeighedPairs: TypeAlias = PairList | LimitedPairs | WeightTile  # lists with weights for one target
Part: TypeAlias = tuple[tuple[int, int], Corrections]  # first and last feature, and what their unknown values add


class Sums:
    """The sums over pairs; all of them in the order of `Features.columns`."""

    features: Features
    at_once = False

    @property
    def dtype(self) -> "np.dtype[np.floating]":
        """Type of the weights of listed pairs: that of the values."""
        return self.features.values.dtype

    def every(self, found: Sequence[WeighedPairs], work: Work) -> np.ndarray:
        """Sums (p,) over all pairs there are, some features at a time; only where they are summed at once."""
        raise NotImplementedError

    def zeros(self) -> np.ndarray:
        """An array to add to."""
        raise NotImplementedError

    def add(self, pairs: WeighedPairs, out: np.ndarray, part: Part | None = None) -> None:
        """Add sums over pairs to `out`; part: features that are scored now, where not all of them are."""
        raise NotImplementedError

    def finish(self, out: np.ndarray) -> np.ndarray:
        """Scores (p,) from the sum over all pairs."""
        return out[: self.features.shape[1]]

    def of_pairs(self, pairs: PairList) -> np.ndarray:
        """Sums (p,) over pairs."""
        out = self.zeros()
        self.add(pairs, out)
        return out[: self.features.shape[1]]


def in_spans(features: Features) -> bool:
    """True if features are scored some at a time, as what their missing values add is not kept."""
    return features.missing is not None and not features.missing.kept


def by_spans(sums: Sums, parts: Sequence[Sequence[WeighedPairs]], work: Work) -> np.ndarray:
    """Scores (p,) from the pairs of all parts, over the features of one span after another."""
    total, missing = sums.zeros(), cast("Corrections", sums.features.missing)

    def span(where: tuple[int, int]) -> None:
        own, some, (first, last) = sums.zeros(), missing.span(*where), where
        last = last if last < sums.features.shape[1] else len(own)
        for found in parts:  # in this order, as in a total
            own[first:last] = 0
            for pairs in found:
                work.tick()
                sums.add(pairs, own, ((first, last), some))
            total[first:last] += own[first:last]

    work.map(span, missing.spans())
    return sums.finish(total)


ROWS_AT_ONCE = 16  # whose sums are written side by side


class DenseSums(Sums):
    """Sums over pairs of dense rows, in vector registers where that is possible."""

    def __init__(self, features: Features):
        self.features = features

    @cached_property
    def _simd(self) -> ModuleType | None:
        """Kernels in vector registers; None where numba does not compile, or for other diffs and precisions."""
        if not self.features.vectors or not compiles():
            return None
        from . import dense_sums_simd

        return dense_sums_simd

    def zeros(self) -> np.ndarray:
        return np.zeros(self.features.padded)

    def add(self, pairs: WeighedPairs, out: np.ndarray, part: Part | None = None) -> None:
        """Add sums over pairs to `out` (padded,); of tiles whole fours of features are taken by SIMD kernels."""
        f = self.features
        span, missing = part or ((0, f.padded), f.missing)
        if isinstance(pairs, PairList):
            add_pair_sums(f, pairs, out[None], span, missing)
            return
        V, where = cast("WeightTile", pairs)
        for nominal, start, stop in f.kinds:
            first, last = max(start, span[0]), min(stop, span[1])
            if self._simd:
                done = first + (last - first) // self._simd.FEATURES * self._simd.FEATURES
                args = f.lanes.reshape(-1), f.padded, (first, done), nominal, V.reshape(-1), V.shape[1], where, out
                self._simd.tile_sums(*args)
                first = done
            if first < last:
                _tile_sums(f.values, (first, last), nominal, f.diff.shape, V, where, out)
        if missing:
            missing.tile_sums(V, *where, out)


@kernel
def _add_row(X, i, js, w, m, span, cut, shape, total):
    """Sum over q < m of w_q diff(i, js_q), added to total (f1 - f0,), eight neighbours a sweep, or with a ramp, or
    squares, one; js and w have room for 8 more than m."""
    f0, f1 = span
    x = X[i, f0:f1]
    if shape is not None:
        for q in range(m):
            add_diffs(x, X[js[q], f0:f1], w[q], cut, shape, total)
        return
    js[m : m + 8], w[m : m + 8] = i, 0
    for q in range(0, m, 8):
        a, b, c, d = X[js[q], f0:f1], X[js[q + 1], f0:f1], X[js[q + 2], f0:f1], X[js[q + 3], f0:f1]
        e, g, h, k = X[js[q + 4], f0:f1], X[js[q + 5], f0:f1], X[js[q + 6], f0:f1], X[js[q + 7], f0:f1]
        wa, wb, wc, wd, we, wg, wh, wk = w[q], w[q + 1], w[q + 2], w[q + 3], w[q + 4], w[q + 5], w[q + 6], w[q + 7]
        for f in range(cut):
            total[f] += (
                (wa * abs(x[f] - a[f]) + wb * abs(x[f] - b[f])) + (wc * abs(x[f] - c[f]) + wd * abs(x[f] - d[f]))
            ) + ((we * abs(x[f] - e[f]) + wg * abs(x[f] - g[f])) + (wh * abs(x[f] - h[f]) + wk * abs(x[f] - k[f])))
        if X.itemsize == 4:
            _add_row_nominal(X, i, js[q : q + 8], w[q : q + 8], (f0 + cut, f1), total[cut:])
            continue
        for f in range(cut, len(total)):
            total[f] += ((wa * (x[f] != a[f]) + wb * (x[f] != b[f])) + (wc * (x[f] != c[f]) + wd * (x[f] != d[f]))) + (
                (we * (x[f] != e[f]) + wg * (x[f] != g[f])) + (wh * (x[f] != h[f]) + wk * (x[f] != k[f]))
            )


@kernel
def _add_row_nominal(X, i, js, w, span, total):
    """The same for eight neighbours and nominal features, of weights in single precision whose sums are in double."""
    (f0, f1), none, x = span, 0.0, X[i, span[0] : span[1]]
    a, b, c, d = X[js[0], f0:f1], X[js[1], f0:f1], X[js[2], f0:f1], X[js[3], f0:f1]
    e, g, h, k = X[js[4], f0:f1], X[js[5], f0:f1], X[js[6], f0:f1], X[js[7], f0:f1]
    wa, wb, wc, wd = float(w[0]), float(w[1]), float(w[2]), float(w[3])
    we, wg, wh, wk = float(w[4]), float(w[5]), float(w[6]), float(w[7])
    for f in range(len(total)):
        v = x[f]
        few = (wa if v != a[f] else none) + (wb if v != b[f] else none)
        few += (wc if v != c[f] else none) + (wd if v != d[f] else none)
        few += (we if v != e[f] else none) + (wg if v != g[f] else none)
        total[f] += few + ((wh if v != h[f] else none) + (wk if v != k[f] else none))


def sums_apart(features: Features, lists: tuple[np.ndarray, ...], own: np.ndarray, out: np.ndarray) -> None:
    """Fill out (p, R), zeros if rows are sparse: weighted sums of diffs for every row and each of its groups of
    neighbours, less that of the group own[b] unless this is negative; 0 where that group has no neighbours.

    lists: rows (b,), cols and weights (b, G, k).
    """
    how = features.n_numeric, features.diff.shape
    if features.is_sparse:
        X = cast("sparse.csr_array", features.values)
        sparse_rows_apart((X.indptr, X.indices, X.data), *how, lists, own, out)
    else:
        rows_apart(features.values, *how, gaps(features.missing, out.dtype), lists, own, out)


@kernel
def rows_apart(X, n_numeric, shape, entries, lists, own, out):
    """Sums of dense rows; entries: what corrects missing values."""
    (rows, cols, weights), p, r = lists, len(out), 0
    sums, cut = np.empty((cols.shape[1], p), X.dtype), min(n_numeric, p)
    k = cols.shape[2]
    js, w, held = np.empty(k + 8, np.int64), np.empty(k + 8, X.dtype), np.empty((ROWS_AT_ONCE, p), X.dtype)
    for b in range(len(rows)):
        sums[:], hits = 0, 0
        for g in range(cols.shape[1]):
            m = np.int64(0)
            for q in range(k):
                js[m], w[m] = cols[b, g, q], weights[b, g, q]
                m += (cols[b, g, q] >= 0) & (weights[b, g, q] != 0)
            _add_row(X, rows[b], js, w, m, (0, p), cut, shape, sums[g])
            if len(entries[1]):
                _add_corrections(entries, rows[b], js, w, m, sums[g])
            hits += m if g == own[b] else 0
        for g in range(len(sums)):
            if g != own[b]:
                _less(sums[g], sums[max(own[b], 0)], own[b] < 0, hits > 0, held[r % ROWS_AT_ONCE])
                r += 1
                if r % ROWS_AT_ONCE == 0:
                    _turn(held, out[:, r - ROWS_AT_ONCE : r])
    _turn(held[: r % ROWS_AT_ONCE], out[:, r - r % ROWS_AT_ONCE : r])


@kernel
def sparse_rows_apart(entries, n_numeric, shape, lists, own, out):
    """The same, added to zeros, for CSR rows without missing values, entries (indptr, indices, data): only features
    that a row or one of its neighbours has are looked at, eight neighbours a sweep as if all were there."""
    (indptr, indices, data), (rows, cols, weights), r = entries, lists, 0
    p, k = len(out), cols.shape[2]
    place, there, width = np.full(p, -1), np.empty(p, np.int64), (p + 7) // 8 * 8
    sums, found = np.empty((cols.shape[1], width), data.dtype), np.empty(width, data.dtype)
    x, at, v = np.zeros((9, width), data.dtype), np.arange(16), np.zeros(16, data.dtype)  # the row itself is the last
    js, w = np.empty(k + 8, np.int64), np.empty(k + 8, data.dtype)
    for b in range(len(rows)):
        i, m, hits = rows[b], _union(indptr, indices, rows[b], cols[b], place, there), 0
        if m == 0:
            r += cols.shape[1] - (own[b] >= 0)
            continue
        cut, some = np.searchsorted(there[:m], n_numeric), (m + 7) // 8 * 8
        sums[:, :some] = 0
        _unpack(indptr, indices, data, i, place, x[8, :some])
        for g in range(cols.shape[1]):
            count = 0
            for q in range(k):
                js[count], w[count] = cols[b, g, q], weights[b, g, q]
                count += (cols[b, g, q] >= 0) & (weights[b, g, q] != 0)
            js[count : count + 8], w[count : count + 8] = i, 0
            hits += count if g == own[b] else 0
            for q in range(0, count, 8):
                stored = indptr[i + 1] - indptr[i]
                for s in range(q, q + 8):
                    stored += indptr[js[s] + 1] - indptr[js[s]]
                if stored > 0:
                    for s in range(8):
                        _unpack(indptr, indices, data, js[q + s], place, x[s, :some])
                        at[s], v[s] = s, w[q + s]
                    _add_row(x, 8, at, v, 8, (0, some), cut, shape, sums[g, :some])
        for g in range(len(sums)):
            if g != own[b]:
                _less(sums[g, :m], sums[max(own[b], 0), :m], own[b] < 0, hits > 0, found[:m])
                for f in range(m):
                    out[there[f], r] = found[f]
                r += 1
        place[there[:m]] = -1


@kernel
def _union(indptr, indices, i, cols, place, there):
    """Features that CSR row i or one of the rows cols (G, k) has, ascending in `there`, and their places; returns
    how many there are."""
    k, m = cols.shape[1], 0
    for q in range(-1, cols.size):
        j = i if q < 0 else cols[q // k, q % k]
        if j >= 0:
            for t in range(indptr[j], indptr[j + 1]):
                if place[indices[t]] < 0:
                    place[indices[t]], there[m] = 0, indices[t]
                    m += 1
    there[:m] = np.sort(there[:m])
    place[there[:m]] = np.arange(m)
    return m


@kernel
def _unpack(indptr, indices, data, i, place, out):
    """A CSR row: its features in their places, zeros elsewhere."""
    out[:] = 0
    for t in range(indptr[i], indptr[i + 1]):
        out[place[indices[t]]] = data[t]


@kernel
def _less(total, hits, alone, some, out):
    """Sums of a group, less those of the hits unless it stands alone; 0 without hits."""
    for f in range(len(out)):
        out[f] = total[f] if alone else total[f] - hits[f] if some else out.dtype.type(0)


@kernel
def _turn(rows, out):
    """Whole cache lines of each feature: single numbers in as many lines would drive each other out."""
    for f in range(len(out)):
        for s in range(len(rows)):
            out[f, s] = rows[s, f]


@kernel
def _add_corrections(entries, i, js, w, m, total):
    """Weighted corrections for the missing values of both rows of m pairs, added to `total`."""
    indptr, features, slots, table = entries
    for q in range(m):
        j = js[q]
        for t in range(indptr[i], indptr[i + 1]):
            total[features[t]] += w[q] * table[slots[t], j]
        for t in range(indptr[j], indptr[j + 1]):
            total[features[t]] += w[q] * table[slots[t], i]


@kernel
def _tile_sums(X, features, nominal, shape, V, where, out):
    """The plain form: a row against LANES others, feature by feature."""
    i0, i1, j0, j1 = where
    acc, column = np.empty(LANES, X.dtype), np.empty(LANES, X.dtype)
    for l0 in range(j0, j1, LANES):
        width = min(LANES, j1 - l0)
        for f in range(features[0], features[1]):
            y, total = column[:width], acc[:width]
            for q in range(width):
                y[q] = X[l0 + q, f]
            total[:] = 0
            for i in range(i0, min(i1, l0 + LANES)):
                x, weights = X[i, f], V[i - i0, l0 - j0 : l0 - j0 + width]
                if nominal:
                    for q in range(width):
                        total[q] += weights[q] * (x != y[q])
                else:
                    for q in range(width):
                        total[q] += weights[q] * shaped(abs(x - y[q]), shape)
            out[f] += total.sum()
