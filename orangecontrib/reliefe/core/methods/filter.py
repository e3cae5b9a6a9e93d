"""The contract of filters: rows become points, and scores of their columns become scores of features."""

import warnings
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from ..data.compared import refuse_infinite_values
from ..points.points import RANGE, Points
from ..result import Info
from ..targets.tasks import UNSUPERVISED
from ..work.threads import SERIAL_ALGEBRA
from .base import Method, MethodInput, MethodResult
from .parameters import CHOICE, Parameter

STEP_OF_TEST = 10.0  # what a value costs in a test, against a comparison of two values in Relief
AGREE = 1e-9  # scores that differ by less, in their unit, do not differ
MEAN, SUM = POOLINGS = "mean", "sum"
POOLED = Parameter("nominal_score", "Nominal features", CHOICE, MEAN, choices=POOLINGS, more=True,
                   tooltip="Score of a nominal feature: mean or sum over the columns of its values. The sum grows "
                           "with the number of values")  # fmt: skip
ROWS_AS_POINTS = (
    Parameter("scaling", "Scaling", CHOICE, "z-score", choices=("z-score", "none"), more=True,
              tooltip="Divide the values of each feature by their standard deviation (z-score), or keep them (none)"),
    POOLED,
)  # fmt: skip


class DegenerateGraph(UserWarning):
    """All features that vary have the same score: usually, no row is near another one in the graph of rows."""


class Filter(Method[None]):
    """A method that is computed once, from rows as points."""

    family = "filter"
    tasks: tuple[str, ...] = (UNSUPERVISED,)
    own: tuple[Parameter, ...] = ()

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (*self.own, *ROWS_AS_POINTS)

    def run(self, data: MethodInput[None]) -> Iterator[MethodResult]:
        refuse_infinite_values(data.table)
        with SERIAL_ALGEBRA:
            points = Points.of(data.table, data.work, data.parameters.get("scaling", RANGE))
            found = self.found(data, points) if points.shape[1] else scored(data, points, np.zeros(0), {})
        yield found

    def found(self, data: MethodInput[None], points: Points) -> MethodResult:
        """The result for rows that are points, with one column at least."""
        raise NotImplementedError


def scored(
    data: MethodInput[Any],
    points: Points,
    columns: np.ndarray,
    info: Info,
    small_is_good: bool = False,
    unit: float = 1.0,
) -> MethodResult:
    """Result from scores of the columns of the points; constant features get the least score of the rest.

    Shapes: `columns` (q,).
    """
    scores, varying = points.pooled(columns, data.parameters["nominal_score"] == SUM), points.varying
    if not varying.any():
        return MethodResult(scores, info=_degenerate(info, "all features are constant"))
    least, most = scores[varying].min(), scores[varying].max()
    if small_is_good:
        scores = most + least - scores
    scores[~varying] = scores[varying].min()
    if most - least <= AGREE * unit and varying.sum() > 1:
        info = _degenerate(info, "all features that vary have the same score: their order says nothing")
    return MethodResult(scores, info=info)


def _degenerate(info: Info, text: str) -> Info:
    """The record with a warning, which Python gives, too."""
    warnings.warn(text, DegenerateGraph, stacklevel=2)
    return {**info, "warnings": [*info.get("warnings", ()), text]}
