"""Scores for many targets of the same rows, whose pairs are searched once.

The first target is scored as it would be alone.  The others share its lists, or zones, and are scored together: pairs
are listed once, and their diffs are weighed for several targets at a time (`formats.pair_sums`).
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, cast

import numpy as np

from ..data.expected import CONDITIONAL
from ..kernels.jit import kernel
from ..targets.targets import Target, Unlabelled
from ..work.threads import PARTS, SERIAL_ALGEBRA
from .formats.features import Features
from .formats.lists import Neighbours
from .formats.pair_sums import PairList, add_pair_sums
from .neighbourhoods.base import ALL_LISTS, Neighbourhood, Relation
from .neighbourhoods.k_nearest import KNearest, by_row
from .neighbourhoods.radius import Radius
from .neighbourhoods.zone_pairs import TargetWeights, WeighedZones, group_weights
from .neighbourhoods.zones import Zones
from .outputs import Output, Scores, States
from .places import place_weights
from .run import Run, Scoring
from .spread import PairWeights, WeightSums, add_weight_sums, sums_of_lists, weight_sums

ROWS_COUNTED = 256
MIN_WIDENING = 8  # times as many neighbours without classes as are wanted of each class, at least
# Standard deviations of the number of rows of the rarest class among them that are left as a margin
DEVIATIONS_LEFT = 5.0
MAX_LIST_SHARE = 0.5  # of the rows in a list, above which one search for each target is as good

Scored = tuple[Run, list[Scoring]]
# Scores (p,) in the caller's order, and as `PairWeights` finishes: features, ids of the rows, and sums of the weights
Together = tuple[np.ndarray, tuple[Features, np.ndarray, WeightSums]]


def weighed_lists(runs: Sequence[Run], near: Neighbours) -> PairList:
    """Pairs of weighed lists, with weights for the targets of T runs of the same rows."""
    weights = [run.update.pair_weights(near, run.target, len(near.rows)) for run in runs]
    return PairList.of_lists(near.rows, near.cols, weights, runs[0].sums.dtype)


@dataclass
class SharedPairs:
    """Scores for one target after another, whose rows, features and distances are the same."""

    start: Callable[[Target], Run]  # starts a run for a target
    neighbourhood: Neighbourhood  # which pairs count
    _run: Run | None = None
    _near: Neighbours | None = None
    _zones: "KnownZones | None" = None

    def scored(self, target: Target, each: bool = False, outputs: Sequence[Output] = ()) -> Scored:
        """Run of a target and its scores, with those of each of several targets if wanted: the same bits as alone."""
        if self.neighbourhood.form == ALL_LISTS:
            lists = self._by_lists(target)
            if lists:
                run, near = lists
                targets = [run.target, *(map(run.target.part, range(len(target.names))) if each else ())]
                runs = [replace(run, target=target) for target in targets]
                return run, [own.by_neighbours(self.neighbourhood, near, outputs) for own in runs]
        if target.is_residual and self.neighbourhood.has_zones:  # which know no target, and are remembered
            if self._run is None:
                run = self.start(target)
                self._run = run if run.means else run.remembering(zones=True)
                if not run.means:
                    self.neighbourhood = self.neighbourhood.settled(self._run, run.update.relation(run.target))
            run = self._run.with_target(target)
            return run, run.scored(self.neighbourhood, outputs=outputs)
        run = self.start(target)
        if self._run or not self.neighbourhood.has_zones or run.means or run.features.missing:
            return run, run.scored(self.neighbourhood, each, outputs)
        radius = cast("Radius", self.neighbourhood)
        pairs, relation = run.remembering(zones=True), run.update.relation(run.target)
        run.work.plan(radius.plan(pairs, False))
        zones, counts = radius.settled_zones(pairs, relation)
        found = [pairs.by_tiles(radius.weigh_zones(relation, zones, counts), outputs)]
        self._run, self._zones = run, KnownZones.of(radius, zones, run)
        return run, found

    @property
    def shares(self) -> bool:
        """True if pairs are known that targets share."""
        run = self._run
        if run is None or run.means or run.features.missing or run.update.above_mean:
            return False
        return self._zones is not None or self._near is not None

    def together(self, targets: Sequence[Target]) -> list[Together | None]:
        """Scores for each of several targets that share pairs; None for those that must be scored alone."""
        run = cast("Run", self._run)
        runs = [run.with_target(target) for target in targets]
        if run.update.balances and self._near:
            near = self.neighbourhood.weigh(self._near)
            runs = [one.balanced(self.neighbourhood, near) for one in runs]
        if self._zones:
            return [(run.unsort(found), (run.features, run.ids, sums)) for found, sums in self._zones.scores(runs)]
        pairs, done = self._listed(runs, cast("Neighbours", self._near))
        found = iter(scores_of_lists(run, pairs) if done.any() else ())
        return [next(found) if some else None for some in done]

    def _listed(self, runs: Sequence[Run], near: Neighbours) -> tuple[PairList, np.ndarray]:
        """Pairs of the lists that weigh something for any target, with weights for those of the targets whose lists are
        long enough, and which these are."""
        neighbourhood, first = cast("KNearest", self.neighbourhood), runs[0]
        n_targets, dtype = len(runs), first.features.values.dtype
        if first.update.search_groups(first.target) is None:
            return weighed_lists(runs, neighbourhood.weigh(near)), np.ones(n_targets, bool)
        k, m, n_groups = neighbourhood.n_neighbors, len(near.rows), 2
        by_class = first.update.by_class(first.target)
        classes = np.stack([run.target.classes for run in runs], axis=1).astype(np.int32)
        if by_class:
            n_groups = int(classes.max()) + 1
        every = np.ones((m, n_groups), bool)
        signs = np.stack([cast("Any", run.update).signs(every, near.rows, run.target) for run in runs], axis=2) / m
        starts, cols = np.zeros(m + 1, np.int64), np.empty(near.cols.size, near.cols.dtype)
        W = np.empty((near.cols.size, n_targets), dtype)
        short = np.zeros(n_targets, bool)
        of_place = place_weights(k, neighbourhood.sigma)
        lists = near.rows, near.cols[:, 0], near.distances[:, 0]
        _walk(lists, classes, by_class, of_place, signs, starts, cols, W, short)
        done = np.array([w is not None for w in (wide_enough(np.bincount(run.target.classes), k) for run in runs)])
        done &= ~short
        q = starts[-1]
        return PairList(near.rows, starts, cols[:q], W[:q] if done.all() else W[:q, done]), done

    def _by_lists(self, target: Target) -> tuple[Run, Neighbours] | None:
        """Run without classes and lists by class; None: search them for this target alone."""
        neighbourhood = cast("KNearest", self.neighbourhood)
        if self._run is None:
            self._run = self.start(target if target.is_residual else Unlabelled(target.n, 1))
        run = self._run.with_target(target)
        groups, k = run.update.search_groups(run.target), neighbourhood.n_neighbors
        if run.features.missing and (groups is not None or run.strategy == CONDITIONAL):
            return None  # distances, or the order of sums, depend on the classes
        wide = k if groups is None else wide_enough(np.bincount(groups), k)
        if wide is None:
            return None
        if self._near is None:
            run.work.plan(neighbourhood.plan(run, run.means is not None))
            if groups is not None:  # lists are cut by class: ranks, as those with weights
                neighbourhood = replace(neighbourhood, n_neighbors=wide, sigma=neighbourhood.sigma or 1.0)
            self._near = run.find(neighbourhood)
            neighbourhood = cast("KNearest", self.neighbourhood)
        if groups is None:
            return run, self._near
        near = nearest_of_classes(self._near, groups, k)
        if near is None:
            return None
        merged = groups.max() > 1 and not run.update.by_class(run.target)
        ordered = run.target.by_distance or merged or neighbourhood.sigma is not None
        return run, near if ordered else by_row(near, run.ids)


def wide_enough(counts: np.ndarray, k: int) -> int | None:
    """Number of nearest rows of any class among which k of each class are almost always found; None: too many.

    Shapes: `counts` (G,).
    """
    n, share = counts.sum(), counts.min() / counts.sum()
    if counts.min() <= k:
        return None
    wide = MIN_WIDENING * k
    while share * wide - DEVIATIONS_LEFT * np.sqrt(wide * share * (1 - share)) < k and wide <= n:
        wide += k
    return wide if wide <= MAX_LIST_SHARE * n else None


def nearest_of_classes(near: Neighbours, groups: np.ndarray, k: int) -> Neighbours | None:
    """The k nearest rows of every class, from lists without classes; None where a list ends before.

    Shapes: `groups` (n,).
    """
    cols, distances = near.cols[:, 0], near.distances[:, 0]
    shape = len(cols), int(groups.max()) + 1, k
    found = np.full(shape, -1, cols.dtype), np.full(shape, np.inf)
    of_class = np.where(cols >= 0, groups[cols], -1)
    for g in range(shape[1]):
        inside = of_class == g
        place = np.cumsum(inside, axis=1)
        if len(place) and place[:, -1].min() < k:
            return None
        rows, at = np.nonzero(inside & (place <= k))
        for out, values in zip(found, (cols, distances), strict=True):
            out[:, g] = values[rows, at].reshape(-1, k)
    return Neighbours(near.rows, *found)


def scores_of_lists(run: Run, pairs: PairList) -> Iterator[Together]:
    """Scores for each of T targets from the pairs of all rows, in the order of the rows."""
    n_targets = pairs.weights.shape[1]
    parts = [pairs.of_rows(a, b) for a, b in pairwise(np.linspace(0, len(pairs.rows), PARTS + 1).astype(int))]
    if summed_together(run.features):

        def part(number: int) -> np.ndarray:
            out = np.zeros((n_targets, run.features.padded))
            run.work.tick()
            add_pair_sums(run.features, parts[number], out)
            return out

        scores = run.work.here.total(part)[:, : run.p]
    else:
        found = []
        for t in range(n_targets):
            lists = [[of_part.of_target(t)] for of_part in parts]
            found.append(run.reduce(lists, [Scores(run.sums)])[0])
        scores = np.array(found)
    for found, sums in zip(scores, sums_of_lists(run.n, pairs), strict=True):
        yield run.unsort(found), (run.features, run.ids, sums)


def summed_together(features: Features) -> bool:
    """True if the sums for many targets are taken in one pass over the pairs."""
    return not (features.is_sparse or features.packed or features.missing)


@dataclass(frozen=True, eq=False)
class KnownZones:
    """Rows in the zones of each row, which do not depend on the target."""

    radius: Radius  # what the zones are made by
    zones: Zones  # with bits that are remembered

    @classmethod
    def of(cls, radius: Radius, zones: Zones, run: Run) -> "KnownZones | None":
        """Zones of a run whose bits are remembered, or made now, without the tiles that they were made from; None where
        there are too many pairs."""
        if zones.bits is None:
            zones = Zones.of(zones.pairs, zones.each, here=True)
            if zones.bits is None:
                return None
            nothing = np.zeros(zones.pairs.n)
            zones.pairs.work.here.map(lambda part: deque(zones.made(part, nothing), maxlen=0), range(PARTS))
        return cls(radius, replace(zones, pairs=run))

    def scores(self, runs: Sequence[Run]) -> Iterator[tuple[np.ndarray, WeightSums]]:
        """Scores, as the runs order features, and sums of weights for the targets of runs of the same rows."""
        first, n_targets = runs[0], len(runs)
        if not summed_together(first.features):
            for run in runs:
                with SERIAL_ALGEBRA:
                    (relation,), (tables,) = self._tables([run])
                weigh = WeighedZones(self.zones, group_weights(relation, tables)).weigh
                scores, (_, _, sums) = run.reduce(weigh, [Scores(run.sums), PairWeights()])
                yield scores, sums
            return
        with SERIAL_ALGEBRA:
            weights = TargetWeights.of(*self._tables(runs))
        first.work.plan(first.n_pairs)

        def part(number: int) -> States:
            out = np.zeros((n_targets, first.features.padded))
            squares, of_rows = np.zeros(n_targets), np.zeros((first.n, n_targets))
            for pairs in weights.lists(self.zones, number):
                first.work.tick()
                add_pair_sums(first.features, pairs, out)
                add_weight_sums(*pairs, (0, 0), squares, of_rows, of_rows)
            return States([out, squares, of_rows])

        found, squares, of_rows = first.work.here.total(part).each
        yield from zip(found[:, : first.p], weight_sums(squares, of_rows), strict=True)

    def _tables(self, runs: Sequence[Run]) -> tuple[list[Relation], list[list[np.ndarray]]]:
        """Relations of rows by the targets of some runs, and for each of them and each zone the weights (G, n) of a
        row of a group."""
        first, relations = runs[0], [run.update.relation(run.target) for run in runs]
        if relations[0].by_class:
            counts = self._count_classes(first, np.stack([run.target.classes for run in runs], axis=1))
        else:
            counts = self._count_hits(first, relations)
        sides = [zone.side for zone in self.zones.each]
        of_targets = zip(runs, relations, counts.transpose(3, 0, 1, 2), strict=True)
        return relations, [self.radius.tables(run, own, sides, count) for run, own, count in of_targets]

    def _count_hits(self, run: Run, relations: Sequence[Relation]) -> np.ndarray:
        """Numbers (zones, 2, n, T) of the hits and misses in the zones of each row."""
        values = np.stack([cast("np.ndarray", relation.values) for relation in relations], axis=1) * 1.0
        widths = np.array([relation.width for relation in relations], float)
        counts = np.zeros((len(self.bits), 2, *values.shape))
        for bits, (hits, misses) in zip(self.bits, counts, strict=True):
            total = np.zeros(run.n)
            _count_misses(bits, run.m, values, widths, total, misses)
            hits[:] = total[:, None] - misses
        return counts

    @property
    def bits(self) -> np.ndarray:
        """Bits of all pairs, as `Zones.bits`."""
        return cast("np.ndarray", self.zones.bits)

    def _count_classes(self, run: Run, classes: np.ndarray) -> np.ndarray:
        """Numbers (zones, G, n, T) of the rows of each class in the zones of each row, classes (n, T)."""
        n, G = len(classes), int(classes.max()) + 1
        members = (classes[:, None] == np.arange(G)[:, None]).reshape(n, -1).astype(np.float32)
        counts = np.zeros((len(self.bits), n, members.shape[1]), np.float32)
        for start in range(0, run.m, ROWS_COUNTED):
            run.work.tick()
            here = slice(start, min(start + ROWS_COUNTED, run.m))
            for bits, count in zip(self.bits, counts, strict=True):
                mine, theirs = np.unpackbits(bits[:, here].view(np.uint8), axis=2, count=n, bitorder="little")
                count[here] += mine.astype(np.float32) @ members
                count += theirs.astype(np.float32).T @ members[here]
        return np.asarray(counts.reshape(len(counts), n, G, -1).transpose(0, 2, 1, 3))


@kernel
def _walk(lists, classes, by_class, of_place, signs, starts, cols, W, short):
    """Nearest k of each class, or hits and misses, for T targets, from lists in order without classes: pairs that weigh
    something for any of them, where those of each row begin, starts (m + 1,), and their weights.

    lists: rows (m,), cols and distances (m, q); signs (m, G, T): factors of the mean diffs; short (T,): set where a
    list ends before there are k.
    """
    own_rows, near, distances = lists
    (m, n_groups, n_targets), k, q = signs.shape, len(of_place), 0
    count, place = np.empty((n_groups, n_targets), np.int64), np.empty((n_groups, n_targets), np.int64)
    total, last = np.empty((n_groups, n_targets)), np.empty((n_groups, n_targets))
    for b in range(m):
        count[:], total[:], left, start, own = 0, 0, n_groups * n_targets, q, classes[own_rows[b]]
        for s in range(near.shape[1]):
            j = near[b, s]
            if left == 0 or j < 0:
                break
            d, theirs, some, w = distances[b, s], classes[j], False, W[q]
            for t in range(n_targets):
                g = theirs[t] if by_class else (1 if theirs[t] != own[t] else 0)
                c = count[g, t]
                w[t] = 0
                if c < k:
                    if c == 0 or d > last[g, t]:
                        place[g, t], last[g, t] = c, d
                    w[t] = of_place[place[g, t]]
                    total[g, t] += of_place[place[g, t]]
                    count[g, t] = c + 1
                    left -= c + 1 == k
                    some = True
            if some:
                cols[q] = j
                q += 1
        starts[b + 1] = q
        for r in range(start, q):
            theirs, w = classes[cols[r]], W[r]
            for t in range(n_targets):
                g = theirs[t] if by_class else (1 if theirs[t] != own[t] else 0)
                if w[t] != 0:
                    w[t] *= signs[b, g, t] / total[g, t]
        if left:
            for g in range(n_groups):
                for t in range(n_targets):
                    short[t] |= count[g, t] < k


@kernel
def _count_misses(bits, m, values, widths, total, misses):
    """Rows in the zone of each row, added to total (n,), and misses among them, to misses (n, T): rows whose values
    (n, T) differ by at least widths (T,)."""
    one = np.uint64(1)
    for i in range(m):
        for word in range(bits.shape[2]):
            mine, theirs = bits[0, i, word], bits[1, i, word]
            if mine | theirs:
                for b in range(64):
                    inside, around = (mine >> np.uint64(b)) & one, (theirs >> np.uint64(b)) & one
                    if inside | around:
                        j = word * 64 + b
                        x, y, v, u = np.float64(inside), np.float64(around), values[i], values[j]
                        total[i] += x
                        total[j] += y
                        own, others = misses[i], misses[j]
                        for t in range(len(widths)):
                            miss = 1.0 if abs(v[t] - u[t]) >= widths[t] else 0.0
                            own[t] += x * miss
                            others[t] += y * miss
