"""Neighbours of every row after the features were permuted among the rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..relief.formats.lists import Neighbours
from ..relief.run import Run
from .members import Members
from .rows import Rows
from .space import Space

MIN_MOVED = 8  # features whose targets are shuffled while others are held: their gains must have a spread


@dataclass(frozen=True)
class Lists:
    """k nearest rows of a run, in one or two spaces; where there are classes, with the distances in these."""

    run: Run
    spaces: Sequence[Space]
    k: int

    @property
    def held(self) -> np.ndarray:
        """Features (H,) that stay with the targets in one of the shuffles: heavy ones, if enough others are left."""
        heavy, run = self.spaces[-1].heavy, self.run  # without missing values distances are sums over the features
        hold = run.n_groups > 1 and run.features.missing is None and run.p - len(heavy) >= MIN_MOVED
        return heavy if hold else heavy[:0]

    def shuffled(self, moved: np.ndarray) -> list[Neighbours]:
        """Lists where each row has the values of another one, `moved` (n,): whose these are."""
        alike = self.run.n_groups == 1  # whatever their targets
        found = (one.near if alike else nearest(cast("Rows", one.rows), self.k, moved) for one in self.spaces)
        return [near[moved[: self.run.m]] for near in found]


def nearest(rows: Rows, k: int, moved: np.ndarray | None = None) -> Neighbours:
    """The k nearest rows of every group, weighed; moved (n,): each row has the features of another one."""
    members = Members.of(rows.run)
    if moved is not None:
        members = Members(moved[members.rows], members.starts, members.places)
    return rows.nearest(k, members)[0]
