"""Manhattan distances of dense rows.

`comparison.manhattan` makes `DenseManhattan` for dense tables. It takes vector registers (`dense_distances_simd.py`),
codes of 16 bits (`codes.py`) or bits of columns with few values (`bits.py`), by the data.
"""

from dataclasses import replace
from functools import cached_property
from types import ModuleType
from typing import cast

import numpy as np

from ...kernels.diff import shaped
from ...kernels.jit import compiles, kernel
from ...kernels.rounding import round_distances
from .bits import LANES, add_bits
from .codes import FEW_VALUES, Codes
from .distance import Distance, TileBounds, TileBuffer
from .features import ColumnKind, Features
from .missing import MIN_SINGLE_MEAN_DIFF
from .step_kernels import step_kernels
from .steps import PANEL, Steps
from .tile_order import rows_together

SINGLE_ERROR = 4e-6  # relative error of a distance in single precision that is never reached
VALUE_ERROR = 2.0**-24  # error of a plain diff of two values in [0, 1] that are rounded to single precision
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
        self._unweighted = features if feature_weights is None else None
        if self._bits:
            features = features.select(self._bits.rest)
        # Plain numbers have their weights in the lanes, other diffs are multiplied by them
        weighs_lanes = feature_weights is not None and features.diff.plain
        self.features = replace(features, feature_weights=feature_weights) if weighs_lanes else features
        self._feature_weights = np.ones(features.padded, features.values.dtype)
        self._feature_weights[: features.shape[1]] = 1 if feature_weights is None else feature_weights
        self._registers = _register_kernels()
        edge = tile_edge(*features.shape)
        self.shape = edge, edge
        self.super_block = rows_together(*features.shape)

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        f = self.features
        bounds = (i0, i1, j0, j1)
        if not f.padded:
            out[: i1 - i0, : j1 - j0] = 0
        for nominal, first, last in f.kinds:  # none in vain: every call costs the other threads the GIL
            if self._registers:
                span = (first, last)
                lanes = f.lanes.reshape(-1)
                weights = self._feature_weights
                self._registers.tile_distances(lanes, weights, span, nominal, f.diff.shape, bounds, upper, out)
            else:
                tile = out[: i1 - i0, : j1 - j0]
                put_tile(f, self._feature_weights, ColumnKind(nominal, first, last), bounds, tile)
        if self._bits:
            add_bits(self._bits, bounds, upper, out)
        if self._missing:
            self._missing.correct(out, i0, i1, j0, j1)
        return out

    @property
    def codes(self) -> Codes | None:  # type: ignore[override]  # made when asked for
        """Codes of the features, unless these are weighed."""
        return self._unweighted.codes if self._unweighted else None

    @cached_property
    def steps(self) -> Steps:
        """Those of codes, of bits, or for the largest distance that can occur."""
        if self.codes:
            return self.codes.distances
        if self._unweighted is None:
            return Steps.for_bound(self.n, float(np.abs(self._feature_weights).sum()))
        if self._has_whole_numbers(self._unweighted):
            return Steps.of_halves(self.n, self._unweighted.shape[1])
        error = 0.0
        relative_error = 0.0
        if not self._unweighted.in_double_precision:
            relative_error = SINGLE_ERROR * (MISSING_FACTOR if self._missing else 1)
            error = MIN_SINGLE_MEAN_DIFF * self._unweighted.shape[1] if self._missing else 0.0
            # Rows that are nearly equal differ by less than their values are rounded
            error += self._unweighted.n_numeric * VALUE_ERROR * self._unweighted.diff.largest_slope
        return Steps.for_bound(self.n, largest_distance(self._unweighted), error, relative_error)

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

    def sums(self, bounds: TileBounds, buffer: TileBuffer, upper: bool = True) -> np.ndarray:
        codes = self.codes
        if codes is None:
            return super().sums(bounds, buffer, upper)
        i0, i1, j0, j1 = bounds
        panels = i0 // PANEL, -(-i1 // PANEL), j0 // PANEL, -(-j1 // PANEL)
        step_kernels().measure(codes.lanes.reshape(-1), codes.words, panels, upper, buffer.width, buffer.sums)
        return buffer.sums

    def exact(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        f = self._unweighted
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
        for features in filter(None, (self.features, self._unweighted)):
            features.forget_lanes()


def largest_distance(features: Features) -> float:
    """Return a bound of the distances of rows without weights: twice that of any row from the means, or 1 a feature."""
    p = features.shape[1]
    if not features.has_plain_rows:
        return float(p)
    n_numeric = min(features.n_numeric, p)
    values = features.values[:, :n_numeric]
    return min(2 * float(_farthest(values, np.mean(values, axis=0, dtype=np.float64))) + p - n_numeric, float(p))


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


def put_tile(features: Features, weights: np.ndarray, kind: ColumnKind, bounds: TileBounds, out: np.ndarray) -> None:
    """Set the distances of a tile by columns of one kind, or add them if the first column is not 0.

    The plain form of `dense_distances_simd.tile_distances`, which takes over where numba does not compile.

    Parameters
    ----------
    features : Features
    weights : (padded,) array
        Weights of the features.
    kind : ColumnKind
        Columns.
    bounds : (i0, i1, j0, j1)
        Rows and columns of the tile.
    out : (i1 - i0, j1 - j0) array
    """
    nominal, first, last = kind
    i0, i1, j0, j1 = bounds
    values = cast("np.ndarray", features.values)[:, first:last]
    for i in range(i0, i1):
        if nominal:
            diffs = (values[i] != values[j0:j1]).astype(values.dtype)
        else:
            diffs = np.abs(values[i] - values[j0:j1])
            if not features.diff.plain:  # which cuts nothing off the distance of MISSING to a number
                diffs = features.diff(diffs)
        distances = (diffs * weights[first:last]).sum(axis=1)
        out[i - i0] = distances if first == 0 else out[i - i0] + distances
