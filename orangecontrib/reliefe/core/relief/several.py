"""Scores for many targets of the same rows, whose pairs are searched once.

The first target is scored as it would be alone.  The others share its lists, or zones, and are scored together: the
diffs of a pair are taken once, and multiplied by its weights for all of them.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, cast

import numpy as np

from ..data.expected import CONDITIONAL
from ..forms.dense import of_part
from ..forms.features import Features, aligned
from ..forms.lists import Neighbours
from ..forms.sums import Lists, Tile
from ..kernels.diff import put_diffs
from ..kernels.jit import kernel
from ..neighbourhoods.base import ALL_LISTS, Neighbourhood
from ..neighbourhoods.k_nearest import KNearest, by_row
from ..neighbourhoods.radius import Radius
from ..neighbourhoods.zones import Zones
from ..outputs.scores import Output, Scores, States
from ..outputs.spread import PairWeights, WeightSums
from ..targets.targets import Target, Unlabelled
from ..work.threads import PARTS, SERIAL_ALGEBRA
from .places import place_weights
from .run import Run, Scoring

MULTIPLIED_AT_ONCE = 12  # targets: libraries have faster products of small matrices
VALUES_AT_ONCE, FEATURES_AT_ONCE = 2**16, 1024  # diffs, which stay in the cache; features of a span
ROWS_COUNTED = 256
TILE = 64, 512  # rows and columns whose pairs are listed together
MIN_WIDENING = 8  # times as many neighbours without classes as are wanted of each class, at least
# Standard deviations of the number of rows of the rarest class among them that are left as a margin
DEVIATIONS_LEFT = 5.0
MAX_LIST_SHARE = 0.5  # of the rows in a list, above which one search for each target is as good

Scored = tuple[Run, list[Scoring]]
# Scores (p,) in the caller's order, and as `PairWeights` finishes: features, ids of the rows, and sums of the weights
Together = tuple[np.ndarray, tuple[Features, np.ndarray, WeightSums]]


def weighed_lists(runs: Sequence[Run], near: Neighbours) -> Lists:
    """Pairs (q, 1) of weighed lists, with weights (q, T) for the targets of T runs of the same rows."""
    m, dtype, there = len(near.rows), runs[0].features.values.dtype, near.cols.ravel() >= 0
    W = np.empty((np.count_nonzero(there), len(runs)), dtype)
    for t, run in enumerate(runs):
        W[:, t] = run.update.pair_weights(near, run.target, m).ravel()[there]
    rows = np.repeat(near.rows, near.cols.shape[1] * near.cols.shape[2])
    return Lists(rows[there], near.cols.reshape(-1, 1)[there], W)


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
        self._run, self._zones = run, KnownZones.of(radius, zones)
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
            near, weights = self.neighbourhood.weigh(self._near), PairWeights()
            runs = [one.balanced(self.neighbourhood, near, weights) for one in runs]
        if self._zones:
            return [(run.unsort(found), (run.features, run.ids, sums)) for found, sums in self._zones.scores(runs)]
        pairs, done = self._listed(runs, cast("Neighbours", self._near))
        found = iter(scores_of_lists(run, pairs) if done.any() else ())
        return [next(found) if some else None for some in done]

    def _listed(self, runs: Sequence[Run], near: Neighbours) -> tuple[Lists, np.ndarray]:
        """Pairs (q, 1) of the lists that weigh something for any target, with weights (q, T) for those of the T targets
        whose lists are long enough, and which these are."""
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
        rows, cols = np.empty((2, near.cols.size), np.int64)
        W = np.empty((near.cols.size, n_targets), dtype)
        short = np.zeros(n_targets, bool)
        of_place = place_weights(k, neighbourhood.sigma)
        lists = near.rows, near.cols[:, 0], near.distances[:, 0]
        q = _walk(lists, classes, by_class, of_place, signs, rows, cols, W, short)
        done = np.array([w is not None for w in (wide_enough(np.bincount(run.target.classes), k) for run in runs)])
        done &= ~short
        return Lists(rows[:q], cols[:q, None], W[:q] if done.all() else W[:q, done]), done

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
        return run, by_row(near, run.ids) if run.double and not ordered else near


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


def scores_of_lists(run: Run, pairs: Lists) -> Iterator[Together]:
    """Scores for each of T targets from pairs (q, 1), in the order of their rows, with weights (q, T)."""
    rows, cols, W, n_targets = pairs.rows, pairs.cols, pairs.weights, pairs.weights.shape[1]
    cuts = np.searchsorted(rows, np.linspace(0, run.m, PARTS + 1).astype(int))
    if multiplies(run.features):

        def part(number: int) -> np.ndarray:
            out, here = np.zeros((n_targets, run.p)), slice(cuts[number], cuts[number + 1])
            add_products(run.features, rows[here], cols[here, 0], W[here], out, run.work.tick)
            return out

        with SERIAL_ALGEBRA:
            scores = run.work.here.total(part)
    else:
        found = []
        for t in range(n_targets):
            some = [np.flatnonzero(W[a:b, t]) + a for a, b in pairwise(cuts)]
            parts = [[Lists(rows[q], cols[q], np.ascontiguousarray(W[q, t : t + 1]))] for q in some]
            found.append(run.reduce(parts, [Scores(run.sums)])[0])
        scores = np.array(found)
    starts = np.searchsorted(rows, np.arange(run.n + 1))
    squares, of_rows = np.zeros(n_targets), np.zeros((run.n, n_targets))
    _list_sums(starts, cols[:, 0], W, squares, of_rows)
    for found, sums in zip(scores, weight_sums(squares, of_rows), strict=True):
        yield run.unsort(found), (run.features, run.ids, sums)


def weight_sums(squares: np.ndarray, of_rows: np.ndarray) -> list[WeightSums]:
    """Sums for T targets from those of the squares (T,) and of each row (n, T)."""
    totals = of_rows.sum(axis=0) / 2, squares, np.einsum("nt,nt->t", of_rows, of_rows)
    return [WeightSums(*map(float, sums)) for sums in zip(*totals, strict=True)]


def multiplies(features: Features) -> bool:
    """True if sums for many targets are products of matrices."""
    return not (features.is_sparse or features.packed or features.missing)


def add_products(
    features: Features, rows: np.ndarray, cols: np.ndarray, W: np.ndarray, out: np.ndarray, tick: Callable[[], object]
) -> None:
    """Add the sums of diffs times weights W (q, T) over pairs to out (T, p), some pairs and features at a time."""
    p, n_targets = features.shape[1], W.shape[1]
    few = -(-n_targets // -(-n_targets // MULTIPLIED_AT_ONCE))
    span, shape = min(p, FEATURES_AT_ONCE), features.diff.shape
    step = max(VALUES_AT_ONCE // span, 1)
    room = np.empty((step, span), features.values.dtype)
    for start in range(0, len(rows), step):
        tick()
        here = slice(start, start + step)
        for first in range(0, p, span):
            last = min(first + span, p)
            diffs = room[: len(rows[here]), : last - first]
            _fill_diffs(features.values, rows[here], cols[here], first, features.n_numeric, shape, diffs)
            for a in range(0, n_targets, few):
                out[a : a + few, first:last] += W[here, a : a + few].T @ diffs


@dataclass(frozen=True, eq=False)
class KnownZones:
    """Rows in the zones of each row, which do not depend on the target."""

    radius: Radius  # what the zones are made by
    sides: tuple[float, ...]  # 1 for a zone of near rows, -1 for one of far ones
    bits: np.ndarray  # as `Zones.bits`

    @classmethod
    def of(cls, radius: Radius, zones: Zones) -> "KnownZones | None":
        """Zones whose bits are remembered, or made now; None where there are too many pairs."""
        if zones.bits is None:
            zones = Zones.of(zones.pairs, zones.each, here=True)
            if zones.bits is None:
                return None
            nothing = np.zeros(zones.pairs.n)
            zones.pairs.work.here.map(lambda part: deque(zones.made(part, nothing), maxlen=0), range(PARTS))
        return cls(radius, tuple(zone.side for zone in zones.each), zones.bits)

    def scores(self, runs: Sequence[Run]) -> Iterator[tuple[np.ndarray, WeightSums]]:
        """Scores, as the runs order features, and sums of weights for the targets of runs of the same rows."""
        first = runs[0]
        if not multiplies(first.features):
            for run in runs:
                with SERIAL_ALGEBRA:
                    weigh = self._weigh(run, *self._tables([run]))
                scores, (_, _, sums) = run.reduce(weigh, [Scores(run.sums), PairWeights()])
                yield scores, sums
            return
        with SERIAL_ALGEBRA:
            relations, tables = self._tables(runs)
        n, n_targets = first.n, len(runs)
        first.work.plan(first.n_pairs)

        def part(number: int) -> States:
            out, squares, of_rows = np.zeros((n_targets, first.p)), np.zeros(n_targets), np.zeros((n, n_targets))
            rows, cols = np.empty((2, TILE[0] * TILE[1]), np.int64)
            W = np.empty((len(rows), n_targets), first.features.values.dtype)
            for i0, j0 in of_part(n, first.m, TILE, 0, number, PARTS):
                where = i0, min(i0 + TILE[0], first.m), j0, min(j0 + TILE[1], n)
                q = _list(self.bits, where, relations, tables, rows, cols, W)
                add_products(first.features, rows[:q], cols[:q], W[:q], out, first.work.tick)
                _tile_sums(rows[:q], cols, W, squares, of_rows)
                first.work.tick((where[1] - i0) * (where[3] - j0))
            return States([out, squares, of_rows])

        with SERIAL_ALGEBRA:
            found, squares, of_rows = first.work.here.total(part).each
        yield from zip(found, weight_sums(squares, of_rows), strict=True)

    def _weigh(self, run: Run, relations: tuple[Any, ...], tables: np.ndarray) -> Callable[[int], Iterator[Tile]]:
        """Tiles of the weights for one target."""

        def tiles(part: int) -> Iterator[Tile]:
            V = aligned(run.distance.shape, run.features.values.dtype)
            rows, cols = np.empty((2, V.size), np.int64)
            W = np.empty((V.size, 1), V.dtype)
            for where in run.places(part):
                q = _list(self.bits, where, relations, tables, rows, cols, W)
                V[:] = 0
                V[rows[:q] - where[0], cols[:q] - where[2]] = W[:q, 0]
                yield Tile(V, where)

        return tiles

    def _tables(self, runs: Sequence[Run]) -> tuple[tuple[Any, ...], np.ndarray]:
        """Relations of rows by the targets of some runs, as kernels read them, and the weights (zones, n, G * T) of a
        row of a group in each zone of a row."""
        first, n_targets = runs[0], len(runs)
        n, shape = first.n, (0, n_targets)
        if first.update.by_class(first.target):
            classes = np.stack([run.target.classes for run in runs], axis=1)
            places = (classes * n_targets + np.arange(n_targets)).astype(np.int32)
            relations: tuple[Any, ...] = places, np.zeros(shape), np.zeros(n_targets)
            counts = self._count_classes(first, classes)
        else:
            values, widths = zip(*(run.target.steps for run in runs), strict=True)
            relations = np.zeros(shape, np.int32), np.stack(values, axis=1) * 1.0, np.array(widths, float)
            counts = np.zeros((len(self.bits), 2, n, n_targets))
            for bits, (hits, misses) in zip(self.bits, counts, strict=True):
                total = np.zeros(n)
                _count_misses(bits, first.m, *relations[1:], total, misses)
                hits[:] = total[:, None] - misses
        of_targets = counts.transpose(3, 0, 1, 2)
        tables = [
            self.radius.tables(run, run.update.relation(run.target), self.sides, count)
            for run, count in zip(runs, of_targets, strict=True)
        ]
        found = np.array(tables).transpose(1, 3, 2, 0)  # (T, zones, G, n) -> (zones, n, G, T)
        return relations, np.ascontiguousarray(found).reshape(len(counts), n, -1)

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
def _walk(lists, classes, by_class, of_place, signs, rows, cols, W, short):
    """Nearest k of each class, or hits and misses, for T targets, from lists in order without classes: pairs that weigh
    something for any of them, and their weights; returns how many there are.

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
                rows[q], cols[q] = own_rows[b], j
                q += 1
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
    return q


