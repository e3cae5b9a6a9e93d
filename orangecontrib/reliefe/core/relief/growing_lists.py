"""Lists of the k nearest rows of the first target rows of a run, for more and more of them.

Partial rankings (`Recipe.growing`) extend the lists instead of beginning anew: a pair of rows is measured once.
"""

from dataclasses import replace

import numpy as np

from .formats.distance import Distance
from .formats.lists import Neighbours
from .neighbourhoods.k_nearest import KNearest
from .neighbourhoods.search import KeyLists, offer_pairs
from .run import Run


class GrowingLists:
    """Lists of neighbours of the first m target rows of a run."""

    def __init__(self, run: Run, neighbourhood: KNearest):
        self._run = run  # with as many target rows as there will be at most
        self._neighbourhood = neighbourhood
        # Lists that all pairs measured so far were offered to, of all these target rows
        self._keys = KeyLists.empty(run.n_groups, run.m, neighbourhood.list_length(run))
        self._near: Neighbours | None = None  # settled lists of the first rows
        self._m = 0  # number of these rows

    def extend(self, m: int) -> tuple[Run, Neighbours]:
        """Return the run of the first m target rows, and their lists.

        Parameters
        ----------
        m : int
            More than at the last call; a multiple of 64 unless these are all target rows.
        """
        run = replace(self._run, m=m)
        first = self._m

        # Pairs of the further target rows with all rows behind them
        run.work.plan((m - first) * (run.n - (m + first) / 2))
        offer_pairs(run, first, self._keys, self._neighbourhood.n_neighbors)
        further = self._neighbourhood.read_lists(run, self._keys.of_rows(first, m), run.needs_order, first)

        # Their lists behind those of the rows before
        self._near = further if self._near is None else _stacked(self._near, further)
        self._m = m
        if m < self._run.m:
            run = replace(run, distance=Distance())  # scoring forgets its memory, which the next call still needs
        return run, self._neighbourhood.trimmed(self._near)


def _stacked(first: Neighbours, second: Neighbours) -> Neighbours:
    """Return lists that are not weighed, those of `first` before those of `second`."""
    return Neighbours(
        np.concatenate([first.rows, second.rows]),
        np.concatenate([first.cols, second.cols]),
        np.concatenate([first.distances, second.distances]),
    )
