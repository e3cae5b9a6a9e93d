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

    Columns of few values are compared by their bits, unless features have weights; `tile` sums the diffs of the others.

    Parameters
    ----------
    features : Features
        Dense rows.
    feature_weights : (p,) array, optional
        Weights, in the order of `Features.columns`; None: 1.

    Attributes
    ----------
    has_weights : bool
        True if features have weights: then neither bits nor codes are used, and exact distances are read from tiles.
    """

    of_features = True

    def __init__(self, features: Features, feature_weights: np.ndarray | None = None):
        self.n = features.shape[0]
        self.has_weights = feature_weights is not None
        self._missing = features.missing
        self._bits = None if self.has_weights else features.bits

        # All features, and those of them whose diffs are summed: the columns that are not compared by their bits.
        # Plain numbers have their weights in the lanes, other diffs are multiplied by them
        weighs_lanes = self.has_weights and features.diff.plain
        self._all_features = replace(features, feature_weights=feature_weights) if weighs_lanes else features
        self._summed_features = features.select(self._bits.rest) if self._bits else self._all_features
        n_summed = self._summed_features.shape[1]
        self._column_weights = np.ones(self._summed_features.n_padded_columns, features.values.dtype)
        if feature_weights is not None:
            self._column_weights[:n_summed] = feature_weights

        self._registers = _register_kernels()
        edge = tile_edge(self.n, n_summed)
        self.tile_shape = edge, edge
        self.super_block = rows_together(self.n, n_summed)

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        """Sum the diffs of numbers and of codes, then add those of bits and the corrections of missing values.

        Overrides `Distance.tile`.
        """
        features = self._summed_features
        bounds = (i0, i1, j0, j1)
        # Kernels in vector registers set the tile by its first column; all else adds to it
        if self._registers is None or not features.kinds:
            out[: i1 - i0, : j1 - j0] = 0
        # Only kinds that have columns are visited: every call costs the other threads the GIL
        for kind in features.kinds:
            if self._registers:
                lanes = features.lanes.reshape(-1)
                span = (kind.first, kind.last)
                diff_shape = features.diff.shape
                self._registers.tile_distances(
                    lanes, self._column_weights, span, kind.nominal, diff_shape, bounds, upper, out
                )
            else:
                add_tile(features, self._column_weights, kind, bounds, out[: i1 - i0, : j1 - j0])
        if self._bits:
            add_bits(self._bits, bounds, upper, out)
        if self._missing:
            self._missing.correct(out, i0, i1, j0, j1)
        return out

    @property
    def codes(self) -> Codes | None:  # type: ignore[override]  # made when asked for
        """Codes of the features, unless these have weights."""
        return None if self.has_weights else self._all_features.codes

    @cached_property
    def steps(self) -> Steps:
        """Return the steps of codes or of halves, or steps for the largest distance that can occur.

        Overrides `Distance.steps`.
        """
        features = self._all_features
        if self.codes:
            return self.codes.distances
        if self.has_weights:
            return Steps.for_bound(self.n, float(np.abs(self._column_weights).sum()))
        if self._has_whole_numbers():
            return Steps.of_halves(self.n, features.shape[1])
        error = 0.0
        relative_error = 0.0
        if not features.in_double_precision:
            relative_error = SINGLE_ERROR * (MISSING_FACTOR if self._missing else 1)
            error = MIN_SINGLE_MEAN_DIFF * features.shape[1] if self._missing else 0.0
            # Rows that are nearly equal differ by less than their values are rounded
            error += features.n_numeric * VALUE_ERROR * features.diff.largest_slope
        return Steps.for_bound(self.n, largest_distance(features), error, relative_error)

    def _has_whole_numbers(self) -> bool:
        """True if distances are whole numbers and halves: of nominal features, or of bits only."""
        features = self._all_features
        of_bits = self._bits is not None and not len(self._bits.rest)
        return features.has_plain_rows and (of_bits or features.n_numeric == 0)

    @property
    def search_shape(self) -> tuple[int, int]:
        """Larger tiles for a search by codes, whose rows are short. Overrides `Distance.search_shape`."""
        if not self.codes:
            return self.tile_shape
        edge = MANY_ROWS_EDGE if self.n > MANY_ROWS else FEW_ROWS_EDGE
        return edge, edge

    @property
    def rounds_tiles(self) -> bool:
        """False with codes, whose distances are whole numbers. Overrides `Distance.rounds_tiles`."""
        return self.codes is None

    def sums(self, bounds: TileBounds, buffer: TileBuffer, upper: bool = True) -> np.ndarray:
        """Measure codes where there are any, without a tile of floats. Overrides `Distance.sums`."""
        codes = self.codes
        if codes is None:
            return super().sums(bounds, buffer, upper)
        i0, i1, j0, j1 = bounds
        panels = i0 // PANEL, -(-i1 // PANEL), j0 // PANEL, -(-j1 // PANEL)
        step_kernels().measure(codes.lanes.reshape(-1), codes.words, panels, upper, buffer.width, buffer.sums)
        return buffer.sums

    def exact(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Sum the diffs of these pairs only, where values are in double precision. Overrides `Distance.exact`."""
        features = self._all_features
        if self.has_weights or features.values.dtype != np.float64:
            return super().exact(rows, cols)
        p = features.shape[1]
        distances = np.empty(cols.shape)
        _fill_pairs(features.values[:, :p], min(features.n_numeric, p), features.diff.shape, rows, cols, distances)
        if self._missing:
            self._missing.correct_pairs(distances, rows, cols)
        round_distances(distances)
        return distances

    def forget(self) -> None:
        """Give back the memory of lanes and codes. Overrides `Distance.forget`."""
        self._summed_features.forget_lanes()
        self._all_features.forget_lanes()


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
def _fill_pairs(X, n_numeric, diff_shape, rows, cols, out):
    """Set out[b, q] to the sum over features of diff(rows[b], cols[b, q]), infinite where cols[b, q] is negative.

    X : (n, p), of which the first n_numeric columns are numbers
    diff_shape : `Diff.shape`
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
                total += shaped(abs(x[f] - y[f]), diff_shape)
            for f in range(n_numeric, len(x)):
                total += 1.0 if x[f] != y[f] else 0.0
            out[b, q] = total


def add_tile(features: Features, weights: np.ndarray, kind: ColumnKind, bounds: TileBounds, out: np.ndarray) -> None:
    """Add the diffs of columns of one kind to the distances of a tile.

    The plain form of `dense_distances_simd.tile_distances` takes over where numba does not compile.

    Parameters
    ----------
    features : Features
    weights : (n_padded_columns,) array
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
            # A plain diff is not clipped to 1, since corrections of missing values expect |x - MISSING|
            if not features.diff.plain:
                diffs = features.diff(diffs)
        out[i - i0] += (diffs * weights[first:last]).sum(axis=1)
