"""One ranking under way: it drives the parts of a method."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, cast

import numpy as np

from ..data.compared import compared
from ..data.diff import RANGE, Diff
from ..data.table import DataTable
from ..forms.cosine import COSINE, MANHATTAN, PresenceCosine
from ..forms.dense import DenseManhattan, Distance
from ..forms.double_precision import DoublePrecision
from ..forms.excess import ExcessMeans, ExcessSums, limits
from ..forms.features import Features, aligned, room
from ..forms.lists import Neighbours, RowMeans
from ..forms.missing import CLUS, CONDITIONAL, IGNORE, SEPARATE
from ..forms.packed import PackedManhattan, PackedSums
from ..forms.sparse import SparseManhattan, SparseSums
from ..forms.sums import DenseSums, Lists, Sums, Tile
from ..neighbourhoods.base import ALL_LISTS, BLOCKS, Blocks, Neighbourhood, Weigh
from ..neighbourhoods.k_nearest import KNearest
from ..neighbourhoods.pairs import Pairs
from ..neighbourhoods.search import empty_lists, offer_pairs
from ..outputs.errors import standard_errors, tells_errors
from ..outputs.scores import Listed, Output, Scores, Total
from ..outputs.spread import PairWeights
from ..targets.targets import SEVERAL, Target
from ..updates.base import Update
from ..work.threads import PARTS, Work

# Pairs of rows up to which, and features for each row from which, zones of packed genotypes are lists: then their pairs
# are counted, which is faster than weights of tiles, but lists take time of their own.
MAX_LISTED, FEATURES_PER_ROW = 2**24, 5
STORED_ASIDE = 2**18  # values of sparse features whose index takes so long that a stop should not wait for it
ROWS_AT_ONCE = 32  # whose means are taken together
# Features from which on the sum over a pair, some p / 2 ns, takes longer than to send its row, column and weight.
FEATURES_WORTH_SENDING = 1000


def manhattan(features: Features) -> Distance:
    """Sum of diffs over the features, in the form that fits the data."""
    if features.packed:
        return PackedManhattan(features, features.packed)
    return SparseManhattan(features) if features.is_sparse else DenseManhattan(features)


def sums(features: Features, distance: Distance) -> Sums:
    """Sums over pairs, in the form that fits the data; they share what the distance has made of them."""
    if features.packed:
        return PackedSums(features, features.packed)
    return SparseSums(features, getattr(distance, "index", None)) if features.is_sparse else DenseSums(features)


def reordered(features: Features, rows: np.ndarray) -> Features:
    """All rows of some features in another order; without missing values."""
    if features.packed:
        return replace(features, packed=features.packed.take(rows))
    if features.is_sparse:
        return replace(features, values=features.values[rows])
    values = room(features.values.shape, features.values.dtype, features.values)
    return replace(features, values=np.take(features.values, rows, axis=0, out=values, mode="clip"))


@dataclass(eq=False)
class Record:
    """Facts about the neighbours of the targets."""

    counts: bool = False  # whether each row has its own number of neighbours, which is noted
    # Whether distances in single precision decide on which side of a limit pairs are
    rough: bool = False
    n_neighbors: np.ndarray | None = None  # (m, G): numbers of neighbours
    skipped: np.ndarray | None = None  # (m,): rows that add nothing, where the update skips rows
    errors: np.ndarray | None = None  # (p,): standard errors of the scores, as the run orders features

    def output(self, update: Update, target: Target) -> Listed:
        """Output of the notes about lists."""
        return Listed(partial(_note, self.counts, update, target))

    def fill(self, notes: Iterable[Any]) -> None:
        """Fill in what the notes about all lists say."""
        rows, n_neighbors, skipped = zip(*notes, strict=True)
        order = np.argsort(np.concatenate(rows))
        self.n_neighbors, self.skipped = (
            None if a[0] is None else np.concatenate(a)[order] for a in (n_neighbors, skipped)
        )


def _note(counts: bool, update: Update, target: Target, block: tuple[float, Neighbours]) -> tuple[Any, ...]:
    """Rows of some lists, their numbers of neighbours, and which of them are skipped."""
    near = block[1]
    return near.rows, near.counts if counts else None, update.skipped(near, target) if update.skips_rows else None


@dataclass(frozen=True, eq=False)
class States:
    """States of several outputs; the sum of two is that of each."""

    each: list[Any]

    def __add__(self, other: "States") -> "States":
        return States([a + b for a, b in zip(self.each, other.each, strict=True)])

    def __radd__(self, start: float) -> "States":
        return self  # sums begin with 0


@dataclass(frozen=True)
class Run(Pairs):
    """One ranking under way.

    A run drives: it asks neighbourhoods, which see it as `Pairs`, for lists or for weights of tiles, the update for
    what these mean, and adds up.
    """

    target: Target  # of the rows, in run order
    update: Update  # what neighbours mean for the scores
    sums: Sums  # the data as sums over pairs, and means over rows, read them
    means: RowMeans
    strategy: str = IGNORE  # for missing values

    @classmethod
    def start(
        cls,
        table: DataTable,
        target: Target,
        update: Update,
        chosen: np.ndarray,
        work: Work,
        strategy: str,
        diff: Diff | None = None,
        coordinates: Callable[[np.ndarray], Distance] | None = None,
        average: bool = False,
        dtype: type | None = None,
        kept: np.ndarray | None = None,
        by_class: bool = True,
        first: "Run | None" = None,
        distance: str = MANHATTAN,
    ) -> "Run":
        """A run with rows and columns put in order and scaled.

        Shapes: `chosen` (n,); `kept` (n,).
        """
        diff = diff or Diff()
        if kept is not None and diff.kind != RANGE:
            table, kept = table.take(kept), None  # what is compared instead of values depends on the others
        n = table.shape[0] if kept is None else len(kept)
        groups = update.search_groups(target) if by_class else None
        groups = np.zeros(n, np.int32) if groups is None else groups
        rows = np.lexsort((groups, ~chosen if chosen.dtype == bool else chosen))
        of_table = rows if kept is None else kept[rows]
        work.plan(1)  # of which nothing is done: what was before may have ended
        if update.above_mean or coordinates or average or distance != MANHATTAN:
            table = table.unpacked().wide()
        values = compared(table, diff.kind, work)
        if first is None:
            features = Features.build(values, of_table, groups[rows], strategy, diff, dtype, work.tick)
        else:
            features = reordered(first.features, np.argsort(first.ids)[rows])
        measure, double = coordinates(rows) if coordinates else None, None
        if measure is None and distance == COSINE:
            measure = PresenceCosine(table, of_table, work.tick)
            target = target.for_features(1)  # rows without a target differ by the distance, which is in [0, 1]
        if measure is None:
            stored: Any = features.values
            slow = features.is_sparse and stored.nnz >= STORED_ASIDE
            measure = work.aside(manhattan, features) if slow else manhattan(features)
            double = None if features.exact else DoublePrecision(values, of_table, features, strategy)
        pairs = features, groups[rows], rows, int(chosen.sum()) if chosen.dtype == bool else n, measure, work, double
        means = ExcessMeans(features) if update.above_mean else RowMeans(features, average)
        of_pairs = ExcessSums(features) if update.above_mean else sums(features, measure)
        return cls(*pairs, target.take(rows), update, of_pairs, means, strategy)

    def with_target(self, target: Target) -> "Run":
        """The same run for another target of the rows as the caller numbers them."""
        target = target.for_features(1) if self.distance.is_share else target
        return replace(self, target=target.take(self.ids))

    def scores(
        self, neighbourhood: Neighbourhood, near: Neighbours | None = None, watch: PairWeights | None = None
    ) -> tuple[np.ndarray, Record]:
        """Scores by a neighbourhood; watch: notes the weights of pairs, where scores are sums over pairs.

        Returns shape scores (p,).
        """
        wide = self.p >= FEATURES_PER_ROW * self.n and self.n * self.m <= MAX_LISTED
        counted = self.sums.at_once and neighbourhood.has_zones and watch is None and wide
        run, relation = self, self.update.relation(self.target)
        stored = neighbourhood.revisits and not (self.row_wise or counted)
        record = Record(neighbourhood.adapts, stored and not self.few)
        if stored:
            run = self.remembering()
        if near is None:
            self.work.plan(neighbourhood.plan(run, self.row_wise or counted))
        if neighbourhood.form == ALL_LISTS:
            near = self.find(neighbourhood) if near is None else near
            near = self.update.regroup(near, self.target, self.ids, neighbourhood.n_neighbors)
            found = run.by_lists(neighbourhood.weigh(near), record, watch)
        elif neighbourhood.form == BLOCKS or self.row_wise or counted:
            blocks: Any = neighbourhood.blocks(run, relation)
            found = run.by_signed_means(blocks) if neighbourhood.signed else run.by_blocks(blocks, record)
        else:
            found = run.by_tiles(neighbourhood.tiles(run, relation), watch)
        return self.unsort(found), record

    def with_each(
        self,
        neighbourhood: Neighbourhood,
        each: bool,
        near: Neighbours | None = None,
        watch: PairWeights | None = None,
    ) -> tuple[np.ndarray, np.ndarray | None, dict[str, object]]:
        """Scores by a neighbourhood, with those for each of several targets from the same neighbours.

        Returns shape scores (p,), per_target (t, p).
        """
        count = len(self.target.names) if each and self.target.task in SEVERAL else 0
        info: dict[str, object] = {}
        found = []
        for number in self.work.split(1 + count):
            run = replace(self, target=self.target.part(number - 1)) if number else self
            if neighbourhood.form == ALL_LISTS and near is None:
                self.work.plan(neighbourhood.plan(self, self.row_wise))
                near = self.find(neighbourhood)
            scores, record = run.scores(neighbourhood, near, watch)
            found.append(scores)
            info = info or self.diagnostics(record)
        return found[0], np.array(found[1:]) if count else None, info

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

    def by_signed_means(self, blocks: Blocks | None) -> np.ndarray:
        """Mean over the targets of the weighted means of one group, 0 where nothing is observed."""
        if blocks is None:
            return np.zeros(self.p)
        means = self.means

        def total(block: tuple[float, Neighbours]) -> np.ndarray:
            return np.concatenate([np.nan_to_num(some.diffs(block[1])).sum(axis=(0, 1)) for some in means.spans()])

        return cast("np.ndarray", self.reduce(blocks, [Total(total)])[0] / self.m)

    def _weighed(self, near: Neighbours, weights: np.ndarray) -> Lists:
        """Lists with their weights (b, G, k), and where only diffs above the mean count their limits."""
        found = (near.cols, weights, limits(near, self.p)) if self.update.above_mean else (near.cols, weights)
        in_order = map(np.ascontiguousarray, found)  # of lists that were cut, too: kernels are compiled for one form
        return Lists(near.rows, *(a.reshape(len(near.rows), -1) for a in in_order))

    def find(self, neighbourhood: Neighbourhood, ordered: bool = False) -> Neighbours:
        """Lists of all targets, not weighed; ordered: whether they will be cut, or looked into."""
        return neighbourhood.find(self, ordered or self.in_order)

    @property
    def in_order(self) -> bool:
        """True if the order of lists matters, or their distances do."""
        merged = self.n_groups > 2 and not self.update.by_class(self.target)
        return self.target.by_distance or self.update.above_mean or merged

    def unsort(self, scores: np.ndarray) -> np.ndarray:
        """Scores (p,) in the order of the features of the run -> in the caller's, 0 for constant ones."""
        scores = self.features.unsort(scores)
        scores[self.without_score] = 0
        return scores

    @property
    def without_score(self) -> np.ndarray:
        """Mask (p,) of the features whose score is 0, in the caller's order: constant ones."""
        of_one_value = self.strategy not in (SEPARATE, CLUS)  # there a missing value differs from the only known one
        return self.features.constant & of_one_value

    def diagnostics(self, record: Record | None = None, settled: bool = True) -> dict[str, object]:
        """Facts about the run and a scoring, as plain literals."""
        record, strategy = record or Record(), self.strategy if self.features.missing else None
        out = {
            "strategy": strategy,
            "diff": self.features.diff.kind,
            "precision": self.features.values.dtype.name,
            "approximate": self._approximate(record.rough, settled),
        }
        if record.n_neighbors is not None:
            k, sizes = record.n_neighbors, np.array([self.n - 1])
            if k.shape[1] > 1 and self.update.by_class(self.target):
                sizes = np.maximum(np.bincount(self.target.classes, minlength=k.shape[1]), 1)
            out |= {"k_median": float(np.median(k)), "k_share": [float(v) for v in k.mean(axis=0) / sizes]}
        if record.errors is not None:
            out["standard_errors"] = self.unsort(record.errors).tolist()
        if record.skipped is not None:
            out["skipped"] = float(record.skipped.mean())
        return out

    def _approximate(self, rough: bool, settled: bool) -> list[str]:
        """Differences from a computation in double precision throughout, with their size, in words."""
        out = []
        if self.features.values.dtype == np.float32:
            out.append("scores: sums in single precision, errors below 1e-7 (with missing values 1e-6)")
        if rough:
            out.append("pairs whose distance is within 4e-6 of a limit may be on either side of it")
        if self.double and (not settled or (self.features.missing and self.strategy == CONDITIONAL)):
            out.append("rows whose distances agree in six digits may change places among the neighbours")
        return out


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


