"""Scores for every number of neighbours from one search, by sums over the neighbours at each place of lists.

`Recipe.every_k` makes `EveryK` for the curves of `neighbour_curves`, and `BestK` reads `scores_of_every_k`.  The sums
over the first, second, ... neighbours of all rows are taken once (`sums_by_place.py`).  Scores for k neighbours are
sums of the first k of them, times factors (`places.py`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..work.threads import Work
from .balance import balanced_by_lists
from .channel_sums import in_blocks
from .diff_moments import DiffMoments, has_short_form
from .formats.lists import Neighbours
from .formats.row_means import OwnMeans, RowMeans
from .neighbourhoods.base import ListBlock
from .neighbourhoods.k_nearest import KNearest
from .outputs import Total, add_up
from .places import ChannelsByPlace, place_weights
from .run import Run
from .scoring import score_lists
from .sums_by_place import sums_by_place, weighted
from .weight_sums_by_k import MAX_CHANNELS, weight_sums

MAX_SUM_BYTES = 2**26  # of sums by place
MAX_LIST_BYTES = 2**28  # of lists
MIN_ROWS = 4  # fewer have no spread


@dataclass(frozen=True, eq=False)
class EveryK:
    """Sums by place of one ranking; scores are in the caller's order of features."""

    run: Run  # the ranking, scores of which are sums over pairs
    # Lists (m, G, K) of its target rows by the groups of the update, each sorted by distance, not weighed
    neighbours: Neighbours
    places: ChannelsByPlace | None  # their channels; None for updates that are not linear in shares
    sums: np.ndarray | None  # (C * K, p): sums by place, channel after channel; None: there are too many channels
    run_of_features: Callable[[np.ndarray], Run]  # from a mask (p,) of features to a run that has these alone
    # Rows in a list for each of the k neighbours: the number of targets where residuals of all of them share a list
    rows_per_neighbor: int = 1

    @classmethod
    def of(
        cls, run: Run, asked: int, run_of_features: Callable[[np.ndarray], Run], rows_per_neighbor: int = 1
    ) -> "EveryK":
        """Search and sums for up to `asked` neighbours."""
        work = run.work
        most_that_fit = MAX_LIST_BYTES // (16 * run.m * run.n_groups)
        wanted = max(min(asked * rows_per_neighbor, run.longest_list, most_that_fit), 1)
        with work.part(0, 0.7):
            work.plan(run.n_pairs)
            found = run.find(KNearest(wanted), ordered=True)
            neighbours = run.update.regroup(found, run.target, run.ids, wanted)
        neighbours = run.sorted_by_id(neighbours)
        if not run.update.is_linear_in_shares:
            run.distance.forget()
            return cls(
                replace(run, work=Work(work.workers)), neighbours, None, None, run_of_features, rows_per_neighbor
            )
        places = ChannelsByPlace.of(run.update, neighbours, run.target, run.m)
        most_places = max(MAX_SUM_BYTES // (4 * run.p * max(places.count, 1)), 1)
        if most_places < neighbours.cols.shape[2] and places.count <= MAX_CHANNELS:
            neighbours = neighbours.cut(most_places)
            places = ChannelsByPlace.of(run.update, neighbours, run.target, run.m)
        with work.part(0.7, 1):
            sums = _sums(run, neighbours, places) if places.count <= MAX_CHANNELS else None
        run.distance.forget()
        return cls(replace(run, work=Work(work.workers)), neighbours, places, sums, run_of_features, rows_per_neighbor)

    @property
    def K(self) -> int:
        """Largest number of neighbours."""
        return max(int(self.neighbours.cols.shape[2]) // self.rows_per_neighbor, 1)

    @cached_property
    def tied(self) -> bool:
        """True if rows are as near as others in the same list."""
        d, there = self.neighbours.distances, self.neighbours.cols[:, :, 1:] >= 0
        return bool((there & (d[:, :, 1:] == d[:, :, :-1])).any())

    def by_place(self, sigma: float | None) -> bool:
        """True if the weights of neighbours depend on their places alone."""
        return sigma is None or not self.tied

    def at_once(self, sigma: float | None) -> bool:
        """True if scores come from sums by place."""
        return self.sums is not None and self.by_place(sigma)

    def scores(self, k: int, sigma: float | None) -> np.ndarray:
        """Scores (p,) for k neighbours, 1 to K."""
        if self.places is None or self.sums is None or not self.by_place(sigma):
            return self._anew(self.run, k, sigma)
        of_place = place_weights(self.K, sigma)
        factors = self.places.scales(of_place)[k - 1][:, None] * of_place * (np.arange(self.K) < k)
        return self.run.unsort(weighted(self.sums, factors.ravel()))

    def curves(self, features: np.ndarray, sigma: float | None) -> np.ndarray:
        """Scores (K, c) of some features (c,) for 1 to K neighbours."""
        if self.places is None or self.sums is None or not self.by_place(sigma):
            run, order = self._run_of(features)
            return np.array([self._anew(run, k, sigma) for k in range(1, self.K + 1)])[:, order]
        place, of_place = np.argsort(self.run.features.columns)[features], place_weights(self.K, sigma)
        sums = self.sums[:, place].astype(float).reshape(-1, self.K, len(features))
        found: np.ndarray = np.einsum(
            "kc,ckf->kf", self.places.scales(of_place), np.cumsum(sums * of_place[:, None], axis=1)
        )
        found[:, self.run.without_score[features]] = 0
        return found

    def _anew(self, run: Run, k: int, sigma: float | None) -> np.ndarray:
        """Scores of the features of a run, summed anew."""
        nearest = self.neighbours.cut(k * self.rows_per_neighbor)
        nearest = replace(nearest, cols=np.ascontiguousarray(nearest.cols)).weigh(sigma)  # as kernels are compiled for
        balanced = balanced_by_lists(self.run, nearest)  # by all features
        run = replace(run, update=balanced.update)
        return run.unsort(score_lists(run, nearest).scores)

    def spread(self, features: np.ndarray, sigma: float | None) -> tuple[np.ndarray, np.ndarray] | None:
        """Mean and standard deviation (K, c) of these scores over random orders of the values of a feature; None where
        they have no closed form."""
        if self.places is None or self.run.n < MIN_ROWS or not has_short_form(self.run.features.diff):
            return None
        run, order = self._run_of(features)
        moments = DiffMoments.of(run.features)
        sums = weight_sums(self.run, self.neighbours, self.places, sigma, self.by_place(sigma))
        mean, deviation = np.array([moments.spread(one) for one in sums]).transpose(1, 0, 2)
        found = [run.features.unsort(a)[:, order] for a in (mean, deviation)]
        for values in found:
            values[:, self.run.without_score[features]] = 0
        return found[0], found[1]

    def _run_of(self, features: np.ndarray) -> tuple[Run, np.ndarray]:
        """Return a run that has these features (c,) alone, and their numbers in it."""
        mask = np.zeros(self.run.p, bool)
        mask[features] = True
        return replace(self.run_of_features(mask), target=self.run.target), np.cumsum(mask)[features] - 1


def _sums(run: Run, neighbours: Neighbours, places: ChannelsByPlace) -> np.ndarray:
    """Sums by place (C * K, p) in single precision."""
    K = neighbours.cols.shape[2]
    out, row = np.empty((places.count * K, run.p), np.float32), 0
    run.work.plan(len(out))
    for channel in range(places.count):
        for block in sums_by_place(run, neighbours, places.weights(channel)):
            out[row : row + len(block)] = block
            row += len(block)
    return out


def scores_of_every_k(run: Run, neighbours: Neighbours) -> Iterator[np.ndarray]:
    """Scores (p,) for 1, 2, ... neighbours of each group, all of which have as many, without sigma.

    Where scores are sums over pairs, those for k neighbours are the mean of what the places 1 to k add: the time is
    that of the largest k alone.
    """
    if run.means is not None:
        yield from _from_means(run, neighbours)
        return
    neighbours = run.sorted_by_id(neighbours)
    of_first = run.update.pair_weights(neighbours.cut(1).weigh(), run.target, run.m)
    total = np.zeros(run.p)
    k = 0
    for block in sums_by_place(run, neighbours, np.broadcast_to(of_first, neighbours.cols.shape)):
        for added in block:
            total = total + added
            k += 1
            yield run.unsort(total / k)


def _from_means(run: Run, neighbours: Neighbours) -> Iterator[np.ndarray]:
    """Scores (p,) for 1, 2, ... neighbours where means are taken row by row: one more neighbour of each group at a
    time."""
    n_channels = run.update.n_channels

    def of_block(block: ListBlock) -> np.ndarray:
        """Sums and totals (K, C + s, p) of some target rows."""
        rows = block.neighbours
        spans = [np.array(list(_sums_so_far(run, rows, means))) for means in run.mean_spans()]
        return np.concatenate(spans, axis=2)

    added = add_up(run, in_blocks(neighbours), [Total(of_block)])[0]
    for of_k in added:
        yield run.unsort(run.update.scores(of_k[:n_channels], of_k[n_channels:], run.m))


def _sums_so_far(run: Run, neighbours: Neighbours, means: RowMeans) -> Iterator[np.ndarray]:
    """Sums of the channels and totals (C + s, features of a span) for 1, 2, ... neighbours of some rows."""
    first, last = means.span
    weight_and_diff: np.ndarray = np.zeros((2, *neighbours.cols.shape[:2], last - first))
    for place in range(neighbours.cols.shape[2]):
        run.work.tick()
        there = slice(place, place + 1)
        at_place = Neighbours(neighbours.rows, neighbours.cols[:, :, there], neighbours.distances[:, :, there]).weigh()
        weight_and_diff += means.sums(at_place, np.zeros((1, 1, 1)))[:2]
        weight, diff = weight_and_diff
        mean = np.where(weight > 0, diff / np.where(weight > 0, weight, 1), np.nan)
        yield np.concatenate(run.update.from_means(neighbours, OwnMeans(mean[None]), run.target))
