"""Methods whose scores come from target rows: more and more of them, until their standard errors are small."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from ..outputs.spread import DiffMoments, PairWeights, WeightSums, has_short_form
from ..targets.targets import Target
from .base import (
    CONVERGE,
    FIRST_STOP,
    MAX_ERROR,
    ROWS,
    Found,
    Method,
    MethodInput,
    Prepared,
    Scored,
    average_overlap,
    error_share,
    errors_from_change,
    row_levels,
)
from .parameters import count_rows


class RowMethod(Method[Prepared]):
    """A method whose scores come from target rows, one by one: fewer rows give a partial ranking."""

    refines = ROWS

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
        before: tuple[int, np.ndarray] | None
        curve: list[tuple[int, float]]
        shares: list[tuple[int, float]]
        n, wanted, before, curve, shares = data.table.shape[0], data.parameters.get("n_instances"), None, [], []
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
                curve.append((m, average_overlap(old, new)))
                shares.append((m, error_share(_errors(found, before, m, n), found.scores)))
            before = m, found.scores
            final = m == levels[-1] or (converge and m >= FIRST_STOP and shares[-1][1] <= MAX_ERROR)
            found.info["instances"] = m
            if converge:
                found.info["convergence"] = [list(point) for point in curve]
                found.info["error_shares"] = [list(point) for point in shares]
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


def _errors(found: Found, before: tuple[int, np.ndarray], m: int, n: int) -> np.ndarray:
    """Standard errors (p,) of a result of m of n rows; before: how many rows, and their scores."""
    own = found.info.get("standard_errors")
    if m == n:
        return np.zeros(1)
    return errors_from_change(before[1], found.scores, before[0], m, n) if own is None else np.array(own)


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
