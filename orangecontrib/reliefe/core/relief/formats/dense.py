"""Manhattan distances of dense rows, eight features a sweep over 64 rows side by side.

`comparison.manhattan` makes `DenseManhattan` for dense tables. It takes vector registers (`dense_distances_simd.py`),
codes of 16 bits (`codes.py`), bits of columns with few values (`bits.py`) or the plain kernels below, by the data.
"""

from dataclasses import replace
from functools import cached_property
from types import ModuleType

import numpy as np

from ...kernels.diff import shaped
from ...kernels.jit import compiles, kernel
from .bits import LANES, add_bits
from .codes import FEW_VALUES, Codes
from .distance import Distance, TileBuffer, Where
from .features import Features
from .missing import MIN_SINGLE_MEAN_DIFF
from .rounding import round_distances
from .step_kernels import step_kernels
from .steps import PANEL, Steps
from .tile_order import rows_together

FEATURES_AT_ONCE = 128  # summed in the precision of the data before the sum is added to the tile
SINGLE_ERROR = 4e-6  # relative error of a distance in single precision that is never reached
MISSING_FACTOR = 10  # times as much with missing values, whose share is first added and then taken away
ONE_TILE_ROWS = 512  # rows of a table up to which it may be one tile
# Rows on each side of a tile of codes in a search: of at most MANY_ROWS rows and of more, by measurements
FEW_ROWS_EDGE = 256
MANY_ROWS_EDGE = 512
MANY_ROWS = 4096


def _register_kernels() -> ModuleType | None:
    """Return the kernels in vector registers, or None where numba does not compile."""
    if not compiles():
        return None
    from . import dense_distances_simd

    return dense_distances_simd


