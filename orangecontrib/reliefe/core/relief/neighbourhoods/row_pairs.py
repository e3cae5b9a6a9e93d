"""Visit of the pairs of rows: by tiles, each pair once, or by strips of whole rows.

Neighbourhoods see a run as `RowPairs`.  They visit

- tiles of distances in floats (`tiles`, `tile_stacks`) or in steps (`tiles_of_steps`), each pair i < j once;
- strips of whole rows (`strips`, `exact_strips`), where each pair is measured twice;
- few pairs in double precision (`exact`, `exact_rows`).

A tile (i0, i1, j0, j1) has the rows i0 to i1 - 1 against the columns j0 to j1 - 1.  Rows that are no neighbours of each
other, a row and itself or rows of one subject, are at a distance of NaN in tiles, APART in steps, and infinity in exact
rows.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias, TypeVar, cast

import numpy as np

from ...kernels.jit import kernel
from ...kernels.rounding import round_distances
from ...work.threads import PARTS, Work
from ..formats.aligned_arrays import aligned
from ..formats.distance import Distance, TileBounds, TileBuffer
from ..formats.double_precision import DoublePrecision
from ..formats.features import Features
from ..formats.lists import Neighbours, chosen
from ..formats.row_distance_sums import sum_over_pairs
from ..formats.steps import APART, put_apart
from ..formats.stored import STORED_BYTES, Stored, StoredSteps, StoredTiles
from ..formats.sums import WeightTile
from ..formats.tile_order import of_part, parts_with_tiles

STRIP = 32  # rows of a strip
TILES_AT_ONCE = 8  # remembered tiles that are passed on together
FEATURES_MEASURED_AGAIN = 64  # up to which tiles of codes are measured again rather than remembered, by measurements

DistanceTile: TypeAlias = tuple[np.ndarray, TileBounds]  # buffer, (i0, i1, j0, j1)


AnyRowPairs = TypeVar("AnyRowPairs", bound="RowPairs")
Sum = TypeVar("Sum")
MAX_STORED = 4  # times the memory for tiles that are remembered, that several workers take together
MAX_SETTLED_PAIRS = 2**25  # above which thresholds that are in doubt are not computed again in double precision


@dataclass(frozen=True)
class RowPairs:
    """Rows in run order (target rows first, then by group), and the distances of their pairs.

    Attributes
    ----------
    features : Features
        Features of the n rows.
    groups : (n,) array
        Classes that neighbours are searched in, from 0.
    ids : (n,) array
        Original rows, which break ties.
    m : int
        Number of target rows, the first ones.
    distance : Distance
        Makes tiles of distances.
    work : Work
        Threads, progress, and the wish to stop.
    double : DoublePrecision, optional
        Computes distances again; None: they are in double precision already.
    subjects : (n,) array, optional
        Codes of persons measured several times, or of other groups, whose rows are no neighbours; None: all are.
    row_weights : (n,) array, optional
        Number of rows that each of them counts for, above 0; None: one.
    """

    features: Features
    groups: np.ndarray
    ids: np.ndarray
    m: int
    distance: Distance
    work: Work
    double: DoublePrecision | None
    subjects: np.ndarray | None
    row_weights: np.ndarray | None

    @cached_property
    def n(self) -> int:
        """Number of rows."""
        return self.features.shape[0]

    @cached_property
    def p(self) -> int:
        """Number of features."""
        return self.features.shape[1]

    @cached_property
    def n_candidates(self) -> int | np.ndarray:
        """Number of rows that may be neighbours; of each row (n,) where there are subjects, or weights to sum."""
        if self.row_weights is not None:
            excluded = self.row_weights
            if self.subjects is not None:
                excluded = np.bincount(self.subjects, self.row_weights)[self.subjects]
            return np.asarray(self.row_weights.sum() - excluded)
        if self.subjects is None:
            return self.n - 1
        return np.asarray(self.n - np.bincount(self.subjects)[self.subjects])

    def mean_of_targets(self, values: np.ndarray) -> float:
        """Mean of numbers (n,) over the target rows, by their weights."""
        weights = None if self.row_weights is None else self.row_weights[: self.m]
        return float(np.average(values[: self.m], weights=weights))

    def chosen(self, rows: np.ndarray, counts: np.ndarray, distances: np.ndarray) -> Neighbours:
        """Lists of the columns that count, whose weights sum to that of the row, w_i, in each group.

        Parameters
        ----------
        rows : (b,) int array
            Rows whose neighbours these are.
        counts : (b, G, n) array
            How much each column counts, its weight included.
        distances : (b, n) array
        """
        neighbours = chosen(rows, counts, distances)
        if self.row_weights is None:
            return neighbours
        return replace(neighbours, weights=neighbours.shares * self.row_weights[rows][:, None, None])

    @property
    def has_few_pairs(self) -> bool:
        """True if there are so few pairs that thresholds in doubt are computed again in double precision."""
        return self.n * self.m <= MAX_SETTLED_PAIRS

    @property
    def n_pairs(self) -> float:
        """Number of pairs that one pass over the tiles visits, about."""
        return self.m * (self.n - self.m / 2)

    @cached_property
    def n_groups(self) -> int:
        """Number of groups that neighbours are searched in."""
        return int(self.groups.max()) + 1

    @cached_property
    def ends(self) -> np.ndarray:
        """Ends (n,) of the stretches of rows of one group, for each of their rows."""
        cuts = np.append(np.flatnonzero(np.diff(self.groups)) + 1, self.n)
        return cuts[np.searchsorted(cuts, np.arange(self.n), side="right")]

    @property
    def has_sorted_columns(self) -> bool:
        """True if sums of distances follow from sorted columns: of complete dense rows, all of them target rows."""
        takes_all_pairs = self.subjects is None and self.row_weights is None and self.m == self.n
        return takes_all_pairs and self.distance.of_features and self.features.has_plain_rows

    @cached_property
    def mean_distance(self) -> float | None:
        """Mean distance of all pairs in double precision, from sorted columns; None: where these do not tell it, or
        distances are whole numbers, which tell it as well."""
        if not self.has_sorted_columns or self.distance.steps.without_error:
            return None
        total = self.work.total(self._sum_over_pairs)
        return 2 * total / (self.n * (self.n - 1)) if self.n > 1 else 0.0

    def _sum_over_pairs(self, part: int) -> float:
        """Sum of the distances of all pairs over every PARTS-th share of the features."""
        first = self.p * part // PARTS
        last = self.p * (part + 1) // PARTS
        f = self.features
        if self.double and self.has_few_pairs:
            columns = self.double.columns(first, last)
        else:
            columns = np.ascontiguousarray(f.values[:, first:last].T, dtype=np.float64)
        columns.sort(axis=1)
        return float(sum_over_pairs(columns, f.n_numeric - first))

    @cached_property
    def row_sums(self) -> np.ndarray:
        """Sums (n,) of the distances of each row to all others, from sorted columns."""
        return self.work.total(lambda part: self.features.row_distances(part, PARTS))

    def exact(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Distances (b, k) of rows (b,) to cols (b, k) in double precision, equal ones made equal; infinite where cols
        is negative."""
        rows = np.ascontiguousarray(rows, np.int64)  # kernels are compiled once, not for each type of indices
        cols = np.ascontiguousarray(cols, np.int64)
        if self.double:
            return self.double.distances(rows, cols)
        return self.distance.exact(rows, cols)

    def exact_rows(self, rows: np.ndarray) -> np.ndarray:
        """Distances (b, n) of rows (b,) to all rows; a row is infinitely far from itself and from those of its
        subject, which are no neighbours of it."""
        columns = np.arange(self.n)
        excluded = columns == rows[:, None]
        if self.subjects is not None:
            excluded |= self.subjects[rows][:, None] == self.subjects
        return self.exact(rows, np.where(excluded, -1, columns))

    def tile_of_steps(
        self, bounds: TileBounds, buffer: TileBuffer, upper: bool = True, apart_at: int = APART
    ) -> np.ndarray:
        """Return the sums of a tile as `Distance.sums`; apart_at: steps between rows that are no neighbours."""
        sums = self.distance.sums(bounds, buffer, upper)
        if self.subjects is not None:
            put_apart(sums, bounds, buffer.width, self.distance.steps.totals, self.subjects, apart_at)
        return sums

    def tiles_of_steps(self, part: int, apart_at: int = APART) -> Iterator[tuple[TileBounds, np.ndarray]]:
        """Visit the tiles of a part: where they are, and their sums, ``distance.tile_shape[1]`` in a row."""
        buffer = self.distance.buffer(*self.distance.tile_shape)
        for i0, i1, j0, j1 in self.bounds_of_tiles(part):
            self.work.tick()
            bounds = i0, i1, j0, j1
            yield bounds, self.tile_of_steps(bounds, buffer, True, apart_at)
            self.work.tick((i1 - i0) * (j1 - j0))

    def remembering(self: AnyRowPairs, zones: bool = False) -> AnyRowPairs:
        """Pairs whose tiles are remembered; zones: in steps, for zones, unless measuring them again is faster.

        Of workers each remembers a share of them; but where what is done to a tile counts, it was done by one of them
        only, and none is.
        """
        if isinstance(self.distance, Stored):
            return self
        budget = STORED_BYTES * min(self.work.processes, MAX_STORED)
        if zones:
            is_measured_again = self.distance.codes is not None and self.p <= FEATURES_MEASURED_AGAIN
            budget = 0 if is_measured_again else budget
            return replace(self, distance=StoredSteps(self.distance, self.n, self.m, np.int32, budget))
        dtype = np.float64 if self.double is None and self.has_few_pairs else np.float32
        double = self.double.without_data() if self.double and self.work.remote else self.double
        return replace(self, distance=StoredTiles(self.distance, self.n, self.m, dtype, budget), double=double)

    def total(self, function: Callable[[int], Sum]) -> Sum:
        """Return the sum of what a function makes of the parts, in their order; parts without any rows are left out."""
        n_parts = parts_with_tiles(self.n, self.m, self.distance.tile_shape, self.distance.super_block)
        return self.work.total(function, min(max(n_parts, -(-self.m // STRIP)), PARTS))

    def tiles(self, part: int) -> Iterator[DistanceTile]:
        """Visit the tiles of a part (0 <= part < PARTS) of the pairs i < j with i < m.

        The buffer always has the whole `distance.tile_shape`.  Its corner (i1 - i0, j1 - j0) is valid until the next
        tile.
        """
        return self.tiles_at(self._corners(part))

    def tile_stacks(self, part: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Visit the same tiles, several at once where they are remembered: (b, height, width), (b, 4) i0, i1, j0,
        j1."""
        corners_of_part = self._corners(part)
        stored = self.distance if isinstance(self.distance, StoredTiles) else None
        n_stored = stored.side_by_side(corners_of_part) if stored else 0
        for first in range(0, n_stored, TILES_AT_ONCE):
            corners = corners_of_part[first : min(first + TILES_AT_ONCE, n_stored)]
            bounds_of_tiles = [self._tile_bounds(*corner) for corner in corners]
            for bounds in bounds_of_tiles:
                self.work.tick()
                cast("StoredTiles", stored).fill(*bounds)
            tiles = cast("StoredTiles", stored).stack(bounds_of_tiles)
            for tile, bounds in zip(tiles, bounds_of_tiles, strict=True):
                self._exclude_subjects(tile, bounds)
            yield tiles, np.array(bounds_of_tiles)
            self.work.tick(sum((i1 - i0) * (j1 - j0) for i0, i1, j0, j1 in bounds_of_tiles))
        if n_stored < len(corners_of_part):
            for tile, bounds in self.tiles_at(corners_of_part[n_stored:]):
                yield tile[None], np.array([bounds])

    def tiles_at(self, corners: Iterable[tuple[int, int]]) -> Iterator[DistanceTile]:
        """Visit the tiles with these corners, in which the pairs i < j are sure to be filled in."""
        # what no tile fills in must be harmless
        buffer: np.ndarray = np.zeros(self.distance.tile_shape, self.distance.dtype)
        for corner in corners:
            self.work.tick()
            i0, i1, j0, j1 = bounds = self._tile_bounds(*corner)
            yield self._exclude_subjects(self.distance.tile(*bounds, buffer), bounds), bounds
            self.work.tick((i1 - i0) * (j1 - j0))

    def weighed(self, weigh: Callable[..., None], part: int) -> Iterator[WeightTile]:
        """Visit the tiles of a part with weights that weigh(distances, bounds, V) fills V with."""
        V = aligned(self.distance.tile_shape, self.features.values.dtype)
        for tiles, bounds_of_tiles in self.tile_stacks(part):
            for d, bounds in zip(tiles, bounds_of_tiles.tolist(), strict=True):
                weigh(d, (*bounds,), V)
                yield WeightTile(V, (*bounds,))

    def strips(self, part: int, n_parts: int = PARTS) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Visit every n_parts-th strip of whole rows: (distances (b, n), rows (b,)); each pair is computed twice."""
        for i0 in range(part * STRIP, self.m, n_parts * STRIP):
            i1 = min(i0 + STRIP, self.m)
            distances = np.empty((i1 - i0, self.n))
            self._exclude_subjects(self.distance.tile(i0, i1, 0, self.n, distances, upper=False), (i0, i1, 0, self.n))
            self.work.tick((i1 - i0) * self.n)
            yield distances, np.arange(i0, i1)

    def exact_strips(self, part: int, is_needed: np.ndarray | None = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Visit every PARTS-th strip of whole rows with distances in double precision, equal ones made equal:
        (distances (b, n), rows (b,)).

        A row is infinitely far from itself, and from the rows of its subject.

        is_needed (m,) bool: strips without any such row are left out.
        """
        for i0 in range(part * STRIP, self.m, PARTS * STRIP):
            i1 = min(i0 + STRIP, self.m)
            rows = np.arange(i0, i1)
            if is_needed is not None and not is_needed[i0:i1].any():
                continue
            if self.double:
                distances = self.double.whole_rows(rows)
            else:
                distances = np.empty((i1 - i0, self.n))
                self.distance.tile(i0, i1, 0, self.n, distances, upper=False)
                round_distances(distances)
                distances[rows - i0, rows] = np.inf
            if self.subjects is not None:
                distances[self.subjects[rows][:, None] == self.subjects] = np.inf
            self.work.tick(len(rows) * self.n)
            yield distances, rows

    def bounds_of_tiles(self, part: int) -> list[TileBounds]:
        """Rows and columns of the tiles of a part."""
        return [self._tile_bounds(*corner) for corner in self._corners(part)]

    def _exclude_subjects(self, tile: np.ndarray, bounds: TileBounds) -> np.ndarray:
        """The tile with NaN as the distances within subjects."""
        if self.subjects is not None:
            _exclude(tile, bounds, self.subjects)
        return tile

    def _corners(self, part: int) -> list[tuple[int, int]]:
        """Corners of the tiles of a part."""
        return of_part(self.n, self.m, self.distance.tile_shape, self.distance.super_block, part, PARTS)

    def _tile_bounds(self, i0: int, j0: int) -> TileBounds:
        """The tile with this corner."""
        height, width = self.distance.tile_shape
        return i0, min(i0 + height, self.m), j0, min(j0 + width, self.n)

    def planned(self, passes: int, row_wise: bool) -> float:
        """Number of pairs that `passes` over the tiles visit; row_wise: one pass over whole rows
        replaces the last two."""
        return (passes - 2) * self.n_pairs + self.m * self.n if row_wise else passes * self.n_pairs


@kernel
def _exclude(D, bounds, codes):
    """Set D[i - i0, j - j0] to NaN, neither near nor far, if codes[i] == codes[j]; bounds: i0, i1, j0, j1."""
    i0, i1, j0, j1 = bounds
    unknown = D.dtype.type(np.nan)
    codes_of_cols = codes[j0:j1]
    for i in range(i0, i1):
        code = codes[i]
        d = D[i - i0]
        for q in range(len(codes_of_cols)):
            d[q] = unknown if codes_of_cols[q] == code else d[q]
