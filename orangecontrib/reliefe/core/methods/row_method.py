"""Methods whose scores are made of what each target row adds: partial rankings, convergence, many targets.

`RowMethod` is the base of `Recipe`, ReliefE, SSL-Relief and learned Relief.  It ranks by more and more target rows,
until the scores converge (`run`).  For many targets, such as permuted ones, its subclasses use `Spread`: it scores them
in turn, and adds the mean and deviation of each score over random orders of the values.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from ..relief.diff_moments import DiffMoments, has_short_form
from ..relief.scoring import ScoredTarget
from ..relief.weight_sums import PairWeights, WeightSums
from ..targets.targets import Target
from .base import CONVERGE, Method, MethodInput, MethodResult, TargetResult
from .convergence import GrowthRecord, Level, levels_of, may_end, row_levels
from .parameters import count_rows

TARGETS_AT_ONCE = 24  # that are scored together

Prepared = TypeVar("Prepared")


class RowMethod(Method[Prepared]):
    """A method whose scores are made of what each target row adds: fewer rows give a partial ranking."""

    def scores(self, data: MethodInput[Prepared]) -> MethodResult:
        """Return the result of the target rows, ``data.chosen``."""
        raise NotImplementedError

    def growing(self, data: MethodInput[Prepared], levels: Sequence[int]) -> Callable[[int], MethodResult] | None:
        """Return a function from a number of target rows, one of `levels` in this order, to the result of so many.

        It keeps its results for the next number.  None: the method has nothing to keep, and begins again each time.
        """
        return None

    def run(self, data: MethodInput[Prepared]) -> Iterator[MethodResult]:
        if data.chosen is not None:
            yield self.scores(data)
            return
        n = data.table.shape[0]
        converges = data.parameters.get("n_instances") == CONVERGE
        levels, grow = self._levels(data)
        growth = GrowthRecord(n)
        for level in levels:
            with data.work.part(level.begin, level.end):
                scored = grow(level.m) if grow else self.scores(replace(data, chosen=data.sample(level.m)))
            growth.add(level.m, scored.scores, scored.info.get("standard_errors"))
            scored.info["instances"] = level.m
            if converges:
                scored.info["convergence"] = [*growth.overlaps]
                scored.info["error_shares"] = [*growth.error_shares]
            final = level is levels[-1] or (converges and may_end(growth.error_shares))
            yield replace(scored, final=final)
            if final:
                return

    def _levels(self, data: MethodInput[Prepared]) -> tuple[list[Level], Callable[[int], MethodResult] | None]:
        """Return the numbers of target rows of partial rankings and of the last one, and the function of `growing`."""
        shape = data.table.shape
        n_instances = data.parameters.get("n_instances")
        last = None if n_instances == CONVERGE else count_rows(n_instances, shape[0])
        sizes = row_levels(shape, last, data.partial, from_scratch=False)
        grow = self.growing(data, sizes) if len(sizes) > 1 else None
        if grow is None:
            sizes = row_levels(shape, last, data.partial, from_scratch=True)
        return levels_of(sizes, shape[0], from_scratch=grow is None), grow

    def for_targets(self, data: MethodInput[Prepared], targets: Iterable[Target]) -> Iterator[TargetResult]:
        spread = Spread.of(self, data)
        for target in targets:
            yield spread.scored(self.scores(replace(spread.data, target=target)))

    def chosen(self, data: MethodInput[Prepared]) -> np.ndarray:
        """Return a mask (n,) of the target rows; raises ValueError if convergence is to decide on them."""
        if data.chosen is not None:
            return data.chosen
        n_instances = data.parameters.get("n_instances")
        if n_instances == CONVERGE:
            raise ValueError("several targets need the same rows: n_instances must be a number")
        return data.sample(count_rows(n_instances, data.table.shape[0]))


class Spread:
    """Spread of the scores of many targets over random orders of the values.

    It follows from the sums of the weights of pairs, of each target, and from the moments of the diffs, which do not
    depend on the target and are computed once.
    """

    def __init__(self, data: MethodInput[Any]):
        # True: nobody asks for other quantities of each target, which those that are scored together do not have
        self._scores_together = not data.outputs
        self.data = data if data.outputs else replace(data, outputs=(PairWeights(),))
        self._moments: DiffMoments | None = None

    @classmethod
    def of(cls, method: RowMethod[Any], data: MethodInput[Any]) -> "Spread":
        """Return the spread for an input whose target rows are chosen."""
        return cls(replace(data, chosen=method.chosen(data)))

    def in_turn(
        self,
        targets: Iterable[Target],
        score_alone: Callable[[Target], MethodResult],
        shares_pairs: Callable[[], bool],
        score_together: Callable[[list[Target]], Iterable[ScoredTarget | None]],
    ) -> Iterator[TargetResult]:
        """Yield the results for targets that come one after another, each in its stage of the work.

        Parameters
        ----------
        targets : iterable of Target
            The first is scored alone.
        score_alone : function
            Result for one target.
        shares_pairs : function
            True if further targets can be scored together, by pairs that were searched for the first one.
        score_together : function
            Scores for each of several targets; None: a target must be scored alone.
        """
        waiting = iter(targets)
        work = self.data.work
        for target in islice(waiting, 1):
            yield self.scored(score_alone(target))
        while batch := list(islice(waiting, 1)):
            if not (self._scores_together and shares_pairs()):
                yield self.scored(score_alone(batch[0]))
                continue
            begin = work.span[0]
            batch += islice(waiting, TARGETS_AT_ONCE - 1)
            work.stage(begin, work.span[1])  # from the stage of the first of them to the end of that of the last one
            for target, scored in zip(batch, score_together(batch), strict=True):
                yield self.scored(_found(scored) if scored else score_alone(target))

    def scored(self, method_result: MethodResult) -> TargetResult:
        """Return a result with its spread, if the sums of the weights of pairs are among its quantities."""
        method_result.info["instances"] = int(np.count_nonzero(self.data.target_rows))
        if not method_result.quantities:
            return TargetResult(method_result)
        features, _, sums = method_result.quantities[0]
        if not isinstance(sums, WeightSums) or features.shape[0] < 4 or not has_short_form(features.diff):
            return TargetResult(method_result)
        if self._moments is None:
            self._moments = DiffMoments.of(features)
        mean, deviation = map(features.unsort, self._moments.spread(sums))
        deviation[features.constant] = 0
        return TargetResult(method_result, mean, deviation)


def _found(scored: ScoredTarget) -> MethodResult:
    """Return the result of a target that was scored together with others."""
    return MethodResult(scored.scores, quantities=(scored.quantity,) if scored.quantity else ())
