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
MEDIAN_ROWS = 1448  # rows, all pairs of which count for the median distance: some 2^20 pairs
USUAL_ITERATIONS = 10  # iterations after which two thirds of the progress are reported


class Space:
    """Rows, with memory for tiles of their weighted distances that all iterations share.

    run: rows, in order and scaled, under the distance without weights.
    """

    def __init__(self, run: Run):
        self.run = replace(run, double=None)  # double precision is for distances without weights
        self._stored: StoredTiles | None = None

    @classmethod
    def start(cls, table: DataTable, target: Target, work: Work, strategy: str, diff: Diff) -> "Space":
        """Order and scale the rows of a table.

        Parameters
        ----------
        table : DataTable
            Features.
        target : Target
            Classes.
        work : Work
            Threads, progress and stops.
        strategy : str
            Strategy for missing values.
        diff : Diff
            Difference of two rows in a feature.

        Raises
        ------
        ValueError
            If values are infinite.
        """
        comparison = Comparison(table, strategy=strategy, diff=diff)
        return cls(Run.start(comparison, target, HitMiss(), np.ones(table.shape[0], bool), work))

    def equal_shares(self) -> np.ndarray:
        """Return equal weights (p,) that add up to 1, as the run orders features.

        Features that are constant and known in all rows have 0, so that they change neither the first distances nor
        their width.
        """
        features = self.run.features
        varies = ~features.constant[features.columns]
        if features.missing is not None:
            varies[features.missing.features] = True
        shares: np.ndarray = varies / max(np.count_nonzero(varies), 1)
        return shares

    def at(self, weights: np.ndarray) -> Run:
        """Return the rows under the distance with weights (p,), at least 0, as the run orders features."""
        run = self.run
        weighted = self.near(weights)
        if run.means is not None:
            return weighted
        if self._stored is None:
            single = run.features.values.dtype == np.float32 or not run.has_few_pairs
            self._stored = StoredTiles(weighted.distance, run.n, run.m, np.float32 if single else np.float64)
        self._stored.renew(weighted.distance)
        return replace(run, distance=self._stored)

    def near(self, weights: np.ndarray) -> Run:
        """Return the rows under the distance with weights (p,) for a search that reads each tile once."""
        return replace(self.run, distance=Weighted(self.run.distance, self.run.features, weights))

    def forget(self) -> None:
        """Free the parts from which tiles are computed, if all tiles are kept."""
        if self._stored is not None and self._stored.keeps_all:
            self._stored.forget()

    def width(self, sigma: float | str, weights: np.ndarray) -> float:
        """Return the width of the kernel.

        Parameters
        ----------
        sigma : float or str
            Width, or MEDIAN: the median distance of all pairs of rows, or of MEDIAN_ROWS rows, evenly spread.
        weights : (p,) array
            Weights of the distance.
        """
        if sigma != MEDIAN:
            return float(sigma)
        run = self.run
        distance = self.near(weights).distance
        rows = np.unique(np.linspace(0, run.n - 1, min(run.n, MEDIAN_ROWS)).astype(int))
        distances = []
        line = np.empty((1, run.n))
        for position, i in enumerate(rows):
            run.work.tick()
            distance.tile(i, i + 1, 0, run.n, line, upper=False)
            distances.append(line[0, rows[position + 1 :]])
        distance.forget()
        median = float(np.median(np.concatenate(distances)))
        return median if median > 0 else 1.0

    @contextmanager
    def iteration(self, number: int, passes: float = 3) -> Iterator[None]:
        """Report the progress of an iteration (from 0) of an unknown number; passes: over all pairs of rows."""
        begin, end = (1 - np.exp(-k / USUAL_ITERATIONS) for k in (number, number + 1))
        with self.run.work.part(float(begin), float(end)):
            self.run.work.plan(passes * self.run.n_pairs)
            yield
