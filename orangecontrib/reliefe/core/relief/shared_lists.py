"""Lists of neighbours that many targets share.

The nearest rows of any class are searched once, so many that there are almost always k of each class among them.  The
lists of a target are cut from these; for many targets they are cut together, and scored together.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, cast

import numpy as np

from ..data.expected import CONDITIONAL
from ..kernels.jit import kernel
from ..targets.targets import Target
from ..targets.unlabelled import Unlabelled
from ..work.threads import PARTS
from .formats.features import Features
from .formats.lists import Neighbours
from .formats.pair_sums import PairList, add_pair_sums, sums_many_targets
from .neighbourhoods.k_nearest import KNearest, by_row
from .outputs import Scores
from .places import place_weights
from .run import Run
from .weight_sums import WeightSums, sums_of_lists

MIN_WIDENING = 8  # times as many neighbours without classes as are wanted of each class, at least
# Standard deviations of the number of rows of the rarest class among them that are left as a margin
DEVIATIONS_LEFT = 5.0
MAX_LIST_SHARE = 0.5  # of the rows in a list, above which one search for each target is as good
ORDERED = 1.0  # any `sigma`: lists are searched in the order of distances, to be cut by class

# Scores (p,) in the caller's order, and as `PairWeights` finishes: features, ids of the rows, and sums of the weights
ScoredTarget = tuple[np.ndarray, tuple[Features, np.ndarray, WeightSums]]


@dataclass
class SharedLists:
    """Lists of the nearest rows of any class, searched when a first target asks for them."""

    start: Callable[[Target], Run]  # starts a run for a target
    neighbourhood: KNearest  # k, and the weights of places
    run: Run | None = None  # without classes
    near: Neighbours | None = None  # nearest rows, those of all classes in one group

    @property
    def are_known(self) -> bool:
        """True if the lists were searched, and scores are sums over their pairs."""
        run = self.run
        if run is None or run.means or run.features.missing or run.update.above_mean:
            return False
        return self.near is not None

    def of_target(self, target: Target) -> tuple[Run, Neighbours] | None:
        """Run and lists of a target; None: they must be searched for this target alone."""
        if self.run is None:
            self.run = self.start(target if target.is_residual else Unlabelled(target.n, 1))
        run = self.run.with_target(target)
        classes = run.update.search_groups(run.target)
        if run.features.missing and (classes is not None or run.strategy == CONDITIONAL):
            return None  # distances, or the order of sums, depend on the classes
        k = self.neighbourhood.n_neighbors
        length = k if classes is None else shared_length(np.bincount(classes), k)
        if length is None:
            return None
        if self.near is None:
            self.near = self._search(run, length, cuts_classes=classes is not None)
        if classes is None:
            return run, self.near
        near = nearest_of_classes(self.near, classes, k)
        if near is None:
            return None
        merges_classes = classes.max() > 1 and not run.update.by_class(run.target)
        needs_order = run.target.by_distance or merges_classes or self.neighbourhood.sigma is not None
        return run, near if needs_order else by_row(near, run.ids)

    def scores(self, runs: Sequence[Run]) -> list[ScoredTarget | None]:
        """Scores for the targets of some runs of the same rows; None for those whose lists are too short."""
        if runs[0].update.parts() is not None:
            near = self.neighbourhood.weigh(cast("Neighbours", self.near))
            runs = [run.balanced(self.neighbourhood, near) for run in runs]
        pairs, is_scored = self._weighed(runs)
        scored = iter(scores_of_lists(runs[0], pairs) if is_scored.any() else ())
        return [next(scored) if of_target else None for of_target in is_scored]

    def _search(self, run: Run, length: int, cuts_classes: bool) -> Neighbours:
        """Lists of the nearest rows of any class."""
        run.work.plan(self.neighbourhood.plan(run, run.means is not None))
        if not cuts_classes:
            return run.find(self.neighbourhood)
        sigma = self.neighbourhood.sigma or ORDERED
        return run.find(replace(self.neighbourhood, n_neighbors=length, sigma=sigma))

    def _weighed(self, runs: Sequence[Run]) -> tuple[PairList, np.ndarray]:
        """Pairs that weigh something for any target, with weights for the targets whose lists are long enough, and
        which targets (T,) these are."""
        first = runs[0]
        near = cast("Neighbours", self.near)
        n_targets = len(runs)
        if first.update.search_groups(first.target) is None:
            return weighed_lists(runs, self.neighbourhood.weigh(near)), np.ones(n_targets, bool)

        # Signs of the groups that a neighbour may be in: its class, or hits and misses
        k = self.neighbourhood.n_neighbors
        m = len(near.rows)
        by_class = first.update.by_class(first.target)
        classes = np.stack([run.target.classes for run in runs], axis=1).astype(np.int32)
        n_groups = int(classes.max()) + 1 if by_class else 2
        every_group = np.ones((m, n_groups), bool)
        of_targets = [cast("Any", run.update).signs(every_group, near.rows, run.target) for run in runs]
        signs = np.stack(of_targets, axis=2) / m

        # Weights of the k nearest rows of each group
        starts = np.zeros(m + 1, np.int64)
        cols = np.empty(near.cols.size, near.cols.dtype)
        weights = np.empty((near.cols.size, n_targets), first.features.values.dtype)
        is_short = np.zeros(n_targets, bool)
        of_place = place_weights(k, self.neighbourhood.sigma)
        lists = near.rows, near.cols[:, 0], near.distances[:, 0]
        _weigh_nearest(lists, classes, by_class, of_place, signs, starts, cols, weights, is_short)

        # As for one target, lists with too few rows of a class are not cut
        is_wide = np.array([shared_length(np.bincount(run.target.classes), k) is not None for run in runs])
        is_scored = is_wide & ~is_short
        n_pairs = starts[-1]
        weights = weights[:n_pairs]
        return PairList(
            near.rows, starts, cols[:n_pairs], weights if is_scored.all() else weights[:, is_scored]
        ), is_scored


def weighed_lists(runs: Sequence[Run], near: Neighbours) -> PairList:
    """Pairs of weighed lists, with weights for the targets of T runs of the same rows."""
    weights = [run.update.pair_weights(near, run.target, len(near.rows)) for run in runs]
    return PairList.of_lists(near.rows, near.cols, weights, runs[0].sums.dtype)


def shared_length(counts: np.ndarray, k: int) -> int | None:
    """Number of nearest rows of any class among which k of each class are almost always found; None: too many.

    Shapes: `counts` (G,).
    """
    if counts.min() <= k:
        return None
    n = counts.sum()
    rarest = counts.min() / n
    length = MIN_WIDENING * k
    while rarest * length - DEVIATIONS_LEFT * np.sqrt(length * rarest * (1 - rarest)) < k and length <= n:
        length += k
    return length if length <= MAX_LIST_SHARE * n else None


def nearest_of_classes(near: Neighbours, groups: np.ndarray, k: int) -> Neighbours | None:
    """The k nearest rows of every class, from lists without classes; None where a list ends before.

    Shapes: `groups` (n,).
    """
    cols, distances = near.cols[:, 0], near.distances[:, 0]
    shape = len(cols), int(groups.max()) + 1, k
    nearest = np.full(shape, -1, cols.dtype), np.full(shape, np.inf)
    of_class = np.where(cols >= 0, groups[cols], -1)
    for g in range(shape[1]):
        inside = of_class == g
        n_inside = np.cumsum(inside, axis=1)
        if len(n_inside) and n_inside[:, -1].min() < k:
            return None
        rows, at = np.nonzero(inside & (n_inside <= k))
        for out, values in zip(nearest, (cols, distances), strict=True):
            out[:, g] = values[rows, at].reshape(-1, k)
    return Neighbours(near.rows, *nearest)


def scores_of_lists(run: Run, pairs: PairList) -> Iterator[ScoredTarget]:
    """Scores for each of T targets from the pairs of all rows, in the order of the rows."""
    n_targets = pairs.weights.shape[1]
    parts = [pairs.of_rows(a, b) for a, b in pairwise(np.linspace(0, len(pairs.rows), PARTS + 1).astype(int))]
    if sums_many_targets(run.features):

        def part(number: int) -> np.ndarray:
            out = np.zeros((n_targets, run.features.padded))
            run.work.tick()
            add_pair_sums(run.features, parts[number], out)
            return out

        scores = run.work.here.total(part)[:, : run.p]
    else:
        of_targets = []
        for t in range(n_targets):
            lists = [[of_part.of_target(t)] for of_part in parts]
            of_targets.append(run.reduce(lists, [Scores(run.sums)])[0])
        scores = np.array(of_targets)
    for scores_of_target, sums in zip(scores, sums_of_lists(run.n, pairs), strict=True):
        yield run.unsort(scores_of_target), (run.features, run.ids, sums)


@kernel
def _weigh_nearest(lists, classes, by_class, of_place, signs, starts, cols, weights, is_short):
    """Weigh the nearest k rows of each class, or the k hits and k misses, for T targets, from lists without classes.

    A neighbour j of row i in group g weighs ``signs[i, g, t] w[place] / (sum of w over the k rows of the group)`` for
    target t, with w = of_place; rows at equal distances share the place of the first one.  Pairs that weigh something
    for any target are listed.

    lists: rows (m,), cols (m, length) and distances (m, length), the nearest first.
    signs: (m, G, T), factors of the mean diffs of the groups.
    starts (m + 1,), cols and weights (pairs, T): the list of pairs, which is written.
    is_short (T,): set where a list ends before there are k rows of each group.
    """
    rows, near, distances = lists
    m, n_groups, n_targets = signs.shape
    k = len(of_place)
    n_taken = np.empty((n_groups, n_targets), np.int64)
    place = np.empty((n_groups, n_targets), np.int64)
    last_distance = np.empty((n_groups, n_targets))
    total = np.empty((n_groups, n_targets))
    q = 0
    for b in range(m):
        # Rows of the list, until each group has k of them for each target
        n_taken[:] = 0
        total[:] = 0
        n_unfilled = n_groups * n_targets
        own = classes[rows[b]]
        start = q
        for s in range(near.shape[1]):
            j = near[b, s]
            if n_unfilled == 0 or j < 0:
                break
            distance = distances[b, s]
            theirs = classes[j]
            weights_of_pair = weights[q]
            is_listed = False
            for t in range(n_targets):
                g = theirs[t] if by_class else (1 if theirs[t] != own[t] else 0)
                taken = n_taken[g, t]
                weights_of_pair[t] = 0
                if taken < k:
                    if taken == 0 or distance > last_distance[g, t]:  # else it shares the place of an equally near row
                        place[g, t] = taken
                        last_distance[g, t] = distance
                    weights_of_pair[t] = of_place[place[g, t]]
                    total[g, t] += of_place[place[g, t]]
                    n_taken[g, t] = taken + 1
                    if taken + 1 == k:
                        n_unfilled -= 1
                    is_listed = True
            if is_listed:
                cols[q] = j
                q += 1
        starts[b + 1] = q

        # Shares of the group, with its sign
        for r in range(start, q):
            theirs = classes[cols[r]]
            weights_of_pair = weights[r]
            for t in range(n_targets):
                g = theirs[t] if by_class else (1 if theirs[t] != own[t] else 0)
                if weights_of_pair[t] != 0:
                    weights_of_pair[t] *= signs[b, g, t] / total[g, t]
        if n_unfilled:
            for g in range(n_groups):
                for t in range(n_targets):
                    is_short[t] |= n_taken[g, t] < k
