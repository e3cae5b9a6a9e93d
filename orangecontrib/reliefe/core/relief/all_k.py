"""Scores for every number of neighbours and every sigma, and their spread, from one search."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..parallel import Work
from .lists import Neighbours
from .neighbours import KNearest
from .place_sums import sums_by_place, weighted
from .places import Places, place_weights, places_of
from .random_order import DiffMoments, has_short_form
from .run import Run
from .spread_by_k import weight_sums

MAX_CHANNELS = 8  # sums by place of so many channels are kept; of more, scores are summed anew
MAX_SUM_BYTES = 2**26  # of sums by place
MAX_LIST_BYTES = 2**28  # of lists
MIN_ROWS = 4  # fewer have no spread


def most_neighbors(run: Run, asked: int) -> int:
    """Number of neighbours, up to `asked`, that lists may have: there are so many, and room for them."""
    groups = run.update.search_groups(run.target)
    most = run.n if groups is None else int(np.bincount(groups).max())
    room = MAX_LIST_BYTES // (16 * run.m * run.n_groups)
    return max(min(asked, most - 1, room), 1)


@dataclass(frozen=True, eq=False)
class AllK:
    """Sums by place of one ranking; scores are in the caller's order of features."""

    run: Run  # the ranking, scores of which are sums over pairs
    # Lists (m, G, K) of its targets by the groups of the update, sorted by distance in every place, not weighed
    near: Neighbours
    places: Places  # their channels
    sums: np.ndarray | None  # (C * K, p): sums by place, channel after channel; None: there are too many channels
    few: Callable[[np.ndarray], Run]  # from a mask (p,) of features to a run that has these alone

    @classmethod
    def of(cls, run: Run, asked: int, few: Callable[[np.ndarray], Run]) -> "AllK":
        """Search and sums for up to `asked` neighbours."""
        wanted, work = most_neighbors(run, asked), run.work
        with work.part(0, 0.7):
            work.plan(run.sweep.pairs)
            found = run.find(KNearest(wanted), ordered=True)
            near = run.update.regroup(found, run.target, run.ids, wanted)
        ids = run.ids[near.rows]
        near = near[np.argsort(ids)] if (np.diff(ids) < 0).any() else near
        places = places_of(run.update, near, run.target, run.m)
        room = max(MAX_SUM_BYTES // (4 * run.p * max(places.count, 1)), 1)
        if room < near.cols.shape[2] and places.count <= MAX_CHANNELS:
            near = near.cut(room)
            places = places_of(run.update, near, run.target, run.m)
        with work.part(0.7, 1):
            sums = _sums(run, near, places) if places.count <= MAX_CHANNELS else None
        run.distance.forget()
        return cls(replace(run, work=Work(work.workers)), near, places, sums, few)

    @property
    def K(self) -> int:
        """Largest number of neighbours."""
        return int(self.near.cols.shape[2])

    @cached_property
    def tied(self) -> bool:
        """True if rows are as near as others in the same list."""
        d, there = self.near.distances, self.near.cols[:, :, 1:] >= 0
        return bool((there & (d[:, :, 1:] == d[:, :, :-1])).any())

    def by_place(self, sigma: float | None) -> bool:
        """True if the weights of neighbours depend on their places alone."""
        return sigma is None or not self.tied

    def at_once(self, sigma: float | None) -> bool:
        """True if scores come from sums by place."""
        return self.sums is not None and self.by_place(sigma)

    def scores(self, k: int, sigma: float | None) -> np.ndarray:
        """Scores (p,) for k neighbours, 1 to K."""
        if self.sums is None or not self.by_place(sigma):
            return self._anew(self.run, k, sigma)
        of_place = place_weights(self.K, sigma)
        factors = self.places.scales(of_place)[k - 1][:, None] * of_place * (np.arange(self.K) < k)
        return self.run.unsort(weighted(self.sums, factors.ravel()))

    def curves(self, features: np.ndarray, sigma: float | None) -> np.ndarray:
        """Scores (K, c) of some features (c,) for 1 to K neighbours."""
        if self.sums is None or not self.by_place(sigma):
            return self._summed(features, sigma)
        place, of_place = np.argsort(self.run.features.columns)[features], place_weights(self.K, sigma)
        sums = self.sums[:, place].astype(float).reshape(-1, self.K, len(features))
        found: np.ndarray = np.einsum(
            "kc,ckf->kf", self.places.scales(of_place), np.cumsum(sums * of_place[:, None], axis=1)
        )
        found[:, self.run.without_score[features]] = 0
        return found

    def _summed(self, features: np.ndarray, sigma: float | None) -> np.ndarray:
        """The same, summed anew for each number of neighbours."""
        run, order = self._few(features)
        return np.array([self._anew(run, k, sigma) for k in range(1, self.K + 1)])[:, order]

    def _anew(self, run: Run, k: int, sigma: float | None) -> np.ndarray:
        """Scores of the features of a run, summed anew."""
        some = self.near.cut(k)
        some = replace(some, cols=np.ascontiguousarray(some.cols))  # as kernels are compiled for
        return run.unsort(run.by_lists(some.weigh(sigma)))

    def spread(self, features: np.ndarray, sigma: float | None) -> tuple[np.ndarray, np.ndarray] | None:
        """Mean and standard deviation (K, c) of these scores over random orders of the values of a feature; None where
        they have no closed form."""
        if self.run.n < MIN_ROWS or not has_short_form(self.run.features.diff):
            return None
        run, order = self._few(features)
        moments = DiffMoments.of(run.features)
        sums = weight_sums(self.run, self.near, self.places, sigma, self.by_place(sigma))
        mean, deviation = np.array([moments.spread(one) for one in sums]).transpose(1, 0, 2)
        found = [run.features.unsort(a)[:, order] for a in (mean, deviation)]
        for values in found:
            values[:, self.run.without_score[features]] = 0
        return found[0], found[1]

    def _few(self, features: np.ndarray) -> tuple[Run, np.ndarray]:
        """Run that has some features (c,) alone, and their places there."""
        mask = np.zeros(self.run.p, bool)
        mask[features] = True
        return replace(self.few(mask), target=self.run.target), np.cumsum(mask)[features] - 1


def _sums(run: Run, near: Neighbours, places: Places) -> np.ndarray:
    """Sums by place (C * K, p) in single precision."""
    K = near.cols.shape[2]
    out, row = np.empty((places.count * K, run.p), np.float32), 0
    run.work.plan(len(out))
    for channel in range(places.count):
        for block in sums_by_place(run, near, places.weights(channel)):
            out[row : row + len(block)] = block
            row += len(block)
    return out