def additive_sums(run: Run, neighbourhood: Neighbourhood) -> np.ndarray:
    """Sums (s, p) over the targets of a run, features in the caller's order; s = 1 where scores are means of them."""
    if not run.row_wise:
        return run.m * run.scores(neighbourhood)[0][None]
    run.work.plan(neighbourhood.plan(run, True))
    blocks: Blocks | None
    if neighbourhood.form == ALL_LISTS:
        near = run.update.regroup(run.find(neighbourhood), run.target, run.ids, neighbourhood.n_neighbors)
        blocks = in_blocks(neighbourhood.weigh(near))
    else:
        blocks = neighbourhood.blocks(run, run.update.relation(run.target))
    if blocks is None:
        return np.zeros((4, run.p))
    total: np.ndarray = run.reduce(blocks, [Total(run.of_means)])[0]
    return run.features.unsort(total)


class Growth:
    """Lists of the first rows of a run, more and more of them."""

    def __init__(self, run: Run, neighbourhood: KNearest):
        self._run, self._neighbourhood = run, neighbourhood
        self._lists = empty_lists((run.n_groups, run.m, neighbourhood.room(run)))
        self._near: list[Neighbours] = []
        self._done = 0

    def extend(self, m: int) -> tuple[Run, Neighbours]:
        """The run of the first m rows, a multiple of 64 unless these are all, and their lists."""
        run, first = replace(self._run, m=m), self._done
        run.work.plan((m - first) * (run.n - (m + first) / 2))
        offer_pairs(run, first, self._lists)
        own = tuple(np.ascontiguousarray(a[:, first:m]) for a in self._lists)
        self._near.append(self._neighbourhood.listed(run, (own[0], own[1]), run.in_order, first))
        self._done = m
        parts = [(near.rows, near.cols, near.distances) for near in self._near]
        near = Neighbours(*(np.concatenate(a) for a in zip(*parts, strict=True)))
        self._near = [near]
        if m < self._run.m:
            run = replace(run, distance=Distance())  # whose memory is still needed
        return run, self._neighbourhood.trimmed(near)
