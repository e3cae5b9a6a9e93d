"""As many neighbours as the distances themselves suggest."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..parallel import PARTS
from .neighbours import Neighbours, chosen

if TYPE_CHECKING:
    from .run import Run
    from .updates import Update


@dataclass(frozen=True)
class Adaptive:
    """Per row and group the rows before the largest gap of the sorted distances (Skrlj et al. 2022, Algorithm 4).

    The row itself has no part in it (in the authors' code it has, and the gap after it is often the largest).  Where
    all distances are equal, there is no gap and all rows are taken.
    """

    revisits = False  # asks for every tile once

    def plan(self, run: "Run") -> float:
        """Pairs that will be looked at."""
        return run.m * run.n

    def scores(self, run: "Run", update: "Update") -> np.ndarray:
        run.found["k"] = np.zeros((run.m, update.n_groups(run.target)), np.int64)
        return run.by_blocks(lambda part: self._blocks(run, part, update))

    def _blocks(self, run: "Run", part: int, update: "Update") -> Iterator[tuple[float, Neighbours]]:
        for distances, rows in run.sweep.candidates(run.distance, part, PARTS, run.exact is None):
            kinds = update.relation(run.target, rows[:, None], np.arange(run.n))
            weights = np.zeros((len(rows), update.n_groups(run.target), run.n))
            for g in range(weights.shape[1]):
                d = np.where(kinds == g, distances, np.inf)
                weights[:, g] = d <= before_largest_gap(d)[:, None]
            run.found["k"][rows] = weights.sum(axis=2)
            yield 1.0, chosen(rows, weights, distances)


def before_largest_gap(distances: np.ndarray) -> np.ndarray:
    """distances (b, n), infinite where a row is no candidate -> (b,) the last one before the first largest gap.

    Minus infinity where there is no candidate at all.
    """
    d = np.sort(distances, axis=1)
    count = np.isfinite(d).sum(axis=1)
    if d.shape[1] < 2:
        return np.where(count > 0, d[:, 0], -np.inf)
    last = np.isfinite(d[:, 1:])
    gaps = np.where(last, np.where(last, d[:, 1:], 0) - np.where(last, d[:, :-1], 0), -1.0)
    place = np.argmax(gaps, axis=1)
    rows = np.arange(len(d))
    flat = gaps[rows, place] == 0
    place = np.where(flat, count - 1, place)
    return np.where(count > 0, d[rows, place], -np.inf)
