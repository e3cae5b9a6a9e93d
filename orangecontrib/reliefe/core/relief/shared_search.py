"""Neighbours for many targets of the same rows from one search, as each target alone would find them."""

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from ..forms.lists import Neighbours
from ..forms.missing import CONDITIONAL
from ..neighbourhoods.base import ALL_LISTS, TILES, Neighbourhood
from ..neighbourhoods.k_nearest import by_row
from ..neighbourhoods.radius import KnownZones, SameShape
from ..targets.targets import Target
from .run import Run

MIN_WIDENING = 8  # times as many neighbours without classes as are wanted of each class, at least
DEVIATIONS_LEFT = (
    5.0  # standard deviations of the number of rows of the rarest class among them that are left as a margin
)
MAX_LIST_SHARE = 0.5  # of the rows in a list, above which one search for each target is as good


class Start(Protocol):
    """Start of a run for a target."""

    def __call__(self, target: Target, by_class: bool = True, first: Run | None = None) -> Run:
        """Run with neighbours sought by class, or among all rows; first: one whose features may be taken."""


@dataclass
class SharedSearch:
    """Scores for one target after another, whose rows, features and distances are the same."""

    start: Start  # starts a run for a target
    neighbourhood: Neighbourhood  # which pairs count
    _run: Run | None = None
    _near: Neighbours | None = None
    _zones: KnownZones | None = None

    def run(self, target: Target) -> tuple[Run, Neighbourhood, Neighbours | None]:
        """Run, neighbourhood and lists that give the scores for a target, the same bits as a run of its own."""
        neighbourhood = self.neighbourhood
        if neighbourhood.form == ALL_LISTS:
            found = self._by_lists(target)
            if found:
                return found[0], neighbourhood, found[1]
        first = self._run
        run = self.start(target, first=None if first is None or first.features.missing else first)
        self._run = first or run
        if neighbourhood.form == TILES and not run.row_wise and not run.features.missing:
            if self._zones is None:
                self._zones = KnownZones.of(neighbourhood, run, run.update.relation(run.target))
            if self._zones:
                return replace(run, distance=SameShape(self._zones.shape)), self._zones, None
        return run, neighbourhood, None

    def _by_lists(self, target: Target) -> tuple[Run, Neighbours] | None:
        """Run without classes and lists by class; None: search them for this target alone."""
        neighbourhood: Any = self.neighbourhood
        if self._run is None:
            self._run = self.start(target, by_class=False)
        run = self._run.with_target(target)
        groups, k = run.update.search_groups(run.target), neighbourhood.n_neighbors
        if run.features.missing and (groups is not None or run.strategy == CONDITIONAL):
            return None  # distances, or the order of sums, depend on the classes
        if groups is None:
            if self._near is None:
                run.work.plan(neighbourhood.plan(run, run.row_wise))
                self._near = run.find(neighbourhood)
            return run, self._near
        wide = wide_enough(np.bincount(groups), k)
        if wide is None:
            return None
        if self._near is None:
            run.work.plan(neighbourhood.plan(run, run.row_wise))
            self._near = run.find(replace(neighbourhood, n_neighbors=wide), ordered=True)
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
