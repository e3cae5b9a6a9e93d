"""Scores for many targets of the same rows, such as permuted ones, whose pairs are searched once.

The first target has the scores that it would have alone.  Lists of neighbours are searched without classes, and cut for
each target (`shared_lists`); pairs within thresholds are those of the first target (`shared_zones`).  The other targets
are scored together: the diffs of a pair are weighed for several of them at a time (`formats.pair_sums`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from ..targets.targets import Target
from .neighbourhoods.base import Neighbourhood, Produces
from .neighbourhoods.k_nearest import KNearest
from .neighbourhoods.radius import Radius
from .outputs import Output
from .run import Run, Scoring
from .shared_lists import ScoredTarget, SharedLists
from .shared_zones import SharedZones


@dataclass
class SharedPairs:
    """Scores for one target after another, whose rows, features and distances are the same."""

    start: Callable[[Target], Run]  # starts a run for a target
    neighbourhood: Neighbourhood  # which pairs count
    _lists: SharedLists | None = field(init=False, default=None)  # of neighbourhoods that list all pairs
    _zones: SharedZones | None = field(init=False, default=None)  # of neighbourhoods with thresholds
    _first: Run | None = field(init=False, default=None)  # of the first target, whose zones the others share

    @property
    def _has_zones(self) -> bool:
        """True if pairs are those within thresholds."""
        return self.neighbourhood.produces == Produces.ZONES

    def __post_init__(self) -> None:
        if self.neighbourhood.produces == Produces.ALL_LISTS:
            self._lists = SharedLists(self.start, cast("KNearest", self.neighbourhood))

    def scored(self, target: Target, each: bool = False, outputs: Sequence[Output] = ()) -> tuple[Run, list[Scoring]]:
        """Score a target, with the same bits as if it were the only one.

        Parameters
        ----------
        target : Target
        each : bool
            Whether each of several targets has scores of its own, too.
        outputs : sequence of Output
            Quantities of the pairs that are wanted beside the scores.

        Returns
        -------
        run : Run
            Run of the target.
        scorings : list of Scoring
            Scores for the target, and for each of several targets.
        """
        lists = self._lists.of_target(target) if self._lists else None
        if lists:
            run, near = lists
            targets = [run.target]
            if each:
                targets += [run.target.part(number) for number in range(len(target.names))]
            runs = [replace(run, target=target) for target in targets]
            return run, [of_target.score_found(self.neighbourhood, near, outputs) for of_target in runs]
        if target.is_residual and self._has_zones:
            return self._score_residuals(target, outputs)
        run = self.start(target)
        if self._first or not self._has_zones or run.means or run.features.missing:
            return run, run.scored(self.neighbourhood, each, outputs)
        return run, [self._score_first(run, outputs)]

    @property
    def shares(self) -> bool:
        """True if pairs are known that targets share."""
        return self._zones is not None or (self._lists is not None and self._lists.are_known)

    def together(self, targets: Sequence[Target]) -> list[ScoredTarget | None]:
        """Scores for each of several targets that share pairs; None for those that must be scored alone."""
        first = cast("Run", self._lists.run if self._lists else self._first)
        runs = [first.with_target(target) for target in targets]
        if self._lists:
            return self._lists.scores(runs)
        scored = cast("SharedZones", self._zones).scores(runs)
        return [(first.unsort(scores), (first.features, first.ids, sums)) for scores, sums in scored]

    def _score_residuals(self, target: Target, outputs: Sequence[Output]) -> tuple[Run, list[Scoring]]:
        """Score residuals, whose zones depend on no target, by zones that are settled once."""
        if self._first is None:
            run = self.start(target)
            self._first = run if run.means else run.remembering(zones=True)
            if not run.means:
                self.neighbourhood = self.neighbourhood.settled(self._first, run.update.relation(run.target))
        run = self._first.with_target(target)
        return run, run.scored(self.neighbourhood, outputs=outputs)

    def _score_first(self, run: Run, outputs: Sequence[Output]) -> Scoring:
        """Score the first target, and keep the bits of its zones."""
        radius = cast("Radius", self.neighbourhood)
        pairs = run.remembering(zones=True)
        relation = run.update.relation(run.target)
        run.work.plan(radius.plan(pairs, False))
        zones, counts = radius.settled_zones(pairs, relation)
        scoring = pairs.score_folded_pairs(radius.weigh_zones(relation, zones, counts), outputs)
        self._first = run
        self._zones = SharedZones.of(radius, zones, run)
        return scoring
