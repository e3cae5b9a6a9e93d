"""Rows under a weighted distance that changes from one iteration to the next."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from ..data.diff import Diff
from ..data.table import DataTable
from ..relief.comparison import Comparison
from ..relief.formats.stored import StoredTiles
from ..relief.formats.weighted import Weighted
from ..relief.run import Run
from ..relief.updates.hit_miss import HitMiss
from ..targets.targets import Target
from ..work.threads import Work

MEDIAN = "median"
MEDIAN_ROWS = 1448  # of which all pairs are looked at for the median distance
USUAL_ITERATIONS = 10  # after which two thirds of the progress are reported


class Space:
    """Rows, and tiles of their weighted distances, in memory that is used again and again."""

    def __init__(self, run: Run):
        self.run = replace(run, double=None)  # that knows distances without weights
        self._stored: StoredTiles | None = None

    @classmethod
    def start(cls, table: DataTable, target: Target, work: Work, strategy: str, diff: Diff) -> "Space":
        """The rows of a table, put in order and scaled; raises ValueError where values are infinite."""
        comparison = Comparison(table, strategy=strategy, diff=diff)
        return cls(Run.start(comparison, target, HitMiss(), np.ones(table.shape[0], bool), work))

    def equal_shares(self) -> np.ndarray:
        """(p,) equal weights that add up to 1, as the run orders features; 0 of constant features without gaps.

        So constant features change neither the first distances nor their width.  Zeros if all are constant.
        """
        features = self.run.features
        varies = ~features.constant[features.columns]
        if features.missing is not None:
            varies[features.missing.features] = True
        shares: np.ndarray = varies / max(np.count_nonzero(varies), 1)
        return shares

    def at(self, weights: np.ndarray) -> Run:
        """The rows under the distance with weights (p,), at least 0, as the run orders features."""
        run, near = self.run, self.near(weights)
        if run.means is not None:
            return near
        if self._stored is None:
            single = run.features.values.dtype == np.float32 or not run.has_few_pairs
            self._stored = StoredTiles(near.distance, run.n, run.m, np.float32 if single else np.float64)
        self._stored.renew(near.distance)
        return replace(run, distance=self._stored)

    def near(self, weights: np.ndarray) -> Run:
        """The same for a search for neighbours, which looks at every tile once."""
        return replace(self.run, distance=Weighted(self.run.distance, self.run.features, weights))

    def forget(self) -> None:
        """Free the parts from which tiles are computed, if all tiles are kept."""
        if self._stored is not None and self._stored.keeps_all:
            self._stored.forget()

    def width(self, sigma: float | str, weights: np.ndarray) -> float:
        """Width of the kernel: `sigma`, or for "median" the median distance of all pairs; of many rows, of as many as
        are enough, evenly spread."""
        if sigma != MEDIAN:
            return float(sigma)
        run, distance = self.run, self.near(weights).distance
        rows = np.unique(np.linspace(0, run.n - 1, min(run.n, MEDIAN_ROWS)).astype(int))
        found, line = [], np.empty((1, run.n))
        for place, i in enumerate(rows):
            run.work.tick()
            distance.tile(i, i + 1, 0, run.n, line, upper=False)
            found.append(line[0, rows[place + 1 :]])
        distance.forget()
        median = float(np.median(np.concatenate(found)))
        return median if median > 0 else 1.0

    @contextmanager
    def iteration(self, number: int, passes: float = 3) -> Iterator[None]:
        """Progress of an iteration, from 0, when nobody knows how many there will be; passes: over all pairs."""
        begin, end = (1 - np.exp(-k / USUAL_ITERATIONS) for k in (number, number + 1))
        with self.run.work.part(float(begin), float(end)):
            self.run.work.plan(passes * self.run.n_pairs)
            yield
