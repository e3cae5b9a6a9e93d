"""The visit of pairs of rows, every pair once; means and standard deviations of their distances."""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias, TypeVar, cast

import numpy as np

from ..forms.codes import PANEL, Codes
from ..forms.distance import Distance
from ..forms.double_precision import DOUBLE_DIGITS, SINGLE_DIGITS, DoublePrecision, round_distances
from ..forms.features import Features, aligned
from ..forms.lists import Neighbours, chosen
from ..forms.stored import STORED_BYTES, Stored
from ..forms.sums import Tile as Weighed
from ..forms.tile_order import of_part, parts_with_tiles
from ..kernels.jit import kernel
from ..work.threads import PARTS, Work

STRIP = 32  # rows of a strip
TILES_AT_ONCE = 8  # remembered tiles that are passed on together
ROWS_OF_CODES = 16  # for each feature from which on zones by codes take less time than by distances
LOCKED_ROWS = 256  # rows whose lists one lock guards, at least

Tile: TypeAlias = tuple[np.ndarray, tuple[int, int, int, int]]  # buffer, (i0, i1, j0, j1)


class Locks:
    """One lock for every block of rows; a block begins with a strip of tiles of `step` rows."""

    def __init__(self, n: int, step: int):
        self.step = -(-LOCKED_ROWS // step) * step
        self._locks = [threading.Lock() for _ in range(-(-n // self.step))]

    def of(self, row: int) -> threading.Lock:
        """The lock of the block that a row is in."""
        return self._locks[row // self.step]

    def blocks(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Ranges that [start, stop) is cut into at the borders of blocks."""
        while start < stop:
            end = min((start // self.step + 1) * self.step, stop)
            yield start, end
            start = end


AnyPairs = TypeVar("AnyPairs", bound="Pairs")
Sum = TypeVar("Sum")
MOST_STORED = 4  # times the memory for tiles that are remembered: of several workers
MAX_SETTLED_PAIRS = 2**25  # above which pairs at a threshold are not looked at again


@dataclass(frozen=True)
class Pairs:
    """Rows in run order (targets first, then by group), and the distances of their pairs."""

    features: Features  # of the n rows
    groups: np.ndarray  # (n,): classes that neighbours are searched in, from 0
    ids: np.ndarray  # (n,): original rows, which break ties
    m: int  # number of targets, the first rows
    distance: Distance  # what makes tiles of distances
    work: Work  # threads, progress, and the wish to stop
    double: DoublePrecision | None  # what computes distances again; None: they are in double precision already
    apart: np.ndarray | None  # (n,): codes of groups, the rows of one of which are no neighbours; None: all are
    # (n,): how many rows each of them counts for, above 0; None: one
    weights: np.ndarray | None

    @cached_property
    def n(self) -> int:
        """Number of rows."""
        return self.features.shape[0]

    @cached_property
    def p(self) -> int:
        """Number of features."""
        return self.features.shape[1]

    @property
    def digits(self) -> int:
        """Digits of a distance that are not rounding."""
        return DOUBLE_DIGITS if self.double is None else SINGLE_DIGITS

    @cached_property
    def others(self) -> int | np.ndarray:
        """Number of rows that may be neighbours, of each row (n,) where there are groups or weights, which count."""
        if self.weights is not None:
            own = self.weights if self.apart is None else np.bincount(self.apart, self.weights)[self.apart]
            return np.asarray(self.weights.sum() - own)
        if self.apart is None:
            return self.n - 1
        return np.asarray(self.n - np.bincount(self.apart)[self.apart])

    def mean_of_targets(self, values: np.ndarray) -> float:
        """Mean of numbers (n,) over the target rows, by their weights."""
        return float(np.average(values[: self.m], weights=None if self.weights is None else self.weights[: self.m]))

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
        near = chosen(rows, counts, distances)
        if self.weights is None:
            return near
        return replace(near, weights=near.shares * self.weights[rows][:, None, None])

    @property
    def settles(self) -> bool:
        """True if pairs at a threshold are worth a second look: among many rows each of them weighs next to nothing."""
        return self.double is not None and self.few

    @property
    def few(self) -> bool:
        """True if there are so few pairs that every single one counts."""
        return self.n * self.m <= MAX_SETTLED_PAIRS

    @property
    def n_pairs(self) -> float:
        """Number of pairs that one pass over the tiles visits, about."""
        return self.m * (self.n - self.m / 2)

    @cached_property
    def n_groups(self) -> int:
        """Number of groups that neighbours are searched in."""
        return int(self.groups.max()) + 1

    @property
    def codes(self) -> Codes | None:
        """Rows as whole numbers, by which searches are faster; None: there are none, or too many groups for them."""
        return self.distance.codes if self._few_groups and not self.work.remote else None

    @property
    def zone_codes(self) -> Codes | None:
        """Rows as whole numbers, where they are the faster way to zones as well, here and by workers."""
        return self.distance.codes if self._few_groups and self.n >= ROWS_OF_CODES * self.p else None

    @cached_property
    def _few_groups(self) -> bool:
        alone = self.double is None or self.apart is not None
        return not alone and int(np.count_nonzero(np.diff(self.groups))) <= self.n // PANEL

    @cached_property
    def ends(self) -> np.ndarray:
        """Ends (n,) of the stretches of rows of one group, for each of their rows."""
        cuts = np.append(np.flatnonzero(np.diff(self.groups)) + 1, self.n)
        return cuts[np.searchsorted(cuts, np.arange(self.n), side="right")]

    @cached_property
    def mean_distance(self) -> float | None:
        """Mean distance of all pairs, or None where a pass over the tiles gives it sooner than sorted columns."""
        f, many = self.features, self.zone_codes or self.n > min(32 * self.p, 8192)
        if not self.distance.of_features or self.apart is not None or self.weights is not None or self.m != self.n:
            return None
        if f.is_sparse or f.packed or f.missing or not f.diff.plain or not many:
            return None
        return float(self.row_sums.sum()) / (self.n * (self.n - 1))

    @cached_property
    def row_sums(self) -> np.ndarray:
        """Sums (n,) of the distances of each row to all others, from sorted columns."""
        return self.work.total(lambda part: self.features.row_distances(part, PARTS))

    def remembering(self: AnyPairs, zones: bool = False) -> AnyPairs:
        """The same with tiles that are remembered, unless they are of codes; zones: for zones, which take these.

        Of workers each remembers a share of them; but where what is done to a tile counts, it was done by one of them
        only, and none is.  Unless pairs are computed again, the data in double precision need not travel to them.
        """
        if isinstance(self.distance, Stored):
            return self
        work, double, coded = self.work, self.double, zones and self.zone_codes is not None
        dtype = np.float64 if double is None and self.few else np.float32
        budget = 0 if coded or (work.remote and self.settles) else STORED_BYTES * min(work.processes, MOST_STORED)
        double = double.without_data() if double and work.remote and not (self.settles or coded) else double
        return replace(self, distance=Stored(self.distance, self.n, self.m, dtype, budget), double=double)

    def total(self, function: Callable[[int], Sum]) -> Sum:
        """Return the sum of what a function makes of the parts, in their order; parts without any rows are left out."""
        parts = parts_with_tiles(self.n, self.m, self.distance.shape, self.distance.super_block)
        return self.work.total(function, min(max(parts, -(-self.m // STRIP)), PARTS))

    def tiles(self, part: int) -> Iterator[Tile]:
        """Visit the tiles of a part (0 <= part < PARTS) of the pairs i < j with i < m.

        The buffer always has the whole `distance.shape`; its corner (i1 - i0, j1 - j0) is valid until the next tile.
        """
        return self.tiles_at(self._corners(part))

    def blocks(self, part: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Visit the same tiles, several at once where they are remembered: (b, height, width), (b, 4) i0, i1, j0,
        j1."""
        mine, distance = self._corners(part), cast("Stored", self.distance)
        kept = distance.side_by_side(mine) if isinstance(distance, Stored) else 0
        for first in range(0, kept, TILES_AT_ONCE):
            wheres = [self._where(*corner) for corner in mine[first : min(first + TILES_AT_ONCE, kept)]]
            for where in wheres:
                self.work.tick()
                distance.fill(*where)
            tiles = distance.block(wheres)
            for tile, where in zip(tiles, wheres, strict=True):
                self._part_groups(tile, where)
            yield tiles, np.array(wheres)
            self.work.tick(sum((i1 - i0) * (j1 - j0) for i0, i1, j0, j1 in wheres))
        if kept < len(mine):
            for tile, where in self.tiles_at(mine[kept:]):
                yield tile[None], np.array([where])

    def tiles_at(self, places: Iterable[tuple[int, int]], upper: bool = True) -> Iterator[Tile]:
        """Visit the tiles with these corners (shared by threads); upper: only the pairs i < j are sure to be filled
        in."""
        # what no tile fills in must be harmless
        buffer: np.ndarray = np.zeros(self.distance.shape, self.distance.dtype)
        for corner in places:
            self.work.tick()
            i0, i1, j0, j1 = where = self._where(*corner)
            yield self._part_groups(self.distance.tile(*where, buffer, upper), where), where
            self.work.tick((i1 - i0) * (j1 - j0))

    def weighed(self, weigh: Callable[..., None], part: int) -> Iterator[Weighed]:
        """Visit the tiles of a part with weights that weigh(distances, where, V) fills V with."""
        V = aligned(self.distance.shape, self.features.values.dtype)
        for tiles, wheres in self.blocks(part):
            for d, where in zip(tiles, wheres.tolist(), strict=True):
                weigh(d, (*where,), V)
                yield Weighed(V, (*where,))

    def tiles_of_codes(self, part: int) -> Iterator[tuple[tuple[int, int, int, int], np.ndarray]]:
        """Visit the tiles of a part: where they are, and flat the sums of the larger codes of their pairs."""
        from ..forms import codes_simd as simd

        codes, (height, width) = cast("Codes", self.zone_codes), self.distance.shape
        sums, lanes = aligned((height * width,), np.int32), codes.lanes.reshape(-1)
        for i0, i1, j0, j1 in self.places(part):
            self.work.tick()
            where = i0 // PANEL, -(-i1 // PANEL), j0 // PANEL, -(-j1 // PANEL)
            simd.measure(lanes, codes.words, where, True, width, sums)
            yield (i0, i1, j0, j1), sums
            self.work.tick((i1 - i0) * (j1 - j0))

    def strips(
        self, part: int, wanted: np.ndarray | None = None, n_parts: int = PARTS
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Visit every n_parts-th strip of whole rows: (distances (b, n), rows (b,)); each pair is computed twice.

        wanted (m,) bool: strips without any such row are left out.
        """
        for i0 in range(part * STRIP, self.m, n_parts * STRIP):
            i1 = min(i0 + STRIP, self.m)
            if wanted is not None and not wanted[i0:i1].any():
                continue
            out = np.empty((i1 - i0, self.n))
            self._part_groups(self.distance.tile(i0, i1, 0, self.n, out, upper=False), (i0, i1, 0, self.n))
            self.work.tick((i1 - i0) * self.n)
            yield out, np.arange(i0, i1)

    def candidates(
        self, part: int, wanted: np.ndarray | None = None, n_parts: int = PARTS
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Visit `strips` with ties made equal, and every row infinitely far from itself."""
        for distances, rows in self.strips(part, wanted, n_parts):
            round_distances(distances, self.digits)
            distances[np.arange(len(rows)), rows] = np.inf
            if self.apart is not None:
                distances[np.isnan(distances)] = np.inf
            yield distances, rows

    def exact_strips(self, part: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Visit `strips` with distances in double precision, equal ones made equal: (distances (b, n), rows (b,)).

        A row is infinitely far from itself, and from the rows of its group.
        """
        if self.double is None:
            yield from self.candidates(part)
            return
        for i0 in range(part * STRIP, self.m, PARTS * STRIP):
            rows = np.arange(i0, min(i0 + STRIP, self.m))
            distances = self.double.whole_rows(rows)
            round_distances(distances, DOUBLE_DIGITS)
            if self.apart is not None:
                distances[self.apart[rows][:, None] == self.apart] = np.inf
            self.work.tick(len(rows) * self.n)
            yield distances, rows

    def places(self, part: int) -> list[tuple[int, int, int, int]]:
        """Rows and columns of the tiles of a part."""
        return [self._where(*corner) for corner in self._corners(part)]

    def _part_groups(self, tile: np.ndarray, where: tuple[int, int, int, int]) -> np.ndarray:
        """The tile with NaN as the distances within groups."""
        if self.apart is not None:
            _part(tile, where, self.apart)
        return tile

    def _corners(self, part: int) -> list[tuple[int, int]]:
        """Corners of the tiles of a part."""
        return of_part(self.n, self.m, self.distance.shape, self.distance.super_block, part, PARTS)

    def _where(self, i0: int, j0: int) -> tuple[int, int, int, int]:
        """The tile with this corner."""
        height, width = self.distance.shape
        return i0, min(i0 + height, self.m), j0, min(j0 + width, self.n)

    def planned(self, passes: int, row_wise: bool) -> float:
        """Number of pairs that `passes` over the tiles visit; in whole rows the last two are one."""
        return (passes - 2) * self.n_pairs + self.m * self.n if row_wise else passes * self.n_pairs


@kernel
def _part(D, where, codes):
    """NaN as the distances between rows of one code, in a tile: neither near nor far."""
    i0, i1, j0, j1 = where
    unknown, columns = D.dtype.type(np.nan), codes[j0:j1]
    for i in range(i0, i1):
        own, d = codes[i], D[i - i0]
        for q in range(len(columns)):
            d[q] = unknown if columns[q] == own else d[q]


EQUAL_DISTANCES = 1e-6  # share of the mean below which a deviation is rounding: distances do not differ


def moments(pairs: Pairs, whole: bool) -> tuple[np.ndarray, np.ndarray]:
    """Mean and population standard deviation of distances.

    Returns shape mean, deviation (n,).
    """

    def part_of(part: int) -> np.ndarray:
        out = np.zeros((2, pairs.n))
        for tiles, wheres in pairs.blocks(part):
            tiles = tiles if pairs.apart is None else np.nan_to_num(tiles, posinf=np.inf)
            _moments(tiles, wheres, out)
        return out

    return deviations(pairs, pairs.total(part_of), np.arange(pairs.n), whole)


def moments_of_codes(pairs: Pairs, codes: Codes, whole: bool) -> tuple[np.ndarray, np.ndarray]:
    """The same by codes: means from sorted columns, and deviations from codes."""
    from ..forms import codes_simd as simd

    step, sample = pairs.distance.shape[1], pairs.features.values[np.linspace(0, pairs.n - 1, 9).astype(int)]
    centre = int(np.abs(np.diff(sample, axis=0)).sum() / 8 * codes.steps)

    def part_of(part: int) -> np.ndarray:
        out = np.zeros((2, pairs.n))
        for where, sums in pairs.tiles_of_codes(part):
            simd.add_moments(sums, where, step, codes.totals, centre, out)
        return out

    total, squares = pairs.total(part_of)
    variance = (squares - total * total / pairs.others) / codes.steps**2
    squares = variance + pairs.row_sums**2 / pairs.others
    return deviations(pairs, np.array([pairs.row_sums, squares]), np.arange(pairs.n), whole)


def weighted_moments(pairs: Pairs, whole: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return moments of distances of rows with weights w: sums over j of w_j d_ij and w_j d_ij^2.

    They are computed from whole rows in double precision.
    """

    def part_of(part: int) -> np.ndarray:
        out = np.zeros((2, pairs.n))
        for distances, rows in pairs.exact_strips(part):
            out[:, rows] = sums_of_rows(pairs, rows, distances)
        return out

    return deviations(pairs, pairs.total(part_of), np.arange(pairs.n), whole)


def deviations(pairs: Pairs, sums: np.ndarray, rows: np.ndarray, whole: bool) -> tuple[np.ndarray, np.ndarray]:
    """Mean (n,) and standard deviation (n,) of some rows from sums (2, >= m) of distances and of their squares."""
    n_others = np.broadcast_to(pairs.others, pairs.n)
    others = n_others[rows]
    if whole:
        sums = np.array([np.full(len(rows), pairs.mean_of_targets(a)) for a in sums])
        others = np.full(len(rows), pairs.mean_of_targets(n_others))
    others = np.where(others > 0, others, 1)
    mean = sums[0] / others
    variance = sums[1] / others - mean * mean
    return mean, np.sqrt(np.where(variance > (EQUAL_DISTANCES * mean) ** 2, variance, 0))


def settled_moments(pairs: Pairs, rows: np.ndarray, whole: bool) -> tuple[np.ndarray, np.ndarray]:
    """The same for some rows of data in single precision, or for all, from distances in double precision."""
    double = cast("DoublePrecision", pairs.double)
    pieces = [rows[rows < pairs.m][s : s + STRIP] for s in range(0, len(rows), STRIP)]

    def sums(block: np.ndarray) -> np.ndarray:
        pairs.work.tick()
        return sums_of_rows(pairs, block, double.whole_rows(block))

    return deviations(pairs, np.concatenate(pairs.work.spread(sums, pieces), axis=1), rows, whole)


def sums_of_rows(pairs: Pairs, rows: np.ndarray, distances: np.ndarray) -> np.ndarray:
    """Sums (2, b) of distances (b, n) of some rows, and of their squares."""
    if pairs.apart is not None:
        distances[pairs.apart[rows][:, None] == pairs.apart] = 0
    d = np.where(np.isinf(distances), 0, distances)
    if pairs.weights is not None:
        return np.array([(d * pairs.weights).sum(axis=1), (d * d * pairs.weights).sum(axis=1)])
    return np.array([d.sum(axis=1), (d * d).sum(axis=1)])


@kernel
def _moments(tiles, wheres, out):
    """Sum and sum of squares of each row's distances in several tiles, added to out (2, n)."""
    for b in range(len(tiles)):
        _add_moments(tiles[b], wheres[b], out)


@kernel
def _add_moments(D, where, out):
    """The same of one tile, loops without branches."""
    i0, i1, j0, j1 = where
    for i in range(i0, i1):
        j = max(j0, i + 1)
        if j >= j1:
            continue
        d, sums, squares, total, square = D[i - i0, j - j0 : j1 - j0], out[0, j:j1], out[1, j:j1], 0.0, 0.0
        for q in range(len(d)):
            total += d[q]
            square += d[q] * d[q]
        for q in range(len(d)):
            sums[q] += d[q]
        for q in range(len(d)):
            squares[q] += d[q] * d[q]
        out[0, i] += total
        out[1, i] += square
