"""Lists of neighbours of more and more target rows: those of earlier rows stay valid.

Every pair is looked at once.  So the lists of all rows that will become targets are kept from the start, and a row of
the present ones is offered to both of its pairs.
"""

from dataclasses import replace

import numpy as np

from .distances import Distance
from .lists import Neighbours
from .neighbours import KNearest
from .run import Run
from .search import empty_lists, offer_pairs


class Growth:
    """Lists of the first rows of a run, more and more of them."""

    def __init__(self, run: Run, neighbourhood: KNearest):
        self._run, self._neighbourhood = run, neighbourhood
        self._lists = empty_lists((run.n_groups, run.m, neighbourhood.room(run)))
        self._near: list[Neighbours] = []
        self._done = 0

    def extend(self, m: int) -> tuple[Run, Neighbours]:
        """The run of the first m rows, a multiple of 64 unless these are all, and their lists."""
        run, first = replace(self._run, m=m), self._done
        run.work.plan((m - first) * (run.n - (m + first) / 2))
        offer_pairs(run, first, self._lists)
        own = tuple(np.ascontiguousarray(a[:, first:m]) for a in self._lists)
        self._near.append(self._neighbourhood.listed(run, (own[0], own[1]), run.in_order, first))
        self._done = m
        parts = [(near.rows, near.cols, near.distances) for near in self._near]
        near = Neighbours(*(np.concatenate(a) for a in zip(*parts, strict=True)))
        self._near = [near]
        if m < self._run.m:
            run = replace(run, distance=Distance())  # whose memory is still needed
        return run, self._neighbourhood.trimmed(near)