@kernel
def _list_sums(starts, cols, W, squares, of_rows):
    """Sums of the folded weights (q, T) of pairs in lists: of their squares, and of each row; starts (n + 1,) of the
    lists of the rows."""
    for i in range(len(starts) - 1):
        for q in range(starts[i], starts[i + 1]):
            j, w, twin = cols[q], W[q], -1
            for r in range(starts[j], starts[j + 1]):
                if cols[r] == i:
                    twin = r
            other = W[max(twin, 0)]
            for t in range(len(w)):
                v = np.float64(w[t])
                squares[t] += v * (v + (other[t] if twin >= 0 else 0.0))
                of_rows[i, t] += v
                of_rows[j, t] += v


@kernel
def _tile_sums(rows, cols, W, squares, of_rows):
    """The same of pairs whose weights are folded."""
    for q in range(len(rows)):
        mine, theirs, w = of_rows[rows[q]], of_rows[cols[q]], W[q]
        for t in range(len(squares)):
            v = np.float64(w[t])
            squares[t] += v * v
            mine[t] += v
            theirs[t] += v


@kernel
def _fill_diffs(X, rows, cols, first, n_numeric, shape, out):
    """Diffs (q, c) of pairs, of the features from `first` on."""
    last = first + out.shape[1]
    cut = min(max(n_numeric - first, 0), out.shape[1])
    for q in range(len(rows)):
        put_diffs(X[rows[q], first:last], X[cols[q], first:last], cut, shape, out[q])


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


