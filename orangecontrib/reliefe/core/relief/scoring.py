"""Scores from lists of neighbours, or from weights of tiles."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..data.features import aligned
from ..data.missing import IGNORE, Corrections
from ..data.targets import Target
from ..parallel import PARTS
from .lists import Neighbours
from .neighbourhood import Blocks, Weigh
from .pairs import Pairs
from .record import Record
from .row_means import RowMeans
from .spans import Add, by_spans, in_spans
from .sums import Sums
from .update import Update

ROWS_AT_ONCE = 32  # whose means are taken together


@dataclass(frozen=True)
class Scoring(Pairs):
    """Pairs of rows with what makes scores of the neighbours among them; scores are in the order of the features.

    Parameters
    ----------
    target : Target
        Of the rows, in run order.
    update : Update
        What neighbours mean for the scores.
    sums, means : Sums, RowMeans
        The data as sums over pairs, and means over rows, read them.
    strategy : str
        For missing values.
    """

    target: Target
    update: Update
    sums: Sums
    means: RowMeans
    strategy: str = IGNORE

    @property
    def row_wise(self) -> bool:
        """True if scores are made of means row by row, which are not linear in pairs."""
        return self.means.to_average or (self.features.missing is not None and self.features.missing.ignore)

    def by_lists(self, near: Neighbours, record: Record | None = None) -> np.ndarray:
        """Scores from the lists of all targets, or of some of them where rows do not depend on each other."""
        self.distance.forget()
        if self.row_wise:
            blocks = [near[s : s + ROWS_AT_ONCE] for s in range(0, len(near.rows), ROWS_AT_ONCE)]
            return self.by_means(lambda part: ((1.0, block) for block in blocks[part::PARTS]), record)
        return self.by_pairs(near, record)

    def by_pairs(self, near: Neighbours, record: Record | None = None) -> np.ndarray:
        """The same where the weight of a pair is a number."""
        self._note(near, record)
        m = len(near.rows)
        weights = self.update.coefficients(near, self.target, m).reshape(m, -1)
        cols, cuts = near.cols.reshape(m, -1), np.linspace(0, m, PARTS + 1).astype(int)

        def lists(number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            self.work.tick()
            block = slice(cuts[number], cuts[number + 1])
            return near.rows[block], cols[block], weights[block]

        if in_spans(self.features):
            return self._by_spans(lambda number, *where: self.sums.add_pairs(*lists(number), *where))
        return self.work.total(lambda number: self.sums.pairs(*lists(number)))

    def by_blocks(self, blocks: Blocks, record: Record | None = None) -> np.ndarray:
        """Scores from lists that come in blocks of rows."""
        if self.row_wise:
            return self.by_means(blocks, record)
        totals = None
        if self.update.needs_totals:
            add = self.update.totals
            totals = self.work.total(lambda part: sum(add(near, self.target) for _, near in blocks(part)))

        def lists(number: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
            for factor, near in blocks(number):
                self._note(near, record)
                weights = factor * self.update.coefficients(near, self.target, self.m, totals)
                yield near.rows, *(a.reshape(len(near.rows), -1) for a in (near.cols, weights))

        if not in_spans(self.features):
            nothing = np.zeros(self.p)
            return self.work.total(lambda part: sum((self.sums.pairs(*found) for found in lists(part)), nothing))
        every = self.work.map(lambda part: list(lists(part)), range(PARTS))

        def add(part: int, span: tuple[int, int], missing: Corrections, out: np.ndarray) -> None:
            own = self.sums.zeros()
            for found in every[part]:
                self.work.tick()
                own[slice(*span)] = 0
                self.sums.add_pairs(*found, span, missing, own)
                out[slice(*span)] += own[slice(*span)]

        return self._by_spans(add)

    def by_means(self, blocks: Blocks, record: Record | None = None) -> np.ndarray:
        """Scores from means that are taken row by row."""

        def part(number: int) -> np.ndarray:
            total = 0.0
            for factor, near in blocks(number):
                self.work.tick()
                self._note(near, record)
                found = [self.update.from_means(near, means, self.target) for means in self.means.spans()]
                total += factor * np.concatenate(found, axis=1)
            return total

        return self.update.scores(self.work.total(part), self.m)

    def by_tiles(self, weigh: Weigh | None) -> np.ndarray:
        """Scores from a weight for every pair; None: none weighs anything."""
        if weigh is None:
            return np.zeros(self.p)

        def weighed(number: int) -> Iterator[tuple[np.ndarray, tuple[int, int, int, int]]]:
            V = aligned(self.distance.shape, self.features.values.dtype)
            for tiles, wheres in self.blocks(number):
                for d, where in zip(tiles, wheres.tolist(), strict=True):
                    self.work.tick()
                    weigh(d, (*where,), V)
                    yield V, (*where,)

        def part(number: int) -> np.ndarray:
            out = self.sums.zeros()
            for V, where in weighed(number):  # each at once: its weights are still in the cache
                self.sums.tile(V, *where, out)
            return out

        if not in_spans(self.features):
            return self.sums.finish(self.work.total(part))
        found = self.work.map(lambda number: [(V.copy(), where) for V, where in weighed(number)], range(PARTS))

        def add(number: int, span: tuple[int, int], missing: Corrections, out: np.ndarray) -> None:
            for V, where in found[number]:
                self.work.tick()
                self.sums.add_tile(V, where, span, missing, out)

        return self._by_spans(add)

    def by_signed_means(self, blocks: Blocks | None) -> np.ndarray:
        """Mean over the targets of the weighted means of one group, 0 where nothing is observed."""
        if blocks is None:
            return np.zeros(self.p)

        def part(number: int) -> np.ndarray:
            total = np.zeros(self.p)
            for _, near in blocks(number):
                found = [np.nan_to_num(means.diffs(near)).sum(axis=(0, 1)) for means in self.means.spans()]
                total += np.concatenate(found)
            return total

        return self.work.total(part) / self.m

    def _note(self, near: Neighbours, record: Record | None) -> None:
        if record:
            record.add(near, self.update, self.target)

    def _by_spans(self, add: Add) -> np.ndarray:
        return by_spans(self.features, self.sums, self.work, add)