def tile_edge(n: int, p: int) -> int:
    """Rows on each side of a tile: small tables have one tile, since calling kernels would take most of the time."""
    if n <= ONE_TILE_ROWS and n * n * p <= FEW_VALUES:
        return -(-n // LANES) * LANES
    return LANES * min(max(n // 250, 1), 4)


class DenseManhattan(Distance):
    """Sums of the diffs of dense rows over the features.

    Columns of few values are compared by their bits, unless features have weights.

    Parameters
    ----------
    features : Features
        Dense rows.
    feature_weights : (p,) array, optional
        Weights, in the order of `Features.columns`; None: 1.
    """

    of_features = True

    def __init__(self, features: Features, feature_weights: np.ndarray | None = None):
        self.n = features.shape[0]
        self._missing = features.missing
        self._bits = features.bits if feature_weights is None else None
        self._whole = features if feature_weights is None else None
        if self._bits:
            features = features.select(self._bits.rest)
        # Weights of numbers may be multiplied with the values before
        weighs_values = feature_weights is None or features.n_numeric == features.shape[1]
        self._simd = _register_kernels() if features.vectors and weighs_values else None
        self.features = features
        if self._simd and feature_weights is not None:
            self.features = replace(features, feature_weights=feature_weights)
        self._feature_weights = np.ones(features.padded, features.values.dtype)
        self._feature_weights[: features.shape[1]] = 1 if feature_weights is None else feature_weights
        edge = tile_edge(*features.shape)
        self.shape = edge, edge
        self.super_block = rows_together(*features.shape)

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        f = self.features
        where = (i0, i1, j0, j1)
        if not f.padded:
            out[: i1 - i0, : j1 - j0] = 0
        elif self._simd:
            lanes = f.lanes.reshape(-1)
            for nominal, first, last in f.kinds:  # none in vain: every call costs the other threads the GIL
                self._simd.tile_distances(lanes, f.padded, (first, last), nominal, where, upper, out)
        else:
            _fill_tile(f.values, self._feature_weights, f.n_numeric, f.diff.shape, where, upper, out)
        if self._bits:
            add_bits(self._bits, where, upper, out)
        if self._missing:
            self._missing.correct(out, i0, i1, j0, j1)
        return out

    @property
    def codes(self) -> Codes | None:  # type: ignore[override]  # made when asked for
        """Codes of the features, unless these are weighed."""
        return self._whole.codes if self._whole else None

    @cached_property
    def steps(self) -> Steps:
        """Those of codes, of bits, or for the largest distance that can occur."""
        if self.codes:
            return self.codes.distances
        if self._whole is None:
            return Steps.for_bound(self.n, float(np.abs(self._feature_weights).sum()))
        if self._has_whole_numbers(self._whole):
            return Steps.of_halves(self.n, self._whole.shape[1])
        error = 0.0
        relative_error = 0.0
        if not self._whole.in_double_precision:
            relative_error = SINGLE_ERROR * (MISSING_FACTOR if self._missing else 1)
            error = MIN_SINGLE_MEAN_DIFF * self._whole.shape[1] if self._missing else 0.0
        return Steps.for_bound(self.n, largest_distance(self._whole), error, relative_error)

    def _has_whole_numbers(self, features: Features) -> bool:
        """True if distances are whole numbers and halves: of nominal features, or of bits only."""
        of_bits = self._bits is not None and not len(self._bits.rest)
        return features.has_plain_rows and (of_bits or features.n_numeric == 0)

    @property
    def search_shape(self) -> tuple[int, int]:
        if not self.codes:
            return self.shape
        edge = MANY_ROWS_EDGE if self.n > MANY_ROWS else FEW_ROWS_EDGE
        return edge, edge

    @property
    def rounds_tiles(self) -> bool:
        return self.codes is None

    def sums(self, where: Where, buffer: TileBuffer, upper: bool = True) -> np.ndarray:
        codes = self.codes
        if codes is None:
            return super().sums(where, buffer, upper)
        i0, i1, j0, j1 = where
        panels = i0 // PANEL, -(-i1 // PANEL), j0 // PANEL, -(-j1 // PANEL)
        step_kernels().measure(codes.lanes.reshape(-1), codes.words, panels, upper, buffer.width, buffer.sums)
        return buffer.sums

    def exact(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        f = self._whole
        if f is None or f.values.dtype != np.float64:
            return super().exact(rows, cols)
        p = f.shape[1]
        distances = np.empty(cols.shape)
        _fill_pairs(f.values[:, :p], min(f.n_numeric, p), f.diff.shape, rows, cols, distances)
        if self._missing:
            self._missing.correct_pairs(distances, rows, cols)
        round_distances(distances)
        return distances

    def forget(self) -> None:
        for features in filter(None, (self.features, self._whole)):
            features.forget_lanes()


def largest_distance(features: Features) -> float:
    """Return a bound of the distances of rows without weights: twice that of any row from the means, or 1 a feature."""
    p = features.shape[1]
    if not features.has_plain_rows:
        return float(p)
    cut = min(features.n_numeric, p)
    values = features.values[:, :cut]
    return min(2 * float(_farthest(values, np.mean(values, axis=0, dtype=np.float64))) + p - cut, float(p))


@kernel
def _farthest(X, centre):
    """Largest sum over features of |x_f - centre_f|."""
    largest = 0.0
    for i in range(len(X)):
        x = X[i]
        total = 0.0
        for f in range(len(x)):
            total += abs(x[f] - centre[f])
        largest = max(largest, total)
    return largest


@kernel
def _fill_pairs(X, n_numeric, shape, rows, cols, out):
    """Set out[b, q] to the sum over features of diff(rows[b], cols[b, q]), infinite where cols[b, q] is negative.

    X : (n, p), of which the first n_numeric columns are numbers
    shape : `Diff.shape`
    rows, cols : (b,) and (b, k)
    """
    for b in range(len(rows)):
        x = X[rows[b]]
        for q in range(cols.shape[1]):
            if cols[b, q] < 0:
                out[b, q] = np.inf
                continue
            y = X[cols[b, q]]
            total = 0.0
            for f in range(n_numeric):
                total += shaped(abs(x[f] - y[f]), shape)
            for f in range(n_numeric, len(x)):
                total += 1.0 if x[f] != y[f] else 0.0
            out[b, q] = total


@kernel
def _fill_tile(X, weights, n_numeric, shape, where, upper, out):
    """Set out[i - i0, j - j0] to the sum over features f of weights[f] * diff_f(i, j).

    A row i against LANES rows j at a time, FEATURES_AT_ONCE features at a time: their sum is in the precision of X.

    X : (n, padded), of which the first n_numeric columns are numbers
    weights : (padded,)
    shape : `Diff.shape`
    where : i0, i1, j0, j1
    upper : True if only the pairs i < j need be right
    """
    i0, i1, j0, j1 = where
    p = len(weights)
    sums = np.empty(LANES, X.dtype)
    lanes = np.zeros(FEATURES_AT_ONCE * LANES, X.dtype)
    for f0 in range(0, p, FEATURES_AT_ONCE):
        f1 = min(f0 + FEATURES_AT_ONCE, p)
        cut = min(max(n_numeric, f0), f1) - f0
        v = weights[f0:f1]
        for l0 in range(j0, j1, LANES):
            width = min(LANES, j1 - l0)
            _put_side_by_side(X[l0 : l0 + width], f0, f1, lanes)
            B = lanes[: (f1 - f0) * LANES]
            for i in range(i0, i1):
                if upper and i + 1 >= l0 + width:
                    break
                x = X[i, f0:f1]
                sums[:] = 0
                _add_numeric(x[:cut], v, B, shape, sums)
                _add_nominal(x[cut:], v[cut:], B[cut * LANES :], sums)
                row = out[i - i0, l0 - j0 : l0 - j0 + width]
                if f0 == 0:
                    for q in range(width):
                        row[q] = sums[q]
                else:
                    for q in range(width):
                        row[q] += sums[q]


@kernel
def _put_side_by_side(rows, f0, f1, out):
    """Set out[(f - f0) * LANES + q] to rows[q, f], for up to LANES rows and a multiple of eight features [f0, f1).

    It is done in blocks whose sizes the compiler knows.
    """
    whole = len(rows) // 8 * 8
    for f in range(f0, f1, 8):
        for q in range(0, whole, 8):
            for k in range(8):
                for lane in range(8):
                    out[(f - f0 + k) * LANES + q + lane] = rows[q + lane, f + k]
        for q in range(whole, len(rows)):
            for k in range(8):
                out[(f - f0 + k) * LANES + q] = rows[q, f + k]


@kernel
def _add_numeric(x, v, B, shape, total):
    """Add to total[q] the sum over numeric features f of v[f] * diff(x[f], B[f * LANES + q]).

    Plain diffs are added for eight features a sweep, so that `total` is loaded and stored once for eight. B is flat:
    with strides that are constants LLVM needs one pointer, with two-dimensional indices it needs eight.

    x, v : (c,), a row and the weights of the features
    B : (c * LANES,), LANES rows side by side
    total : (LANES,)
    """
    eights = len(x) // 8 * 8 if shape is None else 0
    for f in range(0, eights, 8):
        x0 = x[f]
        x1 = x[f + 1]
        x2 = x[f + 2]
        x3 = x[f + 3]
        x4 = x[f + 4]
        x5 = x[f + 5]
        x6 = x[f + 6]
        x7 = x[f + 7]
        v0 = v[f]
        v1 = v[f + 1]
        v2 = v[f + 2]
        v3 = v[f + 3]
        v4 = v[f + 4]
        v5 = v[f + 5]
        v6 = v[f + 6]
        v7 = v[f + 7]
        b = B[f * LANES : (f + 8) * LANES]
        for q in range(LANES):
            total[q] += (
                (v0 * abs(x0 - b[q]) + v1 * abs(x1 - b[LANES + q]))
                + (v2 * abs(x2 - b[2 * LANES + q]) + v3 * abs(x3 - b[3 * LANES + q]))
            ) + (
                (v4 * abs(x4 - b[4 * LANES + q]) + v5 * abs(x5 - b[5 * LANES + q]))
                + (v6 * abs(x6 - b[6 * LANES + q]) + v7 * abs(x7 - b[7 * LANES + q]))
            )
    for f in range(eights, len(x)):
        for q in range(LANES):
            total[q] += v[f] * shaped(abs(x[f] - B[f * LANES + q]), shape)


@kernel
def _add_nominal(x, v, B, total):
    """Add to total[q] the sum of v[f] over the nominal features f with x[f] != B[f * LANES + q].

    Arguments as of `_add_numeric`.
    """
    zero = x.dtype.type(0)
    eights = len(x) // 8 * 8
    for f in range(0, eights, 8):
        x0 = x[f]
        x1 = x[f + 1]
        x2 = x[f + 2]
        x3 = x[f + 3]
        x4 = x[f + 4]
        x5 = x[f + 5]
        x6 = x[f + 6]
        x7 = x[f + 7]
        v0 = v[f]
        v1 = v[f + 1]
        v2 = v[f + 2]
        v3 = v[f + 3]
        v4 = v[f + 4]
        v5 = v[f + 5]
        v6 = v[f + 6]
        v7 = v[f + 7]
        b = B[f * LANES : (f + 8) * LANES]
        for q in range(LANES):
            total[q] += (
                ((v0 if x0 != b[q] else zero) + (v1 if x1 != b[LANES + q] else zero))
                + ((v2 if x2 != b[2 * LANES + q] else zero) + (v3 if x3 != b[3 * LANES + q] else zero))
            ) + (
                ((v4 if x4 != b[4 * LANES + q] else zero) + (v5 if x5 != b[5 * LANES + q] else zero))
                + ((v6 if x6 != b[6 * LANES + q] else zero) + (v7 if x7 != b[7 * LANES + q] else zero))
            )
    for f in range(eights, len(x)):
        for q in range(LANES):
            total[q] += v[f] if x[f] != B[f * LANES + q] else zero
