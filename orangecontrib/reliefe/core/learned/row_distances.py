"""Distances of the target rows to all rows, stored where they fit, and the nearest rows by them.

`rounds` and `methods/learned.py` make `RowDistances` of a run.  They pass over all distances several times: for the
nearest rows, and once more without each heavy feature.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np

from ..kernels.jit import kernel
from ..kernels.rounding import DOUBLE_DIGITS, SINGLE_DIGITS, round_distances
from ..kernels.selection import BITS_OF, LOOKS
from ..points.nearest_lists import list_nearest
from ..relief.formats.aligned_arrays import aligned
from ..relief.formats.distance import Distance
from ..relief.formats.lists import Neighbours
from ..relief.neighbourhoods.k_nearest import KNearest
from ..relief.neighbourhoods.row_pairs import STRIP
from ..relief.run import Run
from ..work.threads import PARTS, n_parts
from .grouped_rows import GroupedRows

MAX_BYTES = 2**26  # bytes of stored distances, 64 MiB: as many as one table of sums in the engine may have
MIRROR_BLOCK = 16  # rows and columns that are transposed at once: 16 float32 fill a cache line


class RowDistances:
    """Distances of the m target rows to all n rows: stored where they fit, else computed again in each pass over them.

    run: data and target.
    common_weights: weights of the features that two rows have in common, where missing values are ignored; else None.
    stored (m, n): the distances; None where they do not fit.
    """

    def __init__(self, run: Run, distance: Distance, reused: np.ndarray | None = None):
        """Compute the distances of a run; reused: array of distances that are not needed any more, written in place."""
        self.run = run
        self.common_weights = distance.correction
        self.stored = reused
        self._distance = None if fits(run) else distance  # what made the distances can be large
        if fits(run):
            if reused is None:  # the digits that rounding leaves of single precision are fewer than those of float32
                self.stored = aligned((run.m, run.n), np.float64 if run.double is None else np.float32)
                np.fill_diagonal(self.stored, np.inf)
            run.work.map(lambda part: self._store(distance, part), range(PARTS))

    def blocks(self, part: int, n_parts: int = PARTS, strip: int = STRIP) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Iterate over every n_parts-th strip of rows, from the number `part` on.

        Yields distances (b, n) and rows (b,); a row is infinitely far from itself.
        """
        run = self.run
        if self.stored is None:
            for distances, rows in replace(run, distance=cast("Distance", self._distance)).strips(part, n_parts):
                round_distances(distances, digits(run))
                distances[np.arange(len(rows)), rows] = np.inf
                if run.subjects is not None:
                    distances[np.isnan(distances)] = np.inf
                yield distances, rows
            return
        for start in range(part * strip, run.m, n_parts * strip):
            run.work.tick()
            rows = np.arange(start, min(start + strip, run.m))
            yield self.stored[rows[0] : rows[-1] + 1], rows

    def nearest(self, k: int, members: GroupedRows) -> tuple[Neighbours, float]:
        """Select the k nearest rows of every group, with equal weights.

        Parameters
        ----------
        k : int
            Number of neighbours in each group, cut to those that there are.
        members : GroupedRows
            Rows by group; ties go to the first ones.

        Returns
        -------
        neighbours : Neighbours
            Lists in no order.
        deviation : float
            Standard deviation of all distances.
        """
        run = self.run
        groups = members.rows.view(np.uint64), members.starts
        largest_group = int(np.diff(members.starts).max())
        shape = run.m, run.n_groups, max(min(k, run.n - 1, largest_group), 1)
        cols = np.full(shape, -1, np.int32)
        dist = np.full(shape, np.inf)
        weights = np.zeros(shape)
        parts = n_parts(LOOKS * run.m * run.n)
        rows_per_part = math.ceil(run.m / parts)
        strip = max(rows_per_part, STRIP)

        def select(part: int) -> np.ndarray:
            """Fill the lists of a part of the rows; returns count, sum and sum of squares of its distances."""
            sums = np.zeros(3)
            memory = np.column_stack([np.ones(run.n_groups), np.zeros(run.n_groups)])
            for distances, rows in self.blocks(part, parts, strip):
                lists = (out[rows[0] : rows[-1] + 1] for out in (cols, dist, weights))
                list_nearest(distances, BITS_OF[distances.itemsize], *groups, memory, *lists, sums)
            return sums

        count, total, squares = sum(run.work.map(select, range(parts)), np.zeros(3))
        variance = squares / count - (total / count) ** 2
        if self._distance:
            self._distance.forget()
        return Neighbours(np.arange(run.m), cols, dist, weights), float(np.sqrt(max(variance, 0.0)))

    def _store(self, distance: Distance, part: int) -> None:
        """Store a part of the distances."""
        run = self.run
        for D, where in replace(run, distance=distance).tiles(part):
            round_distances(D[: where[1] - where[0]], digits(run))
            _mirror(D, where, self.stored)


def digits(run: Run) -> int:
    """Return the number of decimal digits of the distances of a run that are not rounding."""
    return DOUBLE_DIGITS if run.double is None else SINGLE_DIGITS


def fits(run: Run) -> bool:
    """Return True if the distances of all pairs are stored."""
    return 8 * run.m * run.n <= MAX_BYTES


def nearest_rows(run: Run, k: int, exact: bool) -> Neighbours:
    """Select the k nearest rows of every group by the distance of all features, with equal weights.

    exact: recompute distances in double precision where single precision does not decide.
    """
    if not fits(run) or (exact and run.double):
        return run.find(KNearest(k)).weigh()
    return RowDistances(run, run.distance).nearest(k, GroupedRows.of(run))[0]


@kernel
def _mirror(D, where, out):
    """Write a tile of the upper triangle to out (m, n), and its transpose: out_ij = out_ji = D_(i - i0, j - j0), i < j.

    The transpose is written in blocks of `MIRROR_BLOCK` rows and columns.  where: i0, i1, j0, j1 of the tile.
    """
    i0, i1, j0, j1 = where
    for i in range(i0, i1):
        tile_row = D[i - i0]
        out_row = out[i]
        for j in range(max(j0, i + 1), j1):
            out_row[j] = tile_row[j - j0]
    for b in range(j0, min(j1, len(out)), MIRROR_BLOCK):
        for a in range(i0, i1, MIRROR_BLOCK):
            if a + MIRROR_BLOCK <= i1 and a + MIRROR_BLOCK <= b and b + MIRROR_BLOCK <= min(j1, len(out)):
                for j in range(MIRROR_BLOCK):
                    line = out[b + j, a : a + MIRROR_BLOCK]
                    for i in range(MIRROR_BLOCK):
                        line[i] = D[a - i0 + i, b - j0 + j]
            else:
                for j in range(b, min(b + MIRROR_BLOCK, j1, len(out))):
                    for i in range(a, min(a + MIRROR_BLOCK, i1, j)):
                        out[j, i] = D[i - i0, j - j0]
