"""Distances of the target rows to all rows, row by row: what neighbours without one feature are looked up in."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..jit import kernel
from ..parallel import PARTS
from ..relief.distances import Distance
from ..relief.exact import round_distances
from ..relief.neighbours import KNearest, Neighbours
from ..relief.run import Run
from ..relief.sweep import STRIP

SAMPLE = 64  # distances of a list from which it is guessed how far its k-th is
BUDGET = 2**26  # bytes of distances that are remembered between the two looks at them


@dataclass(frozen=True)
class Members:
    """Rows group by group, in each by their number in the data: those of group g are ``rows[starts[g]:starts[g + 1]]``.

    places (n + 1,): of every row in `rows`, and -1 of nobody.
    """

    rows: np.ndarray
    starts: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, run: Run) -> "Members":
        order = np.lexsort((run.ids, run.groups))
        counts = np.bincount(run.groups, minlength=run.n_groups)
        places = np.full(run.n + 1, -1)
        places[order] = np.arange(run.n)
        return cls(order, np.concatenate([[0], np.cumsum(counts)]), places)


class Rows:
    """Distances of the m target rows to all n rows: kept where they fit, else made anew for every look at them."""

    def __init__(self, run: Run, distance: Distance):
        self.run, self.distance, self.kept = run, distance, None
        if fits(run):
            self.kept = np.full((run.m, run.n), np.inf)
            run.work.map(self._keep, range(PARTS))

    def blocks(self, part: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Every PARTS-th strip: (distances (b, n), rows (b,)); a row is infinitely far from itself."""
        run = self.run
        if self.kept is None:
            yield from run.sweep.candidates(self.distance, part, PARTS, run.exact is None)
            return
        for start in range(part * STRIP, run.m, PARTS * STRIP):
            run.work.tick()
            rows = np.arange(start, min(start + STRIP, run.m))
            yield self.kept[rows[0] : rows[-1] + 1], rows

    def nearest(self, k: int, members: Members) -> tuple[Neighbours, float]:
        """The k nearest rows of every group in no order, ties by row, and the standard deviation of all distances."""
        run = self.run
        shape = run.m, run.n_groups, min(k, run.n - 1)
        cols, dist = np.full(shape, -1, np.int32), np.full(shape, np.inf)

        def part(number: int) -> np.ndarray:
            sums = np.zeros(3)
            for distances, rows in self.blocks(number):
                found = cols[rows[0] : rows[-1] + 1], dist[rows[0] : rows[-1] + 1]
                _nearest(distances, members.rows, members.starts, *found, sums)
            return sums

        count, total, squares = run.work.total(part)
        variance = squares / count - (total / count) ** 2
        return Neighbours(np.arange(run.m), cols, dist), float(np.sqrt(max(variance, 0.0)))

    def _keep(self, part: int) -> None:
        run = self.run
        for D, where in run.sweep.tiles(self.distance, part, PARTS):
            round_distances(D[: where[1] - where[0]], run.exact is None)
            _mirror(D, where, self.kept)


def fits(run: Run) -> bool:
    """Whether the distances of all pairs are kept."""
    return 8 * run.m * run.n <= BUDGET


def nearest_rows(run: Run, k: int, exact: bool) -> Neighbours:
    """The k nearest rows of every group in the space of all features; exact: settled where digits are few."""
    if not fits(run) or (exact and run.exact):
        return KNearest(k).find(run)
    near, _ = Rows(run, run.distance).nearest(k, Members.of(run))
    k = max(int((near.cols >= 0).any(axis=(0, 1)).sum()), 1)
    return near.cut(k)


@kernel
def _mirror(D, where, out):
    """Pairs of an upper tile into both of their places, in blocks of 16."""
    i0, i1, j0, j1 = where
    for a in range(i0, i1, 16):
        for b in range(j0, j1, 16):
            for i in range(a, min(a + 16, i1)):
                for j in range(max(b, i + 1), min(b + 16, j1)):
                    out[i, j] = D[i - i0, j - j0]
            for j in range(b, min(b + 16, j1, len(out))):
                for i in range(a, min(a + 16, i1, j)):
                    out[j, i] = D[i - i0, j - j0]


@kernel
def _nearest(D, members, starts, cols, dist, sums):
    """Lists, in no order, of up to k from every group; sums += number, sum and squares of distances."""
    n, k = D.shape[1], cols.shape[2]
    ordered, work = np.empty(n), np.empty(n)
    for b in range(len(D)):
        total, squares, count = 0.0, 0.0, 0
        for s in range(n):
            ordered[s] = D[b, members[s]]
        for s in range(n):
            d = ordered[s] if ordered[s] < np.inf else 0.0
            total += d
            squares += d * d
        for s in range(n):
            count += ordered[s] < np.inf
        sums[0] += count
        sums[1] += total
        sums[2] += squares
        for g in range(len(starts) - 1):
            x = ordered[starts[g] : starts[g + 1]]
            _lists(x, work, members[starts[g] : starts[g + 1]], k, cols[b, g], dist[b, g])


@kernel
def _lists(x, work, rows, k, cols, dist):
    """The up to k smallest of x, and of `rows` those at their places; a distance that is infinite is nobody's."""
    own = 0
    for s in range(len(x)):
        own += x[s] == np.inf
    room = min(k, len(x) - own)
    if room <= 0:
        return
    m, step = 0, len(x) // SAMPLE
    if step > 3 and 3 * room < len(x):  # most rows are too far by what a sample says of the place of the last one
        for s in range(SAMPLE):
            work[s] = x[s * step]
        bound = _smallest(work[:SAMPLE], min(3 * room // (2 * step) + 2, SAMPLE))
        for s in range(len(x)):
            work[m] = x[s]
            m += x[s] <= bound
    if m < room:
        m = len(x)
        work[:m] = x
    last, below = _smallest(work[:m], room), 0
    for s in range(len(x)):
        below += x[s] < last
    tied, filled = room - below, 0
    for s in range(len(x)):
        if x[s] <= last and (x[s] < last or tied > 0):
            tied -= x[s] == last
            dist[filled], cols[filled] = x[s], rows[s]
            filled += 1


@kernel
def _smallest(x, k):
    """The k-th smallest (from 1) of x, which is reordered."""
    low, high, k = 0, len(x) - 1, k - 1
    while low < high:
        middle = (low + high) // 2
        a, b, c = x[low], x[middle], x[high]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while x[i] < pivot:
                i += 1
            while x[j] > pivot:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return x[k]
