"""Methods whose scores come from target rows, one by one: partial rankings, convergence, several targets."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar, cast

import numpy as np

from ..relief.diff_moments import DiffMoments, has_short_form
from ..relief.weight_sums import PairWeights, WeightSums
from ..targets.targets import Target
from .base import CONVERGE, Found, Method, MethodInput, Scored
from .convergence import average_overlap, error_share, errors_from_change, may_end, row_levels
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
        before: tuple[int, np.ndarray] | None = None
        curve: list[list[float]] = []
        shares: list[list[float]] = []
        n, wanted = data.table.shape[0], data.parameters.get("n_instances")
        converge = wanted == CONVERGE
        last = None if converge else count_rows(wanted, n)
        levels = row_levels(data.table.shape, last, data.partial, from_scratch=False)
        grow = self.growing(data, levels) if len(levels) > 1 else None
        levels = row_levels(data.table.shape, last, data.partial, from_scratch=grow is None)
        done = np.array([0, *levels[:-1]]) * (grow is not None)
        cost = (levels - done) * (n - (levels + done) / 2)
        ends = np.cumsum(cost) / cost.sum()
        for m, begin, end in zip(levels, ends - cost / cost.sum(), ends, strict=True):
            with data.work.part(float(begin), float(end)):
                found = grow(m) if grow else self.scores(replace(data, chosen=data.sample(m)))
            if before is not None:
                old, new = (np.argsort(-scores, kind="stable") for scores in (before[1], found.scores))
                curve.append([m, average_overlap(old, new)])
                own = found.info.get("standard_errors") if m < n else [0.0]
                change = None if own else errors_from_change(before[1], found.scores, before[0], m, n)
                shares.append([m, error_share(np.array(own) if change is None else change, found.scores)])
            before = m, found.scores
            final = m == levels[-1] or (converge and may_end(shares))
            found.info["instances"] = m
            if converge:
                found.info["convergence"], found.info["error_shares"] = [*curve], [*shares]
            yield replace(found, final=final)
            if final:
                return

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
        together: Callable[[list[Target]], Iterable[tuple[Any, ...] | None]],
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
                yield self.scored(Found(found[0], quantities=found[1:]) if found else alone(target))

    def scored(self, found: Found) -> Scored:
        """A result with its spread, by the sums of weights among its quantities."""
        found.info["instances"] = int(np.count_nonzero(cast("np.ndarray", self.data.chosen)))
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
