"""Lists of neighbours of more and more target rows: those of earlier rows stay valid.

Every pair is looked at once.  So the lists of all rows that will become targets are kept from the start, and a row of
the present ones is offered to both of its pairs.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from .distances import Distance
from .lists import Neighbours
from .neighbours import KNearest, offer
from .run import Run
from .sweep import Locks, Sweep


class Growth:
    """Lists of the first rows of a run, more and more of them.

    Parameters
    ----------
    run : Run
        Its m rows are the targets at the end; in any number before they are its first ones.
    neighbourhood : KNearest
        Without ties.
    """

    def __init__(self, run: Run, neighbourhood: KNearest):
        self._run, self._neighbourhood = run, neighbourhood
        self._lists = neighbourhood.empty(run, run.m)
        self._near: list[Neighbours] = []
        self._done = 0

    def extend(self, m: int) -> tuple[Run, Neighbours]:
        """The run of the first m rows, a multiple of 64 unless these are all, and their lists."""
        run, first, step = replace(self._run, m=m), self._done, self._run.distance.shape[0]
        locks, strips = Locks(run.n, step), iter(list(run.sweep.pieces(run.distance, first)))
        run.work.plan((m - first) * (run.n - (m + first) / 2))
        run.work.map(lambda _: self._fill(run, strips, locks), range(run.work.workers))
        own = tuple(np.ascontiguousarray(a[:, first:m]) for a in self._lists)
        self._near.append(self._neighbourhood.listed(run, (own[0], own[1]), run.in_order, first))
        self._done = m
        parts = [(near.rows, near.cols, near.distances) for near in self._near]
        near = Neighbours(*(np.concatenate(a) for a in zip(*parts, strict=True)))
        self._near = [near]
        if m < self._run.m:
            run = replace(run, distance=Distance())  # whose memory is still needed
        return run, self._neighbourhood.trimmed(near)

    def _fill(self, run: Run, strips: Iterator[tuple[int, int, int]], locks: Locks) -> None:
        sweep = Sweep(run.work, run.n, run.m)
        turned = np.empty(run.distance.shape[::-1], run.distance.dtype)
        for tile, where in sweep.strip_tiles(run.distance, strips):
            offer(run, tile, where, turned, locks, self._lists, self._run.m)
