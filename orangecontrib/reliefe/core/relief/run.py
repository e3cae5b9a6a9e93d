"""One ranking under way: the rows in order, and the ways in which weights of pairs become scores."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ..data.diff import Diff
from ..data.features import Features, aligned
from ..data.missing import CLUS, CONDITIONAL, IGNORE, SEPARATE, Corrections
from ..data.table import DataTable
from ..data.targets import SEVERAL, Target
from ..parallel import PARTS, Work
from .distances import DenseManhattan, Distance, Stored
from .double_precision import Exact
from .neighbours import Locks, Neighbours
from .row_means import Means
from .spans import by_spans, in_spans
from .sparse import SparseManhattan, SparseSums
from .sums import DenseSums, Sums
from .sweep import Sweep
from .updates import Probability, QuotientPerRow, Update

BLOCK = 32  # rows whose means are taken at once
ROUGH = 2**25  # pairs above which those at a threshold are not looked at again


def manhattan(features: Features) -> Distance:
    """Sum of diffs over the features, in the form that fits the data."""
    return SparseManhattan(features) if features.is_sparse else DenseManhattan(features)


def sums(features: Features, distance: Distance) -> Sums:
    """The sums over pairs, in the form that fits the data; shares what the distance has made of them."""
    return SparseSums(features, getattr(distance, "index", None)) if features.is_sparse else DenseSums(features)


class Neighbourhood(Protocol):
    """Which pairs count, and how much."""

    revisits: bool  # whether it asks for every tile more than once

    def plan(self, run: "Run") -> float:
        """Pairs that will be looked at."""

    def scores(self, run: "Run", update: Update) -> np.ndarray:
        """(p,) in the order of the run's features."""


