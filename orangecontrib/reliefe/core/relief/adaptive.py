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

ALIKE = 1e-9  # share of the largest distance by which gaps may differ and still be equal: the first of them counts


@dataclass(frozen=True)
class Adaptive:
    """Per row and group the rows before the largest gap of the sorted distances (Skrlj et al. 2022, Algorithm 4).

    The row itself has no part in it (in the authors' code it has, and the gap after it is often the largest).  Of equal
    gaps the first counts.  Where all distances are equal, there is no gap and all rows are taken.
    """

    revisits = False  # asks for every tile once

    def plan(self, run: "Run") -> float:
        """Pairs that will be looked at."""
        return run.m * run.n

    def scores(self, run: "Run", update: "Update") -> np.ndarray:
        run.found["k"] = np.zeros((run.m, update.n_groups(run.target)), np.int64)
        return run.by_blocks(lambda part: self._blocks(run, part, update))

    def _blocks(self, run: "Run", part: int, update: "Update") -> Iterator[tuple[float, Neighbours]]:
        n_groups = update.n_groups(run.target)
        for distances, rows in run.sweep.candidates(run.distance, part, PARTS, run.exact is None):
            kinds = update.relation(run.target, rows[:, None], np.arange(run.n))
            last, unsure = _last(distances, kinds, n_groups, run.exact.doubt if run.exact else 0.0)
            if unsure.any():
                distances[unsure] = run.exact.whole_rows(rows[unsure])
                last[unsure] = _last(distances[unsure], np.broadcast_to(kinds, distances.shape)[unsure], n_groups)[0]
            weights = np.empty((len(rows), n_groups, run.n))
            for g in range(n_groups):
                weights[:, g] = (kinds == g) & (distances <= last[:, g, None])
            run.found["k"][rows] = weights.sum(axis=2)
            yield 1.0, chosen(rows, weights, distances)


def _last(distances: np.ndarray, kinds: np.ndarray, n_groups: int, doubt: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """(b, n_groups): the last distance before the gap, by the groups `kinds` of columns; (b,): in which rows distances
    with a relative error of `doubt` cannot tell."""
    found = [before_largest_gap(np.where(kinds == g, distances, np.inf), doubt) for g in range(n_groups)]
    return np.stack([last for last, _ in found], axis=1), np.any([unsure for _, unsure in found], axis=0)


def before_largest_gap(distances: np.ndarray, doubt: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """distances (b, n), infinite where a row is no candidate -> (b,) the last one before the first largest gap.

    Minus infinity where there is no candidate at all.  Second result (b,): whether distances with a relative error of
    `doubt` leave open which gap that is.
    """
    d = np.sort(distances, axis=1)
    b, count = len(d), np.isfinite(d).sum(axis=1)
    if d.shape[1] < 2:
        return np.where(count > 0, d[:, 0], -np.inf), np.zeros(b, bool)
    rows, there = np.arange(b), np.isfinite(d[:, 1:])
    gaps = np.where(there, np.where(there, d[:, 1:], 0) - np.where(there, d[:, :-1], 0), -np.inf)
    largest, farthest = gaps.max(axis=1), np.where(count > 0, d[rows, count - 1], 0)
    place = np.argmax(gaps >= (largest - ALIKE * farthest)[:, None], axis=1)
    place = np.where(largest <= ALIKE * farthest, count - 1, place)
    slack = 4 * doubt * farthest  # a gap is off by two errors, and so is the one it is compared with
    rivals = (gaps >= (largest - slack)[:, None]).sum(axis=1)
    unsure = (doubt > 0) & (count > 1) & ((rivals > 1) | (largest <= slack))
    return np.where(count > 0, d[rows, place], -np.inf), unsure