@kernel
def _list(bits, where, relations, tables, rows, cols, W):
    """Pairs of a tile that are in any zone, with weights (q, T); returns how many there are.

    bits (zones, 2, n, words); tables (zones, n, G * T); relations: places (n, T) of the classes of the rows in a row of
    `tables`, or values (n, T), and widths (T,) by which those of misses differ.
    """
    (i0, i1, j0, j1), (places, values, widths), one, q = where, relations, np.uint64(1), 0
    n_zones, n_targets = len(bits), W.shape[1]
    for i in range(i0, i1):
        for word in range(max(j0, i + 1) >> 6, (j1 + 63) >> 6):
            either = np.uint64(0)
            for z in range(n_zones):
                either |= bits[z, 0, i, word] | bits[z, 1, i, word]
            if not either:
                continue
            for b in range(64):
                j = word * 64 + b
                if not (either >> np.uint64(b)) & one or j < j0 or j >= j1:
                    continue
                w = W[q]
                w[:] = 0
                for z in range(n_zones):
                    mine, theirs = tables[z, i], tables[z, j]
                    x = W.dtype.type((bits[z, 0, i, word] >> np.uint64(b)) & one)
                    y = W.dtype.type((bits[z, 1, i, word] >> np.uint64(b)) & one)
                    if len(places):
                        own, other = places[i], places[j]
                        for t in range(n_targets):
                            w[t] += x * mine[other[t]] + y * theirs[own[t]]
                    else:
                        v, u = values[i], values[j]
                        for t in range(n_targets):
                            g = t + n_targets * (abs(v[t] - u[t]) >= widths[t])
                            w[t] += x * mine[g] + y * theirs[g]
                rows[q], cols[q] = i, j
                q += 1
    return q