@dataclass
class Run:
    """One ranking under way: rows in run order (targets first, then by group), tiles, sums."""

    features: Features
    target: Target
    groups: np.ndarray  # (n,) int32: the classes that neighbours are sought in
    ids: np.ndarray  # (n,) original row, which breaks ties
    m: int  # the first m rows are the targets
    distance: Distance
    update: Update
    work: Work
    exact: Exact | None = None  # where distances are in single precision
    average: bool = False  # diff to the mean neighbour, instead of mean diff
    strategy: str = IGNORE

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
    ) -> "Run":
        """Rows and columns put in order and scaled.

        chosen (n,) bool: the target rows; strategy: for missing values; coordinates: makes a distance from the order of
        the rows, instead of that of the features; dtype: float32 or float64, None: by the size of the data; kept (n,):
        rows of the table that are ranked, ascending, None: all.
        """
        diff, n = diff or Diff(), table.shape[0] if kept is None else len(kept)
        groups = update.search_groups(target)
        groups = np.zeros(n, np.int32) if groups is None else groups
        rows = np.lexsort((groups, ~chosen))
        of_table = rows if kept is None else kept[rows]
        features = Features.build(table, of_table, groups[rows], strategy, diff, dtype)
        exact = None if features.exact or coordinates else Exact(table, of_table, features, strategy)
        distance = coordinates(rows) if coordinates else manhattan(features)
        order = target.take(rows), groups[rows], rows, int(chosen.sum())
        return cls(features, *order, distance, update, work, exact, average, strategy)

    def scores(self, neighbourhood: Neighbourhood) -> np.ndarray:
        """(p,) in the caller's order of features."""
        if neighbourhood.revisits and not self.row_wise:
            double = self.exact is None and self.n * self.m <= ROUGH
            self.distance = Stored(self.distance, self.n, self.m, np.float64 if double else np.float32)
        self.work.plan(neighbourhood.plan(self))
        return self.unsort(neighbourhood.scores(self, self.update))

    def with_each(self, neighbourhood: Neighbourhood, each: bool) -> tuple[np.ndarray, np.ndarray | None]:
        """Scores (p,), and (t, p) those for `each` of several targets, from the same neighbours."""
        count = len(self.target.names) if each and self.target.task in SEVERAL else 0
        ordered, found = self.target, []
        for number in self.work.split(1 + count):
            self.target = ordered if number == 0 else ordered.part(number - 1)
            found.append(self.scores(neighbourhood))
        self.target = ordered
        return found[0], np.array(found[1:]) if count else None

    def grid(
        self, near: Neighbours, counts: Iterable[int], chosen: Sequence[np.ndarray], sigma: float | None = None
    ) -> Iterator[np.ndarray]:
        """Scores (p,) for every number of neighbours in `counts` and all target rows in `chosen`, masks (n,) as the
        caller numbers rows, from lists of all of them."""
        for k in counts:
            for mask in chosen:
                yield self.unsort(self.by_lists(near.cut(k, mask[self.ids[near.rows]]).weigh(sigma)))

    def unsort(self, scores: np.ndarray) -> np.ndarray:
        """(p,) in the order of the features of the run -> in the caller's, 0 for constant ones."""
        scores = self.features.unsort(scores)
        if self.strategy not in (SEPARATE, CLUS):  # there a missing value differs from the only known one
            scores[self.features.constant] = 0
        return scores

    def __post_init__(self):
        self.found: dict[str, np.ndarray] = {}  # what a neighbourhood or an update has to tell
        self.lists: Neighbours | None = None  # of k nearest rows, for a second look with another target
        self.n, self.p = self.features.shape
        self.n_groups = int(self.groups.max()) + 1
        cuts = np.append(np.flatnonzero(np.diff(self.groups)) + 1, self.n)
        # where a row's run of equal groups ends
        self.ends = cuts[np.searchsorted(cuts, np.arange(self.n), side="right")]
        self.sweep, self.sums = Sweep(self.work, self.n, self.m), sums(self.features, self.distance)
        self.means = Means(self.features, self.average)
        self.row_wise = self.average or (self.features.missing is not None and self.features.missing.ignore)

    @cached_property
    def locks(self) -> Locks:
        return Locks(self.n, self.distance.shape[0])

    @cached_property
    def mean_distance(self) -> float | None:
        """Mean distance of all pairs, where sorting the columns gives it sooner than a pass over the tiles."""
        f = self.features
        if f.is_sparse or f.missing or not f.diff.plain or not self.m == self.n > min(32 * self.p, 8192):
            return None
        return self.work.total(lambda part: f.column_distances(part, PARTS)) / (self.n * (self.n - 1) / 2)

    @property
    def settles(self) -> bool:
        """Whether pairs at a threshold are worth a second look: among many rows each of them weighs next to nothing."""
        return self.exact is not None and self.n * self.m <= ROUGH

    def tiles(self, part: int) -> Iterator[tuple[np.ndarray, tuple[int, int, int, int]]]:
        return self.sweep.tiles(self.distance, part, PARTS)

    def blocks(self, part: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The same, several at once, where tiles are remembered."""
        return self.sweep.blocks(self.distance, part, PARTS)

    def relation_tile(self, where: tuple[int, int, int, int]) -> np.ndarray | None:
        """Hits (0) and misses (1) of a tile, or None where groups tell them."""
        if self.update.by_class(self.target):
            return None
        i0, i1, j0, j1 = where
        return self.update.relation(self.target, np.arange(i0, i1)[:, None], np.arange(j0, j1))

    def by_lists(self, near: Neighbours) -> np.ndarray:
        """Scores from the lists of all targets, or of some of them where rows do not depend on each other."""
        self.distance.forget()
        if self.row_wise:
            blocks = [near[s : s + BLOCK] for s in range(0, len(near.rows), BLOCK)]
            return self.by_means(lambda part: ((1.0, block) for block in blocks[part::PARTS]))
        return self.by_pairs(near)

    def by_pairs(self, near: Neighbours) -> np.ndarray:
        """The same where what a pair weighs is a number."""
        self._note(near)
        m = len(near.rows)
        weights = self.update.coefficients(near, self.target, m).reshape(m, -1)
        cols, cuts = near.cols.reshape(m, -1), np.linspace(0, m, PARTS + 1).astype(int)

        def lists(number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            self.work.tick()
            block = slice(cuts[number], cuts[number + 1])
            return near.rows[block], cols[block], weights[block]

        if in_spans(self.features):
            return by_spans(self, lambda number, *where: self.sums.add_pairs(*lists(number), *where))
        return self.work.total(lambda number: self.sums.pairs(*lists(number)))

    def by_blocks(self, blocks: Callable[[int], Iterator[tuple[float, Neighbours]]]) -> np.ndarray:
        """Scores from lists that come in blocks of rows: blocks(part) gives (factor, Neighbours)."""
        if self.row_wise:
            return self.by_means(blocks)
        rest = ()
        if isinstance(self.update, Probability):
            add = self.update.totals
            rest = (self.work.total(lambda part: sum(add(near, self.target) for _, near in blocks(part))),)

        def lists(number: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
            for factor, near in blocks(number):
                self._note(near)
                weights = factor * self.update.coefficients(near, self.target, self.m, *rest)
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

        return by_spans(self, add)

    def by_means(self, blocks: Callable[[int], Iterator[tuple[float, Neighbours]]]) -> np.ndarray:
        """Scores from means that are taken row by row: blocks(part) gives (factor, Neighbours)."""

        def part(number: int) -> np.ndarray:
            total = 0.0
            for factor, near in blocks(number):
                self.work.tick()
                self._note(near)
                found = [self.update.from_means(near, means, self.target) for means in self.means.spans()]
                total += factor * np.concatenate(found, axis=1)
            return total

        return self.update.scores(self.work.total(part), self.m)

    def by_tiles(self, weigh: Callable[[np.ndarray, tuple, np.ndarray], None]) -> np.ndarray:
        """Scores from a weight for every pair: weigh(distances, where, V) fills a tile V of them."""

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

        return by_spans(self, add)

    def told(self, settled: bool = True) -> dict[str, object]:
        """What was done, and what neighbourhood and update had to tell, as plain literals: k taken, rows skipped.

        settled: whether neighbours that single precision cannot tell apart were looked at again.
        """
        strategy, name = self.strategy if self.features.missing else None, self.features.values.dtype.name
        out: dict[str, object] = {"strategy": strategy, "precision": name, "approximate": self._approximate(settled)}
        if "k" in self.found:
            k, sizes = self.found["k"], np.array([self.n - 1])
            if k.shape[1] > 1:
                sizes = np.maximum(np.bincount(self.target.groups, minlength=k.shape[1]), 1)
            out |= {"k_median": float(np.median(k)), "k_share": [float(v) for v in k.mean(axis=0) / sizes]}
        if "skipped" in self.found:
            out["skipped"] = float(self.found["skipped"].mean())
        return out

    def _approximate(self, settled: bool) -> list[str]:
        """Differences from a computation in double precision throughout, with their size, in words."""
        out = []
        if self.features.values.dtype == np.float32:
            out.append("scores: sums in single precision, errors below 1e-7 (with missing values 1e-6)")
        if isinstance(self.distance, Stored) and self.distance.dtype == np.float32 and not self.settles:
            out.append("pairs whose distance is within 4e-6 of a limit may be on either side of it")
        if self.exact and (not settled or (self.features.missing and self.strategy == CONDITIONAL)):
            out.append("rows whose distances agree in six digits may change places among the neighbours")
        return out

    def _note(self, near: Neighbours) -> None:
        """Rows that the update skips."""
        if isinstance(self.update, QuotientPerRow):
            skipped = self.found.setdefault("skipped", np.zeros(self.m, bool))
            skipped[near.rows] = self.update.skipped(near, self.target)

    def mean_of_means(self, blocks: Callable[[int], Iterator[Neighbours]]) -> np.ndarray:
        """Mean over the targets of the weighted means of one group, 0 where nothing is observed."""

        def part(number: int) -> np.ndarray:
            total = np.zeros(self.p)
            for near in blocks(number):
                found = [np.nan_to_num(means.diffs(near)).sum(axis=(0, 1)) for means in self.means.spans()]
                total += np.concatenate(found)
            return total

        return self.work.total(part) / self.m
