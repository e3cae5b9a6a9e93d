"""Neighbours of every row after the feature values were permuted among the rows, for the null level of boosting.

`methods/learned.py` makes `NeighbourLists`, and `null_gain` selects permuted neighbours from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..relief.formats.lists import Neighbours
from ..relief.run import Run
from .grouped_rows import GroupedRows
from .row_distances import RowDistances
from .space import NeighbourSpace

MIN_PERMUTED = 8  # features that are permuted while others are held, at least: their gains must have a spread


@dataclass(frozen=True)
class NeighbourLists:
    """Lists of the k nearest rows of a run, in one or two spaces.

    run: data and target.
    spaces: one or two spaces; for classes with the distances in them.
    k: number of neighbours.
    """

    run: Run
    spaces: Sequence[NeighbourSpace]
    k: int

    @property
    def held(self) -> np.ndarray:
        """Features (H,) that stay with the targets in one of the permutations: heavy ones, if enough others are left.

        None are held without classes, or where distances are no sums over the features because values are missing.
        """
        heavy = self.spaces[-1].heavy
        run = self.run
        holds = run.n_groups > 1 and run.features.missing is None and run.p - len(heavy) >= MIN_PERMUTED
        return heavy if holds else heavy[:0]

    def permuted(self, donors: np.ndarray) -> list[Neighbours]:
        """Select the neighbours in each space where each row has the values of its donor (n,); lists name donors."""
        lists = []
        for space in self.spaces:
            # Without groups the neighbours of a row do not depend on the targets.
            has_groups = self.run.n_groups > 1
            neighbours = space.neighbours
            if has_groups:
                neighbours = nearest(cast("RowDistances", space.distances), self.k, donors)
            lists.append(neighbours[donors[: self.run.m]])
        return lists


def nearest(distances: RowDistances, k: int, donors: np.ndarray | None = None) -> Neighbours:
    """Select the k nearest rows of every group, with equal weights.

    donors (n,): the row whose features each row has; rows are then numbered by their donors.
    """
    members = GroupedRows.of(distances.run)
    if donors is not None:
        members = GroupedRows(donors[members.rows], members.starts, members.positions)
    return distances.nearest(k, members)[0]
