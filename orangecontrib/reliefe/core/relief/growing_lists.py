"""Lists of the k nearest rows of the first target rows of a run, for more and more of them.

Partial rankings (`Recipe.growing`) extend the lists instead of beginning anew: only further rows are searched.
"""

from dataclasses import replace

import numpy as np

from .formats.distance import Distance
from .formats.lists import Neighbours
from .neighbourhoods.k_nearest import KNearest
from .run import Run


class GrowingLists:
    """Lists of neighbours of the first m target rows of a run."""

    def __init__(self, run: Run, neighbourhood: KNearest):
        self._run = run  # with as many target rows as there will be at most
        self._neighbourhood = neighbourhood
        self._lists: Neighbours | None = None  # lists of the first rows
        self._m = 0  # number of these rows

    def extend(self, m: int) -> tuple[Run, Neighbours]:
        """Return the run of the first m target rows, and their lists; m: more than at the last call."""
        run = replace(self._run, m=m)
        run.work.plan((m - self._m) * run.n)
        further = self._neighbourhood.find(run, run.needs_order, self._m)
        self._lists = further if self._lists is None else _stacked(self._lists, further)
        self._m = m
        if m < self._run.m:
            run = replace(run, distance=Distance())  # scoring forgets its memory, which the next call still needs
        return run, self._lists


def _stacked(first: Neighbours, second: Neighbours) -> Neighbours:
    """Return lists that are not weighed, those of `first` before those of `second`, as long as the longest."""
    length = max(first.cols.shape[2], second.cols.shape[2])
    shape = len(first.rows) + len(second.rows), first.cols.shape[1], length
    cols = np.full(shape, -1, first.cols.dtype)
    distances = np.full(shape, np.inf)
    begin = 0
    for lists in (first, second):
        end = begin + len(lists.rows)
        cols[begin:end, :, : lists.cols.shape[2]] = lists.cols
        distances[begin:end, :, : lists.cols.shape[2]] = lists.distances
        begin = end
    return Neighbours(np.concatenate([first.rows, second.rows]), cols, distances)
