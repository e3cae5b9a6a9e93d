"""Scores for many targets of the same rows, such as permuted ones, whose pairs are searched once.

Methods make `SharedPairs` to rank for one target after another (`Method.for_targets`): they score the first target by
`scored`, and as many as possible of the others by `together`.  The first target has the same bits as if it were the
only one.  Lists of neighbours are searched without classes, and cut for each target (`shared_lists.py`); pairs within
thresholds are those of the first target (`shared_zones.py`).  The diffs of a pair are weighed for several targets at a
time (`formats/pair_sums.py`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

from ..targets.targets import Target
from .neighbourhoods.base import Neighbourhood, Produces
from .neighbourhoods.k_nearest import KNearest
from .neighbourhoods.radius import Radius
from .outputs import Output
from .run import Run
from .scoring import ScoredTarget, Scoring, score, score_folded_pairs, score_found
from .shared_lists import SharedLists
from .shared_zones import SharedZones


class ScoredRun(NamedTuple):
    """Run of a target, and its scores."""

    run: Run
    scorings: list[Scoring]  # for the target, and after them those for each of several targets if asked for


@dataclass
class SharedPairs:
    """Scores for one target after another, whose rows, features and distances are the same.

    Attributes
    ----------
    start : callable
        Starts a run for a target.
    neighbourhood : Neighbourhood
        Pairs that count.
    _lists : SharedLists, optional
        Lists of a neighbourhood that produces those of all target rows.
    _zones : SharedZones, optional
        Pairs within the thresholds of the first target, of a neighbourhood that has them; None: not shared yet.
    _first : Run, optional
        Run of the first target, whose thresholds the others share.
    """

    start: Callable[[Target], Run]
    neighbourhood: Neighbourhood
    _lists: SharedLists | None = field(init=False, default=None)
    _zones: SharedZones | None = field(init=False, default=None)
    _first: Run | None = field(init=False, default=None)

    @property
    def _has_zones(self) -> bool:
        """True if pairs are those within thresholds."""
        return self.neighbourhood.produces == Produces.ZONES

    def __post_init__(self) -> None:
        if self.neighbourhood.produces == Produces.LISTS:
            self._lists = SharedLists(self.start, cast("KNearest", self.neighbourhood))

    def scored(self, target: Target, per_target: bool = False, outputs: Sequence[Output] = ()) -> ScoredRun:
        """Score a target, with the same bits as if it were the only one.

        Parameters
        ----------
        target : Target
        per_target : bool
            Whether each of several targets has scores of its own, too.
        outputs : sequence of Output
            Further quantities of the pairs.
        """
        lists = self._lists.of_target(target) if self._lists else None
        if lists:
            run, neighbours = lists
            runs = [run]
            if per_target:
                runs += [replace(run, target=run.target.part(number)) for number in range(len(target.names))]
            scorings = [score_found(of_target, self.neighbourhood, neighbours, outputs) for of_target in runs]
            return ScoredRun(run, scorings)
        if target.is_residual and self._has_zones:
            return self._score_residuals(target, outputs)
        run = self.start(target)
        if self._first or not self._has_zones or run.means or run.features.missing:
            return ScoredRun(run, score(run, self.neighbourhood, per_target, outputs))
        return ScoredRun(run, [self._score_first(run, outputs)])

    @property
    def shares(self) -> bool:
        """True if further targets can be scored together, by pairs that were searched for the first one."""
        return self._zones is not None or (self._lists is not None and self._lists.are_searched)

    def together(self, targets: Sequence[Target]) -> list[ScoredTarget | None]:
        """Return the scores for each of several targets that share pairs; None for those that must be scored alone."""
        first = cast("Run", self._lists.run if self._lists else self._first)
        runs = [first.with_target(target) for target in targets]
        if self._lists:
            return self._lists.scores(runs)
        return [*cast("SharedZones", self._zones).scores(runs)]

    def _score_residuals(self, target: Target, outputs: Sequence[Output]) -> ScoredRun:
        """Score residuals, whose zones depend on no target, by zones that are settled once."""
        if self._first is None:
            run = self.start(target)
            self._first = run if run.means else run.remembering(zones=True)
            if not run.means:
                self.neighbourhood = self.neighbourhood.settled(self._first, run.update.relation(run.target))
        run = self._first.with_target(target)
        return ScoredRun(run, score(run, self.neighbourhood, outputs=outputs))

    def _score_first(self, run: Run, outputs: Sequence[Output]) -> Scoring:
        """Score the first target, and remember the pairs within its thresholds."""
        radius = cast("Radius", self.neighbourhood)
        pairs = run.remembering(zones=True)
        relation = run.update.relation(run.target)
        run.work.plan(radius.plan(pairs, False))
        zones, counts = radius.settled_zones(pairs, relation)
        scoring = score_folded_pairs(pairs, radius.weigh_zones(relation, zones, counts), outputs)
        self._first = run
        self._zones = SharedZones.of(radius, zones, run)
        return scoring
