"""Scores for all numbers of neighbours up to k, from one search."""

from collections.abc import Iterator

import numpy as np

from ..parallel import PARTS
from .lists import Neighbours
from .place_sums import sums_by_place
from .row_means import RowMeans
from .run import Run
from .scoring import ROWS_AT_ONCE


class RunningMeans(RowMeans):
    """Means over the neighbours so far, one more of each group at a time."""

    def __init__(self, means: RowMeans, near: Neighbours):
        super().__init__(means.features, means.to_average, means.span)
        self._means, self._near, (first, last) = means, near, self.span
        self._weight, self._diff = np.zeros((2, *near.cols.shape[:2], last - first))

    def add(self, rank: int) -> None:
        """Add the neighbours of a rank, from 0."""
        weight, diff, *_ = self._means.sums(_of_rank(self._near, rank), np.zeros((1, 1, 1)))
        self._weight += weight
        self._diff += diff

    def diffs(self, near: Neighbours) -> np.ndarray:
        """Mean diffs (b, G, p) to the neighbours so far; NaN where no pair is observed."""
        some: np.ndarray = self._weight > 0
        return np.where(some, self._diff / np.where(some, self._weight, 1), np.nan)


def scores_of_every_k(run: Run, near: Neighbours) -> Iterator[np.ndarray]:
    """Scores for 1, 2, ... neighbours of each group.

    Where scores are sums over pairs, those for k neighbours are the mean of what the ranks 1 to k add: the time is that
    of the largest k alone.

    Returns shape (p,).
    """
    if run.row_wise:
        totals = run.work.total(lambda part: _row_wise(run, near, part))
        yield from (run.unsort(run.update.scores(total, run.m)) for total in totals)
        return
    ids = run.ids[near.rows]
    near = near[np.argsort(ids)] if (np.diff(ids) < 0).any() else near
    signs = run.update.coefficients(near.cut(1).weigh(), run.target, run.m)
    total, k = np.zeros(run.p), 0
    for block in sums_by_place(run, near, np.broadcast_to(signs, near.cols.shape)):
        for added in block:
            total, k = total + added, k + 1
            yield run.unsort(total / k)


def _of_rank(near: Neighbours, rank: int) -> Neighbours:
    """Lists with the neighbours of one rank alone."""
    one = slice(rank, rank + 1)
    return Neighbours(near.rows, near.cols[:, :, one], near.distances[:, :, one]).weigh()


def _row_wise(run: Run, near: Neighbours, part: int) -> np.ndarray:
    """Sums (k, s, p) of `Update.from_means` for every number of neighbours, over the rows of a part."""
    out = np.zeros((near.cols.shape[2], 4, run.p))
    for start in range(part * ROWS_AT_ONCE, len(near.rows), PARTS * ROWS_AT_ONCE):
        block = near[start : start + ROWS_AT_ONCE]
        for means in run.means.spans():
            running, (first, last) = RunningMeans(means, block), means.span
            for rank in range(len(out)):
                run.work.tick()
                running.add(rank)
                out[rank, :, first:last] += run.update.from_means(block, running, run.target)
    return out
