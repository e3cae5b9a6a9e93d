"""Relation of a row to its neighbours: what a neighbourhood knows of an update and a target."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Signs = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Relation:
    """Groups that the neighbours of a row fall into: its hits and misses, the classes, or a single one."""

    n_groups: int  # number of groups
    by_class: bool  # True: the groups are the classes, ``Pairs.groups``; False: they depend on both rows
    # ``of(rows, cols)``, arrays that broadcast -> the group of each pair, from 0
    of: Callable[[np.ndarray, np.ndarray], np.ndarray]
    # ``signs(present, rows)``: from the groups (b, G) bool in which rows (b,) have neighbours to the factors (b, G) of
    # the groups' mean diffs; None: the update knows no such factors
    signs: Signs | None = None

    def tile(self, where: tuple[int, int, int, int]) -> np.ndarray | None:
        """Groups (i1 - i0, j1 - j0) of the pairs of a tile (i0, i1, j0, j1), or None where the classes tell them."""
        if self.by_class:
            return None
        i0, i1, j0, j1 = where
        return self.of(np.arange(i0, i1)[:, None], np.arange(j0, j1))
