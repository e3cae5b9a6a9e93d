"""Methods whose scores come from target rows, one by one: partial rankings, convergence, several targets."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from ..relief.diff_moments import DiffMoments, has_short_form
from ..relief.scoring import ScoredTarget
from ..relief.weight_sums import PairWeights, WeightSums
from ..targets.targets import Target
from .base import CONVERGE, Found, Method, MethodInput, Scored
from .convergence import GrowthRecord, Level, levels_of, may_end, row_levels
from .parameters import count_rows

AT_ONCE = 24  # targets that are scored together

Prepared = TypeVar("Prepared")


class RowMethod(Method[Prepared]):
    """A method whose scores come from target rows, one by one: fewer rows give a partial ranking."""

    def scores(self, data: MethodInput[Prepared]) -> Found:
        """The result of the rows in ``data.chosen``."""
        raise NotImplementedError

    def growing(self, data: MethodInput[Prepared], levels: Sequence[int]) -> Callable[[int], Found] | None:
        """The result of each of so many target rows, asked for in this order, where it keeps what was found before;
        None: each begins anew."""
        return None

    def run(self, data: MethodInput[Prepared]) -> Iterator[Found]:
        if data.chosen is not None:
            yield self.scores(data)
            return
        n = data.table.shape[0]
        converges = data.parameters.get("n_instances") == CONVERGE
        levels, grow = self._levels(data)
        growth = GrowthRecord(n)
        for level in levels:
            with data.work.part(level.begin, level.end):
                found = grow(level.m) if grow else self.scores(replace(data, chosen=data.sample(level.m)))
            growth.add(level.m, found.scores, found.info.get("standard_errors"))
            found.info["instances"] = level.m
            if converges:
                found.info["convergence"] = [*growth.overlaps]
                found.info["error_shares"] = [*growth.error_shares]
            final = level is levels[-1] or (converges and may_end(growth.error_shares))
            yield replace(found, final=final)
            if final:
                return

    def _levels(self, data: MethodInput[Prepared]) -> tuple[list[Level], Callable[[int], Found] | None]:
        """Numbers of target rows of partial rankings and the last one, and what `growing` gives for them."""
        shape = data.table.shape
        wanted = data.parameters.get("n_instances")
        last = None if wanted == CONVERGE else count_rows(wanted, shape[0])
        sizes = row_levels(shape, last, data.partial, from_scratch=False)
        grow = self.growing(data, sizes) if len(sizes) > 1 else None
        if grow is None:
            sizes = row_levels(shape, last, data.partial, from_scratch=True)
        return levels_of(sizes, shape[0], from_scratch=grow is None), grow

    def for_targets(self, data: MethodInput[Prepared], targets: Iterable[Target]) -> Iterator[Scored]:
        spread = Spread.of(self, data)
        for target in targets:
            yield spread.scored(self.scores(replace(spread.data, target=target)))

    def chosen(self, data: MethodInput[Prepared]) -> np.ndarray:
        """Mask (n,) of the target rows; raises ValueError where convergence is to decide."""
        wanted = data.parameters.get("n_instances")
        if data.chosen is None and wanted == CONVERGE:
            raise ValueError("several targets need the same rows: n_instances must be a number")
        return data.sample(count_rows(wanted, data.table.shape[0])) if data.chosen is None else data.chosen


class Spread:
    """Spread of the scores of several targets over random orders of the values; the moments of the diffs, which do not
    know the target, are computed once."""

    def __init__(self, data: MethodInput[Any]):
        self.together = not data.outputs  # whether nobody asks for other quantities of each target
        self.data = data if data.outputs else replace(data, outputs=(PairWeights(),))
        self._moments: DiffMoments | None = None

    @classmethod
    def of(cls, method: RowMethod[Any], data: MethodInput[Any]) -> "Spread":
        """The spread for an input whose target rows are chosen."""
        return cls(replace(data, chosen=method.chosen(data)))

    def in_turn(
        self,
        targets: Iterable[Target],
        alone: Callable[[Target], Found],
        shares: Callable[[], bool],
        together: Callable[[list[Target]], Iterable[ScoredTarget | None]],
    ) -> Iterator[Scored]:
        """Results for targets that come one after another, each in its part of the work.

        The first is scored alone; further ones that share pairs are scored together.  None: a target is scored alone.
        """
        left, work = iter(targets), self.data.work
        for target in islice(left, 1):
            yield self.scored(alone(target))
        while some := list(islice(left, 1)):
            if not (self.together and shares()):
                yield self.scored(alone(some[0]))
                continue
            begin = work.span[0]
            some += islice(left, AT_ONCE - 1)
            work.stage(begin, work.span[1])
            for target, found in zip(some, together(some), strict=True):
                yield self.scored(_found(found) if found else alone(target))

    def scored(self, found: Found) -> Scored:
        """A result with its spread, by the sums of weights among its quantities."""
        found.info["instances"] = int(np.count_nonzero(self.data.target_rows))
        if not found.quantities:
            return Scored(found)
        features, _, sums = found.quantities[0]
        if not isinstance(sums, WeightSums) or features.shape[0] < 4 or not has_short_form(features.diff):
            return Scored(found)
        if self._moments is None:
            self._moments = DiffMoments.of(features)
        mean, deviation = map(features.unsort, self._moments.spread(sums))
        deviation[features.constant] = 0
        return Scored(found, mean, deviation)


def _found(scored: ScoredTarget) -> Found:
    """Return the result of a target that was scored together with others."""
    return Found(scored.scores, quantities=(scored.quantity,) if scored.quantity else ())
