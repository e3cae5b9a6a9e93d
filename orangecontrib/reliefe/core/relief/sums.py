"""The consumers of pair weights: ``sum over pairs of V_ij * diff_f(i, j)``, and means over one row's neighbours.

`pairs` takes few pairs a row (k nearest), `tile` a dense tile of weights (threshold rules), `means` what is not linear in
pairs: missing values that are ignored, and later per-row quotients.
"""

from functools import cached_property
from types import ModuleType
from typing import Protocol

import numpy as np

from ..data.features import LANES, Features, aligned
from ..data.missing import MISSING
from ..jit import kernel
from .distances import InvertedIndex
from .neighbours import Neighbours

DEPTH = 128  # features of a tile pass whose lane sums stay near (32 KiB)
SWEEP = 1024  # features of a pair pass


class Sums(Protocol):
    """The three sums over pairs; all of them in the order of `Features.columns`."""

    def zeros(self) -> np.ndarray:
        """An array to add to."""

    def pairs(self, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """rows (b,), cols (b, q), weights (b, q), 0 where there is no neighbour -> (p,)."""

    def tile(self, V: np.ndarray, i0: int, i1: int, j0: int, j1: int, out: np.ndarray) -> None:
        """out += what a tile of weights gives; weights outside the upper triangle are 0."""

    def finish(self, out: np.ndarray) -> np.ndarray:
        """The sum over all tiles -> (p,)."""


class _Means:
    features: Features

    def means(self, near: Neighbours) -> np.ndarray:
        """(b, G, p): weighted mean diff to the neighbours; NaN where no pair is observed."""
        return self.target_means(near, None)[0]

    def target_means(self, near: Neighbours, t: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """t (b, G, k) target diffs -> weighted means (b, G, p) of diff, t * diff and t over the observed pairs."""
        f = self.features
        shape = len(near.rows), near.cols.shape[1], f.shape[1]
        out = np.empty(shape)
        with_t = t is not None
        both, changed = (np.empty(shape if with_t else (1, 1, 1)) for _ in range(2))
        t = np.ascontiguousarray(np.broadcast_to(t, near.cols.shape)) if with_t else np.empty((1, 1, 1))
        args = np.asarray(near.rows), near.cols.astype(np.int64), near.weights, t, with_t, out, both, changed
        self._fill(f, args)
        return out, both, changed


class DenseSums(_Means):
    def __init__(self, features: Features):
        self.features = features

    @cached_property
    def _vector(self) -> ModuleType | None:
        """The fast form of `tile`, where there is one."""
        f = self.features
        return vector_kernels() if f.diff.plain and f.values.dtype == np.float32 else None

    def zeros(self) -> np.ndarray:
        return np.zeros(self.features.padded)

    def pairs(self, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> np.ndarray:
        f, out = self.features, self.zeros()
        _pair_sums(f.values, f.padded, f.n_numeric, *f.diff.shape, rows, cols, weights, out)
        if f.missing:
            f.missing.pair_sums(rows, cols, weights, out)
        return self.finish(out)

    def tile(self, V: np.ndarray, i0: int, i1: int, j0: int, j1: int, out: np.ndarray) -> None:
        f, done = self.features, 0
        acc = aligned((DEPTH + 8) * LANES, f.values.dtype)
        if self._vector:
            done = min(f.n_numeric, f.padded) // self._vector.FEATURES * self._vector.FEATURES
            room = acc[: self._vector.FEATURES * self._vector.HALF]
            self._vector.tile_sums(f.lanes.reshape(-1), f.padded, done, V.reshape(-1), V.shape[1], i0, i1, j0, j1, room, out)
        if done < f.padded:
            _tile_sums(f.values, f.lanes, done, f.n_numeric, *f.diff.shape, V, i0, i1, j0, j1, acc, out)
        if f.missing:
            f.missing.tile_sums(V, i0, i1, j0, j1, out)

    def finish(self, out: np.ndarray) -> np.ndarray:
        return out[: self.features.shape[1]]

    @staticmethod
    def _fill(f: Features, args: tuple) -> None:
        _means(f.values, f.n_numeric, MISSING, *f.diff.shape, *args)


class SparseSums(_Means):
    """Shared non-zeros only; what each row adds alone follows from the totals of its weights (see `finish`)."""

    def __init__(self, features: Features):
        self.features, self.index = features, InvertedIndex(features)

    def zeros(self) -> np.ndarray:
        return np.zeros(sum(self.features.shape))  # features, then totals of rows

    def pairs(self, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> np.ndarray:
        f, out = self.features, np.zeros(self.features.shape[1])
        _sparse_pair_sums(*self.index.rows[:-1], f.n_numeric, *f.diff.shape, rows, cols, weights, out)
        if f.missing:
            f.missing.pair_sums(rows, cols, weights, out)
        return out

    def tile(self, V: np.ndarray, i0: int, i1: int, j0: int, j1: int, out: np.ndarray) -> None:
        f, p = self.features, self.features.shape[1]
        _sparse_tile_sums(*self.index.rows, *self.index.columns, f.n_numeric, *f.diff.shape, V, i0, i1, j0, out)
        out[p + i0 : p + i1] += V[: i1 - i0, : j1 - j0].sum(axis=1)
        out[p + j0 : p + j1] += V[: i1 - i0, : j1 - j0].sum(axis=0)
        if f.missing:
            f.missing.tile_sums(V, i0, i1, j0, j1, out)

    def finish(self, out: np.ndarray) -> np.ndarray:
        indptr, indices, _, alone, _ = self.index.rows
        p = self.features.shape[1]
        totals = np.repeat(out[p:], np.diff(indptr))
        return out[:p] + np.bincount(indices, weights=totals * alone, minlength=p)

    @staticmethod
    def _fill(f: Features, args: tuple) -> None:
        X = f.values
        _sparse_means(X.indptr, X.indices, X.data, f.n_numeric, MISSING, *f.diff.shape, *args)


def vector_kernels() -> ModuleType | None:
    """Kernels in LLVM's terms; None where numba does not compile."""
    from numba import config

    if config.DISABLE_JIT:
        return None
    from . import vector

    return vector


def sums(features: Features) -> DenseSums | SparseSums:
    """The form that fits the data."""
    return SparseSums(features) if features.is_sparse else DenseSums(features)


@kernel
def _pair_sums(X, p, n_numeric, low, slope, squared, rows, cols, weights, out):
    k = cols.shape[1]
    js, w = np.empty(k + 8, np.int64), np.empty(k + 8, X.dtype)
    for f0 in range(0, p, SWEEP):
        f1 = min(f0 + SWEEP, p)
        cut = min(max(n_numeric, f0), f1) - f0
        for b in range(len(rows)):
            m = 0
            for q in range(k):
                js[m], w[m] = cols[b, q], weights[b, q]
                m += weights[b, q] != 0
            if slope == 0:
                _add_row(X, rows[b], js, w, m, f0, f1, cut, out[f0:f1])
            else:
                _add_row_shaped(X, rows[b], js, w, m, f0, f1, cut, low, slope, squared, out[f0:f1])


@kernel
def _add_row(X, i, js, w, m, f0, f1, cut, total):
    """total (f1 - f0,) += sum_q w_q diff(i, js_q), eight neighbours a sweep; js and w have room for 8 more than m."""
    js[m : m + 8], w[m : m + 8] = i, 0
    x = X[i, f0:f1]
    for q in range(0, m, 8):
        a, b, c, d = X[js[q], f0:f1], X[js[q + 1], f0:f1], X[js[q + 2], f0:f1], X[js[q + 3], f0:f1]
        e, g, h, k = X[js[q + 4], f0:f1], X[js[q + 5], f0:f1], X[js[q + 6], f0:f1], X[js[q + 7], f0:f1]
        wa, wb, wc, wd, we, wg, wh, wk = w[q], w[q + 1], w[q + 2], w[q + 3], w[q + 4], w[q + 5], w[q + 6], w[q + 7]
        for f in range(cut):
            total[f] += (
                (wa * abs(x[f] - a[f]) + wb * abs(x[f] - b[f])) + (wc * abs(x[f] - c[f]) + wd * abs(x[f] - d[f]))
            ) + ((we * abs(x[f] - e[f]) + wg * abs(x[f] - g[f])) + (wh * abs(x[f] - h[f]) + wk * abs(x[f] - k[f])))
        for f in range(cut, len(total)):
            total[f] += (
                (wa * (x[f] != a[f]) + wb * (x[f] != b[f])) + (wc * (x[f] != c[f]) + wd * (x[f] != d[f]))
            ) + ((we * (x[f] != e[f]) + wg * (x[f] != g[f])) + (wh * (x[f] != h[f]) + wk * (x[f] != k[f])))


@kernel
def _add_row_shaped(X, i, js, w, m, f0, f1, cut, low, slope, squared, total):
    x = X[i, f0:f1]
    for q in range(m):
        y, weight = X[js[q], f0:f1], w[q]
        for f in range(cut):
            diff = min(max((abs(x[f] - y[f]) - low) * slope, 0.0), 1.0)
            total[f] += weight * (diff * diff if squared else diff)
        for f in range(cut, len(total)):
            total[f] += weight * (x[f] != y[f])


@kernel
def _tile_sums(X, lanes, first, n_numeric, low, slope, squared, V, i0, i1, j0, j1, acc, out):
    """Features from `first` on, eight rows a sweep; acc ((DEPTH + 8) * LANES,) holds the lane sums of DEPTH features and the eight rows of V."""
    width, last, W, acc = lanes.shape[1] // LANES, i1 - 1, acc[DEPTH * LANES :], acc[: DEPTH * LANES]
    for l0 in range(j0, j1, LANES):
        for f0 in range(first, width, DEPTH):
            f1 = min(f0 + DEPTH, width)
            B = lanes[l0 // LANES, f0 * LANES : f1 * LANES]
            acc[:] = 0
            for i in range(i0, min(i1, l0 + LANES), 8):
                for r in range(8):
                    for q in range(LANES):
                        W[r * LANES + q] = V[i - i0 + r, l0 - j0 + q]
                a, b, c, d = X[i, f0:f1], X[min(i + 1, last), f0:f1], X[min(i + 2, last), f0:f1], X[min(i + 3, last), f0:f1]
                e, g, h, k = X[min(i + 4, last), f0:f1], X[min(i + 5, last), f0:f1], X[min(i + 6, last), f0:f1], X[min(i + 7, last), f0:f1]
                for f in range(f1 - f0):
                    xa, xb, xc, xd, xe, xg, xh, xk = a[f], b[f], c[f], d[f], e[f], g[f], h[f], k[f]
                    y, total = B[f * LANES : (f + 1) * LANES], acc[f * LANES : (f + 1) * LANES]
                    if f0 + f >= n_numeric:
                        for q in range(LANES):
                            total[q] += (
                                (W[q] * (xa != y[q]) + W[LANES + q] * (xb != y[q]))
                                + (W[2 * LANES + q] * (xc != y[q]) + W[3 * LANES + q] * (xd != y[q]))
                            ) + (
                                (W[4 * LANES + q] * (xe != y[q]) + W[5 * LANES + q] * (xg != y[q]))
                                + (W[6 * LANES + q] * (xh != y[q]) + W[7 * LANES + q] * (xk != y[q]))
                            )
                    elif slope == 0:
                        for q in range(LANES):
                            total[q] += (
                                (W[q] * abs(xa - y[q]) + W[LANES + q] * abs(xb - y[q]))
                                + (W[2 * LANES + q] * abs(xc - y[q]) + W[3 * LANES + q] * abs(xd - y[q]))
                            ) + (
                                (W[4 * LANES + q] * abs(xe - y[q]) + W[5 * LANES + q] * abs(xg - y[q]))
                                + (W[6 * LANES + q] * abs(xh - y[q]) + W[7 * LANES + q] * abs(xk - y[q]))
                            )
                    else:
                        for r in range(min(8, i1 - i)):
                            x = X[i + r, f0 + f]
                            for q in range(LANES):
                                diff = min(max((abs(x - y[q]) - low) * slope, 0.0), 1.0)
                                total[q] += W[r * LANES + q] * (diff * diff if squared else diff)
            for f in range(f1 - f0):
                out[f0 + f] += acc[f * LANES : (f + 1) * LANES].sum()


@kernel
def _diff(x, y, numeric, low, slope, squared):
    if not numeric:
        return 1.0 if x != y else 0.0
    q = float(abs(x - y))
    if slope == 0:
        return q
    q = min(max((q - low) * slope, 0.0), 1.0)
    return q * q if squared else q


@kernel
def _means(X, n_numeric, missing, low, slope, squared, rows, cols, weights, t, with_t, out, both, changed):
    for b in range(len(rows)):
        for g in range(cols.shape[1]):
            seen = _start_means(b, g, with_t, out, both, changed)
            for q in range(cols.shape[2]):
                if cols[b, g, q] >= 0:
                    y, target = X[cols[b, g, q]], t[b, g, q] if with_t else 0.0
                    _add_observed(
                        X[rows[b]], y, n_numeric, missing, low, slope, squared, weights[b, g, q], target, with_t, seen, b, g, out, both, changed
                    )
            _finish_means(b, g, with_t, seen, out, both, changed)


@kernel
def _start_means(b, g, with_t, out, both, changed):
    out[b, g] = 0
    if with_t:
        both[b, g] = 0
        changed[b, g] = 0
    return np.zeros(out.shape[2])


@kernel
def _add_observed(x, y, n_numeric, missing, low, slope, squared, w, t, with_t, seen, b, g, out, both, changed):
    total, size = out[b, g], abs(w)
    for f in range(len(total)):
        if (x[f] != missing) & (y[f] != missing):
            diff = _diff(x[f], y[f], f < n_numeric, low, slope, squared)
            total[f] += w * diff
            seen[f] += size
            if with_t:
                both[b, g, f] += w * t * diff
                changed[b, g, f] += w * t


@kernel
def _finish_means(b, g, with_t, seen, out, both, changed):
    for f in range(len(seen)):
        out[b, g, f] = out[b, g, f] / seen[f] if seen[f] > 0 else np.nan
        if with_t:
            both[b, g, f] = both[b, g, f] / seen[f] if seen[f] > 0 else np.nan
            changed[b, g, f] = changed[b, g, f] / seen[f] if seen[f] > 0 else np.nan


@kernel
def _sparse_means(indptr, indices, data, n_numeric, missing, low, slope, squared, rows, cols, weights, t, with_t, out, both, changed):
    """Two rows at a time are unpacked."""
    x, y = np.zeros(out.shape[2]), np.zeros(out.shape[2])
    for b in range(len(rows)):
        own = slice(indptr[rows[b]], indptr[rows[b] + 1])
        x[indices[own]] = data[own]
        for g in range(cols.shape[1]):
            seen = _start_means(b, g, with_t, out, both, changed)
            for q in range(cols.shape[2]):
                j = cols[b, g, q]
                if j >= 0:
                    other = slice(indptr[j], indptr[j + 1])
                    y[indices[other]] = data[other]
                    target = t[b, g, q] if with_t else 0.0
                    _add_observed(
                        x, y, n_numeric, missing, low, slope, squared, weights[b, g, q], target, with_t, seen, b, g, out, both, changed
                    )
                    y[indices[other]] = 0
            _finish_means(b, g, with_t, seen, out, both, changed)
        x[indices[own]] = 0


@kernel
def _sparse_pair_sums(indptr, indices, data, alone, n_numeric, low, slope, squared, rows, cols, weights, out):
    x, single = np.zeros(len(out)), np.zeros(len(out))
    for b in range(len(rows)):
        i, total = rows[b], 0.0
        for t in range(indptr[i], indptr[i + 1]):
            x[indices[t]], single[indices[t]] = data[t], alone[t]
        for q in range(cols.shape[1]):
            j, w = cols[b, q], weights[b, q]
            if w != 0:
                total += w
                for t in range(indptr[j], indptr[j + 1]):
                    f = indices[t]
                    out[f] += w * (_diff(x[f], float(data[t]), f < n_numeric, low, slope, squared) - single[f])
        for t in range(indptr[i], indptr[i + 1]):
            f = indices[t]
            out[f] += total * alone[t]
            x[f], single[f] = 0, 0


@kernel
def _sparse_tile_sums(indptr, indices, data, alone, place, cptr, cindices, cdata, calone, n_numeric, low, slope, squared, V, i0, i1, j0, out):
    for i in range(i0, i1):
        for t in range(indptr[i], indptr[i + 1]):
            f, x, own, total = indices[t], data[t], alone[t], 0.0
            for s in range(place[t] + 1, cptr[f + 1]):
                diff = _diff(x, cdata[s], f < n_numeric, low, slope, squared)
                total += V[i - i0, cindices[s] - j0] * (diff - own - calone[s])
            out[f] += total
