"""Distances of the target rows to all rows, row by row, in which neighbours without one feature are looked up."""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np

from ..kernels.jit import kernel
from ..relief.formats.distance import Distance
from ..relief.formats.features import aligned
from ..relief.formats.lists import Neighbours
from ..relief.formats.rounding import DOUBLE_DIGITS, SINGLE_DIGITS, round_distances
from ..relief.neighbourhoods.k_nearest import KNearest
from ..relief.neighbourhoods.row_pairs import STRIP
from ..relief.run import Run
from ..work.threads import PARTS, n_parts
from .members import Members
from .nearest_lists import list_nearest
from .selection import BITS_OF, LOOKS

MAX_BYTES = 2**26  # of distances that are kept between the two looks at them


class Rows:
    """Distances of the m target rows to all n rows: kept where they fit, else made anew for every look at them.

    room: of rows that are not needed any more, for what is kept.
    """

    def __init__(self, run: Run, distance: Distance, room: np.ndarray | None = None):
        self.run, self.known, self.kept = run, getattr(distance, "known", None), room
        self._distance = None if fits(run) else distance  # what made the distances can be large
        if fits(run):
            if room is None:  # the digits that rounding leaves of single precision are fewer than those of float32
                self.kept = aligned((run.m, run.n), np.float64 if run.double is None else np.float32)
                np.fill_diagonal(self.kept, np.inf)
            run.work.map(lambda part: self._keep(distance, part), range(PARTS))

    def blocks(self, part: int, n_parts: int = PARTS, strip: int = STRIP) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Every n_parts-th strip: (distances (b, n), rows (b,)); a row is infinitely far from itself."""
        run = self.run
        if self.kept is None:
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
            yield self.kept[rows[0] : rows[-1] + 1], rows

    def nearest(self, k: int, members: Members) -> tuple[Neighbours, float]:
        """Nearest k rows of every group in no order, ties by row, weighed alike, and the standard deviation of all
        distances."""
        run, lists = self.run, (members.rows.view(np.uint64), members.starts)
        shape = run.m, run.n_groups, max(min(k, run.n - 1, int(np.diff(members.starts).max())), 1)
        cols, dist, weights = np.full(shape, -1, np.int32), np.full(shape, np.inf), np.zeros(shape)
        parts = n_parts(LOOKS * run.m * run.n)
        strip = max(-(-run.m // parts), STRIP)

        def part(number: int) -> np.ndarray:
            sums, memory = np.zeros(3), np.column_stack([np.ones(run.n_groups), np.zeros(run.n_groups)])
            for distances, rows in self.blocks(number, parts, strip):
                found = (out[rows[0] : rows[-1] + 1] for out in (cols, dist, weights))
                list_nearest(distances, BITS_OF[distances.itemsize], *lists, memory, *found, sums)
            return sums

        count, total, squares = sum(run.work.map(part, range(parts)), np.zeros(3))
        variance = squares / count - (total / count) ** 2
        if self._distance:
            self._distance.forget()
        return Neighbours(np.arange(run.m), cols, dist, weights), float(np.sqrt(max(variance, 0.0)))

    def _keep(self, distance: Distance, part: int) -> None:
        run = self.run
        for D, where in replace(run, distance=distance).tiles(part):
            round_distances(D[: where[1] - where[0]], digits(run))
            _mirror(D, where, self.kept)


def digits(run: Run) -> int:
    """Digits of the distances of a run that are not rounding."""
    return DOUBLE_DIGITS if run.double is None else SINGLE_DIGITS


def fits(run: Run) -> bool:
    """True if the distances of all pairs are kept."""
    return 8 * run.m * run.n <= MAX_BYTES


def nearest_rows(run: Run, k: int, exact: bool) -> Neighbours:
    """Nearest k rows of every group in the space of all features, weighed alike; exact: settled where digits are
    few."""
    if not fits(run) or (exact and run.double):
        return run.find(KNearest(k)).weigh()
    return Rows(run, run.distance).nearest(k, Members.of(run))[0]


@kernel
def _mirror(D, where, out):
    """Write the pairs of an upper tile to both of their places, in blocks of 16."""
    i0, i1, j0, j1 = where
    for i in range(i0, i1):
        here, there = D[i - i0], out[i]
        for j in range(max(j0, i + 1), j1):
            there[j] = here[j - j0]
    for b in range(j0, min(j1, len(out)), 16):
        for a in range(i0, i1, 16):
            if a + 16 <= i1 and a + 16 <= b and b + 16 <= min(j1, len(out)):
                for j in range(16):
                    line = out[b + j, a : a + 16]
                    for i in range(16):
                        line[i] = D[a - i0 + i, b - j0 + j]
            else:
                for j in range(b, min(b + 16, j1, len(out))):
                    for i in range(a, min(a + 16, i1, j)):
                        out[j, i] = D[i - i0, j - j0]
