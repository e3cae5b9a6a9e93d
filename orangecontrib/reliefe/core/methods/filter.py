"""Base of filters: rows become points, and scores of the columns of these become scores of features.

A subclass (`graph_filters`, `agnos`, `cox_score`) defines `scores_of_points`, which ends with a call of `scored`.
"""

import warnings
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from ..data.compared import refuse_infinite_values
from ..info import Info
from ..points.points import RANGE, Points
from ..targets.tasks import UNSUPERVISED
from ..work.threads import SERIAL_ALGEBRA
from .base import Method, MethodInput, MethodResult
from .parameters import CHOICE, Parameter

STEP_OF_TEST = 10.0  # cost of a value in a test, relative to a comparison of two values in Relief; a rough measurement
MAX_ROUNDING = 1e-9  # difference of scores, in their unit, that is rounding
MEAN = "mean"
SUM = "sum"
POOLINGS = (MEAN, SUM)
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
    own_parameters: tuple[Parameter, ...] = ()

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (*self.own_parameters, *ROWS_AS_POINTS)

    def run(self, data: MethodInput[None]) -> Iterator[MethodResult]:
        refuse_infinite_values(data.table)
        with SERIAL_ALGEBRA:
            points = Points.of(data.table, data.work, data.parameters.get("scaling", RANGE))
            has_columns = points.shape[1] > 0
            result = self.scores_of_points(data, points) if has_columns else scored(data, points, np.zeros(0), {})
        yield result

    def scores_of_points(self, data: MethodInput[None], points: Points) -> MethodResult:
        """Result for rows as points, which have columns."""
        raise NotImplementedError


def scored(
    data: MethodInput[Any],
    points: Points,
    columns: np.ndarray,
    info: Info,
    small_is_good: bool = False,
    unit: float = 1.0,
) -> MethodResult:
    """Make a result of scores of the columns of points. Constant features get the smallest score of the others.

    Parameters
    ----------
    data : MethodInput
        Input of the method, whose parameters say how columns of a nominal feature are pooled.
    points : Points
        The points.
    columns : (q,) float64 array
        Scores of their columns.
    info : dict
        Facts so far.
    small_is_good : bool
        Whether small scores are good; they are reflected in their range then.
    unit : float
        Scores that differ by less than `MAX_ROUNDING` times this are equal.
    """
    scores = points.pooled(columns, data.parameters["nominal_score"] == SUM)
    varying = points.varying
    if not varying.any():
        return MethodResult(scores, info=_degenerate(info, "all features are constant"))
    lowest = scores[varying].min()
    highest = scores[varying].max()
    if small_is_good:
        scores = highest + lowest - scores
    scores[~varying] = scores[varying].min()
    if highest - lowest <= MAX_ROUNDING * unit and varying.sum() > 1:
        info = _degenerate(info, "all features that vary have the same score: their order says nothing")
    return MethodResult(scores, info=info)


def _degenerate(info: Info, text: str) -> Info:
    """Record with a warning, which is issued as a Python warning, too."""
    warnings.warn(text, DegenerateGraph, stacklevel=2)
    return {**info, "warnings": [*info.get("warnings", ()), text]}
