"""Scores from lists of neighbours, or from weights of tiles."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ..forms.excess import ExcessSums, limits
from ..forms.features import aligned
from ..forms.lists import Neighbours, RowMeans
from ..forms.missing import IGNORE, Corrections
from ..forms.sums import Add, Sums, by_spans, in_spans
from ..neighbourhoods.base import Blocks, Weigh
from ..neighbourhoods.pairs import Pairs
from ..outputs.errors import standard_errors
from ..outputs.record import Note, Notebook, Noted, Record
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
    watch: PairWeights | None = None  # notes the weights of pairs, where scores are sums over pairs

    @property
    def row_wise(self) -> bool:
        """True if scores are made of means row by row, which are not linear in pairs."""
        return self.means.to_average or (self.features.missing is not None and self.features.missing.ignore)

    def by_lists(self, near: Neighbours, record: Record | None = None) -> np.ndarray:
        """Scores from the lists of all targets, or of some of them where rows do not depend on each other."""
        self.distance.forget()
        if self.row_wise:
            return self.by_means(in_blocks(near), record)
        return self.by_pairs(near, record)

    def by_pairs(self, near: Neighbours, record: Record | None = None) -> np.ndarray:
        """The same where the weight of a pair is a number.

        Rows are added up in the caller's order, so that the bits do not depend on the classes that they are sorted by.
        """
        ids = self.ids[near.rows]
        near = near[np.argsort(ids)] if (np.diff(ids) < 0).any() else near
        if record:
            record.fill(record.notebook.note(near, self.update, self.target))
        m = len(near.rows)
        weights = self.update.coefficients(near, self.target, m)
        if self.watch and not self.update.above_mean:  # then diffs are others
            self.watch.lists(self.features, self.ids, near.rows, near.cols, weights.reshape(m, -1))
        scores = self.added_up(near, weights)
        if record and record.errors is not None:
            record.errors[:] = standard_errors(self, near, weights, scores)
        return scores

    def added_up(self, near: Neighbours, weights: np.ndarray) -> np.ndarray:
        """Sums over the pairs of lists by their weights (m, G, k)."""
        m, found, sums, work = len(near.rows), self._weighed(near, weights), self._sums, self.work
        cuts = np.linspace(0, m, PARTS + 1).astype(int)
        if self.sums.at_once:
            return self.sums.every_pair(found, work)

        def lists(number: int) -> tuple[np.ndarray, ...]:
            work.tick()
            return tuple(a[cuts[number] : cuts[number + 1]] for a in found)

        if in_spans(self.features):
            return self._by_spans(lambda number, *where: sums.add_pairs(*lists(number), *where))
        if work.remote and self.p >= FEATURES_WORTH_SENDING:
            parts = [lists(number) for number in range(PARTS)]
            return cast("np.ndarray", sum(work.spread(lambda own: sums.pairs(*own), parts)))
        return work.here.total(lambda number: sums.pairs(*lists(number)))

    def by_blocks(self, blocks: Blocks, record: Record | None = None) -> np.ndarray:
        """Scores from lists that come in blocks of rows."""
        if self.row_wise:
            return self.by_means(blocks, record)
        totals, run, notebook = None, replace(self, watch=None), record.notebook if record else Notebook()
        if self.update.needs_totals:
            of = self.update.totals
            totals = self.work.total(lambda part: sum((of(near, run.target) for _, near in blocks(part)), np.zeros(())))

        def lists(number: int, notes: list[Note]) -> Iterator[tuple[np.ndarray, ...]]:
            for factor, near in blocks(number):
                notes += notebook.note(near, run.update, run.target)
                yield run._weighed(near, factor * run.update.coefficients(near, run.target, run.m, totals))

        if not (self.sums.at_once or in_spans(self.features)):
            sums = self._sums

            def part(number: int) -> Noted:
                notes: list[Note] = []
                return Noted(sum((sums.pairs(*found) for found in lists(number, notes)), np.zeros(run.p)), notes)

            return self._noted(part, record)
        notes: list[Note] = []
        every = self.work.map(lambda part: list(lists(part, notes)), range(PARTS))
        if record:
            record.fill(notes)
        return self._from_every(every)

    def _from_every(self, every: list[list[tuple[np.ndarray, ...]]]) -> np.ndarray:
        """Scores from the lists of all parts, where features are summed some at a time."""
        if self.sums.at_once:
            rows, cols, weights = (
                np.concatenate(a) for a in zip(*(_flat(*one) for part in every for one in part), strict=True)
            )
            return self.sums.every_pair((rows, cols[:, None], weights[:, None]), self.work)
        sums = self._sums

        def add(part: int, span: tuple[int, int], missing: Corrections, out: np.ndarray) -> None:
            own = self.sums.zeros()
            for found in every[part]:
                self.work.tick()
                own[slice(*span)] = 0
                sums.add_pairs(*found, span, missing, own)
                out[slice(*span)] += own[slice(*span)]

        return self._by_spans(add)

    def by_means(self, blocks: Blocks, record: Record | None = None) -> np.ndarray:
        """Scores from means that are taken row by row."""
        return self.update.scores(self.sums_of_means(blocks, record), self.m)

    def sums_of_means(self, blocks: Blocks, record: Record | None = None) -> np.ndarray:
        """Sums (s, p) over the targets of what scores are made of, from means that are taken row by row."""
        run, notebook = replace(self, watch=None), record.notebook if record else Notebook()

        def part(number: int) -> Noted:
            total, notes = np.zeros(()), []
            for factor, near in blocks(number):
                run.work.tick()
                notes += notebook.note(near, run.update, run.target)
                found = [run.update.from_means(near, means, run.target) for means in run.means.spans()]
                total = total + factor * np.concatenate(found, axis=1)
            return Noted(total, notes)

        return self._noted(part, record)

    def _noted(self, part: Callable[[int], Noted], record: Record | None) -> np.ndarray:
        """Sum over the parts, whose notes go into the record."""
        found = self.work.total(part)
        if record:
            record.fill(found.notes)
        return cast("np.ndarray", found.total)

    def by_tiles(self, weigh: Weigh | None) -> np.ndarray:
        """Scores from a weight for every pair; None: none weighs anything."""
        if weigh is None:
            return np.zeros(self.p)
        run, kind = replace(self, watch=None), None if self.watch is None else type(self.watch)

        def weighed(number: int, watch: PairWeights | None) -> Iterator[tuple[np.ndarray, tuple[int, int, int, int]]]:
            V = aligned(run.distance.shape, run.features.values.dtype)
            for tiles, wheres in run.blocks(number):
                for d, where in zip(tiles, wheres.tolist(), strict=True):
                    run.work.tick()
                    weigh(d, (*where,), V)
                    if watch:
                        watch.tile(V, (*where,))
                    yield V, (*where,)

        def part(number: int) -> Noted:
            out, watch = run.sums.zeros(), kind() if kind else None
            for V, where in weighed(number, watch):  # each at once: its weights are still in the cache
                run.sums.tile(V, *where, out)
            return Noted(out, [watch] if watch else [])

        if not (in_spans(self.features) or self.sums.at_once):
            total = self.work.total(part)
            self._finish_watch(total.notes)
            return self.sums.finish(total.total)

        def copied(number: int) -> tuple[list[tuple[np.ndarray, tuple[int, int, int, int]]], PairWeights | None]:
            watch = kind() if kind else None
            return [(V.copy(), where) for V, where in weighed(number, watch)], watch

        every = self.work.map(copied, range(PARTS))
        self._finish_watch([watch for _, watch in every if watch])
        found = [tiles for tiles, _ in every]
        if self.sums.at_once:
            return self.sums.every_tile([tile for part in found for tile in part], self.work)

        def add(number: int, span: tuple[int, int], missing: Corrections, out: np.ndarray) -> None:
            for V, where in found[number]:
                self.work.tick()
                self.sums.add_tile(V, where, span, missing, out)

        return self._by_spans(add)

    def by_signed_means(self, blocks: Blocks) -> np.ndarray:
        """Mean over the targets of the weighted means of one group, 0 where nothing is observed."""

        means_of, p = self.means, self.p

        def part(number: int) -> np.ndarray:
            total = np.zeros(p)
            for _, near in blocks(number):
                found = [np.nan_to_num(means.diffs(near)).sum(axis=(0, 1)) for means in means_of.spans()]
                total += np.concatenate(found)
            return total

        return self.work.total(part) / self.m

    def _finish_watch(self, seen: Iterable[PairWeights]) -> None:
        if self.watch:
            for own in seen:
                self.watch.absorb(own)
            self.watch.finish(self.features, self.ids)

    @property
    def _sums(self) -> Any:
        """Sums over pairs, which take what `_weighed` gives."""
        return ExcessSums(self.features) if self.update.above_mean else self.sums

    def _weighed(self, near: Neighbours, weights: np.ndarray) -> tuple[np.ndarray, ...]:
        """Rows (b,), columns and weights (b, q) of pairs, and where only diffs above the mean count the limits."""
        found = (near.cols, weights, limits(near, self.p)) if self.update.above_mean else (near.cols, weights)
        in_order = map(np.ascontiguousarray, found)  # of lists that were cut, too: kernels are compiled for one form
        return near.rows, *(a.reshape(len(near.rows), -1) for a in in_order)

    def _by_spans(self, add: Add) -> np.ndarray:
        return by_spans(self.features, self.sums, self.work, add)


def in_blocks(near: Neighbours) -> Blocks:
    """Lists, some rows at a time."""
    blocks = [near[s : s + ROWS_AT_ONCE] for s in range(0, len(near.rows), ROWS_AT_ONCE)]
    return lambda part: ((1.0, block) for block in blocks[part::PARTS])


def _flat(rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, ...]:
    """Pairs (q,) that weigh something, of lists: rows (b,), cols and weights (b, k)."""
    some = weights != 0
    return np.broadcast_to(rows[:, None], cols.shape)[some], cols[some].astype(np.int32), weights[some]
