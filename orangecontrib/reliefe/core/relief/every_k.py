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

MAX_SUM_BYTES = 2**26  # bytes of sums by place
MAX_LIST_BYTES = 2**28  # bytes of lists
BYTES_OF_NEIGHBOUR = 16  # of a list: distance and row
MIN_ROWS = 4  # rows from which on the spread has a closed form
SHARE_OF_SEARCH = 0.7  # of the progress; chosen by eye


@dataclass(frozen=True, eq=False)
class EveryK:
    """Sums by place of one ranking; scores are in the caller's order of features.

    Attributes
    ----------
    run : Run
        The ranking, scores of which are sums over pairs.
    neighbours : Neighbours
        Lists (m, G, K) of its target rows by the groups of the update, each sorted by distance, not weighed.
    channels : ChannelsByPlace, optional
        Their channels; None for updates that are not linear in shares.
    sums : (C * K, p) array, optional
        Sums by place, channel after channel; None: there are too many channels.
    run_of_features : callable
        Mask (p,) of features -> a run that has these alone.
    rows_per_neighbor : int
        Rows in a list for each of the k neighbours: the number of targets, if residuals of all of them share a list.
    """

    run: Run
    neighbours: Neighbours
    channels: ChannelsByPlace | None
    sums: np.ndarray | None
    run_of_features: Callable[[np.ndarray], Run]
    rows_per_neighbor: int = 1

    @classmethod
    def of(
        cls, run: Run, max_neighbors: int, run_of_features: Callable[[np.ndarray], Run], rows_per_neighbor: int = 1
    ) -> "EveryK":
        """Search, and sum by place, for up to `max_neighbors` neighbours, or as many as memory allows.

        Other parameters are those of the attributes.
        """
        work = run.work
        with work.part(0, SHARE_OF_SEARCH):
            work.plan(run.n_pairs)
            neighbours = _nearest(run, max_neighbors * rows_per_neighbor)
        channels = None
        sums = None
        if run.update.is_linear_in_shares:
            channels = ChannelsByPlace.of(run.update, neighbours, run.target, run.m)
            max_places = max(MAX_SUM_BYTES // (4 * run.p * max(channels.count, 1)), 1)
            if max_places < neighbours.cols.shape[2] and channels.count <= MAX_CHANNELS:
                neighbours = neighbours.nearest(max_places)
                channels = ChannelsByPlace.of(run.update, neighbours, run.target, run.m)
            with work.part(SHARE_OF_SEARCH, 1):
                sums = _sums(run, neighbours, channels) if channels.count <= MAX_CHANNELS else None
        run.distance.forget()
        run = replace(run, work=Work(work.workers))  # whose progress is that of later questions
        return cls(run, neighbours, channels, sums, run_of_features, rows_per_neighbor)

    @property
    def K(self) -> int:
        """Largest number of neighbours."""
        return max(int(self.neighbours.cols.shape[2]) // self.rows_per_neighbor, 1)

    @cached_property
    def tied(self) -> bool:
        """True if rows are as near as others in the same list."""
        distances = self.neighbours.distances
        is_there = self.neighbours.cols[:, :, 1:] >= 0
        return bool((is_there & (distances[:, :, 1:] == distances[:, :, :-1])).any())

    def by_place(self, sigma: float | None) -> bool:
        """True if the weights of neighbours depend on their places alone."""
        return sigma is None or not self.tied

    def at_once(self, sigma: float | None) -> bool:
        """True if scores come from sums by place."""
        return self.sums is not None and self.by_place(sigma)

    def scores(self, k: int, sigma: float | None) -> np.ndarray:
        """Scores (p,) for k neighbours, 1 to K."""
        if self.channels is None or self.sums is None or not self.by_place(sigma):
            return self._anew(self.run, k, sigma)
        of_place = place_weights(self.K, sigma)
        factors = self.channels.scales(of_place)[k - 1][:, None] * of_place * (np.arange(self.K) < k)
        return self.run.unsort(weighted(self.sums, factors.ravel()))

    def curves(self, features: np.ndarray, sigma: float | None) -> np.ndarray:
        """Scores (K, c) of some features (c,) for 1 to K neighbours."""
        if self.channels is None or self.sums is None or not self.by_place(sigma):
            run, order = self._run_of(features)
            return np.array([self._anew(run, k, sigma) for k in range(1, self.K + 1)])[:, order]
        column = np.argsort(self.run.features.columns)[features]
        of_place = place_weights(self.K, sigma)
        sums = self.sums[:, column].astype(float).reshape(-1, self.K, len(features))
        sums_so_far = np.cumsum(sums * of_place[:, None], axis=1)
        scores: np.ndarray = np.einsum("kc,ckf->kf", self.channels.scales(of_place), sums_so_far)
        scores[:, self.run.without_score[features]] = 0
        return scores

    def _anew(self, run: Run, k: int, sigma: float | None) -> np.ndarray:
        """Scores of the features of a run, summed anew."""
        nearest = self.neighbours.nearest(k * self.rows_per_neighbor)
        nearest = replace(nearest, cols=np.ascontiguousarray(nearest.cols)).weigh(sigma)  # as kernels are compiled for
        balanced = balanced_by_lists(self.run, nearest)  # by all features
        run = replace(run, update=balanced.update)
        return run.unsort(score_lists(run, nearest).scores)

    def spread(self, features: np.ndarray, sigma: float | None) -> tuple[np.ndarray, np.ndarray] | None:
        """Mean and standard deviation (K, c) of these scores over random orders of the values of a feature.

        None where they have no closed form.
        """
        if self.channels is None or self.run.n < MIN_ROWS or not has_short_form(self.run.features.diff):
            return None
        run, order = self._run_of(features)
        moments = DiffMoments.of(run.features)
        sums = weight_sums(self.run, self.neighbours, self.channels, sigma, self.by_place(sigma))
        means_and_deviations = np.array([moments.spread(sums_of_k) for sums_of_k in sums]).transpose(1, 0, 2)
        mean, deviation = (run.features.unsort(values)[:, order] for values in means_and_deviations)
        for values in (mean, deviation):
            values[:, self.run.without_score[features]] = 0
        return mean, deviation

    def _run_of(self, features: np.ndarray) -> tuple[Run, np.ndarray]:
        """Return a run that has these features (c,) alone, and their numbers in it."""
        mask = np.zeros(self.run.p, bool)
        mask[features] = True
        return replace(self.run_of_features(mask), target=self.run.target), np.cumsum(mask)[features] - 1


def _nearest(run: Run, max_neighbors: int) -> Neighbours:
    """Search for the nearest rows of the target rows: lists by the groups of the update, sorted by distance.

    Lists are shorter than `max_neighbors` if there are not as many rows for them, or memory is scarce.
    """
    max_in_memory = MAX_LIST_BYTES // (BYTES_OF_NEIGHBOUR * run.m * run.n_groups)
    k = max(min(max_neighbors, run.longest_list, max_in_memory), 1)
    neighbours = run.update.regroup(run.find(KNearest(k), ordered=True), run.target, run.ids, k)
    return run.sorted_by_id(neighbours)


def _sums(run: Run, neighbours: Neighbours, channels: ChannelsByPlace) -> np.ndarray:
    """Sums by place (C * K, p) in single precision."""
    K = neighbours.cols.shape[2]
    sums = np.empty((channels.count * K, run.p), np.float32)
    n_summed = 0
    run.work.plan(len(sums))
    for channel in range(channels.count):
        for block in sums_by_place(run, neighbours, channels.weights(channel)):
            sums[n_summed : n_summed + len(block)] = block
            n_summed += len(block)
    return sums


def scores_of_every_k(run: Run, neighbours: Neighbours) -> Iterator[np.ndarray]:
    """Scores (p,) for 1, 2, ... neighbours of each group, all of which have as many, without sigma.

    Where scores are sums over pairs, those for k neighbours are the mean of what the places 1 to k add: the time is
    that of the largest k alone.
    """
    if run.means is not None:
        yield from _from_means(run, neighbours)
        return
    neighbours = run.sorted_by_id(neighbours)
    of_first = run.update.pair_weights(neighbours.nearest(1).weigh(), run.target, run.m)
    total = np.zeros(run.p)
    k = 0
    for block in sums_by_place(run, neighbours, np.broadcast_to(of_first, neighbours.cols.shape)):
        for added in block:
            total = total + added
            k += 1
            yield run.unsort(total / k)


def _from_means(run: Run, neighbours: Neighbours) -> Iterator[np.ndarray]:
    """Yield scores (p,) for 1, 2, ... neighbours where means are taken row by row: one more of each group at a time."""
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
        only = slice(place, place + 1)
        at_place = Neighbours(neighbours.rows, neighbours.cols[:, :, only], neighbours.distances[:, :, only]).weigh()
        weight_and_diff += means.sums(at_place, np.zeros((1, 1, 1)))[:2]
        weight, diff = weight_and_diff
        mean = np.where(weight > 0, diff / np.where(weight > 0, weight, 1), np.nan)
        yield np.concatenate(run.update.from_means(neighbours, OwnMeans(mean[None]), run.target))
