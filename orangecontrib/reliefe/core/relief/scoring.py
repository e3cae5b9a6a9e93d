"""Scores from lists of neighbours, or from weights of tiles."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, cast

import numpy as np

from ..forms.excess import limits
from ..forms.features import aligned
from ..forms.lists import Neighbours, RowMeans
from ..forms.missing import IGNORE
from ..forms.sums import Lists, Sums, Tile
from ..neighbourhoods.base import Blocks, Weigh
from ..neighbourhoods.pairs import Pairs
from ..outputs.errors import standard_errors, tells_errors
from ..outputs.record import Record
from ..outputs.scores import Listed, Output, Scores, Total
from ..outputs.spread import PairWeights
from ..targets.targets import Target
from ..updates.base import Update
from ..work.threads import PARTS

ROWS_AT_ONCE = 32  # whose means are taken together
# Features from which on the sum over a pair, some p / 2 ns, takes longer than to send its row, column and weight.
FEATURES_WORTH_SENDING = 1000


@dataclass(frozen=True)
class Scoring(Pairs):
    """Pairs of rows with what makes scores of the neighbours among them; scores are in the order of the features."""

    target: Target  # of the rows, in run order
    update: Update  # what neighbours mean for the scores
    sums: Sums  # the data as sums over pairs, and means over rows, read them
    means: RowMeans
    strategy: str = IGNORE  # for missing values

    @property
    def row_wise(self) -> bool:
        """True if scores are made of means row by row, which are not linear in pairs."""
        return self.means.to_average or (self.features.missing is not None and self.features.missing.ignore)

    def reduce(
        self, blocks: Callable[[int], Iterable[Any]] | Sequence[Sequence[Any]], outputs: Sequence[Output]
    ) -> list[Any]:
        """Quantities, one by each output, of the blocks of PARTS parts, which are made part by part or are given."""
        work = self.work

        def states(found: Iterable[Any]) -> States:
            out = [output.zeros() for output in outputs]
            for block in found:
                work.tick()
                out = [output.add(state, block) for output, state in zip(outputs, out, strict=True)]
            return States(out)

        collects = any(output.collects for output in outputs)
        if callable(blocks):
            run = replace(self, work=work.here) if collects else self
            total = run.total(lambda part: states(blocks(part)))
        elif work.remote and self.p >= FEATURES_WORTH_SENDING and not collects:
            total = cast("States", sum(work.spread(states, blocks)))
        else:
            total = work.here.total(lambda part: states(blocks[part]), len(blocks))
        return [output.finish(state, work) for output, state in zip(outputs, total.each, strict=True)]

    def by_lists(self, near: Neighbours, record: Record | None = None, watch: PairWeights | None = None) -> np.ndarray:
        """Scores from the lists of all targets, or of some of them where rows do not depend on each other.

        Rows are added up in the caller's order, so that the bits do not depend on the classes that they are sorted by.
        """
        self.distance.forget()
        if self.row_wise:
            return self.by_blocks(in_blocks(near), record)
        ids, m = self.ids[near.rows], len(near.rows)
        near = near[np.argsort(ids)] if (np.diff(ids) < 0).any() else near
        weights = self.update.coefficients(near, self.target, m)
        if watch and not self.update.above_mean:  # then diffs are others
            watch.lists(self.features, self.ids, near.rows, near.cols, weights.reshape(m, -1))
        found, cuts = self._weighed(near, weights), np.unique(np.linspace(0, m, PARTS + 1).astype(int))
        parts = [[Lists(*(a[i:j] for a in found if a is not None))] for i, j in pairwise(cuts)]
        scores: np.ndarray = self.reduce(parts, [Scores(self.sums)])[0]
        if record:
            notes = record.output(self.update, self.target)
            record.fill(notes.add(notes.zeros(), (1.0, near)))
            if self.m < self.n and not self.update.above_mean and tells_errors(self.features, self.update):
                record.errors = standard_errors(self, near, weights, scores)
        return scores

    def by_blocks(self, blocks: Blocks, record: Record | None = None) -> np.ndarray:
        """Scores from lists that come in blocks of rows."""
        update, target, totals, at_once = self.update, self.target, None, self.sums.at_once
        if update.needs_totals and not self.row_wise:
            totals = self.reduce(blocks, [Total(lambda block: update.totals(block[1], target))])[0]

        def weigh(block: tuple[float, Neighbours]) -> Lists:
            factor, near = block
            found = self._weighed(near, factor * update.coefficients(near, target, self.m, totals))
            return _flat(found) if at_once else found

        output = Total(self.of_means) if self.row_wise else Scores(self.sums, weigh)
        scores, *notes = self.reduce(blocks, [output, *([record.output(update, target)] if record else [])])
        if record:
            record.fill(notes[0])
        return update.scores(scores, self.m) if self.row_wise else cast("np.ndarray", scores)

    def of_means(self, block: tuple[float, Neighbours]) -> np.ndarray:
        """Sums (s, p) over some targets of what scores are made of, from means that are taken row by row."""
        factor, near = block
        found = [self.update.from_means(near, means, self.target) for means in self.means.spans()]
        return cast("np.ndarray", factor * np.concatenate(found, axis=1))

    def by_tiles(self, weigh: Weigh | None, watch: PairWeights | None = None) -> np.ndarray:
        """Scores from a weight for every pair; None: none weighs anything."""
        if weigh is None:
            return np.zeros(self.p)

        def tiles(part: int) -> Iterator[Tile]:
            V = aligned(self.distance.shape, self.features.values.dtype)
            for tiles, wheres in self.blocks(part):
                for d, where in zip(tiles, wheres.tolist(), strict=True):
                    weigh(d, (*where,), V)
                    yield Tile(V, (*where,))

        scores, *noted = self.reduce(tiles, [Scores(self.sums), *([Listed(type(watch).tile)] if watch else [])])
        if watch:
            watch.tiles(self.features, self.ids, sorted(noted[0]))
        return cast("np.ndarray", scores)

    def by_signed_means(self, blocks: Blocks) -> np.ndarray:
        """Mean over the targets of the weighted means of one group, 0 where nothing is observed."""
        means = self.means

        def total(block: tuple[float, Neighbours]) -> np.ndarray:
            return np.concatenate([np.nan_to_num(some.diffs(block[1])).sum(axis=(0, 1)) for some in means.spans()])

        return cast("np.ndarray", self.reduce(blocks, [Total(total)])[0] / self.m)

    def _weighed(self, near: Neighbours, weights: np.ndarray) -> Lists:
        """Lists with their weights (b, G, k), and where only diffs above the mean count their limits."""
        found = (near.cols, weights, limits(near, self.p)) if self.update.above_mean else (near.cols, weights)
        in_order = map(np.ascontiguousarray, found)  # of lists that were cut, too: kernels are compiled for one form
        return Lists(near.rows, *(a.reshape(len(near.rows), -1) for a in in_order))


@dataclass(frozen=True, eq=False)
class States:
    """States of several outputs; the sum of two is that of each."""

    each: list[Any]

    def __add__(self, other: "States") -> "States":
        return States([a + b for a, b in zip(self.each, other.each, strict=True)])

    def __radd__(self, start: float) -> "States":
        return self  # sums begin with 0


def in_blocks(near: Neighbours) -> Blocks:
    """Lists, some rows at a time."""
    blocks = [near[s : s + ROWS_AT_ONCE] for s in range(0, len(near.rows), ROWS_AT_ONCE)]
    return lambda part: ((1.0, block) for block in blocks[part::PARTS])


def _flat(lists: Lists) -> Lists:
    """The pairs (q, 1) of lists that weigh something."""
    rows, cols, weights, _ = lists
    some = weights != 0
    rows = np.broadcast_to(rows[:, None], cols.shape)[some]
    return Lists(rows, cols[some].astype(np.int32)[:, None], weights[some][:, None])
